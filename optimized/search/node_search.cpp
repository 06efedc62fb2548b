#include "optimized/search/node_search.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

std::vector<NodeIndex> live_nodes(const Tables& tables) {
  std::vector<NodeIndex> live;
  live.reserve(tables.live_nodes);
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    if (!tables.nodes.is_gone(node)) live.push_back(node);
  }
  return live;
}

/// CYC-SEARCH-1: the share of nodes to find, in percent.
std::size_t percentage(std::size_t nodes, const Release& release) {
  const Quantity configured = release.percentage_of_nodes.value_or(0);
  if (configured != 0) return static_cast<std::size_t>(configured);
  if (release.search_share == SearchShare::half) return 50;
  const std::size_t less = nodes / 125;
  return less >= 45 ? 5 : 50 - less;
}

}  // namespace

std::vector<NodeIndex> nodes_in_order(const Tables& tables) {
  const std::vector<NodeIndex> live = live_nodes(tables);
  if (!tables.release.nodes_by_zone) return live;
  constexpr std::uint32_t k_unseen = 0xffffffff;
  std::vector<std::uint32_t> group_of(tables.zones.count(), k_unseen);  // by zone, as they appear
  std::vector<std::vector<NodeIndex>> groups;
  for (const NodeIndex node : live) {
    std::uint32_t& group = group_of[tables.nodes.zones[node]];
    if (group == k_unseen) {
      group = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group].push_back(node);
  }
  std::vector<NodeIndex> order;
  order.reserve(live.size());
  for (std::size_t i = 0; order.size() < live.size(); ++i) {
    std::erase_if(groups, [i](const std::vector<NodeIndex>& group) { return i >= group.size(); });
    for (const std::vector<NodeIndex>& group : groups) order.push_back(group[i]);
  }
  return order;
}

std::size_t nodes_to_find(std::size_t nodes, const Release& release) {
  constexpr std::size_t k_least = 100;
  if (release.one_node_without_scorers && release.scorers.empty()) return 1;  // CYC-SEARCH-3
  if (release.search_share == SearchShare::every_node || nodes < k_least) return nodes;
  const std::size_t share = percentage(nodes, release);
  return share >= 100 ? nodes : std::max(nodes * share / 100, k_least);
}

std::vector<NodeIndex> found_nodes(const Query& query, const FirstPass& first_pass,
                                   std::optional<Quantity> asked_start) {
  const auto is_feasible = [&](NodeIndex node) { return first_pass.codes[node] == NodeCode::fits; };
  if (query.release.nominated_node_first && query.nominated_node && is_feasible(*query.nominated_node))
    return {*query.nominated_node};
  if (!asked_start) return first_pass.feasible;
  std::vector<NodeIndex> visited = nodes_in_order(query.tables);
  std::erase_if(visited, [&](NodeIndex node) { return is_excluded(query, node, first_pass.is_pinned); });
  const std::size_t wanted = nodes_to_find(visited.size(), query.release);
  // CYC-SEARCH-4
  const bool resets = query.release.nominated_node_first && query.release.nominated_node_resets_start &&
                      query.nominated_node && !first_pass.is_rejected;
  const std::size_t start = resets ? 0 : static_cast<std::size_t>(*asked_start);
  std::vector<NodeIndex> found;
  for (std::size_t i = 0; i < visited.size() && found.size() < wanted; ++i) {
    const NodeIndex node = visited[(start + i) % visited.size()];
    if (is_feasible(node)) found.push_back(node);
  }
  return found;
}

}  // namespace touchstone::optimized
