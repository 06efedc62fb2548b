#pragma once

#include "reference/queue/world.hpp"

/// The steps of the scheduler's cache.
namespace touchstone::reference {

/// The pod with this UID in the cache. Null: it is not there.
const PodObject* cached_pod(const Cache& cache, const std::string& uid);

/// Adds a pod that is on a node, or confirms that an assumed pod is bound. Clauses: QUE-CACHE-1.
void add_to_cache(World& world, const PodObject& pod);

/// Replaces a pod on a node. An assumed pod is not replaced. Clauses: QUE-CACHE-1.
void update_in_cache(World& world, const PodObject& now);

/// Removes a pod. Clauses: QUE-CACHE-1.
void remove_from_cache(World& world, const std::string& uid);

/// Puts a pod on a node before its binding is seen. Requires: the pod names the node. Clauses: QUE-CACHE-1.
void assume(World& world, const PodObject& pod);

/// Adds a node, or replaces it.
void put_node(Cache& cache, const Node& node);
/// Removes a node. Pods on it stay. Clauses: EVT-NODE-1.
void remove_node(Cache& cache, const std::string& name);

/// Assumes a pod of a group in the snapshot of a trial alone. Clauses: QUE-GROUP-3, QUE-GROUP-7.
void assume_on_trial(World& world, const PodObject& pod);

/// Ends a trial: the cache is as before, but the snapshot has forgotten the ports of the placed pods.
/// Clauses: QUE-GROUP-3, QUE-GROUP-7.
void end_trial(World& world, const Cache& before, const std::vector<PodObject>& placed);

}  // namespace touchstone::reference
