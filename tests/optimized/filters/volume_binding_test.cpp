#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"
#include "tests/support/storage.hpp"

/// Small clusters in which one field of a claim, a volume or a class decides whether VolumeBinding rejects
/// the node.
namespace touchstone::tests::optimized_volume_binding_test {

namespace {

/// A node with room, and a preemptor with these claims.
Question asks(const std::vector<std::string>& claims) {
  Pod p = pod("p", 10, 0);
  for (const std::string& claim : claims) p = with_claim(std::move(p), claim);
  return one_node().asks(p);
}

/// The preemptor has the claim c, there is one volume, and none can be provisioned.
Outcome with_volume_of(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                       const char* version) {
  Stored stored(asks({"c"}));
  return outcome(stored.with(claim).with(volume).with(late("kubernetes.io/no-provisioner")), version);
}

/// A volume that is reserved for a claim c.
PersistentVolume reserved_for(const std::string& ns, const std::string& uid) {
  PersistentVolume reserved = available("v");
  reserved.claim = ClaimReference{ns, "c", uid};
  return reserved;
}

/// The outcome for a pod with these two claims, in this order. No volume can be provisioned.
Outcome with_two_claims(const PersistentVolumeClaim& first, const PersistentVolumeClaim& second,
                        const std::vector<PersistentVolume>& volumes) {
  Stored stored(asks({first.name, second.name}));
  stored.with(first).with(second).with(late("kubernetes.io/no-provisioner"));
  for (const PersistentVolume& volume : volumes) stored.with(volume);
  return outcome(stored, "v1.34");
}

}  // namespace

// PRE-BIND-2: the claimRef of a volume names a claim by namespace, name and, if it has one, UID.
TEST(OptimizedVolumeBinding, AReservedVolumeServesItsOwnClaim) {
  for (const char* version : {"v1.10", "v1.24", "v1.34"}) {
    EXPECT_EQ(with_volume_of(reserved_for("default", "uid-c"), waiting("c"), version), Outcome::fits);
    EXPECT_EQ(with_volume_of(reserved_for("default", ""), waiting("c"), version), Outcome::fits);
    EXPECT_EQ(with_volume_of(reserved_for("default", "uid-d"), waiting("c"), version), Outcome::none);
    EXPECT_EQ(with_volume_of(reserved_for("other", "uid-c"), waiting("c"), version), Outcome::none);
  }
}

// PRE-BIND-2: the volumeMode counts from v1.13. A volume without one has the mode Filesystem.
TEST(OptimizedVolumeBinding, AVolumeNeedsTheModeOfTheClaim) {
  PersistentVolumeClaim of_files = waiting("c");
  of_files.volume_mode = "Filesystem";
  PersistentVolumeClaim of_blocks = waiting("c");
  of_blocks.volume_mode = "Block";
  EXPECT_EQ(with_volume_of(available("v"), of_files, "v1.34"), Outcome::fits);
  EXPECT_EQ(with_volume_of(available("v"), of_blocks, "v1.34"), Outcome::none);
  EXPECT_EQ(with_volume_of(available("v"), of_blocks, "v1.12"), Outcome::fits);
}

// PRE-BIND-2
TEST(OptimizedVolumeBinding, AVolumeThatIsBeingDeletedServesNoClaim) {
  PersistentVolume leaving = available("v");
  leaving.terminating = true;
  EXPECT_EQ(with_volume_of(leaving, waiting("c"), "v1.21"), Outcome::none);
}

// PRE-BIND-2: before v1.12 the annotation selected-node is ignored. Later a claim that has it takes no
// volume.
TEST(OptimizedVolumeBinding, AClaimWithASelectedNodeTakesNoVolume) {
  PersistentVolumeClaim selected = waiting("c");
  selected.selected_node = "n1";
  EXPECT_EQ(with_volume_of(available("v"), selected, "v1.10"), Outcome::fits);
  EXPECT_EQ(with_volume_of(available("v"), selected, "v1.34"), Outcome::none);
}

// PRE-BIND-2: the annotation selected-node of a bound claim has no effect.
TEST(OptimizedVolumeBinding, ABoundClaimNeedsNoNewVolume) {
  PersistentVolumeClaim bound = claim("c", "v");
  bound.selected_node = "n1";
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(bound).with(volume("v")), "v1.34"), Outcome::fits);
}

