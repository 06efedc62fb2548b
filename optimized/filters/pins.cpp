#include "optimized/filters/pins.hpp"

namespace touchstone::optimized {

void Pins::keep(const Pins& others) {
  if (others.all_nodes) return;
  if (all_nodes) {
    *this = others;
  } else {
    std::erase_if(names, [&others](const std::string& name) { return !others.names.contains(name); });
  }
}

Pins pins_of_node_name(const Query& query) {
  if (!query.release.node_name_pins || query.pod.node_name.empty()) return {};
  if (!query.has_prefilter(Filter::node_name)) return {};  // CYC-PROFILE-1
  return {false, {query.pod.node_name}};
}

Pins pins_of_affinity(const Query& query) {
  if (!query.release.prefilter_node_set || !query.pod.node_affinity) return {};
  if (!query.has_prefilter(Filter::node_affinity)) return {};  // CYC-PROFILE-1
  Pins all{query.pod.node_affinity->empty(), {}};
  for (const NodeSelectorTerm& term : *query.pod.node_affinity) {
    Pins of_term;
    for (const Requirement& field : term.match_fields) {
      if (field.key == "metadata.name" && field.op == "In")
        of_term.keep({false, {field.values.begin(), field.values.end()}});
    }
    if (of_term.all_nodes) return {};
    if (of_term.none() && query.release.one_contradiction_rejects) return {false, {}};
    all.names.insert(of_term.names.begin(), of_term.names.end());
  }
  return all;
}

std::string error_of_unknown(const Pins& pins, const Query& query) {
  const UnknownPinnedNode rule = query.release.unknown_pinned_node;
  std::set<std::string> unknown;
  for (const std::string& name : pins.names) {
    if (!query.tables.node_by_name.contains(query.tables.symbols.find(name))) unknown.insert(name);
  }
  if (unknown.empty() || rule == UnknownPinnedNode::is_skipped) return "";
  if (rule == UnknownPinnedNode::errs) return "nodeinfo not found for node name \"" + *unknown.begin() + "\"";
  return unknown == pins.names ? "no pinned node is known: the scheduler crashes" : "";
}

}  // namespace touchstone::optimized
