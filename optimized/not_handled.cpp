#include "optimized/not_handled.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "optimized/requests.hpp"

namespace touchstone::optimized {

namespace {

/// Kinds of volumes that a filter looks at. Without one of these, no filter of volumes rejects the preemptor,
/// whatever volumes other pods have.
constexpr std::array<std::string_view, 9> k_filtered_kinds = {"persistentVolumeClaim",
                                                              "ephemeral",
                                                              "gcePersistentDisk",
                                                              "awsElasticBlockStore",
                                                              "azureDisk",
                                                              "cinder",
                                                              "iscsi",
                                                              "portworxVolume",
                                                              "rbd"};

bool has_filtered_volume(const Pod& pod) {
  return std::any_of(pod.volumes.begin(), pod.volumes.end(), [](const Volume& volume) {
    return std::find(k_filtered_kinds.begin(), k_filtered_kinds.end(), volume.source.kind) !=
           k_filtered_kinds.end();
  });
}

bool has_filter(const Release& release, Filter filter) {
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(),
                     [filter](const std::vector<Filter>& group) {
                       return std::find(group.begin(), group.end(), filter) != group.end();
                     });
}

bool spreads(const Pod& pod) {
  return std::any_of(pod.topology_spread.begin(), pod.topology_spread.end(),
                     [](const auto& constraint) { return constraint.when_unsatisfiable == "DoNotSchedule"; });
}

/// What the lemmas of pruning and the columns rest on.
std::string out_of_bounds(const Tables& tables, const Pod& preemptor) {
  if (tables.pods_not_handled > 0)
    return "a pod has a priority beyond 32 bits, or requests less than nothing";
  if (preemptor.priority < std::numeric_limits<std::int32_t>::min() ||
      preemptor.priority > std::numeric_limits<std::int32_t>::max())
    return "the preemptor has a priority beyond 32 bits";
  for (const auto& [name, amount] : requests_of(preemptor, tables.release, RequestsOf::preemptor)) {
    if (amount < 0) return "the preemptor requests less than nothing";
  }
  return "";
}

std::string node_condition(const Tables& tables) {
  if (!tables.release.node_conditions_filter) return "";
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    const NodeFacts& facts = tables.nodes.facts[node];
    if (!tables.nodes.is_gone(node) && !facts.condition.empty())
      return "node conditions: node " + tables.words.text(facts.name) + " has " + facts.condition;
  }
  return "";
}

bool has_lost_pod(const Tables& tables) {
  return std::any_of(tables.homeless.begin(), tables.homeless.end(),
                     [](const auto& entry) { return entry.second.where == Whereabouts::bound; });
}

}  // namespace

std::string not_handled(const Tables& tables, const Pod& preemptor) {
  const Release& release = tables.release;
  if (std::string bounds = out_of_bounds(tables, preemptor); !bounds.empty()) return bounds;
  if (has_filtered_volume(preemptor)) return "volumes: the pod has a volume that a filter looks at";
  if (release.resource_claims_filter && !preemptor.resource_claims.empty())
    return "DynamicResources: the pod has resource claims";
  if (release.node_features_filter && preemptor.needs_node_features)
    return "NodeDeclaredFeatures: the pod needs a feature that nodes declare";
  if (std::string condition = node_condition(tables); !condition.empty()) return condition;
  if (release.affinity_account < AffinityAccount::sets_of_pods && has_lost_pod(tables))
    return "InterPodAffinity: a pod is on a node that is not there, which this release may err on";
  if (!preemptor.pod_affinity.empty() || !preemptor.pod_anti_affinity.empty())
    return "InterPodAffinity: the pod has required terms";
  for (std::uint32_t i = 0; i < tables.classes.size(); ++i) {
    if (tables.classes[i].pods > 0 && !tables.classes[i].anti_affinity.empty())
      return "InterPodAffinity: a pod has required anti-affinity";
  }
  if (has_filter(release, Filter::pod_topology_spread) && spreads(preemptor))
    return "PodTopologySpread: the pod has constraints that reject";
  return "";
}

}  // namespace touchstone::optimized