// PRE-CLAIM-2: a claim that has a volumeName, but is not bound, is an immediate claim, even if its class
// waits for a pod.
TEST(OptimizedVolumeBinding, AClaimThatNamesAVolumeButIsNotBoundIsImmediate) {
  PersistentVolumeClaim incomplete = waiting("c");
  incomplete.volume_name = "v";
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(incomplete).with(late("d")), "v1.24"), Outcome::none);
  incomplete.volume_name.clear();
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(incomplete).with(late("d")), "v1.24"), Outcome::fits);
}

// PRE-BIND-3: the node must match one of the allowedTopologies. A term without requirements matches no node.
// The requirement on a zone holds, since the node has no such label.
TEST(OptimizedVolumeBinding, AProvisionerMakesAVolumeWhereItsClassAllowsTheNode) {
  const auto with_class = [](const std::string& provisioner, const std::vector<TopologyTerm>& allowed) {
    StorageClass of_claim = late(provisioner);
    of_claim.allowed_topologies = allowed;
    return outcome(Stored(asks({"c"})).with(waiting("c")).with(of_claim), "v1.23");
  };
  EXPECT_EQ(with_class("d", {}), Outcome::fits);
  EXPECT_EQ(with_class("", {}), Outcome::none);
  EXPECT_EQ(with_class("d", {{}}), Outcome::none);
  EXPECT_EQ(with_class("d", {{}, {{"zone", "DoesNotExist", {}}}}), Outcome::fits);
}

// PRE-BIND-3: a CSIStorageCapacity without a size is never enough, even for a claim of 0 bytes or less.
TEST(OptimizedVolumeBinding, AStorageCapacityNeedsASize) {
  const auto with_report = [](std::optional<Quantity> capacity, Quantity size) {
    Stored stored(asks({"c"}));
    stored.with(waiting("c", size)).with(late("d")).with(CsiDriver{"d", true, false});
    return outcome(stored.with(report_of(capacity)), "v1.34");
  };
  EXPECT_EQ(with_report(5, 5), Outcome::fits);
  EXPECT_EQ(with_report(4, 5), Outcome::none);
  EXPECT_EQ(with_report(std::nullopt, 0), Outcome::none);
  EXPECT_EQ(with_report(std::nullopt, -(Quantity{1} << 62)), Outcome::none);
}

// PRE-BIND-1: the node affinity of a disk is translated for the CSI driver only where the CSINode lists the
// plugin as migrated. The node has the zone label, but not the driver's topology key.
TEST(OptimizedVolumeBinding, APluginThatIsNotListedKeepsTheZoneLabel) {
  PersistentVolume disk = reached_from(volume("v"), k_zone, {"a"});
  disk.source = source("cinder", "d");
  Question question = asks({"c"});
  question.cluster.nodes[0].labels[k_zone] = "a";
  Stored stored(question);
  stored.with(claim("c", "v")).with(disk);
  EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {}, {}, {}}), "v1.37"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {}, {}, {"kubernetes.io/cinder"}}), "v1.37"), Outcome::none);
}

