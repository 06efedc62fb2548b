#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// The smallest clusters of limits of volumes and of disks that a node cannot take twice.
namespace touchstone::tests::optimized_volume_limits_test {

namespace {

constexpr const char* k_ebs = "awsElasticBlockStore";

Outcome outcome(const Question& question, const char* version) { return agreed(question, version).outcome; }

/// A node with a pod that has `count` disks. The preemptor has one more disk.
Question with_disks(const std::string& kind, std::size_t count) {
  const auto disk = [&kind](const std::string& name) {
    VolumeSource made = source(kind, name);
    made.disk_name = name;
    return made;
  };
  Pod other = pod("a", 20, 0);
  for (std::size_t i = 0; i < count; ++i)
    other = with_volume(std::move(other), disk("d" + std::to_string(i)));
  return QuestionBuilder().node("n1", 1000).has(other).asks(with_volume(pod("p", 10, 0), disk("own")));
}

/// Whether the node takes `most` disks, and no more.
testing::AssertionResult takes(std::size_t most, const std::string& kind, const char* version,
                               const std::string& type = "") {
  for (const bool is_one_more : {false, true}) {
    Question question = with_disks(kind, is_one_more ? most : most - 1);
    if (!type.empty()) question.cluster.nodes[0].labels["beta.kubernetes.io/instance-type"] = type;
    if (outcome(question, version) != (is_one_more ? Outcome::none : Outcome::fits))
      return testing::AssertionFailure() << kind << " " << type << (is_one_more ? ": more" : ": less");
  }
  return testing::AssertionSuccess();
}

/// A question about a node that limits the volumes of the driver "d". Each volume is bound to a claim of its
/// name. The preemptor has the volumes `own`, and a pod of higher priority has the volumes `others`.
Stored limited(Quantity limit, const std::vector<PersistentVolume>& own,
               const std::vector<PersistentVolume>& others = {}) {
  Pod p = pod("p", 10, 0);
  Pod other = pod("a", 20, 0);
  for (const PersistentVolume& volume : own) p = with_claim(std::move(p), volume.name);
  for (const PersistentVolume& volume : others) other = with_claim(std::move(other), volume.name);
  Question question = QuestionBuilder().node("n1", 1000).has(other).asks(p);
  question.cluster.nodes[0].allocatable["attachable-volumes-csi-d"] = limit;
  Stored stored(question);
  for (const auto* volumes : {&own, &others}) {
    for (const PersistentVolume& volume : *volumes) stored.with(claim(volume.name, volume.name)).with(volume);
  }
  return stored.with(CsiNode{"n1", {"d"}, {{"d", limit}}, {}});
}

PersistentVolume of_driver(const std::string& name, const std::string& driver, const std::string& handle) {
  PersistentVolume made = volume(name);
  made.source.driver = driver;
  made.source.id = handle;
  return made;
}

/// A pod of higher priority whose ephemeral volume has the claim of another pod, on which limits err.
void add_foreign_claim(Stored& stored) {
  Pod other = with_volume(pod("o", 20, 0), source("ephemeral"));
  other.node_name = "n1";
  stored.question().cluster.pods.push_back(other);
  PersistentVolumeClaim made = claim("o-v0", "v");
  made.controller = "somebody";
  stored.with(made).with(volume("v"));
}

}  // namespace

// PRE-ATTACH-5
TEST(OptimizedVolumeLimits, EachKindOfDiskHasItsLimit) {
  EXPECT_TRUE(takes(16, "gcePersistentDisk", "v1.22"));
  EXPECT_TRUE(takes(16, "azureDisk", "v1.20"));
  EXPECT_TRUE(takes(39, k_ebs, "v1.10"));
  EXPECT_TRUE(takes(39, k_ebs, "v1.22"));
}

// PRE-ATTACH-5
TEST(OptimizedVolumeLimits, SomeTypesOfMachinesTakeFewerDisks) {
  for (const char* type : {"c5.large", "m5", "r5", "t3.nano", "at3", "z1d.large", "az1d"})
    EXPECT_TRUE(takes(25, k_ebs, "v1.16", type));
  for (const char* type : {"x5", "c4", "m4.5", "c", "5", "mm5", "t2", "z1"})
    EXPECT_TRUE(takes(39, k_ebs, "v1.16", type));
  EXPECT_TRUE(takes(39, k_ebs, "v1.11", "c5.large"));
}

// PRE-ATTACH-5: a claim without a volume counts by its class; up to v1.15, it counts for every kind.
TEST(OptimizedVolumeLimits, DisksThatAreToBeMadeCount) {
  const auto with_claim_of = [](const std::optional<std::string>& class_name,
                                const std::string& provisioner) {
    Stored stored(with_disks("azureDisk", 14));
    stored.question().cluster.pods.push_back(with_claim(pod("b", 20, 0), "c"));
    stored.question().cluster.pods.back().node_name = "n1";
    stored.question().pod.volumes.push_back({"w", source("azureDisk", "second")});
    stored.question().pod.volumes.back().source.disk_name = "second";
    PersistentVolumeClaim waiting_for_disk = waiting("c");
    waiting_for_disk.class_name = class_name;
    return Question(stored.with(waiting_for_disk).with(late(provisioner)));
  };
  EXPECT_EQ(outcome(with_claim_of("late", "kubernetes.io/azure-disk"), "v1.20"), Outcome::none);
  EXPECT_EQ(outcome(with_claim_of("late", "kubernetes.io/aws-ebs"), "v1.20"), Outcome::fits);
  EXPECT_EQ(outcome(with_claim_of(std::nullopt, "kubernetes.io/azure-disk"), "v1.20"), Outcome::fits);
  EXPECT_EQ(outcome(with_claim_of(std::nullopt, "kubernetes.io/azure-disk"), "v1.15"), Outcome::none);
  Question missing = with_claim_of("late", "kubernetes.io/azure-disk");
  missing.cluster.storage.claims.clear();
  EXPECT_EQ(outcome(missing, "v1.20"), Outcome::fits);
}

// PRE-ATTACH-6: the filter of the preemptor's disk is the one that errs.
TEST(OptimizedVolumeLimits, TheFilterOfTheDiskErrs) {
  Stored stored(with_disks(k_ebs, 0));
  add_foreign_claim(stored);
  EXPECT_NE(agreed(stored, "v1.26").reason.find("\"EBSLimits\""), std::string::npos);
}

// PRE-ATTACH-6: limits of CSI drivers do not err where the preemptor has no volume of such a driver.
TEST(OptimizedVolumeLimits, LimitsErrOnlyForVolumesOfDrivers) {
  Stored without(with_disks("iscsi", 0));
  add_foreign_claim(without);
  without.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  EXPECT_EQ(outcome(without, "v1.34"), Outcome::fits);
  Stored with = limited(9, {volume("w")});
  add_foreign_claim(with);
  EXPECT_EQ(outcome(with, "v1.34"), Outcome::error);
}

// PRE-ATTACH-2, PRE-ATTACH-6: no driver makes the volume of a class without a provisioner.
TEST(OptimizedVolumeLimits, AClassWithoutProvisionerHasNoDriver) {
  Stored stored = limited(9, {});
  stored.question().pod = with_claim(stored.question().pod, "c");
  stored.with(waiting("c")).with(available("free")).with(late(""));
  add_foreign_claim(stored);
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(late("d")), "v1.34"), Outcome::error);
}

