#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"
#include "tests/support/topology.hpp"

/// Small clusters for the limits of volumes, and for disks and claims that only one pod may use.
namespace touchstone::tests::optimized_volume_limits_test {

namespace {

constexpr const char* k_ebs = "awsElasticBlockStore";

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
  return one_node().has(other).asks(with_volume(pod("p", 10, 0), disk("own")));
}

/// Whether the node takes `most` disks of a kind, and no more. `type`: its instance type.
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
  Question question = one_node().has(other).asks(p);
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

/// Adds a pod of higher priority whose ephemeral volume has a claim that was not made for it.
void add_foreign_claim(Stored& stored) {
  Pod other = with_volume(pod("o", 20, 0), source("ephemeral"));
  other.node_name = "n1";
  stored.question().cluster.pods.push_back(other);
  stored.with(foreign_claim("o", "v0")).with(volume("v"));
}

/// A question about a node with this allocatable amount, no CSINode, and a preemptor with one volume of the
/// driver.
Stored on_node_with(const std::map<std::string, Quantity>& allocatable, const std::string& driver) {
  Question question = one_node().asks(with_claim(pod("p", 10, 0), "c"));
  for (const auto& [name, amount] : allocatable) question.cluster.nodes[0].allocatable[name] = amount;
  return Stored(question).with(claim("c", "v")).with(of_driver("v", driver, "v"));
}

/// A question of the preemptor `p`, which has the ReadWriteOncePod claim c.
Stored with_exclusive_claim(QuestionBuilder cluster, const Pod& p) {
  PersistentVolumeClaim exclusive = claim("c", "v");
  exclusive.access_modes = {"ReadWriteOncePod"};
  return Stored(cluster.asks(p)).with(exclusive).with(volume("v"));
}

}  // namespace

// PRE-ATTACH-5: the limit is 16 for GCE PD and Azure Disk, and 39 for EBS.
TEST(OptimizedVolumeLimits, EachKindOfDiskHasItsLimit) {
  EXPECT_TRUE(takes(16, "gcePersistentDisk", "v1.22"));
  EXPECT_TRUE(takes(16, "azureDisk", "v1.20"));
  EXPECT_TRUE(takes(39, k_ebs, "v1.10"));
  EXPECT_TRUE(takes(39, k_ebs, "v1.22"));
}

// PRE-ATTACH-5: from v1.12 the limit is 25 if the instance type begins with c5, m5 or r5, or contains t3 or
// z1d.
TEST(OptimizedVolumeLimits, SomeInstanceTypesTakeFewerDisks) {
  for (const char* type : {"c5.large", "m5", "r5", "t3.nano", "at3", "z1d.large", "az1d"})
    EXPECT_TRUE(takes(25, k_ebs, "v1.16", type));
  for (const char* type : {"x5", "c4", "m4.5", "c", "5", "mm5", "t2", "z1"})
    EXPECT_TRUE(takes(39, k_ebs, "v1.16", type));
  EXPECT_TRUE(takes(39, k_ebs, "v1.11", "c5.large"));
}

// PRE-ATTACH-5: a claim without a volume counts as a disk of the provisioner of its class. Up to v1.15 it
// counts for every kind, even without a class. With 14 disks on the node and 2 of the preemptor it is number
// 17.
TEST(OptimizedVolumeLimits, DisksThatAreToBeProvisionedCount) {
  const auto with_claim_of = [](const std::optional<std::string>& class_name,
                                const std::string& provisioner) {
    Stored stored(with_disks("azureDisk", 14));
    stored.question().cluster.pods.push_back(with_claim(pod("b", 20, 0), "c"));
    stored.question().cluster.pods.back().node_name = "n1";
    stored.question().pod.volumes.push_back({"w", source("azureDisk", "second")});
    stored.question().pod.volumes.back().source.disk_name = "second";
    PersistentVolumeClaim unbound = waiting("c");
    unbound.class_name = class_name;
    return Question(stored.with(unbound).with(late(provisioner)));
  };
  EXPECT_EQ(outcome(with_claim_of("late", "kubernetes.io/azure-disk"), "v1.20"), Outcome::none);
  EXPECT_EQ(outcome(with_claim_of("late", "kubernetes.io/aws-ebs"), "v1.20"), Outcome::fits);
  EXPECT_EQ(outcome(with_claim_of(std::nullopt, "kubernetes.io/azure-disk"), "v1.20"), Outcome::fits);
  EXPECT_EQ(outcome(with_claim_of(std::nullopt, "kubernetes.io/azure-disk"), "v1.15"), Outcome::none);
  Question missing = with_claim_of("late", "kubernetes.io/azure-disk");
  missing.cluster.storage.claims.clear();
  EXPECT_EQ(outcome(missing, "v1.20"), Outcome::fits);
}

