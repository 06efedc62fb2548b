#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// Both engines skip what is not modelled (spec/clauses/README.md), and answer similar questions.
namespace touchstone::tests::optimized_not_handled_test {

namespace {

/// The outcome on a snapshot that was changed. It is not compared with the reference.
Outcome outcome_on(const optimized::Snapshot& snapshot, const Question& question) {
  optimized::Workers workers(1);
  return optimized_answer(snapshot, question, workers).outcome;
}

LabelSelector invalid() { return {{}, {{"app", "Near", {"x"}}}}; }

PodAffinityTerm invalid_term() {
  PodAffinityTerm term = by("zone", "x");
  term.label_selector = invalid();
  return term;
}

QuestionBuilder one_node() { return QuestionBuilder().node("n1", 1000); }

/// The preemptor has `claims` claims, each of another size. For each claim there are `volumes` equal volumes
/// of its size.
Question with_equal_volumes(std::size_t claims, std::size_t volumes) {
  Pod p = pod("p", 10, 0);
  for (std::size_t i = 0; i < claims; ++i) p = with_claim(std::move(p), "c" + std::to_string(i));
  Stored stored(one_node().asks(p));
  stored.with(late("kubernetes.io/no-provisioner"));
  for (std::size_t i = 0; i < claims; ++i) {
    const auto size = static_cast<Quantity>(i + 1);
    stored.with(waiting("c" + std::to_string(i), size));
    for (std::size_t k = 0; k < volumes; ++k)
      stored.with(available("v" + std::to_string(i) + "-" + std::to_string(k), size));
  }
  return stored;
}

/// The preemptor has a claim for each number in `volumes`, with that many volumes reserved for it. The
/// volumes of a claim differ in size, so each of them is another way to bind the claim.
Question with_reserved_volumes(const std::vector<std::size_t>& volumes) {
  Pod p = pod("p", 10, 0);
  for (std::size_t i = 0; i < volumes.size(); ++i) p = with_claim(std::move(p), "c" + std::to_string(i));
  Stored stored(one_node().asks(p));
  stored.with(late("kubernetes.io/no-provisioner"));
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::string name = "c" + std::to_string(i);
    stored.with(waiting(name));
    for (std::size_t k = 0; k < volumes[i]; ++k) {
      PersistentVolume reserved = available(name + "-" + std::to_string(k), static_cast<Quantity>(5 + k));
      reserved.claim = ClaimReference{"default", name, ""};
      stored.with(reserved);
    }
  }
  return stored;
}

/// The preemptor has two more claims, and there are two volumes of one size. The claim d finds a volume only
/// if the claim c does not take w. The scheduler chooses the volume of c at random.
Stored with_chance(Pod preemptor) {
  PersistentVolumeClaim picky = waiting("d");
  picky.selector = LabelSelector{{{"tier", "a"}}, {}};
  PersistentVolume labelled = available("w");
  labelled.labels["tier"] = "a";
  Stored stored(one_node().asks(with_claim(with_claim(std::move(preemptor), "c"), "d")));
  stored.with(waiting("c")).with(picky).with(available("v")).with(labelled);
  return stored.with(late("kubernetes.io/no-provisioner"));
}

}  // namespace

// PRE-AFFINITY-1, PRE-NODEAFFINITY-3: "Near" is no operator, so the selector is invalid.
TEST(OptimizedSkips, InvalidTermsOfThePreemptor) {
  const Pod p = pod("p", 10, 0);
  EXPECT_EQ(outcome(one_node().asks(near(p, {invalid_term()})), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().asks(away(p, {invalid_term()})), "v1.34"), Outcome::skipped);
  PodAffinityTerm term = by("zone", "x");
  term.namespace_selector = invalid();
  EXPECT_EQ(outcome(one_node().asks(away(p, {term})), "v1.34"), Outcome::skipped);
}

// PRE-AFFINITY-1, PRE-INPUT-3: the terms of an entry of the preemptor itself do not count.
TEST(OptimizedSkips, InvalidTermsOfOtherPods) {
  const Pod other = away(pod("a", 20, 0), {invalid_term()});
  const Pod own = away(pod("p", 20, 0), {invalid_term()});
  const Pod p = pod("p", 10, 0);
  EXPECT_EQ(outcome(one_node().has(other).asks(p), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().nominated(other).asks(p), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().nominated(own).asks(p), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(one_node().has(own).nominated(pod("b", 20, 0)).asks(p), "v1.34"), Outcome::fits);
}

// PRE-SPREAD-1, PRE-SPREAD-2: the filter runs from v1.18 on, and reads only constraints with DoNotSchedule.
TEST(OptimizedSkips, InvalidConstraintsThatTheFilterReads) {
  TopologySpreadConstraint constraint = over("zone", "x");
  constraint.label_selector = invalid();
  Question question = one_node().asks(spread(pod("p", 10, 0), {constraint}));
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(question, "v1.17"), Outcome::fits);
  question.pod.topology_spread[0].when_unsatisfiable = "ScheduleAnyway";
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::fits);
}

