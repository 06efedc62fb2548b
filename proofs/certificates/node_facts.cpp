#include "proofs/certificates/node_facts.hpp"

#include <algorithm>
#include <array>

#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::proofs {

namespace {

using reference::Cycle;
using reference::PodOnNode;
using Port = reference::NodeState::Port;

std::vector<Port> ports_of(const Cycle& cycle, const Pod& pod) {
  std::vector<Port> ports;
  for (const ContainerPort& port : reference::host_ports(pod, cycle.release))
    ports.emplace_back(port.protocol, port.host_port, port.host_ip);
  return ports;
}

bool conflict(const Port& a, const Port& b) {
  const auto& [protocol, number, address] = a;
  const auto& [other_protocol, other_number, other_address] = b;
  if (protocol != other_protocol || number != other_number) return false;
  return address == other_address || address == "0.0.0.0" || other_address == "0.0.0.0";
}

bool is_wanted(const Cycle& cycle, const Port& port) {
  const std::vector<Port> wanted = ports_of(cycle, cycle.pod);
  return std::any_of(wanted.begin(), wanted.end(), [&](const Port& each) { return conflict(each, port); });
}

}  // namespace

Quantity amount(const ResourceList& list, const std::string& resource) {
  const auto found = list.find(resource);
  return found == list.end() ? 0 : found->second;
}

Status fixed_verdict(const Cycle& cycle, NodeIndex node) {
  const reference::NodeState& state = cycle.nodes[node];
  for (const std::vector<Filter>& group : cycle.release.filter_groups) {
    for (const Filter filter : group) {
      if (facts_of(filter).depends_on_pods) continue;
      if (const Status status = reference::run_filter(filter, cycle, state); !status.ok()) return status;
    }
  }
  if (!cycle.release.sidecar_preemptor_rejected || !reference::has_sidecar(cycle.pod)) return {};
  return reference::unresolvable("PRE-FIT-5", plugin_of(Filter::node_resources_fit),
                                 "a sidecar of the preemptor", "");
}

std::vector<std::string> resources_looked_at(const Cycle& cycle) {
  const Release& release = cycle.release;
  const std::array<std::string, 3> of_every_node = {"cpu", "memory", "ephemeral-storage"};
  const auto is_of_every_node = [&](const std::string& name) {
    return std::find(of_every_node.begin(), of_every_node.end(), name) != of_every_node.end();
  };
  std::vector<std::string> others;
  for (const auto& [name, request] : cycle.requested) {
    if (!is_of_every_node(name)) others.push_back(name);
  }
  std::vector<std::string> names;
  const bool requests_some = std::any_of(of_every_node.begin(), of_every_node.end(),
                                         [&](const auto& name) { return amount(cycle.requested, name) > 0; });
  for (const std::string& name : of_every_node) {
    const bool unrequested = release.fit_checks_unrequested && (requests_some || !others.empty());
    if (unrequested || amount(cycle.requested, name) > 0) names.push_back(name);
  }
  for (const std::string& name : others) {
    if (release.fit_checks_zero_requests || amount(cycle.requested, name) > 0) names.push_back(name);
  }
  return names;
}

bool ports_conflict(const Cycle& cycle, const Pod& pod) {
  const std::vector<Port> ports = ports_of(cycle, pod);
  return std::any_of(ports.begin(), ports.end(), [&](const Port& port) { return is_wanted(cycle, port); });
}

bool ports_are_taken(const Cycle& cycle, const std::vector<PodOnNode>& gone,
                     const std::vector<PodOnNode>& others, const std::vector<PodOnNode>& nominated) {
  std::vector<Port> freed;
  for (const PodOnNode& pod : gone) {
    for (const Port& port : ports_of(cycle, *pod.object)) freed.push_back(port);
  }
  for (const PodOnNode& pod : others) {
    for (const Port& port : ports_of(cycle, *pod.object)) {
      const bool is_freed = std::find(freed.begin(), freed.end(), port) != freed.end();
      if (!is_freed && is_wanted(cycle, port)) return true;
    }
  }
  return std::any_of(nominated.begin(), nominated.end(),
                     [&](const PodOnNode& pod) { return ports_conflict(cycle, *pod.object); });
}

}  // namespace touchstone::proofs
