#include "reference/any_order/interchange_key.hpp"

#include <algorithm>

#include "reference/preemption/preempt.hpp"
#include "reference/volumes/volumes.hpp"

namespace touchstone::reference {

namespace {

using Keys = std::set<std::string>;

void add_keys(const std::optional<LabelSelector>& selector, Keys& keys) {
  if (!selector) return;
  for (const auto& [key, value] : selector->match_labels) keys.insert(key);
  for (const Requirement& requirement : selector->match_expressions) keys.insert(requirement.key);
}

/// The keys of the labels of other pods that the preemptor's own terms and constraints read.
Keys keys_read(const Pod& preemptor) {
  Keys keys;
  for (const auto* terms : {&preemptor.pod_affinity, &preemptor.pod_anti_affinity}) {
    for (const PodAffinityTerm& term : *terms) {
      add_keys(term.label_selector, keys);
      keys.insert(term.match_label_keys.begin(), term.match_label_keys.end());
      keys.insert(term.mismatch_label_keys.begin(), term.mismatch_label_keys.end());
    }
  }
  for (const TopologySpreadConstraint& constraint : preemptor.topology_spread) {
    add_keys(constraint.label_selector, keys);
    keys.insert(constraint.match_label_keys.begin(), constraint.match_label_keys.end());
  }
  return keys;
}

/// Adds what InterPodAffinity and PodTopologySpread read of a pod.
void add_labels(const Pod& preemptor, const Pod& pod, InterchangeKey& key) {
  key.anti_affinity = pod.pod_anti_affinity;
  if (!key.anti_affinity.empty()) key.labels = pod.labels;
  for (const std::string& name : keys_read(preemptor)) {
    const auto label = pod.labels.find(name);
    if (label != pod.labels.end()) key.labels.insert(*label);
  }
}

/// Adds what the filters of volumes read of a pod. They read nothing if the preemptor has no volume that a
/// filter reads.
void add_volumes(const Pod& preemptor, const Pod& pod, InterchangeKey& key) {
  if (std::none_of(preemptor.volumes.begin(), preemptor.volumes.end(), is_filtered)) return;
  for (const Volume& volume : pod.volumes) {
    if (!is_filtered(volume)) continue;
    key.volumes.push_back({is_ephemeral(volume) ? volume.name : "", volume.source});
    if (is_ephemeral(volume)) key.name = pod.name;
  }
}

}  // namespace

InterchangeKey interchange_key(const Cycle& cycle, const Pod& pod) {
  InterchangeKey key;
  key.requests = requests_on_node(pod, cycle.release);
  for (const ContainerPort& port : host_ports(pod, cycle.release))
    key.ports.insert({port.protocol, port.host_port, port.host_ip});
  key.pdbs = covering_pdbs(cycle, pod);
  key.terminating = pod.terminating;
  key.ns = pod.ns;
  add_labels(cycle.pod, pod, key);
  add_volumes(cycle.pod, pod, key);
  return key;
}

}  // namespace touchstone::reference
