#include "optimized/store/pod_table.hpp"

#include <cassert>

#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

void PodTable::add_node() {
  rows_.add_owner();
  levels_.add_owner();
  used_cpu_.push_back(0);
  used_memory_.push_back(0);
}

PodRow PodTable::row_at(NodeIndex node, std::size_t at) const {
  return {rows_.cells<k_cpu>(node)[at],      rows_.cells<k_memory>(node)[at], rows_.cells<k_start>(node)[at],
          rows_.cells<k_priority>(node)[at], rows_.cells<k_pod>(node)[at],    rows_.cells<k_class>(node)[at],
          rows_.cells<k_budgets>(node)[at],  rows_.cells<k_flags>(node)[at]};
}

void PodTable::insert_at(NodeIndex node, std::size_t at, const PodRow& row) {
  rows_.insert(node, at, row.cpu, row.memory, row.start, row.priority, row.pod, row.pod_class, row.budgets,
               row.flags);
  used_cpu_[node] = go::sum(used_cpu_[node], row.cpu);
  used_memory_[node] = go::sum(used_memory_[node], row.memory);
  find_levels(node);
}

PodRow PodTable::take(NodeIndex node, std::uint32_t pod) {
  const std::uint32_t* pods = rows_.cells<k_pod>(node);
  const std::size_t at = static_cast<std::size_t>(std::find(pods, pods + count(node), pod) - pods);
  assert(at < count(node));
  const PodRow row = row_at(node, at);
  rows_.erase(node, at);
  used_cpu_[node] = go::difference(used_cpu_[node], row.cpu);
  used_memory_[node] = go::difference(used_memory_[node], row.memory);
  find_levels(node);
  return row;
}

void PodTable::find_levels(NodeIndex node) {
  const std::size_t pods = rows_.count(node);
  const Quantity* priority = rows_.cells<k_priority>(node);
  std::size_t levels = 0;
  for (std::size_t i = 0; i < pods; ++i) levels += i == 0 || priority[i] != priority[i - 1];
  levels_.resize(node, levels);
  Quantity cpu = 0;
  Quantity memory = 0;
  std::size_t level = 0;
  for (std::size_t i = 0; i < pods; ++i) {
    if (i == 0 || priority[i] != priority[i - 1]) {
      levels_.cells<k_level_priority>(node)[level] = priority[i];
      levels_.cells<k_level_first>(node)[level] = static_cast<std::uint32_t>(i);
      levels_.cells<k_cpu_before>(node)[level] = cpu;
      levels_.cells<k_memory_before>(node)[level] = memory;
      ++level;
    }
    cpu = go::sum(cpu, rows_.cells<k_cpu>(node)[i]);
    memory = go::sum(memory, rows_.cells<k_memory>(node)[i]);
  }
  Quantity cpu_most = 0;
  Quantity memory_most = 0;
  for (std::size_t i = pods; level-- > 0;) {
    for (const std::size_t first = levels_.cells<k_level_first>(node)[level]; i > first; --i) {
      cpu_most = std::max(cpu_most, rows_.cells<k_cpu>(node)[i - 1]);
      memory_most = std::max(memory_most, rows_.cells<k_memory>(node)[i - 1]);
    }
    levels_.cells<k_cpu_most>(node)[level] = cpu_most;
    levels_.cells<k_memory_most>(node)[level] = memory_most;
  }
}

void PodTable::pack() {
  rows_.pack();
  levels_.pack();
}

std::size_t PodTable::bytes() const {
  return rows_.bytes() + levels_.bytes() +
         (used_cpu_.capacity() + used_memory_.capacity()) * sizeof(Quantity);
}

}  // namespace touchstone::optimized
