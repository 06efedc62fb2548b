#include "tests/support/topology.hpp"

#include "tests/optimized/scores/placed.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/extenders.hpp"

/// The optimized scorers that look at the pods of other nodes.
namespace touchstone::tests::optimized_topology_test {

namespace {

const std::string k_hostname = "kubernetes.io/hostname";
const std::string k_zone_label = "topology.kubernetes.io/zone";

Pod app(const std::string& name, const std::string& which) { return with_app(sized(name, 0, 0), which); }

WeightedPodAffinityTerm prefers(const std::string& which, Quantity weight) {
  return {weight, by("zone", which)};
}

/// Nodes n1, n2 and so on with these pods, in these zones by the label `zone`. An empty zone sets no label.
Question with_zones(const std::vector<std::string>& zones, const std::vector<std::vector<Pod>>& pods,
                    Pod preemptor) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    builder.node("n" + std::to_string(i + 1), 4000);
    for (const Pod& each : pods[i]) builder.has(each);
  }
  return with_memory(in_zones(builder.asks(std::move(preemptor)), zones));
}

/// At most three nodes with these pods, in the zones a, b and c.
Question in_three_zones(const std::vector<std::vector<Pod>>& pods, Pod preemptor) {
  std::vector<std::string> zones = {"a", "b", "c"};
  zones.resize(pods.size());
  return with_zones(zones, pods, std::move(preemptor));
}

TopologySpreadConstraint soft(const std::string& key, const std::string& which, Quantity max_skew = 1) {
  TopologySpreadConstraint constraint = over(key, which);
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = max_skew;
  return constraint;
}

/// Sets the host name of each node to its name.
Question with_host_names(Question question) {
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
  return question;
}

/// Nodes n1, with a pod of app x, and n2.
Question beside_a_pod(const Pod& preemptor) {
  return with_host_names(
      QuestionBuilder().node("n1", 4000).has(app("a", "x")).node("n2", 4000).asks(preemptor));
}

/// Whether PodTopologySpread prefers n2, because an object of the cluster selects pod a on n1. False if the
/// scorer is skipped.
bool avoids_n1(const Question& question, const char* version) {
  const Row scores = scores_by(Scorer::pod_topology_spread, question, version);
  return !scores.empty() && scores[0] < scores[1];
}

/// A release whose configuration ignores preferred terms of other pods, for pods without such terms.
Release ignoring_others() {
  Release ignoring = release("v1.37");
  ignoring.ignores_preferred_terms_of_others = true;
  return ignoring;
}

}  // namespace

// SCORE-AFFINITY-1, SCORE-AFFINITY-4
TEST(OptimizedTopology, AddsUpTermsOfBothSides) {
  Pod repelling = app("b", "y");
  repelling.preferred_pod_anti_affinity = {prefers("p", 4)};
  Pod attracted = app("c", "y");
  attracted.pod_affinity = {by("zone", "p")};
  Pod p = app("p", "p");
  p.preferred_pod_affinity = {prefers("x", 7)};
  const Question question = in_three_zones({{app("a", "x"), repelling}, {attracted}, {}}, p);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.16"), (Row{10, 3, 0}));
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.17"), (Row{100, 33, 0}));
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.23"), (Row{200, 66, 0}));
  const Question alone = in_three_zones({{}, {}}, p);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, alone, "v1.27"), (Row{0, 0}));
  EXPECT_TRUE(scores_by(Scorer::inter_pod_affinity, alone, "v1.28").empty());
}

// SCORE-AFFINITY-4: amounts that add up to 0 are not none.
TEST(OptimizedTopology, CountsAmountsThatCancel) {
  Pod p = app("p", "p");
  p.preferred_pod_affinity = {prefers("x", 7)};
  p.preferred_pod_anti_affinity = {prefers("x", 7)};
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, in_three_zones({{app("a", "x")}, {}}, p), "v1.34"),
            (Row{0, 0}));
}

// SCORE-AFFINITY-1, PRE-INPUT-1: a pod on a node that is not in the cluster does not count. The pods after it
// in the list do.
TEST(OptimizedTopology, CountsPodsAfterOneOnAMissingNode) {
  Pod p = app("p", "p");
  p.preferred_pod_affinity = {prefers("x", 7)};
  Question question = in_three_zones({{app("a", "x")}, {}}, p);
  Pod lost = app("lost", "y");
  lost.node_name = "nowhere";
  question.cluster.pods.insert(question.cluster.pods.begin(), lost);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.34"), (Row{200, 0}));
}

