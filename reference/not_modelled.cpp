#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/volumes/volumes.hpp"

/// What would need a filter that is not here: such a question is answered `skipped`, never guessed.
namespace touchstone::reference {

namespace {

/// A claim that is not there, or not its volume; v1.8 and v1.9 err on it, or count it at random.
std::string without_volume(const Cycle& cycle, const Pod& pod) {
  for (const Volume& volume : pod.volumes) {
    if (volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, pod, volume);
    const bool is_there =
        claim != nullptr && find(cycle.cluster.storage.volumes, claim->volume_name) != nullptr;
    if (!is_there)
      return "volumes: claim " + volume.source.id + " of pod " + pod.full_name() + " has no volume";
  }
  return "";
}

/// A disk that its CSI driver cannot have, where that has taken over; filters err on it.
std::string untranslatable(const Cycle& cycle) {
  const auto cannot = [&cycle](const VolumeSource& source, const std::string& zones, bool where_listed) {
    const InTreeKind* kind = migrated_kind(source.kind);
    if (kind == nullptr || translated_handle(source, zones)) return false;
    const auto& csi_nodes = cycle.cluster.storage.csi_nodes;
    return std::any_of(csi_nodes.begin(), csi_nodes.end(), [&](const auto& each) {
      return is_migrated(*kind, &each.second, cycle.release) &&
             (is_listed(*kind, &each.second) || !where_listed);
    });
  };
  std::vector<const Pod*> pods = {&cycle.pod};
  for (const Pod& other : cycle.cluster.pods) pods.push_back(&other);
  for (const Pod* pod : pods) {
    for (const Volume& volume : pod->volumes) {
      if (cannot(volume.source, "", false))
        return "volumes: no CSI driver knows " + volume.source.kind + " " + volume.source.id + " of pod " +
               pod->full_name();
    }
  }
  for (const Volume& volume : cycle.pod.volumes) {
    const PersistentVolumeClaim* claim = find_claim(cycle, cycle.pod, volume);
    const PersistentVolume* bound =
        claim == nullptr ? nullptr : find(cycle.cluster.storage.volumes, claim->volume_name);
    if (bound != nullptr && cannot(bound->source, zone_label(*bound), true))
      return "volumes: no CSI driver knows " + bound->source.kind + " " + bound->source.id + " of volume " +
             bound->name;
  }
  return "";
}

/// A limit of a node whose name holds the digest of a driver's name that was too long.
std::string shortened_limit(const Cycle& cycle) {
  constexpr std::size_t k_length = 23 + 23 + 16;  // of prefix, beginning and digest
  if (!cycle.release.attach_limits_of_node) return "";
  for (const Node& node : cycle.cluster.nodes) {
    for (const auto& [name, amount] : node.allocatable) {
      if (name.starts_with(k_csi_limit_prefix) && name.size() == k_length)
        return "NodeVolumeLimits: the limit " + name + " of node " + node.name + " has a shortened name";
    }
  }
  return "";
}

/// What of volumes is left to chance, or to a switch that is off.
std::string volumes_not_modelled(const Cycle& cycle) {
  const Pod& pod = cycle.pod;
  if (std::none_of(pod.volumes.begin(), pod.volumes.end(), is_filtered)) return "";
  if (cycle.release.missing_claim == MissingClaim::not_looked_for) {
    std::string found = without_volume(cycle, pod);
    for (const Pod& other : cycle.cluster.pods) {
      if (found.empty()) found = without_volume(cycle, other);
    }
    return found;
  }
  if (const std::string found = untranslatable(cycle); !found.empty()) return found;
  if (const std::string found = shortened_limit(cycle); !found.empty()) return found;
  if (!binding_rejection(cycle).reason.empty()) return "";
  for (const NodeState& node : cycle.nodes) {
    if (binding_is_random(cycle, node))
      return "VolumeBinding: of volumes of one size one is taken at random, and on node " + node.node->name +
             " it matters which";
  }
  return "";
}

/// Whether a pod's required anti-affinity can concern the preemptor. Namespaces chosen by label are of later
/// releases.
bool may_repel(const Pod& other, const Pod& preemptor) {
  return std::any_of(other.pod_anti_affinity.begin(), other.pod_anti_affinity.end(),
                     [&](const PodAffinityTerm& term) {
                       if (!term.label_selector || !matches(*term.label_selector, preemptor.labels))
                         return false;
                       const std::vector<std::string>& names = term.namespaces;
                       if (names.empty()) return other.ns == preemptor.ns;
                       return std::find(names.begin(), names.end(), preemptor.ns) != names.end();
                     });
}

bool is_invalid(const std::optional<LabelSelector>& selector) { return selector && !is_valid(*selector); }

/// The field of the first term with a selector that no API server admits; the release's parser gives up on
/// the whole pod. `list`: podAffinity or podAntiAffinity.
std::string invalid_term(const std::vector<PodAffinityTerm>& terms, const std::string& list) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string term =
        list + ".requiredDuringSchedulingIgnoredDuringExecution[" + std::to_string(i) + "]";
    if (is_invalid(terms[i].label_selector)) return term + ".labelSelector";
    if (is_invalid(terms[i].namespace_selector)) return term + ".namespaceSelector";
  }
  return "";
}

