#include "tests/support/topology.hpp"

#include "tests/optimized/scores/placed.hpp"
#include "tests/optimized/storage_reports.hpp"
#include "tests/support/storage.hpp"

/// The optimized scorers that look at the pods of other nodes, and the one of storage.
namespace touchstone::tests::optimized_topology_test {

namespace {

const std::string k_hostname = "kubernetes.io/hostname";
const std::string k_zone_label = "topology.kubernetes.io/zone";

Pod app(const std::string& name, const std::string& which) { return with_app(sized(name, 0, 0), which); }

WeightedPodAffinityTerm prefers(const std::string& which, Quantity weight) {
  return {weight, by("zone", which)};
}

/// At most three nodes with these pods, in the zones a, b and c by the label `zone`.
Question in_three_zones(const std::vector<std::vector<Pod>>& pods, Pod preemptor) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    builder.node("n" + std::to_string(i + 1), 4000);
    for (const Pod& each : pods[i]) builder.has(each);
  }
  std::vector<std::string> zones = {"a", "b", "c"};
  zones.resize(pods.size());
  return with_memory(in_zones(builder.asks(std::move(preemptor)), zones));
}

TopologySpreadConstraint soft(const std::string& key, const std::string& which) {
  TopologySpreadConstraint constraint = over(key, which);
  constraint.when_unsatisfiable = "ScheduleAnyway";
  return constraint;
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
  Question question = in_three_zones({{app("a", "x")}, {}}, app("p", "x"));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
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
  Question question = in_three_zones({{app("a", "y")}, {app("b", "x")}}, app("p", "x"));
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")},
                                {SelectingKind::replication_controller, "default", "r", app_is("y")}};
  question.pod.controller = Controller{"v1", "ReplicationController", "r", "u"};
  const Row scores = scores_by(Scorer::pod_topology_spread, question, "v1.22");
  EXPECT_LT(scores[0], scores[1]);
}

// SCORE-CAPACITY-1
TEST(OptimizedTopology, PrefersTheNodeWithMoreStorage) {
  Question question =
      QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(with_claim(pod("p", 0, 100), "c"));
  for (Node& node : question.cluster.nodes) node.labels["host"] = node.name;
  Stored stored(question);
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(waiting("c", 5));
  stored.with(report_of(10, "n1", {{{"host", "n1"}}, {}}));
  stored.with(report_of(100, "n2", {{{"host", "n2"}}, {}}));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 95}));
  // A second report for n1 is as good as the first, so that chance decides.
  stored.with(report_of(50, "other", {{{"host", "n1"}}, {}}));
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
  EXPECT_EQ(placed_alike(stored, release("v1.36")).answer.outcome, Outcome::fits);
}

// SCORE-CAPACITY-1, PRE-BIND-2
TEST(OptimizedTopology, LeavesTheSizeOfReservedVolumesToChance) {
  Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(with_claim(pod("p", 0, 100), "c")));
  stored.with(late("kubernetes.io/no-provisioner")).with(waiting("c", 5));
  const auto reserved = [](const std::string& name, Quantity size) {
    PersistentVolume volume = available(name, size);
    volume.claim = {"default", "c", ""};
    return volume;
  };
  stored.with(reserved("v1", 10)).with(reserved("v2", 10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 50}));
  stored.with(reserved("v3", 20));
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
}

// SCORE-CAPACITY-1: the claims of one class add up, and so do the volumes that they take.
TEST(OptimizedTopology, AddsUpTheVolumesOfAClass) {
  const Pod two = with_claim(with_claim(pod("p", 0, 100), "c"), "d");
  Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(two));
  stored.with(late("kubernetes.io/no-provisioner")).with(waiting("c", 5)).with(waiting("d", 15));
  stored.with(available("v", 10)).with(available("w", 70));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{75, 75}));  // 60 of 80 bytes stay free
}

// SCORE-CAPACITY-1: a bound claim does not count, even if it still has the annotation selected-node.
TEST(OptimizedTopology, LeavesBoundClaimsOut) {
  PersistentVolumeClaim bound = claim("c", "v");
  bound.class_name = "late";
  bound.selected_node = "n1";
  Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(with_claim(pod("p", 0, 100), "c")));
  stored.with(bound).with(volume("v")).with(late("d")).with(CsiDriver{"d", true, false}).with(report_of(10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{0, 0}));
}

}  // namespace touchstone::tests::optimized_topology_test
