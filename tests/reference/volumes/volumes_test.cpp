#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// Tests the volume filters, in the first pass and in the dry run.
namespace touchstone::tests::filter_volumes_test {

namespace {

using Reasons = std::vector<std::string>;
using Victims = std::vector<std::string>;

Pod p() { return pod("p", 10, 1000); }
Pod a(Quantity priority = 0) { return pod("a", priority, 1000); }

/// A cluster in which n1 has room for both pods.
Question both(Pod there, Pod preemptor) {
  return QuestionBuilder().node("n1", 2000).has(std::move(there)).asks(std::move(preemptor));
}

/// A cluster in which n1 has room and no pods.
Question alone(Pod preemptor) { return QuestionBuilder().node("n1", 2000).asks(std::move(preemptor)); }

VolumeSource rbd(const std::string& image, const std::string& pool, Reasons monitors,
                 bool read_only = false) {
  VolumeSource disk = source("rbd", image, read_only);
  disk.pool = pool;
  disk.monitors = std::move(monitors);
  return disk;
}

bool conflict(const VolumeSource& one, const VolumeSource& other) {
  return status_of(both(with_volume(a(20), one), with_volume(p(), other))).reasons ==
         Reasons{"node(s) had no available disk"};
}

}  // namespace

// PRE-DISK-1
TEST(VolumeRestrictions, KeepTwoPodsFromOneDisk) {
  EXPECT_TRUE(conflict(source("gcePersistentDisk", "d"), source("gcePersistentDisk", "d")));
  EXPECT_TRUE(conflict(source("gcePersistentDisk", "d", true), source("gcePersistentDisk", "d")));
  EXPECT_FALSE(conflict(source("gcePersistentDisk", "d", true), source("gcePersistentDisk", "d", true)));
  EXPECT_FALSE(conflict(source("gcePersistentDisk", "d"), source("gcePersistentDisk", "e")));
  EXPECT_FALSE(conflict(source("gcePersistentDisk", "d"), source("awsElasticBlockStore", "d")));
  EXPECT_TRUE(conflict(source("awsElasticBlockStore", "d", true), source("awsElasticBlockStore", "d", true)));
  EXPECT_TRUE(conflict(source("iscsi", "iqn"), source("iscsi", "iqn", true)));
  EXPECT_FALSE(conflict(source("iscsi", "iqn", true), source("iscsi", "iqn", true)));
  EXPECT_FALSE(conflict(source("hostPath", ""), source("hostPath", "")));
  EXPECT_TRUE(conflict(rbd("i", "q", {"m", "n"}), rbd("i", "q", {"o", "n"})));
  EXPECT_FALSE(conflict(rbd("i", "q", {"m"}), rbd("i", "q", {"n"})));
  EXPECT_FALSE(conflict(rbd("i", "q", {"m"}), rbd("i", "r", {"m"})));
  EXPECT_FALSE(conflict(rbd("i", "q", {"m"}, true), rbd("i", "q", {"m"}, true)));
}

namespace {

PersistentVolumeClaim exclusive(const std::string& name) {
  PersistentVolumeClaim claim = tests::claim(name, "pv-" + name);
  claim.access_modes = {"ReadWriteOncePod"};
  return claim;
}

/// Adds the claims c and d, each for one pod only (ReadWriteOncePod).
Stored wants_both(const Question& question) {
  return Stored(question).with(exclusive("c")).with(exclusive("d")).with(volume("pv-c")).with(volume("pv-d"));
}

}  // namespace

// PRE-RWOP-1
TEST(VolumeRestrictions, CountTheClaimsThatOnePodMayUse) {
  const Pod preemptor = with_claim(with_claim(p(), "c"), "d");
  EXPECT_EQ(victims(wants_both(both(with_claim(a(), "c"), preemptor))), Victims{"a"});
  EXPECT_EQ(status_of(wants_both(both(with_claim(a(20), "c"), preemptor)), "v1.33").reasons,
            Reasons{"node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access "
                    "mode"});
  EXPECT_TRUE(fits(wants_both(both(a(), preemptor))));
  // A pod with both claims counts twice. Its eviction lowers the counter by two.
  EXPECT_EQ(victims(wants_both(both(with_claim(with_claim(a(), "c"), "d"), preemptor))), Victims{"a"});
  // Two pods share claim c, which counts once. The eviction of one of them lowers the counter to 0.
  const Question two = QuestionBuilder()
                           .node("n1", 3000)
                           .has(with_claim(pod("a", 1, 1000), "c"))
                           .has(with_claim(pod("b", 2, 1000), "c"))
                           .asks(preemptor);
  EXPECT_EQ(victims(wants_both(two)), Victims{"a"});
}

// PRE-RWOP-1: the user of the claim cannot be evicted, but a pod of another namespace with an equally named
// claim is.
TEST(VolumeRestrictions, TakeAClaimOfAnotherNamespaceForTheirs) {
  Pod namesake = with_claim(pod("b", 0, 1000), "c");
  namesake.ns = "other";
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(with_claim(a(20), "c"))
                                .node("n2", 2000)
                                .has(namesake)
                                .asks(with_claim(p(), "c"));
  EXPECT_EQ(victims(wants_both(question)), Victims{"b"});
}

// PRE-RWOP-2
TEST(VolumeRestrictions, AreNotAskedOfNominatedPodsWhereNothingIsInUse) {
  const Question question = QuestionBuilder()
                                .node("n1", 3000)
                                .nominated(with_claim(pod("m", 20, 1000), "c"))
                                .asks(with_claim(p(), "c"));
  EXPECT_TRUE(fits(wants_both(question)));
  Question with_disk = question;
  with_disk.pod = with_volume(with_disk.pod, source("gcePersistentDisk", "x"));
  EXPECT_FALSE(fits(wants_both(with_disk)));
}

// PRE-CLAIM-1, PRE-CLAIM-2
TEST(Claims, RejectThePodBeforeAnyNode) {
  const auto reason = [](const Stored& stored) {
    const Status status = status_of(stored);
    EXPECT_EQ(status.code, Code::unschedulable_and_unresolvable);
    return std::string(status.plugin) + ": " + (status.reasons.empty() ? "" : status.reasons[0]);
  };
  const Question one = both(a(), with_claim(p(), "c"));
  EXPECT_EQ(reason(Stored(one)), "VolumeRestrictions: persistentvolumeclaim \"c\" not found");
  PersistentVolumeClaim lost = claim("c", "v1");
  lost.phase = "Lost";
  EXPECT_EQ(reason(Stored(one).with(lost)),
            "VolumeBinding: persistentvolumeclaim \"c\" bound to non-existent persistentvolume \"v1\"");
  PersistentVolumeClaim going = claim("c", "v1");
  going.terminating = true;
  EXPECT_EQ(reason(Stored(one).with(going)), "VolumeBinding: persistentvolumeclaim \"c\" is being deleted");
  const std::string unbound = "VolumeBinding: pod has unbound immediate PersistentVolumeClaims";
  EXPECT_EQ(reason(Stored(one).with(claim("c"))), unbound);
  EXPECT_EQ(reason(Stored(one).with(waiting("c"))), unbound) << "its class is missing";
  StorageClass now = late("d");
  now.binding_mode = "Immediate";
  EXPECT_EQ(reason(Stored(one).with(waiting("c")).with(now)), unbound);
  PersistentVolumeClaim prebound = waiting("c");
  prebound.volume_name = "v1";
  EXPECT_EQ(reason(Stored(one).with(prebound).with(late("d"))), unbound);
  EXPECT_EQ(reason(Stored(one).with(claim("c", "v1"))), "VolumeZone: persistentvolume \"v1\" not found");

  const Question scratch = both(a(), with_uid(with_volume(p(), source("ephemeral")), "u1"));
  EXPECT_EQ(reason(Stored(scratch)),
            "VolumeBinding: waiting for ephemeral volume controller to create the persistentvolumeclaim "
            "\"p-v0\"");
  EXPECT_EQ(reason(Stored(scratch).with(claim("p-v0", "v1")).with(volume("v1"))),
            "VolumeBinding: PVC default/p-v0 was not created for pod default/p (pod is not owner)");
  PersistentVolumeClaim own = claim("p-v0", "v1");
  own.controller = "u1";
  EXPECT_TRUE(fits(Stored(scratch).with(own).with(volume("v1"))));
}

// PRE-CLAIM-2: the class in the annotation takes precedence over the class in the field.
TEST(Claims, HaveTheClassOfTheirAnnotation) {
  PersistentVolumeClaim claim = waiting("c");
  claim.beta_class = "now";
  StorageClass now = late("d");
  now.name = "now";
  now.binding_mode = "Immediate";
  EXPECT_FALSE(fits(Stored(alone(with_claim(p(), "c"))).with(claim).with(late("d")).with(now)));
  claim.class_name = "now";
  claim.beta_class = "late";
  EXPECT_TRUE(fits(Stored(alone(with_claim(p(), "c"))).with(claim).with(late("d")).with(now)));
  PersistentVolume free = available("v1");
  free.class_name = "other";
  const StorageClass by_hand = late("kubernetes.io/no-provisioner");
  EXPECT_FALSE(fits(Stored(alone(with_claim(p(), "c"))).with(claim).with(by_hand).with(free)));
  free.beta_class = "late";
  EXPECT_TRUE(fits(Stored(alone(with_claim(p(), "c"))).with(claim).with(by_hand).with(free)));
}

// PRE-CLAIM-3, PRE-BIND-4
TEST(Claims, HaveVolumesWhoseHostNamesAreTakenForNodes) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(a())
                          .node("n2", 1000)
                          .has(pod("b", 0, 1000))
                          .asks(with_claim(with_claim(p(), "c"), "d"));
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  const std::string host = "kubernetes.io/hostname";
  Stored stored(question);
  stored.with(claim("c", "v1")).with(claim("d", "v2")).with(volume("v2"));
  stored.with(reached_from(volume("v1"), host, {"n1"}));
  EXPECT_EQ(victims(stored, "v1.31.0"), Victims{"a"});
  EXPECT_EQ(decide(stored, "v1.31.0").filter.at(1).reasons,
            Reasons{"node(s) didn't satisfy plugin(s) [VolumeBinding]"});
  EXPECT_EQ(decide(stored, "v1.34").filter.at(1).reasons, Reasons{"Insufficient cpu"});

