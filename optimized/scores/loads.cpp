#include "optimized/scores/loads.hpp"

#include <algorithm>

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
  if (resources_.size() != 2 || query_.is_in_cluster() || !query_.bare.empty()) return false;
  const Resource& cpu = resources_[0];
  const Resource& memory = resources_[1];
  return cpu.kind == Kind::cpu && memory.kind == Kind::memory && cpu.weight == memory.weight &&
         cpu.weight > 0 && are_small_amounts(cpu.requested | memory.requested | cpu.weight);
}

std::optional<LoadColumns> Loads::columns(std::span<const NodeIndex> nodes, LoadRoom& room) const {
  const NodeTable& table = query_.tables.nodes;
  const PodTable& pods = query_.tables.pods;
  const Quantity* cpu_of = table.cpu.data();
  const Quantity* memory_of = table.memory.data();
  const Quantity* used_cpu_of = with_defaults_ ? table.scored_cpu.data() : pods.used_cpu().data();
  const Quantity* used_memory_of = with_defaults_ ? table.scored_memory.data() : pods.used_memory().data();
  Quantity joined = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeIndex node = nodes[i];
    const Quantity cpu = cpu_of[node];
    const Quantity memory = memory_of[node];
    const Quantity used_cpu = used_cpu_of[node];
    const Quantity used_memory = used_memory_of[node];
    // Where an allocatable amount is 0, the bits of 0 - 1 say that the joined amounts are not small.
    joined |= go::difference(cpu, 1) | go::difference(memory, 1) | cpu | memory | used_cpu | used_memory;
    room[0][i] = static_cast<double>(cpu);
    room[1][i] = static_cast<double>(memory);
    room[2][i] = static_cast<double>(used_cpu);
    room[3][i] = static_cast<double>(used_memory);
  }
  if (!are_small_amounts(joined)) return std::nullopt;
  return LoadColumns{nodes.size(), room[0].data(), room[1].data(), room[2].data(), room[3].data()};
}

std::optional<LoadColumns> Loads::columns(const PlaceTable& loads, std::size_t word) const {
  if (!loads.are_small(word)) return std::nullopt;
  return loads.columns(word, with_defaults_);
}

std::span<const Load> Loads::read(NodeIndex node, std::vector<Load>& room) const {
  room.resize(resources_.size());
  const NodeTable& nodes = query_.tables.nodes;
  const bool is_bare = query_.is_bare(node);
  const CpuAndMemory used = is_bare          ? CpuAndMemory{}
                            : with_defaults_ ? query_.scored_requests(node)
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
        load.without = is_bare ? 0 : query_.used(node, resource.name);
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