// SCORE-AFFINITY-3
TEST(OptimizedTopology, ScalesBetweenExtremes) {
  Pod p = app("p", "p");
  p.preferred_pod_affinity = {prefers("a", 10), prefers("b", 30), prefers("c", 60)};
  const Question question = in_three_zones({{app("a", "a")}, {app("b", "b")}, {app("c", "c")}}, p);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.16"), (Row{1, 5, 10}));
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.21"), (Row{0, 40, 100}));
}

// SCORE-AFFINITY-1, PRE-INPUT-1: the preferred terms of a pod on a node that is not in the cluster do not
// count. Those of the pods after it in the list do.
TEST(OptimizedTopology, CountsTermsAfterThoseOfAPodOnAMissingNode) {
  Pod attracted = app("a", "y");
  attracted.preferred_pod_affinity = {prefers("p", 7)};
  Question question = with_zones({"a", "b"}, {{attracted}, {}}, app("p", "p"));
  Pod lost = attracted;
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
  const Question question = with_zones({"a", ""}, {{app("a", "x")}, {app("b", "y")}}, p);
  EXPECT_EQ(scores_by(Scorer::inter_pod_affinity, question, "v1.27"), (Row{0, 0}));
  EXPECT_TRUE(scores_by(Scorer::inter_pod_affinity, question, "v1.28").empty());
}

// SCORE-AFFINITY-1: a configuration ignores the preferred terms of other pods. It does so only for pods that
// have no preferred terms of either kind.
TEST(OptimizedTopology, IgnoresPreferredTermsOfOthersForPodsWithoutThem) {
  Pod other = app("a", "x");
  other.preferred_pod_affinity = {prefers("p", 7)};
  Pod p = app("p", "p");
  const auto row = [&] {
    return scores_by(Scorer::inter_pod_affinity, with_zones({"a", "b"}, {{other}, {}}, p), ignoring_others());
  };
  EXPECT_TRUE(row().empty());
  p.preferred_pod_affinity = {prefers("x", 1)};
  EXPECT_EQ(row(), (Row{200, 0}));
  std::swap(p.preferred_pod_affinity, p.preferred_pod_anti_affinity);
  EXPECT_EQ(row(), (Row{200, 0}));
}

// SCORE-AFFINITY-1, SCORE-AFFINITY-4: the required terms of other pods do not count if the configuration
// gives them the weight 0. Then no pod counts, and later releases skip the scorer.
TEST(OptimizedTopology, CountsNoRequiredTermsOfWeightZero) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(near(pod("a", 0, 100), {by("zone", "x")}))
                          .node("n2", 4000)
                          .asks(with_app(pod("p", 0, 100), "x"));
  question = in_zones(question, {"a", "b"});
  for (const std::string& epoch : k_distinct_releases) {
    for (const Quantity weight : {0, 1}) {
      Release asked = release(epoch);
      asked.hard_pod_affinity_weight = weight;
      placed_alike(question, asked);
    }
  }
}

