#include "proofs/certificates/reach.hpp"

#include <algorithm>

#include "proofs/certificate.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/volumes/volumes.hpp"

namespace touchstone::proofs {

namespace {

using reference::Cycle;
using reference::PodOnNode;

bool has_filter(const Release& release, Filter filter) {
  const auto has = [filter](const std::vector<Filter>& group) {
    return std::find(group.begin(), group.end(), filter) != group.end();
  };
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(), has);
}

std::string affinity(const Cycle& cycle) {
  if (!cycle.pod.pod_affinity.empty() || !cycle.pod.pod_anti_affinity.empty())
    return "InterPodAffinity: the pod has required terms";
  const auto first_with_terms = [](const std::vector<std::vector<PodOnNode>>& lists) -> std::string {
    for (const std::vector<PodOnNode>& pods : lists) {
      for (const PodOnNode& other : pods) {
        if (!other.object->pod_anti_affinity.empty())
          return "InterPodAffinity: pod " + other.object->full_name() + " has required anti-affinity";
      }
    }
    return "";
  };
  std::vector<std::vector<PodOnNode>> lists = cycle.nominated;
  for (const reference::NodeState& node : cycle.nodes) lists.push_back(node.pods);
  return first_with_terms(lists);
}

std::string spread(const Cycle& cycle) {
  if (!has_filter(cycle.release, Filter::pod_topology_spread)) return "";
  for (const TopologySpreadConstraint& constraint : cycle.pod.topology_spread) {
    if (constraint.when_unsatisfiable != "ScheduleAnyway")
      return "PodTopologySpread: the pod has a constraint over " + constraint.topology_key;
  }
  return "";
}

std::string volumes(const Cycle& cycle) {
  for (const Volume& volume : cycle.pod.volumes) {
    if (reference::is_filtered(volume)) return "volumes: the pod has volume " + volume.name;
  }
  return "";
}

/// PRE-PREFILTER-2, PRE-PREFILTER-5, PRE-NODENAME-2: pinned names that contradict each other or
/// spec.nodeName, or a pinned name that no node has.
std::string pins(const Cycle& cycle) {
  const reference::NodeNames pinned = reference::pinned_nodes(cycle);
  if (pinned.all_nodes) return "";
  const reference::NodeNames both = reference::common(reference::named_node(cycle), pinned);
  if (both.names.empty() && !pinned.names.empty())
    return "NodeName: the pod is pinned to other nodes than " + cycle.pod.node_name;
  std::set<std::string> unknown = pinned.names;
  for (const Node& node : cycle.cluster.nodes) unknown.erase(node.name);
  if (pinned.names.empty()) return "NodeAffinity: the names that the pod is pinned to contradict each other";
  return unknown.empty() ? "" : "NodeAffinity: the pod is pinned to node " + *unknown.begin();
}

/// CYC-PROFILE-1, CYC-PROFILE-2, EXT-FILTER-1, POL-ALL-1: what a configuration changes in the filters that
/// the certificates state.
std::string configuration(const Cycle& cycle) {
  const Release& release = cycle.release;
  if (!cycle.extenders.empty()) return "configuration: extenders reject nodes and choose victims";
  if (release.checks_all_filters || !release.required_labels.empty() || !release.service_affinities.empty())
    return "configuration: filters of a Policy";
  for (const Filter filter : {Filter::node_resources_fit, Filter::node_ports}) {
    if (!has_filter(release, filter))
      return "configuration: " + std::string(plugin_of(filter)) + " does not filter";
  }
  if (!release.filters_without_state.empty()) return "configuration: a filter runs without its PreFilter";
  if (!release.ignored_resources.empty() || !release.ignored_resource_groups.empty())
    return "configuration: NodeResourcesFit ignores resources";
  if (!release.default_constraints.empty() && cycle.pod.topology_spread.empty())
    return "configuration: PodTopologySpread has default constraints";
  return release.preempts ? "" : "configuration: the profile does not preempt";
}

/// SMT-LIB cannot quote these characters, and its comments end with the line.
bool is_quotable(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c == '|' || c == '\\' || c < ' '; });
}

std::string names(const Cycle& cycle) {
  for (const Node& node : cycle.cluster.nodes) {
    if (!is_quotable(node.name)) return "names: node " + node.name;
  }
  for (const Pod& pod : cycle.cluster.pods) {
    if (!is_quotable(pod.full_name())) return "names: pod " + pod.full_name();
  }
  return "";
}

std::string size(const Cycle& cycle) {
  if (cycle.nodes.size() > k_certificate_nodes_most)
    return "size: " + std::to_string(cycle.nodes.size()) + " nodes; at most " +
           std::to_string(k_certificate_nodes_most);
  for (const reference::NodeState& node : cycle.nodes) {
    const auto is_lower = [&](const PodOnNode& other) { return other.object->priority < cycle.pod.priority; };
    const auto count = std::count_if(node.pods.begin(), node.pods.end(), is_lower);
    if (static_cast<std::size_t>(count) > k_certificate_victims_most)
      return "size: " + std::to_string(count) + " potential victims on node " + node.node->name +
             "; at most " + std::to_string(k_certificate_victims_most);
  }
  return "";
}

}  // namespace

std::string beyond_reach(const Cycle& cycle, const Question& question) {
  // PRE-SEARCH-2: a search visits all of so few nodes, unless the question names another quota.
  static_assert(k_certificate_nodes_most <= 100);
  if (cycle.release.candidate_sampling && question.offset && question.quota)
    return "sampling: a quota of " + std::to_string(*question.quota);
  const bool samples_more = cycle.release.candidate_percentage != ProfileRules().candidate_percentage ||
                            cycle.release.candidates_least != ProfileRules().candidates_least;
  if (question.offset && samples_more) return "configuration: another number of candidates";
  for (const std::string& reason :
       {size(cycle), reference::not_modelled(cycle), configuration(cycle), volumes(cycle), affinity(cycle),
        spread(cycle), pins(cycle), names(cycle)}) {
    if (!reason.empty()) return reason;
  }
  return "";
}

}  // namespace touchstone::proofs
