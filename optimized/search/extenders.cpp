#include "optimized/search/extenders.hpp"

#include <map>
#include <utility>

#include "optimized/search/bound.hpp"

namespace touchstone::optimized {

namespace {

/// EXT-INTEREST-1
bool is_interested(const Extender& extender, const Query& query) {
  if (!query.release.extender_interest || extender.managed_resources.empty()) return true;
  const auto names_one = [&extender](const Container& container) {
    return std::any_of(extender.managed_resources.begin(), extender.managed_resources.end(),
                       [&container](const ManagedResource& resource) {
                         return container.requests.contains(resource.name) ||
                                container.limits.contains(resource.name);
                       });
  };
  const Pod& pod = query.pod;
  return std::any_of(pod.containers.begin(), pod.containers.end(), names_one) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), names_one);
}

/// EXT-UNKNOWN-1, EXT-UNKNOWN-2: whether the table accepts a node that does not exist.
bool accepts_unknown(const AnswerTable<FilterEntry>& table, const Query& query) {
  return std::any_of(table.nodes.begin(), table.nodes.end(), [&query](const auto& entry) {
    const Symbol name = query.tables.symbols.find(entry.first);
    return entry.second.verdict == ExtenderVerdict::passes && !query.tables.node_by_name.contains(name);
  });
}

using Codes = std::map<NodeIndex, NodeCode>;

/// What the extenders leave of the feasible nodes.
struct Filtered {
  std::vector<NodeIndex> nodes;
  Codes codes;                  ///< of the nodes that an extender rejects
  bool nodes_are_bare = false;  ///< see ExtendedNodes
  std::string error;            ///< not empty: the attempt ends with it
  std::string not_handled;      ///< see ExtendedNodes
};

/// EXT-FILTER-2: applies what the extender says about one node. Returns whether the node
/// passes.
bool passes(const Query& query, const AnswerTable<FilterEntry>& table, NodeIndex node, Codes& codes) {
  const auto entry = table.nodes.find(node_name(query, node));
  if (entry == table.nodes.end()) return false;
  const ExtenderVerdict verdict = entry->second.verdict;
  if (verdict == ExtenderVerdict::passes) return true;
  if (verdict == ExtenderVerdict::failed) {
    codes[node] = NodeCode::unschedulable;
  } else if (query.release.extender_says_unresolvable) {
    codes[node] = NodeCode::unresolvable;
  }
  return false;
}

/// Asks the extenders about feasible nodes, one after the other. `codes`: so far.
Filtered ask_filters(const Query& query, const std::vector<NodeIndex>& nodes, Codes codes) {
  Filtered filtered{nodes, std::move(codes), false, {}, {}};
  for (const Extender* extender : asked_extenders(query)) {
    if (filtered.nodes.empty()) break;  // EXT-FILTER-1
    if (extender->filter_verb.empty()) continue;
    if (!knows(extender->filter, query, filtered.nodes)) {
      filtered.not_handled = left_of_extenders("an answer is not known");
      return filtered;
    }
    if (extender->filter->error) {  // EXT-ERROR-1
      if (extender->ignorable && query.release.extenders_may_be_ignored) continue;
      filtered.error = error_of_call(query, *extender, extender->filter_verb, *extender->filter->error);
      return filtered;
    }
    if (accepts_unknown(*extender->filter, query)) {
      filtered.not_handled = left_of_extenders("they name a node that does not exist");
      return filtered;
    }
    std::erase_if(filtered.nodes,
                  [&](NodeIndex node) { return !passes(query, *extender->filter, node, filtered.codes); });
    // EXT-RECORD-1
    if (query.release.extender_replaces_records && !extender->node_cache_capable)
      filtered.nodes_are_bare = true;
  }
  return filtered;
}

/// EXT-DROP-1: the code of a node that no filter and no extender gives one.
NodeCode code_of_dropped(const Query& query) {
  switch (query.release.dropped_nodes) {
    case DroppedNodes::are_potential:
      return NodeCode::without_status;
    case DroppedNodes::are_not_potential:
      return NodeCode::dropped;
    case DroppedNodes::unresolvable:
      break;
  }
  return NodeCode::unresolvable;
}