// PRE-BIND-2, PRE-BIND-3: the scheduler chooses one of the reserved volumes at random. The node does not
// reach v1 and v3. Then a provisioner makes another volume. Without a provisioner the choice matters.
TEST(OptimizedVolumeBinding, AReservedVolumeOutOfReachIsReplacedByAProvisioner) {
  Question question = asks({"c"});
  question.cluster.nodes[0].labels["zone"] = "a";
  Stored stored(question);
  stored.with(waiting("c")).with(late("d"));
  for (const std::string name : {"v1", "v2", "v3", "v4"}) {
    PersistentVolume reserved =
        reached_from(available(name), "zone", {name == "v2" || name == "v4" ? "a" : "b"});
    reserved.claim = ClaimReference{"default", "c", ""};
    stored.with(reserved);
  }
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(late("kubernetes.io/no-provisioner")), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2: from v1.31 to v1.33 a claim with a volumeAttributesClassName is an error, unless it has the
// annotation selected-node. Then it takes no volume.
TEST(OptimizedVolumeBinding, AnAttributesClassOfAClaimWithASelectedNodeIsNoError) {
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  EXPECT_EQ(with_volume_of(available("v"), gold, "v1.31"), Outcome::error);
  gold.selected_node = "n1";
  EXPECT_EQ(with_volume_of(available("v"), gold, "v1.31"), Outcome::none);
}

// PRE-BIND-2, PRE-BIND-4: in v1.31 a volumeAttributesClassName is an error, but a missing volume is none.
// Only the volume of an ephemeral volume's claim may be missing: PRE-CLAIM-2 does not check it.
TEST(OptimizedVolumeBinding, TheAttributesClassIsTheErrorAndNotAMissingVolume) {
  Question question = asks({"d"});
  question.pod.uid = "uid-p";
  question.pod.volumes.insert(question.pod.volumes.begin(), {"e", source("ephemeral")});
  PersistentVolumeClaim made = claim("p-e", "missing");
  made.controller = "uid-p";
  PersistentVolumeClaim gold = waiting("d");
  gold.attributes_class = "gold";
  Stored stored(question);
  stored.with(made).with(gold).with(available("v")).with(late("kubernetes.io/no-provisioner"));
  EXPECT_NE(agreed(stored, "v1.31").reason.find("unsupported volumeAttributesClassName"), std::string::npos);
}

// PRE-BIND-1, PRE-BIND-4: in v1.17 a missing volume is an error, unless the node does not reach the volume of
// an earlier claim. The volumeAttributesClassName of the last claim is ignored (PRE-BIND-2).
TEST(OptimizedVolumeBinding, AVolumeOutOfReachComesBeforeAMissingOne) {
  PersistentVolumeClaim gold = waiting("e");
  gold.attributes_class = "gold";
  const auto with_first = [&gold](const PersistentVolume& first) {
    Stored stored(asks({"c", "d", "e"}));
    stored.with(claim("c", "v")).with(first).with(claim("d", "missing")).with(gold);
    return outcome(stored.with(late("d")), "v1.17");
  };
  EXPECT_EQ(with_first(volume("v")), Outcome::error);
  EXPECT_EQ(with_first(reached_from(volume("v"), "zone", {"a"})), Outcome::none);
}

// PRE-CLAIM-3: v1.29.0 reads the values of a requirement "In" on kubernetes.io/hostname as names of nodes. No
// node has the name "elsewhere", which is an error there. Values of "NotIn" are not read, nor claims without
// a volume.
TEST(OptimizedVolumeBinding, OnlyInRequirementsOfBoundVolumesNameHosts) {
  const auto asks_for = [](const std::string& op) {
    PersistentVolume local = volume("w");
    local.node_affinity = {{{{"kubernetes.io/hostname", op, {"elsewhere"}}}, {}}};
    Stored stored(asks({"c", "d"}));
    stored.with(waiting("c")).with(late("d")).with(claim("d", "w")).with(local);
    return Question(stored);
  };
  EXPECT_EQ(outcome(asks_for("NotIn"), "v1.29.0"), Outcome::fits);
  EXPECT_EQ(outcome(asks_for("In"), "v1.29.0"), Outcome::error);
  EXPECT_EQ(outcome(asks_for("In"), "v1.34"), Outcome::none);
}

// PRE-BIND-2: a claim without a size takes a volume of any size. A volume needs every access mode of the
// claim.
TEST(OptimizedVolumeBinding, AVolumeNeedsTheSizeAndAllAccessModesOfTheClaim) {
  PersistentVolumeClaim sizeless = waiting("c");
  sizeless.storage.reset();
  EXPECT_EQ(with_volume_of(available("v", 0), sizeless, "v1.34"), Outcome::fits);
  PersistentVolumeClaim shared = waiting("c");
  shared.access_modes = {"ReadWriteOnce", "ReadWriteMany"};
  EXPECT_EQ(with_volume_of(available("v"), shared, "v1.34"), Outcome::none);
  shared.access_modes.clear();
  EXPECT_EQ(with_volume_of(available("v"), shared, "v1.34"), Outcome::fits);
}

// PRE-BIND-2: claims take volumes in the order of their sizes, each the smallest that suits. The smaller
// claim can take only v, so the other one must not take v. A claim without a size has the size 0.
TEST(OptimizedVolumeBinding, SmallerClaimsTakeVolumesFirst) {
  const PersistentVolume v = in_tier_a(available("v", 10));
  EXPECT_EQ(with_two_claims(waiting("d", 10), picky(waiting("c", 5)), {v, available("w", 11)}),
            Outcome::fits);
  PersistentVolumeClaim sizeless = picky(waiting("c"));
  sizeless.storage.reset();
  EXPECT_EQ(with_two_claims(waiting("d", 1), sizeless, {v, available("w", 11)}), Outcome::fits);
  EXPECT_EQ(with_two_claims(sizeless, waiting("d", 0), {v, available("w", 11)}), Outcome::fits);
}

// PRE-BIND-2: the smallest volume is taken, whatever the order of the names.
TEST(OptimizedVolumeBinding, TheSmallestVolumeIsTaken) {
  EXPECT_EQ(with_two_claims(waiting("c", 5), waiting("d", 10), {available("v", 10), available("w", 5)}),
            Outcome::fits);
}

// PRE-BIND-2: each volume serves one claim. In the second case a volume is made for the first claim, which
// takes none.
TEST(OptimizedVolumeBinding, NoTwoClaimsTakeOneVolume) {
  Stored stored(asks({"c", "d", "e"}));
  for (const char* name : {"c", "d", "e"}) stored.with(waiting(name));
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v")).with(available("w"));
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
  PersistentVolumeClaim made = waiting("c");
  made.class_name = "made";
  stored.with(made).with(StorageClass{"made", "d", "WaitForFirstConsumer", {}});
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
  stored.question().cluster.storage.volumes.erase("w");
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
}

// PRE-BIND-3: storage capacity counts if the driver reports it, for a claim with a size. A report without
// nodeTopology is for no node.
TEST(OptimizedVolumeBinding, StorageCapacityCountsIfTheDriverReportsIt) {
  const auto stored_with = [](bool driver_reports, std::optional<Quantity> size) {
    PersistentVolumeClaim made = waiting("c");
    made.storage = size;
    return Stored(asks({"c"})).with(made).with(late("d")).with(CsiDriver{"d", driver_reports, false});
  };
  EXPECT_EQ(outcome(stored_with(true, 5), "v1.34"), Outcome::none);
  EXPECT_EQ(outcome(stored_with(false, 5), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored_with(true, std::nullopt), "v1.34"), Outcome::fits);
  CsiStorageCapacity report = report_of(9);
  EXPECT_EQ(outcome(stored_with(true, 5).with(report), "v1.34"), Outcome::fits);
  report.node_topology.reset();
  EXPECT_EQ(outcome(stored_with(true, 5).with(report), "v1.34"), Outcome::none);
}

// PRE-BIND-2: in v1.31 a volumeAttributesClassName is an error, but a claim whose selected node is another
// one rejects the node first.
TEST(OptimizedVolumeBinding, AClaimOfAnotherNodeComesBeforeAnAttributesClass) {
  PersistentVolumeClaim elsewhere = waiting("c");
  elsewhere.selected_node = "n2";
  PersistentVolumeClaim gold = waiting("d");
  gold.attributes_class = "gold";
  Stored stored(asks({"c", "d"}));
  stored.with(elsewhere).with(gold).with(available("v")).with(late("d"));
  EXPECT_EQ(outcome(stored, "v1.31"), Outcome::none);
  elsewhere.selected_node = "n1";
  EXPECT_EQ(outcome(stored.with(elsewhere), "v1.31"), Outcome::error);
}

// PRE-CLAIM-2: up to v1.19 a missing claim ends the attempt, even if another volume comes first.
TEST(OptimizedVolumeBinding, AMissingClaimAfterADiskEndsTheAttempt) {
  Question question = asks({});
  question.pod = with_claim(with_volume(question.pod, source("iscsi", "d")), "c");
  EXPECT_EQ(outcome(question, "v1.16"), Outcome::error);
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::none);
}

