#include "reference/filters.hpp"

namespace touchstone::reference {

namespace {

Status run_filter(Filter filter, const Cycle& cycle, const NodeState& node) {
  switch (filter) {
    case Filter::node_unschedulable: return node_unschedulable(cycle, node);
    case Filter::node_name: return node_name(cycle, node);
    case Filter::taint_toleration: return taint_toleration(cycle, node);
    case Filter::node_affinity: return node_affinity(cycle, node);
    case Filter::node_ports: return node_ports(cycle, node);
    case Filter::node_resources_fit: break;
  }
  return node_resources_fit(cycle, node);
}

/// PRE-FILTER-2: reasons add up, and one that no eviction can cure makes the whole unresolvable.
void merge(Status& total, const Status& more) {
  if (more.ok()) return;
  if (total.code != Code::unschedulable_and_unresolvable) total.code = more.code;
  total.plugin = more.plugin;
  total.reasons.insert(total.reasons.end(), more.reasons.begin(), more.reasons.end());
}

}  // namespace

Status run_filters(const Cycle& cycle, const NodeState& node) {
  for (const std::vector<Filter>& group : cycle.release.filter_groups) {
    Status status;
    for (const Filter filter : group) merge(status, run_filter(filter, cycle, node));
    if (!cycle.release.reports_plugin) status.plugin.clear();
    if (!status.ok()) return status;
  }
  return {};
}

Status run_filters_with_nominated_pods(const Cycle& cycle, const NodeState& node) {
  std::vector<PodOnNode> counted;
  for (const PodOnNode& other : cycle.nominated[node.index]) {
    if (cycle.release.nominated_pods_count && other.object->priority >= cycle.pod.priority) counted.push_back(other);
  }
  if (!counted.empty()) {
    NodeState with_nominated = node;
    for (const PodOnNode& other : counted) with_nominated.add(other, cycle.release);
    const Status first = run_filters(cycle, with_nominated);
    if (!first.ok()) return first;
  }
  return run_filters(cycle, node);
}

}  // namespace touchstone::reference
