#include "fuzz/generate/changing.hpp"

#include <algorithm>
#include <limits>

#include "fuzz/generate/facts.hpp"

namespace touchstone::fuzz {

namespace {

/// The value, or one more, or one less.
Quantity near(Quantity value, Choices& choices) {
  return value + static_cast<Quantity>(choices.pick(3, "near")) - 1;
}

/// near() within 32 bits, the range of priorities and of disruptionsAllowed.
Quantity near_int32(Quantity value, Choices& choices) {
  using Range = std::numeric_limits<std::int32_t>;
  return std::clamp<Quantity>(near(value, choices), Range::min(), Range::max());
}

/// Changes an amount by at most one; the amount does not become negative.
void change_amount(ResourceList& amounts, const std::string& resource, Choices& choices) {
  Quantity& amount = amounts[resource];
  amount = std::max<Quantity>(0, near(amount, choices));
}

void change_cpu(Pod& pod, Choices& choices) {
  if (!pod.containers.empty()) change_amount(pod.containers[0].requests, "cpu", choices);
}

template <typename T>
std::size_t some(const std::vector<T>& list, Choices& choices) {
  return choices.pick(list.size(), "object");
}

template <typename T>
void erase_at(std::vector<T>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Replaces each number of the snapshot by its index in the list.
template <typename T>
void to_places(std::vector<T>& numbers, const std::vector<T>& list) {
  for (T& number : numbers)
    number = static_cast<T>(std::find(list.begin(), list.end(), number) - list.begin());
}

}  // namespace

MutableCluster::MutableCluster(Question question, const Release& release)
    : question_(std::move(question)), snapshot_(question_.cluster, release) {
  for (NodeIndex i = 0; i < question_.cluster.nodes.size(); ++i) nodes_.push_back(i);
  for (PodIndex i = 0; i < question_.cluster.pods.size(); ++i) pods_.push_back(i);
  for (std::uint32_t i = 0; i < question_.cluster.pdbs.size(); ++i) pdbs_.push_back(i);
}

optimized::Answer MutableCluster::in_list_order(optimized::Answer answer) const {
  to_places(answer.feasible, nodes_);
  to_places(answer.admissible, nodes_);
  to_places(answer.victims, pods_);
  to_places(answer.clears, pods_);
  std::vector<NodeIndex> node = {answer.node};
  if (answer.outcome == Outcome::nominated) to_places(node, nodes_);
  answer.node = node[0];
  return answer;
}

Candidate MutableCluster::in_list_order(Candidate candidate) const {
  std::vector<NodeIndex> node = {candidate.node};
  to_places(node, nodes_);
  candidate.node = node[0];
  to_places(candidate.victims, pods_);
  return candidate;
}

std::string MutableCluster::change(Choices& choices) {
  const Cluster& cluster = question_.cluster;
  const std::size_t kind = choices.pick(16, "what to change");
  if (kind < 4 && !cluster.pods.empty()) return change_pod(choices);
  if (kind < 6 && !cluster.pods.empty()) return replace_pod(choices);
  if (kind < 8 && !cluster.nodes.empty()) return change_node(choices);
  if (kind == 8 && !cluster.nodes.empty()) return replace_node(choices);
  if (kind == 9 && !cluster.pdbs.empty()) return change_pdb(choices);
  if (kind == 10 && !cluster.pdbs.empty()) return replace_pdb(choices);
  if (kind == 11) return change_namespace(choices);
  if (kind == 12 && !cluster.storage.empty()) return change_storage(choices);
  return change_preemptor(choices);
}

std::string MutableCluster::change_preemptor(Choices& choices) {
  Pod& pod = question_.pod;
  const std::vector<Pod>& pods = question_.cluster.pods;
  switch (choices.pick(4, "of the preemptor")) {
    case 0:
      pod.priority = near_int32(pods.empty() ? pod.priority : pods[some(pods, choices)].priority, choices);
      break;
    case 1:
      pod.preemption_policy = pod.preemption_policy.empty() ? "Never" : "";
      break;
    case 2:
      if (!pods.empty()) pod.labels = pods[some(pods, choices)].labels;
      break;
    default:
      change_cpu(pod, choices);
  }
  return "preemptor changed";
}

std::string MutableCluster::change_pod(Choices& choices) {
  std::vector<Pod>& pods = question_.cluster.pods;
  const PodIndex at = some(pods, choices);
  Pod& pod = pods[at];
  switch (choices.pick(7, "of a pod")) {
    case 0:
      pod.priority = near_int32(pod.priority, choices);
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
      pod.labels = pods[some(pods, choices)].labels;
      break;
    case 5:  // bound where it was nominated, or nominated where it was bound
      std::swap(pod.node_name, pod.nominated_node_name);
      break;
    default:
      change_cpu(pod, choices);
  }
  snapshot_.change_pod(pods_[at], pod);
  return "pod changed";
}

std::string MutableCluster::replace_pod(Choices& choices) {
  std::vector<Pod>& pods = question_.cluster.pods;
  const PodIndex at = some(pods, choices);
  Pod pod = pods[at];
  snapshot_.remove_pod(pods_[at]);
  erase_at(pods, at);
  erase_at(pods_, at);
  if (choices.pick(2, "comes again") == 0) return "pod removed";
  pods.push_back(pod);
  pods_.push_back(snapshot_.add_pod(pod));
  return "pod removed and added";
}

std::string MutableCluster::change_node(Choices& choices) {
  std::vector<Node>& nodes = question_.cluster.nodes;
  const NodeIndex at = some(nodes, choices);
  Node& node = nodes[at];
  switch (choices.pick(6, "of a node")) {
    case 0:
      node.unschedulable = !node.unschedulable;
      break;
    case 1:
      node.labels = nodes[some(nodes, choices)].labels;
      break;
    case 2:
      node.taints.empty() ? node.taints.push_back({"k", "v", "NoSchedule"}) : node.taints.pop_back();
      break;
    default:
      change_amount(node.allocatable, "cpu", choices);
  }
  snapshot_.change_node(nodes_[at], node);
  return "node changed";
}

std::string MutableCluster::replace_node(Choices& choices) {
  std::vector<Node>& nodes = question_.cluster.nodes;
  const NodeIndex at = some(nodes, choices);
  const Node node = nodes[at];
  snapshot_.remove_node(nodes_[at]);
  erase_at(nodes, at);
  erase_at(nodes_, at);
  if (choices.pick(3, "comes again") == 0) return "node removed";
  nodes.push_back(node);
  nodes_.push_back(snapshot_.add_node(node));
  return "node removed and added";
}

std::string MutableCluster::change_pdb(Choices& choices) {
  std::vector<PodDisruptionBudget>& pdbs = question_.cluster.pdbs;
  const std::size_t at = some(pdbs, choices);
  PodDisruptionBudget& pdb = pdbs[at];
  if (choices.pick(3, "of a PDB") == 0) {
    pdb.selector = pdbs[some(pdbs, choices)].selector;
  } else {
    pdb.disruptions_allowed = near_int32(pdb.disruptions_allowed, choices);
  }
  snapshot_.change_pdb(pdbs_[at], pdb);
  return "PDB changed";
}

std::string MutableCluster::replace_pdb(Choices& choices) {
  std::vector<PodDisruptionBudget>& pdbs = question_.cluster.pdbs;
  const std::size_t at = some(pdbs, choices);
  const PodDisruptionBudget pdb = pdbs[at];
  snapshot_.remove_pdb(pdbs_[at]);
  erase_at(pdbs, at);
  erase_at(pdbs_, at);
  if (choices.pick(3, "comes again") == 0) return "PDB removed";
  pdbs.push_back(pdb);
  pdbs_.push_back(snapshot_.add_pdb(pdb));
  return "PDB removed and added";
}

std::string MutableCluster::change_namespace(Choices& choices) {
  const std::string ns = choices.pick(2, "namespace") == 0 ? "default" : "other";
  Labels& labels = question_.cluster.namespaces[ns];
  labels = {{"team", choices.pick(2, "team") == 0 ? "a" : "b"}};
  snapshot_.set_namespace(ns, labels);
  return "namespace changed";
}

std::string MutableCluster::change_storage(Choices& choices) {
  Storage& storage = question_.cluster.storage;
  for (auto& [name, csi_node] : storage.csi_nodes) {
    for (auto& [driver, limit] : csi_node.limits) limit = static_cast<Quantity>(choices.pick(3, "limit"));
  }
  if (!storage.volumes.empty() && choices.pick(3, "volume") == 0)
    storage.volumes.erase(storage.volumes.begin());
  snapshot_.set_storage(storage);
  return "storage changed";
}

}  // namespace touchstone::fuzz
