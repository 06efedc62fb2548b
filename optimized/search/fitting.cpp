#include "optimized/search/fitting.hpp"

#include <bit>
#include <limits>

#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

namespace {

/// Whether columns decide on every node without nominated pods: no other resource, no port and no other node
/// counts.
bool columns_suffice(const Query& query) {
  return query.others.empty() && query.ports.empty() && !query.has_reach() && !query.is_in_cluster();
}

/// The places of a word with enough free cpu and memory. There are no branches: one that
/// is predicted wrongly takes longer than both comparisons. A request that a float does not hold exactly is
/// far outside the range of the free amounts. Clauses: PRE-FIT-2, PRE-FIT-3.
std::uint64_t with_free_amounts(const Query& query, const LoadColumns& loads) {
  constexpr double k_lowest = -std::numeric_limits<double>::infinity();  // which no node lacks
  const double cpu = query.checks_cpu ? static_cast<double>(query.cpu) : k_lowest;
  const double memory = query.checks_memory ? static_cast<double>(query.memory) : k_lowest;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < PlaceTable::k_places; ++i) {
    std::uint64_t is_enough = loads.cpu[i] - loads.used_cpu[i] >= cpu ? 1 : 0;
    is_enough &= loads.memory[i] - loads.used_memory[i] >= memory ? 1 : 0;
    found |= is_enough << i;
  }
  return found;
}

/// Whether a node that is not plain lets the preemptor in, if NodeFacts do not decide. Requires: it has
/// enough free cpu and memory. Clauses: PRE-FIT-1.
bool lets_in(const Query& query, NodeIndex node) {
  if (query.has_nominated(node)) return fits(query, node);
  const Quantity pods = static_cast<Quantity>(query.tables.pods.count(node));
  return (!query.checks_pods || pods < query.tables.nodes.pods[node]) && query.column_rejections(node) == 0;
}

/// The places of a word for which holds(node).
template <typename F>
std::uint64_t those(std::uint64_t places, std::span<const NodeIndex> nodes, const F& holds) {
  std::uint64_t found = 0;
  for (; places != 0; places &= places - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(places));
    found |= static_cast<std::uint64_t>(holds(nodes[i])) << i;
  }
  return found;
}

}  // namespace

std::uint64_t fitting(const Query& query, const PlaceTable& table, std::span<const NodeIndex> order,
                      PlacesOfWord asked) {
  const std::span<const NodeIndex> nodes = order.subspan(asked.word * PlaceTable::k_places);
  const auto fits_on = [&query](NodeIndex node) { return fits(query, node); };
  if (!columns_suffice(query)) return those(asked.places, nodes, fits_on);
  const LoadColumns columns = table.columns(asked.word, false);
  const std::uint64_t enough = asked.places & ~columns.left_out & with_free_amounts(query, columns);
  const std::uint64_t plain = table.plain(asked.word);
  std::uint64_t found = enough & plain;
  found |= those(enough & ~plain, nodes, [&query](NodeIndex node) { return lets_in(query, node); });
  if (query.needs_facts())
    found = those(found, nodes, [&query](NodeIndex node) { return query.fact_rejections(node) == 0; });
  return found | those(asked.places & columns.left_out, nodes, fits_on);
}

}  // namespace touchstone::optimized
