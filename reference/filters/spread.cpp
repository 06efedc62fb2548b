#include <algorithm>
#include <limits>

#include "reference/filters/constraints.hpp"
#include "reference/filters/filters.hpp"

/// PodTopologySpread: the preemptor's DoNotSchedule constraints, which limit how unevenly pods are spread
/// over domains. A domain is the set of nodes that have the same value of the topology key.
namespace touchstone::reference {

namespace {

/// The number of counted pods in each domain.
using Domains = std::map<std::string, Quantity>;

struct Domain {
  std::optional<std::string> value;  ///< none: not a domain of the cluster
  Quantity pods;
};

constexpr std::string_view k_uneven = "node(s) didn't match pod topology spread constraints";

/// The number of pods in each domain before the dry run. `together`: the constraints that count together.
Domains first_account(const std::vector<Constraint>& constraints, const std::vector<Constraint>& together,
                      const Cycle& cycle) {
  const std::string& key = together.front().topology_key;
  Domains domains;
  const auto count = [&](const NodeState& node, const Constraint& constraint, Quantity& of_node) {
    const Quantity pods = counted_pods(constraint, node, cycle);
    of_node = cycle.release.spread_counts == SpreadCounts::by_key_last ? pods : of_node + pods;
  };
  for (const NodeState& node : cycle.nodes) {
    if (!has_all_keys(*node.node, constraints)) continue;
    Quantity of_node = 0;
    bool is_included = false;
    for (const Constraint& constraint : together) {
      if (!includes(constraint, node, cycle)) continue;
      is_included = true;
      count(node, constraint, of_node);
    }
    if (is_included) domains[domain_of(*node.node, key)] += of_node;
  }
  if (!cycle.release.spread_counts_excluded_nodes) return domains;
  for (const NodeState& node : cycle.nodes) {
    const std::string domain = domain_of(*node.node, key);
    if (!domains.contains(domain)) continue;
    if (has_all_keys(*node.node, constraints) && includes(together.front(), node, cycle)) continue;
    for (const Constraint& constraint : together) domains.at(domain) += counted_pods(constraint, node, cycle);
  }
  return domains;
}

/// PRE-SPREAD-6: updates the counts when a pod is added to the node or removed from it.
void account_for(const PodOnNode& pod, Quantity by, const NodeState& state,
                 const std::vector<Constraint>& together, const Cycle& cycle, Domains& domains) {
  for (const Constraint& constraint : together) {
    if (!concerns(constraint, *pod.object, cycle) || !includes(constraint, state, cycle)) continue;
    domains[domain_of(*state.node, constraint.topology_key)] += by;
  }
}

/// The number of pods in each domain, with the node's pods as they are now.
Domains account_now(const std::vector<Constraint>& constraints, const std::vector<Constraint>& together,
                    const NodeState& state, const Cycle& cycle) {
  Domains domains = first_account(constraints, together, cycle);
  if (!has_all_keys(*state.node, constraints)) return domains;
  const auto change = [&](const PodOnNode& pod, Quantity by) {
    account_for(pod, by, state, together, cycle, domains);
  };
  for_each_change(cycle.nodes[state.index].pods, state.pods, change);
  return domains;
}

/// PRE-SPREAD-7: the domain with the fewest pods, with which the node's domain is compared. If there are
/// fewer domains than minDomains, the count is 0 and no domain is named.
Domain minimum_of(const Constraint& constraint, const Domains& domains, const Release& release) {
  const Quantity wanted = constraint.min_domains.value_or(1);
  if (release.spread_min_domains && static_cast<Quantity>(domains.size()) < wanted) return {{}, 0};
  Domain least{{}, std::numeric_limits<std::int32_t>::max()};
  for (const auto& [domain, pods] : domains) {
    if (pods < least.pods) least = {domain, pods};
  }
  return least;
}

}  // namespace

bool spread_account_crashes(const Cycle& cycle, const NodeState& node, const std::vector<PodOnNode>& pods) {
  if (!cycle.release.spread_excluded_crashes) return false;
  if (!runs_prefilter(Filter::pod_topology_spread, cycle.release)) return false;
  const std::vector<Constraint> constraints = constraints_of(cycle, "DoNotSchedule");
  if (!has_all_keys(*node.node, constraints)) return false;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const bool is_concerned = std::any_of(pods.begin(), pods.end(), [&](const PodOnNode& pod) {
      return concerns(constraints[i], *pod.object, cycle);
    });
    const Domains domains =
        first_account(constraints, counted_together(constraints, i, cycle.release), cycle);
    if (is_concerned && !domains.contains(domain_of(*node.node, constraints[i].topology_key))) return true;
  }
  return false;
}

Status pod_topology_spread(const Cycle& cycle, const NodeState& state) {
  const Release& release = cycle.release;
  const std::vector<Constraint> constraints = constraints_of(cycle, "DoNotSchedule");
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Constraint& constraint = constraints[i];
    const std::vector<Constraint> together = counted_together(constraints, i, release);
    const Domains domains = account_now(constraints, together, state, cycle);
    if (domains.empty() && release.spread_passes_without_domains) return {};
    // PRE-SPREAD-1
    if (!state.node->labels.contains(constraint.topology_key)) {
      const std::string text = std::string(k_uneven) + std::string(release.text_spread_key);
      return {release.spread_key_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable,
              plugin_of(Filter::pod_topology_spread),
              {text},
              {{"PRE-SPREAD-1", constraint.topology_key, {}, {}}}};
    }
    const Quantity self = selects(constraint, cycle.pod.labels, cycle) ? 1 : 0;
    const auto domain = domains.find(domain_of(*state.node, constraint.topology_key));
    const Quantity pods = domain == domains.end() ? 0 : domain->second;
    const Domain least = minimum_of(constraint, domains, release);
    if (pods + self - least.pods <= constraint.max_skew) continue;
    return {Code::unschedulable,
            plugin_of(Filter::pod_topology_spread),
            {std::string(k_uneven)},
            {{"PRE-SPREAD-7",
              constraint.topology_key,
              {},
              {{Measure::counted, pods},
               {Measure::self, self},
               {Measure::least, least.pods},
               {Measure::max_skew, constraint.max_skew}},
              least.value}}};
  }
  return {};
}

}  // namespace touchstone::reference
