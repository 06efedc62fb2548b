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
}

bool Loads::requests_none() const {
  return std::none_of(requested_.begin(), requested_.end(), [](Quantity amount) { return amount > 0; });
}

std::optional<PairReader> Loads::pair_reader() const {
  const bool are_two =
      resources_.size() == 2 && resources_[0].kind == Kind::cpu && resources_[1].kind == Kind::memory;
  if (!are_two || query_.is_in_cluster() || !query_.bare.empty()) return std::nullopt;
  const Quantity cpu = resources_[0].requested;
  const Quantity memory = resources_[1].requested;
  if (!PairReader::are_small(cpu | memory)) return std::nullopt;
  return PairReader(query_.tables, Pair{static_cast<double>(cpu), static_cast<double>(memory)},
                    with_defaults_);
}

PairReader::PairReader(const Tables& tables, Pair requested, bool with_defaults)
    : cpu_(tables.nodes.cpu.data()),
      memory_(tables.nodes.memory.data()),
      used_cpu_(with_defaults ? tables.nodes.scored_cpu.data() : tables.pods.used_cpu().data()),
      used_memory_(with_defaults ? tables.nodes.scored_memory.data() : tables.pods.used_memory().data()),
      requested_(requested) {}

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
