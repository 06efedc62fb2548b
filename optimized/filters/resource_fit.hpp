#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// What remains free on a node with the preemptor on it. Negative if the preemptor does not fit. A resource
/// that is not checked counts as unlimited.
struct Slack {
  Quantity cpu = 0;
  Quantity memory = 0;
  Quantity pods = 0;

  bool fits() const { return cpu >= 0 && memory >= 0 && pods >= 0; }
};

/// The slack of a node without any bound pod, after the promised amounts. Clauses: PRE-FIT-1 to PRE-FIT-3,
/// PRE-NOMINATED-1.
///
/// Requires: no number is extreme.
///
/// Lemma (promised first): no request is negative. So if the pass with nominated pods finds enough of a
/// resource, the pass without them does too. One slack is enough for both passes.
Slack empty_slack(const Query& query, NodeIndex node, const Promised& promised);

/// What the given nominated pods request. Clauses: PRE-NOMINATED-1.
Promised promised_of(const std::vector<PodRow>& nominated);

/// The slack if exactly the pods of the levels before `level` are on the node.
inline Slack slack_before(const PodsOfNode& pods, std::size_t level, const Slack& empty) {
  if (level == pods.levels)
    return {empty.cpu - pods.used_cpu, empty.memory - pods.used_memory,
            empty.pods - static_cast<Quantity>(pods.count)};
  return {empty.cpu - pods.cpu_before[level], empty.memory - pods.memory_before[level],
          empty.pods - static_cast<Quantity>(pods.level_first[level])};
}

/// The first level, from `level` on, whose pods cannot all stay, because with them the preemptor does not
/// fit. `levels` if all pods can stay. Requires: the preemptor fits with the pods of the levels before
/// `level`.
inline std::size_t levels_that_stay(const PodsOfNode& pods, std::size_t level, const Slack& empty) {
  while (level < pods.levels && slack_before(pods, level + 1, empty).fits()) ++level;
  return level;
}

/// Whether a resource that is lacking is requested beyond the node's allocatable amount, in releases where
/// that matters. Clauses: PRE-FIT-4.
bool wants_beyond_allocatable(const Query& query, NodeIndex node, const Slack& slack);

/// Rows of pods of a node, in the order of their reprieve. PRE-VICTIM-6.
using Order = std::span<const std::uint32_t>;

/// Whether the preemptor fits on one node while pods are removed and reprieved. Used for most nodes: those
/// where only cpu, memory and the number of pods can reject the preemptor.
class ResourceFit {
 public:
  ResourceFit(const Query& query, NodeIndex node, const PodsOfNode& pods,
              const std::vector<PodRow>& nominated)
      : pods_(pods), empty_(empty_slack(query, node, promised_of(nominated))) {}

  /// Removes the pods of this level and of all lower levels. Complexity: constant.
  void take_all_from(std::size_t level) {
    slack_ = slack_before(pods_, level, empty_);
    are_alike_ = level < pods_.levels && request_alike(level);
    if (are_alike_) each_ = {pods_.cpu_most[level], pods_.memory_most[level]};
  }

  bool fits() const { return slack_.fits(); }
  static bool errs() { return false; }

  /// Reprieves pods, starting at index `at` of the order, while the preemptor fits. Returns the index of the
  /// first pod with which it does not fit, or order.size(). Requires: fits().
  std::size_t put_back_from(std::size_t at, Order order) {
    Slack left = slack_;
    for (; at < order.size(); ++at) {
      const Quantity cpu = left.cpu - (are_alike_ ? each_.cpu : pods_.cpu[order[at]]);
      const Quantity memory = left.memory - (are_alike_ ? each_.memory : pods_.memory[order[at]]);
      const Quantity places = left.pods - 1;
      if ((cpu | memory | places) < 0) break;  // one of them is negative
      left = {cpu, memory, places};
    }
    slack_ = left;
    return at;
  }

  /// Reprieves whole levels, starting with `level`, while the preemptor fits. Returns the row of the first
  /// pod that is still removed.
  ///
  /// Lemma (whole levels): pods are reprieved in the order of importance, and no pod increases the slack. So
  /// if the preemptor fits after the last pod of a level, it fitted after each of them.
  std::size_t put_levels_back(std::size_t level) {
    level = levels_that_stay(pods_, level, empty_);
    take_all_from(level);
    return level == pods_.levels ? pods_.count : pods_.level_first[level];
  }