// PRE-ATTACH-2: the CSI driver makes the volume where it has replaced the plugin.
TEST(OptimizedVolumeLimits, ADriverMakesTheVolumesOfThePluginThatItReplaces) {
  Stored stored = limited(9, {});
  stored.question().pod = with_claim(stored.question().pod, "c");
  stored.with(waiting("c")).with(late("kubernetes.io/gce-pd"));
  stored.with(CsiNode{"n1", {}, {{"pd.csi.storage.gke.io", 0}}, {}});
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
  EXPECT_EQ(outcome(stored, "v1.26"), Outcome::fits);
  stored.with(CsiNode{"n1", {}, {{"pd.csi.storage.gke.io", 1}}, {}});
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
}

// PRE-ATTACH-1: up to v1.15 a handle counts once, for the driver that comes last.
TEST(OptimizedVolumeLimits, VolumesOfTwoDriversMayHaveOneHandle) {
  const std::vector<PersistentVolume> both = {of_driver("v", "d", "h"), of_driver("w", "x", "h")};
  const std::vector<PersistentVolume> turned = {of_driver("v", "x", "h"), of_driver("w", "d", "h")};
  EXPECT_EQ(outcome(limited(0, both), "v1.15"), Outcome::fits);
  EXPECT_EQ(outcome(limited(0, turned), "v1.15"), Outcome::none);
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(limited(0, both), version), Outcome::none);
    EXPECT_EQ(outcome(limited(0, turned), version), Outcome::none);
    EXPECT_EQ(outcome(limited(1, both), version), Outcome::fits);
  }
}

