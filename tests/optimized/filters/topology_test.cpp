#include "tests/support/topology.hpp"

#include "tests/optimized/agreed.hpp"

/// Small clusters for the clauses of inter-pod affinity and topology spread that depend on nominated pods, on
/// nodes without a label, or on the order of filters.
namespace touchstone::tests::optimized_filter_topology_test {

namespace {

Pod app(const std::string& name, Quantity priority, const std::string& which) {
  return with_app(pod(name, priority, 0), which);
}

/// A pod that needs cpu. So the nodes with cpu 0 of these tests only form domains.
Pod preemptor() { return with_app(pod("p", 10, 100), "x"); }

constexpr const char* k_zone_key = "zone";

}  // namespace

// PRE-AFFINITY-3, PRE-AFFINITY-5: up to v1.18 the preemptor's terms do not see the nominated pod q, and the
// node need not have the topologyKey. So the preemptor may be the first pod of its group.
TEST(OptimizedFilterTopology, ANominatedPodIsNotTheFirstOfItsGroupUpToV118) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .nominated(app("q", 10, "x"))
                                .asks(near(preemptor(), {by(k_zone_key, "x")}));
  for (const char* version : {"v1.9", "v1.10", "v1.11", "v1.12", "v1.17", "v1.18"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::fits) << version;
  EXPECT_EQ(agreed(question, "v1.19").outcome, Outcome::none);
}

// PRE-AFFINITY-5, PRE-FILTER-1: q satisfies the affinity of the preemptor, but v1.18 does not see it there.
// So InterPodAffinity rejects the node, before PodTopologySpread, and no eviction helps.
TEST(OptimizedFilterTopology, AffinityDoesNotSeeNominatedPodsInV118) {
  Pod p = spread(near(pod("p", 10, 0), {by(k_zone_key, "x")}), {over("rack", "x")});
  const Question question =
      in_zones(QuestionBuilder().node("n1", 1000).nominated(app("q", 10, "x")).asks(p), {"a"});
  EXPECT_EQ(agreed(question, "v1.18").nomination, Nomination::cleared);
  EXPECT_EQ(agreed(question, "v1.22").outcome, Outcome::none);
}

// PRE-FIT-1, PRE-NOMINATED-1: with the nominated pod q, a node for one pod has no place left. Then the node
// is U and the nomination is kept. A node for two pods is rejected by affinity alone, and the nomination is
// cleared.
TEST(OptimizedFilterTopology, ANominatedPodTakesAPlace) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .nominated(app("q", 10, "x"))
                          .asks(near(pod("p", 10, 0), {by(k_zone_key, "y")}));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(agreed(question, "v1.14").nomination, Nomination::kept);
  question.cluster.nodes[0].allocatable["pods"] = 2;
  EXPECT_EQ(agreed(question, "v1.14").nomination, Nomination::cleared);
}

// PRE-AFFINITY-1, PRE-AFFINITY-7: a term without a labelSelector matches no pod. The term behind it counts
// all the same.
TEST(OptimizedFilterTopology, EachTermOfAnotherPodMayRepel) {
  PodAffinityTerm of_none;
  of_none.topology_key = k_zone_key;
  const auto asks = [](const Pod& other) {
    return in_zones(QuestionBuilder().node("n1", 1000).has(other).asks(preemptor()), {"a"});
  };
  for (const char* version : {"v1.10", "v1.13", "v1.34"}) {
    const Pod other = app("a", 20, "y");
    EXPECT_EQ(agreed(asks(away(other, {of_none, by(k_zone_key, "x")})), version).outcome, Outcome::none);
    EXPECT_EQ(agreed(asks(away(other, {of_none, by(k_zone_key, "z")})), version).outcome, Outcome::fits);
  }
}

// PRE-SPREAD-6, PRE-NOMINATED-1: a dry run filters the node with and without the nominated pod q. The
// eviction of a lowers the count of the domain in both cases.
TEST(OptimizedFilterTopology, AnEvictionMakesRoomBesideANominatedPod) {
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 1000)
                                         .has(app("a", 0, "x"))
                                         .nominated(app("q", 10, "y"))
                                         .node("n2", 0)
                                         .asks(spread(preemptor(), {over(k_zone_key, "x")})),
                                     {"a", "b"});
  for (const char* version : {"v1.20", "v1.38"})
    EXPECT_EQ(agreed(question, version).victims, std::vector<PodIndex>{0}) << version;
}