// SCORE-SPREAD-5, SCORE-SPREAD-6
TEST(OptimizedTopology, SpreadsSoftly) {
  const Question question = in_three_zones({{app("a", "x")}, {app("b", "x"), app("c", "x")}},
                                           spread(app("p", "x"), {soft("zone", "x")}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.18"), (Row{100, 50}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.19"), (Row{200, 100}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.24"), (Row{200, 66}));
}

// SCORE-SPREAD-6: over kubernetes.io/hostname each node counts alone, even if two nodes have the same value.
TEST(OptimizedTopology, SpreadsOverHostNamesByNode) {
  Question question = in_three_zones({{app("a", "x")}, {}}, spread(app("p", "x"), {soft(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = "h";
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.34"), (Row{0, 200}));
}

// SCORE-SPREAD-5, SCORE-SPREAD-6: up to v1.18 nodes with one host name are one domain.
TEST(OptimizedTopology, SpreadsOverHostNamesByValueUpToV118) {
  Question question =
      with_zones({"", "", ""}, {{app("a", "x")}, {}, {}}, spread(app("p", "x"), {soft(k_hostname, "x")}));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name == "n3" ? "other" : "h";
  const Row by_value = scores_by(Scorer::pod_topology_spread, question, "v1.18");
  ASSERT_EQ(by_value.size(), 3U);
  EXPECT_EQ(by_value[0], by_value[1]);
  EXPECT_LT(by_value[0], by_value[2]);
  const Row by_node = scores_by(Scorer::pod_topology_spread, question, "v1.19");
  EXPECT_LT(by_node[0], by_node[1]);
}

// SCORE-SPREAD-4, SCORE-SPREAD-6: of several constraints with one topologyKey, only the first one has
// domains. The others weigh a pod as if there were no domain.
TEST(OptimizedTopology, WeighsConstraintsOfOneKeyByTheFirst) {
  for (const char* version : {"v1.19", "v1.22", "v1.24", "v1.32", "v1.33", "v1.37"}) {
    for (const Quantity skew : {1, 3}) {
      std::vector<Pod> many;
      for (int i = 0; i < 10; ++i) many.push_back(app("a" + std::to_string(i), i < 6 ? "x" : "y"));
      const Question question =
          with_zones({"a", "b", "c"}, {many, {app("b", "x")}, {}},
                     spread(app("p", "x"), {soft("zone", "x"), soft("zone", "y", skew)}));
      EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, version).size(), 3U) << version;
    }
  }
}

// SCORE-SPREAD-6: a maxSkew far below 1 makes all raw scores negative. Then the scheduler gives all nodes the
// highest score. An API server refuses such a maxSkew.
TEST(OptimizedTopology, GivesTheHighestScoreIfNoRawScoreIsAboveZero) {
  const Question question =
      with_zones({"a", "b"}, {{app("a", "x")}, {}}, spread(app("p", "x"), {soft("zone", "x", -9)}));
  for (const char* version : {"v1.19", "v1.24", "v1.37"})
    EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, version), (Row{200, 200})) << version;
}

// EXT-RECORD-1: scorers see no pods on nodes that an extender has sent back as objects.
TEST(OptimizedTopology, SpreadsOverNodesThatAnExtenderReplaces) {
  Question question =
      with_host_names(in_three_zones({{app("a", "x")}, {}}, spread(app("p", "x"), {soft(k_hostname, "x")})));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.36.3"), (Row{0, 200}));
  question.extenders = {filters({{"n1", ok()}, {"n2", ok()}})};
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.36.3"), (Row{200, 200}));
}

// SCORE-SPREAD-2, SCORE-SPREAD-3, SCORE-SELECTOR-3
TEST(OptimizedTopology, SpreadsByServices) {
  Question question = in_three_zones({{app("a", "x"), app("b", "x")}, {app("c", "x")}, {}}, app("p", "x"));
  const std::vector<std::string> zones = {"a", "a", "b"};
  for (std::size_t i = 0; i < zones.size(); ++i) {
    Labels& labels = question.cluster.nodes[i].labels;
    labels = {{k_hostname, question.cluster.nodes[i].name}};
    labels[k_zone_label] = labels["failure-domain.beta.kubernetes.io/zone"] = zones[i];
  }
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.16"), (Row{0, 1, 10}));
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.17"), (Row{0, 16, 100}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.20"), (Row{92, 122, 200}));
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.24"), (Row{92, 106, 200}));
  question.cluster.selecting[0].ns = "other";
  EXPECT_TRUE(scores_by(Scorer::pod_topology_spread, question, "v1.28").empty());
}

// SCORE-SELECTOR-3: in v1.8 a node with a zone gets the smallest integer if no pod counts.
TEST(OptimizedTopology, HasTheBrokenZonesOfV18) {
  Question question = in_three_zones({{}, {}}, app("p", "x"));
  question.cluster.nodes[0].labels["failure-domain.beta.kubernetes.io/zone"] = "a";
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.8").front(),
            std::numeric_limits<Quantity>::min());
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.9"), (Row{10, 10}));
}

// SCORE-SELECTOR-1, SCORE-SELECTOR-2
TEST(OptimizedTopology, ReadsControllersAsTheReleaseDoes) {
  Question question = with_host_names(in_three_zones({{app("a", "x")}, {}}, app("p", "x")));
  question.cluster.selecting = {{SelectingKind::replica_set, "default", "r", app_is("x")}};
  const Row spread_by_selector = scores_by(Scorer::pod_topology_spread, question, "v1.21");
  EXPECT_LT(spread_by_selector[0], spread_by_selector[1]);
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.22"), (Row{200, 200}));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  const Row spread_by_owner = scores_by(Scorer::pod_topology_spread, question, "v1.22");
  EXPECT_LT(spread_by_owner[0], spread_by_owner[1]);
  question.pod.controller->name = "other";
  EXPECT_EQ(scores_by(Scorer::pod_topology_spread, question, "v1.22"), (Row{200, 200}));
}

// SCORE-SELECTOR-1: from v1.17 the labels of Services and ReplicationControllers are merged. If both have a
// key, the value of the ReplicationController counts.
TEST(OptimizedTopology, MergesLabelsOfServicesAndControllers) {
  Question question = with_host_names(in_three_zones({{app("a", "y")}, {app("b", "x")}}, app("p", "x")));
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")},
                                {SelectingKind::replication_controller, "default", "r", app_is("y")}};
  question.pod.controller = Controller{"v1", "ReplicationController", "r", "u"};
  const Row scores = scores_by(Scorer::pod_topology_spread, question, "v1.22");
  EXPECT_LT(scores[0], scores[1]);
}

