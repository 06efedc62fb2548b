#include <gtest/gtest.h>

#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/reference/volumes/two_pods.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// Tests how many volumes may be attached to a node: which volumes count, which are the same, and what the
/// finding says.
namespace touchstone::tests::limits_test {

namespace {

using Reasons = std::vector<std::string>;

const Reasons k_full = {"node(s) exceed max volume count"};
const std::string k_gce_driver = "pd.csi.storage.gke.io";

/// The CSINode of n1, with this limit of the driver.
CsiNode limited(const std::string& driver, Quantity limit) { return {"n1", {driver}, {{driver, limit}}, {}}; }

/// Pod a uses volume v1, and p uses v2, both of driver d.
Stored two_volumes() {
  return Stored(both(with_claim(other(), "c1"), with_claim(preemptor(), "c2")))
      .with(claim("c1", "v1"))
      .with(claim("c2", "v2"))
      .with(volume("v1"))
      .with(volume("v2"));
}

/// Node n1 with no pod. The claim c of p is bound to volume v of driver d.
Stored one_volume() {
  return Stored(QuestionBuilder().node("n1", 4000).asks(with_claim(preemptor(), "c")))
      .with(claim("c", "v"))
      .with(volume("v"));
}

/// The question with a limit among the allocatable resources of n1.
Stored limited_by_node(Stored stored, const std::string& driver, Quantity limit) {
  stored.question().cluster.nodes[0].allocatable["attachable-volumes-csi-" + driver] = limit;
  return stored;
}

/// Pod a has 25 EBS disks on n1, and p has one more. n1 has these labels of its instance type, an older and a
/// newer one, unless they are empty.
Question with_26_disks(const std::string& beta_type, const std::string& type) {
  Pod full = other();
  for (int i = 0; i < 25; ++i)
    full = with_volume(std::move(full), source("awsElasticBlockStore", "d" + std::to_string(i)));
  Question question = both(std::move(full), with_volume(preemptor(), source("awsElasticBlockStore", "d")));
  Labels& labels = question.cluster.nodes[0].labels;
  if (!beta_type.empty()) labels["beta.kubernetes.io/instance-type"] = beta_type;
  if (!type.empty()) labels["node.kubernetes.io/instance-type"] = type;
  return question;
}

Values values_of(const Status& status) { return status.findings.at(0).values; }

}  // namespace

// PRE-ATTACH-2: each in-tree provisioner counts for the driver that has replaced it.
TEST(NodeVolumeLimits, CountProvisionersForTheirDrivers) {
  for (const InTreeKind& kind : k_in_tree_kinds) {
    CsiNode node = limited(std::string(kind.driver), 0);
    node.migrated_plugins = {std::string(kind.plugin)};
    Stored stored(both(other(), with_claim(preemptor(), "c")));
    stored.with(waiting("c")).with(late(std::string(kind.plugin))).with(node);
    EXPECT_EQ(status_of(stored).reasons, k_full) << kind.plugin;
  }
}

// PRE-ATTACH-2: a claim whose class has no provisioner counts for no driver, not for one with an empty name.
TEST(NodeVolumeLimits, CountNoClaimOfAClassWithoutAProvisioner) {
  Stored unprovisioned(both(other(), with_claim(preemptor(), "c")));
  unprovisioned.with(waiting("c")).with(late(""));
  EXPECT_EQ(status_of(limited_by_node(unprovisioned, "", 0), "v1.31.0").plugin, "VolumeBinding");
}

// PRE-ATTACH-4: the volume of p has a driver with an empty name. The attachment without an attacher does not
// count for it.
TEST(NodeVolumeLimits, CountNoAttachmentWithoutAnAttacher) {
  PersistentVolume nameless = volume("v2");
  nameless.source.driver = "";
  Stored unattached = two_volumes();
  unattached.with(nameless).with(limited("", 1)).with(VolumeAttachment{"x", "", "n1", "v1"});
  EXPECT_TRUE(fits(unattached, "v1.32"));
}

// PRE-ATTACH-4: the first attachment of n1 has no attacher and does not count. The second one counts.
TEST(NodeVolumeLimits, CountAttachmentsAfterOneWithoutAnAttacher) {
  Stored stored = one_volume().with(volume("w")).with(limited("d", 1));
  EXPECT_TRUE(fits(stored, "v1.34"));
  stored.with(VolumeAttachment{"1", "", "n1", "w"});
  EXPECT_TRUE(fits(stored, "v1.34"));
  stored.with(VolumeAttachment{"2", "d", "n1", "w"});
  EXPECT_FALSE(fits(stored, "v1.34"));
}

// PRE-ATTACH-2: the handle of a GCE disk has its zone, or the region of its zones.
TEST(NodeVolumeLimits, TranslateZonesOfGceDisks) {
  // Whether a GCE disk with this zone label and a CSI volume with this handle count as at most one volume.
  const auto count_as_one = [](const std::string& zones, const std::string& handle) {
    PersistentVolume disk = volume("v1");
    disk.source = source("gcePersistentDisk", "disk");
    disk.labels["topology.kubernetes.io/zone"] = zones;
    PersistentVolume of_driver = volume("v2");
    of_driver.source = source("csi", "projects/UNSPECIFIED/" + handle + "/disks/disk");
    of_driver.source.driver = k_gce_driver;
    return fits(two_volumes().with(disk).with(of_driver).with(limited(k_gce_driver, 1)));
  };
  EXPECT_TRUE(count_as_one("", "zones/UNSPECIFIED"));
  EXPECT_TRUE(count_as_one("us-east1-b", "zones/us-east1-b"));
  EXPECT_TRUE(count_as_one("us-east1-b__us-east1-c", "regions/us-east1"));
  EXPECT_FALSE(count_as_one("us-east1-b__us-east1-c", "zones/us-east1-b"));
  // These are no zones of GCE, so the disk has no handle. Only the CSI volume counts.
  EXPECT_TRUE(count_as_one("a-b__a-c", "regions/x"));
}

// PRE-ATTACH-2: the older label of the zone has no value, so the newer one counts. If it has a value, the
// disk of the claim is in that zone, and the in-line disk of the pod is another one.
TEST(NodeVolumeLimits, TellDisksApartByTheNewerLabelOfTheZone) {
  const auto reasons = [](const std::string& zone) {
    const Pod asked = with_volume(with_claim(preemptor(), "c"), source("gcePersistentDisk", "disk", true));
    Stored stored(QuestionBuilder().node("n1", 4000).asks(asked));
    PersistentVolume bound = volume("v");
    bound.source = source("gcePersistentDisk", "disk", true);
    bound.labels = {{"failure-domain.beta.kubernetes.io/zone", ""}};
    if (!zone.empty()) bound.labels["topology.kubernetes.io/zone"] = zone;
    stored.question().cluster.nodes[0].labels = {{"failure-domain.beta.kubernetes.io/zone", ""},
                                                 {"topology.kubernetes.io/zone", zone},
                                                 {"topology.gke.io/zone", zone}};
    CsiNode migrated = limited(k_gce_driver, 1);
    migrated.migrated_plugins = {"kubernetes.io/gce-pd"};
    return status_of(stored.with(claim("c", "v")).with(bound).with(migrated), "v1.30").reasons;
  };
  EXPECT_EQ(reasons(""), Reasons{});
  EXPECT_EQ(reasons("us-east1-b"), k_full);
}

// PRE-ATTACH-1: v1 of driver d and v3 of driver e have the same handle. Up to v1.15 they are one volume, that
// of e, which comes last. So v2 is the only volume of d.
TEST(NodeVolumeLimits, CountAHandleOnceUpTo115) {
  PersistentVolume namesake = volume("v3");
  namesake.source = source("csi", "v1");
  namesake.source.driver = "e";
  Stored stored = two_volumes().with(claim("c3", "v3")).with(namesake);
  Pod& user = stored.question().cluster.pods[0];
  user = with_claim(user, "c3");
  EXPECT_TRUE(fits(limited_by_node(stored, "d", 1), "v1.15"));
  EXPECT_EQ(status_of(limited_by_node(stored, "d", 1), "v1.16").reasons, k_full);
}

// PRE-ATTACH-3: up to v1.31 a limit is one of the allocatable resources of the node. The GPU comes before it
// by name.
TEST(NodeVolumeLimits, AreFoundAmongOtherResourcesOfTheNode) {
  Stored stored = limited_by_node(two_volumes(), "d", 1);
  stored.question().cluster.nodes[0].allocatable["a.example/gpu"] = 1;
  EXPECT_EQ(status_of(stored, "v1.31.0").reasons, k_full);
}

// PRE-ATTACH-2: a CSI volume without a handle does not count.
TEST(NodeVolumeLimits, LeaveOutAVolumeWithoutAHandle) {
  PersistentVolume bare = volume("v");
  bare.source.id = "";
  EXPECT_TRUE(fits(one_volume().with(bare).with(limited("d", 0))));
  EXPECT_FALSE(fits(one_volume().with(limited("d", 0))));
}

// PRE-ATTACH-3: the CSINode has driver d without a limit, and a limit for driver e.
TEST(NodeVolumeLimits, AcceptVolumesOfADriverWithoutALimit) {
  const Stored stored = one_volume().with(CsiNode{"n1", {"d", "e"}, {{"e", 0}}, {}});
  for (const char* name : {"v1.20", "v1.27", "v1.34", "v1.37"}) EXPECT_TRUE(fits(stored, name)) << name;
}

// PRE-ATTACH-6: both claims of pod a were not made for it, and the error names the first one. If p has no
// volume of a CSI driver, the filter does not count those of a.
TEST(NodeVolumeLimits, ErrOnTheFirstClaimThatWasNotMadeForItsPod) {
  Pod two = with_volume(with_volume(other(), source("ephemeral")), source("ephemeral"));
  const auto with = [&two](const Pod& asking) {
    Stored stored(both(two, asking));
    stored.with(claim("a-v0", "v1")).with(claim("a-v1", "v1")).with(claim("c2", "v2"));
    return stored.with(volume("v1")).with(volume("v2")).with(limited("d", 5));
  };
  EXPECT_NE(decide(with(with_claim(preemptor(), "c2"))).reason.find("PVC default/a-v0 was not created"),
            std::string::npos);
  EXPECT_TRUE(fits(with(preemptor())));
}

// PRE-ATTACH-7: the release names any of the missing drivers. The answer names the first one, and lists all
// texts that the release may have.
TEST(NodeVolumeLimits, NameTheFirstMissingDriver) {
  PersistentVolume second = volume("v1");
  second.source.driver = "e";
  Stored stored(both(other(), with_claim(with_claim(preemptor(), "c1"), "c2")));
  stored.with(claim("c1", "v1")).with(claim("c2", "v2")).with(second).with(volume("v2"));
  stored.with(CsiDriver{"d", false, true}).with(CsiDriver{"e", false, true});
  const Status status = status_of(stored, "v1.37");
  EXPECT_EQ(status.reasons, Reasons{"d CSI driver is not installed on the node"});
  EXPECT_EQ(status.any_reason_of, (Reasons{"d CSI driver is not installed on the node",
                                           "e CSI driver is not installed on the node"}));
}

// PRE-ATTACH-1, PRE-ATTACH-4: the finding cites the attachments only if the volumes of the pods alone do not
// exceed the limit.
TEST(NodeVolumeLimits, SayWhatExceedsThem) {
  const auto status = [](Quantity limit) {
    return status_of(two_volumes()
                         .with(limited("d", limit))
                         .with(volume("v8"))
                         .with(VolumeAttachment{"x", "d", "n1", "v8"}),
                     "v1.32");
  };
  EXPECT_EQ(status(1).findings.at(0).clause, "PRE-ATTACH-1");
  EXPECT_EQ(status(2).findings.at(0).clause, "PRE-ATTACH-4");
  EXPECT_EQ(
      values_of(status(2)),
      (Values{{Measure::wanted, 1}, {Measure::attached, 2}, {Measure::of_pods, 1}, {Measure::limit, 2}}));
  EXPECT_TRUE(status(3).findings.empty());
}

// PRE-ATTACH-5: a uses one disk, and p another one.
TEST(InTreeLimits, SayHowManyDisksThereAre) {
  Question question = both(with_volume(other(), source("gcePersistentDisk", "x", true)),
                           with_volume(preemptor(), source("gcePersistentDisk", "y", true)));
  question.cluster.nodes[0].allocatable["attachable-volumes-gce-pd"] = 1;
  EXPECT_EQ(values_of(status_of(question, "v1.30")),
            (Values{{Measure::wanted, 1}, {Measure::attached, 1}, {Measure::limit, 1}}));
}

// PRE-ATTACH-6: both claims of pod a were not made for it, and the error names the first one.
TEST(InTreeLimits, ErrOnTheFirstClaimThatWasNotMadeForItsPod) {
  const Question question =
      Stored(both(with_volume(with_volume(other(), source("ephemeral")), source("ephemeral")),
                  with_volume(preemptor(), source("awsElasticBlockStore", "d"))))
          .with(claim("a-v0", "v"))
          .with(claim("a-v1", "v"))
          .with(volume("v"));
  const Decision decision = decide(question, "v1.24");
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_NE(decision.reason.find("a-v0"), std::string::npos) << decision.reason;
}

// PRE-ATTACH-5: a bound claim counts for its volume, and not for its class as well.
TEST(InTreeLimits, CountABoundClaimOnce) {
  PersistentVolume disk = volume("v");
  disk.source = source("awsElasticBlockStore", "disk");
  PersistentVolumeClaim of_class = claim("c", "v");
  of_class.class_name = "ebs";
  Stored stored = one_volume().with(disk).with(of_class);
  stored.with(StorageClass{"ebs", "kubernetes.io/aws-ebs", "Immediate", {}});
  Quantity& limit = stored.question().cluster.nodes[0].allocatable["attachable-volumes-aws-ebs"];
  limit = 1;
  for (const char* name : {"v1.13", "v1.20", "v1.24"}) EXPECT_TRUE(fits(stored, name)) << name;
  limit = 0;
  for (const char* name : {"v1.13", "v1.20", "v1.24"}) EXPECT_FALSE(fits(stored, name)) << name;
}

// PRE-ATTACH-5: the limit is 39 although n1 has the label of its instance type. Pod p has one disk itself.
TEST(InTreeLimits, Are39OnOtherInstances) {
  const auto plugin_beside = [](int disks) {
    Pod many = other();
    for (int i = 0; i < disks; ++i)
      many = with_volume(many, source("awsElasticBlockStore", "x" + std::to_string(i), true));
    Question question = both(many, with_volume(preemptor(), source("awsElasticBlockStore", "y", true)));
    question.cluster.nodes[0].labels["node.kubernetes.io/instance-type"] = "c4.large";
    return status_of(question, "v1.30").plugin;
  };
  EXPECT_EQ(plugin_beside(38), "");
  EXPECT_EQ(plugin_beside(39), "EBSLimits");
}

// PRE-ATTACH-5: instances of type t3 allow 25 EBS disks, from v1.12. From v1.17 the newer label of the type
// counts if the node does not have the older one.
TEST(InTreeLimits, DependOnTheTypeOfTheInstance) {
  EXPECT_TRUE(fits(with_26_disks("t3.large", ""), "v1.8"));
  EXPECT_TRUE(fits(with_26_disks("t3.large", ""), "v1.11"));
  EXPECT_FALSE(fits(with_26_disks("t3.large", ""), "v1.12"));
  EXPECT_TRUE(fits(with_26_disks("", "t3.large"), "v1.16"));
  EXPECT_FALSE(fits(with_26_disks("", "t3.large"), "v1.17"));
  EXPECT_TRUE(fits(with_26_disks("x1.large", "t3.large"), "v1.17"));
}

}  // namespace touchstone::tests::limits_test
