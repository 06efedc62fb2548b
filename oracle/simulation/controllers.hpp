#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "oracle/simulation/events.hpp"
#include "spec/vocabulary/timeline.hpp"

/// What controllers and kubelets do in a simulation. They see each change at once.
namespace touchstone::oracle {

/// The controllers of pods: ReplicaSets, ReplicationControllers, Jobs, StatefulSets and DaemonSets.
class Controllers {
 public:
  /// Notes the pods of the API. For each pod that is gone or begins to terminate, its controller may create
  /// another one: next_to_create() returns it.
  void see(const std::vector<PodObject>& pods);

  /// Adds the pods of a workload to those that next_to_create() returns.
  void create(const Workload& workload);
  /// Ends a workload: its pods are not replaced, and next_to_delete() returns them.
  void remove(const ObjectName& workload);

  /// Takes the next pod to create or to delete. No value: there is none.
  std::optional<PodObject> next_to_create();
  std::optional<PodObject> next_to_delete();
  bool has_work() const { return !to_create_.empty() || !to_delete_.empty(); }

 private:
  void replace(const PodObject& pod);
  std::string free_name(const std::string& ns, const std::string& controller);

  std::map<std::string, PodObject> known_;  ///< by UID
  std::set<std::string> replaced_;          ///< UIDs
  std::set<std::string> names_;             ///< full names that were ever in use
  std::set<std::string> removed_;           ///< workloads, as ObjectName::text()
  std::vector<PodObject> to_create_;
  std::vector<PodObject> to_delete_;
};

/// The kubelets: a pod that was bound starts, and one that terminates is removed when its grace period ends.
class Kubelets {
 public:
  /// Notes the pods and nodes of the API.
  void see(const Objects& stored, Quantity now_ns);

  /// The grace period of the deletion that comes next for a pod, in place of the pod's own one.
  void set_grace(const std::string& pod, Quantity seconds) { grace_[pod] = seconds; }

  /// Takes the next pod to start: the UID. Requires: has_to_start().
  std::string next_to_start();
  bool has_to_start() const { return !to_start_.empty(); }

  /// When a pod is removed. No value: it does not terminate, or has no kubelet.
  std::optional<Quantity> removal_ns(const std::string& pod) const;
  const std::map<std::string, Quantity>& removals_ns() const { return removals_ns_; }

 private:
  std::map<std::string, std::string> node_of_;   ///< UID → node; empty: pending
  std::map<std::string, Quantity> removals_ns_;  ///< by full name
  std::map<std::string, Quantity> grace_;        ///< seconds, by full name
  std::vector<std::string> to_start_;            ///< UIDs
};

/// The pod with the status that its kubelet gives it when it starts.
PodObject started(PodObject pod, Quantity now_ns);

}  // namespace touchstone::oracle
