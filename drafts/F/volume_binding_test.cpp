// For tests/optimized/filters/volume_binding_test.cpp
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/storage_reports.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::optimized_volume_binding_more_test {

namespace {

// These are in the file already.
Question asks(const std::vector<std::string>& claims) {
  Pod p = pod("p", 10, 0);
  for (const std::string& claim : claims) p = with_claim(std::move(p), claim);
  return QuestionBuilder().node("n1", 1000).asks(p);
}
Outcome with_volume_of(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                       const char* version) {
  Stored stored(asks({"c"}));
  return outcome(stored.with(claim).with(volume).with(late("kubernetes.io/no-provisioner")), version);
}

/// A claim that takes only volumes with the label tier=a.
PersistentVolumeClaim picky(PersistentVolumeClaim claim) {
  claim.selector = LabelSelector{{{"tier", "a"}}, {}};
  return claim;
}

PersistentVolume in_tier_a(PersistentVolume volume) {
  volume.labels["tier"] = "a";
  return volume;
}

/// A pod with the first claim before the second one. No volume can be provisioned.
Outcome with_two_claims(const PersistentVolumeClaim& first, const PersistentVolumeClaim& second,
                        const std::vector<PersistentVolume>& volumes) {
  Stored stored(asks({first.name, second.name}));
  stored.with(first).with(second).with(late("kubernetes.io/no-provisioner"));
  for (const PersistentVolume& volume : volumes) stored.with(volume);
  return outcome(stored, "v1.34");
}

}  // namespace

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

// PRE-BIND-2: claims take volumes in the order of their sizes, each the smallest one. Here the first claim
// that takes a volume can take v alone, so the other one must not take v. A claim without a size has the size
// 0.
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

// PRE-BIND-2: a volume that is reserved for the claim counts before free ones, even if it is larger. No node
// reaches it.
TEST(OptimizedVolumeBinding, AReservedVolumeCountsAfterLargerFreeOnes) {
  PersistentVolume reserved = reached_from(available("r", 7), "zone", {"a"});
  reserved.claim = ClaimReference{"default", "c", ""};
  Stored stored(asks({"c"}));
  stored.with(waiting("c")).with(late("kubernetes.io/no-provisioner")).with(available("v", 5));
  EXPECT_EQ(outcome(stored.with(available("w", 6)), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(stored.with(reserved), "v1.34"), Outcome::none);
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

// PRE-BIND-2: in v1.31 a volumeAttributesClassName is an error, but a claim for which another node was
// selected rejects the node before.
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

// PRE-CLAIM-2: up to v1.19 a missing claim ends the attempt, also if another volume comes first.
TEST(OptimizedVolumeBinding, AMissingClaimAfterADiskEndsTheAttempt) {
  Question question = asks({});
  question.pod = with_claim(with_volume(question.pod, source("iscsi", "d")), "c");
  EXPECT_EQ(outcome(question, "v1.16"), Outcome::error);
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::none);
}

// PRE-CLAIM-2, PRE-PREFILTER-4: the error of v1.27.1 says which PreFilter stored no state. With a missing
// claim that is VolumeRestrictions, unless the gate ReadWriteOncePod is off: then it is the later
// VolumeBinding that rejects the pod.
TEST(OptimizedVolumeBinding, ThePreFilterThatMissesAClaimLosesItsState) {
  const Pod p = with_claim(with_volume(pod("p", 10, 1000), source("iscsi", "d")), "missing");
  const Question question = QuestionBuilder().node("n1", 1000).has(pod("low", 0, 1000)).asks(p);
  Release without_gate = release("v1.27.1");
  without_gate.claims_for_one_pod = without_gate.restrictions_ask_for_claims = false;
  const std::string with_gate_on = agreed(question, "v1.27.1").reason;
  EXPECT_NE(with_gate_on, "");
  EXPECT_NE(agreed(question, without_gate).reason, with_gate_on);
}

// PRE-BIND-1, PRE-BIND-4, PRE-VICTIM-3: n1 has no place for the preemptor. VolumeBinding rejects n1, whatever
// pods are evicted, and returns no error. So n1 needs no dry run. Only a missing volume, up to v1.19.4, or a
// volumeAttributesClassName, from v1.31 to v1.33, may be an error.
TEST(OptimizedVolumeBinding, ANodeThatVolumeBindingRejectsNeedsNoDryRun) {
  const auto dry_runs = [](Pod p, const std::vector<PersistentVolumeClaim>& claims, const char* version) {
    Stored stored(QuestionBuilder().node("n1", 1000).has(pod("low", 0, 0)).asks(with_uid(p, "uid-p")));
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
  Stored stored(QuestionBuilder().node("n1", 1000).has(pod("low", 0, 1000)).asks(p));
  stored.question().cluster.nodes[0].labels["topology.kubernetes.io/zone"] = "a";
  stored.with(claim("c", "v")).with(elsewhere);
  EXPECT_EQ(outcome(stored, "v1.34"), Outcome::none);
  Release without = release("v1.34");
  std::erase(without.filter_groups, std::vector<Filter>{Filter::volume_zone});
  EXPECT_EQ(agreed(stored, without).victims, std::vector<PodIndex>{0});
}

}  // namespace touchstone::tests::optimized_volume_binding_more_test
