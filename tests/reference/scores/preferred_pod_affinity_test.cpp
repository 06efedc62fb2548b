#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/support/topology.hpp"

/// Tests the score of InterPodAffinity.
namespace touchstone::tests::score_pod_affinity_test {

namespace {

using Row = std::vector<Quantity>;

Pod p() { return pod("p", 10, 100); }
Pod app_x(const std::string& name = "a") { return with_app(pod(name, 0, 0), "x"); }

Pod prefers(Pod pod, Quantity weight, PodAffinityTerm term) {
  pod.preferred_pod_affinity.push_back({weight, std::move(term)});
  return pod;
}
Pod avoids(Pod pod, Quantity weight, PodAffinityTerm term) {
  pod.preferred_pod_anti_affinity.push_back({weight, std::move(term)});
  return pod;
}

/// A preemptor with the label app=x, and nodes in zones of their own. Each has a pod that prefers app=x with
/// this weight; a negative weight is one of anti-affinity.
Question with_raw(const std::vector<Quantity>& raw) {
  QuestionBuilder cluster;
  std::vector<std::string> zones;
  for (const Quantity weight : raw) {
    zones.push_back("z" + std::to_string(zones.size()));
    const Pod other = pod("a", 0, 0);
    cluster.node("n" + zones.back(), 1000);
    if (weight > 0) cluster.has(prefers(other, weight, by("zone", "x")));
    if (weight < 0) cluster.has(avoids(other, -weight, by("zone", "x")));
  }
  return in_zones(cluster.asks(with_app(p(), "x")), zones);
}

/// n1 in zone a with this pod. n2 in zone b, empty.
Question two_zones(Pod on_n1, Pod preemptor) {
  QuestionBuilder cluster;
  cluster.node("n1", 1000).has(std::move(on_n1)).node("n2", 1000);
  return in_zones(cluster.asks(std::move(preemptor)), {"a", "b"});
}

reference::Scores scores_by(const Question& question, const Release& of, reference::Nodes nodes = {}) {
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, of, trace);
  if (nodes.empty()) {
    for (const reference::NodeState& node : cycle.nodes) nodes.push_back(node.index);
  }
  return reference::preferred_pod_affinity(cycle, nodes);
}
Row scores_of(const Question& question, const char* name = "v1.34", reference::Nodes nodes = {}) {
  return scores_by(question, release(name), std::move(nodes)).value();
}
bool is_skipped(const Question& question, const char* name = "v1.34") {
  return !scores_by(question, release(name)).has_value();
}

}  // namespace

// SCORE-AFFINITY-3
TEST(PreferredPodAffinity, ScalesBetweenTheExtremes) {
  EXPECT_EQ(scores_of(with_raw({10, 30, 60}), "v1.8"), (Row{1, 5, 10}));
  EXPECT_EQ(scores_of(with_raw({10, 30, 60}), "v1.16"), (Row{1, 5, 10}));
  EXPECT_EQ(scores_of(with_raw({10, 30, 60}), "v1.17"), (Row{16, 50, 100}));
  EXPECT_EQ(scores_of(with_raw({10, 30, 60}), "v1.20"), (Row{16, 50, 100}));
  EXPECT_EQ(scores_of(with_raw({10, 30, 60}), "v1.21"), (Row{0, 40, 100}));
}

// SCORE-AFFINITY-3
TEST(PreferredPodAffinity, ComputesWithFloats) {
  EXPECT_EQ(scores_of(with_raw({0, 29, 100})), (Row{0, 28, 100}));
  EXPECT_EQ(scores_of(with_raw({0, 57, 100})), (Row{0, 56, 100}));
}