// PRE-ATTACH-6: the preemptor has an EBS volume, so EBSLimits returns the error.
TEST(OptimizedVolumeLimits, TheFilterOfThePreemptorsDiskErrs) {
  Stored stored(with_disks(k_ebs, 0));
  add_foreign_claim(stored);
  EXPECT_NE(agreed(stored, "v1.26").reason.find("\"EBSLimits\""), std::string::npos);
}

// PRE-ATTACH-6: NodeVolumeLimits does not err if the preemptor has no volume of a CSI driver.
TEST(OptimizedVolumeLimits, LimitsOfDriversErrOnlyForVolumesOfDrivers) {
  Stored without(with_disks("iscsi", 0));
  add_foreign_claim(without);
  without.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  EXPECT_EQ(outcome(without, "v1.34"), Outcome::fits);
  Stored with = limited(9, {volume("w")});
  add_foreign_claim(with);
  EXPECT_EQ(outcome(with, "v1.34"), Outcome::error);
}

// PRE-ATTACH-2, PRE-ATTACH-6: an unbound claim counts as a volume of the provisioner of its class. Without a
// provisioner it counts for no driver, so NodeVolumeLimits does not err.
TEST(OptimizedVolumeLimits, AClassWithoutAProvisionerHasNoDriver) {
  Stored stored = limited(9, {});
  stored.question().pod = with_claim(stored.question().pod, "c");
  stored.with(waiting("c")).with(available("free")).with(late(""));
  add_foreign_claim(stored);
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(late("d")), "v1.34"), Outcome::error);
}

// PRE-ATTACH-2: an unbound claim of an in-tree plugin counts for the CSI driver where the driver replaces the
// plugin: for GCE PD from v1.28 on each node that has a CSINode.
TEST(OptimizedVolumeLimits, AnUnboundClaimCountsForTheDriverThatReplacesItsPlugin) {
  Stored stored = limited(9, {});
  stored.question().pod = with_claim(stored.question().pod, "c");
  stored.with(waiting("c")).with(late("kubernetes.io/gce-pd"));
  stored.with(CsiNode{"n1", {}, {{"pd.csi.storage.gke.io", 0}}, {}});
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
  EXPECT_EQ(outcome(stored, "v1.26"), Outcome::fits);
  stored.with(CsiNode{"n1", {}, {{"pd.csi.storage.gke.io", 1}}, {}});
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
}

// PRE-ATTACH-1: up to v1.15 two volumes with one handle are one volume, of the driver that comes last. Only
// the driver "d" has a limit.
TEST(OptimizedVolumeLimits, VolumesOfTwoDriversWithOneHandleAreTwoFromV116) {
  const std::vector<PersistentVolume> both = {of_driver("v", "d", "h"), of_driver("w", "x", "h")};
  const std::vector<PersistentVolume> reversed = {of_driver("v", "x", "h"), of_driver("w", "d", "h")};
  EXPECT_EQ(outcome(limited(0, both), "v1.15"), Outcome::fits);
  EXPECT_EQ(outcome(limited(0, reversed), "v1.15"), Outcome::none);
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(limited(0, both), version), Outcome::none);
    EXPECT_EQ(outcome(limited(0, reversed), version), Outcome::none);
    EXPECT_EQ(outcome(limited(1, both), version), Outcome::fits);
  }
}

// PRE-ATTACH-4: from v1.32 the CSI volumes that VolumeAttachments attach are in use. Attached in-tree disks
// are not.
TEST(OptimizedVolumeLimits, AttachmentsOfInTreeDisksDoNotCount) {
  PersistentVolume attached = volume("v");
  Stored stored = limited(1, {volume("own")});
  stored.with(VolumeAttachment{"a", "d", "n1", "v"});
  EXPECT_EQ(outcome(stored.with(attached), "v1.34"), Outcome::none);
  EXPECT_EQ(outcome(stored, "v1.31"), Outcome::fits);
  attached.source = source("gcePersistentDisk", "disk");
  EXPECT_EQ(outcome(stored.with(attached), "v1.34"), Outcome::fits);
}

