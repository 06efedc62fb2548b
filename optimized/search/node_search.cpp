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

std::size_t nodes_to_find(std::size_t nodes, const Release& release, const std::vector<Extender>& extenders) {
  constexpr std::size_t k_least = 100;
  const bool some_extender_counts =
      std::any_of(extenders.begin(), extenders.end(), [](const Extender& extender) {
        return !extender.filter_verb.empty() || !extender.prioritize_verb.empty();
      });
  // CYC-SEARCH-3
  if (release.one_node_without_scorers && release.scorers.empty() && !some_extender_counts) return 1;
  if (release.search_share == SearchShare::every_node || nodes < k_least) return nodes;
  const std::size_t share = percentage(nodes, release);
  return share >= 100 ? nodes : std::max(nodes * share / 100, k_least);
}

namespace {

/// CYC-SEARCH-4: the start index after the scheduler has tried the node to which the pod is nominated.
/// Requires: no PreFilter rejects the pod.
std::optional<Quantity> start_after_nominated(const Query& query, std::optional<Quantity> start) {
  const bool resets = query.release.nominated_node_first && query.release.nominated_node_resets_start;
  return start && resets && query.nominated_node ? Quantity{0} : start;
}

/// CYC-SEARCH-4: how many nodes count besides those that the search visits: the nodes that a PreFilter
/// excludes, and the nominated node, which was tried first. If filters reject it, it counts once, visited or
/// not. If an extender gave it a reason, it counts once more.
std::size_t dealt_with_besides(const Query& query, const FirstPass& first_pass, bool visits_nominated) {
  const Release& release = query.release;
  const bool count_excluded = release.excluded_nodes == ExcludedNodes::have_own_reason;
  std::size_t count = 0;
  for (NodeIndex node = 0; node < first_pass.codes.size() && count_excluded; ++node) {
    const bool is_gone = first_pass.codes[node] == NodeCode::gone;
    count += !is_gone && is_excluded(query, node, first_pass) ? 1 : 0;
  }
  if (!release.nominated_node_first || !query.nominated_node) return count;
  const NodeIndex nominated = *query.nominated_node;
  if (is_excluded(query, nominated, first_pass)) return count;
  const bool is_feasible = first_pass.codes[nominated] == NodeCode::fits;
  const bool counts = is_feasible ? first_pass.nominated_has_reason : !visits_nominated;
  return count + (counts ? 1 : 0);
}

}  // namespace

std::vector<NodeIndex> search_order(const Query& query, Quantity start) {
  std::vector<NodeIndex> order = nodes_in_order(query.tables);
  const auto first = static_cast<std::size_t>(*start_after_nominated(query, start)) % order.size();
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  return order;
}

Quantity next_start_of(const Query& query, Quantity first, const VisitedNodes& visited) {
  const Release& release = query.release;
  const std::size_t round = release.start_wraps_at_list ? visited.may_visit : query.tables.live_nodes;
  if (round == 0) return first;
  const std::size_t dropped = visited.ended_early && release.dropped_node_moves_start ? 1 : 0;
  return static_cast<Quantity>((static_cast<std::size_t>(first) % round + visited.dealt_with + dropped) %
                               round);
}

FoundNodes found_nodes(const Query& query, const FirstPass& first_pass, std::optional<Quantity> start,
                       NominatedNode nominated) {
  const auto is_feasible = [&](NodeIndex node) { return first_pass.codes[node] == NodeCode::fits; };
  const bool is_tried_first = query.release.nominated_node_first && query.nominated_node;
  if (nominated == NominatedNode::first && is_tried_first && is_feasible(*query.nominated_node))
    return {{*query.nominated_node}, true, false, start_after_nominated(query, start)};
  if (!start) return {first_pass.feasible};
  std::vector<NodeIndex> nodes = nodes_in_order(query.tables);
  std::erase_if(nodes, [&](NodeIndex node) {
    return is_excluded(query, node, first_pass) || first_pass.codes[node] == NodeCode::without_status;
  });
  const std::size_t wanted = nodes_to_find(nodes.size(), query.release, query.extenders);
  const Quantity first = first_pass.rejected_by ? *start : *start_after_nominated(query, start);
  FoundNodes found;
  found.in_order = first_pass.is_pinned.empty();
  found.is_by_chance = !found.in_order && wanted < first_pass.feasible.size();
  VisitedNodes visited{nodes.size(), 0, false};
  bool visits_nominated = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[(static_cast<std::size_t>(first) + i) % nodes.size()];
    visited.ended_early = visited.ended_early || (is_feasible(node) && found.nodes.size() == wanted);
    if (visited.ended_early && query.extenders.empty()) break;
    if (visited.ended_early) {
      if (!is_tried_first || query.nominated_node != node) found.unseen.push_back(node);
      continue;
    }
    ++visited.dealt_with;
    visits_nominated = visits_nominated || query.nominated_node == node;
    if (is_feasible(node)) found.nodes.push_back(node);
  }
  visited.dealt_with += dealt_with_besides(query, first_pass, visits_nominated);
  found.next_start = next_start_of(query, first, visited);
  return found;
}

}  // namespace touchstone::optimized
