#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reference/cycle/schedule.hpp"
#include "reference/filters/filters.hpp"
#include "reference/scores/scores.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/topology.hpp"

/// Tests the score of PodTopologySpread: ScheduleAnyway constraints, own and default.
namespace touchstone::tests::score_soft_spread_test {

namespace {

using Row = std::vector<Quantity>;

const std::string k_hostname = "kubernetes.io/hostname";
const std::string k_zone = "topology.kubernetes.io/zone";

TopologySpreadConstraint softly_over(const std::string& key, const std::string& app, Quantity max_skew = 1) {
  TopologySpreadConstraint constraint = over(key, app);
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = max_skew;
  return constraint;
}

Pod app_x(const std::string& name = "a") { return with_app(pod(name, 0, 0), "x"); }
/// The preemptor with label app=x and one constraint over zones.
Pod even() { return spread(app_x("p"), {softly_over("zone", "x")}); }

/// Nodes with this many pods with the label app=x each, in these zones (label "zone").
Question with_pods(const std::vector<std::size_t>& pods, const std::vector<std::string>& zones,
                   Pod preemptor = even()) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    cluster.node("n" + std::to_string(i + 1), 1000);
    for (std::size_t k = 0; k < pods[i]; ++k) cluster.has(app_x());
  }
  return in_zones(cluster.asks(std::move(preemptor)), zones);
}

/// The same with host names and the zone label of the default constraints. A Service selects the pods and the
/// preemptor, which has no constraint.
Question with_service(const std::vector<std::size_t>& pods, const std::vector<std::string>& zones) {
  Question question = with_pods(pods, {}, app_x("p"));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    Labels& labels = question.cluster.nodes[i].labels;
    labels[k_hostname] = question.cluster.nodes[i].name;
    if (!zones[i].empty()) labels[k_zone] = zones[i];
  }
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  return question;
}

reference::Scores scores_by(const Question& question, const Release& of, reference::Nodes nodes = {}) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, of, trace);
  if (nodes.empty()) {
    for (const reference::NodeState& node : cycle.nodes) nodes.push_back(node.index);
  }
  return reference::soft_spread(cycle, nodes);
}
Row scores_of(const Question& question, const char* name = "v1.34", reference::Nodes nodes = {}) {
  return scores_by(question, release(name), std::move(nodes)).value();
}
bool is_skipped(const Question& question, const char* name = "v1.34") {
  return !scores_by(question, release(name)).has_value();
}

/// v1.34 with these default constraints in its configuration.
Release configured(std::vector<TopologySpreadConstraint> constraints) {
  Release configured = release("v1.34");
  configured.system_constraints = false;
  configured.default_constraints = std::move(constraints);
  return configured;
}

}  // namespace

// SCORE-SPREAD-5, SCORE-SPREAD-6
TEST(SoftSpread, PrefersDomainsWithFewerPods) {
  const Question question = with_pods({3, 1}, {"A", "B"});
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{33, 100}));
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{25, 100}));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{25, 100}));
}

// SCORE-SPREAD-5
TEST(SoftSpread, GivesAllNodesAllPointsUpTo118IfNoDomainDiffersFromTheSum) {
  EXPECT_EQ(scores_of(with_pods({3, 0}, {"A", ""}), "v1.18"), (Row{100, 100}));
  EXPECT_EQ(scores_of(with_pods({3, 0}, {"A", ""}), "v1.19"), (Row{100, 0}));
  EXPECT_EQ(scores_of(with_pods({0, 0}, {"A", "B"}), "v1.18"), (Row{100, 100}));
}

// SCORE-SPREAD-5
TEST(SoftSpread, FindsTheLeastDomainInAnyOrder) {
  EXPECT_EQ(scores_of(with_pods({1, 3, 2}, {"A", "B", "C"}), "v1.18"), (Row{100, 60, 80}));
}

// SCORE-SPREAD-6
TEST(SoftSpread, GivesAllPointsWhereNoPodIs) {
  EXPECT_EQ(scores_of(with_pods({0, 0, 0}, {"A", "B", ""}), "v1.34"), (Row{100, 100, 0}));
}

// SCORE-SPREAD-6
TEST(SoftSpread, AddsTheSkewThatIsAllowed) {
  EXPECT_EQ(scores_of(with_pods({3, 1}, {"A", "B"}, spread(app_x("p"), {softly_over("zone", "x", 5)}))),
            (Row{62, 100}));
  EXPECT_EQ(
      scores_of(with_pods({3, 1}, {"A", "B"}, spread(app_x("p"), {softly_over("zone", "x", 5)})), "v1.18"),
      (Row{33, 100}));
}

