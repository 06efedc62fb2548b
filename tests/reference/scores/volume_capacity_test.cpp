#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "reference/cycle/schedule.hpp"
#include "reference/scores/scores.hpp"
#include "reference/volumes/volumes.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::volume_capacity_test {

namespace {

using Points = std::vector<Quantity>;

/// A question with the nodes n1 and n2, the class "late", whose driver "d" reports storage capacity, and a
/// pod with these claims of 5 bytes each.
Stored with_claims(const std::vector<PersistentVolumeClaim>& claims) {
  Pod p = pod("p", 0, 100);
  for (const PersistentVolumeClaim& claim : claims) p = with_claim(std::move(p), claim.name);
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(std::move(p));
  for (Node& node : question.cluster.nodes) node.labels["host"] = node.name;
  Stored stored(std::move(question));
  stored.with(late("d")).with(CsiDriver{"d", true, false});
  for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
  return stored;
}

/// The driver of the class reports this capacity for a node.
CsiStorageCapacity report(const std::string& node, Quantity capacity, const std::string& of_class = "late",
                          const std::string& name = "") {
  CsiStorageCapacity report;
  report.name = of_class + "-" + node + name;
  report.storage_class = of_class;
  report.node_topology = LabelSelector{{{"host", node}}, {}};
  report.capacity = capacity;
  return report;
}

PersistentVolume on(const std::string& node, PersistentVolume volume) {
  volume.name += "-" + node;
  return reached_from(std::move(volume), "host", {node});
}

PersistentVolumeClaim of_class(PersistentVolumeClaim claim, const std::string& name) {
  claim.class_name = name;
  return claim;
}

StorageClass another_class(const std::string& name) { return {name, "d", "WaitForFirstConsumer", {}}; }

reference::Scores scores_of(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  return reference::volume_capacity(cycle, {0, 1});
}

reference::Scores scores_of(const Question& question) { return scores_of(question, release("v1.37")); }

/// Whether the storage that the pod would use on n1 is known.
bool is_clear(const Question& question) {
  const Release named = release("v1.37");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, named, trace);
  return reference::storage_use_is_clear(cycle, cycle.nodes[0]);
}

}  // namespace

