#pragma once

#include "optimized/filters/resource_fit.hpp"

namespace touchstone::optimized {

/// What the pods of a node have changed of what affinity and spread count.
struct Reached {
  Affinity::Changes affinity;
  Spread::Changes spread;
};

/// Room on a node where, beside cpu, memory and the number of pods, only affinity and spread have a say, and
/// no nominated pod counts. Most pods concern neither: these come and go as in ResourceFit.
class TopologyFit {
 public:
  /// Whether a node is such a one. `nominated`: those that count.
  static bool suits(const Query& query, const std::vector<PodRow>& nominated) {
    return query.others.empty() && query.ports.empty() && !query.is_extreme && !query.volumes &&
           nominated.empty();
  }

  /// Requires: suits(). `reached` is overwritten; it outlives the room, so that rooms of many nodes need no
  /// memory of their own.
  TopologyFit(const Query& query, NodeIndex node, const PodsOfNode& pods, Reached& reached);

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
  Reached& reached_;
  Slack empty_;
  Slack slack_;
  std::uint32_t refused_ = k_none;  ///< the class that was refused last, with these very changes
};

}  // namespace touchstone::optimized
