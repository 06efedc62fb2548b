#include "optimized/filters/topology.hpp"

#include <map>

namespace touchstone::optimized {

Topology topology_by(Symbol key, const Tables& tables) {
  Topology topology;
  topology.domain_of.assign(tables.nodes.size(), k_no_domain);
  std::vector<std::uint32_t> number_of(tables.symbols.size(), k_no_domain);
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    if (tables.nodes.is_gone(node)) continue;
    const Symbol value = value_of(tables.nodes.facts[node].labels, key);
    if (value == k_unknown_symbol) continue;
    if (number_of[value] == k_no_domain) number_of[value] = topology.domains++;
    topology.domain_of[node] = number_of[value];
    if (tables.symbols.text(value).empty()) topology.of_empty_value = number_of[value];
  }
  return topology;
}

Topology topology_by_all(const std::vector<Symbol>& keys, const Tables& tables) {
  Topology topology;
  topology.domain_of.assign(tables.nodes.size(), k_no_domain);
  std::map<std::vector<Symbol>, std::uint32_t> number_of;
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    if (tables.nodes.is_gone(node)) continue;
    std::vector<Symbol> values;
    for (const Symbol key : keys) {
      const Symbol value = value_of(tables.nodes.facts[node].labels, key);
      if (value != k_unknown_symbol) values.push_back(value);
    }
    if (values.size() < keys.size()) continue;
    const auto [place, is_new] = number_of.emplace(std::move(values), topology.domains);
    if (is_new) topology.domains += 1;
    topology.domain_of[node] = place->second;
  }
  return topology;
}

Topology topology_of_all_nodes(const Tables& tables) {
  return {std::vector<std::uint32_t>(tables.nodes.size(), 0), 1, k_no_domain};
}

Topology topology_of_single_nodes(Symbol key, const Tables& tables) {
  Topology topology{{}, static_cast<std::uint32_t>(tables.nodes.size()), k_no_domain};
  for (std::uint32_t node = 0; node < tables.nodes.size(); ++node) {
    const bool is_one =
        key == k_unknown_symbol || value_of(tables.nodes.facts[node].labels, key) != k_unknown_symbol;
    topology.domain_of.push_back(is_one ? node : k_no_domain);
  }
  return topology;
}

}  // namespace touchstone::optimized
