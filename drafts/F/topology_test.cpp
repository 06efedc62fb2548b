// For tests/optimized/filters/topology_test.cpp
#include "tests/support/topology.hpp"

#include "tests/optimized/agreed.hpp"

namespace touchstone::tests::optimized_filter_topology_more_test {

namespace {

// These three are in the file already.
Pod app(const std::string& name, Quantity priority, const std::string& which) {
  return with_app(pod(name, priority, 0), which);
}
Pod preemptor() { return with_app(pod("p", 10, 100), "x"); }
constexpr const char* k_zone_key = "zone";

/// A terminating pod of lower priority. A pod that is nominated to its node waits for it, unless the node is
/// unresolvable (PRE-ELIGIBLE-2, PRE-ELIGIBLE-3).
Pod leaving(Pod pod) {
  pod.terminating = true;
  pod.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  return pod;
}

/// A selector that also matches a namespace without labels.
LabelSelector without_team() { return {{}, {{"team", "DoesNotExist", {}}}}; }

}  // namespace

// PRE-AFFINITY-2, PRE-AFFINITY-9: the pod on n1 forbids the preemptor, and no pod satisfies its affinity.
// From v1.19 the affinity comes first, and makes n1 unresolvable. Otherwise the preemptor would wait for the
// pod.
TEST(OptimizedFilterTopology, UnmetAffinityComesBeforeTheTermsOfOthers) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(leaving(away(app("a", 0, "z"), {by(k_zone_key, "x")})))
                                   .asks(near(preemptor(), {by(k_zone_key, "y")})),
                               {"a"});
  question.pod.nominated_node_name = "n1";
  for (const char* version : {"v1.11", "v1.18", "v1.19", "v1.27"}) agreed(question, version);
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::none);
}

// PRE-AFFINITY-6: v1.18 counts the terms of other pods by another namespace when it removes them. Each of the
// two pods still counts once, so a forbids the preemptor after the eviction of b.
TEST(OptimizedFilterTopology, AnEvictedPodSubtractsItsTermOnce) {
  const std::vector<PodAffinityTerm> terms = {by(k_zone_key, "x")};
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 1000)
                                         .has(away(app("b", 0, "y"), terms))
                                         .node("n2", 0)
                                         .has(away(app("a", 20, "y"), terms))
                                         .asks(preemptor()),
                                     {"a", "a"});
  for (const char* version : {"v1.17", "v1.18", "v1.19", "v1.34"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
}

// PRE-AFFINITY-1, PRE-AFFINITY-3: whether the preemptor satisfies its own term, and may be the first of its
// group. The selector matches a namespace without labels. From v1.34 to v1.36 it is matched against no labels
// for the preemptor, even if the namespace has labels.
TEST(OptimizedFilterTopology, AnOwnNamespaceSelectorIsNotReadAsThatOfAnotherPod) {
  PodAffinityTerm term = by(k_zone_key, "x");
  term.namespace_selector = without_team();
  Question question = in_zones(QuestionBuilder().node("n1", 1000).asks(near(preemptor(), {term})), {"a"});
  EXPECT_EQ(agreed(question, "v1.30").outcome, Outcome::none);
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::fits);
  question.cluster.namespaces["default"] = {{"team", "a"}};
  EXPECT_EQ(agreed(question, "v1.30").outcome, Outcome::none);
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::fits);
  EXPECT_EQ(agreed(question, "v1.37").outcome, Outcome::none);
}

// PRE-AFFINITY-4, PRE-AFFINITY-5, PRE-AFFINITY-7: n1 has no zone, so no term over zones concerns the
// nominated pod q there.
TEST(OptimizedFilterTopology, ANominatedPodOnANodeWithoutTheLabelForbidsNothing) {
  const auto outcome_of = [](const Pod& nominated, const Pod& asking, const char* version) {
    return agreed(QuestionBuilder().node("n1", 1000).nominated(nominated).asks(asking), version).outcome;
  };
  for (const char* version : {"v1.14", "v1.19", "v1.34"}) {
    EXPECT_EQ(outcome_of(app("q", 10, "x"), away(preemptor(), {by(k_zone_key, "x")}), version),
              Outcome::fits);
    EXPECT_EQ(outcome_of(away(app("q", 10, "y"), {by(k_zone_key, "x")}), preemptor(), version),
              Outcome::fits);
  }
}