/// Sets the codes for preemption. Requires: the extenders leave no node.
void set_codes(const Query& query, const Filtered& filtered, const FoundNodes& found, FirstPass& first_pass) {
  std::vector<bool> is_seen(first_pass.codes.size(), true);
  for (const NodeIndex node : found.unseen) is_seen[node] = false;
  for (NodeIndex node = 0; node < first_pass.codes.size(); ++node) {
    NodeCode& code = first_pass.codes[node];
    if (code == NodeCode::gone) continue;
    const auto own = filtered.codes.find(node);
    const bool has_status = code == NodeCode::unschedulable || code == NodeCode::unresolvable;
    if (own != filtered.codes.end()) {
      code = own->second;
    } else if (!has_status || !is_seen[node]) {
      code = code_of_dropped(query);
    }
    first_pass.bounds[node] = bound_of(query, UnchangedNode(query, node));
  }
}

/// Whether the search has tried the nominated node alone.
bool tried_nominated_node(const Query& query, const FoundNodes& found) {
  return query.release.nominated_node_first && query.nominated_node &&
         found.nodes == std::vector<NodeIndex>{*query.nominated_node};
}

/// Applies what the extenders leave of the feasible nodes.
void apply(const Query& query, Filtered filtered, ExtendedNodes& result) {
  FirstPass& first_pass = result.first_pass;
  if (!filtered.error.empty()) filtered.nodes.clear();
  if (filtered.nodes.empty()) set_codes(query, filtered, result.found, first_pass);
  result.nodes_are_bare = filtered.nodes_are_bare;
  first_pass.error = std::move(filtered.error);
  first_pass.feasible = filtered.nodes;
  std::sort(first_pass.feasible.begin(), first_pass.feasible.end());
  result.found.nodes = std::move(filtered.nodes);
  result.not_handled = std::move(filtered.not_handled);
}

}  // namespace

std::string left_of_extenders(const std::string& why) {
  return std::string(k_left_to_reference) + "extenders: " + why;
}

std::vector<const Extender*> asked_extenders(const Query& query) {
  std::vector<const Extender*> asked;
  for (const Extender& extender : query.extenders) {
    if (is_interested(extender, query)) asked.push_back(&extender);
  }
  if (query.release.ignorable_extenders_last)
    std::stable_partition(asked.begin(), asked.end(),
                          [](const Extender* extender) { return !extender->ignorable; });
  return asked;
}

std::string error_of_call(const Query& query, const Extender& extender, const std::string& verb,
                          const std::string& error) {
  if (!error.empty()) return error;
  std::string url = extender.url_prefix;
  if (url.empty()) url = "extender " + std::to_string(&extender - query.extenders.data());
  while (url.ends_with('/')) url.pop_back();
  return std::string(query.release.extender_error_in_capitals ? "Failed " : "failed ") + verb +
         " with extender at URL " + url + "/" + verb + ", code 500";
}

ExtendedNodes find_nodes(const Query& query, FirstPass first_pass,
                         const std::function<FoundNodes(const FirstPass&, NominatedNode)>& search,
                         const std::function<FirstPass()>& filter_again) {
  ExtendedNodes result;
  result.first_pass = std::move(first_pass);
  if (!result.first_pass.error.empty()) return result;
  result.found = search(result.first_pass, NominatedNode::first);
  if (query.extenders.empty() || result.found.nodes.empty()) return result;
  Filtered filtered = ask_filters(query, result.found.nodes, {});
  const bool is_refused = filtered.nodes.empty() || !filtered.error.empty();
  if (is_refused && tried_nominated_node(query, result.found)) {  // EXT-NOMINATED-1
    result.first_pass = filter_again();
    if (!result.first_pass.error.empty()) {
      result.found.nodes.clear();
      return result;
    }
    result.first_pass.nominated_has_reason = filtered.codes.contains(*query.nominated_node);
    result.found = search(result.first_pass, NominatedNode::like_others);
    filtered = ask_filters(query, result.found.nodes, std::move(filtered.codes));
  }
  apply(query, std::move(filtered), result);
  return result;
}

}  // namespace touchstone::optimized
