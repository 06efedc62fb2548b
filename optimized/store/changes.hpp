#pragma once

#include <cstdint>
#include <vector>

#include "spec/vocabulary/decision.hpp"

namespace touchstone::optimized {

/// Which nodes of a snapshot have changed, so that results for most nodes can be kept. The most recent
/// changes are listed one by one.
class Changes {
 public:
  /// Records that a node changed: its pods, its nominated pods, or its own properties.
  void add(NodeIndex node) {
    if (nodes_.size() < k_listed_most) nodes_.push_back(0);
    nodes_[count_ % k_listed_most] = static_cast<std::uint32_t>(node);
    count_ += 1;
  }

  /// The number of changes of nodes so far.
  std::uint64_t count() const { return count_; }
  /// Whether all changes of nodes after the first `count` are still listed.
  bool are_listed(std::uint64_t count) const { return count_ - count <= k_listed_most; }
  /// The node of change number `number`. Requires: are_listed(number) and number < count().
  NodeIndex node(std::uint64_t number) const { return nodes_[number % k_listed_most]; }

  std::uint64_t nodes = 0;  ///< nodes that were added or removed, or that came to another zone

  std::size_t bytes() const { return nodes_.capacity() * sizeof(std::uint32_t); }

 private:
  static constexpr std::size_t k_listed_most = 4096;

  std::vector<std::uint32_t> nodes_;  ///< in a ring
  std::uint64_t count_ = 0;
};

}  // namespace touchstone::optimized