std::string invalid_affinity(const Cycle& cycle) {
  const auto said = [](const Pod& pod, const std::string& field) {
    return field.empty() ? "" : "InterPodAffinity: pod " + pod.full_name() + " has an invalid " + field;
  };
  std::string found = said(cycle.pod, invalid_term(cycle.pod.pod_affinity, "podAffinity"));
  if (found.empty()) found = said(cycle.pod, invalid_term(cycle.pod.pod_anti_affinity, "podAntiAffinity"));
  for (NodeIndex i = 0; i < cycle.nodes.size(); ++i) {
    for (const std::vector<PodOnNode>* pods : {&cycle.nodes[i].pods, &cycle.nominated[i]}) {
      for (const PodOnNode& other : *pods) {
        if (found.empty())
          found = said(*other.object, invalid_term(other.object->pod_anti_affinity, "podAntiAffinity"));
      }
    }
  }
  return found;
}

std::string invalid_spread(const Cycle& cycle) {
  const auto has_filter = [](const std::vector<Filter>& group) {
    return std::find(group.begin(), group.end(), Filter::pod_topology_spread) != group.end();
  };
  const std::vector<std::vector<Filter>>& groups = cycle.release.filter_groups;
  if (std::none_of(groups.begin(), groups.end(), has_filter)) return "";
  const std::vector<TopologySpreadConstraint>& constraints = cycle.pod.topology_spread;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].when_unsatisfiable == "DoNotSchedule" && is_invalid(constraints[i].label_selector))
      return "PodTopologySpread: pod " + cycle.pod.full_name() +
             " has an invalid topologySpreadConstraints[" + std::to_string(i) + "].labelSelector";
  }
  return "";
}

/// The conditions that rejected pods before nodes were tainted by condition.
bool rejects(const Condition& condition) {
  if (condition.type == "Ready") return condition.status != "True";
  const bool is_problem = condition.type == "OutOfDisk" || condition.type == "NetworkUnavailable" ||
                          condition.type == "MemoryPressure" || condition.type == "DiskPressure" ||
                          condition.type == "PIDPressure";
  return is_problem && condition.status != "False";
}

bool looks_at_affinity(const Cycle& cycle) {
  const Pod& pod = cycle.pod;
  return !pod.pod_affinity.empty() || !pod.pod_anti_affinity.empty() ||
         std::any_of(cycle.cluster.pods.begin(), cycle.cluster.pods.end(),
                     [&pod](const Pod& other) { return may_repel(other, pod); });
}

/// What affinity between pods of v1.8 to v1.11 errs on: pods of nodes that are not there; in v1.10 also
/// nominated pods, by terms over hosts.
std::string affinity_not_modelled(const Cycle& cycle) {
  if (cycle.release.affinity_account >= AffinityAccount::sets_of_pods || !looks_at_affinity(cycle)) return "";
  for (const Pod& other : cycle.cluster.pods) {
    const bool is_known =
        std::any_of(cycle.nodes.begin(), cycle.nodes.end(),
                    [&other](const NodeState& node) { return node.node->name == other.node_name; });
    if (!other.node_name.empty() && !is_known && !is_finished(other))
      return "InterPodAffinity: pod " + other.full_name() + " is on a node that is not there";
  }
  if (cycle.release.affinity_account != AffinityAccount::each_term_hosts_apart) return "";
  for (const auto* terms : {&cycle.pod.pod_affinity, &cycle.pod.pod_anti_affinity}) {
    for (const PodAffinityTerm& term : *terms) {
      for (NodeIndex i = 0; i < cycle.nodes.size() && term.topology_key == "kubernetes.io/hostname"; ++i) {
        for (const PodOnNode& other : counted_nominated_pods(cycle, i)) {
          if (term.label_selector && matches(*term.label_selector, other.object->labels))
            return "InterPodAffinity: nominated pod " + other.object->full_name() +
                   " may be meant by a term over hosts";
        }
      }
    }
  }
  return "";
}

}  // namespace

std::string not_modelled(const Cycle& cycle) {
  const Pod& pod = cycle.pod;
  if (std::string invalid = invalid_affinity(cycle); !invalid.empty()) return invalid;
  if (std::string invalid = invalid_spread(cycle); !invalid.empty()) return invalid;
  if (std::string affinity = affinity_not_modelled(cycle); !affinity.empty()) return affinity;
  if (std::string volumes = volumes_not_modelled(cycle); !volumes.empty()) return volumes;
  if (cycle.release.resource_claims_filter && !pod.resource_claims.empty()) {
    return "DynamicResources: the pod has resource claims";
  }
  for (const Node& node : cycle.cluster.nodes) {
    for (const Condition& condition : node.conditions) {
      if (!cycle.release.node_conditions_filter || !rejects(condition)) continue;
      return "node conditions: node " + node.name + " has " + condition.type + "=" + condition.status;
    }
  }
  return "";
}

}  // namespace touchstone::reference
