#include "fuzz/generate/draw.hpp"

namespace touchstone::fuzz {

namespace {

Requirement draw_node_requirement(Draw& draw) {
  const std::string key = draw.one_of({"disk", "zone", "gen"});
  switch (draw.below(8)) {
    case 0:
      return {key, "In", {"ssd", "a", "5"}};
    case 1:
      return {key, "NotIn", {"hdd", "b"}};
    case 2:
      return {key, "Exists", {}};
    case 3:
      return {key, "DoesNotExist", {}};
    case 4:
      return {key, "Gt", {draw.one_of({"4", "5", "x"})}};
    case 5:
      return {key, "Lt", {draw.one_of({"5", "4"})}};
    case 6:
      return {key, "In", {"hdd"}};
    default:
      return {key, "In", {}};  // cannot be converted
  }
}

LabelSelector draw_namespace_selector(Draw& draw) {
  switch (draw.below(4)) {
    case 0:
      return {{{"team", "a"}}, {}};
    case 1:
      return {{}, {}};
    case 2:
      return {{}, {{"team", "NotIn", {"a"}}}};
    default:
      return {{}, {{"team", "DoesNotExist", {}}}};
  }
}

}  // namespace

Labels draw_labels(Draw& draw) {
  Labels labels;
  const std::size_t app = draw.tight && !draw.once_in(4) ? 1 : draw.below(3);
  if (app > 0) labels["app"] = app == 1 ? "x" : "y";
  if (draw.once_in(3)) labels["tier"] = draw.one_of({"a", "b"});
  return labels;
}

LabelSelector draw_label_selector(Draw& draw, bool valid) {
  switch (draw.below(valid ? 7 : 8)) {
    case 0:
    case 1:
    case 2:
      return {{{"app", "x"}}, {}};
    case 3:
      return {{}, {{"tier", "Exists", {}}}};
    case 4:
      return {{}, {{"app", "NotIn", {"y"}}}};
    case 5:
      return {{{"tier", "a"}}, {{"app", "In", {"x", "y"}}}};
    case 6:
      return {{}, {}};
    default:
      return {{}, {{"app", "In", {}}}};  // cannot be converted
  }
}

void draw_namespaces(Draw& draw, Cluster& cluster) {
  if (!draw.has(Family::namespaces) || draw.minor < 22) return;
  if (!draw.once_in(4)) cluster.namespaces["default"]["team"] = "a";
  if (!draw.once_in(4)) cluster.namespaces["other"]["team"] = draw.one_of({"b", "a"});
  if (draw.once_in(8)) cluster.namespaces["other"].clear();
}

void draw_node_labels(Draw& draw, Node& node) {
  const bool in_domains =
      draw.has(Family::affinity) || draw.has(Family::anti_affinity) || draw.has(Family::spread);
  if (in_domains && !draw.once_in(8)) node.labels[k_hostname] = node.name;
  if ((in_domains || draw.has(Family::selectors)) && !draw.once_in(4))
    node.labels["zone"] = draw.one_of({"a", "b"});
  if (!draw.has(Family::selectors)) return;
  node.labels["disk"] = draw.one_of({"ssd", "ssd", "hdd"});
  if (draw.once_in(3)) node.labels["gen"] = draw.one_of({"5", "4", "x"});
}

void draw_taints(Draw& draw, Node& node) {
  if (!draw.has(Family::taints)) return;
  const std::size_t taints = draw.one_of<std::size_t>({0, 0, 1, 1, 2});
  for (std::size_t i = 0; i < taints; ++i) {
    node.taints.push_back({draw.one_of({"k", "l"}), draw.one_of({"v", "", "w"}),
                           draw.one_of({"NoSchedule", "PreferNoSchedule", "NoExecute"})});
    // Each node gets a reason of its own, so that the message becomes too long.
    if (draw.has(Family::many_nodes) && draw.once_in(2)) node.taints.back().value = "of-" + node.name;
  }
  node.unschedulable = draw.once_in(8);
}

void draw_tolerations(Draw& draw, Pod& preemptor) {
  if (!draw.has(Family::taints)) return;
  const std::size_t tolerations = draw.one_of<std::size_t>({1, 2, 0});
  for (std::size_t i = 0; i < tolerations; ++i) {
    switch (draw.below(7)) {
      case 0:
        preemptor.tolerations.push_back({"", "Exists", "", ""});
        break;
      case 1:
        preemptor.tolerations.push_back({"k", "Exists", "", ""});
        break;
      case 2:
        preemptor.tolerations.push_back({"k", "Equal", "v", "NoSchedule"});
        break;
      case 3:
        preemptor.tolerations.push_back({"l", "", "w", ""});
        break;
      case 4:
        preemptor.tolerations.push_back({"", "Exists", "", draw.one_of({"NoExecute", "NoSchedule"})});
        break;
      case 5:
        preemptor.tolerations.push_back({"node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"});
        break;
      default:
        preemptor.tolerations.push_back({"l", "Exists", "", "PreferNoSchedule"});
    }
  }
}

void draw_node_affinity(Draw& draw, Pod& preemptor, std::size_t nodes) {
  if (!draw.has(Family::selectors)) return;
  if (draw.once_in(3)) preemptor.node_selector["disk"] = "ssd";
  if (draw.once_in(16)) preemptor.node_selector["zone"] = "a";
  if (!draw.once_in(2)) return;
  preemptor.node_affinity.emplace();
  const std::size_t terms = draw.one_of<std::size_t>({1, 2, 1, 2, 3, 0});
  for (std::size_t t = 0; t < terms; ++t) {
    NodeSelectorTerm& term = preemptor.node_affinity->emplace_back();
    const std::size_t requirements = draw.one_of<std::size_t>({1, 1, 2, 0});
    for (std::size_t i = 0; i < requirements; ++i)
      term.match_expressions.push_back(draw_node_requirement(draw));
    if (draw.minor < 11 || !draw.once_in(2)) continue;
    const std::size_t pins = draw.one_of<std::size_t>({1, 2});
    for (std::size_t i = 0; i < pins; ++i) {
      const std::size_t number = draw.once_in(8) ? nodes + 1 : draw.below(nodes);
      term.match_fields.push_back({"metadata.name", draw.one_of({"In", "In", "NotIn"}), {node_name(number)}});
    }
  }
}

PodAffinityTerm draw_affinity_term(Draw& draw) {
  PodAffinityTerm term;
  term.topology_key = draw.one_of({"zone", k_hostname, "zone"});
  if (!draw.once_in(12)) term.label_selector = draw_label_selector(draw, true);
  if (draw.once_in(6)) term.namespaces = {draw.one_of({"other", "default"})};
  if (draw.minor >= 22 && draw.has(Family::namespaces) && draw.once_in(3))
    term.namespace_selector = draw_namespace_selector(draw);
  return term;
}

TopologySpreadConstraint draw_spread(Draw& draw) {
  TopologySpreadConstraint spread;
  spread.topology_key = draw.one_of({"zone", k_hostname, "zone"});
  spread.when_unsatisfiable = draw.once_in(8) ? "ScheduleAnyway" : "DoNotSchedule";
  spread.max_skew = draw.one_of<Quantity>({1, 1, 2});
  if (!draw.once_in(12)) spread.label_selector = draw_label_selector(draw, true);
  if (draw.minor >= 27 && draw.once_in(6)) spread.match_label_keys = {draw.one_of({"tier", "app"})};
  if (draw.minor >= 27 && spread.when_unsatisfiable == "DoNotSchedule" && draw.once_in(6))
    spread.min_domains = draw.one_of<Quantity>({2, 3, 1});
  if (draw.minor >= 26 && draw.once_in(6)) spread.node_affinity_policy = draw.one_of({"Ignore", "Honor"});
  if (draw.minor >= 26 && draw.once_in(6)) spread.node_taints_policy = draw.one_of({"Honor", "Ignore"});
  return spread;
}

}  // namespace touchstone::fuzz
