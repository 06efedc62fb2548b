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

/// Pending pods decided one after another.
namespace touchstone::oracle {

/// What was decided for one pod.
struct QueueStep {
  PodIndex pod = 0;
  Outcome outcome = Outcome::none;
  std::string reason;             ///< of ineligible, error and skipped
  std::optional<NodeIndex> node;  ///< with nominated and fits: where the pod is from now on
  std::vector<PodIndex> victims;
  Quantity pdb_violations = 0;
  std::vector<Difference> differences;  ///< with Engine::both: in what the optimized engine departs
};

/// Why kube-scheduler does not try a pending pod.
enum class LeftOut { gated, terminating, of_other_scheduler };

/// Which pending pods are asked about.
struct PendingPods {
  Quantity priority_least = std::numeric_limits<std::int32_t>::min();
  std::string ns = "";  ///< the namespace of the pods; empty: all namespaces
};

/// The pending pods that kube-scheduler tries, in the order of the scheduling queue: by priority, and of one
/// priority as listed.
std::vector<PodIndex> queue_of(const Cluster& cluster, const PendingPods& asked);

/// The pending pods that kube-scheduler does not try, by the first reason of LeftOut that holds, as listed.
std::map<LeftOut, std::vector<PodIndex>> left_out_of_queue(const Cluster& cluster, const PendingPods& asked);

/// Decides pods one after another, by list orders as given. After each, its victims are gone and it is bound:
/// to the nominated node, or where it fits to the first node that takes it, since nothing scores nodes here.
/// PDBs stay as they are. `step` is told each decision; where it returns false, that was the last one.
/// Requires: pods of queue_of(). Complexity: with the optimized engine, a step costs a decision and a change
/// of the snapshot.
void decide_queue(Cluster cluster, const Release& release, Engine engine, const std::vector<PodIndex>& pods,
                  const std::function<bool(const QueueStep&)>& step);

}  // namespace touchstone::oracle
