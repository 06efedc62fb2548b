#include "optimized/not_handled.hpp"

#include <algorithm>
#include <limits>

#include "optimized/requests.hpp"

namespace touchstone::optimized {

namespace {

bool has_filter(const Release& release, Filter filter) {
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(),
                     [filter](const std::vector<Filter>& group) {
                       return std::find(group.begin(), group.end(), filter) != group.end();
                     });
}

bool is_invalid(const std::optional<LabelSelector>& selector) {
  return selector && !Selector::of_labels(*selector, [](const std::string&) { return Word{0}; }).is_valid();
}

bool is_invalid(const PodAffinityTerm& term) {
  return is_invalid(term.label_selector) || is_invalid(term.namespace_selector);
}

/// Selectors that no API server admits.
std::string invalid_terms(const Tables& tables, const Pod& preemptor) {
  for (const auto* terms : {&preemptor.pod_affinity, &preemptor.pod_anti_affinity}) {
    if (std::any_of(terms->begin(), terms->end(),
                    [](const PodAffinityTerm& term) { return is_invalid(term); }))
      return "InterPodAffinity: the pod has an invalid term";
  }
  for (std::uint32_t i = 0; i < tables.classes.size(); ++i) {
    const PodClass& pods = tables.classes[i];
    if (pods.pods > 0 && !std::all_of(pods.anti_affinity.begin(), pods.anti_affinity.end(),
                                      [](const Term& term) { return term.is_valid(); }))
      return "InterPodAffinity: a pod has an invalid anti-affinity term";
  }
  std::size_t hard = 0;
  for (const TopologySpreadConstraint& constraint : preemptor.topology_spread) {
    if (constraint.when_unsatisfiable != "DoNotSchedule") continue;
    hard += 1;
    if (has_filter(tables.release, Filter::pod_topology_spread) && is_invalid(constraint.label_selector))
      return "PodTopologySpread: the pod has an invalid constraint";
  }
  constexpr std::size_t k_constraints_most = 32;
  return hard > k_constraints_most ? "PodTopologySpread: the pod has more than 32 constraints" : "";
}

/// v1.10 errs on some of these.
bool has_nominated_by_host(const Tables& tables, const Pod& preemptor) {
  if (tables.release.affinity_account != AffinityAccount::each_term_hosts_apart) return false;
  const auto is_over_hosts = [](const PodAffinityTerm& term) {
    return term.topology_key == "kubernetes.io/hostname";
  };
  const auto some = [&](const std::vector<PodAffinityTerm>& terms) {
    return std::any_of(terms.begin(), terms.end(), is_over_hosts);
  };
  if (!some(preemptor.pod_affinity) && !some(preemptor.pod_anti_affinity)) return false;
  return std::any_of(tables.where.begin(), tables.where.end(),
                     [](Whereabouts where) { return where == Whereabouts::nominated; });
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
  if (release.resource_claims_filter && !preemptor.resource_claims.empty())
    return "DynamicResources: the pod has resource claims";
  if (release.node_features_filter && preemptor.needs_node_features)
    return "NodeDeclaredFeatures: the pod needs a feature that nodes declare";
  if (std::string condition = node_condition(tables); !condition.empty()) return condition;
  if (release.affinity_account < AffinityAccount::sets_of_pods && has_lost_pod(tables))
    return "InterPodAffinity: a pod is on a node that is not there, which this release may err on";
  if (std::string terms = invalid_terms(tables, preemptor); !terms.empty()) return terms;
  if (has_nominated_by_host(tables, preemptor))
    return "InterPodAffinity: a nominated pod may be meant by a term over hosts";
  return "";
}

}  // namespace touchstone::optimized