// SCORE-SPREAD-6
TEST(SoftSpread, TakesEachNodeAsADomainByHostnameFrom119) {
  Question question = with_pods({1, 0}, {}, spread(app_x("p"), {softly_over(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = "same";
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{100, 100}));
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{0, 100}));
  // The preemptor does not fit n1 by its nodeSelector, but the pods of n1 count.
  question.pod.node_selector["disk"] = "ssd";
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{0, 100}));
}

// SCORE-SPREAD-6
TEST(SoftSpread, WeighsHostnamesByTheNumberOfValidNodes) {
  Question question = with_pods({3, 1, 0}, {}, spread(app_x("p"), {softly_over(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{0, 60, 100}));
  EXPECT_EQ(scores_of(question, "v1.34", {0, 1}), (Row{25, 100}));
  question.cluster.nodes[2].labels.clear();
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{25, 100, 0}));
}

// SCORE-SPREAD-6
TEST(SoftSpread, RoundsFrom124) {
  const Question question = with_service({2, 1, 0}, {"A", "A", "B"});
  EXPECT_EQ(scores_of(question, "v1.20"), (Row{46, 61, 100}));
  EXPECT_EQ(scores_of(question, "v1.23"), (Row{46, 61, 100}));
  EXPECT_EQ(scores_of(question, "v1.24"), (Row{46, 53, 100}));
  EXPECT_EQ(scores_of(question, "v1.37"), (Row{46, 53, 100}));
}

// SCORE-SPREAD-4, SCORE-SPREAD-6
TEST(SoftSpread, CountsConstraintsOfOneKeyTogetherUpTo132) {
  Question question =
      with_pods({2, 1}, {"A", "B"}, spread(app_x("p"), {softly_over("zone", "x"), softly_over("zone", "y")}));
  question.cluster.pods.push_back(with_app(pod("b", 0, 0), "y"));
  question.cluster.pods.back().node_name = "n1";
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{33, 100}));
  EXPECT_EQ(scores_of(question, "v1.32"), (Row{33, 100}));
  EXPECT_EQ(scores_of(question, "v1.33"), (Row{25, 100}));
}

// SCORE-SPREAD-1
TEST(SoftSpread, IgnoresConstraintsThatFilter) {
  EXPECT_TRUE(is_skipped(with_pods({3, 1}, {"A", "B"}, spread(app_x("p"), {over("zone", "x")}))));
  EXPECT_EQ(scores_of(with_pods({3, 1}, {"A", "B"},
                                spread(app_x("p"), {over("rack", "x"), softly_over("zone", "x")}))),
            (Row{25, 100}));
}

// SCORE-SPREAD-2
TEST(SoftSpread, HasDefaultConstraintsFrom120) {
  Question question = with_service({2, 1, 0}, {"A", "A", "B"});
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{100, 100, 100}));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{46, 53, 100}));
  Question filtered = question;
  filtered.pod.topology_spread = {over("zone", "x")};
  EXPECT_TRUE(is_skipped(filtered));
  question.cluster.selecting.clear();
  EXPECT_TRUE(is_skipped(question));
}

// SCORE-SPREAD-2
TEST(SoftSpread, TakesDefaultConstraintsOfTheConfiguration) {
  Question question = with_service({3, 1}, {"A", "B"});
  TopologySpreadConstraint constraint = softly_over(k_zone, "ignored");
  constraint.match_label_keys = {"revision"};
  question.pod.labels["revision"] = "2";
  EXPECT_EQ(scores_by(question, configured({constraint})), (Row{25, 100}));
  EXPECT_FALSE(scores_by(question, configured({})).has_value());
  EXPECT_FALSE(scores_by(question, configured({over(k_zone, "ignored")})).has_value());
  // A list needs all keys, unlike the system's constraints.
  question.cluster.nodes[1].labels.erase(k_hostname);
  EXPECT_EQ(scores_by(question, configured({constraint, softly_over(k_hostname, "ignored")})), (Row{100, 0}));
  question.cluster.selecting.clear();
  EXPECT_FALSE(scores_by(question, configured({constraint})).has_value());
}

// SCORE-SPREAD-2, PRE-SPREAD-1
TEST(SoftSpread, LeavesOtherDefaultConstraintsToTheFilter) {
  Question question = with_service({3, 1}, {"A", "B"});
  const Release of = configured({over(k_zone, "ignored")});
  const auto passes = [&of](const Question& asked, NodeIndex node) {
    Trace trace = Trace::none();
    const reference::Cycle cycle(asked, of, trace);
    return reference::pod_topology_spread(cycle, cycle.nodes[node]).ok();
  };
  EXPECT_FALSE(passes(question, 0));
  EXPECT_TRUE(passes(question, 1));
  question.cluster.selecting.clear();
  EXPECT_TRUE(passes(question, 0));
}