  // The sets of terms are united. The sets of requirements in a term, and of volumes, are intersected.
  PersistentVolume joined = reached_from(volume("v1"), host, {"n1", "n3"});
  joined.node_affinity->push_back(
      {{{host, "In", {"n2", "n4"}}, {host, "In", {"n2", "n5"}}, {host, "Exists", {}}}, {}});
  joined.node_affinity->push_back({{{"zone", "In", {"a"}}}, {}});
  stored.with(joined);
  EXPECT_EQ(decide(stored, "v1.31.0").candidates.size(), 2U);
  stored.with(reached_from(volume("v2"), host, {"n2"}));
  EXPECT_EQ(victims(stored, "v1.31.0"), Victims{"b"});

  // No node name is left.
  stored.with(reached_from(volume("v1"), host, {"n1"}));
  EXPECT_EQ(status_of(stored, "v1.31.0").code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status_of(stored, "v1.31.0").reasons, Reasons{"node(s) didn't satisfy plugin VolumeBinding"});
  EXPECT_EQ(status_of(stored, "v1.29.6").code, Code::unschedulable);
  const Decision erred = decide(stored, "v1.29.6");
  EXPECT_EQ(erred.outcome, Outcome::error);
  EXPECT_EQ(erred.dry_run.at(0).code, Code::error);
  Question pinned = stored;
  pinned.pod.node_affinity.emplace().push_back({{}, {{"metadata.name", "In", {"n1"}}}});
  pinned.cluster.storage.volumes["v1"] = volume("v1");
  EXPECT_EQ(status_of(pinned, "v1.31.0").reasons,
            Reasons{"node(s) didn't satisfy plugin(s) [NodeAffinity VolumeBinding] simultaneously"});

  // The volume does not exist, so no node is excluded. Only ephemeral volumes reach this check.
  Question scratch = alone(with_uid(with_volume(p(), source("ephemeral")), "u1"));
  PersistentVolumeClaim own = claim("p-v0", "gone");
  own.controller = "u1";
  EXPECT_EQ(status_of(Stored(scratch).with(own), "v1.31.0").reasons,
            Reasons{"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"});
}

namespace {

CsiNode limited(const std::string& driver, Quantity limit) { return {"n1", {driver}, {{driver, limit}}, {}}; }

/// Pod a uses one volume, and p uses another.
Stored two_volumes(Quantity priority = 0) {
  return Stored(both(with_claim(a(priority), "c1"), with_claim(p(), "c2")))
      .with(claim("c1", "v1"))
      .with(claim("c2", "v2"))
      .with(volume("v1"))
      .with(volume("v2"));
}

const Reasons k_full = {"node(s) exceed max volume count"};

}  // namespace

// PRE-ATTACH-1, PRE-ATTACH-3
TEST(NodeVolumeLimits, CountEachVolumeOnce) {
  EXPECT_EQ(victims(two_volumes().with(limited("d", 1))), Victims{"a"});
  EXPECT_TRUE(fits(two_volumes().with(limited("d", 2))));
  EXPECT_TRUE(fits(two_volumes().with(limited("e", 0)))) << "another driver's limit";
  EXPECT_TRUE(fits(two_volumes())) << "no limit at all";
  Stored shared = two_volumes();
  shared.with(claim("c1", "v2"));
  EXPECT_TRUE(fits(shared.with(limited("d", 1))));
  Stored of_node = two_volumes();
  of_node.question().cluster.nodes[0].allocatable["attachable-volumes-csi-d"] = 1;
  EXPECT_EQ(victims(of_node, "v1.31.0"), Victims{"a"});
  EXPECT_TRUE(fits(of_node, "v1.32.0"));
  EXPECT_TRUE(fits(of_node.with(limited("d", 2)), "v1.31.0")) << "the CSINode's limit is the one that counts";
}

