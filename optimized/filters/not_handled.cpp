#include "optimized/filters/not_handled.hpp"

#include <algorithm>

#include "optimized/filters/volumes.hpp"
#include "optimized/search/decide.hpp"

namespace touchstone::optimized {

namespace {

bool is_invalid(const std::optional<LabelSelector>& selector) {
  return selector && !Selector::of_labels(*selector, [](const std::string&) { return Symbol{0}; }).is_valid();
}

bool some_invalid(const std::vector<PodAffinityTerm>& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const PodAffinityTerm& term) {
    return is_invalid(term.label_selector) || is_invalid(term.namespace_selector);
  });
}

bool some_invalid(const PodClass& pods) {
  return !std::all_of(pods.anti_affinity.begin(), pods.anti_affinity.end(),
                      [](const Term& term) { return term.is_valid(); });
}

/// Whether some pod on a node, or nominated to one, is of one of these classes. The preemptor itself does not
/// count.
bool some_pod_is_of(const std::vector<bool>& classes, const Query& query) {
  const Tables& tables = query.tables;
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    if (tables.nodes.is_gone(node)) continue;
    const PodsOfNode pods = query.pods_of(node);
    for (std::size_t i = 0; i < pods.count; ++i) {
      if (classes[pods.pod_class[i]]) return true;
    }
    for (const PodRow& row : tables.nodes.facts[node].nominated) {
      if (classes[row.pod_class] && !query.is_self(row.pod)) return true;
    }
  }
  return false;
}

/// A reason if an affinity term has a selector that no API server admits; empty: none has.
std::string invalid_affinity(const Query& query) {
  if (some_invalid(query.pod.pod_affinity) || some_invalid(query.pod.pod_anti_affinity))
    return "InterPodAffinity: the pod has an invalid term";
  std::vector<bool> invalid;
  const PodClasses& classes = query.tables.classes;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    if (classes[i].pods == 0 || !some_invalid(classes[i])) continue;
    invalid.resize(classes.size(), false);
    invalid[i] = true;
  }
  return !invalid.empty() && some_pod_is_of(invalid, query)
             ? "InterPodAffinity: a pod has an invalid anti-affinity term"
             : "";
}

std::string invalid_spread(const Query& query) {
  const std::vector<TopologySpreadConstraint>& constraints = query.pod.topology_spread;
  const bool found =
      query.has_filter(Filter::pod_topology_spread) &&
      std::any_of(constraints.begin(), constraints.end(), [](const auto& constraint) {
        return constraint.when_unsatisfiable == "DoNotSchedule" && is_invalid(constraint.label_selector);
      });
  return found ? "PodTopologySpread: the pod has an invalid constraint" : "";
}

/// Whether anti-affinity terms of a pod in namespace `owner_ns` may concern the preemptor. Ignores namespace
/// selectors, which only later releases have.
bool may_repel(const std::vector<Term>& terms, Symbol owner_ns, const Query& query) {
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    const std::vector<Symbol>& names = term.namespaces;
    const bool looks_at =
        names.empty() ? owner_ns == query.ns : std::find(names.begin(), names.end(), query.ns) != names.end();
    return looks_at && term.selector && term.selector->matches(query.labels, query.tables.symbols);
  });
}

/// Whether the preemptor has affinity terms, or the anti-affinity of any pod, on a node or not, may concern
/// it.
bool looks_at_affinity(const Query& query) {
  if (!query.pod.pod_affinity.empty() || !query.pod.pod_anti_affinity.empty()) return true;
  const Tables& tables = query.tables;
  const auto repels = [&query](const PodClass& pods) {
    return may_repel(pods.anti_affinity, pods.ns, query);
  };
  for (std::uint32_t i = 0; i < tables.classes.size(); ++i) {
    if (tables.classes[i].pods > 0 && repels(tables.classes[i])) return true;
  }
  return std::any_of(tables.homeless.begin(), tables.homeless.end(),
                     [&](const auto& entry) { return repels(tables.classes[entry.second.row.pod_class]); }) ||
         std::any_of(tables.terms_of_others.begin(), tables.terms_of_others.end(), [&](const auto& entry) {
           return may_repel(entry.second, tables.names.ns(entry.first), query);
         });
}

/// Whether a term of the preemptor over kubernetes.io/hostname selects a nominated pod that counts.
bool may_mean_nominated(const Query& query) {
  std::vector<Selector> over_hosts;
  for (const auto* terms : {&query.pod.pod_affinity, &query.pod.pod_anti_affinity}) {
    for (const PodAffinityTerm& term : *terms) {
      if (term.topology_key == "kubernetes.io/hostname" && term.label_selector)
        over_hosts.push_back(Selector::of_labels(*term.label_selector, query.numbering));
    }
  }
  const Tables& tables = query.tables;
  for (NodeIndex node = 0; node < tables.nodes.size() && !over_hosts.empty(); ++node) {
    if (tables.nodes.is_gone(node)) continue;
    for (const PodRow& row : query.counted_nominated(node)) {
      if (std::any_of(over_hosts.begin(), over_hosts.end(), [&](const Selector& selector) {
            return selector.matches(tables.classes[row.pod_class].labels, tables.symbols);
          }))
        return true;
    }
  }
  return false;
}

