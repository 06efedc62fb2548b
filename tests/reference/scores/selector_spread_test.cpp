#include <gtest/gtest.h>

#include <limits>

#include "reference/scores/scores.hpp"
#include "tests/support/topology.hpp"

/// Tests SelectorSpread: pods of the same Services and controllers, over nodes and zones.
namespace touchstone::tests::score_selector_spread_test {

namespace {

using Row = std::vector<Quantity>;

constexpr Quantity k_least = std::numeric_limits<Quantity>::min();

SelectingObject service(const std::string& name, LabelSelector selector) {
  return {SelectingKind::service, "default", name, std::move(selector)};
}

Pod app_x(const std::string& name = "a") { return with_app(pod(name, 0, 0), "x"); }

/// Nodes with this many pods with the label app=x each. A Service selects them and the preemptor. An empty
/// zone is no zone.
Question with_pods(const std::vector<std::size_t>& pods, const std::vector<std::string>& zones = {}) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    cluster.node("n" + std::to_string(i + 1), 1000);
    for (std::size_t k = 0; k < pods[i]; ++k) cluster.has(app_x());
  }
  Question question = cluster.asks(app_x("p"));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!zones[i].empty())
      question.cluster.nodes[i].labels["failure-domain.beta.kubernetes.io/zone"] = zones[i];
  }
  question.cluster.selecting = {service("s", app_is("x"))};
  return question;
}

/// Scores of these nodes; without nodes, of all nodes.
Row scores_of(const Question& question, const char* name, reference::Nodes nodes = {}) {
  const Release of = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, of, trace);
  if (nodes.empty()) {
    for (const reference::NodeState& node : cycle.nodes) nodes.push_back(node.index);
  }
  return reference::selector_spread(cycle, nodes).value();
}

}  // namespace

// SCORE-SELECTOR-3
TEST(SelectorSpread, PrefersEmptyZonesToEmptyNodes) {
  const Question question = with_pods({2, 1, 0}, {"A", "A", "B"});
  EXPECT_EQ(scores_of(question, "v1.8"), (Row{0, 1, 10}));
  EXPECT_EQ(scores_of(question, "v1.16"), (Row{0, 1, 10}));
  EXPECT_EQ(scores_of(question, "v1.17"), (Row{0, 16, 100}));
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{0, 16, 100}));
}

// SCORE-SELECTOR-3
TEST(SelectorSpread, ComparesNodesAloneWithoutZones) {
  EXPECT_EQ(scores_of(with_pods({3, 1}), "v1.17"), (Row{0, 66}));
  EXPECT_EQ(scores_of(with_pods({3, 1}), "v1.13"), (Row{0, 6}));
}

// SCORE-SELECTOR-3
TEST(SelectorSpread, ComparesANodeWithoutZoneByItsPodsAlone) {
  EXPECT_EQ(scores_of(with_pods({4, 2, 1}, {"A", "B", ""}), "v1.17"), (Row{0, 50, 75}));
  EXPECT_EQ(scores_of(with_pods({4, 2, 1}, {"A", "B", "A"}), "v1.17"), (Row{0, 56, 25}));
}

// SCORE-SELECTOR-3
TEST(SelectorSpread, GivesAllPointsWhereNoPodIs) {
  EXPECT_EQ(scores_of(with_pods({0, 0}), "v1.8"), (Row{10, 10}));
  EXPECT_EQ(scores_of(with_pods({0, 0}, {"A", "B"}), "v1.9"), (Row{10, 10}));
  EXPECT_EQ(scores_of(with_pods({0, 0}, {"A", "B"}), "v1.17"), (Row{100, 100}));
}

