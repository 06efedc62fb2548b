#include "fuzz/neighbours.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_second_ns = 1'000'000'000;  ///< Kubernetes writes whole seconds

/// One more or one less, or what it was.
Quantity near(Quantity value, Choices& choices) {
  return value + static_cast<Quantity>(choices.pick(3, "near")) - 1;
}

/// Within the priorities that a pod can have.
Quantity near_priority(Quantity priority, Choices& choices) {
  using Range = std::numeric_limits<std::int32_t>;
  return std::clamp<Quantity>(near(priority, choices), Range::min(), Range::max());
}

/// The cpu of a container, which is never less than nothing.
void change_cpu(Pod& pod, Choices& choices) {
  if (pod.containers.empty()) return;
  Quantity& cpu = pod.containers[0].requests["cpu"];
  cpu = std::max<Quantity>(0, near(cpu, choices));
}

}  // namespace

Neighbours::Neighbours(Question question, const Release& release)
    : question_(std::move(question)), snapshot_(question_.cluster, release) {}

void Neighbours::step(Choices& choices) {
  const Cluster& cluster = question_.cluster;
  switch (choices.pick(8, "what to change")) {
    case 0:
    case 1:
      return change_preemptor(choices);
    case 2:
      if (!cluster.pdbs.empty()) return change_pdb(choices);
      break;
    case 3:
    case 4:
      if (!cluster.nodes.empty()) return change_node(choices);
      break;
    default:
      if (!cluster.pods.empty()) return change_pod(choices);
  }
  change_preemptor(choices);
}

void Neighbours::change_preemptor(Choices& choices) {
  Pod& pod = question_.pod;
  const std::vector<Pod>& pods = question_.cluster.pods;
  switch (choices.pick(4, "of the preemptor")) {
    case 0:
      pod.priority = near_priority(
          pods.empty() ? pod.priority : pods[choices.pick(pods.size(), "pod")].priority, choices);
      return;
    case 1:
      pod.preemption_policy = pod.preemption_policy.empty() ? "Never" : "";
      return;
    case 2:
      if (!pods.empty()) pod.labels = pods[choices.pick(pods.size(), "pod")].labels;
      return;
    default:
      change_cpu(pod, choices);
  }
}

void Neighbours::change_pod(Choices& choices) {
  const PodIndex number = choices.pick(question_.cluster.pods.size(), "pod");
  Pod& pod = question_.cluster.pods[number];
  switch (choices.pick(6, "of a pod")) {
    case 0:
      pod.priority = near_priority(pod.priority, choices);
      break;
    case 1:
      pod.start_time_ns = k_second_ns * near(pod.start_time_ns.value_or(0) / k_second_ns, choices);
      break;
    case 2:
      pod.terminating = !pod.terminating;
      break;
    case 3:
      pod.phase = pod.phase == "Succeeded" ? "Running" : "Succeeded";
      break;
    case 4:
      pod.labels = question_.cluster.pods[choices.pick(question_.cluster.pods.size(), "pod")].labels;
      break;
    default:
      change_cpu(pod, choices);
  }
  snapshot_.change_pod(static_cast<std::uint32_t>(number), pod);
}

void Neighbours::change_node(Choices& choices) {
  const NodeIndex number = choices.pick(question_.cluster.nodes.size(), "node");
  Node& node = question_.cluster.nodes[number];
  switch (choices.pick(4, "of a node")) {
    case 0:
      node.unschedulable = !node.unschedulable;
      break;
    case 1:
      node.labels = question_.cluster.nodes[choices.pick(question_.cluster.nodes.size(), "node")].labels;
      break;
    default:
      node.allocatable["cpu"] = std::max<Quantity>(0, near(node.allocatable["cpu"], choices));
  }
  snapshot_.change_node(number, node);
}

void Neighbours::change_pdb(Choices& choices) {
  const std::size_t number = choices.pick(question_.cluster.pdbs.size(), "PDB");
  PodDisruptionBudget& pdb = question_.cluster.pdbs[number];
  pdb.disruptions_allowed = near(pdb.disruptions_allowed, choices);
  snapshot_.change_pdb(static_cast<std::uint32_t>(number), pdb);
}

}  // namespace touchstone::fuzz
