#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// The domain number of a node that is in no domain.
inline constexpr std::uint32_t k_no_domain = 0xffffffff;

/// A division of the nodes into domains by their labels. Domains have numbers from 0.
struct Topology {
  std::vector<std::uint32_t> domain_of;  ///< by node; k_no_domain where it lacks a label, or is gone
  std::uint32_t domains = 0;
  std::uint32_t of_empty_value = k_no_domain;  ///< domain of the nodes whose value is the empty text
};

/// One domain for each value of a label. Complexity: linear in nodes.
Topology topology_by(Symbol key, const Tables& tables);
/// One domain for each combination of values of all labels.
Topology topology_by_all(const std::vector<Symbol>& keys, const Tables& tables);
/// One domain that has all nodes.
Topology topology_of_all_nodes(const Tables& tables);
/// One domain for each node that has the label; with k_unknown_symbol as the label, for each node.
Topology topology_of_single_nodes(Symbol key, const Tables& tables);

/// Counts by domain. What is added for a node without a domain is not counted.
class DomainCounts {
 public:
  explicit DomainCounts(Topology topology) : topology_(std::move(topology)), counts_(topology_.domains, 0) {}

  std::uint32_t domain_of(NodeIndex node) const { return topology_.domain_of[node]; }
  void add(NodeIndex node, Quantity by) {
    if (domain_of(node) != k_no_domain) counts_[domain_of(node)] += by;
    if (domain_of(node) != k_no_domain) total_ += by;
  }
  /// The count of the node's domain. Requires: the node is in a domain.
  Quantity at(NodeIndex node) const { return counts_[domain_of(node)]; }
  Quantity total() const { return total_; }

 private:
  Topology topology_;
  std::vector<Quantity> counts_;
  Quantity total_ = 0;
};

}  // namespace touchstone::optimized