// PRE-ATTACH-2
TEST(NodeVolumeLimits, KnowWhatClaimsWillBeProvisioned) {
  const auto status = [](const std::string& provisioner, const CsiNode& node) {
    return status_of(
        Stored(both(a(20), with_claim(p(), "c"))).with(waiting("c")).with(late(provisioner)).with(node));
  };
  EXPECT_EQ(status("d", limited("d", 0)).reasons, k_full);
  EXPECT_EQ(status("kubernetes.io/gce-pd", limited("pd.csi.storage.gke.io", 0)).reasons, k_full);
  EXPECT_TRUE(status("", limited("d", 0)).plugin != "NodeVolumeLimits");
  // Without a CSINode the CSI driver does not replace the in-tree plugin, so the driver's limit in the Node
  // does not apply.
  Stored stored(both(a(20), with_claim(p(), "c")));
  stored.with(waiting("c")).with(late("kubernetes.io/gce-pd"));
  stored.question().cluster.nodes[0].allocatable["attachable-volumes-csi-pd.csi.storage.gke.io"] = 0;
  EXPECT_TRUE(fits(stored, "v1.31.0"));
  // A bound claim whose volume does not exist counts by its class. A claim that does not exist does not count
  // for a pod on the node.
  PersistentVolumeClaim gone = waiting("c1");
  gone.volume_name = "gone";
  EXPECT_EQ(victims(two_volumes().with(gone).with(late("d")).with(limited("d", 1))), Victims{"a"});
  Stored missing = two_volumes();
  missing.question().cluster.storage.claims.erase("default/c1");
  EXPECT_TRUE(fits(missing.with(limited("d", 1))));
  EXPECT_TRUE(fits(two_volumes().with(claim("c1")).with(limited("d", 1)))) << "no class, no volume";
}

namespace {

/// Whether two volumes count as at most one on n1: pod a has the first source, p the second. The limit of the
/// driver is 1.
bool same_volume(const VolumeSource& one, const VolumeSource& other, const std::string& driver) {
  return fits(Stored(both(with_volume(a(20), one), with_volume(p(), other))).with(limited(driver, 1)));
}

/// The same for two PersistentVolumes of one GCE disk, of which the first has this zone label.
bool same_disk_in_zones(const std::string& zones, const std::string& key = "topology.kubernetes.io/zone") {
  PersistentVolume disk = volume("v1");
  disk.source = source("gcePersistentDisk", "disk");
  PersistentVolume other = disk;
  other.name = "v2";
  disk.labels[key] = zones;
  Stored stored(both(with_claim(a(20), "c1"), with_claim(p(), "c2")));
  stored.with(claim("c1", "v1")).with(claim("c2", "v2")).with(disk).with(other);
  return fits(stored.with(limited("pd.csi.storage.gke.io", 1)));
}

}  // namespace

// PRE-ATTACH-2
TEST(NodeVolumeLimits, TranslateDisksOfClouds) {
  const std::string amazon = "ebs.csi.aws.com";
  const auto ebs = [](const std::string& id) { return source("awsElasticBlockStore", id, true); };
  Stored inline_disk(
      both(with_volume(a(20), source("cinder", "x")), with_volume(p(), source("cinder", "y"))));
  EXPECT_EQ(status_of(inline_disk.with(limited("cinder.csi.openstack.org", 1))).reasons, k_full);
  EXPECT_TRUE(same_volume(source("cinder", "x"), source("cinder", "x"), "cinder.csi.openstack.org"));
  EXPECT_TRUE(same_volume(ebs("aws://us-east-1a/vol-1"), ebs("vol-1"), amazon));
  EXPECT_TRUE(same_volume(ebs("aws:///vol-1/"), ebs("vol-1"), amazon));
  EXPECT_FALSE(same_volume(ebs("vol-2"), ebs("vol-1"), amazon));
  // In-line CSI volumes do not count.
  EXPECT_TRUE(same_volume(source("csi"), source("cinder", "x"), "cinder.csi.openstack.org"));

  EXPECT_TRUE(same_disk_in_zones(""));
  EXPECT_FALSE(same_disk_in_zones("us-east1-b"));
  EXPECT_FALSE(same_disk_in_zones("us-east1-b", "failure-domain.beta.kubernetes.io/zone"));
  EXPECT_FALSE(same_disk_in_zones("us-east1-b__us-east1-c")) << "a disk of the region";
  EXPECT_TRUE(same_disk_in_zones("us-east1-b__us-west1-c")) << "of no region: it does not count";
  EXPECT_TRUE(same_disk_in_zones("a__b")) << "no zones: it does not count";
}

// PRE-ATTACH-4
TEST(NodeVolumeLimits, CountAttachmentsFrom132) {
  const auto attached = [](const std::string& name, const std::string& attacher, const std::string& volume) {
    return two_volumes().with(limited("d", 1)).with(VolumeAttachment{name, attacher, "n1", volume});
  };
  EXPECT_EQ(victims(attached("x", "d", "v1"), "v1.31.0"), Victims{"a"});
  EXPECT_EQ(victims(attached("x", "d", "v1"), "v1.32.0"), Victims{});
  EXPECT_EQ(victims(attached("x", "", "v1"), "v1.32.0"), Victims{"a"});
  EXPECT_EQ(victims(attached("x", "d", "gone"), "v1.32.0"), Victims{"a"});
  PersistentVolume nfs = volume("v3");
  nfs.source = {};
  EXPECT_EQ(victims(attached("x", "d", "v3").with(nfs), "v1.32.0"), Victims{"a"});
  // The volume is attached, but no pod on the node uses it, so it counts twice.
  Stored idle(both(a(), with_claim(p(), "c2")));
  idle.with(claim("c2", "v2"))
      .with(volume("v2"))
      .with(limited("d", 1))
      .with(VolumeAttachment{"x", "d", "n1", "v2"});
  EXPECT_EQ(status_of(idle, "v1.32.0").reasons, k_full);
  EXPECT_TRUE(fits(idle, "v1.31.0"));
}

namespace {

Stored google_disks(const VolumeSource& one, const VolumeSource& other) {
  Stored stored(both(with_volume(a(20), one), with_volume(p(), other)));
  stored.question().cluster.nodes[0].allocatable["attachable-volumes-gce-pd"] = 1;
  return stored;
}

VolumeSource google(const std::string& disk, bool read_only = true) {
  return source("gcePersistentDisk", disk, read_only);
}

}  // namespace

