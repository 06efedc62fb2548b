#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/compare/comparison.hpp"
#include "oracle/extenders/asking.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Schedules pending pods one after another.
namespace touchstone::oracle {

/// What happens to one pod.
struct QueueStep {
  PodIndex pod = 0;
  Outcome outcome = Outcome::none;  ///< fits: the pod is scheduled
  std::string reason;               ///< of ineligible, error and skipped
  std::optional<NodeIndex> node;    ///< with nominated and fits: where the pod is from now on
  std::vector<PodIndex> victims;
  Quantity pdb_violations = 0;
  std::optional<Quantity> total;        ///< of the node, if nodes were scored
  std::vector<NodeIndex> best;          ///< the nodes that the release may choose; `node` is one of them
  std::vector<Difference> differences;  ///< with Engine::both: differences of the optimized engine
  std::vector<std::string> notes;       ///< one for each call to an extender that failed
};

/// The release as each profile of the scheduler changes it, by the schedulerName of pods.
using Profiles = std::map<std::string, Release>;

/// The default profile alone.
Profiles default_profile(const Release& release);

/// The name of the profile that schedules a pod.
const std::string& scheduler_of(const Pod& pod);

/// Why kube-scheduler does not try a pending pod.
enum class LeftOut { gated, terminating, of_other_scheduler };

/// The pending pods to schedule.
struct PendingPods {
  Quantity priority_least = std::numeric_limits<std::int32_t>::min();
  std::string ns = "";  ///< the namespace of the pods; empty: all namespaces
};

/// The pending pods that kube-scheduler tries, in the order of the scheduling queue: higher priority first,
/// and in list order within one priority. Pods without a profile are left out.
std::vector<PodIndex> queue_of(const Cluster& cluster, const PendingPods& asked, const Profiles& profiles);

/// The pending pods that kube-scheduler does not try, in list order, grouped by the first reason of LeftOut
/// that holds.
std::map<LeftOut, std::vector<PodIndex>> left_out_of_queue(const Cluster& cluster, const PendingPods& asked,
                                                           const Profiles& profiles);

/// Schedules pods one after another, with lists in the given order. After each step the victims are removed,
/// and the pod is bound: to the node on which it is scheduled, or to the nominated node. PDBs do not change.
/// The search for nodes begins with the first node, and goes on from pod to pod as in the scheduler
/// (CYC-SEARCH-4). Among nodes that tie, the first one in the order of the cluster is taken, or from v1.35 on
/// the one that the release takes (CYC-HOST-4). Calls `step` with each step; stops after the first `false`.
/// If a profile has extenders, they are asked with `ask` about each pod, and the reference decides. Requires:
/// pods of queue_of().
void schedule_queue(Cluster cluster, const Profiles& profiles, Engine engine,
                    const std::vector<PodIndex>& pods, const AskExtender& ask,
                    const std::function<bool(const QueueStep&)>& step);

}  // namespace touchstone::oracle
