#include "reference/queue/early_events.hpp"

#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/pod_terms.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

namespace touchstone::reference {

/// EVT-EARLY-2
bool wants_pod(const Entry& entry, const PodObject& other, const Release& release) {
  const OnePodCycle one_pod(entry.object.pod, release);
  const Pod& own = (*one_pod).pod;
  return std::any_of(own.pod_affinity.begin(), own.pod_affinity.end(),
                     [&](const PodAffinityTerm& term) { return means(term, own, other.pod, *one_pod); });
}

/// EVT-EARLY-3
bool may_run_there(const World& world, const Entry& entry, const Node& node) {
  const OnePodCycle one_pod(entry.object.pod, node, world.release);
  NodeState used = one_pod.node();
  const auto running = world.cache.pods.find(node.name);
  if (running != world.cache.pods.end()) {
    for (const PodObject& each : running->second) used.add({0, &each.pod}, world.release);
  }
  const bool fits = node_resources_fit(*one_pod, used).ok() && own_node_affinity(*one_pod, used).ok() &&
                    node_name(*one_pod, used).ok() && node_ports(*one_pod, used).ok();
  return fits && std::all_of(node.taints.begin(), node.taints.end(), [&](const Taint& taint) {
           return taint.effect != "NoSchedule" || tolerates(entry.object.pod, taint);
         });
}

}  // namespace touchstone::reference