// SCORE-SELECTOR-3
TEST(SelectorSpread, BreaksInV18IfNoZoneHasAPod) {
  EXPECT_EQ(scores_of(with_pods({0, 0, 0}, {"A", "B", ""}), "v1.8.15"), (Row{k_least, k_least, 10}));
  EXPECT_EQ(scores_of(with_pods({0, 0, 0}, {"A", "B", ""}), "v1.9"), (Row{10, 10, 10}));
  // Pods of a node without a zone are in no zone.
  EXPECT_EQ(scores_of(with_pods({0, 1}, {"A", ""}), "v1.8"), (Row{k_least, 0}));
  EXPECT_EQ(scores_of(with_pods({0, 1}, {"A", "A"}), "v1.8"), (Row{3, 0}));
  Question unselected = with_pods({0, 0}, {"A", "B"});
  unselected.cluster.selecting.clear();
  EXPECT_EQ(scores_of(unselected, "v1.8"), (Row{10, 10}));
}

// SCORE-SELECTOR-1
TEST(SelectorSpread, CountsNothingWithoutASelector) {
  Question question = with_pods({2, 0}, {"A", "B"});
  question.cluster.selecting.clear();
  EXPECT_EQ(scores_of(question, "v1.13"), (Row{10, 10}));
  EXPECT_EQ(scores_of(question, "v1.14"), (Row{10, 10}));
  EXPECT_EQ(scores_of(question, "v1.17"), (Row{100, 100}));
}

// SCORE-SELECTOR-1
TEST(SelectorSpread, CountsFeasibleNodesAlone) {
  const Question question = with_pods({4, 2, 1}, {"A", "B", "B"});
  EXPECT_EQ(scores_of(question, "v1.13", {2, 1}), (Row{1, 0}));
}

// SCORE-SELECTOR-1
TEST(SelectorSpread, CountsNoPodOfAnotherNamespaceAndNoTerminatingPod) {
  Question question = with_pods({1, 1, 1});
  question.cluster.pods[0].terminating = true;
  question.cluster.pods[1].ns = "other";
  EXPECT_EQ(scores_of(question, "v1.13"), (Row{10, 10, 0}));
  EXPECT_EQ(scores_of(question, "v1.19"), (Row{100, 100, 0}));
}

// SCORE-SELECTOR-1
TEST(SelectorSpread, CountsPodsThatMatchAnySelectorUpTo113AndAllSelectorsLater) {
  Question question = with_pods({1, 1, 0});
  question.pod.labels["tier"] = "web";
  question.cluster.pods[1].labels["tier"] = "web";
  question.cluster.selecting.push_back(service("t", {{{"tier", "web"}}, {}}));
  EXPECT_EQ(scores_of(question, "v1.13"), (Row{0, 0, 10}));
  EXPECT_EQ(scores_of(question, "v1.14"), (Row{10, 0, 10}));
  EXPECT_EQ(scores_of(question, "v1.17"), (Row{100, 0, 100}));
  question.cluster.pods[1].labels["app"] = "y";
  EXPECT_EQ(scores_of(question, "v1.13"), (Row{0, 0, 10}));
  EXPECT_EQ(scores_of(question, "v1.14"), (Row{10, 10, 10}));
}

// SCORE-SELECTOR-1
TEST(SelectorSpread, LeavesPodsWithConstraintsToTheOtherScorerFrom118) {
  Question question = with_pods({1, 0});
  question.pod.topology_spread = {over("zone", "x")};
  EXPECT_EQ(scores_of(question, "v1.17"), (Row{0, 100}));
  EXPECT_EQ(scores_of(question, "v1.18"), (Row{0, 0}));
  EXPECT_EQ(scores_of(with_pods({1, 0}), "v1.18"), (Row{0, 100}));
}

// CYC-SEES-1
TEST(SelectorSpread, DoesNotSeeNominatedPods) {
  Question question = with_pods({1, 0});
  question.cluster.pods[0].nominated_node_name = "n1";
  question.cluster.pods[0].node_name.clear();
  EXPECT_EQ(scores_of(question, "v1.13"), (Row{10, 10}));
}

}  // namespace touchstone::tests::score_selector_spread_test
