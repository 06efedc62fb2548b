#include <algorithm>

#include "reference/extenders/extenders.hpp"

/// The filters of extenders.
namespace touchstone::reference {

namespace {

/// One answer to filterVerb.
struct FilterAnswer {
  std::vector<NodeIndex> nodes;        ///< those that pass, in the order in which they were sent
  std::vector<NodeIndex> unknown;      ///< of these, nodes that were not sent
  std::map<NodeIndex, Status> status;  ///< of the nodes that the extender rejects; also of unknown ones
  std::string error;
  bool crashed = false;
};

Status rejection(const FilterEntry& entry) {
  const bool unresolvable = entry.verdict == ExtenderVerdict::unresolvable;
  return {unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable,
          "",
          {entry.reason},
          {{"EXT-FILTER-2", "an extender rejects the node", {}, {}}}};
}

/// EXT-FILTER-2: adds what the extender says about one node.
void add_entry(const Cycle& cycle, const FilterEntry& entry, NodeIndex node, FilterAnswer& answer) {
  if (entry.verdict == ExtenderVerdict::passes) {
    answer.nodes.push_back(node);
  } else if (entry.verdict == ExtenderVerdict::failed || cycle.release.extender_says_unresolvable) {
    answer.status[node] = rejection(entry);
  }
}

/// The answer to a call about these nodes. Requires: the extender has a table.
FilterAnswer answer_to(const Cycle& cycle, std::size_t index, const std::vector<NodeIndex>& nodes) {
  const Extender& extender = cycle.extenders[index];
  const AnswerTable<FilterEntry>& table = *extender.filter;
  FilterAnswer answer;
  if (table.error) {
    answer.error = call_error(cycle, index, extender.filter_verb, table.error);
    return answer;
  }
  for (const NodeIndex node : nodes) {
    const auto entry = table.nodes.find(node_name_at(cycle, node));
    if (entry != table.nodes.end()) add_entry(cycle, entry->second, node, answer);
  }
  // EXT-UNKNOWN-1, EXT-UNKNOWN-2
  const std::vector<std::string> unknown = unknown_nodes(cycle);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const NodeIndex node = cycle.cluster.nodes.size() + i;
    const auto entry = table.nodes.find(unknown[i]);
    if (entry == table.nodes.end() || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) continue;
    add_entry(cycle, entry->second, node, answer);
    if (entry->second.verdict == ExtenderVerdict::passes) answer.unknown.push_back(node);
  }
  return answer;
}

/// EXT-UNKNOWN-1: the error of an extender with a node cache that names a node that it was not asked about.
void check_names(const Cycle& cycle, std::size_t index, FilterAnswer& answer) {
  if (!cycle.extenders[index].node_cache_capable || answer.unknown.empty()) return;
  const UnknownFilteredNode rule = cycle.release.unknown_filtered_node;
  if (rule == UnknownFilteredNode::crashes) {
    answer.crashed = true;
    answer.error = "an extender names a node that does not exist: the scheduler crashes";
    return;
  }
  answer.error = "extender \"" + name_of_extender(cycle, index) + "\" claims a filtered node \"" +
                 node_name_at(cycle, answer.unknown.front()) + "\" which is not found in " +
                 (rule == UnknownFilteredNode::is_not_in_map ? "nodeNameToInfo map" : "the input node list");
}

/// EXT-FILTER-3: sets the status of a node that an extender rejects.
void set_status(const Cycle& cycle, const std::map<NodeIndex, Status>& before, NodeIndex node, Status status,
                ExtendedFilter& result) {
  const auto own = result.status.find(node);
  const auto earlier = before.find(node);
  const Status* known = own != result.status.end() ? &own->second
                        : earlier != before.end()  ? &earlier->second
                                                   : nullptr;
  if (known != nullptr && cycle.release.extender_reasons_add_up) {
    if (status.code == Code::unschedulable) status.code = known->code;
    status.reasons.insert(status.reasons.begin(), known->reasons.begin(), known->reasons.end());
  }
  result.status[node] = std::move(status);
}

}  // namespace

ExtendedFilter filter_by_extenders(const Cycle& cycle, const std::vector<NodeIndex>& feasible,
                                   const std::map<NodeIndex, Status>& status) {
  ExtendedFilter result;
  result.feasible = feasible;
  for (const std::size_t index : extenders_to_ask(cycle)) {
    const Extender& extender = cycle.extenders[index];
    if (result.feasible.empty()) break;  // EXT-FILTER-1
    if (extender.filter_verb.empty()) continue;
    if (!is_known(cycle, extender.filter, result.feasible)) {
      result.unanswered = ExtenderCall{index, ExtenderVerb::filter, result.feasible, {}};
      return result;
    }
    FilterAnswer answer = answer_to(cycle, index, result.feasible);
    check_names(cycle, index, answer);
    if (!answer.error.empty()) {
      // EXT-ERROR-1
      const bool is_ignored = extender.ignorable && cycle.release.extenders_may_be_ignored;
      if (is_ignored && !answer.crashed) continue;
      result.error = answer.error;
      result.crashed = answer.crashed;
      return result;
    }
    for (auto& [node, rejected] : answer.status) set_status(cycle, status, node, rejected, result);
    result.feasible = answer.nodes;
    // EXT-RECORD-1
    if (cycle.release.extender_replaces_records && !extender.node_cache_capable)
      result.bare.insert(answer.nodes.begin(), answer.nodes.end());
  }
  return result;
}

}  // namespace touchstone::reference
