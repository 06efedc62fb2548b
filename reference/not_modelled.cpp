#include <algorithm>

#include "reference/filters/constraints.hpp"
#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"
#include "reference/filters/policy_services.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/volumes/volumes.hpp"

/// What the reference does not model. The answer to a question that needs it is `skipped`; the reference
/// never guesses.
namespace touchstone::reference {

namespace {

/// A claim of the pod that does not exist, or whose volume does not exist. v1.8 and v1.9 err on such a claim,
/// or count it at random. Empty: there is none.
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

/// A disk that has no CSI handle, although a CSI driver has replaced its in-tree plugin. Filters err on it.
/// Empty: there is none.
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

/// An attach limit of a node whose name ends in a digest, because the name of the driver was too long. Empty:
/// there is none.
std::string shortened_limit(const Cycle& cycle) {
  constexpr std::size_t k_length = 23 + 23 + 16;  // prefix, start of the driver's name, digest
  if (!cycle.release.attach_limits_of_node) return "";
  for (const Node& node : cycle.cluster.nodes) {
    for (const auto& [name, amount] : node.allocatable) {
      if (name.starts_with(k_csi_limit_prefix) && name.size() == k_length)
        return "NodeVolumeLimits: the limit " + name + " of node " + node.name + " has a shortened name";
    }
  }
  return "";
}

/// What is not modelled about volumes: in v1.8 and v1.9 claims without a volume; later, disks and limits that
/// cannot be translated, and random picks that matter. Empty: nothing.
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

/// Whether a pod's required anti-affinity may match the preemptor. The check ignores namespaceSelector,
/// because it is used up to v1.11 only.
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

/// The path of the first selector that no API server admits. Because of it, the release's parser fails for
/// the whole pod. `list`: podAffinity or podAntiAffinity. Empty: every selector is valid.
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

/// The index of the first group of filters that has this filter; the number of groups if none has it.
std::size_t group_with(Filter filter, const Release& release) {
  const std::vector<std::vector<Filter>>& groups = release.filter_groups;
  const auto has_filter = [filter](const std::vector<Filter>& group) {
    return std::find(group.begin(), group.end(), filter) != group.end();
  };
  return static_cast<std::size_t>(std::find_if(groups.begin(), groups.end(), has_filter) - groups.begin());
}

/// PRE-SPREAD-6: what is not modelled up to v1.24.3: nodes over which a constraint does not spread, if
/// PodTopologySpread sees them.
std::string spread_sees_excluded_nodes(const Cycle& cycle) {
  const Release& release = cycle.release;
  const bool has_affinity = !cycle.pod.node_selector.empty() || cycle.pod.node_affinity;
  const std::size_t spread = group_with(Filter::pod_topology_spread, release);
  if (!release.spread_excluded_changes || !has_affinity || spread == release.filter_groups.size()) return "";
  if (group_with(Filter::node_affinity, release) < spread && !release.checks_all_filters) return "";
  if (constraints_of(cycle, "DoNotSchedule").empty()) return "";
  return "PodTopologySpread: the configuration lets it see nodes that NodeAffinity rejects";
}

std::string invalid_spread(const Cycle& cycle) {
  if (group_with(Filter::pod_topology_spread, cycle.release) == cycle.release.filter_groups.size()) return "";
  const std::vector<TopologySpreadConstraint>& constraints = cycle.pod.topology_spread;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].when_unsatisfiable == "DoNotSchedule" && is_invalid(constraints[i].label_selector))
      return "PodTopologySpread: pod " + cycle.pod.full_name() +
             " has an invalid topologySpreadConstraints[" + std::to_string(i) + "].labelSelector";
  }
  return "";
}

/// Whether a node condition rejects pods. This holds up to v1.11; later releases taint nodes by condition
/// instead.
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

/// Pods on which InterPodAffinity of v1.8 to v1.11 errs: pods on nodes that do not exist; in v1.10 also
/// nominated pods, if a term over kubernetes.io/hostname may match them. Empty: there are none.
std::string affinity_not_modelled(const Cycle& cycle) {
  if (cycle.release.affinity_bookkeeping >= AffinityBookkeeping::sets_of_pods || !looks_at_affinity(cycle))
    return "";
  for (const Pod& other : cycle.cluster.pods) {
    const bool is_known =
        std::any_of(cycle.nodes.begin(), cycle.nodes.end(),
                    [&other](const NodeState& node) { return node.node->name == other.node_name; });
    if (!other.node_name.empty() && !is_known && !is_finished(other))
      return "InterPodAffinity: pod " + other.full_name() + " is on a node that is not there";
  }
  if (cycle.release.affinity_bookkeeping != AffinityBookkeeping::each_term_hosts_apart) return "";
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

/// CYC-PROFILE-1: whether VolumeZone runs, but not VolumeBinding before it, which asks for claims and, up to
/// v1.26, for volumes. From v1.27 their PreFilters ask. v1.8 and v1.9 have no VolumeBinding.
bool zone_lacks_binding(const Release& release) {
  if (release.missing_claim == MissingClaim::not_looked_for) return false;
  if (release.zone_asks_for_volumes) {
    const std::vector<Filter>& order = release.prefilters;
    return std::find(order.begin(), order.end(), Filter::volume_zone) <
           std::find(order.begin(), order.end(), Filter::volume_binding);
  }
  for (const std::vector<Filter>& group : release.filter_groups) {
    if (group == std::vector<Filter>{Filter::volume_binding}) return false;
    if (group == std::vector<Filter>{Filter::volume_zone}) return true;
  }
  return false;
}

/// CYC-PROFILE-1: what a configuration without some PreFilters leaves open.
std::string without_prefilters(const Cycle& cycle) {
  const Release& release = cycle.release;
  const auto is_off = [&release](Filter filter) { return !runs_prefilter(filter, release); };
  const bool has_volumes = std::any_of(cycle.pod.volumes.begin(), cycle.pod.volumes.end(), is_filtered);
  const bool some_of_volumes =
      is_off(Filter::volume_restrictions) || is_off(Filter::volume_binding) || is_off(Filter::volume_zone);
  if (has_volumes && some_of_volumes) return "volumes: the configuration turns off a PreFilter of volumes";
  if (has_volumes && zone_lacks_binding(release))
    return "volumes: the configuration runs VolumeZone, but not VolumeBinding before it";
  if (release.prefilter_failure_lost && !release.prefilters_off.empty() && cycle.pod.node_affinity)
    return "PreFilters: the configuration turns off some, and the release may lose a rejection by others";
  return "";
}

}  // namespace

std::string not_modelled(const Cycle& cycle) {
  const Pod& pod = cycle.pod;
  const std::string& gate = cycle.release.unmodelled_gate;
  if (!gate.empty()) return "feature gate " + gate;  // CYC-GATES-1
  if (std::string invalid = invalid_affinity(cycle); !invalid.empty()) return invalid;
  if (std::string invalid = invalid_spread(cycle); !invalid.empty()) return invalid;
  if (std::string spread = spread_sees_excluded_nodes(cycle); !spread.empty()) return spread;
  if (std::string affinity = affinity_not_modelled(cycle); !affinity.empty()) return affinity;
  if (std::string volumes = volumes_not_modelled(cycle); !volumes.empty()) return volumes;
  if (std::string prefilters = without_prefilters(cycle); !prefilters.empty()) return prefilters;
  if (!cycle.nodes.empty() && service_affinity_is_random(cycle))
    return "ServiceAffinity: a random choice among pods decides which nodes it accepts";
  if (service_affinity_meets_nominated(cycle))
    return "ServiceAffinity: a nominated pod has the labels of the pod, and is on no node yet";
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
