#include <algorithm>

#include "reference/filters/pod_terms.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

/// The hints of InterPodAffinity.
namespace touchstone::reference {

namespace {

using PodTerms = std::vector<PodAffinityTerm>;

/// Whether all terms of `owner` match a pod. False if there are none.
bool all_match(const PodTerms& terms, const Pod& owner, const Pod& other, const Cycle& cycle) {
  const auto match = [&](const PodAffinityTerm& term) { return means(term, owner, other, cycle); };
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), match);
}

/// EVT-AFFINITY-2, EVT-AFFINITY-3: whether terms of anti-affinity match a pod: all of them, or in newer
/// releases at least one.
bool repel(const PodTerms& terms, const Pod& owner, const Pod& other, const Cycle& cycle) {
  if (!cycle.release.any_anti_affinity_term_wakes) return all_match(terms, owner, other, cycle);
  return std::any_of(terms.begin(), terms.end(),
                     [&](const PodAffinityTerm& term) { return means(term, owner, other, cycle); });
}

/// EVT-AFFINITY-1: whether the other pod is on a node, or counts as if it were.
bool is_placed(const std::optional<PodObject>& other, const Release& release) {
  if (!other || !other->pod.node_name.empty()) return true;
  return release.affinity_hint_counts_nominated && !other->pod.nominated_node_name.empty();
}

/// The value of a node's label. No value: the node does not have it.
std::optional<std::string> value_of(const Node& node, const std::string& key) {
  const auto found = node.labels.find(key);
  return found == node.labels.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

/// EVT-AFFINITY-1 to EVT-AFFINITY-3
bool affinity_hint_of_pod(const Pod& pod, const ClusterEvent& event, const Release& release) {
  if (release.affinity_hint_counts_nominated && is_own_update(pod, event)) return true;  // EVT-AFFINITY-2
  if (!is_placed(event.old_pod, release) || !is_placed(event.new_pod, release)) return false;
  const OnePodCycle one_pod(pod, release);
  const Cycle& cycle = *one_pod;
  const Pod& own = cycle.pod;
  if (event.new_pod && event.old_pod) {  // EVT-AFFINITY-2
    const Pod& before = event.old_pod->pod;
    const Pod& now = event.new_pod->pod;
    return (!all_match(own.pod_affinity, own, before, cycle) &&
            all_match(own.pod_affinity, own, now, cycle)) ||
           (repel(own.pod_anti_affinity, own, before, cycle) &&
            !repel(own.pod_anti_affinity, own, now, cycle));
  }
  if (event.new_pod) return all_match(own.pod_affinity, own, event.new_pod->pod, cycle);
  // EVT-AFFINITY-3
  const Pod& gone = event.old_pod->pod;
  if (repel(own.pod_anti_affinity, own, gone, cycle)) return true;
  return release.affinity_hint_counts_nominated && repel(gone.pod_anti_affinity, gone, own, cycle);
}

/// EVT-AFFINITY-4
bool affinity_hint_of_node(const Pod& pod, const ClusterEvent& event, const Release& release) {
  if (!release.affinity_hint_compares_nodes) {
    const auto has_key = [&event](const PodAffinityTerm& term) {
      return value_of(*event.new_node, term.topology_key).has_value();
    };
    return std::any_of(pod.pod_affinity.begin(), pod.pod_affinity.end(), has_key) ||
           std::any_of(pod.pod_anti_affinity.begin(), pod.pod_anti_affinity.end(), has_key);
  }
  const auto before = [&event](const PodAffinityTerm& term) {
    return event.old_node ? value_of(*event.old_node, term.topology_key) : std::nullopt;
  };
  const auto now = [&event](const PodAffinityTerm& term) {
    return value_of(*event.new_node, term.topology_key);
  };
  const bool attracts =
      std::any_of(pod.pod_affinity.begin(), pod.pod_affinity.end(),
                  [&](const PodAffinityTerm& term) { return now(term) && now(term) != before(term); });
  const bool stops_to_repel = std::any_of(
      pod.pod_anti_affinity.begin(), pod.pod_anti_affinity.end(), [&](const PodAffinityTerm& term) {
        return !event.old_node || (before(term) && now(term) != before(term));
      });
  return attracts || stops_to_repel;
}

}  // namespace touchstone::reference
