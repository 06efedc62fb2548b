#include "bench/floor.hpp"

#include <numeric>
#include <vector>

namespace touchstone::bench {

namespace {

template <typename F>
void for_each_column(const optimized::Tables& tables, const F& visit) {
  const optimized::NodeTable& nodes = tables.nodes;
  visit(std::span(nodes.cpu));
  visit(std::span(nodes.memory));
  visit(std::span(nodes.pods));
  visit(std::span(nodes.flags));
  visit(std::span(nodes.taints));
  tables.pods.for_each_bound_column(visit);
}

}  // namespace

std::size_t floor_bytes(const optimized::Snapshot& snapshot) {
  std::size_t bytes = 0;
  for_each_column(snapshot.tables(), [&bytes](const auto& column) { bytes += column.size_bytes(); });
  return bytes;
}

Quantity read_floor(const optimized::Snapshot& snapshot, optimized::Workers& workers) {
  std::vector<Quantity> sums(workers.count());
  workers.run([&](std::size_t number) {
    Quantity sum = 0;
    for_each_column(snapshot.tables(), [&](const auto& column) {
      const optimized::Span part = optimized::part_of(column.size(), number, workers.count());
      for (std::size_t i = part.begin; i < part.end; ++i) sum += static_cast<Quantity>(column[i]);
    });
    sums[number] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), Quantity{0});
}

}  // namespace touchstone::bench
