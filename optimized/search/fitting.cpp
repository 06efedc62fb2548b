#include "optimized/search/fitting.hpp"

#include <bit>
#include <limits>

#include "optimized/search/first_pass.hpp"

namespace touchstone::optimized {

namespace {

/// The free amounts that a node needs if cpu, memory, the number of pods and static filters decide alone.
/// What is not checked counts as the lowest amount, which no node lacks. Clauses: PRE-FIT-1 to PRE-FIT-3.
struct FreeAmounts {
  explicit FreeAmounts(const Query& query)
      : cpu(query.checks_cpu ? query.cpu : k_lowest),
        memory(query.checks_memory ? query.memory : k_lowest),
        pods(query.checks_pods ? 1 : k_lowest) {}

  static constexpr Quantity k_lowest = std::numeric_limits<Quantity>::min();
  Quantity cpu;
  Quantity memory;
  Quantity pods;
};

/// Whether columns decide on every node without nominated pods: no other resource, no port and no other node
/// counts, and sums cannot overflow.
bool columns_suffice(const Query& query) {
  return query.others.empty() && query.ports.empty() && !query.is_extreme && !query.has_reach() &&
         !query.is_in_cluster();
}

/// Nodes as bits: bit i stands for nodes[i].
struct Found {
  std::uint64_t fitting = 0;    ///< if no pod is nominated to them, and NodeFacts do not decide
  std::uint64_t nominated = 0;  ///< those with nominated pods
};

/// The comparisons of a node are joined without branches, since one wrong guess of a branch takes longer than
/// all of them.
Found find_by_columns(const Query& query, std::span<const NodeIndex> nodes) {
  const NodeTable& table = query.tables.nodes;
  const PodTable& pods = query.tables.pods;
  const FreeAmounts needed(query);
  Found found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[i];
    std::uint64_t is_fit = table.cpu[node] - pods.used_cpu(node) >= needed.cpu ? 1 : 0;
    is_fit &= table.memory[node] - pods.used_memory(node) >= needed.memory ? 1 : 0;
    is_fit &= table.pods[node] - static_cast<Quantity>(pods.count(node)) >= needed.pods ? 1 : 0;
    is_fit &= query.column_rejections(node) == 0 ? 1 : 0;
    found.fitting |= is_fit << i;
    found.nominated |= static_cast<std::uint64_t>(query.has_nominated(node)) << i;
  }
  return found;
}

/// The nodes of a set for which holds(node). Bits are those of fitting().
template <typename F>
std::uint64_t those(std::uint64_t set, std::span<const NodeIndex> nodes, const F& holds) {
  std::uint64_t found = 0;
  for (; set != 0; set &= set - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(set));
    found |= static_cast<std::uint64_t>(holds(nodes[i])) << i;
  }
  return found;
}

}  // namespace

std::uint64_t fitting(const Query& query, std::span<const NodeIndex> nodes) {
  const auto fits_on = [&query](NodeIndex node) { return fits(query, node); };
  if (!columns_suffice(query))
    return those(nodes.empty() ? 0 : ~std::uint64_t{0} >> (64 - nodes.size()), nodes, fits_on);
  auto [found, nominated] = find_by_columns(query, nodes);
  if (query.needs_facts())
    found = those(found, nodes, [&query](NodeIndex node) { return query.fact_rejections(node) == 0; });
  return (found & ~nominated) | those(nominated, nodes, fits_on);
}

}  // namespace touchstone::optimized