// SCORE-AFFINITY-3
TEST(PreferredPodAffinity, ComparesWithZeroUpTo120) {
  EXPECT_EQ(scores_of(with_raw({50, 50}), "v1.20"), (Row{100, 100}));
  EXPECT_EQ(scores_of(with_raw({50, 50}), "v1.21"), (Row{0, 0}));
  EXPECT_EQ(scores_of(with_raw({-20, -5}), "v1.20"), (Row{0, 75}));
  EXPECT_EQ(scores_of(with_raw({-20, -5}), "v1.21"), (Row{0, 100}));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, CountsPreferredTermsOfThePreemptor) {
  EXPECT_EQ(scores_of(two_zones(app_x(), prefers(p(), 5, by("zone", "x")))), (Row{100, 0}));
  EXPECT_EQ(scores_of(two_zones(app_x(), avoids(p(), 5, by("zone", "x")))), (Row{0, 100}));
  EXPECT_TRUE(is_skipped(two_zones(app_x(), prefers(p(), 5, by("zone", "y")))));
  const Pod torn = avoids(prefers(p(), 5, by("zone", "x")), 7, by("zone", "x"));
  EXPECT_EQ(scores_of(two_zones(app_x(), torn)), (Row{0, 100}));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, CountsPreferredTermsOfOtherPods) {
  const Pod preemptor = with_app(p(), "x");
  EXPECT_EQ(scores_of(two_zones(prefers(pod("a", 0, 0), 5, by("zone", "x")), preemptor)), (Row{100, 0}));
  EXPECT_EQ(scores_of(two_zones(avoids(pod("a", 0, 0), 5, by("zone", "x")), preemptor)), (Row{0, 100}));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, WeighsRequiredAffinityOfOtherPods) {
  const Pod preemptor = with_app(p(), "x");
  const Question question = two_zones(near(pod("a", 0, 0), {by("zone", "x")}), preemptor);
  EXPECT_EQ(scores_of(question), (Row{100, 0}));
  EXPECT_TRUE(is_skipped(two_zones(away(pod("a", 0, 0), {by("zone", "x")}), preemptor)));
  Release configured = release("v1.34");
  configured.hard_pod_affinity_weight = 0;
  EXPECT_FALSE(scores_by(question, configured).has_value());
  // The weight of the configuration, against a preference of weight 5.
  Question both = question;
  both.cluster.pods.push_back(prefers(pod("b", 0, 0), 5, by("zone", "x")));
  both.cluster.pods.back().node_name = "n2";
  EXPECT_EQ(scores_of(both), (Row{0, 100}));
  configured.hard_pod_affinity_weight = 6;
  EXPECT_EQ(scores_by(both, configured), (Row{100, 0}));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, DoesNotWeighRequiredTermsOfThePreemptor) {
  EXPECT_TRUE(is_skipped(two_zones(app_x(), near(p(), {by("zone", "x")}))));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, AddsUpWithinTheDomain) {
  QuestionBuilder cluster;
  cluster.node("n1", 1000)
      .has(app_x())
      .node("n2", 1000)
      .has(app_x())
      .node("n3", 1000)
      .has(app_x())
      .node("n4", 0);
  const Question question = in_zones(cluster.asks(prefers(p(), 3, by("zone", "x"))), {"a", "a", "b", ""});
  EXPECT_EQ(scores_of(question), (Row{100, 100, 50, 0}));
  // Pods of nodes that are not feasible count too.
  EXPECT_EQ(scores_of(question, "v1.34", {2, 1}), (Row{0, 100}));
  // A pod counts once for each key.
  Question two_keys = question;
  two_keys.pod.preferred_pod_affinity.push_back({3, by("rack", "x")});
  two_keys.cluster.nodes[3].labels["rack"] = "r";
  two_keys.cluster.nodes[2].labels["rack"] = "r";
  EXPECT_EQ(scores_of(two_keys), (Row{100, 100, 100, 0}));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, CountsTerminatingPodsAndNoNominatedPods) {
  Question question = two_zones(app_x(), prefers(p(), 5, by("zone", "x")));
  question.cluster.pods[0].terminating = true;
  EXPECT_EQ(scores_of(question), (Row{100, 0}));
  question.cluster.pods[0].node_name.clear();
  question.cluster.pods[0].nominated_node_name = "n1";
  EXPECT_TRUE(is_skipped(question));
}