// PRE-ATTACH-5
TEST(InTreeLimits, CountDisksOfTheirKindUpTo130) {
  EXPECT_EQ(status_of(google_disks(google("x"), google("y")), "v1.30").plugin, "GCEPDLimits");
  EXPECT_TRUE(fits(google_disks(google("x"), google("y")), "v1.31.0"));
  EXPECT_TRUE(fits(google_disks(google("x"), google("x")), "v1.30"));
  EXPECT_TRUE(fits(google_disks(source("cinder", "x"), google("y")), "v1.30"));
  EXPECT_TRUE(fits(google_disks(google("x"), google("y")).with(CsiNode{"n1", {}, {}, {}}), "v1.30"));

  // Claims that are bound to such a disk, bound to another volume, or not provisioned yet.
  const auto claims = [](const PersistentVolume& bound, const std::string& provisioner) {
    Stored stored(both(with_claim(a(20), "c1"), with_claim(p(), "c2")));
    stored.question().cluster.nodes[0].allocatable["attachable-volumes-gce-pd"] = 1;
    stored.with(claim("c1", "v1")).with(bound).with(waiting("c2")).with(late(provisioner));
    return fits(stored, "v1.30");
  };
  PersistentVolume disk = volume("v1");
  disk.source = google("x");
  EXPECT_FALSE(claims(disk, "kubernetes.io/gce-pd"));
  EXPECT_TRUE(claims(volume("v1"), "kubernetes.io/gce-pd"));
  EXPECT_TRUE(claims(disk, "d"));

  // Claims of a pod on the node: the class does not exist, or only the annotation names it.
  Stored unknown(both(with_claim(a(20), "c1"), with_volume(p(), google("y"))));
  unknown.question().cluster.nodes[0].allocatable["attachable-volumes-gce-pd"] = 1;
  EXPECT_TRUE(fits(unknown.with(waiting("c1")), "v1.30"));
  PersistentVolumeClaim annotated = claim("c1");
  annotated.beta_class = "late";
  EXPECT_TRUE(fits(unknown.with(annotated).with(late("kubernetes.io/gce-pd")), "v1.30"));
}

// PRE-ATTACH-5
TEST(InTreeLimits, AreThoseOfTheCloudWhereTheNodeNamesNone) {
  const auto holds = [](const std::string& kind, std::size_t disks, const Labels& labels = {}) {
    Pod many = a(20);
    for (std::size_t i = 0; i + 1 < disks; ++i) {
      many = with_volume(many, source(kind, "x" + std::to_string(i), true));
      many.volumes.back().source.disk_name = "x" + std::to_string(i);
    }
    Question question = both(many, with_volume(p(), source(kind, "y", true)));
    question.cluster.nodes[0].labels = labels;
    return fits(question, "v1.30");
  };
  EXPECT_TRUE(holds("gcePersistentDisk", 16));
  EXPECT_FALSE(holds("gcePersistentDisk", 17));
  EXPECT_TRUE(holds("azureDisk", 16));
  EXPECT_FALSE(holds("azureDisk", 17));
  EXPECT_TRUE(holds("awsElasticBlockStore", 39));
  EXPECT_FALSE(holds("awsElasticBlockStore", 40));
  for (const char* type : {"c5.large", "m5.large", "r5a.large", "t3.micro", "z1d.metal"}) {
    EXPECT_TRUE(holds("awsElasticBlockStore", 25, {{"node.kubernetes.io/instance-type", type}})) << type;
    EXPECT_FALSE(holds("awsElasticBlockStore", 26, {{"beta.kubernetes.io/instance-type", type}})) << type;
  }
  for (const char* type : {"c4.large", "x5.large", "c"})
    EXPECT_TRUE(holds("awsElasticBlockStore", 39, {{"node.kubernetes.io/instance-type", type}})) << type;
}

// PRE-ATTACH-6
TEST(NodeVolumeLimits, ErrWhereAClaimIsAnothers) {
  Stored stored(both(with_uid(with_volume(a(), source("ephemeral")), "u1"), with_claim(p(), "c2")));
  stored.with(claim("a-v0", "v1")).with(claim("c2", "v2")).with(volume("v1")).with(volume("v2"));
  stored.with(limited("d", 1));
  const Decision decision = decide(stored);
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_EQ(decision.reason,
            "running \"NodeVolumeLimits\" filter plugin: PVC default/a-v0 was not created for pod default/a "
            "(pod is not owner)");
  EXPECT_EQ(decision.message, decision.reason);

  Stored disk(both(with_uid(with_volume(a(), source("ephemeral")), "u1"), with_volume(p(), google("x"))));
  EXPECT_EQ(decide(disk.with(claim("a-v0", "v1")), "v1.30").outcome, Outcome::error);
  PersistentVolumeClaim own = claim("a-v0", "v1");
  own.controller = "u1";
  EXPECT_EQ(decide(disk.with(own), "v1.30").outcome, Outcome::fits);
}

// PRE-ATTACH-7
TEST(NodeVolumeLimits, WantTheDriverInstalledFrom137) {
  const CsiDriver wanted{"d", false, true};
  EXPECT_TRUE(fits(two_volumes().with(wanted), "v1.36"));
  EXPECT_EQ(status_of(two_volumes().with(wanted), "v1.37").reasons,
            Reasons{"d CSI driver is not installed on the node"});
  EXPECT_FALSE(fits(two_volumes().with(wanted).with(CsiNode{"n1", {"e"}, {}, {}}), "v1.37"));
  EXPECT_TRUE(fits(two_volumes().with(wanted).with(CsiNode{"n1", {"d"}, {}, {}}), "v1.37"));
  EXPECT_TRUE(fits(two_volumes().with(CsiDriver{"d", false, false}), "v1.37"));
  EXPECT_TRUE(fits(two_volumes(), "v1.37"));
  EXPECT_TRUE(status_of(two_volumes().with(wanted), "v1.37").any_reason_of.empty());
}

namespace {

Stored bound_to(const PersistentVolume& volume, const Labels& labels = {{"zone", "a"}}) {
  Question question = alone(with_claim(p(), "c"));
  question.cluster.nodes[0].labels = labels;
  return Stored(question).with(claim("c", volume.name)).with(volume);
}

}  // namespace

// PRE-BIND-1
TEST(VolumeBinding, WantsBoundVolumesInReach) {
  EXPECT_TRUE(fits(bound_to(volume("v1"))));
  EXPECT_TRUE(fits(bound_to(reached_from(volume("v1"), "zone", {"a"}))));
  const Stored elsewhere = bound_to(reached_from(volume("v1"), "zone", {"b"}));
  EXPECT_EQ(status_of(elsewhere, "v1.32").reasons, Reasons{"node(s) had volume node affinity conflict"});
  EXPECT_EQ(status_of(elsewhere, "v1.33").reasons,
            Reasons{"node(s) didn't match PersistentVolume's node affinity"});
  PersistentVolume by_field = volume("v1");
  by_field.node_affinity.emplace().push_back({{}, {{"metadata.name", "In", {"n9"}}}});
  EXPECT_TRUE(fits(bound_to(by_field))) << "fields are ignored";
  EXPECT_FALSE(fits(bound_to(by_field), "v1.19")) << "no node has fields";
  NodeSelectorTerm& term = by_field.node_affinity->front();
  term.match_fields[0] = {"metadata.name", "NotIn", {"n1"}};
  EXPECT_TRUE(fits(bound_to(by_field), "v1.19")) << "no node has fields";
  for (const Requirement& invalid : {Requirement{"metadata.name", "Exists", {}},
                                     {"metadata.name", "NotIn", {"n1", "n2"}},
                                     {"metadata.name", "DoesNotExist", {"n2"}}}) {
    term.match_fields = {invalid};
    for (const char* name : {"v1.11", "v1.19", "v1.20", "v1.37"}) {
      EXPECT_FALSE(fits(bound_to(by_field), name)) << invalid.op << " in " << name;
    }
  }
  term.match_expressions = {{"zone", "Exists", {}}};
  EXPECT_TRUE(fits(bound_to(by_field), "v1.10")) << "the API has no matchFields";
  term = {};
  EXPECT_FALSE(fits(bound_to(by_field))) << "an empty term";
}