// PRE-CLAIM-2, PRE-PREFILTER-4: in v1.27.1 the PreFilter of VolumeRestrictions rejects a pod with a missing
// claim, and the error says that this plugin has no state. Without the gate ReadWriteOncePod the PreFilter of
// VolumeBinding rejects the pod later. Then the first plugin without state is PodTopologySpread.
TEST(OptimizedVolumeBinding, ThePreFilterThatMissesAClaimLosesItsState) {
  const Pod p = with_claim(with_volume(pod("p", 10, 1000), source("iscsi", "d")), "missing");
  const Question question = one_node().has(pod("low", 0, 1000)).asks(p);
  Release without_gate = release("v1.27.1");
  without_gate.claims_for_one_pod = without_gate.restrictions_ask_for_claims = false;
  const std::string with_gate = agreed(question, "v1.27.1").reason;
  EXPECT_NE(with_gate.find("VolumeRestrictions"), std::string::npos) << with_gate;
  const std::string later = agreed(question, without_gate).reason;
  EXPECT_NE(later.find("PodTopologySpread"), std::string::npos) << later;
}

// PRE-BIND-1, PRE-BIND-4, PRE-VICTIM-3: n1 takes only one pod, and pod low is there. VolumeBinding rejects
// n1, whichever pods are evicted, and returns no error. So n1 needs no dry run. Only a missing volume, up to
// v1.19.4, or a volumeAttributesClassName, from v1.31 to v1.33, may be an error.
TEST(OptimizedVolumeBinding, ANodeThatVolumeBindingRejectsNeedsNoDryRun) {
  const auto dry_runs = [](Pod p, const std::vector<PersistentVolumeClaim>& claims, const char* version) {
    Stored stored(one_node().has(pod("low", 0, 0)).asks(with_uid(p, "uid-p")));
    stored.question().cluster.nodes[0].allocatable["pods"] = 1;
    for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
    stored.with(reached_from(volume("v"), "zone", {"a"})).with(late("kubernetes.io/no-provisioner"));
    const optimized::Answer answer = agreed(stored, version);
    EXPECT_EQ(answer.outcome, Outcome::none) << version;
    return answer.dry_runs;
  };
  const Pod with_c = with_claim(pod("p", 10, 0), "c");
  for (const char* version : {"v1.16", "v1.24", "v1.31", "v1.34"})
    EXPECT_EQ(dry_runs(with_c, {claim("c", "v")}, version), 0U) << version;
  PersistentVolumeClaim of_ephemeral = claim("p-v0", "missing");
  of_ephemeral.controller = "uid-p";
  const Pod ephemeral = with_volume(pod("p", 10, 0), source("ephemeral"));
  for (const char* version : {"v1.24", "v1.34"})
    EXPECT_EQ(dry_runs(ephemeral, {of_ephemeral}, version), 0U) << version;
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  for (const char* version : {"v1.30", "v1.34"}) EXPECT_EQ(dry_runs(with_c, {gold}, version), 0U) << version;
  for (const char* version : {"v1.31", "v1.34"})
    EXPECT_EQ(dry_runs(with_c, {waiting("c")}, version), 0U) << version;
}