// SCORE-SPREAD-3
TEST(SoftSpread, LeavesOutNodesWithoutAllKeys) {
  EXPECT_EQ(scores_of(with_pods({3, 1, 0}, {"A", "B", ""}), "v1.18"), (Row{33, 100, 0}));
  EXPECT_EQ(scores_of(with_pods({3, 1, 0}, {"A", "B", ""}), "v1.34"), (Row{25, 100, 0}));
  EXPECT_EQ(scores_of(with_pods({3, 1}, {}), "v1.18"), (Row{0, 0}));
  EXPECT_EQ(scores_of(with_pods({3, 1}, {}), "v1.34"), (Row{0, 0}));
}

// SCORE-SPREAD-3
TEST(SoftSpread, NeedsAllKeysOfTheSystemsConstraintsUpTo122) {
  const Question question = with_service({2, 0}, {"", ""});
  EXPECT_EQ(scores_of(question, "v1.20.0"), (Row{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.20.15"), (Row{50, 100}));
  EXPECT_EQ(scores_of(question, "v1.21.7"), (Row{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.21.8"), (Row{50, 100}));
  EXPECT_EQ(scores_of(question, "v1.22.4"), (Row{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.22.5"), (Row{50, 100}));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{40, 100}));
}

// SCORE-SPREAD-3
TEST(SoftSpread, TakesMissingLabelsOfTheSystemsConstraintsAsADomain) {
  EXPECT_EQ(scores_of(with_service({1, 0}, {"A", ""})), (Row{22, 100}));
}

// SCORE-SPREAD-3
TEST(SoftSpread, HasDomainsOfFeasibleNodesAlone) {
  const Question question = with_pods({3, 1, 9}, {"A", "B", "C"});
  EXPECT_EQ(scores_of(question, "v1.34", {0, 1}), (Row{25, 100}));
  EXPECT_EQ(scores_of(question, "v1.34", {0, 1, 2}), (Row{78, 100, 14}));
}

// SCORE-SPREAD-4
TEST(SoftSpread, CountsPodsOfNodesThatAreNotFeasible) {
  EXPECT_EQ(scores_of(with_pods({0, 1, 3}, {"A", "B", "A"}), "v1.34", {0, 1}), (Row{25, 100}));
  EXPECT_EQ(scores_of(with_pods({0, 1, 3}, {"A", "B", "A"}), "v1.18", {0, 1}), (Row{33, 100}));
  // A node without all keys does not count.
  Question two_keys = with_pods({3, 1, 9}, {"A", "B", "A"},
                                spread(app_x("p"), {softly_over("zone", "x"), softly_over("rack", "z")}));
  for (const NodeIndex node : {0u, 1u}) two_keys.cluster.nodes[node].labels["rack"] = "r";
  EXPECT_EQ(scores_of(two_keys, "v1.34", {0, 1}), (Row{25, 100}));
}

// SCORE-SPREAD-4
TEST(SoftSpread, CountsPodsOfNodesThatThePreemptorSpreadsOver) {
  Question question = with_pods({3, 1, 9}, {"A", "B", "A"});
  question.pod.node_selector["disk"] = "ssd";
  for (const NodeIndex node : {0u, 1u}) question.cluster.nodes[node].labels["disk"] = "ssd";
  EXPECT_EQ(scores_of(question, "v1.18", {0, 1}), (Row{33, 100}));
  EXPECT_EQ(scores_of(question, "v1.34", {0, 1}), (Row{25, 100}));
  question.pod.topology_spread[0].node_affinity_policy = "Ignore";
  EXPECT_EQ(scores_of(question, "v1.25", {0, 1}), (Row{25, 100}));
  EXPECT_EQ(scores_of(question, "v1.26", {0, 1}), (Row{5, 100}));

  Question tainted = with_pods({3, 1, 9}, {"A", "B", "A"});
  tainted.cluster.nodes[2].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(scores_of(tainted, "v1.34", {0, 1}), (Row{5, 100}));
  tainted.pod.topology_spread[0].node_taints_policy = "Honor";
  EXPECT_EQ(scores_of(tainted, "v1.34", {0, 1}), (Row{25, 100}));
}

// SCORE-SPREAD-4
TEST(SoftSpread, CountsPodsOfTheNamespaceThatAreNotTerminating) {
  Question question = with_pods({3, 1}, {"A", "B"});
  question.cluster.pods[0].terminating = true;
  question.cluster.pods[1].ns = "other";
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{100, 100}));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{100, 100}));
}

// SCORE-SPREAD-4
TEST(SoftSpread, CountsNothingByAnEmptySelectorFrom127) {
  Pod preemptor = even();
  preemptor.topology_spread[0].label_selector = LabelSelector{};
  EXPECT_EQ(scores_of(with_pods({3, 1}, {"A", "B"}, preemptor), "v1.26"), (Row{25, 100}));
  EXPECT_EQ(scores_of(with_pods({3, 1}, {"A", "B"}, preemptor), "v1.27"), (Row{100, 100}));
}

// SCORE-SPREAD-4
TEST(SoftSpread, CountsPodsOfTheSameRevisionFrom127) {
  Question question = with_pods({3, 1}, {"A", "B"});
  question.pod.topology_spread[0].match_label_keys = {"revision"};
  question.pod.labels["revision"] = "2";
  EXPECT_EQ(scores_of(question, "v1.26"), (Row{25, 100}));
  EXPECT_EQ(scores_of(question, "v1.27"), (Row{100, 100}));
  question.cluster.pods[3].labels["revision"] = "2";
  EXPECT_EQ(scores_of(question, "v1.27"), (Row{100, 0}));
}

// CYC-SEES-1
TEST(SoftSpread, DoesNotSeeNominatedPods) {
  Question question = with_pods({1, 0}, {"A", "B"});
  question.cluster.pods[0].nominated_node_name = "n1";
  question.cluster.pods[0].node_name.clear();
  EXPECT_EQ(scores_of(question), (Row{100, 100}));
}

// SCORE-SPREAD-7
TEST(SoftSpread, IsSkippedFrom128WithoutSoftConstraints) {
  const Question question = with_pods({3, 1}, {"A", "B"}, app_x("p"));
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{100, 100}));
  EXPECT_EQ(scores_of(question, "v1.27"), (Row{100, 100}));
  EXPECT_TRUE(is_skipped(question, "v1.28"));
}

// SCORE-SPREAD-3, SCORE-SPREAD-4: n3, in a zone of its own, is not feasible. Its pods are in no domain that
// counts.
TEST(SoftSpread, CountsNoPodsOfADomainWithoutAFeasibleNode) {
  const Question question = with_pods({2, 0, 9}, {"A", "B", "C"});
  for (const char* name : {"v1.18", "v1.20", "v1.24", "v1.34"})
    EXPECT_EQ(scores_of(question, name, {0, 1}), (Row{0, 100})) << name;
}

// SCORE-SPREAD-3, SCORE-SPREAD-5: no node has the label of the constraint, so no node is valid.
TEST(SoftSpread, GivesNothingWithoutAValidNode) {
  const Question question = with_pods({2, 0}, {"A", "B"}, spread(app_x("p"), {softly_over("rack", "x")}));
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{0, 0}));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{0, 0}));
}