// PRE-BIND-1
TEST(VolumeBinding, ReadsAffinityInTermsOfTheDriverWhereANodeHasMigrated) {
  const Labels of_driver = {{"topology.gke.io/zone", "a"}};
  const CsiNode migrated{"n1", {}, {}, {"kubernetes.io/aws-ebs", "kubernetes.io/gce-pd"}};
  const std::string zone = "topology.kubernetes.io/zone";
  const std::string beta = "failure-domain.beta.kubernetes.io/zone";
  PersistentVolume disk = volume("v1");
  disk.source = source("gcePersistentDisk", "x");
  const auto reached = [&](const PersistentVolume& volume, const CsiNode& node, const Labels& labels) {
    return fits(bound_to(volume, labels).with(node));
  };
  for (const std::string& key : {zone, beta}) {
    const PersistentVolume named = reached_from(disk, key, {"a"});
    EXPECT_TRUE(reached(named, migrated, of_driver)) << key;
    EXPECT_FALSE(reached(named, migrated, {{key, "a"}})) << key;
    EXPECT_FALSE(reached(named, {"n1", {}, {}, {"kubernetes.io/aws-ebs"}}, of_driver)) << key;
    EXPECT_TRUE(reached(named, {"n1", {}, {}, {}}, {{key, "a"}})) << key;
    EXPECT_TRUE(fits(bound_to(named, {{key, "a"}}))) << key << ", and no CSINode";
    PersistentVolume labelled = disk;
    labelled.source = source("awsElasticBlockStore", "vol-1");
    labelled.labels[key] = " a __b";
    const std::string amazon = "topology.ebs.csi.aws.com/zone";
    EXPECT_TRUE(reached(labelled, migrated, {{amazon, "a"}})) << key;
    EXPECT_FALSE(reached(labelled, migrated, {{amazon, "c"}})) << key;
    labelled.node_affinity.emplace();
    EXPECT_TRUE(reached(labelled, migrated, {{amazon, "a"}})) << key;
    const PersistentVolume on_ssd = reached_from(labelled, "disk", {"ssd"});
    EXPECT_TRUE(reached(on_ssd, migrated, {{"disk", "ssd"}, {amazon, "b"}})) << key;
    EXPECT_FALSE(reached(on_ssd, migrated, {{"disk", "ssd"}})) << key;
    labelled.labels[key] = "";
    EXPECT_TRUE(reached(reached_from(labelled, "disk", {"ssd"}), migrated, {{"disk", "ssd"}})) << key;
  }
  // If both labels have requirements, the newer label is used. A requirement without values names no zone.
  PersistentVolume both_keys = reached_from(disk, beta, {"b"});
  both_keys.node_affinity->push_back({{{zone, "In", {"a"}}}, {}});
  EXPECT_TRUE(reached(both_keys, migrated, of_driver));
  PersistentVolume exists = disk;
  exists.node_affinity.emplace().push_back({{{zone, "Exists", {}}}, {}});
  EXPECT_FALSE(reached(exists, migrated, of_driver));
  // If the zone label is the beta label, the beta region label is translated too.
  PersistentVolume in_region = reached_from(disk, beta, {"a"});
  in_region.node_affinity->front().match_expressions.push_back(
      {"failure-domain.beta.kubernetes.io/region", "In", {"r"}});
  EXPECT_TRUE(
      reached(in_region, migrated, {{"topology.gke.io/zone", "a"}, {"topology.kubernetes.io/region", "r"}}));
  // A requirement without values names no region, so the beta label stays.
  PersistentVolume any_region = reached_from(disk, beta, {"a"});
  any_region.node_affinity->front().match_expressions.push_back(
      {"failure-domain.beta.kubernetes.io/region", "Exists", {}});
  EXPECT_FALSE(
      reached(any_region, migrated, {{"topology.gke.io/zone", "a"}, {"topology.kubernetes.io/region", "r"}}));
  EXPECT_TRUE(reached(any_region, migrated,
                      {{"topology.gke.io/zone", "a"}, {"failure-domain.beta.kubernetes.io/region", "r"}}));
  PersistentVolume azure = reached_from(volume("v1"), zone, {"a"});
  azure.source = source("azureDisk", "x");
  EXPECT_TRUE(reached(azure, {"n1", {}, {}, {"kubernetes.io/azure-disk"}}, {{zone, "a"}}));
}

namespace {

/// Whether p fits on n1 with this claim and this volume. The class has no provisioner.
bool matched(const PersistentVolumeClaim& claim, const PersistentVolume& volume) {
  Question question = alone(with_claim(p(), claim.name));
  question.cluster.nodes[0].labels["zone"] = "a";
  const Decision decision =
      decide(Stored(question).with(claim).with(volume).with(late("kubernetes.io/no-provisioner")));
  return decision.outcome == Outcome::fits;
}

}  // namespace

// PRE-BIND-2
TEST(VolumeBinding, FindsAVolumeThatServes) {
  EXPECT_TRUE(matched(waiting("c"), available("v1")));
  EXPECT_FALSE(matched(waiting("c", 6), available("v1")));
  PersistentVolumeClaim any_size = waiting("c");
  any_size.storage.reset();
  EXPECT_TRUE(matched(any_size, available("v1")));
  EXPECT_FALSE(matched(waiting("c"), volume("v1"))) << "of another class";

  PersistentVolume block = available("v1");
  block.volume_mode = "Block";
  EXPECT_FALSE(matched(waiting("c"), block));
  PersistentVolume gold = available("v1");
  gold.attributes_class = "gold";
  EXPECT_FALSE(matched(waiting("c"), gold));
  PersistentVolume going = available("v1");
  going.terminating = true;
  EXPECT_FALSE(matched(waiting("c"), going));
  PersistentVolume released = available("v1");
  released.phase = "Released";
  EXPECT_FALSE(matched(waiting("c"), released));
  EXPECT_FALSE(matched(waiting("c"), reached_from(available("v1"), "zone", {"b"})));
  PersistentVolumeClaim shared = waiting("c");
  shared.access_modes = {"ReadWriteMany"};
  EXPECT_FALSE(matched(shared, available("v1")));
  PersistentVolumeClaim selective = waiting("c");
  selective.selector = LabelSelector{{{"tier", "fast"}}, {}};
  EXPECT_FALSE(matched(selective, available("v1")));
  PersistentVolume fast = available("v1");
  fast.labels["tier"] = "fast";
  EXPECT_TRUE(matched(selective, fast));
}

namespace {

PersistentVolume kept_for_c(const std::string& name) {
  PersistentVolume kept = available(name);
  kept.claim = {"default", "c", ""};
  return kept;
}

}  // namespace

