#include "reference/queue/early_events.hpp"

#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/pod_terms.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

namespace touchstone::reference {

/// EVT-EARLY-2
bool wants_pod(const Entry& entry, const PodObject& other, const Release& release) {
  const bool may_spread = release.early_events == EarlyEvents::labels_apart &&
                          entry.rejectors.contains("PodTopologySpread") &&
                          entry.object.pod.ns == other.pod.ns;
  if (may_spread) return true;
  const OnePodCycle one_pod(entry.object.pod, release);
  const Pod& own = (*one_pod).pod;
  return std::any_of(own.pod_affinity.begin(), own.pod_affinity.end(),
                     [&](const PodAffinityTerm& term) { return means(term, own, other.pod, *one_pod); });
}

/// EVT-EARLY-3
bool may_run_there(const World& world, const Entry& entry, const Node& node) {
  Question question;
  question.pod = entry.object.pod;
  question.cluster.nodes = {node};
  question.cluster.forgotten_ports = world.cache.forgotten_ports;
  const auto running = world.cache.pods.find(node.name);
  if (running != world.cache.pods.end()) {
    for (const PodObject& each : running->second) question.cluster.pods.push_back(each.pod);
  }
  Trace trace = Trace::none();
  const Cycle cycle(question, world.release, trace);
  const NodeState& there = cycle.nodes.front();
  const bool fits = node_resources_fit(cycle, there).ok() && own_node_affinity(cycle, there).ok() &&
                    node_ports(cycle, there).ok();
  return fits && std::all_of(node.taints.begin(), node.taints.end(), [&](const Taint& taint) {
           return taint.effect != "NoSchedule" || tolerates(entry.object.pod, taint);
         });
}

}  // namespace touchstone::reference
