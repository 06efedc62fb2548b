#pragma once

#include "optimized/filters/resource_fit.hpp"

namespace touchstone::optimized {

/// How the pods of a node have changed the counts of affinity and spread.
struct TopologyChanges {
  Affinity::Changes affinity;
  Spread::Changes spread;
};

/// Whether the preemptor fits on one node while pods are removed and reprieved. For nodes where, besides cpu,
/// memory and the number of pods, only affinity and spread can reject the preemptor, and no nominated pod
/// counts. Most pods concern neither filter; they are handled as in ResourceFit.
class TopologyFit {
 public:
  /// Whether this class applies to a node. `nominated`: the nominated pods that count there.
  static bool suits(const Query& query, const std::vector<PodRow>& nominated) {
    return query.others.empty() && query.ports.empty() && !query.is_extreme && !query.volumes &&
           nominated.empty();
  }

  /// Requires: suits(). Overwrites `changes`, which must outlive this object. One `changes` serves many
  /// nodes, so that no node allocates memory.
  TopologyFit(const Query& query, NodeIndex node, const PodsOfNode& pods, TopologyChanges& changes);

  void take_all_from(std::size_t level);
  bool fits() const { return slack_.fits() && lets_in(); }
  static bool errs() { return false; }
  std::size_t put_back_from(std::size_t at, Order order);
  std::size_t put_levels_back(std::size_t level) const {
    return level == pods_.levels ? pods_.count : pods_.level_first[level];
  }

 private:
  static constexpr std::uint32_t k_none = 0xffffffff;

  bool lets_in() const;
  bool put_back_class(std::uint32_t pod_class);

  const Query& query_;
  NodeIndex node_;
  const PodsOfNode& pods_;
  TopologyChanges& changes_;
  Slack empty_;
  Slack slack_;
  std::uint32_t refused_ = k_none;  ///< class that was refused last
};

}  // namespace touchstone::optimized