// PRE-BIND-2
TEST(VolumeBinding, TakesTheVolumeThatIsKeptForAClaim) {
  PersistentVolume kept = available("v1");
  kept.claim = {"default", "c", ""};
  kept.phase = "Pending";
  EXPECT_TRUE(matched(waiting("c"), kept));
  kept.claim->uid = "uid-c";
  EXPECT_TRUE(matched(waiting("c"), kept));
  kept.claim->uid = "uid-older";
  EXPECT_FALSE(matched(waiting("c"), kept));
  kept.claim = {"default", "d", ""};
  EXPECT_FALSE(matched(waiting("c"), kept));
  kept.claim = {"other", "c", ""};
  EXPECT_FALSE(matched(waiting("c"), kept));
  // A volume reserved for the claim cannot be reached, so the claim takes no other volume.
  PersistentVolume far = reached_from(available("v0"), "zone", {"b"});
  far.claim = {"default", "c", ""};
  Question question = alone(with_claim(p(), "c"));
  Stored stored(question);
  stored.with(waiting("c")).with(late("kubernetes.io/no-provisioner")).with(available("v1"));
  EXPECT_TRUE(fits(stored));
  EXPECT_FALSE(fits(stored.with(far)));
  // With a provisioner the reserved volume is no obstacle: the other claim is not affected.
  Stored two(alone(with_claim(with_claim(p(), "c"), "e")));
  two.with(waiting("c")).with(waiting("e")).with(late("d")).with(far).with(available("v1"));
  EXPECT_TRUE(fits(two));
  // Two volumes are reserved for c, and the scheduler takes one at random. Only one of them can be reached.
  EXPECT_EQ(decide(stored.with(kept_for_c("v2"))).outcome, Outcome::skipped);
  stored.question().cluster.storage.volumes.erase("v0");
  EXPECT_TRUE(fits(stored.with(kept_for_c("v3"))));
}

// PRE-BIND-2: the smaller claim first, the smaller volume first, no volume twice.
TEST(VolumeBinding, TakesSmallClaimsAndVolumesFirst) {
  const Question question = alone(with_claim(with_claim(p(), "large"), "small"));
  Stored stored(question);
  stored.with(waiting("large", 9)).with(waiting("small", 5)).with(late("kubernetes.io/no-provisioner"));
  stored.with(available("v1", 10)).with(available("v2", 6)).with(available("v3", 20));
  EXPECT_TRUE(fits(stored));
  stored.question().cluster.storage.volumes.erase("v3");
  EXPECT_TRUE(fits(stored));
  stored.question().cluster.storage.volumes.erase("v2");
  EXPECT_FALSE(fits(stored));
}

// PRE-BIND-2: one of two equal volumes suits both claims, the other suits only one of them.
TEST(VolumeBinding, IsSkippedWhereChanceDecides) {
  PersistentVolumeClaim selective = waiting("selective", 6);
  selective.selector = LabelSelector{{{"tier", "fast"}}, {}};
  PersistentVolume fast = available("v1", 10);
  fast.labels["tier"] = "fast";
  Stored stored(alone(with_claim(with_claim(p(), "any"), "selective")));
  stored.with(waiting("any", 5)).with(selective).with(late("kubernetes.io/no-provisioner"));
  EXPECT_TRUE(fits(stored.with(fast).with(available("v2", 9))));
  EXPECT_EQ(decide(stored.with(available("v2", 10))).outcome, Outcome::skipped);
  // Equal volumes that suit the same claims are interchangeable.
  fast.name = "v2";
  EXPECT_TRUE(fits(stored.with(fast)));
  // If volumes can be provisioned, the choice does not matter either.
  EXPECT_TRUE(fits(stored.with(available("v2", 10)).with(late("d"))));
}

// PRE-BIND-2: with too many possible assignments of volumes, the answer is skipped.
TEST(VolumeBinding, GivesUpOnTooManyWays) {
  Pod preemptor = p();
  Stored stored(alone(preemptor));
  for (int i = 0; i < 16; ++i) {
    const std::string name = "c" + std::to_string(10 + i);
    stored.question().pod = with_claim(stored.question().pod, name);
    PersistentVolumeClaim selective = waiting(name);
    selective.selector = LabelSelector{{}, {{"not-for-" + name, "DoesNotExist", {}}}};
    PersistentVolume volume = available("v" + std::to_string(10 + i));
    volume.labels["not-for-c" + std::to_string(10 + (i + 1) % 16)] = "";
    stored.with(selective).with(volume);
  }
  EXPECT_EQ(decide(stored.with(late("d"))).outcome, Outcome::skipped);
}

// PRE-BIND-2: the annotation selected-node restricts a claim to one node.
TEST(VolumeBinding, KeepsAClaimOnItsSelectedNode) {
  PersistentVolumeClaim selected = waiting("c");
  selected.selected_node = "n1";
  Stored stored(alone(with_claim(p(), "c")));
  EXPECT_TRUE(fits(stored.with(selected).with(late("d"))));
  selected.selected_node = "n2";
  EXPECT_EQ(status_of(stored.with(selected)).reasons,
            Reasons{"node(s) didn't find available persistent volumes to bind"});
}

// PRE-BIND-3
TEST(VolumeBinding, KnowsWhereVolumesCanBeMade) {
  Question question = alone(with_claim(p(), "c"));
  question.cluster.nodes[0].labels = {{"zone", "a"}, {"disk", "ssd"}};
  const auto made = [&](std::vector<TopologyTerm> allowed, const std::string& provisioner = "d") {
    StorageClass each = late(provisioner);
    each.allowed_topologies = std::move(allowed);
    return fits(Stored(question).with(waiting("c")).with(each));
  };
  EXPECT_TRUE(made({}));
  EXPECT_FALSE(made({}, "kubernetes.io/no-provisioner"));
  EXPECT_FALSE(made({}, ""));
  EXPECT_TRUE(made({{{"zone", "In", {"b", "a"}}, {"disk", "In", {"ssd"}}}}));
  EXPECT_FALSE(made({{{"zone", "In", {"a"}}, {"disk", "In", {"hdd"}}}}));
  EXPECT_TRUE(made({{{"zone", "In", {"b"}}}, {{"zone", "In", {"a"}}}}));
  EXPECT_FALSE(made({{}})) << "an empty term";
}

// PRE-BIND-3
TEST(VolumeBinding, AsksForEnoughStorage) {
  Question question = alone(with_claim(p(), "c"));
  question.cluster.nodes[0].labels = {{"zone", "a"}};
  const LabelSelector here{{{"zone", "a"}}, {}};
  const CsiStorageCapacity enough{"default", "x", "late", here, 5, {}};
  const auto has = [&](const CsiStorageCapacity& capacity,
                       const PersistentVolumeClaim& claim = waiting("c")) {
    return fits(
        Stored(question).with(claim).with(late("d")).with(CsiDriver{"d", true, false}).with(capacity));
  };
  EXPECT_TRUE(has(enough));
  CsiStorageCapacity other = enough;
  other.storage_class = "other";
  EXPECT_FALSE(has(other));
  other = enough;
  other.capacity = 4;
  EXPECT_FALSE(has(other));
  PersistentVolumeClaim any_size = waiting("c");
  any_size.storage.reset();
  EXPECT_TRUE(has(other, any_size));
  other.maximum_volume_size = 5;
  EXPECT_TRUE(has(other)) << "the largest volume counts, where the driver reports it";
  other = enough;
  other.capacity.reset();
  EXPECT_FALSE(has(other));
  other = enough;
  other.node_topology.reset();
  EXPECT_FALSE(has(other));
  other.node_topology = LabelSelector{{{"zone", "b"}}, {}};
  EXPECT_FALSE(has(other));
  // A driver that does not report storage capacity.
  EXPECT_TRUE(fits(Stored(question).with(waiting("c")).with(late("d")).with(CsiDriver{"d", false, false})));
}

