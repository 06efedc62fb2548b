#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"

/// The filters on the node itself, whatever pods run on it. No eviction can cure their rejections.
namespace touchstone::reference {

namespace {

/// PRE-TAINT-2
bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && toleration.value == taint.value;
}

/// PRE-NODEAFFINITY-1: the first pair of a nodeSelector that is not a label of the node, as "key=value".
/// Empty: there is none.
std::string missing_label(const Node& node, const Labels& selector) {
  for (const auto& [key, value] : selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return key + "=" + value;
  }
  return "";
}

}  // namespace

bool tolerates(const Pod& pod, const Taint& taint) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                     [&taint](const Toleration& toleration) { return tolerates(toleration, taint); });
}

bool term_holds(const NodeSelectorTerm& term, const Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  if (!matches(term.match_expressions, node.labels)) return false;
  return std::all_of(term.match_fields.begin(), term.match_fields.end(),
                     [&node](const Requirement& requirement) { return field_holds(requirement, node.name); });
}

namespace {

/// CYC-PROFILE-2: whether the terms that the configuration adds reject a node.
bool is_left_out_by_configuration(const Node& node, const Release& release) {
  if (!release.added_required_terms) return false;
  const std::vector<NodeSelectorTerm>& terms = *release.added_required_terms;
  return std::none_of(terms.begin(), terms.end(),
                      [&node](const NodeSelectorTerm& term) { return term_holds(term, node); });
}

}  // namespace

Status node_unschedulable(const Cycle& cycle, const NodeState& state) {
  const Taint taint{"node.kubernetes.io/unschedulable", "", "NoSchedule"};
  if (!state.node->unschedulable) return {};
  if (cycle.release.unschedulable_tolerable && tolerates(cycle.pod, taint)) return {};
  return unresolvable("PRE-UNSCHEDULABLE-1", plugin_of(Filter::node_unschedulable),
                      cycle.release.text_unschedulable, "spec.unschedulable");
}

Status node_name(const Cycle& cycle, const NodeState& state) {
  if (cycle.pod.node_name.empty() || cycle.pod.node_name == state.node->name) return {};
  return unresolvable("PRE-NODENAME-1", plugin_of(Filter::node_name), cycle.release.text_node_name,
                      "spec.nodeName " + cycle.pod.node_name);
}

Status taint_toleration(const Cycle& cycle, const NodeState& state) {
  for (const Taint& taint : state.node->taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    if (tolerates(cycle.pod, taint)) continue;
    const std::string text = filled_in(cycle.release.text_taint, "$key", taint.key);
    const std::string what =
        "taint " + taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
    return unresolvable("PRE-TAINT-1", plugin_of(Filter::taint_toleration),
                        filled_in(text, "$value", taint.value), what);
  }
  return {};
}

Status node_affinity(const Cycle& cycle, const NodeState& state) {
  if (is_left_out_by_configuration(*state.node, cycle.release))  // CYC-PROFILE-2
    return unresolvable("CYC-PROFILE-2", plugin_of(Filter::node_affinity),
                        "node(s) didn't match scheduler-enforced node affinity", "addedAffinity");
  return own_node_affinity(cycle, state);
}

Status own_node_affinity(const Cycle& cycle, const NodeState& state) {
  const Node& node = *state.node;
  const std::string missing = missing_label(node, cycle.pod.node_selector);
  if (!missing.empty()) {
    return unresolvable("PRE-NODEAFFINITY-1", plugin_of(Filter::node_affinity),
                        cycle.release.text_node_affinity, "nodeSelector " + missing);
  }
  if (!cycle.pod.node_affinity) return {};
  const std::vector<NodeSelectorTerm>& terms = *cycle.pod.node_affinity;
  const bool some_term_holds = std::any_of(
      terms.begin(), terms.end(), [&node](const NodeSelectorTerm& term) { return term_holds(term, node); });
  if (some_term_holds) return {};
  return unresolvable("PRE-NODEAFFINITY-2", plugin_of(Filter::node_affinity),
                      cycle.release.text_node_affinity, "required node affinity");
}

NodeNames named_node(const Cycle& cycle) {
  if (!cycle.release.node_name_pins || cycle.pod.node_name.empty()) return {};
  if (!runs_prefilter(Filter::node_name, cycle.release)) return {};  // CYC-PROFILE-1
  return {false, {cycle.pod.node_name}};
}

NodeNames pinned_nodes(const Cycle& cycle) {
  if (!cycle.release.prefilter_node_set || !cycle.pod.node_affinity) return {};
  if (!runs_prefilter(Filter::node_affinity, cycle.release)) return {};  // CYC-PROFILE-1
  NodeNames pinned;
  for (const NodeSelectorTerm& term : *cycle.pod.node_affinity) {
    std::optional<std::set<std::string>> of_term;
    for (const Requirement& field : term.match_fields) {
      if (field.key != "metadata.name" || field.op != "In") continue;
      std::set<std::string> names(field.values.begin(), field.values.end());
      if (of_term)
        std::erase_if(names, [&of_term](const std::string& name) { return !of_term->contains(name); });
      of_term = std::move(names);
    }
    if (!of_term) return {};  // this term pins no name, so all nodes are allowed
    if (of_term->empty() && cycle.release.one_contradiction_rejects) return {false, {}};  // PRE-PREFILTER-2
    pinned.names.merge(*of_term);
    pinned.all_nodes = false;
  }
  return pinned;
}

Status node_declared_features(const Cycle& cycle, const NodeState& state) {
  const std::vector<std::string>& declared = state.node->declared_features;
  for (const std::string_view feature : cycle.release.node_features) {
    const std::vector<std::string>& wanted = cycle.pod.node_features;
    if (std::find(wanted.begin(), wanted.end(), feature) == wanted.end()) continue;
    if (std::find(declared.begin(), declared.end(), feature) != declared.end()) continue;
    return unresolvable("PRE-FEATURES-1", plugin_of(Filter::node_declared_features),
                        "node(s) didn't match Pod's required features", "feature " + std::string(feature));
  }
  return {};
}

}  // namespace touchstone::reference
