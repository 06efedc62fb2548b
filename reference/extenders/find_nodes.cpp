#include <algorithm>

#include "reference/extenders/extenders.hpp"

/// The feasible nodes: the filters of plug-ins, the search, and the filters of extenders.
namespace touchstone::reference {

namespace {

bool has(const std::vector<NodeIndex>& nodes, NodeIndex node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Whether the search has tried the nominated node alone.
bool tried_nominated_node(const Cycle& cycle, const NodeSearch& search) {
  return cycle.release.nominated_node_first && cycle.nominated_node &&
         search.feasible == std::vector<NodeIndex>{cycle.nominated_node.value()};
}

/// EXT-DROP-1: the status of a node that no filter and no extender gives one.
Status absent_status(const FirstPass& first_pass) {
  if (!first_pass.excluded.empty()) return first_pass.status.at(*first_pass.excluded.begin());
  return {Code::unschedulable_and_unresolvable,
          "",
          {},
          {{"EXT-DROP-1", "an extender leaves out the node", {}, {}}}};
}

/// EXT-DROP-1: sets how a node without a status counts.
void drop(const Cycle& cycle, NodeIndex node, const Status& absent, FirstPass& first_pass) {
  const DroppedNodes rule = cycle.release.dropped_nodes;
  if (rule == DroppedNodes::are_not_potential) first_pass.dropped.insert(node);
  if (rule == DroppedNodes::unresolvable) first_pass.status[node] = absent;
}

/// Records in the trace what extenders say about the nodes that they were asked about.
void trace_statuses(const Cycle& cycle, const std::vector<NodeIndex>& asked, const FoundNodes& found) {
  const std::map<NodeIndex, Status>& status = found.first_pass.status;
  for (const NodeIndex node : asked) {
    if (has(found.search.feasible, node)) continue;
    const bool has_reason = status.contains(node) && !status.at(node).reasons.empty();
    cycle.trace.add({Stage::attempt, has_reason ? "EXT-FILTER-2" : "EXT-DROP-1", false,
                     has_reason ? status.at(node).reasons.back() : "an extender leaves out the node", node});
  }
}

/// EXT-FILTER-3: sets the statuses of the nodes that extenders reject.
void set_statuses(const Cycle& cycle, const std::map<NodeIndex, Status>& statuses, FirstPass& first_pass) {
  for (const auto& [node, status] : statuses) {
    if (node < cycle.nodes.size()) {
      first_pass.status[node] = status;
    } else {
      first_pass.unknown_status[node_name_at(cycle, node)] = status;
    }
  }
}

/// Applies what the extenders leave of the feasible nodes.
void apply(const Cycle& cycle, ExtendedFilter filtered, FoundNodes& found) {
  FirstPass& first_pass = found.first_pass;
  found.bare = std::move(filtered.bare);
  found.unanswered = std::move(filtered.unanswered);
  first_pass.error = std::move(filtered.error);
  first_pass.crashed = filtered.crashed;
  set_statuses(cycle, filtered.status, first_pass);
  const std::vector<NodeIndex> asked = std::exchange(found.search.feasible, std::move(filtered.feasible));
  const std::vector<NodeIndex>& feasible = found.search.feasible;
  const Status absent = absent_status(first_pass);
  for (const NodeState& node : cycle.nodes) {
    if (!found.search.seen.contains(node.index)) first_pass.status.erase(node.index);
    if (!first_pass.status.contains(node.index) && !has(feasible, node.index))
      drop(cycle, node.index, absent, first_pass);
  }
  first_pass.feasible = feasible;
  std::sort(first_pass.feasible.begin(), first_pass.feasible.end());
  if (cycle.trace.enabled()) trace_statuses(cycle, asked, found);
}

}  // namespace

FoundNodes find_nodes(const Cycle& cycle, FirstPass first_pass, std::optional<Quantity> start) {
  FoundNodes found;
  found.first_pass = std::move(first_pass);
  if (!found.first_pass.error.empty()) return found;
  found.search = search_nodes(cycle, found.first_pass, start, NominatedNode::first);
  if (cycle.extenders.empty() || found.search.feasible.empty()) return found;
  ExtendedFilter filtered = filter_by_extenders(cycle, found.search.feasible, {});
  const bool is_refused = filtered.feasible.empty() || !filtered.error.empty();
  if (is_refused && tried_nominated_node(cycle, found.search)) {
    // EXT-NOMINATED-1
    found.first_pass = filter_nodes(cycle, search_order(cycle, start), NominatedNode::like_others);
    if (!found.first_pass.error.empty()) return found;
    set_statuses(cycle, filtered.status, found.first_pass);
    found.search = search_nodes(cycle, found.first_pass, start, NominatedNode::like_others);
    filtered = filter_by_extenders(cycle, found.search.feasible, filtered.status);
  }
  apply(cycle, std::move(filtered), found);
  return found;
}

}  // namespace touchstone::reference
