#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/generate/draw.hpp"

/// Generates what scores look at in pods: preferred terms, soft constraints, and the objects that select
/// pods.
namespace touchstone::fuzz {

namespace {

constexpr const char* k_stable_zone = "topology.kubernetes.io/zone";

/// Gives most pods labels, and nodes the labels of topologies.
void ensure_labels(Draw& draw, Question& question) {
  for (Pod& pod : question.cluster.pods) {
    if (pod.labels.empty()) pod.labels = draw_labels(draw);
  }
  if (question.pod.labels.empty()) question.pod.labels = draw_labels(draw);
  for (Node& node : question.cluster.nodes) {
    if (!draw.once_in(8)) node.labels[k_hostname] = node.name;
    if (!node.labels.contains("zone") && !draw.once_in(4)) node.labels["zone"] = draw.one_of({"a", "b", "c"});
  }
}

Quantity draw_weight(Draw& draw) { return draw.one_of<Quantity>({1, 100, 10, 3, 50, 29, 7, 99}); }

Requirement draw_preference(Draw& draw) {
  const std::string key = draw.one_of({"disk", "zone", "gen"});
  switch (draw.below(7)) {
    case 0:
      return {key, "In", {"ssd", "a", "5"}};
    case 1:
      return {key, "NotIn", {"hdd", "b"}};
    case 2:
      return {key, "Exists", {}};
    case 3:
      return {key, "DoesNotExist", {}};
    case 4:
      return {"gen", "Gt", {draw.one_of({"4", "5", "3"})}};
    case 5:
      return {"gen", "Lt", {draw.one_of({"5", "6"})}};
    default:
      return {key, "In", {"hdd", "b"}};
  }
}

WeightedPodAffinityTerm draw_weighted_term(Draw& draw) {
  const Quantity weight = draw_weight(draw);
  return {weight, draw_affinity_term(draw)};
}

void draw_weighted_terms(Draw& draw, Pod& pod, std::size_t most) {
  for (auto* terms : {&pod.preferred_pod_affinity, &pod.preferred_pod_anti_affinity}) {
    const std::size_t count = draw.below(most + 1);
    for (std::size_t i = 0; i < count; ++i) terms->push_back(draw_weighted_term(draw));
  }
}

SelectingObject draw_selecting_object(Draw& draw, SelectingKind kind, std::size_t number) {
  SelectingObject object;
  object.kind = kind;
  object.ns = draw.has(Family::namespaces) && draw.once_in(3) ? "other" : "default";
  object.name = "s" + std::to_string(number);
  const bool by_labels = kind == SelectingKind::service || kind == SelectingKind::replication_controller;
  if (!by_labels) {
    object.selector = draw_label_selector(draw, true);
    return object;
  }
  if (kind == SelectingKind::service && draw.once_in(8)) return object;
  object.selector.emplace();
  object.selector->match_labels["app"] = draw.one_of({"x", "y"});
  if (draw.once_in(3)) object.selector->match_labels["tier"] = draw.one_of({"a", "b"});
  return object;
}

/// The owner reference to a controller of the cluster, or to one that is gone.
Controller draw_controller(Draw& draw, const Cluster& cluster) {
  std::vector<const SelectingObject*> controllers;
  for (const SelectingObject& each : cluster.selecting) {
    if (each.kind != SelectingKind::service) controllers.push_back(&each);
  }
  if (controllers.empty() || draw.once_in(8)) return {"apps/v1", "ReplicaSet", "gone", "u-gone"};
  const SelectingObject& object = *controllers[draw.below(controllers.size())];
  const std::string uid = "u-" + object.name;
  if (object.kind == SelectingKind::replication_controller)
    return {"v1", "ReplicationController", object.name, uid};
  const std::string version = draw.once_in(8) ? draw.one_of({"apps/v1beta2", "v1"}) : "apps/v1";
  const bool is_set = object.kind == SelectingKind::stateful_set;
  return {version, is_set ? "StatefulSet" : "ReplicaSet", object.name, uid};
}

}  // namespace

void draw_preferred_nodes(Draw& draw, Question& question) {
  for (Node& node : question.cluster.nodes) {
    if (!draw.once_in(4)) node.labels["disk"] = draw.one_of({"ssd", "hdd"});
    if (!draw.once_in(4)) node.labels["gen"] = draw.one_of({"5", "4", "6"});
    if (!node.labels.contains("zone") && draw.once_in(2)) node.labels["zone"] = draw.one_of({"a", "b"});
  }
  const std::size_t terms = 1 + draw.below(4);
  for (std::size_t t = 0; t < terms; ++t) {
    PreferredNodeTerm term;
    term.weight = draw_weight(draw);
    const std::size_t requirements = draw.one_of<std::size_t>({1, 1, 2, 0});
    for (std::size_t i = 0; i < requirements; ++i)
      term.preference.match_expressions.push_back(draw_preference(draw));
    if (draw.minor >= 11 && draw.once_in(4)) {
      const std::string name = node_name(draw.below(question.cluster.nodes.size() + 1));
      term.preference.match_fields.push_back({"metadata.name", draw.one_of({"In", "NotIn"}), {name}});
    }
    question.pod.preferred_node_affinity.push_back(std::move(term));
  }
}

void draw_preferred_pods(Draw& draw, Question& question) {
  ensure_labels(draw, question);
  if (!draw.once_in(4)) draw_weighted_terms(draw, question.pod, 2);
  const bool others = draw.once_in(2);
  for (Pod& pod : question.cluster.pods) {
    if (others && draw.once_in(2)) draw_weighted_terms(draw, pod, 1);
    if (others && draw.once_in(4)) pod.pod_affinity.push_back(draw_affinity_term(draw));
  }
}

void draw_soft_spread(Draw& draw, Question& question) {
  ensure_labels(draw, question);
  std::vector<TopologySpreadConstraint>& constraints = question.pod.topology_spread;
  for (const char* key : {"zone", k_hostname, k_stable_zone}) {
    if (!draw.once_in(key == std::string("zone") ? 1 : 2)) continue;
    const auto is_soft = [&key](const TopologySpreadConstraint& each) {
      return each.topology_key == key && each.when_unsatisfiable == "ScheduleAnyway";
    };
    if (std::any_of(constraints.begin(), constraints.end(), is_soft)) continue;
    TopologySpreadConstraint spread;
    spread.topology_key = key;
    spread.when_unsatisfiable = "ScheduleAnyway";
    spread.max_skew = draw.one_of<Quantity>({1, 2, 3, 5});
    if (!draw.once_in(12)) spread.label_selector = draw_label_selector(draw, true);
    if (draw.minor >= 27 && spread.label_selector && draw.once_in(6))
      spread.match_label_keys = {draw.one_of({"tier", "app"})};
    if (draw.minor >= 26 && draw.once_in(4)) spread.node_affinity_policy = draw.one_of({"Ignore", "Honor"});
    if (draw.minor >= 26 && draw.once_in(4)) spread.node_taints_policy = draw.one_of({"Honor", "Ignore"});
    constraints.push_back(std::move(spread));
  }
  if (draw.once_in(4)) std::reverse(constraints.begin(), constraints.end());
}

void draw_selecting(Draw& draw, Question& question) {
  ensure_labels(draw, question);
  // Services come first, then the controllers by kind.
  std::size_t number = 0;
  for (const SelectingKind kind : {SelectingKind::service, SelectingKind::replication_controller,
                                   SelectingKind::replica_set, SelectingKind::stateful_set}) {
    const std::size_t count = draw.one_of<std::size_t>({1, 0, 1, 2});
    for (std::size_t i = 0; i < count; ++i)
      question.cluster.selecting.push_back(draw_selecting_object(draw, kind, ++number));
  }
  if (!draw.once_in(3)) question.pod.controller = draw_controller(draw, question.cluster);
}

}  // namespace touchstone::fuzz