// PRE-RWOP-1, PRE-RWOP-2: the preemptor's in-line disk keeps VolumeRestrictions from being skipped. So a
// nominated pod that uses the claim counts, as a bound one does.
TEST(OptimizedVolumeLimits, AReadWriteOncePodClaimOfANominatedPodCountsBesideADisk) {
  const Pod p = with_claim(with_volume(pod("p", 10, 0), source("iscsi", "d")), "c");
  const Pod other = with_claim(pod("a", 20, 0), "c");
  for (const char* version : {"v1.27", "v1.28", "v1.37"}) {
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().has(other), p), version), Outcome::none);
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().nominated(other), p), version), Outcome::none);
  }
}

// PRE-INPUT-3, PRE-DISK-1: a disk of the preemptor's own entry in the list of pods is not in use.
TEST(OptimizedVolumeLimits, TheDiskOfThePreemptorItselfIsFree) {
  const Pod p = with_volume(pod("p", 10, 0), source("gcePersistentDisk", "x"));
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(one_node().has(p).asks(p), version), Outcome::fits);
    Pod other = p;
    other.name = "q";
    EXPECT_EQ(outcome(one_node().has(other).asks(p), version), Outcome::none);
  }
}

// PRE-DISK-1: two RBD images conflict if they have a monitor in common. In v1.8 they also conflict if the
// other pod lists a monitor twice.
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

// PRE-ATTACH-6: the claim of a pod that has finished causes no error. A dry run is needed only where a filter
// may err or an eviction may help, so n1 needs none.
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

// PRE-RWOP-1, PRE-RWOP-2: an in-line disk of any of the four kinds keeps VolumeRestrictions from being
// skipped. So a nominated pod that uses the claim counts.
TEST(OptimizedVolumeLimits, EachKindOfInlineDiskKeepsTheRestrictions) {
  const Pod other = with_claim(pod("a", 20, 0), "c");
  for (const char* kind : {"gcePersistentDisk", k_ebs, "iscsi", "rbd"}) {
    const Pod p = with_claim(with_volume(pod("p", 10, 0), source(kind, "d")), "c");
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().nominated(other), p), "v1.34"), Outcome::none) << kind;
  }
}

// PRE-RWOP-1: only a volume of the kind persistentVolumeClaim uses a claim. The disk of pod a has the name of
// the claim.
TEST(OptimizedVolumeLimits, ADiskWithTheNameOfAClaimDoesNotUseIt) {
  const Pod other = with_volume(pod("a", 20, 0), source("iscsi", "c"));
  const Pod p = with_claim(with_volume(pod("p", 10, 0), source("iscsi", "d")), "c");
  for (const char* version : {"v1.27", "v1.34"}) {
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().has(other), p), version), Outcome::fits);
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().nominated(other), p), version), Outcome::fits);
  }
}

// PRE-RWOP-1: the claim of an ephemeral volume is not exclusive, even if it has the mode ReadWriteOncePod and
// another pod names it.
TEST(OptimizedVolumeLimits, TheClaimOfAnEphemeralVolumeIsNotExclusive) {
  PersistentVolumeClaim made = claim("p-v0", "v");
  made.access_modes = {"ReadWriteOncePod"};
  made.controller = "uid-p";
  const Pod p = with_uid(with_volume(pod("p", 10, 0), source("ephemeral")), "uid-p");
  Stored stored(one_node().has(with_claim(pod("a", 20, 0), "p-v0")).asks(p));
  for (const char* version : {"v1.27", "v1.34"})
    EXPECT_EQ(outcome(stored.with(made).with(volume("v")), version), Outcome::fits);
}

// PRE-ATTACH-5: from v1.17 the newer label of the instance type counts if the older one is missing. With 26
// disks it matters whether the limit is 25 or 39.
TEST(OptimizedVolumeLimits, TheOlderLabelOfTheInstanceTypeCountsFirst) {
  const auto outcome_with = [](const std::string& older, const std::string& newer, const char* version) {
    Pod p = pod("p", 10, 0);
    for (int i = 0; i < 26; ++i) p = with_volume(std::move(p), source(k_ebs, "d" + std::to_string(i)));
    Question question = one_node().asks(p);
    Labels& labels = question.cluster.nodes[0].labels;
    if (!older.empty()) labels["beta.kubernetes.io/instance-type"] = older;
    if (!newer.empty()) labels["node.kubernetes.io/instance-type"] = newer;
    return outcome(question, version);
  };
  EXPECT_EQ(outcome_with("m5", "m4", "v1.22"), Outcome::none);
  EXPECT_EQ(outcome_with("m4", "m5", "v1.22"), Outcome::fits);
  EXPECT_EQ(outcome_with("", "m5", "v1.22"), Outcome::none);
  EXPECT_EQ(outcome_with("", "m5", "v1.16"), Outcome::fits);
}