// PRE-ZONE-1, PRE-ZONE-2
TEST(VolumeZone, WantsTheZoneAndRegionOfBoundVolumes) {
  const std::string zone = "topology.kubernetes.io/zone";
  const std::string region = "topology.kubernetes.io/region";
  const std::string beta_zone = "failure-domain.beta.kubernetes.io/zone";
  const std::string beta_region = "failure-domain.beta.kubernetes.io/region";
  const auto reached = [](const Labels& of_volume, const Labels& of_node) {
    PersistentVolume labelled = volume("v1");
    labelled.labels = of_volume;
    return fits(bound_to(labelled, of_node));
  };
  EXPECT_TRUE(reached({{zone, "a"}}, {{zone, "a"}}));
  EXPECT_FALSE(reached({{zone, "b"}}, {{zone, "a"}}));
  EXPECT_TRUE(reached({{zone, "b"}}, {{"zone", "a"}})) << "a node without any of the labels";
  EXPECT_FALSE(reached({{zone, "a"}}, {{region, "r"}}));
  EXPECT_FALSE(reached({{zone, "a"}, {region, "q"}}, {{zone, "a"}, {region, "r"}}));
  EXPECT_TRUE(reached({{beta_zone, "a"}, {beta_region, "r"}}, {{zone, "a"}, {region, "r"}}));
  EXPECT_FALSE(reached({{zone, "a"}}, {{beta_zone, "a"}}));
  EXPECT_TRUE(reached({{zone, "b__ a "}}, {{zone, "a"}}));
  EXPECT_TRUE(reached({{zone, "b__"}}, {{zone, "a"}})) << "an empty part voids the label";
  // An unbound claim has no zone.
  Stored unbound(alone(with_claim(p(), "c")));
  unbound.question().cluster.nodes[0].labels[zone] = "a";
  EXPECT_TRUE(fits(unbound.with(waiting("c")).with(late("d"))));
}

// PRE-CLAIM-2, PRE-MESSAGE-6: up to v1.19 an invalid claim ends the attempt. Up to v1.16 the message counts
// equal errors of nodes.
TEST(Claims, EndTheAttemptInEarlyReleases) {
  const auto message = [](const Stored& stored, const char* name) {
    const Decision decision = decide(stored, name);
    EXPECT_EQ(decision.outcome, Outcome::error) << name;
    return decision.message;
  };
  PersistentVolumeClaim going = claim("c", "v");
  going.terminating = true;
  const Question two = QuestionBuilder().node("n1", 2000).node("n2", 2000).asks(with_claim(p(), "c"));
  EXPECT_EQ(message(Stored(two).with(going), "v1.19"), "persistentvolumeclaim \"c\" is being deleted");
  EXPECT_EQ(decide(Stored(two).with(going), "v1.20").outcome, Outcome::none);
  Stored lost(two);
  lost.with(claim("c", "v"));
  EXPECT_EQ(message(lost, "v1.16"), "could not find v1.PersistentVolume \"v\" (repeated 2 times)");
  EXPECT_EQ(message(lost, "v1.17"),
            "error while running \"VolumeBinding\" filter plugin for pod \"p\": could not find "
            "v1.PersistentVolume \"v\"");
  EXPECT_EQ(message(Stored(alone(with_claim(p(), "c"))).with(claim("c", "v")), "v1.16"),
            "could not find v1.PersistentVolume \"v\"");
}

// PRE-CLAIM-2: the first volume of the pod is a disk. The second one has a claim that does not exist.
TEST(Claims, AreLookedForInEachVolume) {
  const Question question = alone(with_claim(with_volume(p(), source("iscsi", "disk")), "c"));
  for (const char* name : {"v1.10", "v1.19"}) {
    EXPECT_EQ(decide(question, name).outcome, Outcome::error) << name;
    EXPECT_EQ(decide(question, name).reason, "persistentvolumeclaim \"c\" not found") << name;
  }
  for (const char* name : {"v1.27", "v1.34"})
    EXPECT_EQ(status_of(question, name).plugin, "VolumeRestrictions") << name;
}

// PRE-CLAIM-2: v1.8 and v1.9 are skipped if a claim has no volume: a claim of the preemptor, or of a pod
// whose disks are counted.
TEST(Volumes, ThatAreNotModelledAreSkipped) {
  const auto reason = [](const Question& question) { return decide(question, "v1.9").reason; };
  const Question mine = alone(with_claim(p(), "c"));
  EXPECT_EQ(reason(mine), "volumes: claim c of pod default/p has no volume");
  EXPECT_EQ(reason(Stored(mine).with(claim("c", "v"))), "volumes: claim c of pod default/p has no volume");
  EXPECT_TRUE(fits(Stored(mine).with(claim("c", "v")).with(volume("v")), "v1.9"));
  const Question theirs = both(with_claim(a(), "c"), with_volume(p(), source("gcePersistentDisk", "x")));
  EXPECT_EQ(reason(theirs), "volumes: claim c of pod default/a has no volume");
  EXPECT_EQ(decide(theirs, "v1.10").reason, "");
  EXPECT_EQ(decide(both(with_claim(a(), "c"), p()), "v1.9").reason, "");
  EXPECT_TRUE(fits(alone(with_volume(p(), source("emptyDir"))), "v1.9"));
}