/// A reason if InterPodAffinity of v1.8 to v1.11 may err, because a pod is on a node that is not in the
/// cluster. In v1.10 also if a term over kubernetes.io/hostname may select a nominated pod. Empty: neither.
std::string lost_or_nominated(const Query& query) {
  const AffinityBookkeeping account = query.release.affinity_bookkeeping;
  if (account >= AffinityBookkeeping::sets_of_pods || !looks_at_affinity(query)) return "";
  const auto& homeless = query.tables.homeless;
  if (std::any_of(homeless.begin(), homeless.end(),
                  [](const auto& entry) { return entry.second.where == PodPlacement::bound; }))
    return "InterPodAffinity: a pod is on a node that is not there";
  if (account == AffinityBookkeeping::each_term_hosts_apart && may_mean_nominated(query))
    return "InterPodAffinity: a nominated pod may be meant by a term over hosts";
  return "";
}

std::string node_condition(const Tables& tables) {
  if (!tables.release.node_conditions_filter) return "";
  for (NodeIndex node = 0; node < tables.nodes.size(); ++node) {
    const NodeFacts& facts = tables.nodes.facts[node];
    if (!tables.nodes.is_gone(node) && !facts.condition.empty())
      return "node conditions: node " + tables.symbols.text(facts.name) + " has " + facts.condition;
  }
  return "";
}

/// Whether VolumeZone runs, but not VolumeBinding before it, which asks for claims and, up to v1.26, for
/// volumes. From v1.27 their PreFilters ask. v1.8 and v1.9 have no VolumeBinding.
bool zone_lacks_binding(const Query& query) {
  const Release& release = query.release;
  if (release.missing_claim == MissingClaim::not_looked_for) return false;
  if (release.zone_asks_for_volumes) {
    const std::vector<Filter>& order = release.prefilters;
    return std::find(order.begin(), order.end(), Filter::volume_zone) <
           std::find(order.begin(), order.end(), Filter::volume_binding);
  }
  if (!query.has_filter(Filter::volume_zone)) return false;
  return query.first_of(bit(Filter::volume_zone) | bit(Filter::volume_binding)) == Filter::volume_zone;
}

/// What a configuration without some PreFilters leaves open.
std::string without_prefilters(const Query& query) {
  const Release& release = query.release;
  const bool all_of_volumes = query.has_prefilter(Filter::volume_restrictions) &&
                              query.has_prefilter(Filter::volume_binding) &&
                              query.has_prefilter(Filter::volume_zone);
  if (query.volumes && !all_of_volumes) return "volumes: the configuration turns off a PreFilter of volumes";
  if (query.volumes && zone_lacks_binding(query))
    return "volumes: the configuration runs VolumeZone, but not VolumeBinding before it";
  if (release.prefilter_failure_lost && !release.prefilters_off.empty() && query.pod.node_affinity)
    return "PreFilters: the configuration turns off some, and the release may lose a rejection by others";
  return "";
}

/// PRE-SPREAD-6: what is not modelled up to v1.24.3: nodes over which a constraint does not spread, if
/// PodTopologySpread sees them.
std::string spread_sees_excluded_nodes(const Query& query) {
  const bool has_affinity = !query.pod.node_selector.empty() || query.pod.node_affinity;
  if (!query.release.spread_excluded_changes || !has_affinity || !query.spread) return "";
  const std::uint32_t both = bit(Filter::node_affinity) | bit(Filter::pod_topology_spread);
  if (query.first_of(both) == Filter::node_affinity && !query.release.checks_all_filters) return "";
  return "PodTopologySpread: the configuration lets it see nodes that NodeAffinity rejects";
}

/// What only the reference has: filters of a Policy, filters that err because they have no state, and a crash
/// of PodTopologySpread where a configuration turns off its filter, but not its PreFilter.
std::string left_to_reference(const Query& query) {
  const Release& release = query.release;
  const std::string left(k_left_to_reference);
  const bool only_accounts =
      query.has_prefilter(Filter::pod_topology_spread) && !query.has_filter(Filter::pod_topology_spread);
  if (release.spread_excluded_crashes && only_accounts && !query.pod.topology_spread.empty())
    return left + "the PreFilter of PodTopologySpread runs, but not its filter";  // PRE-SPREAD-6
  if (release.checks_all_filters || !release.required_labels.empty() || !release.service_affinities.empty())
    return left + "filters of a Policy";
  return release.filters_without_state.empty() ? "" : left + "a filter runs, but not its PreFilter";
}

}  // namespace

std::string not_handled(const Query& query) {
  const Release& release = query.release;
  if (!release.unmodelled_gate.empty()) return "feature gate " + release.unmodelled_gate;  // CYC-GATES-1
  if (std::string invalid = invalid_affinity(query); !invalid.empty()) return invalid;
  if (std::string invalid = invalid_spread(query); !invalid.empty()) return invalid;
  if (std::string spread = spread_sees_excluded_nodes(query); !spread.empty()) return spread;
  if (std::string affinity = lost_or_nominated(query); !affinity.empty()) return affinity;
  if (query.volumes) {
    if (std::string volumes = query.volumes->not_handled(); !volumes.empty()) return volumes;
  }
  if (std::string prefilters = without_prefilters(query); !prefilters.empty()) return prefilters;
  if (std::string left = left_to_reference(query); !left.empty()) return left;
  if (release.resource_claims_filter && !query.pod.resource_claims.empty())
    return "DynamicResources: the pod has resource claims";
  return node_condition(query.tables);
}

}  // namespace touchstone::optimized