// PRE-AFFINITY-3: pod a counts for the term over zones, but n2 has no rack. So the preemptor is not the first
// of its group, and n1 has to be near a.
TEST(OptimizedFilterTopology, APodThatCountsForOneTermIsAFirstPod) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .node("n2", 0)
                                   .has(app("a", 20, "x"))
                                   .asks(near(preemptor(), {by(k_zone_key, "x"), by("rack", "x")})),
                               {"a", "b"});
  question.cluster.nodes[0].labels["rack"] = "r";
  for (const char* version : {"v1.11", "v1.13", "v1.19", "v1.34"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
}

// PRE-SPREAD-7: zone b has the smallest count, 0. With its nominated pod all zones have one pod, and the skew
// of the preemptor is 1.
TEST(OptimizedFilterTopology, TheSmallestCountMayRise) {
  const Question question = in_zones(QuestionBuilder()
                                         .node("n1", 0)
                                         .has(app("a", 20, "x"))
                                         .node("n2", 1000)
                                         .nominated(app("b", 10, "x"))
                                         .asks(spread(preemptor(), {over(k_zone_key, "x")})),
                                     {"a", "b"});
  for (const char* version : {"v1.20", "v1.34"})
    EXPECT_EQ(agreed(question, version).outcome, Outcome::fits) << version;
}

// PRE-SPREAD-1, PRE-SPREAD-7, PRE-ELIGIBLE-3: n1 has no rack, so zone a does not count as a domain. The
// smallest count is that of zone b, 1. So the skew on n1 is 0, and it is the missing label that makes n1
// unresolvable.
TEST(OptimizedFilterTopology, AZoneThatIsNoDomainHasNoSmallestCount) {
  std::vector<TopologySpreadConstraint> constraints = {over(k_zone_key, "x"), over("rack", "x")};
  constraints[0].max_skew = 0;
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(leaving(pod("low", 0, 0)))
                                   .node("n2", 0)
                                   .has(app("a", 20, "x"))
                                   .asks(spread(preemptor(), constraints)),
                               {"a", "b"});
  question.cluster.nodes[1].labels["rack"] = "r";
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::none);
}

// PRE-SPREAD-4: from v1.19 to v1.23 the pod on n3 counts in zone a, although n3 has no rack. It does not
// matter which of the two constraints comes first.
TEST(OptimizedFilterTopology, PodsOfANodeWithoutOneOfTwoLabelsCountByTheOther) {
  std::vector<TopologySpreadConstraint> constraints = {over(k_zone_key, "x"), over("rack", "x")};
  for (const bool is_reversed : {false, true}) {
    if (is_reversed) std::swap(constraints[0], constraints[1]);
    Question question = in_zones(QuestionBuilder()
                                     .node("n1", 1000)
                                     .node("n2", 0)
                                     .node("n3", 0)
                                     .has(app("a", 20, "x"))
                                     .asks(spread(preemptor(), constraints)),
                                 {"a", "b", "a"});
    question.cluster.nodes[0].labels["rack"] = "r";
    question.cluster.nodes[1].labels["rack"] = "s";
    EXPECT_EQ(agreed(question, "v1.18").outcome, Outcome::fits);
    EXPECT_EQ(agreed(question, "v1.21").outcome, Outcome::none);
    EXPECT_EQ(agreed(question, "v1.24").outcome, Outcome::fits);
  }
}

// PRE-SPREAD-2, PRE-SPREAD-4: from v1.27 an empty selector counts no pod at first, but not one to which
// matchLabelKeys adds a label. A constraint without a selector counts none.
TEST(OptimizedFilterTopology, AnEmptySelectorWithMatchLabelKeysCounts) {
  TopologySpreadConstraint constraint = over(k_zone_key, "x");
  const auto outcome_of = [&constraint](const char* version) {
    return agreed(in_zones(QuestionBuilder()
                               .node("n1", 1000)
                               .has(app("a", 20, "x"))
                               .node("n2", 0)
                               .asks(spread(preemptor(), {constraint})),
                           {"a", "b"}),
                  version)
        .outcome;
  };
  constraint.label_selector = LabelSelector{};
  EXPECT_EQ(outcome_of("v1.26"), Outcome::none);
  EXPECT_EQ(outcome_of("v1.27"), Outcome::fits);
  constraint.match_label_keys = {"app"};
  EXPECT_EQ(outcome_of("v1.27"), Outcome::none);
  constraint.label_selector.reset();
  for (const char* version : {"v1.18", "v1.27", "v1.34"}) EXPECT_EQ(outcome_of(version), Outcome::fits);
}

// PRE-SPREAD-1, SCORE-SPREAD-2: a default constraint of a configuration has the selector of the pod's
// Service. Its matchLabelKeys are not read. The preemptor has another version than pod a.
TEST(OptimizedFilterTopology, DefaultConstraintsHaveNoMatchLabelKeys) {
  Release asked = release("v1.34");
  asked.system_constraints = false;
  asked.default_constraints = {over(k_zone_key, "x")};
  asked.default_constraints[0].label_selector.reset();
  asked.default_constraints[0].match_label_keys = {"version"};
  Pod old = app("a", 20, "x");
  old.labels["version"] = "1";
  Pod p = preemptor();
  p.labels["version"] = "2";
  Question question = in_zones(QuestionBuilder().node("n1", 1000).has(old).node("n2", 0).asks(p), {"a", "b"});
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  EXPECT_EQ(agreed(question, asked).outcome, Outcome::none);
}

}  // namespace touchstone::tests::optimized_filter_topology_more_test
