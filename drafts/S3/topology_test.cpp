// tests/optimized/scores/topology_test.cpp
#include "tests/support/topology.hpp"

#include "tests/optimized/scores/placed.hpp"
#include "tests/optimized/storage_reports.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::topology_more_test {

namespace {

const std::string k_hostname = "kubernetes.io/hostname";

Pod app(const std::string& name, const std::string& which) { return with_app(sized(name, 0, 0), which); }

TopologySpreadConstraint soft(const std::string& key, const std::string& which, Quantity max_skew = 1) {
  TopologySpreadConstraint constraint = over(key, which);
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = max_skew;
  return constraint;
}

/// Nodes n1, n2 and so on with these pods. Node i has the label `zone` with the i-th value, if it is not
/// empty.
Question in_zones_of(const std::vector<std::string>& zones, const std::vector<std::vector<Pod>>& pods,
                     Pod preemptor) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    builder.node("n" + std::to_string(i + 1), 4000);
    for (const Pod& each : pods[i]) builder.has(each);
  }
  Question question = with_memory(builder.asks(std::move(preemptor)));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!zones[i].empty()) question.cluster.nodes[i].labels["zone"] = zones[i];
  }
  return question;
}

/// A release whose configuration ignores preferred terms of other pods, for pods without such terms.
Release ignoring_others() {
  Release ignoring = release("v1.37");
  ignoring.ignores_preferred_terms_of_others = true;
  return ignoring;
}

}  // namespace

// SCORE-AFFINITY-1, PRE-INPUT-1: pods with preferred terms on a node that is not in the cluster do not count.
// Pods after them in the list do.
TEST(OptimizedTopology, CountsTermsAfterThoseOfAPodOnAMissingNode) {
  Pod near = app("a", "y");
  near.preferred_pod_affinity = {{7, by("zone", "p")}};
  Question question = in_zones_of({"a", "b"}, {{near}, {}}, app("p", "p"));
  Pod lost = near;
  lost.name = "lost";
  lost.node_name = "nowhere";
  lost.labels["app"] = "z";
  question.cluster.pods.insert(question.cluster.pods.begin(), lost);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.34"), (Row{200, 0}));
}

// SCORE-AFFINITY-4: each term matches a pod whose node lacks the term's key, so nothing counts. n1 has the
// key of the term that matches the pod on n2.
TEST(OptimizedTopology, SkipsAffinityIfNoTermAddsToADomain) {
  Pod p = app("p", "p");
  p.preferred_pod_affinity = {{7, by("rack", "x")}, {3, by("zone", "y")}};
  const Question question = in_zones_of({"a", ""}, {{app("a", "x")}, {app("b", "y")}}, p);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.27"), (Row{0, 0}));
  EXPECT_TRUE(scores_by(Scorer::inter_pod_affinity, question, "v1.28").empty());
}

// SCORE-AFFINITY-1: only a pod without preferred terms of both kinds is left out.
TEST(OptimizedTopology, IgnoresPreferredTermsOfOthersForPodsWithoutThem) {
  Pod other = app("a", "x");
  other.preferred_pod_affinity = {{7, by("zone", "p")}};
  Pod p = app("p", "p");
  const auto scores = [&] {
    return scores_by(Scorer::inter_pod_affinity, in_zones_of({"a", "b"}, {{other}, {}}, p),
                     ignoring_others());
  };
  EXPECT_TRUE(scores().empty());
  p.preferred_pod_affinity = {{1, by("zone", "x")}};
  EXPECT_EQ(scores(), (Row{200, 0}));
  std::swap(p.preferred_pod_affinity, p.preferred_pod_anti_affinity);
  EXPECT_EQ(scores(), (Row{200, 0}));
}

// SCORE-SELECTOR-3: pods on nodes without a zone do not count for zones. n1, which has most pods, has no
// zone.
TEST(OptimizedTopology, CountsNoPodsOutsideOfZones) {
  Question question = in_zones_of(
      {"", "", ""}, {{app("a", "x"), app("b", "x"), app("c", "x")}, {app("d", "x")}, {}}, app("p", "x"));
  question.cluster.nodes[1].labels["failure-domain.beta.kubernetes.io/zone"] = "a";
  question.cluster.nodes[2].labels["failure-domain.beta.kubernetes.io/zone"] = "b";
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.17"), (Row{0, 22, 100}));
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.9"), (Row{0, 2, 10}));
}

