#include "optimized/store/scored_requests.hpp"

#include <algorithm>

#include "optimized/store/go_numbers.hpp"

/// The requests with which pods count for scores. Most pods request cpu and memory in each container and have
/// nothing else that matters. For them, scores read the same amounts as filters.
namespace touchstone::optimized {

namespace {

/// SCORE-REQUESTS-1: 100 milli-CPU and 200 Mi.
const Amounts k_defaults = {{"cpu", 100}, {"memory", 200 * 1024 * 1024}};

bool has(const Amounts& amounts, std::string_view name) {
  return std::any_of(amounts.begin(), amounts.end(), [name](const auto& each) { return each.first == name; });
}

Quantity amount_in(const Amounts& amounts, std::string_view name) {
  for (const auto& [each, amount] : amounts) {
    if (each == name) return amount;
  }
  return 0;
}

ResourceList listed(const Amounts& amounts) {
  ResourceList list;
  for (const auto& [name, amount] : amounts) list.emplace(name, amount);
  return list;
}

/// The pod with the containers that its scores add up. SCORE-REQUESTS-2.
Pod counted_part(Pod pod, ScoredRequests rule) {
  if (rule == ScoredRequests::containers) pod.init_containers.clear();
  if (rule != ScoredRequests::sidecars_only_at_start) return pod;
  ResourceList sidecars;
  for (Container& container : pod.init_containers) {
    for (const auto& [name, amount] : sidecars) {
      Quantity& have = container.requests[name];
      have = go::sum(have, amount);
    }
    if (container.restart_always) sidecars = container.requests;
    container.restart_always = false;
  }
  return pod;
}

/// Whether the pod requests cpu or memory, or huge pages, for all containers together. SCORE-REQUESTS-4.
bool has_pod_level_requests(const Pod& pod, const Release& release) {
  if (!release.pod_level_requests || !pod.pod_level_requests) return false;
  const ResourceList& requests = *pod.pod_level_requests;
  return std::any_of(requests.begin(), requests.end(), [](const auto& each) {
    return each.first == "cpu" || each.first == "memory" || each.first.starts_with("hugepages-");
  });
}

/// Whether the containers add up without any rule of SCORE-REQUESTS-2, pod-level requests, statuses or a
/// resize. Most pods are of this kind. The pod's own resource status matters only with pod-level requests, or
/// if it has allocated resources.
bool is_simple(const Pod& pod, const Release& release) {
  return pod.init_containers.empty() && pod.container_statuses.empty() && !pod.resource_status.allocated &&
         !resize_is_infeasible(pod) && !has_pod_level_requests(pod, release);
}

/// What the defaults of SCORE-REQUESTS-1 add up to for the containers that do not request a resource.
Quantity added_by_default(const Pod& pod, const char* resource, Quantity each) {
  Quantity added = 0;
  for (const Container& container : pod.containers) {
    if (!container.requests.contains(resource)) added += each;
  }
  return added;
}

/// SCORE-REQUESTS-3: the preemptor with its cpu overhead in whole cores, rounded up.
Pod with_overhead_in_cores(Pod pod, const Release& release) {
  if (!release.own_overhead_in_cores || !pod.overhead.contains("cpu")) return pod;
  Quantity& overhead = pod.overhead.at("cpu");
  const Quantity milli = overhead;
  overhead = milli / 1000 + (milli > milli / 1000 * 1000 ? 1 : 0);
  return pod;
}

}  // namespace

CpuAndMemory scored_beyond_requests(const Pod& pod, const Release& release, const Amounts& requests) {
  if (is_simple(pod, release))
    return {added_by_default(pod, "cpu", k_defaults[0].second),
            added_by_default(pod, "memory", k_defaults[1].second)};
  Amounts defaults = k_defaults;
  if (has_pod_level_requests(pod, release))
    std::erase_if(defaults, [&requests](const auto& each) { return has(requests, each.first); });
  const Pod counted = counted_part(pod, release.scored_requests_on_node);  // amounts refer to its names
  const Amounts scored = requests_of(counted, release, RequestsOf::node_pod, defaults);
  return {go::difference(amount_in(scored, "cpu"), amount_in(requests, "cpu")),
          go::difference(amount_in(scored, "memory"), amount_in(requests, "memory"))};
}

ResourceList scored_requests_of_preemptor(const Pod& pod, const Release& release) {
  Pod counted = counted_part(with_overhead_in_cores(pod, release), release.scored_requests_of_preemptor);
  counted.pod_level_requests.reset();  // SCORE-REQUESTS-4
  return listed(requests_of(counted, release, RequestsOf::preemptor, k_defaults));
}

ResourceList real_requests_of_preemptor(const Pod& pod, const Release& release) {
  const Pod counted = with_overhead_in_cores(pod, release);
  return listed(requests_of(counted, release, RequestsOf::node_pod));
}

}  // namespace touchstone::optimized
