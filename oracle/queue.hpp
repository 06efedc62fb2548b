#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Decides pending pods one after another.
namespace touchstone::oracle {

/// The decision for one pod.
struct QueueStep {
  PodIndex pod = 0;
  Outcome outcome = Outcome::none;
  std::string reason;             ///< of ineligible, error and skipped
  std::optional<NodeIndex> node;  ///< with nominated and fits: where the pod is from now on
  std::vector<PodIndex> victims;
  Quantity pdb_violations = 0;
  std::vector<Difference> differences;  ///< with Engine::both: differences of the optimized engine
};

/// Why kube-scheduler does not try a pending pod.
enum class LeftOut { gated, terminating, of_other_scheduler };

/// The pending pods to decide.
struct PendingPods {
  Quantity priority_least = std::numeric_limits<std::int32_t>::min();
  std::string ns = "";  ///< the namespace of the pods; empty: all namespaces
};

/// The pending pods that kube-scheduler tries, in the order of the scheduling queue: higher priority first,
/// and in list order within one priority.
std::vector<PodIndex> queue_of(const Cluster& cluster, const PendingPods& asked);

/// The pending pods that kube-scheduler does not try, in list order, grouped by the first reason of LeftOut
/// that holds.
std::map<LeftOut, std::vector<PodIndex>> left_out_of_queue(const Cluster& cluster, const PendingPods& asked);

/// Decides pods one after another, with lists in the given order. After each decision the victims are removed
/// and the pod is bound: to the nominated node, or to the first node where it fits, since nodes are not
/// scored here. PDBs do not change. Calls `step` with each decision; stops after the first `false`. Requires:
/// pods of queue_of(). Complexity: with the optimized engine, one decision and one change of the snapshot for
/// each step.
void decide_queue(Cluster cluster, const Release& release, Engine engine, const std::vector<PodIndex>& pods,
                  const std::function<bool(const QueueStep&)>& step);

}  // namespace touchstone::oracle
