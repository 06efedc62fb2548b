#include <algorithm>

#include "reference/filters.hpp"

/// The filters that look at what the pods of a node use: evictions can cure what they reject.
namespace touchstone::reference {

namespace {

Quantity amount(const ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? Quantity(0) : found->second;
}

/// The resources a pod is checked for, in the order of the release's reasons: cpu, memory, ephemeral-storage,
/// others. PRE-FIT-3: nothing at all is checked of a pod that names no resource.
std::vector<std::string> checked_resources(const ResourceList& requests, const Release& release) {
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
    if (release.fit_checks_zero_requests || amount(requests, name) > 0) names.push_back(name);
  }
  return names;
}

/// PRE-PORTS-1
bool conflicts(const ContainerPort& wanted, const NodeState::Port& used) {
  const auto& [protocol, port, address] = used;
  if (wanted.protocol != protocol || wanted.host_port != port) return false;
  return wanted.host_ip == address || wanted.host_ip == "0.0.0.0" || address == "0.0.0.0";
}

}  // namespace

Status node_ports(const Cycle& cycle, const NodeState& state) {
  for (const ContainerPort& wanted : host_ports(cycle.pod, cycle.release)) {
    const bool taken =
        std::any_of(state.used_ports.begin(), state.used_ports.end(),
                    [&wanted](const NodeState::Port& used) { return conflicts(wanted, used); });
    if (!taken) continue;
    return {Code::unschedulable, "NodePorts", {std::string(cycle.release.text_ports)}, "PRE-PORTS-1"};
  }
  return {};
}

Status node_resources_fit(const Cycle& cycle, const NodeState& state) {
  const Release& release = cycle.release;
  const ResourceList& allocatable = state.node->allocatable;

  // PRE-FIT-5
  if (release.sidecar_preemptor_rejected && has_sidecar(cycle.pod)) {
    return {Code::unschedulable_and_unresolvable,
            "NodeResourcesFit",
            {"Pod has a restartable init container and the SidecarContainers feature is disabled"},
            "PRE-FIT-5"};
  }

  Status status{Code::success, "NodeResourcesFit", {}, "PRE-FIT-2"};

  // PRE-FIT-1
  const Quantity pods = static_cast<Quantity>(state.pods.size());
  if (pods + 1 > amount(allocatable, "pods")) {
    status.code = Code::unschedulable;
    status.clause = "PRE-FIT-1";
    status.reasons.push_back(std::string(release.text_pods));
  }

  // PRE-FIT-2
  const ResourceList wanted = requests_of_preemptor(cycle.pod, release);
  ResourceList used;
  for (const PodOnNode& other : state.pods) {
    for (const auto& [name, request] : requests_on_node(*other.object, release)) used[name] += request;
  }
  bool beyond_allocatable = false;
  for (const std::string& name : checked_resources(wanted, release)) {
    const Quantity request = amount(wanted, name);
    const Quantity capacity = amount(allocatable, name);
    if (request <= capacity - amount(used, name)) continue;
    status.code = Code::unschedulable;
    status.reasons.push_back("Insufficient " + name);
    if (request > capacity) beyond_allocatable = true;
  }

  // PRE-FIT-4: no eviction makes room for more than the node has.
  if (release.fit_unresolvable_beyond_allocatable && beyond_allocatable) {
    status.code = Code::unschedulable_and_unresolvable;
    status.clause = "PRE-FIT-4";
  }
  return status.ok() ? Status{} : status;
}

}  // namespace touchstone::reference
