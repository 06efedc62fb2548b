#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle/protocol/answers.hpp"
#include "oracle/queue.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Compares what two releases, or two configurations, decide for the pending pods of one cluster.
namespace touchstone::oracle {

/// A pending pod that the two sides decide differently.
struct PodDifference {
  std::string pod;  ///< namespace/name
  Quantity priority = 0;
  Json from;  ///< the answers to `schedule`
  Json to;
  std::vector<std::string> victims_from;  ///< in every answer of a tie that the side may give
  std::vector<std::string> victims_to;
};

/// The result of compare_cluster().
struct ClusterDifference {
  std::size_t pods = 0;                        ///< pending pods that were decided
  std::vector<PodDifference> differ;           ///< in the order of the scheduling queue
  std::vector<std::string> skipped;            ///< pods for which a side has no answer, with the reason
  std::vector<std::string> no_longer_victims;  ///< pods that only `from` may evict
  std::vector<std::string> new_victims;        ///< pods that only `to` may evict
};

/// Schedules each pending pod that kube-scheduler tries, on the cluster as it is, by both sides: a whole
/// scheduling cycle, with preemption if no node fits. Two answers differ if the outcome, the nodes that may
/// be chosen, or the victims differ. Calls `step` after each pod; stops after the first `false`.
ClusterDifference compare_cluster(const Cluster& cluster, const Profiles& from, const Profiles& to,
                                  const std::function<bool()>& step);

}  // namespace touchstone::oracle