// PRE-ATTACH-2, PRE-BIND-1: filters return an error for these disks if the CSI driver replaces the in-tree
// plugin.
TEST(Volumes, ThatNoDriverKnowsAreSkipped) {
  const auto reason = [](const Stored& stored, const char* name = "v1.34") {
    return decide(stored, name).reason;
  };
  CsiNode listing = limited("d", 1);
  listing.migrated_plugins = {"kubernetes.io/azure-disk", "kubernetes.io/aws-ebs", "kubernetes.io/gce-pd"};
  VolumeSource shared = source("azureDisk", "u");
  shared.disk_kind = "Shared";
  VolumeSource managed = shared;
  managed.disk_kind = "managed";
  const auto amazon = [&](const std::string& id) {
    return Stored(alone(with_volume(p(), source("awsElasticBlockStore", id)))).with(listing);
  };
  const std::string azure = "volumes: no CSI driver knows azureDisk u of pod default/";
  EXPECT_EQ(reason(Stored(alone(with_volume(p(), shared))).with(listing)), azure + "p");
  EXPECT_EQ(reason(Stored(both(with_volume(a(), shared), with_volume(p(), managed))).with(listing)),
            azure + "a");
  for (const std::string id : {"aws://vol-2", "aws://a/disk-2", "aws://a/vol-2/3"})
    EXPECT_EQ(reason(amazon(id)),
              "volumes: no CSI driver knows awsElasticBlockStore " + id + " of pod default/p");
  EXPECT_EQ(reason(amazon("aws://a/vol-2")), "");
  EXPECT_EQ(reason(Stored(alone(with_volume(p(), managed))).with(listing)), "");
  EXPECT_EQ(reason(Stored(alone(with_volume(p(), shared))).with(listing), "v1.22"), "");
  EXPECT_EQ(reason(Stored(alone(with_volume(p(), shared))).with(limited("d", 1))), azure + "p");
  EXPECT_EQ(reason(Stored(alone(with_volume(p(), shared)))), "") << "no driver has replaced it";
  EXPECT_EQ(reason(Stored(both(with_volume(a(), shared), p())).with(listing)), "") << "no filter reads it";

  PersistentVolume regional = volume("v");
  regional.source = source("gcePersistentDisk", "g");
  regional.labels["topology.kubernetes.io/zone"] = "us-east1-a__us-west1-a";
  Stored claimed(alone(with_claim(p(), "c")));
  claimed.with(claim("c", "v")).with(regional).with(listing);
  EXPECT_EQ(reason(claimed), "volumes: no CSI driver knows gcePersistentDisk g of volume v");
  CsiNode not_listing = listing;
  not_listing.migrated_plugins.clear();
  EXPECT_EQ(reason(Stored(claimed).with(not_listing)), "");
  regional.labels["topology.kubernetes.io/zone"] = "us-east1-a__us-east1-b";
  EXPECT_EQ(reason(claimed.with(regional)), "");
}

// PRE-ATTACH-3: a name of this length may be a shortened one, which ends in a digest.
TEST(NodeVolumeLimits, UnderAShortenedNameAreSkipped) {
  Question question = alone(with_volume(p(), source("gcePersistentDisk", "d")));
  const std::string name = "attachable-volumes-csi-" + std::string(39, 'x');
  question.cluster.nodes[0].allocatable[name] = 1;
  EXPECT_EQ(decide(question, "v1.31.0").reason,
            "NodeVolumeLimits: the limit " + name + " of node n1 has a shortened name");
  EXPECT_EQ(decide(question, "v1.32").reason, "");
  EXPECT_EQ(decide(question, "v1.11").reason, "");
  question.cluster.nodes[0].allocatable = {{"cpu", 2000}, {"pods", 110}, {name + "x", 1}};
  EXPECT_EQ(decide(question, "v1.31.0").reason, "");
}

namespace {

/// The first finding on n1 in the first pass, as text; `clause` if there is none.
std::string finding(const Question& question, const char* name = "v1.34", std::string_view clause = "") {
  Trace trace = Trace::full();
  reference::preempt(question, release(name), trace);
  for (const Step& step : trace.steps()) {
    if (step.stage != Stage::attempt || step.node != 0u || step.findings.empty()) continue;
    const Finding& found = step.findings.front();
    return std::string(found.clause) + ": " + found.what +
           (found.pod ? " " + question.cluster.pods[*found.pod].full_name() : "");
  }
  return std::string(clause);
}

}  // namespace

// PRE-RWOP-1: the finding names the claim in use and its user. It names no free claim and no pod of another
// namespace.
TEST(Findings, NameTheClaimThatIsInUseAndItsUser) {
  Pod namesake = with_claim(pod("b", 0, 1000), "d");
  namesake.ns = "other";
  const Pod preemptor = with_claim(with_claim(p(), "c"), "d");
  const auto on_n1 = [&](const Pod& one, const Pod& other) {
    return wants_both(QuestionBuilder().node("n1", 4000).has(one).has(other).asks(preemptor));
  };
  EXPECT_EQ(finding(on_n1(with_claim(a(20), "d"), namesake)), "PRE-RWOP-1: default/d default/a");
  // A nominated pod of another namespace only raises the counter.
  Pod nominee = with_claim(pod("m", 20, 0), "d");
  nominee.ns = "other";
  const Question waiting = QuestionBuilder()
                               .node("n1", 4000)
                               .has(with_claim(a(20), "e"))
                               .nominated(nominee)
                               .asks(with_volume(preemptor, source("gcePersistentDisk", "x")));
  EXPECT_EQ(finding(wants_both(waiting)), "PRE-RWOP-1: default/d other/m");
}

// PRE-BIND-2, PRE-BIND-3, PRE-CLAIM-2: the finding names the cause.
TEST(Findings, TellWhyAClaimFindsNoVolume) {
  const Question one = both(a(20), with_claim(p(), "c"));
  PersistentVolumeClaim promised = waiting("c");
  promised.selected_node = "n9";
  StorageClass elsewhere = late("d");
  elsewhere.allowed_topologies = {{{"zone", "In", {"b"}}}};
  EXPECT_EQ(finding(Stored(one).with(promised).with(late("d"))),
            "PRE-BIND-2: claim default/c is promised a volume on node n9 (selected-node)");
  EXPECT_EQ(finding(Stored(one).with(waiting("c")).with(elsewhere)),
            "PRE-BIND-3: claim default/c: StorageClass late allows no volume on the node");
  EXPECT_EQ(finding(Stored(one).with(waiting("c")).with(late("kubernetes.io/no-provisioner"))),
            "PRE-BIND-2: claim default/c finds no volume that the node reaches, and none is made for it");
  EXPECT_EQ(finding(Stored(one).with(claim("c"))),
            "PRE-CLAIM-2: claim default/c is not bound, and does not wait for its pod");
}

// PRE-CLAIM-3: the finding says whether the pod or one of its volumes excludes the node.
TEST(Findings, TellWhoLeavesANodeOut) {
  Question one = both(a(20), with_claim(p(), "c"));
  one.cluster.nodes[0].labels["kubernetes.io/hostname"] = "n1";
  one.cluster.nodes.push_back(one.cluster.nodes[0]);
  one.cluster.nodes[1].name = "n2";
  Stored elsewhere(one);
  elsewhere.with(claim("c", "v")).with(reached_from(volume("v"), "kubernetes.io/hostname", {"n2"}));
  EXPECT_EQ(finding(elsewhere, "v1.29.6"), "PRE-CLAIM-3: a volume of the pod names other hosts");
  elsewhere.question().pod.node_affinity.emplace().push_back({{}, {{"metadata.name", "In", {"n2"}}}});
  EXPECT_EQ(finding(elsewhere, "v1.29.6"), "PRE-PREFILTER-3: the pod is pinned to other nodes");
}

// Attribution runs releases with one row toggled. Such a release may continue with a claim that does not
// exist.
TEST(Claims, ThatAreMissingHarmNoReleaseWithARowUndone) {
  Release undone = release("v1.34");
  undone.restrictions_ask_for_claims = false;
  EXPECT_EQ(reference::preempt(alone(with_claim(p(), "c")), undone).outcome, Outcome::none);
}

}  // namespace touchstone::tests::filter_volumes_test
