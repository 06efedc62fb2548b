#include "optimized/scores/loads.hpp"

#include <algorithm>

#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

Loads::Loads(const Query& query, const std::vector<ScoredResource>& resources, const ResourceList& own,
             Requests requests)
    : query_(query), with_defaults_(requests == Requests::with_defaults) {
  for (const auto& [name, weight] : resources) {
    const auto found = own.find(name);
    const Quantity requested = found == own.end() ? 0 : found->second;
    requested_.push_back(requested);
    const bool is_basic = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    if (!is_basic && requested == 0) continue;
    const Kind kind = name == "cpu" ? Kind::cpu : name == "memory" ? Kind::memory : Kind::other;
    resources_.push_back({kind, query.numbering(name), weight, requested});
  }
  are_columns_ = find_columns();
}

bool Loads::requests_none() const {
  return std::none_of(requested_.begin(), requested_.end(), [](Quantity amount) { return amount > 0; });
}

bool Loads::find_columns() const {
  constexpr Quantity k_small_weight = 10000;
  if (resources_.size() != 2 || query_.is_in_cluster() || query_.nodes_are_bare) return false;
  const auto suits = [](const Resource& resource, Kind kind) {
    return resource.kind == kind && resource.weight > 0 && resource.weight <= k_small_weight &&
           are_small_amounts(resource.requested);
  };
  return suits(resources_.front(), Kind::cpu) && suits(resources_.back(), Kind::memory);
}

LoadColumns Loads::columns(std::span<const NodeIndex> nodes, LoadRoom& room) const {
  const NodeTable& table = query_.tables.nodes;
  const PodTable& pods = query_.tables.pods;
  const Quantity* cpu_of = table.cpu.data();
  const Quantity* memory_of = table.memory.data();
  const Quantity* used_cpu_of = with_defaults_ ? table.scored_cpu.data() : pods.used_cpu().data();
  const Quantity* used_memory_of = with_defaults_ ? table.scored_memory.data() : pods.used_memory().data();
  std::uint64_t left_out = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[i];
    NodeLoads loads{cpu_of[node], memory_of[node], used_cpu_of[node], used_memory_of[node]};
    if (!are_column_amounts(loads)) {
      loads = {1, 1, 1, 1};
      left_out |= std::uint64_t{1} << i;
    }
    room[0][i] = static_cast<double>(loads.cpu);
    room[1][i] = static_cast<double>(loads.memory);
    room[2][i] = static_cast<double>(loads.used_cpu);
    room[3][i] = static_cast<double>(loads.used_memory);
  }
  return {nodes.size(), room[0].data(), room[1].data(), room[2].data(), room[3].data(), left_out};
}

std::span<const Load> Loads::read(NodeIndex node, std::vector<Load>& room) const {
  room.resize(resources_.size());
  const NodeTable& nodes = query_.tables.nodes;
  const CpuAndMemory used = query_.nodes_are_bare ? CpuAndMemory{}
                            : with_defaults_      ? query_.scored_requests(node)
                                                  : query_.used_by_pods(node);
  std::size_t count = 0;
  for (const Resource& resource : resources_) {
    Load& load = room[count];
    switch (resource.kind) {
      case Kind::cpu:
        load.allocatable = nodes.cpu[node];
        load.without = used.cpu;
        break;
      case Kind::memory:
        load.allocatable = nodes.memory[node];
        load.without = used.memory;
        break;
      case Kind::other:
        load.allocatable = amount_of(nodes.facts[node].allocatable, resource.name);
        load.without = query_.nodes_are_bare ? 0 : query_.used(node, resource.name);
        break;
    }
    if (load.allocatable == 0 && query_.release.absent_resources_left_out) continue;  // SCORE-LEAST-1
    load.weight = resource.weight;
    load.with = go::sum(load.without, resource.requested);
    ++count;
  }
  return {room.data(), count};
}

}  // namespace touchstone::optimized
