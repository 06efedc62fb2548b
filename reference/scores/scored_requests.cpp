#include "reference/scores/scored_requests.hpp"

#include "reference/filters/requests.hpp"
#include "reference/scores/go_numbers.hpp"

namespace touchstone::reference {

namespace {

/// SCORE-REQUESTS-1: what a container counts with for cpu (100 milli) and memory (200 Mi) if it does not
/// request them. A request of 0 stays 0.
ResourceList default_requests() { return {{"cpu", 100}, {"memory", 200 * 1024 * 1024}}; }

/// The pod with each sidecar turned into an ordinary init container. The init containers after a sidecar
/// request its amounts too.
Pod with_sidecars_only_at_start(Pod pod) {
  ResourceList sidecars;
  for (Container& container : pod.init_containers) {
    for (const auto& [name, amount] : sidecars) {
      container.requests[name] = go_sum(container.requests[name], amount);
    }
    if (container.restart_always) sidecars = container.requests;
    container.restart_always = false;
  }
  return pod;
}

/// The pod without the parts of its spec that its scored requests do not add up. SCORE-REQUESTS-2.
Pod counted_part(Pod pod, ScoredRequests rule) {
  if (rule == ScoredRequests::containers) pod.init_containers.clear();
  if (rule == ScoredRequests::sidecars_only_at_start) return with_sidecars_only_at_start(pod);
  return pod;
}

/// SCORE-REQUESTS-4: the defaults for the containers of a pod on a node. If the pod has pod-level requests, a
/// default counts only for a resource that no part of the pod requests.
ResourceList defaults_on_node(const Pod& pod, const Release& release, const ResourceList& real) {
  ResourceList defaults = default_requests();
  if (!release.pod_level_requests || !has_pod_level_requests(pod)) return defaults;
  std::erase_if(defaults, [&real](const auto& item) { return real.contains(item.first); });
  return defaults;
}

/// SCORE-REQUESTS-3: the preemptor with its cpu overhead in whole cores, rounded up, that count as
/// milli-CPUs.
Pod with_overhead_in_cores(Pod pod, const Release& release) {
  if (!release.own_overhead_in_cores || !pod.overhead.contains("cpu")) return pod;
  Quantity& overhead = pod.overhead.at("cpu");
  const Quantity milli = overhead;
  overhead = milli / 1000 + (milli > milli / 1000 * 1000 ? 1 : 0);
  return pod;
}

}  // namespace

Quantity amount_of(const ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? Quantity(0) : found->second;
}

ResourceList requests_with_defaults_on_node(const Pod& pod, const Release& release) {
  ResourceList requests = requests_on_node(pod, release);
  const ResourceList defaults = defaults_on_node(pod, release, requests);
  const ResourceList with_defaults =
      requests_on_node(counted_part(pod, release.scored_requests_on_node), release, defaults);
  for (const auto& [name, amount] : default_requests()) requests[name] = amount_of(with_defaults, name);
  return requests;
}

ResourceList requests_with_defaults_of_preemptor(const Pod& pod, const Release& release) {
  Pod counted = counted_part(with_overhead_in_cores(pod, release), release.scored_requests_of_preemptor);
  counted.pod_level_requests.reset();  // SCORE-REQUESTS-4
  return requests_of_preemptor(counted, release, default_requests());
}

ResourceList real_requests_of_preemptor(const Pod& pod, const Release& release) {
  return requests_on_node(with_overhead_in_cores(pod, release), release);
}

std::vector<ScoredLoad> scored_loads(const Cycle& cycle, const NodeState& state,
                                     const std::vector<ScoredResource>& resources, const ResourceList& own,
                                     MissingRequests missing) {
  // CYC-SEES-1
  ResourceList on_node;
  const bool is_bare = cycle.bare.contains(state.index);  // EXT-RECORD-1
  for (const PodOnNode& pod : is_bare ? std::vector<PodOnNode>() : state.pods) {
    const ResourceList requests = missing == MissingRequests::are_zero
                                      ? cycle.requests[pod.pod]
                                      : requests_with_defaults_on_node(*pod.object, cycle.release);
    for (const auto& [name, amount] : requests) on_node[name] = go_sum(on_node[name], amount);
  }

  // SCORE-STRATEGY-1
  std::vector<ScoredLoad> loads;
  for (const auto& [name, weight] : resources) {
    const bool is_basic = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    const Quantity allocatable = is_counted(name) ? amount_of(state.node->allocatable, name) : Quantity(0);
    const Quantity own_request = amount_of(own, name);
    if (!is_basic && own_request == 0 && cycle.release.absent_resources_left_out) continue;
    if (cycle.release.absent_resources_left_out && allocatable == 0) continue;  // SCORE-LEAST-1
    const Quantity used = amount_of(on_node, name);
    loads.push_back({weight, allocatable, used, go_sum(used, own_request), name});
  }
  return loads;
}

}  // namespace touchstone::reference
