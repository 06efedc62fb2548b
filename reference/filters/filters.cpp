#include "reference/filters/filters.hpp"

#include <algorithm>
#include <array>

#include "reference/volumes/volumes.hpp"

namespace touchstone::reference {

namespace {

using FilterFunction = Status (*)(const Cycle&, const NodeState&);

/// The filter functions, in the order of enum Filter.
constexpr std::array<FilterFunction, k_filters.size()> k_functions = {
    node_unschedulable,     node_name,           taint_toleration, node_affinity,      node_ports,
    node_resources_fit,     volume_restrictions, ebs_limits,       gce_pd_limits,      node_volume_limits,
    azure_disk_limits,      volume_binding,      volume_zone,      inter_pod_affinity, pod_topology_spread,
    node_declared_features, node_label,          service_affinity};
static_assert(k_functions.back() != nullptr, "a filter has no function");

}  // namespace

void merge(Status& total, const Status& more) {
  if (more.ok()) return;
  if (total.code != Code::unschedulable_and_unresolvable) total.code = more.code;
  total.plugin = more.plugin;
  total.any_reason_of = more.any_reason_of;
  total.reasons.insert(total.reasons.end(), more.reasons.begin(), more.reasons.end());
  total.findings.insert(total.findings.end(), more.findings.begin(), more.findings.end());
}

Status unresolvable(std::string_view clause, std::string_view plugin, std::string_view reason,
                    std::string what) {
  return {Code::unschedulable_and_unresolvable,
          plugin,
          {std::string(reason)},
          {{clause, std::move(what), {}, {}}}};
}

NodeNames common(const NodeNames& a, const NodeNames& b) {
  if (a.all_nodes) return b;
  NodeNames both = a;
  std::erase_if(both.names,
                [&b](const std::string& name) { return !b.all_nodes && !b.names.contains(name); });
  return both;
}

Status run_filter(Filter filter, const Cycle& cycle, const NodeState& node) {
  const std::vector<Filter>& without_state = cycle.release.filters_without_state;
  if (std::find(without_state.begin(), without_state.end(), filter) != without_state.end())  // CYC-PROFILE-1
    return filter_error(cycle, plugin_of(filter), "CYC-PROFILE-1",
                        std::string(error_without_prefilter(filter)));
  return k_functions[static_cast<std::size_t>(filter)](cycle, node);
}

bool runs_prefilter(Filter filter, const Release& release) {
  const std::vector<Filter>& off = release.prefilters_off;
  return std::find(off.begin(), off.end(), filter) == off.end();
}

Status run_filters(const Cycle& cycle, const NodeState& node) {
  Status all;
  for (const std::vector<Filter>& group : cycle.release.filter_groups) {
    Status status;
    for (const Filter filter : group) merge(status, run_filter(filter, cycle, node));
    if (!cycle.release.reports_plugin) status.plugin = {};
    if (status.ok()) continue;
    if (cycle.release.first_reason_alone) status.reasons.resize(1);  // PRE-FILTER-3
    if (cycle.release.checks_all_filters && status.code != Code::error) {
      merge(all, status);  // POL-ALL-1
      continue;
    }
    return status;
  }
  return all;
}

std::vector<PodOnNode> counted_nominated_pods(const Cycle& cycle, NodeIndex node) {
  std::vector<PodOnNode> counted;
  for (const PodOnNode& other : cycle.nominated[node]) {
    if (cycle.release.nominated_pods_count && other.object->priority >= cycle.pod.priority)
      counted.push_back(other);
  }
  return counted;
}

Status run_filters_with_nominated_pods(const Cycle& cycle, const NodeState& node) {
  const std::vector<PodOnNode> counted = counted_nominated_pods(cycle, node.index);
  if (!counted.empty()) {
    NodeState with_nominated = node;
    for (const PodOnNode& other : counted) with_nominated.add(other, cycle.release);
    Status first = run_filters(cycle, with_nominated);
    if (!first.ok()) {
      // For the trace only: check whether the nominated pods cause the rejection.
      if (cycle.trace.enabled() && run_filters(cycle, node).ok()) {
        for (const PodOnNode& other : counted)
          first.findings.push_back({"PRE-NOMINATED-1", "nominated", other.pod, {}});
      }
      return first;
    }
  }
  return run_filters(cycle, node);
}

}  // namespace touchstone::reference