// SCORE-SPREAD-5, SCORE-SPREAD-6: up to v1.18 nodes with one host name are one domain.
TEST(OptimizedTopology, SpreadsOverHostNamesByValueUpToV118) {
  Question question =
      in_zones_of({"", "", ""}, {{app("a", "x")}, {}, {}}, spread(app("p", "x"), {soft(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name == "n3" ? "other" : "h";
  const Row by_value = scores_by(Scorer::pod_topology_spread, question, "v1.18");
  ASSERT_EQ(by_value.size(), 3U);
  EXPECT_EQ(by_value[0], by_value[1]);
  EXPECT_LT(by_value[0], by_value[2]);
  const Row by_node = scores_by(Scorer::pod_topology_spread, question, "v1.19");
  EXPECT_LT(by_node[0], by_node[1]);
}

// SCORE-SPREAD-4, SCORE-SPREAD-6: where constraints of one key count together, only the first of them has
// domains. The others weigh a pod as if there were no domain.
TEST(OptimizedTopology, WeighsConstraintsOfOneKeyByTheFirst) {
  for (const char* version : {"v1.19", "v1.22", "v1.24", "v1.32", "v1.33", "v1.37"}) {
    for (const Quantity skew : {1, 3}) {
      std::vector<Pod> many;
      for (int i = 0; i < 10; ++i) many.push_back(app("a" + std::to_string(i), i < 6 ? "x" : "y"));
      const Question question =
          in_zones_of({"a", "b", "c"}, {many, {app("b", "x")}, {}},
                      spread(app("p", "x"), {soft("zone", "x"), soft("zone", "y", skew)}));
      EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, version).size(), 3U) << version;
    }
  }
}

// SCORE-SPREAD-6: a maxSkew far below 1, which an API server refuses, makes all raw scores negative. Then all
// nodes get the highest score, as in the scheduler.
TEST(OptimizedTopology, GivesTheHighestScoreIfNoRawScoreIsAboveZero) {
  const Question question =
      in_zones_of({"a", "b"}, {{app("a", "x")}, {}}, spread(app("p", "x"), {soft("zone", "x", -9)}));
  for (const char* version : {"v1.19", "v1.24", "v1.37"})
    EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, version), (Row{200, 200})) << version;
}

// EXT-RECORD-1: scorers see no pods on nodes that an extender has sent back as objects.
TEST(OptimizedTopology, SpreadsOverNodesThatAnExtenderReplaces) {
  Question question =
      in_zones_of({"", ""}, {{app("a", "x")}, {}}, spread(app("p", "x"), {soft(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.36.3"), (Row{0, 200}));
  question.extenders = {filters({{"n1", ok()}, {"n2", ok()}})};
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.36.3"), (Row{200, 200}));
}

// SCORE-CAPACITY-1: the two claims request more than the one report has, or an amount of the report. As in
// Go, a hundred times 2^61 wraps around. A volume of 0 bytes is full.
TEST(OptimizedTopology, ComputesTheUtilizationOfStorageAsGoDoes) {
  const auto scores = [](const std::vector<Quantity>& claims, Quantity capacity, bool is_made) {
    Pod asking = pod("p", 0, 100);
    for (std::size_t i = 0; i < claims.size(); ++i) asking = with_claim(asking, "c" + std::to_string(i));
    Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(asking));
    for (std::size_t i = 0; i < claims.size(); ++i) stored.with(waiting("c" + std::to_string(i), claims[i]));
    stored.with(late(is_made ? "d" : "kubernetes.io/no-provisioner"));
    if (is_made) {
      stored.with(CsiDriver{"d", true, false}).with(report_of(capacity));
    } else {
      stored.with(available("v", capacity));
    }
    return scores_by(Scorer::volume_capacity, stored, "v1.37");
  };
  constexpr Quantity k_huge = Quantity{1} << 61;
  EXPECT_EQ(scores({60, 70}, 100, true), (Row{0, 0}));
  EXPECT_EQ(scores({2}, 3, true), (Row{34, 34}));
  EXPECT_EQ(scores({k_huge, k_huge}, k_huge, true), (Row{0, 0}));
  EXPECT_EQ(scores({k_huge}, k_huge, true), (Row{100, 100}));
  EXPECT_EQ(scores({0}, 0, false), (Row{0, 0}));
  EXPECT_EQ(scores({0}, 1, false), (Row{100, 100}));
}

}  // namespace touchstone::tests::topology_more_test