// SCORE-SELECTOR-3: pods on nodes without a zone do not count for zones. n1, which has most pods, has no
// zone.
TEST(OptimizedTopology, CountsNoPodsOutsideOfZones) {
  Question question = with_zones(
      {"", "", ""}, {{app("a", "x"), app("b", "x"), app("c", "x")}, {app("d", "x")}, {}}, app("p", "x"));
  question.cluster.nodes[1].labels["failure-domain.beta.kubernetes.io/zone"] = "a";
  question.cluster.nodes[2].labels["failure-domain.beta.kubernetes.io/zone"] = "b";
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.17"), (Row{0, 22, 100}));
  EXPECT_EQ(scores_by(Scorer::selector_spread, question, "v1.9"), (Row{0, 2, 10}));
}

// CYC-ORDER-1, SCORE-SELECTOR-3: nodes with the same region and no zone are in one zone.
TEST(OptimizedTopology, TakesARegionWithoutZonesForOneZone) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3", "n4"}) builder.node(name, 4000);
  Question question = builder.asks(with_app(pod("p", 0, 100), "x"));
  const std::vector<std::string> regions = {"r", "r", "s", ""};
  for (std::size_t i = 0; i < regions.size(); ++i) {
    Node& node = question.cluster.nodes[i];
    if (!regions[i].empty()) node.labels["failure-domain.beta.kubernetes.io/region"] = regions[i];
    for (std::size_t pods = 3 - i; pods > 0; --pods) {
      Pod made = with_app(pod("a" + std::to_string(i) + std::to_string(pods), 0, 1), "x");
      made.node_name = node.name;
      question.cluster.pods.push_back(made);
    }
  }
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  for (const std::string& epoch : k_distinct_releases) placed_alike(question, release(epoch));
}

// SCORE-SELECTOR-2: from v1.22 the controller of the pod counts if its name, kind and apiVersion are those of
// the object. A pod without a controller has no such object.
TEST(OptimizedTopology, FindsAControllerByKindAndVersion) {
  struct Kind {
    SelectingKind object;
    const char* api_version;
    const char* kind;
  };
  const std::vector<Kind> kinds = {{SelectingKind::replication_controller, "v1", "ReplicationController"},
                                   {SelectingKind::replica_set, "apps/v1", "ReplicaSet"},
                                   {SelectingKind::stateful_set, "apps/v1", "StatefulSet"}};
  for (const Kind& each : kinds) {
    Question question = beside_a_pod(app("p", "x"));
    question.cluster.selecting = {{each.object, "default", "r", app_is("x")}};
    for (const char* version : {"v1", "apps/v1", "other/v1"}) {
      for (const char* kind : {"ReplicationController", "ReplicaSet", "StatefulSet", "Other"}) {
        question.pod.controller = Controller{version, kind, "r", "u"};
        const bool is_same = version == std::string(each.api_version) && kind == std::string(each.kind);
        EXPECT_EQ(avoids_n1(question, "v1.34"), is_same) << each.kind << " " << version << " " << kind;
      }
    }
    question.pod.controller.reset();
    EXPECT_FALSE(avoids_n1(question, "v1.34")) << each.kind;
  }
}

// SCORE-SELECTOR-1: the requirements of a ReplicaSet's selector count. An invalid selector adds none, so the
// Service beside it counts alone.
TEST(OptimizedTopology, MergesValidRequirements) {
  Question question = beside_a_pod(app("p", "x"));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  const auto with_requirement = [&question](const Requirement& requirement) {
    question.cluster.selecting = {
        {SelectingKind::replica_set, "default", "r", LabelSelector{{}, {requirement}}}};
    return question;
  };
  EXPECT_TRUE(avoids_n1(with_requirement({"app", "Exists", {}}), "v1.34"));
  Question with_service = with_requirement({"app", "Near", {"x"}});
  with_service.cluster.selecting.push_back({SelectingKind::service, "default", "s", app_is("x")});
  EXPECT_TRUE(avoids_n1(with_service, "v1.34"));
}

// SCORE-SELECTOR-1: up to v1.21 a pod without labels has no controller.
TEST(OptimizedTopology, FindsNoControllerOfAPodWithoutLabels) {
  Question question = beside_a_pod(sized("p", 0, 0));
  question.cluster.pods[0].labels.clear();
  const LabelSelector without_app = {{}, {{"app", "DoesNotExist", {}}}};
  question.cluster.selecting = {{SelectingKind::replica_set, "default", "r", without_app}};
  EXPECT_FALSE(avoids_n1(question, "v1.21"));
  question.pod.labels["tier"] = "a";
  question.cluster.pods[0].labels["tier"] = "a";
  EXPECT_TRUE(avoids_n1(question, "v1.21"));
}

}  // namespace touchstone::tests::optimized_topology_test