// SCORE-CAPACITY-1
TEST(VolumeCapacity, PrefersTheNodeWithMoreStorage) {
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n2", 30));
  EXPECT_EQ(scores_of(stored), Points({95, 84}));  // 5 % and 16 % used
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, SharesOneCapacityAmongTheVolumesThatAreMade) {
  Stored stored = with_claims({waiting("a", 5), waiting("b", 10)});
  stored.with(report("n1", 100)).with(report("n2", 10));
  EXPECT_EQ(scores_of(stored), Points({85, 0}));  // on n2 both fit one by one, but not together
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, AddsUpTheVolumesThatAreTaken) {
  Stored stored = with_claims({waiting("a", 5), waiting("b", 10)});
  for (const std::string node : {"n1", "n2"})
    stored.with(on(node, available("small", 5))).with(on(node, available("large", node == "n1" ? 25 : 10)));
  EXPECT_EQ(scores_of(stored), Points({50, 0}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, IgnoresVolumesThatAreMadeBesideOnesThatAreTaken) {
  Stored stored = with_claims({waiting("a", 5), of_class(waiting("b", 5), "another")});
  stored.with(another_class("another")).with(on("n1", available("v", 10)));
  for (const std::string node : {"n1", "n2"}) {
    stored.with(report(node, 100)).with(report(node, 100, "another"));
  }
  EXPECT_EQ(scores_of(stored), Points({50, 95}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, RoundsTheMeanOfTheClasses) {
  Stored stored = with_claims({waiting("a", 5), of_class(waiting("b", 5), "another")});
  stored.with(another_class("another"));
  stored.with(report("n1", 100)).with(report("n1", 5, "another"));   // 95 and 0
  stored.with(report("n2", 100)).with(report("n2", 50, "another"));  // 95 and 90
  EXPECT_EQ(scores_of(stored), Points({48, 93}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, CountsAClassWithoutAnyCapacityAsFull) {
  Stored stored = with_claims({waiting("a", 0)});
  stored.with(report("n1", 0)).with(report("n2", 100));
  EXPECT_EQ(scores_of(stored), Points({0, 100}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, FollowsTheShapeOfTheConfiguration) {
  Release configured = release("v1.37");
  configured.storage_shape = {{0, 0}, {100, 10}};
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n2", 10));
  EXPECT_EQ(scores_of(stored, configured), Points({5, 50}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, CountsAClaimThatIsPromisedAVolume) {
  PersistentVolumeClaim promised = waiting("a", 5);
  promised.selected_node = "n1";
  Stored stored = with_claims({promised});
  stored.with(report("n1", 10)).with(on("n1", available("v", 5)));
  const Release named = release("v1.37");
  Trace trace = Trace::none();
  const Question& question = stored;
  const reference::Cycle cycle(question, named, trace);
  EXPECT_EQ(reference::volume_capacity(cycle, {0}), Points({50}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, IsZeroForAPodWithoutVolumesToTakeOrMake) {
  EXPECT_EQ(scores_of(with_claims({})), Points({0, 0}));
  Stored bound = with_claims({claim("a", "v")});
  bound.with(volume("v"));
  EXPECT_EQ(scores_of(bound), Points({0, 0}));
  Stored unlimited = with_claims({waiting("a", 5)});
  unlimited.with(CsiDriver{"d", false, false});
  EXPECT_EQ(scores_of(unlimited), Points({0, 0}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, IsZeroIfTheFilterDoesNotRun) {
  Release configured = release("v1.37");
  std::erase(configured.filter_groups, std::vector<Filter>{Filter::volume_binding});
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n2", 100));
  EXPECT_EQ(scores_of(stored), Points({95, 95}));
  EXPECT_EQ(scores_of(stored, configured), Points({0, 0}));
}

// SCORE-CAPACITY-1: a claim without a request uses nothing of the volume that it takes.
TEST(VolumeCapacity, UsesNothingForAClaimWithoutASize) {
  PersistentVolumeClaim of_any_size = waiting("a");
  of_any_size.storage.reset();
  EXPECT_EQ(scores_of(with_claims({of_any_size}).with(available("v", 10))), Points({100, 100}));
}

// SCORE-CAPACITY-1, PRE-BIND-2: the smaller claim takes the only volume, although the pod names the larger
// one first.
TEST(VolumeCapacity, MatchesTheSmallestClaimFirst) {
  Stored stored = with_claims({waiting("large", 10), waiting("small", 5)});
  stored.with(available("v", 10)).with(report("n1", 100)).with(report("n2", 100));
  EXPECT_EQ(scores_of(stored), Points({50, 50}));
}

// SCORE-CAPACITY-1: driver e of claim a reports no storage, driver d of claim b does.
TEST(VolumeCapacity, LeavesOutAClaimWhoseDriverReportsNoStorage) {
  Stored stored = with_claims({of_class(waiting("a"), "plain"), waiting("b", 5)});
  stored.with(StorageClass{"plain", "e", "WaitForFirstConsumer", {}});
  EXPECT_EQ(scores_of(stored.with(report("n1", 10)).with(report("n2", 10))), Points({50, 50}));
}

// SCORE-CAPACITY-1: 995 of 1000 bytes are 99 %, rounded down.
TEST(VolumeCapacity, RoundsTheShareDown) {
  Stored stored = with_claims({waiting("a", 995)});
  EXPECT_EQ(scores_of(stored.with(report("n1", 1000)).with(report("n2", 1000))), Points({1, 1}));
}

// SCORE-CAPACITY-1, SCORE-SET-2: 100 times the request exceeds 64 bits and wraps to a number below 0, which
// scores like 0 %. If more than the capacity is requested, the release takes 100 % without this product.
TEST(VolumeCapacity, WrapsTheUtilizationOfAFullCapacity) {
  constexpr Quantity k_huge = 100'000'000'000'000'000;
  Stored full = with_claims({waiting("a", k_huge)});
  EXPECT_EQ(scores_of(full.with(report("n1", k_huge)).with(report("n2", k_huge))), Points({100, 100}));
  const Quantity more = k_huge / 2 * 3;
  Stored exceeded = with_claims({waiting("a", more), waiting("b", more)});
  exceeded.with(report("n1", 2 * k_huge)).with(report("n2", 2 * k_huge));
  EXPECT_EQ(scores_of(exceeded), Points({0, 0}));
}

// SCORE-CAPACITY-1
TEST(VolumeCapacity, IsSkippedBeforeV1_37) {
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n2", 100));
  EXPECT_EQ(scores_of(stored, release("v1.36")), std::nullopt);
}

// SCORE-CAPACITY-1
TEST(StorageUse, IsClearIfNoRandomChoiceMatters) {
  Stored stored = with_claims({waiting("a", 5)});
  EXPECT_TRUE(is_clear(with_claims({})));
  stored.with(report("n1", 100)).with(report("n1", 100, "late", "-again"));
  EXPECT_TRUE(is_clear(stored));
  stored.with(report("n1", 99, "late", "-less"));
  EXPECT_FALSE(is_clear(stored));
}

// SCORE-CAPACITY-1
TEST(StorageUse, IsNotClearIfEqualVolumesLeaveDifferentOnesToOthers) {
  PersistentVolumeClaim picky = waiting("b", 5);
  picky.selector = LabelSelector{{{"fast", "yes"}}, {}};
  PersistentVolume fast = available("fast", 5);
  fast.labels["fast"] = "yes";
  PersistentVolume large = available("large", 50);
  large.labels["fast"] = "yes";
  Stored stored = with_claims({waiting("a", 5), picky});
  stored.with(fast).with(available("slow", 5));
  stored.with(large);
  EXPECT_FALSE(is_clear(stored));
}

// SCORE-CAPACITY-1, PRE-BIND-2: of several volumes that are reserved for a claim, one is taken at random.
TEST(StorageUse, IsNotClearIfReservedVolumesDifferInSize) {
  const auto reserved = [](const std::string& name, Quantity size) {
    PersistentVolume volume = available(name, size);
    volume.claim = {"default", "a", ""};
    return volume;
  };
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(reserved("v1", 10)).with(reserved("v2", 10));
  EXPECT_TRUE(is_clear(stored));
  EXPECT_FALSE(is_clear(stored.with(reserved("v3", 20))));
}

// SCORE-CAPACITY-1
TEST(StorageUse, IsNotClearWithoutACapacity) {
  Stored stored = with_claims({waiting("a", 5)});
  CsiStorageCapacity without = report("n1", 0);
  without.capacity.reset();
  without.maximum_volume_size = 10;
  stored.with(without);
  EXPECT_FALSE(is_clear(stored));
}

// SCORE-CAPACITY-1
TEST(StorageUse, IsNotClearWithTooManyCombinations) {
  Stored stored = with_claims({waiting("a", 5), waiting("b", 5), waiting("c", 5)});
  for (int i = 0; i < 10; ++i) stored.with(report("n1", 100, "late", std::to_string(i)));
  EXPECT_TRUE(is_clear(stored));
  stored.with(report("n1", 100, "late", "10"));  // 1331 combinations instead of 1000
  EXPECT_FALSE(is_clear(stored));
}

// SCORE-CAPACITY-1: 7 * 11 * 13 = 1001 ways to take a report for each claim are one more than the limit.
TEST(StorageUse, IsNotClearWithAThousandAndOneCombinations) {
  const std::vector<std::pair<std::string, int>> classes = {{"k7", 7}, {"k11", 11}, {"k13", 13}};
  std::vector<PersistentVolumeClaim> claims;
  for (const auto& [name, count] : classes) claims.push_back(of_class(waiting(name), name));
  Stored stored = with_claims(claims);
  for (const auto& [name, count] : classes) {
    stored.with(another_class(name));
    for (int i = 0; i < count; ++i) stored.with(report("n1", 10, name, std::to_string(i)));
  }
  EXPECT_FALSE(is_clear(stored));
}

// SCORE-CAPACITY-1
TEST(StorageUse, SkipsThePlacementWhereItIsNotClear) {
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n1", 99, "late", "-less")).with(report("n2", 100));
  const Question question = stored;
  EXPECT_EQ(reference::schedule(question, release("v1.37")).decision.outcome, Outcome::skipped);
  EXPECT_EQ(reference::schedule(question, release("v1.36")).decision.outcome, Outcome::fits);
}

// SCORE-CAPACITY-1: the step has the capacity that n1 reaches, not that of n2.
TEST(VolumeCapacity, RecordsTheUseOfAClassInTheTrace) {
  Stored stored = with_claims({waiting("a", 5)});
  stored.with(report("n1", 100)).with(report("n2", 30));
  const Release named = release("v1.37");
  Trace trace = Trace::full();
  const reference::Cycle cycle(stored, named, trace);
  reference::volume_capacity(cycle, {0});
  ASSERT_EQ(trace.steps().size(), 1u);
  const Step& step = trace.steps().front();
  EXPECT_EQ(step.clause, "SCORE-CAPACITY-1");
  EXPECT_EQ(step.node, 0u);
  EXPECT_EQ(step.what, "late");
  EXPECT_TRUE(step.passed);
  EXPECT_EQ(step.values,
            (Values{{Measure::requested, 5}, {Measure::allocatable, 100}, {Measure::score, 95}}));
}

}  // namespace touchstone::tests::volume_capacity_test
