#include "tests/support/topology.hpp"

#include "tests/optimized/agreed.hpp"

/// The smallest clusters of clauses of inter-pod affinity and topology spread that depend on nominated pods,
/// on nodes without a label, or on the order of filters.
namespace touchstone::tests::optimized_filter_topology_test {

namespace {

Pod app(const std::string& name, Quantity priority, const std::string& which) {
  return with_app(pod(name, priority, 0), which);
}

/// It fits on no node without cpu.
Pod preemptor() { return with_app(pod("p", 10, 100), "x"); }

constexpr const char* k_zone_key = "zone";

}  // namespace

// PRE-AFFINITY-3, PRE-AFFINITY-5: up to v1.18 a nominated pod is nowhere, so the preemptor may be the first.
TEST(OptimizedFilterTopology, ANominatedPodIsNotTheFirstOfItsKindUpToV118) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .nominated(app("q", 10, "x"))
                                .asks(near(preemptor(), {by(k_zone_key, "x")}));
  for (const char* version : {"v1.9", "v1.10", "v1.11", "v1.12", "v1.17"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::fits) << version;
  EXPECT_EQ(agreed(question, "v1.19").outcome, Outcome::none);
}

// PRE-AFFINITY-5, PRE-FILTER-1: affinity rejects before PodTopologySpread could, so no eviction helps.
TEST(OptimizedFilterTopology, AffinityDoesNotSeeNominatedPodsInV118) {
  Pod p = spread(near(pod("p", 10, 0), {by(k_zone_key, "x")}), {over("rack", "x")});
  const Question question =
      in_zones(QuestionBuilder().node("n1", 1000).nominated(app("q", 10, "x")).asks(p), {"a"});
  EXPECT_EQ(agreed(question, "v1.18").nomination, Nomination::cleared);
  EXPECT_EQ(agreed(question, "v1.22").outcome, Outcome::none);
}

// PRE-FIT-1, PRE-NOMINATED-1: with the nominated pod no place is left, which an eviction might change.
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

// PRE-AFFINITY-6
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

// PRE-SPREAD-6, PRE-NOMINATED-1: the eviction counts in the pass with nominated pods, too.
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

// PRE-SPREAD-4: up to v1.23 the pods of a node without the label count in the domain of the empty value.
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

// PRE-SPREAD-7: two nominated pods make the domain of fewest pods the one with most.
TEST(OptimizedFilterTopology, TheLeastDomainMayBecomeTheLargest) {
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

// PRE-SPREAD-7, PRE-ELIGIBLE-3: without minDomains, one domain is wanted. No node has both labels, so no
// domain exists, and a skew of 0 cannot be kept. The node is not unresolvable, so the preemptor has to wait.
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

// PRE-AFFINITY-4, PRE-SPREAD-7: the pod that is in the way is on n2. No eviction on n1 helps, so n1 needs no
// dry run.
TEST(OptimizedFilterTopology, ANodeWhoseCountsNoPodChangesNeedsNoDryRun) {
  const auto dry_runs = [](const Pod& preemptor, const std::vector<std::string>& zones, const char* version) {
    return agreed(in_zones(QuestionBuilder()
                               .node("n1", 1000)
                               .has(app("low", 0, "y"))
                               .node("n2", 1000)
                               .has(app("low-2", 0, "y"))
                               .has(app("a", 20, "x"))
                               .node("n3", 0)
                               .asks(preemptor),
                           zones),
                  version)
        .dry_runs;
  };
  const Pod repelled = away(preemptor(), {by(k_zone_key, "x")});
  EXPECT_EQ(dry_runs(repelled, {"a", "a", "b"}, "v1.34"), 1u);
  EXPECT_EQ(dry_runs(spread(preemptor(), {over(k_zone_key, "x")}), {"a", "a", "b"}, "v1.34"), 1u);
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