// EXT-RECORD-1, SCORE-SPREAD-6: the extender replaces the records of n1 and n2. A constraint over hostnames
// counts no pods then, one over zones does. So the scores are those by zones alone.
TEST(SoftSpread, CountsNoPodsOfReplacedRecordsByHostname) {
  const auto placed = [](std::vector<TopologySpreadConstraint> constraints, Trace& trace) {
    Question question = with_pods({2, 0}, {"A", "B"}, spread(app_x("p"), std::move(constraints)));
    for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
    question.extenders = {filters({{"n1", ok()}, {"n2", ok()}})};
    return reference::schedule(question, release("v1.34"), trace);
  };
  const auto column = [](const Placement& placement) {
    const auto found = std::find_if(
        placement.scores.begin(), placement.scores.end(),
        [](const ScoreColumn& each) { return each.scorer.scorer == Scorer::pod_topology_spread; });
    return found == placement.scores.end() ? Row{} : found->scores;
  };
  Trace none = Trace::none();
  const Row by_zone = column(placed({softly_over("zone", "x")}, none));
  ASSERT_EQ(by_zone.size(), 2U);
  EXPECT_EQ(by_zone[0], 0);
  EXPECT_GT(by_zone[1], 0);
  Trace trace = Trace::full();
  EXPECT_EQ(column(placed({softly_over(k_hostname, "x"), softly_over("zone", "x")}, trace)), by_zone);
  std::size_t steps_by_hostname = 0;
  for (const Step& step : trace.steps()) {
    if (step.clause != "SCORE-SPREAD-6" || step.what != k_hostname) continue;
    ++steps_by_hostname;
    EXPECT_EQ(value_of(step.values, Measure::counted), 0);
  }
  EXPECT_EQ(steps_by_hostname, 2U);  // one for each node
}

}  // namespace touchstone::tests::score_soft_spread_test
