#include <algorithm>
#include <limits>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"

/// PodTopologySpread: the preemptor's DoNotSchedule constraints, which limit how unevenly pods are spread
/// over domains. A domain is the set of nodes that have the same value of the topology key.
namespace touchstone::reference {

namespace {

using Constraint = TopologySpreadConstraint;

/// The number of counted pods in each domain.
using Domains = std::map<std::string, Quantity>;

struct Domain {
  std::optional<std::string> value;  ///< none: not a domain of the cluster
  Quantity pods;
};

constexpr std::string_view k_uneven = "node(s) didn't match pod topology spread constraints";

/// The value of a label; empty where the node does not have it.
std::string domain_of(const Node& node, const std::string& key) {
  const auto label = node.labels.find(key);
  return label == node.labels.end() ? "" : label->second;
}

std::vector<Constraint> hard_constraints(const Pod& pod) {
  std::vector<Constraint> hard;
  std::copy_if(pod.topology_spread.begin(), pod.topology_spread.end(), std::back_inserter(hard),
               [](const Constraint& constraint) { return constraint.when_unsatisfiable == "DoNotSchedule"; });
  return hard;
}

/// PRE-SPREAD-2: the labels that matchLabelKeys adds to a constraint's selector.
Labels added_labels(const Constraint& constraint, const Cycle& cycle) {
  Labels added;
  if (!cycle.release.spread_match_label_keys) return added;
  for (const std::string& key : constraint.match_label_keys) {
    if (const auto own = cycle.pod.labels.find(key); own != cycle.pod.labels.end()) added.insert(*own);
  }
  return added;
}

/// PRE-SPREAD-2: whether a constraint's selector matches labels.
bool selects(const Constraint& constraint, const Labels& labels, const Cycle& cycle) {
  if (!constraint.label_selector || !matches(*constraint.label_selector, labels)) return false;
  const Labels added = added_labels(constraint, cycle);
  return std::includes(labels.begin(), labels.end(), added.begin(), added.end());
}

bool concerns(const Constraint& constraint, const Pod& pod, const Cycle& cycle) {
  return pod.ns == cycle.pod.ns && selects(constraint, pod.labels, cycle);
}

bool has_all_keys(const Node& node, const std::vector<Constraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [&node](const Constraint& constraint) {
    return node.labels.contains(constraint.topology_key);
  });
}

/// PRE-SPREAD-3: whether a node is one of those over which a constraint spreads.
bool includes(const Constraint& constraint, const NodeState& node, const Cycle& cycle) {
  const bool by_policy = cycle.release.spread_node_policies;
  const bool any_affinity = by_policy && constraint.node_affinity_policy == "Ignore";
  const bool any_taints = !by_policy || constraint.node_taints_policy != "Honor";
  return (any_affinity || node_affinity(cycle, node).ok()) &&
         (any_taints || taint_toleration(cycle, node).ok());
}

/// PRE-SPREAD-4: the initial count of matching pods on a node. Terminating pods are not counted, but removing
/// one still subtracts it (a bug of the releases).
Quantity counted_at_first(const Constraint& constraint, const NodeState& node, const Cycle& cycle) {
  const bool is_empty_selector = constraint.label_selector && is_empty(*constraint.label_selector) &&
                                 added_labels(constraint, cycle).empty();
  if (cycle.release.spread_empty_selector_counts_none && is_empty_selector) return 0;
  return static_cast<Quantity>(std::count_if(node.pods.begin(), node.pods.end(), [&](const PodOnNode& pod) {
    return !pod.object->terminating && concerns(constraint, *pod.object, cycle);
  }));
}

/// PRE-SPREAD-5: the constraints that count together with constraint number `which`, including itself.
std::vector<Constraint> counted_together(const std::vector<Constraint>& constraints, std::size_t which,
                                         const Release& release) {
  if (release.spread_counts == SpreadCounts::by_constraint) return {constraints[which]};
  std::vector<Constraint> same_key;
  std::copy_if(
      constraints.begin(), constraints.end(), std::back_inserter(same_key),
      [&](const Constraint& other) { return other.topology_key == constraints[which].topology_key; });
  return same_key;
}

/// The number of pods in each domain before the dry run. `together`: the constraints that count together.
Domains first_account(const std::vector<Constraint>& constraints, const std::vector<Constraint>& together,
                      const Cycle& cycle) {
  const std::string& key = together.front().topology_key;
  Domains domains;
  const auto count = [&](const NodeState& node, const Constraint& constraint, Quantity& of_node) {
    const Quantity pods = counted_at_first(constraint, node, cycle);
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
    const auto domain = domains.find(domain_of(*node.node, key));
    if (domain == domains.end()) continue;
    if (has_all_keys(*node.node, constraints) && includes(together.front(), node, cycle)) continue;
    for (const Constraint& constraint : together) domain->second += counted_at_first(constraint, node, cycle);
  }
  return domains;
}

/// PRE-SPREAD-6: updates the counts when a pod is added to the node or removed from it. This includes nodes
/// over which the preemptor does not spread. Another filter rejects those nodes, so their counts do not
/// matter.
void account_for(const PodOnNode& pod, Quantity by, const NodeState& state,
                 const std::vector<Constraint>& together, const Cycle& cycle, Domains& domains) {
  for (const Constraint& constraint : together) {
    if (!concerns(constraint, *pod.object, cycle)) continue;
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
  const std::vector<Constraint> constraints = hard_constraints(cycle.pod);
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
  const std::vector<Constraint> constraints = hard_constraints(cycle.pod);
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
