#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// The smallest clusters in which VolumeBinding accepts or rejects a node for one member of an object.
namespace touchstone::tests::optimized_volume_binding_test {

namespace {

Outcome outcome(const Question& question, const char* version) { return agreed(question, version).outcome; }

/// A node with room, and a preemptor with these claims.
Question asks(const std::vector<std::string>& claims) {
  Pod p = pod("p", 10, 0);
  for (const std::string& claim : claims) p = with_claim(std::move(p), claim);
  return QuestionBuilder().node("n1", 1000).asks(p);
}

/// The preemptor waits for a volume of the class "late", and the cluster has one.
Outcome with_volume_of(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                       const char* version) {
  Stored stored(asks({"c"}));
  return outcome(stored.with(claim).with(volume).with(late("kubernetes.io/no-provisioner")), version);
}

PersistentVolume kept_for(const std::string& ns, const std::string& uid) {
  PersistentVolume kept = available("v");
  kept.claim = ClaimReference{ns, "c", uid};
  return kept;
}

CsiStorageCapacity report_of(std::optional<Quantity> capacity) {
  CsiStorageCapacity report;
  report.name = "r";
  report.storage_class = "late";
  report.node_topology = LabelSelector{};
  report.capacity = capacity;
  return report;
}

}  // namespace

// PRE-BIND-2
TEST(OptimizedVolumeBinding, AReservedVolumeServesItsOwnClaim) {
  for (const char* version : {"v1.10", "v1.24", "v1.34"}) {
    EXPECT_EQ(with_volume_of(kept_for("default", "uid-c"), waiting("c"), version), Outcome::fits);
    EXPECT_EQ(with_volume_of(kept_for("default", ""), waiting("c"), version), Outcome::fits);
    EXPECT_EQ(with_volume_of(kept_for("default", "uid-d"), waiting("c"), version), Outcome::none);
    EXPECT_EQ(with_volume_of(kept_for("other", "uid-c"), waiting("c"), version), Outcome::none);
  }
}

// PRE-BIND-2
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

// PRE-BIND-2: up to v1.13 a claim that has its node still takes a volume.
TEST(OptimizedVolumeBinding, AClaimWithASelectedNodeGetsANewVolumeFromV114) {
  PersistentVolumeClaim promised = waiting("c");
  promised.selected_node = "n1";
  EXPECT_EQ(with_volume_of(available("v"), promised, "v1.10"), Outcome::fits);
  EXPECT_EQ(with_volume_of(available("v"), promised, "v1.34"), Outcome::none);
}

// PRE-BIND-2: a bound claim has its volume, whatever node it names.
TEST(OptimizedVolumeBinding, ABoundClaimNeedsNoNewVolume) {
  PersistentVolumeClaim bound = claim("c", "v");
  bound.selected_node = "n1";
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(bound).with(volume("v")), "v1.34"), Outcome::fits);
}

// PRE-CLAIM-2: a claim that names a volume does not wait, although its class does.
TEST(OptimizedVolumeBinding, AClaimWithAVolumeThatIsNotCompleteDoesNotWait) {
  PersistentVolumeClaim incomplete = waiting("c");
  incomplete.volume_name = "v";
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(incomplete).with(late("d")), "v1.24"), Outcome::none);
  incomplete.volume_name.clear();
  EXPECT_EQ(outcome(Stored(asks({"c"})).with(incomplete).with(late("d")), "v1.24"), Outcome::fits);
}

// PRE-BIND-3
TEST(OptimizedVolumeBinding, AVolumeIsMadeByAProvisionerWhereItsTopologyAllows) {
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

// PRE-BIND-3: a report without an amount tells of no storage, even for a claim that requests none.
TEST(OptimizedVolumeBinding, AReportNeedsAnAmount) {
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

// PRE-BIND-1: the zones of the driver count only where the CSINode lists the plugin.
TEST(OptimizedVolumeBinding, ADriverThatIsNotListedLooksAtTheOldZones) {
  PersistentVolume disk = reached_from(volume("v"), k_zone, {"a"});
  disk.source = source("cinder", "d");
  Question question = asks({"c"});
  question.cluster.nodes[0].labels[k_zone] = "a";
  Stored stored(question);
  stored.with(claim("c", "v")).with(disk);
  EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {}, {}, {}}), "v1.37"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {}, {}, {"kubernetes.io/cinder"}}), "v1.37"), Outcome::none);
}

// PRE-BIND-2: of the volumes that are reserved for a claim some may be out of reach. Another one can be made.
TEST(OptimizedVolumeBinding, OneOfSeveralReservedVolumesIsOutOfReach) {
  Question question = asks({"c"});
  question.cluster.nodes[0].labels["zone"] = "a";
  Stored stored(question);
  stored.with(waiting("c")).with(late("d"));
  for (const std::string name : {"v1", "v2", "v3", "v4"}) {
    PersistentVolume kept = reached_from(available(name), "zone", {name == "v2" || name == "v4" ? "a" : "b"});
    kept.claim = ClaimReference{"default", "c", ""};
    stored.with(kept);
  }
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(late("kubernetes.io/no-provisioner")), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2: a claim with an attributes class is an error from v1.31 to v1.33, unless its node is chosen.
TEST(OptimizedVolumeBinding, AnAttributesClassOfAPromisedClaimIsNoError) {
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  EXPECT_EQ(with_volume_of(available("v"), gold, "v1.31"), Outcome::error);
  gold.selected_node = "n1";
  EXPECT_EQ(with_volume_of(available("v"), gold, "v1.31"), Outcome::none);
}

// PRE-BIND-4, PRE-BIND-2: the volume that is missing is no error, but the attributes class is. The claim of
// an ephemeral volume passes VolumeZone.
TEST(OptimizedVolumeBinding, TheErrorIsThatOfTheAttributesClass) {
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

// PRE-BIND-1, PRE-BIND-4: up to v1.18 a missing volume is an error, unless a volume before it is out of
// reach.
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

// PRE-CLAIM-3
TEST(OptimizedVolumeBinding, OnlyInRequirementsOfBoundVolumesNameHosts) {
  const auto asks_for = [](const std::string& op) {
    PersistentVolume local = volume("w");
    local.node_affinity = {{{{"kubernetes.io/hostname", op, {"elsewhere"}}}, {}}};
    Stored stored(QuestionBuilder().node("n1", 1000).asks(with_claim(with_claim(pod("p", 10, 0), "c"), "d")));
    stored.with(waiting("c")).with(late("d")).with(claim("d", "w")).with(local);
    return Question(stored);
  };
  EXPECT_EQ(outcome(asks_for("NotIn"), "v1.29.0"), Outcome::fits);
  EXPECT_EQ(outcome(asks_for("In"), "v1.29.0"), Outcome::error);
  EXPECT_EQ(outcome(asks_for("In"), "v1.34"), Outcome::none);
}

// PRE-INPUT-3: a volume of the preemptor's own entry in the list of pods is not in use.
TEST(OptimizedVolumeBinding, TheDiskOfThePreemptorItselfIsFree) {
  const Pod p = with_volume(pod("p", 10, 0), source("gcePersistentDisk", "x"));
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(QuestionBuilder().node("n1", 1000).has(p).asks(p), version), Outcome::fits);
    Pod other = p;
    other.name = "q";
    EXPECT_EQ(outcome(QuestionBuilder().node("n1", 1000).has(other).asks(p), version), Outcome::none);
  }
}

}  // namespace touchstone::tests::optimized_volume_binding_test
