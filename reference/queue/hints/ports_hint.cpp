#include "reference/filters/filters.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/hints/one_pod_cycle.hpp"

/// The hint of NodePorts.
namespace touchstone::reference {

/// EVT-PORTS-1
bool ports_hint(const Pod& pod, const ClusterEvent& event, const Release& release) {
  const Pod& gone = event.old_pod->pod;
  if (gone.node_name.empty() && !(release.fit_hint_counts_nominated && !gone.nominated_node_name.empty()))
    return false;
  const OnePodCycle cycle(pod, Node{}, release);
  NodeState used = cycle.node();
  used.add({0, &gone}, release);
  return !node_ports(*cycle, used).ok();
}

}  // namespace touchstone::reference
