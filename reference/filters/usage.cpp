#include <algorithm>

#include "reference/filters/filters.hpp"

/// The filters on what the pods of a node use: host ports and resources. Evictions can cure most of their
/// rejections.
namespace touchstone::reference {

namespace {

Quantity amount(const ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? Quantity(0) : found->second;
}

/// CYC-PROFILE-2, EXT-RESOURCE-1: the extended resources that the filter does not check. Those of extenders
/// replace those of the profile.
std::vector<std::string> ignored_resources(const Cycle& cycle) {
  std::vector<std::string> names;
  if (!cycle.release.extender_interest) return cycle.release.ignored_resources;
  for (const Extender& extender : cycle.extenders) {
    for (const ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) names.push_back(resource.name);
    }
  }
  return names.empty() ? cycle.release.ignored_resources : names;
}

/// CYC-PROFILE-2: whether the configuration ignores a resource. It can ignore extended resources alone, which
/// have a domain that is not one of Kubernetes.
bool is_ignored(const std::string& name, const std::vector<std::string>& ignored, const Release& release) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || name.find("kubernetes.io/") != std::string::npos) return false;
  const auto has = [](const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  return has(ignored, name) || has(release.ignored_resource_groups, name.substr(0, slash));
}

/// The resources of the preemptor's requests that the filter checks, in the order of the release's reasons:
/// cpu, memory, ephemeral-storage, then the others. PRE-FIT-3: none, if there is neither another resource nor
/// a request above 0.
std::vector<std::string> checked_resources(const Cycle& cycle) {
  const ResourceList& requests = cycle.requested;
  const Release& release = cycle.release;
  const std::vector<std::string> ignored = ignored_resources(cycle);
  static const std::vector<std::string> k_first = {"cpu", "memory", "ephemeral-storage"};
  std::vector<std::string> others;
  bool requests_anything = false;
  for (const auto& [name, request] : requests) {
    const bool is_other = std::find(k_first.begin(), k_first.end(), name) == k_first.end();
    if (is_other || request > 0) requests_anything = true;
    if (is_other) others.push_back(name);
  }
  std::vector<std::string> names;
  if (!requests_anything) return names;
  for (const std::string& name : k_first) {
    if (release.fit_checks_unrequested || amount(requests, name) > 0) names.push_back(name);
  }
  for (const std::string& name : others) {
    if (is_ignored(name, ignored, release)) continue;  // CYC-PROFILE-2
    if (release.fit_checks_zero_requests || amount(requests, name) > 0) names.push_back(name);
  }
  return names;
}

Values fit_values(Quantity requested, Quantity used, Quantity allocatable) {
  return {{Measure::requested, requested}, {Measure::used, used}, {Measure::allocatable, allocatable}};
}

/// PRE-PORTS-1
bool conflicts(const ContainerPort& wanted, const NodeState::Port& used) {
  const auto& [protocol, port, address] = used;
  if (wanted.protocol != protocol || wanted.host_port != port) return false;
  return wanted.host_ip == address || wanted.host_ip == "0.0.0.0" || address == "0.0.0.0";
}

/// The pod of a node that holds a used port; if several do, the one that was added last. Requires: `used` is
/// in state.used_ports. Then some pod of the node holds it.
PodIndex holder(const NodeState& state, const NodeState::Port& used, const Release& release) {
  const auto holds = [&](const PodOnNode& other) {
    NodeState alone;
    alone.add(other, release);
    return alone.used_ports.contains(used);
  };
  return std::find_if(state.pods.rbegin(), state.pods.rend(), holds)->pod;
}

}  // namespace

Status node_ports(const Cycle& cycle, const NodeState& state) {
  for (const ContainerPort& wanted : host_ports(cycle.pod, cycle.release)) {
    const auto taken =
        std::find_if(state.used_ports.begin(), state.used_ports.end(),
                     [&wanted](const NodeState::Port& used) { return conflicts(wanted, used); });
    if (taken == state.used_ports.end()) continue;
    const Finding finding{"PRE-PORTS-1",
                          "host port",
                          holder(state, *taken, cycle.release),
                          {{Measure::port, wanted.host_port}}};
    return {Code::unschedulable,
            plugin_of(Filter::node_ports),
            {std::string(cycle.release.text_ports)},
            {finding}};
  }
  return {};
}

Status node_resources_fit(const Cycle& cycle, const NodeState& state) {
  const Release& release = cycle.release;
  const ResourceList& allocatable = state.node->allocatable;

  // PRE-FIT-5
  if (release.sidecar_preemptor_rejected && has_sidecar(cycle.pod)) {
    return {Code::unschedulable_and_unresolvable,
            plugin_of(Filter::node_resources_fit),
            {"Pod has a restartable init container and the SidecarContainers feature is disabled"},
            {{"PRE-FIT-5", "restartable init container", {}, {}}}};
  }

  Status status{Code::success, plugin_of(Filter::node_resources_fit), {}};

  // PRE-FIT-1
  const Quantity pods = static_cast<Quantity>(state.pods.size());
  if (pods + 1 > amount(allocatable, "pods")) {
    status.code = Code::unschedulable;
    status.reasons.push_back(std::string(release.text_pods));
    status.findings.push_back({"PRE-FIT-1", "pods", {}, fit_values(1, pods, amount(allocatable, "pods"))});
  }

  // PRE-FIT-2
  ResourceList used;
  for (const PodOnNode& other : state.pods) {
    for (const auto& [name, request] : cycle.requests[other.pod]) used[name] += request;
  }
  for (const std::string& name : checked_resources(cycle)) {
    const Quantity request = amount(cycle.requested, name);
    const Quantity capacity = amount(allocatable, name);
    if (request <= capacity - amount(used, name)) continue;
    // PRE-FIT-4: no eviction helps if the node never has that much.
    const bool beyond = release.fit_unresolvable_beyond_allocatable && request > capacity;
    if (status.ok() || beyond)
      status.code = beyond ? Code::unschedulable_and_unresolvable : Code::unschedulable;
    status.reasons.push_back("Insufficient " + name);
    status.findings.push_back(
        {beyond ? "PRE-FIT-4" : "PRE-FIT-2", name, {}, fit_values(request, amount(used, name), capacity)});
  }
  return status.ok() ? Status{} : status;
}

}  // namespace touchstone::reference