// PRE-ATTACH-3: only resources with the prefix attachable-volumes-csi- are limits. The resource a.io/x comes
// before them.
TEST(OptimizedVolumeLimits, OnlyResourcesWithThePrefixAreLimits) {
  for (const char* version : {"v1.16", "v1.31"}) {
    EXPECT_EQ(outcome(on_node_with({{"a.io/x", 0}}, "a.io/x"), version), Outcome::fits);
    EXPECT_EQ(outcome(on_node_with({{"a.io/x", 0}, {"attachable-volumes-csi-d", 0}}, "d"), version),
              Outcome::none);
  }
}

// PRE-ATTACH-4: an attachment without an attacher is not in use, even if the volume has no driver either.
TEST(OptimizedVolumeLimits, AnAttachmentWithoutAnAttacherIsNotInUse) {
  PersistentVolume attached = volume("w");
  attached.source.driver.clear();
  Stored stored = on_node_with({}, "");
  stored.with(attached).with(CsiNode{"n1", {}, {{"", 1}}, {}});
  EXPECT_EQ(outcome(stored.with(VolumeAttachment{"a", "", "n1", "w"}), "v1.34"), Outcome::fits);
}

// PRE-ATTACH-6: the error names the first volume whose claim was not made for its pod. A finished pod, which
// comes first in the list, causes no error.
TEST(OptimizedVolumeLimits, TheErrorNamesTheFirstForeignClaim) {
  const Pod two = with_volume(with_volume(pod("a", 20, 0), source("ephemeral")), source("ephemeral"));
  Pod finished = with_volume(pod("f", 20, 0), source("ephemeral"));
  finished.phase = "Succeeded";
  Stored stored(one_node().has(finished).has(two).asks(with_claim(pod("p", 10, 0), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  stored.with(foreign_claim("f", "v0")).with(foreign_claim("a", "v0")).with(foreign_claim("a", "v1"));
  for (const char* version : {"v1.23", "v1.34"}) {
    const std::string reason = agreed(stored, version).reason;
    EXPECT_NE(reason.find("a-v0"), std::string::npos) << reason;
  }
}

// PRE-ATTACH-3, PRE-NOMINATED-1: the nominated pod q shares its volume with the preemptor, so it does not
// count again beside q. But the node must also fit without q, and then the volume counts beside that of pod
// a.
TEST(OptimizedVolumeLimits, AVolumeOfANominatedPodMayNeverBeAttached) {
  const auto has = [](const std::string& name, const std::string& of_claim) {
    return with_claim(pod(name, 20, 0), of_claim);
  };
  Stored stored(
      one_node().has(has("a", "w")).nominated(has("q", "c")).asks(with_claim(pod("p", 10, 0), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(claim("w", "w")).with(volume("w"));
  for (const char* version : {"v1.20", "v1.34"}) {
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 2}}, {}}), version), Outcome::fits);
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 1}}, {}}), version), Outcome::none);
  }
}

// PRE-ATTACH-6, PRE-NOMINATED-1, PRE-FILTER-1: the nominated pod q forbids the preemptor, and
// NodeVolumeLimits errs on its volume. That filter runs before InterPodAffinity, so it is an error.
TEST(OptimizedVolumeLimits, ANominatedPodCausesAnErrorBeforeItForbids) {
  const Pod q = away(with_volume(pod("q", 20, 0), source("ephemeral")), {by("zone", "x")});
  const Question question = one_node().nominated(q).asks(with_claim(with_app(pod("p", 10, 0), "x"), "c"));
  Stored stored(in_zones(question, {"a"}));
  stored.with(claim("c", "v")).with(volume("v")).with(foreign_claim("q", "v0"));
  for (const char* version : {"v1.23", "v1.34"})
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}}), version), Outcome::error);
}

}  // namespace touchstone::tests::optimized_volume_limits_test
