#include "tests/support/topology.hpp"

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"

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

/// A selector that also matches a namespace without labels.
LabelSelector without_team() { return {{}, {{"team", "DoesNotExist", {}}}}; }

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
  std::vector<TopologySpreadConstraint> constraints = {over(k_zone_key, "x"), over("rack", "x")};
  Question question =
      in_zones(one_node().has(leaving(pod("a", 0, 0))).asks(spread(preemptor(), constraints)), {"a"});
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

// PRE-AFFINITY-2, PRE-AFFINITY-9: the pod on n1 forbids the preemptor, and no pod satisfies its affinity.
// From v1.19 the affinity is checked first, and makes n1 unresolvable. So the preemptor does not wait for the
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

// PRE-AFFINITY-1, PRE-AFFINITY-3: the preemptor may be the first pod of its group if it satisfies its own
// term. The namespaceSelector matches a namespace without labels. From v1.34 to v1.36 the scheduler takes the
// namespace of the preemptor for one without labels.
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
// pod of its group, and n1 does not satisfy its terms.
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

// PRE-SPREAD-1, PRE-SPREAD-7, PRE-ELIGIBLE-3: n1 has no rack, so zone a is no domain. The smallest count is
// that of zone b, 1. So the skew on n1 is 0, and the missing label makes n1 unresolvable.
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

// PRE-SPREAD-2, PRE-SPREAD-4: from v1.27 the first count of an empty selector is 0. A selector to which
// matchLabelKeys adds a label is not empty. A constraint without a selector counts no pod.
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

// PRE-SPREAD-7, PRE-NOMINATED-1: zone a has no pod but the nominated q and r, so with them the lowest count
// is the one pod of b, not one of the many of c. The preemptor does not fit in a.
TEST(OptimizedFilterTopology, NominatedPodsRaiseTheLowestCountToTheSecondLowest) {
  QuestionBuilder builder;
  builder.node("n1", 1000).nominated(app("q", 20, "x")).nominated(app("r", 20, "x"));
  builder.node("n2", 1000).has(app("b0", 20, "x")).node("n3", 1000);
  for (const char* name : {"c0", "c1", "c2", "c3", "c4"}) builder.has(app(name, 20, "x"));
  const Question question =
      in_zones(builder.asks(spread(preemptor(), {over(k_zone_key, "x")})), {"a", "b", "c"});
  for (const char* version : {"v1.18", "v1.24", "v1.31.3", "v1.36.3"})
    EXPECT_EQ(outcome(question, version), Outcome::none) << version;
}

}  // namespace touchstone::tests::optimized_filter_topology_test
