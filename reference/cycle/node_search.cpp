#include "reference/cycle/node_search.hpp"

#include <algorithm>
#include <map>

#include "reference/cycle/zone_key.hpp"

namespace touchstone::reference {

namespace {

/// The fewest feasible nodes that the search finds in a cluster that has so many nodes.
constexpr Quantity k_fewest_nodes_to_find = 100;

/// CYC-SEARCH-1: the share of nodes to find, in percent.
Quantity percentage_to_find(Quantity nodes, const Release& release) {
  const Quantity configured = release.percentage_of_nodes.value_or(0);
  if (configured != 0) return configured;
  if (release.search_share == SearchShare::half) return 50;
  return std::max<Quantity>(50 - nodes / 125, 5);
}

bool is_feasible(const FirstPass& first_pass, NodeIndex node) {
  return std::find(first_pass.feasible.begin(), first_pass.feasible.end(), node) != first_pass.feasible.end();
}

/// The nodes that the search may visit, in the order of the cache: all but those that a PreFilter excludes
/// (PRE-PREFILTER-3).
std::vector<NodeIndex> nodes_to_visit(const Cycle& cycle, const FirstPass& first_pass) {
  std::vector<NodeIndex> nodes = nodes_in_order(cycle);
  std::erase_if(nodes, [&first_pass](NodeIndex node) {
    const bool has_status = first_pass.status.contains(node) && !first_pass.excluded.contains(node);
    return !has_status && !is_feasible(first_pass, node);
  });
  return nodes;
}

/// CYC-SEARCH-4: the number of nodes that a search has dealt with: those with a status, and the feasible ones
/// that it keeps. `ended_early`: it met a feasible node that it does not keep. A nominated node that passes
/// all filters has a status if an extender has rejected it.
std::size_t nodes_dealt_with(const Cycle& cycle, const FirstPass& first_pass, const NodeSearch& search,
                             bool ended_early) {
  const Release& release = cycle.release;
  std::set<NodeIndex> nodes = search.visited;
  if (release.excluded_nodes == ExcludedNodes::have_own_reason)
    nodes.insert(first_pass.excluded.begin(), first_pass.excluded.end());
  std::size_t count = ended_early && release.dropped_node_moves_start ? 1 : 0;
  if (release.nominated_node_first && cycle.nominated_node) {
    const NodeIndex node = *cycle.nominated_node;
    const bool has_status = first_pass.status.contains(node) && !first_pass.excluded.contains(node);
    if (!is_feasible(first_pass, node)) {
      if (has_status) nodes.insert(node);
    } else if (first_pass.status.contains(node)) {
      ++count;
    }
  }
  return nodes.size() + count;
}

/// CYC-SEARCH-4: the start index after the scheduler has tried the node to which the pod is nominated.
/// Requires: no PreFilter rejects the pod.
std::optional<Quantity> start_after_nominated(const Cycle& cycle, std::optional<Quantity> start) {
  const Release& release = cycle.release;
  const bool resets = release.nominated_node_first && release.nominated_node_resets_start;
  if (start && resets && cycle.nominated_node) return 0;
  return start;
}

}  // namespace

std::vector<NodeIndex> nodes_in_order(const Cycle& cycle) {
  std::vector<std::string> zones;  // in the order in which the nodes show them
  std::map<std::string, std::vector<NodeIndex>> nodes_of;
  for (const NodeState& node : cycle.nodes) {
    const std::string zone =
        cycle.release.nodes_by_zone ? zone_key(*node.node, cycle.release) : std::string();
    if (!nodes_of.contains(zone)) zones.push_back(zone);
    nodes_of[zone].push_back(node.index);
  }
  std::vector<NodeIndex> order;
  for (std::size_t i = 0; order.size() < cycle.nodes.size(); ++i) {
    for (const std::string& zone : zones) {
      if (i < nodes_of[zone].size()) order.push_back(nodes_of[zone][i]);
    }
  }
  return order;
}

std::vector<NodeIndex> search_order(const Cycle& cycle, std::optional<Quantity> start) {
  std::vector<NodeIndex> order = nodes_in_order(cycle);
  if (order.empty()) return order;
  const auto first = static_cast<std::size_t>(start_after_nominated(cycle, start).value_or(0));
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first % order.size()), order.end());
  return order;
}

Quantity nodes_to_find(Quantity nodes, const Release& release, const std::vector<Extender>& extenders) {
  const bool some_extender_counts =
      std::any_of(extenders.begin(), extenders.end(), [](const Extender& extender) {
        return !extender.filter_verb.empty() || !extender.prioritize_verb.empty();
      });
  // CYC-SEARCH-3
  if (release.one_node_without_scorers && release.scorers.empty() && !some_extender_counts) return 1;
  if (release.search_share == SearchShare::every_node || nodes < k_fewest_nodes_to_find) return nodes;
  const Quantity percentage = percentage_to_find(nodes, release);
  if (percentage >= 100) return nodes;
  return std::max(percentage * nodes / 100, k_fewest_nodes_to_find);
}

NodeSearch search_nodes(const Cycle& cycle, const FirstPass& first_pass, std::optional<Quantity> start,
                        NominatedNode nominated) {
  NodeSearch search;
  // CYC-NOMINATED-1
  if (nominated == NominatedNode::first && cycle.release.nominated_node_first && cycle.nominated_node &&
      is_feasible(first_pass, *cycle.nominated_node)) {
    search.feasible = {*cycle.nominated_node};
    search.visited = {*cycle.nominated_node};
    search.seen = search.visited;
    search.next_start = start_after_nominated(cycle, start);
    return search;
  }
  if (!start) {
    search.feasible = first_pass.feasible;
    for (const NodeState& node : cycle.nodes) search.visited.insert(node.index);
    search.seen = search.visited;
    return search;
  }
  // CYC-SEARCH-2
  const std::vector<NodeIndex> nodes = nodes_to_visit(cycle, first_pass);
  const Quantity wanted = nodes_to_find(static_cast<Quantity>(nodes.size()), cycle.release, cycle.extenders);
  search.in_order = !first_pass.names_nodes || nodes.size() == 1;
  search.is_by_chance = !search.in_order && wanted < static_cast<Quantity>(first_pass.feasible.size());
  const Quantity first = first_pass.rejection.empty() ? *start_after_nominated(cycle, start) : *start;
  bool ended_early = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[(static_cast<std::size_t>(first) + i) % nodes.size()];
    const bool feasible = is_feasible(first_pass, node);
    ended_early = feasible && static_cast<Quantity>(search.feasible.size()) == wanted;
    if (ended_early) break;
    search.visited.insert(node);
    if (feasible) search.feasible.push_back(node);
  }
  search.seen = search.visited;
  search.seen.insert(first_pass.excluded.begin(), first_pass.excluded.end());
  // CYC-NOMINATED-1: this node got its status first.
  if (cycle.release.nominated_node_first && cycle.nominated_node) search.seen.insert(*cycle.nominated_node);
  // CYC-SEARCH-4
  const std::size_t round = cycle.release.start_wraps_at_list ? nodes.size() : cycle.nodes.size();
  search.next_start = first;
  if (round > 0) {
    const std::size_t end =
        static_cast<std::size_t>(first) % round + nodes_dealt_with(cycle, first_pass, search, ended_early);
    search.next_start = static_cast<Quantity>(end % round);
  }
  return search;
}

}  // namespace touchstone::reference
