#pragma once

#include "reference/queue/world.hpp"
#include "spec/vocabulary/result.hpp"

/// The API objects: writes by users, controllers and kubelets, and the calls of the scheduler. Each write
/// appends one event for the scheduler's watch.
namespace touchstone::reference {

/// Creates an object. A pod without a UID gets one. Errors: exists. Clauses: EVT-STORE-1.
std::optional<Error> create(World& world, PodObject pod);
std::optional<Error> create(World& world, const Node& node);
std::optional<Error> create(World& world, const PodDisruptionBudget& pdb);
std::optional<Error> create(World& world, const WorkloadGroups& workload);
std::optional<Error> create(World& world, const PodGroupObject& group);

/// Replaces an object. `with_status`: also its status. Errors: not-found. Clauses: EVT-STORE-1.
std::optional<Error> update(World& world, PodObject pod, bool with_status);
std::optional<Error> update(World& world, const Node& node, bool with_status);
std::optional<Error> update(World& world, const PodDisruptionBudget& pdb, bool with_status);
std::optional<Error> update(World& world, const WorkloadGroups& workload, bool with_status);
std::optional<Error> update(World& world, const PodGroupObject& group, bool with_status);

/// Deletes a pod: with a grace period it only begins to terminate. Errors: not-found. Clauses: EVT-STORE-2.
std::optional<Error> delete_pod(World& world, const std::string& ns, const std::string& name);

/// Removes an object at once. Errors: not-found. Clauses: EVT-STORE-2.
std::optional<Error> remove_pod(World& world, const std::string& ns, const std::string& name);
std::optional<Error> remove_node_object(World& world, const std::string& name);
std::optional<Error> remove_pdb(World& world, const std::string& ns, const std::string& name);
std::optional<Error> remove_workload(World& world, const std::string& ns, const std::string& name);
std::optional<Error> remove_pod_group(World& world, const std::string& ns, const std::string& name);

/// Performs a call of the scheduler. Ensures: the result is not `waits`. Clauses: EVT-STORE-3.
CallResult perform(World& world, const Call& call);

/// Takes the next event of the watch that is not held, or the next one of a kind. No value: there is none.
/// Clauses: EVT-WATCH-1.
std::optional<WatchEvent> next_event(World& world, std::optional<WatchedKind> kind);

}  // namespace touchstone::reference
