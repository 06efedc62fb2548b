#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/store/tables.hpp"

namespace touchstone::optimized {

/// The node is in no domain.
inline constexpr std::uint32_t k_no_domain = 0xffffffff;

/// How labels divide the nodes into domains, which have numbers from 0.
struct Topology {
  std::vector<std::uint32_t> domain_of;  ///< by node; k_no_domain where it lacks a label, or is gone
  std::uint32_t domains = 0;
  std::uint32_t of_empty_value = k_no_domain;  ///< the domain of those whose value is the empty text
};

/// Nodes with the same value of a label are a domain. Complexity: linear in nodes.
Topology topology_by(Symbol key, const Tables& tables);
/// Nodes with the same values of all labels are a domain.
Topology topology_by_all(const std::vector<Symbol>& keys, const Tables& tables);
/// All nodes are one domain.
Topology topology_of_all_nodes(const Tables& tables);
/// Each node that has the label is a domain; with k_unknown_symbol for the label, each node.
Topology topology_of_single_nodes(Symbol key, const Tables& tables);

/// Counts by domain; what is counted in no domain is lost.
class DomainCounts {
 public:
  explicit DomainCounts(Topology topology) : topology_(std::move(topology)), counts_(topology_.domains, 0) {}

  std::uint32_t domain_of(NodeIndex node) const { return topology_.domain_of[node]; }
  void add(NodeIndex node, Quantity by) {
    if (domain_of(node) != k_no_domain) counts_[domain_of(node)] += by;
    if (domain_of(node) != k_no_domain) total_ += by;
  }
  /// 0 where the node is in no domain.
  Quantity at(NodeIndex node) const { return domain_of(node) == k_no_domain ? 0 : counts_[domain_of(node)]; }
  Quantity total() const { return total_; }

 private:
  Topology topology_;
  std::vector<Quantity> counts_;
  Quantity total_ = 0;
};

}  // namespace touchstone::optimized