 private:
  /// Whether all pods from a level on request the same cpu and the same memory.
  ///
  /// Lemma (alike): no pod requests more than the largest request of one of them. So if their sum is as large
  /// as if each requested that amount, each does.
  bool request_alike(std::size_t level) const {
    const auto pods = static_cast<Quantity>(pods_.count - pods_.level_first[level]);
    return pods * pods_.cpu_most[level] == pods_.used_cpu - pods_.cpu_before[level] &&
           pods * pods_.memory_most[level] == pods_.used_memory - pods_.memory_before[level];
  }

  const PodsOfNode& pods_;
  Slack empty_;
  Slack slack_;
  bool are_alike_ = false;  ///< whether the removed pods request the same amounts
  struct Requested {
    Quantity cpu = 0;
    Quantity memory = 0;
  } each_;  ///< by each of them, if are_alike_
};

/// One resource of a node: the amount that the preemptor requests, the allocatable amount, and the amounts in
/// use.
struct ResourceUsage {
  Quantity wanted = 0;
  Quantity allocatable = 0;
  Quantity used = 0;
  Quantity promised = 0;               ///< to nominated pods that count
  Symbol resource = k_unknown_symbol;  ///< unless it is cpu or memory

  bool lacks(bool with_promised) const {
    return wanted > allocatable - (with_promised ? used + promised : used);
  }
};

/// Whether the preemptor fits on one node while pods are removed and reprieved, by all filters. For nodes
/// where neither ResourceFit nor TopologyFit applies. Every filter runs again after each change.
class FullFit {
 public:
  /// Starts with all pods on the node.
  FullFit(const Query& query, NodeIndex node, const PodsOfNode& pods, const std::vector<PodRow>& nominated);

  void take_all_from(std::size_t level);
  bool fits() const { return rejections().none(); }
  bool errs() const { return query_.code_of(rejections()) == Code::error; }
  std::size_t put_back_from(std::size_t at, Order order);
  std::size_t put_levels_back(std::size_t level) const {
    return level == pods_.levels ? pods_.count : pods_.level_first[level];
  }

  /// The rejections with the pods that are on the node now. `anyway` has the filters that reject whatever
  /// pods are there. The result is that of the pass with nominated pods, or if no filter rejects in that
  /// pass, of the pass without them. Clauses: PRE-NOMINATED-1.
  Rejections rejections(std::uint32_t anyway = 0) const;

  /// The message of the filter that returns an error, in the release's words. Requires: errs(), and no pod
  /// was put back. Clauses: PRE-ATTACH-6, PRE-VICTIM-3.
  std::string error() const;

 private:
  enum class Pass { with_nominated, without };
  struct Found {
    Pass pass;
    Rejections rejections;
  };
  Found find(std::uint32_t anyway) const;
  Rejections rejections_in(Pass pass) const;
  Code fit_in(Pass pass) const;
  std::vector<std::uint32_t> with_volumes_in(Pass pass) const;
  /// The release's list of the node's pods: the last pod takes the place of a removed one.
  std::vector<std::uint32_t> list_without_removed_pods() const;
  bool put_back(std::size_t pod);
  void add(std::size_t pod);
  void remove(std::size_t pod);
  void use(std::uint32_t pod_class, Quantity by);
  void update_affinity(std::uint32_t pod_class, Affinity::Move move);
  void update_spread(std::uint32_t pod_class, Spread::Move move);

  const Query& query_;
  NodeIndex node_;
  const PodsOfNode& pods_;
  const std::vector<PodRow>& nominated_;
  ResourceUsage cpu_;
  ResourceUsage memory_;
  std::vector<ResourceUsage> others_;  ///< of the resources of query.others
  std::size_t first_removed_;          ///< by take_all_from(); the number of pods if none is removed
  Quantity free_places_ = 0;           ///< free pod slots after the preemptor took one
  /// Used ports that conflict with a port of the preemptor. A port of two pods is listed twice. Removing one
  /// of the pods erases it twice, because used ports are a set. PRE-PORTS-2
  std::vector<HostPort> ports_;
  bool promised_port_ = false;  ///< a nominated pod has a port in conflict
  Affinity::Changes affinity_;
  Affinity::Changes affinity_with_nominated_;
  Spread::Changes spread_;
  Spread::Changes spread_with_nominated_;
  std::vector<std::uint32_t> with_volumes_;  ///< pods on the node with volumes; empty without query.volumes
};

}  // namespace touchstone::optimized