// PRE-SPREAD-6: a configuration runs PodTopologySpread before NodeAffinity, and the preemptor has node
// affinity.
TEST(OptimizedSkips, SpreadingThatSeesNodesWhichNodeAffinityRejects) {
  Release spread_first = release("v1.21");
  std::erase(spread_first.filter_groups, std::vector<Filter>{Filter::pod_topology_spread});
  spread_first.filter_groups.insert(spread_first.filter_groups.begin(), {Filter::pod_topology_spread});
  const auto is_skipped = [&spread_first](const Pod& pod) {
    return agreed(in_zones(one_node().asks(pod), {"a"}), spread_first).outcome == Outcome::skipped;
  };
  const Pod p = spread(pod("p", 10, 0), {over("zone", "x")});
  EXPECT_FALSE(is_skipped(p));
  Pod selecting = p;
  selecting.node_selector["zone"] = "a";
  EXPECT_TRUE(is_skipped(selecting));
  Pod with_terms = p;
  with_terms.node_affinity = {{{{"zone", "In", {"a"}}}, {}}};
  EXPECT_TRUE(is_skipped(with_terms));
}

// Up to v1.11 the release may report an error if a pod is on a node that is not in the cluster, and a term
// may concern the preemptor. The only such term is that of pod a, until a is removed.
TEST(OptimizedSkips, PodsOnMissingNodesWhileATermMatchesThePreemptor) {
  Question question =
      one_node().has(away(pod("a", 20, 0), {by("zone", "x")})).asks(with_app(pod("p", 10, 0), "x"));
  question.cluster.pods.push_back(pod("lost", 0, 0));
  question.cluster.pods.back().node_name = "nowhere";
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::skipped);
  optimized::Snapshot snapshot(question.cluster, release("v1.11"));
  snapshot.remove_pod(0);
  EXPECT_EQ(outcome_on(snapshot, question), Outcome::fits);
}

// PRE-FILTER-1: from v1.34 the filter DynamicResources runs, which is not modelled.
TEST(OptimizedSkips, ResourceClaimsFromV134) {
  Question question = one_node().asks(pod("p", 10, 0));
  question.pod.resource_claims = {"gpu"};
  EXPECT_EQ(outcome(question, "v1.33"), Outcome::fits);
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
}

// PRE-ATTACH-2: filters err on an Azure disk that its CSI driver cannot have, because its kind is not
// Managed.
TEST(OptimizedSkips, DisksOfAnyPodThatTheirDriverCannotHave) {
  VolumeSource shared = source("azureDisk", "d");
  shared.disk_kind = "Shared";
  const VolumeSource managed = source("azureDisk", "e");
  const auto asks = [](const VolumeSource& own, const VolumeSource& others) {
    const Question question =
        one_node().has(with_volume(pod("a", 20, 0), others)).asks(with_volume(pod("p", 10, 0), own));
    return Question(Stored(question).with(CsiNode{"n1", {}, {}, {}}));
  };
  EXPECT_EQ(outcome(asks(managed, managed), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(asks(shared, managed), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(asks(managed, shared), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2, PRE-CLAIM-2: the choice among volumes does not matter if a claim is missing or is an unbound
// immediate claim.
TEST(OptimizedSkips, ChanceAmongVolumesUnlessTheClaimsRejectThePod) {
  EXPECT_EQ(outcome(with_chance(pod("p", 10, 0)), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(with_chance(with_claim(pod("p", 10, 0), "missing")), "v1.34"), Outcome::none);
  Stored immediate(one_node().asks(with_claim(pod("p", 10, 0), "c")));
  immediate.with(claim("c"));
  for (const char* name : {"v", "w"}) {
    PersistentVolume free = available(name);
    free.class_name.clear();
    immediate.with(free);
  }
  EXPECT_EQ(outcome(immediate, "v1.18.20"), Outcome::none);
}

// PRE-BIND-2: the choice matters only on n2, which reaches the volumes. It does not matter once n2 is
// removed.
TEST(OptimizedSkips, ChanceOnNodesThatAreThere) {
  Stored stored = with_chance(pod("p", 10, 0));
  stored.with(reached_from(available("v"), "zone", {"a"}));
  PersistentVolume labelled = reached_from(available("w"), "zone", {"a"});
  labelled.labels["tier"] = "a";
  stored.with(labelled);
  Question question = stored;
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes[1].name = "n2";
  question.cluster.nodes[1].labels["zone"] = "a";
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
  optimized::Snapshot snapshot(question.cluster, release("v1.34"));
  snapshot.remove_node(1);
  EXPECT_EQ(outcome_on(snapshot, question), Outcome::none);
}

// PRE-BIND-2: equal volumes are one way to bind a claim. Counted one by one they would give 2^10 and 3^7
// ways, more than the 1,000 that the optimized engine examines (Volumes::chance_decides_on).
TEST(OptimizedSkips, NoChanceAmongEqualVolumes) {
  EXPECT_EQ(outcome(with_equal_volumes(10, 2), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(with_equal_volumes(7, 3), "v1.34"), Outcome::fits);
}

// PRE-BIND-2: no engine examines more than 1,000 ways to bind the claims. Here are 10·10·10 = 1,000 and
// 7·11·13 = 1,001.
TEST(OptimizedSkips, MoreWaysToTakeVolumesThanAThousand) {
  EXPECT_EQ(outcome(with_reserved_volumes({10, 10, 10}), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(with_reserved_volumes({7, 11, 13}), "v1.34"), Outcome::skipped);
}

}  // namespace touchstone::tests::optimized_not_handled_test