// PRE-ATTACH-4: of the attachments, those of CSI volumes count.
TEST(OptimizedVolumeLimits, AttachmentsOfDisksDoNotCount) {
  PersistentVolume attached = volume("v");
  Stored stored = limited(1, {volume("own")});
  stored.with(VolumeAttachment{"a", "d", "n1", "v"});
  EXPECT_EQ(outcome(stored.with(attached), "v1.34"), Outcome::none);
  EXPECT_EQ(outcome(stored, "v1.31"), Outcome::fits);
  attached.source = source("gcePersistentDisk", "disk");
  EXPECT_EQ(outcome(stored.with(attached), "v1.34"), Outcome::fits);
}

// PRE-RWOP-1, PRE-RWOP-2
TEST(OptimizedVolumeLimits, AClaimForOnePodMayComeAfterADisk) {
  PersistentVolumeClaim exclusive = claim("c", "v");
  exclusive.access_modes = {"ReadWriteOncePod"};
  const Pod p = with_claim(with_volume(pod("p", 10, 0), source("iscsi", "d")), "c");
  const Pod other = with_claim(pod("a", 20, 0), "c");
  const auto outcome_of = [&exclusive](const Question& question, const char* version) {
    return outcome(Stored(question).with(exclusive).with(volume("v")), version);
  };
  for (const char* version : {"v1.27", "v1.28", "v1.37"}) {
    EXPECT_EQ(outcome_of(QuestionBuilder().node("n1", 1000).has(other).asks(p), version), Outcome::none);
    EXPECT_EQ(outcome_of(QuestionBuilder().node("n1", 1000).nominated(other).asks(p), version),
              Outcome::none);
  }
}

// PRE-DISK-1: an image conflicts if the pods share a monitor; in v1.8 also if a monitor is listed twice.
TEST(OptimizedVolumeLimits, ImagesConflictByMonitors) {
  const auto asks = [](const std::vector<std::string>& monitors) {
    VolumeSource own = source("rbd", "i");
    own.monitors = {"m"};
    VolumeSource other = own;
    other.monitors = monitors;
    return QuestionBuilder()
        .node("n1", 1000)
        .has(with_volume(pod("a", 20, 0), other))
        .asks(with_volume(pod("p", 10, 0), own));
  };
  EXPECT_EQ(outcome(asks({"n"}), "v1.8"), Outcome::fits);
  EXPECT_EQ(outcome(asks({"n", "n"}), "v1.8"), Outcome::none);
  EXPECT_EQ(outcome(asks({"n", "n"}), "v1.9"), Outcome::fits);
  EXPECT_EQ(outcome(asks({"n", "m"}), "v1.34"), Outcome::none);
}

// PRE-ATTACH-6: a pod that has finished makes no filter err, so a node that no eviction helps needs no dry
// run.
TEST(OptimizedVolumeLimits, AFinishedPodWithAForeignClaimCausesNoDryRun) {
  Stored stored = limited(0, {volume("w")});
  stored.question().cluster.pods.clear();
  add_foreign_claim(stored);
  stored.question().cluster.pods.back().phase = "Succeeded";
  Pod low = pod("low", 0, 0);
  low.node_name = "n1";
  stored.question().cluster.pods.push_back(low);
  const optimized::Answer answer = agreed(stored, "v1.34");
  EXPECT_EQ(answer.outcome, Outcome::none);
  EXPECT_EQ(answer.dry_runs, 0u);
}

}  // namespace touchstone::tests::optimized_volume_limits_test