// PRE-ZONE-1, CYC-PROFILE-1: a configuration turns off the filter VolumeZone. Then the zone of the volume
// does not matter, neither in the first pass nor in the dry run.
TEST(OptimizedVolumeBinding, ZonesDoNotMatterWithoutVolumeZone) {
  PersistentVolume elsewhere = volume("v");
  elsewhere.labels["topology.kubernetes.io/zone"] = "b";
  const Pod p = with_claim(pod("p", 10, 1000), "c");
  Stored stored(one_node().has(pod("low", 0, 1000)).asks(p));
  stored.question().cluster.nodes[0].labels["topology.kubernetes.io/zone"] = "a";
  stored.with(claim("c", "v")).with(elsewhere);
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
  Release without = release("v1.34");
  std::erase(without.filter_groups, std::vector<Filter>{Filter::volume_zone});
  EXPECT_EQ(agreed(stored, without).victims, std::vector<PodIndex>{0});
}

// PRE-BIND-2: the claim takes the volume that is reserved for it, even if free ones are smaller. The node
// does not reach the reserved volume.
TEST(OptimizedVolumeBinding, AReservedVolumeComesBeforeSmallerFreeOnes) {
  PersistentVolume reserved = reached_from(available("r", 7), "zone", {"a"});
  reserved.claim = ClaimReference{"default", "c", ""};
  Stored stored(asks({"c"}));
  stored.with(waiting("c")).with(late("kubernetes.io/no-provisioner")).with(available("v", 5));
  EXPECT_EQ(outcome(stored.with(available("w", 6)), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(reserved), "v1.34"), Outcome::none);
}

}  // namespace touchstone::tests::optimized_volume_binding_test