// SCORE-AFFINITY-1
TEST(PreferredPodAffinity, MayLeaveOutPodsWithoutPreferences) {
  Release configured = release("v1.34");
  configured.ignores_preferred_terms_of_others = true;
  const Pod other = prefers(app_x(), 5, by("zone", "x"));
  const Pod preemptor = with_app(p(), "x");
  EXPECT_EQ(scores_of(two_zones(other, preemptor)), (Row{100, 0}));
  EXPECT_FALSE(scores_by(two_zones(other, preemptor), configured).has_value());
  // A preemptor with preferences sees those of others: 5 against 3, or against 7.
  EXPECT_EQ(scores_by(two_zones(other, avoids(preemptor, 3, by("zone", "x"))), configured), (Row{100, 0}));
  EXPECT_EQ(scores_by(two_zones(other, prefers(preemptor, 3, by("zone", "x"))), configured), (Row{100, 0}));
  EXPECT_EQ(scores_by(two_zones(other, avoids(preemptor, 7, by("zone", "x"))), configured), (Row{0, 100}));
}

// SCORE-AFFINITY-2
TEST(PreferredPodAffinity, LooksAtNamespacesAsTheFilterDoes) {
  PodAffinityTerm term = by("zone", "x");
  EXPECT_TRUE(is_skipped(two_zones(in_namespace(app_x(), "other"), prefers(p(), 5, term))));
  term.namespaces = {"other"};
  EXPECT_EQ(scores_of(two_zones(in_namespace(app_x(), "other"), prefers(p(), 5, term))), (Row{100, 0}));
  term.label_selector.reset();
  EXPECT_TRUE(is_skipped(two_zones(in_namespace(app_x(), "other"), prefers(p(), 5, term))));
}

// SCORE-AFFINITY-2
TEST(PreferredPodAffinity, MatchesEveryNamespaceByASelectorThatNoLabelsSatisfyFrom134To136) {
  PodAffinityTerm term = by("zone", "x");
  term.namespace_selector = LabelSelector{{}, {{"env", "NotIn", {"prod"}}}};
  Question question = two_zones(in_namespace(app_x(), "p"), prefers(p(), 10, term));
  question.cluster.namespaces = {{"default", {}}, {"p", {{"env", "prod"}}}};
  EXPECT_EQ(scores_of(question, "v1.27"), (Row{0, 0}));
  EXPECT_TRUE(is_skipped(question, "v1.33"));
  EXPECT_EQ(scores_of(question, "v1.34"), (Row{100, 0}));
  EXPECT_EQ(scores_of(question, "v1.36"), (Row{100, 0}));
  EXPECT_TRUE(is_skipped(question, "v1.37"));
}

// SCORE-AFFINITY-4
TEST(PreferredPodAffinity, IsSkippedFrom128IfNothingIsRecorded) {
  const Question nothing = two_zones(pod("a", 0, 0), p());
  EXPECT_EQ(scores_of(nothing, "v1.27"), (Row{0, 0}));
  EXPECT_TRUE(is_skipped(nothing, "v1.28"));
  // A sum of 0 is recorded.
  const Pod torn = avoids(prefers(p(), 5, by("zone", "x")), 5, by("zone", "x"));
  EXPECT_EQ(scores_of(two_zones(app_x(), torn), "v1.28"), (Row{0, 0}));
  // A pod on a node without the label is not recorded.
  EXPECT_TRUE(is_skipped(two_zones(app_x(), prefers(p(), 5, by("rack", "x")))));
}

// SCORE-AFFINITY-1: the label of n1 is there, but empty. n2 lacks the label, so it is in no domain.
TEST(PreferredPodAffinity, ScoresTheDomainOfALabelWithoutAValue) {
  Question question = two_zones(app_x(), prefers(p(), 7, by("zone", "x")));
  question.cluster.nodes[0].labels["zone"] = "";
  question.cluster.nodes[1].labels.erase("zone");
  EXPECT_EQ(scores_of(question), (Row{100, 0}));
}

}  // namespace touchstone::tests::score_pod_affinity_test
