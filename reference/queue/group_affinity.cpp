#include "reference/queue/group_affinity.hpp"

#include <algorithm>

#include "reference/queue/scheduler_cache.hpp"

namespace touchstone::reference {

namespace {

bool has_required_anti_affinity(const PodObject& object) { return !object.pod.pod_anti_affinity.empty(); }

bool has_preferred_terms(const Pod& pod) {
  return !pod.preferred_pod_affinity.empty() || !pod.preferred_pod_anti_affinity.empty();
}

bool has_any_term(const PodObject& object) {
  return has_required_anti_affinity(object) || !object.pod.pod_affinity.empty() ||
         has_preferred_terms(object.pod);
}

/// Whether a node is in the list of those with a pod that has such terms. The list is as old as the snapshot.
bool is_listed(const Cache& before, const std::string& node, bool (*has)(const PodObject&)) {
  const auto found = before.pods.find(node);
  return found != before.pods.end() && std::any_of(found->second.begin(), found->second.end(), has);
}

}  // namespace

/// QUE-GROUP-6
bool overlook_affinity(const Cache& before, Question& question) {
  const std::vector<Pod> all = question.cluster.pods;
  for (Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() || cached_pod(before, pod.uid) != nullptr) continue;
    if (!is_listed(before, pod.node_name, has_required_anti_affinity)) pod.pod_anti_affinity.clear();
    if (has_preferred_terms(question.pod) || is_listed(before, pod.node_name, has_any_term)) continue;
    pod.pod_affinity.clear();
    pod.preferred_pod_affinity.clear();
    pod.preferred_pod_anti_affinity.clear();
  }
  return question.cluster.pods != all;
}

}  // namespace touchstone::reference
