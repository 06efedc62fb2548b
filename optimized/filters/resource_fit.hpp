#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/search/query.hpp"
#include "optimized/filters/spread.hpp"

namespace touchstone::optimized {

/// What the preemptor leaves free of a node: negative where it does not fit. A resource that is not checked
/// is there without end.
struct Slack {
  Quantity cpu = 0;
  Quantity memory = 0;
  Quantity pods = 0;

  bool fits() const { return cpu >= 0 && memory >= 0 && pods >= 0; }
};

/// The slack of a node without any bound pod, the promised pods being there. Clauses: PRE-FIT-1 to PRE-FIT-3,
/// PRE-NOMINATED-1.
///
/// Requires: nothing is extreme.
///
/// Lemma (promised first): no request is negative, so where the pass with nominated pods finds enough of a
/// resource, the pass without them does, too; one slack stands for both passes.
Slack empty_slack(const Query& query, NodeIndex node, const Promised& promised);

/// What pods that are promised the node hold. Clauses: PRE-NOMINATED-1.
Promised promised_of(const std::vector<PodRow>& nominated);

/// The slack with all pods of the levels before this one, and no other.
inline Slack slack_before(const PodsOfNode& pods, std::size_t level, const Slack& empty) {
  if (level == pods.levels)
    return {empty.cpu - pods.used_cpu, empty.memory - pods.used_memory,
            empty.pods - static_cast<Quantity>(pods.count)};
  return {empty.cpu - pods.cpu_before[level], empty.memory - pods.memory_before[level],
          empty.pods - static_cast<Quantity>(pods.level_first[level])};
}

/// The last level up to which all pods may stay, from `level` on, beyond which the preemptor does not fit any
/// more; `levels` where all pods may stay. Requires: it fits with those before `level`.
inline std::size_t levels_that_stay(const PodsOfNode& pods, std::size_t level, const Slack& empty) {
  while (level < pods.levels && slack_before(pods, level + 1, empty).fits()) ++level;
  return level;
}

/// Whether a resource that is lacking is requested beyond what the node has. Clauses: PRE-FIT-4.
bool wants_beyond_allocatable(const Query& query, NodeIndex node, const Slack& slack);

/// Pods of a node, by their rows, in the order in which they are put back. PRE-VICTIM-6.
using Order = std::span<const std::uint32_t>;

/// Room for the preemptor on one node whose pods come and go, where nothing but cpu, memory and the number of
/// pods can reject it. Such are most nodes.
class ResourceFit {
 public:
  ResourceFit(const Query& query, NodeIndex node, const PodsOfNode& pods, const std::vector<PodRow>& nominated)
      : pods_(pods), empty_(empty_slack(query, node, promised_of(nominated))) {}

  /// Removes the pods of this level and of those behind it. Complexity: constant.
  void take_all_from(std::size_t level) {
    slack_ = slack_before(pods_, level, empty_);
    are_alike_ = level < pods_.levels && request_alike(level);
    if (are_alike_) each_ = {pods_.cpu_most[level], pods_.memory_most[level]};
  }

  bool fits() const { return slack_.fits(); }
  static bool errs() { return false; }

  /// Puts pods back, from the `at`th of the order on, as long as the preemptor fits; returns the first with
  /// which it does not, or how many there are. Requires: fits().
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

  /// Puts whole levels back, from `level` on, as long as the preemptor fits; returns the first pod that is
  /// not back.
  ///
  /// Lemma (whole levels): pods come back in the order of importance, and each takes from the slack or leaves
  /// it, so where the preemptor fits with a level's last pod back, it fitted with each of them.
  std::size_t put_levels_back(std::size_t level) {
    level = levels_that_stay(pods_, level, empty_);
    take_all_from(level);
    return level == pods_.levels ? pods_.count : pods_.level_first[level];
  }

 private:
  /// Whether all pods from a level on request the same cpu and the same memory.
  ///
  /// Lemma (alike): no pod requests more than the most that one of them does. So where their sum is as large
  /// as if each requested the most, each does.
  bool request_alike(std::size_t level) const {
    const auto pods = static_cast<Quantity>(pods_.count - pods_.level_first[level]);
    return pods * pods_.cpu_most[level] == pods_.used_cpu - pods_.cpu_before[level] &&
           pods * pods_.memory_most[level] == pods_.used_memory - pods_.memory_before[level];
  }

  const PodsOfNode& pods_;
  Slack empty_;
  Slack slack_;
  bool are_alike_ = false;  ///< the removed pods, in what they request
  struct Requested {
    Quantity cpu = 0;
    Quantity memory = 0;
  } each_;  ///< by one of them, where they are
};

/// One resource of a node: what the preemptor wants of it, what there is, and what is taken.
struct Account {
  Quantity wanted = 0;
  Quantity allocatable = 0;
  Quantity used = 0;
  Quantity promised = 0;  ///< to nominated pods that count

  bool lacks(bool with_promised) const {
    return wanted > allocatable - (with_promised ? used + promised : used);
  }
};

/// Room on a node where other resources, host ports or pods of the same domains have a say, or where numbers
/// are extreme: every filter is asked anew.
class FullFit {
 public:
  /// With all pods in place.
  FullFit(const Query& query, NodeIndex node, const PodsOfNode& pods, const std::vector<PodRow>& nominated);

  void take_all_from(std::size_t level);
  bool fits() const { return rejections().none(); }
  bool errs() const { return query_.code_of(rejections()) == Code::error; }
  std::size_t put_back_from(std::size_t at, Order order);
  std::size_t put_levels_back(std::size_t level) const {
    return level == pods_.levels ? pods_.count : pods_.level_first[level];
  }

  /// The filters, of those that look at pods, that reject now, and those of `anyway`, which reject whatever
  /// pods there are: with the nominated pods, or if none does, without them. Clauses: PRE-NOMINATED-1.
  Rejections rejections(std::uint32_t anyway = 0) const;

  /// What the filter says that errs, in the release's words. Requires: errs().
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
  bool put_back(std::size_t pod);
  void add(std::size_t pod);
  void remove(std::size_t pod);
  void use(std::uint32_t pod_class, Quantity by);
  void tell_affinity(std::uint32_t pod_class, Affinity::Move move);
  void tell_spread(std::uint32_t pod_class, Spread::Move move);

  const Query& query_;
  NodeIndex node_;
  const PodsOfNode& pods_;
  const std::vector<PodRow>& nominated_;
  Account cpu_;
  Account memory_;
  std::vector<Account> others_;  ///< of query.others
  Quantity free_places_ = 0;     ///< among the pods, the preemptor having taken one
  std::vector<HostPort> ports_;  ///< in use, of those that conflict. PRE-PORTS-2: a set
  bool promised_port_ = false;   ///< a nominated pod has one that conflicts
  Affinity::Changes affinity_;
  Affinity::Changes affinity_with_nominated_;
  Spread::Changes spread_;
  Spread::Changes spread_with_nominated_;
  std::vector<std::uint32_t> with_volumes_;  ///< pods in place that have some, if the preemptor does
};

}  // namespace touchstone::optimized