// PRE-SPREAD-4: from v1.19 to v1.23 the pods of a node without the label count in the domain of the empty
// value.
TEST(OptimizedFilterTopology, PodsWithoutADomainCountInThatOfTheEmptyValue) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 0)
                                   .has(app("a", 20, "x"))
                                   .node("n2", 1000)
                                   .node("n3", 0)
                                   .asks(spread(preemptor(), {over(k_zone_key, "x")})),
                               {"", "", "b"});
  question.cluster.nodes[1].labels[k_zone_key] = "";
  EXPECT_EQ(agreed(question, "v1.18").outcome, Outcome::fits);
  EXPECT_EQ(agreed(question, "v1.21").outcome, Outcome::none);
  EXPECT_EQ(agreed(question, "v1.24").outcome, Outcome::fits);
}

// PRE-SPREAD-7: zone b has the smallest count, 0. With its two nominated pods it has the largest, and zone a
// has the smallest.
TEST(OptimizedFilterTopology, TheSmallestCountMayBecomeTheLargest) {
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 0)
                                         .has(app("a", 20, "x"))
                                         .node("n2", 1000)
                                         .nominated(app("b", 10, "x"))
                                         .nominated(app("c", 10, "x"))
                                         .asks(spread(preemptor(), {over(k_zone_key, "x")})),
                                     {"a", "b"});
  for (const char* version : {"v1.20", "v1.34"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
}

// PRE-SPREAD-7, PRE-ELIGIBLE-3: an absent minDomains is 1. No node has both labels, so no domain exists, and
// the smallest count is 0. With maxSkew 1 the second constraint makes n1 unresolvable, by the label that is
// missing. With maxSkew 0 the first constraint rejects n1, which is not unresolvable then: the preemptor
// waits for its victim.
TEST(OptimizedFilterTopology, OneDomainIsWantedByDefault) {
  Pod leaving = pod("a", 0, 0);
  leaving.terminating = true;
  leaving.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  std::vector<TopologySpreadConstraint> constraints = {over(k_zone_key, "x"), over("rack", "x")};
  Question question =
      in_zones(QuestionBuilder().node("n1", 1000).has(leaving).asks(spread(preemptor(), constraints)), {"a"});
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::none);
  question.pod.topology_spread[0].max_skew = 0;
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::ineligible);
}

// PRE-AFFINITY-3, PRE-AFFINITY-4, PRE-SPREAD-7: pod a, on n2, decides. No eviction on n1 changes a count, so
// n1 needs no dry run. n2 needs one unless it is unschedulable.
TEST(OptimizedFilterTopology, ANodeWhoseCountsNoPodChangesNeedsNoDryRun) {
  const auto dry_runs = [](const Pod& asking) {
    return agreed(in_zones(QuestionBuilder()
                               .node("n1", 1000)
                               .has(app("low", 0, "y"))
                               .node("n2", 1000)
                               .has(app("low-2", 0, "y"))
                               .has(app("a", 20, "x"))
                               .node("n3", 0)
                               .asks(asking),
                           {"a", "a", "b"}),
                  "v1.34")
        .dry_runs;
  };
  EXPECT_EQ(dry_runs(away(preemptor(), {by(k_zone_key, "x")})), 1u);
  EXPECT_EQ(dry_runs(spread(preemptor(), {over(k_zone_key, "x")})), 1u);
  Question attracted = in_zones(QuestionBuilder()
                                    .node("n1", 1000)
                                    .has(app("low", 0, "y"))
                                    .node("n2", 1000)
                                    .has(app("a", 20, "x"))
                                    .asks(near(pod("p", 10, 0), {by(k_zone_key, "x")})),
                                {"b", "a"});
  attracted.cluster.nodes[1].unschedulable = true;
  EXPECT_EQ(agreed(attracted, "v1.11").dry_runs, 0u);
}

}  // namespace touchstone::tests::optimized_filter_topology_test
