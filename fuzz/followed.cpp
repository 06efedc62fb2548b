#include "fuzz/followed.hpp"

namespace touchstone::fuzz {

Followed::Followed(Cluster cluster, const Release& release)
    : cluster_(std::move(cluster)), release_(release), snapshot_(cluster_, release) {
  for (std::size_t i = 0; i < cluster_.nodes.size(); ++i) nodes_.push_back(i);
  for (std::size_t i = 0; i < cluster_.pods.size(); ++i) pods_.push_back(i);
  for (std::uint32_t i = 0; i < cluster_.pdbs.size(); ++i) pdbs_.push_back(i);
}

std::string Followed::change(Choices& choices) {
  const std::size_t kind = choices.pick(12, "kind of change");
  const auto some = [&choices](std::size_t size) { return choices.pick(size, "object"); };
  if (kind < 5 && !cluster_.pods.empty()) return change_pod(kind, some(cluster_.pods.size()), choices);
  if (kind < 8 && !cluster_.nodes.empty()) return change_node(kind, some(cluster_.nodes.size()), choices);
  if (kind == 11) return change_storage(choices);
  if (kind == 10) {
    const std::string ns = choices.pick(2, "namespace") == 0 ? "default" : "other";
    cluster_.namespaces[ns] = {{"team", choices.pick(2, "team") == 0 ? "a" : "b"}};
    snapshot_.set_namespace(ns, cluster_.namespaces[ns]);
    return "namespace changed";
  }
  if (!cluster_.pdbs.empty()) return change_pdb(kind, some(cluster_.pdbs.size()), choices);
  return "nothing";
}

std::pair<optimized::Answer, optimized::Answer> Followed::ask(const Pod& pod,
                                                              optimized::Workers& workers) const {
  CanonicalChoices choices;
  const optimized::Snapshot rebuilt(cluster_, release_);
  optimized::Answer expected = optimized::decide(rebuilt, pod, {}, workers, choices);
  const auto translate = [](std::vector<std::size_t>& numbers, const std::vector<std::size_t>& to) {
    for (std::size_t& number : numbers) number = to[number];
  };
  translate(expected.feasible, nodes_);
  translate(expected.admissible, nodes_);
  translate(expected.victims, pods_);
  translate(expected.clears, pods_);
  if (expected.outcome == Outcome::nominated) expected.node = nodes_[expected.node];
  return {optimized::decide(snapshot_, pod, {}, workers, choices), expected};
}

std::string Followed::change_pod(std::size_t kind, std::size_t at, Choices& choices) {
  Pod pod = cluster_.pods[at];
  if (kind <= 1) {  // a pod goes, or goes and comes again at the end of the list
    snapshot_.remove_pod(pods_[at]);
    cluster_.pods.erase(cluster_.pods.begin() + static_cast<std::ptrdiff_t>(at));
    pods_.erase(pods_.begin() + static_cast<std::ptrdiff_t>(at));
    if (kind == 0) return "pod removed";
    pod.priority -= 1;
    cluster_.pods.push_back(pod);
    pods_.push_back(snapshot_.add_pod(pod));
    return "pod added";
  }
  if (kind == 2) {  // bound where it was nominated, or nominated where it was bound
    std::swap(pod.node_name, pod.nominated_node_name);
  } else if (kind == 3) {
    pod.phase = choices.pick(2, "phase") == 0 ? "Succeeded" : "Running";
  } else {
    pod.terminating = !pod.terminating;
    pod.labels["app"] = choices.pick(2, "app") == 0 ? "x" : "y";
  }
  snapshot_.change_pod(pods_[at], pod);
  cluster_.pods[at] = pod;
  return "pod changed";
}

std::string Followed::change_node(std::size_t kind, std::size_t at, Choices& choices) {
  Node node = cluster_.nodes[at];
  node.allocatable["cpu"] += static_cast<Quantity>(choices.pick(3, "cpu")) * 500 - 500;
  if (choices.pick(4, "taint") == 0) node.taints.push_back({"k", "v", "NoSchedule"});
  if (kind == 7) {
    node.unschedulable = !node.unschedulable;
    snapshot_.change_node(nodes_[at], node);
    cluster_.nodes[at] = node;
    return "node changed";
  }
  snapshot_.remove_node(nodes_[at]);
  cluster_.nodes.erase(cluster_.nodes.begin() + static_cast<std::ptrdiff_t>(at));
  nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(at));
  if (kind == 5) return "node removed";
  cluster_.nodes.push_back(node);
  nodes_.push_back(snapshot_.add_node(node));
  return "node removed and added";
}

std::string Followed::change_storage(Choices& choices) {
  Storage& storage = cluster_.storage;
  for (auto& [name, csi_node] : storage.csi_nodes) {
    for (auto& [driver, limit] : csi_node.limits) limit = static_cast<Quantity>(choices.pick(3, "limit"));
  }
  if (!storage.volumes.empty() && choices.pick(3, "volume") == 0)
    storage.volumes.erase(storage.volumes.begin());
  snapshot_.set_storage(storage);
  return storage.empty() ? "nothing" : "storage changed";
}

std::string Followed::change_pdb(std::size_t kind, std::size_t at, Choices& choices) {
  PodDisruptionBudget pdb = cluster_.pdbs[at];
  if (kind == 8) {
    pdb.disruptions_allowed = static_cast<Quantity>(choices.pick(3, "allowed"));
    if (choices.pick(2, "selector") == 0) pdb.selector = LabelSelector{{{"app", "x"}}, {}};
    snapshot_.change_pdb(pdbs_[at], pdb);
    cluster_.pdbs[at] = pdb;
    return "PDB changed";
  }
  snapshot_.remove_pdb(pdbs_[at]);
  cluster_.pdbs.erase(cluster_.pdbs.begin() + static_cast<std::ptrdiff_t>(at));
  pdbs_.erase(pdbs_.begin() + static_cast<std::ptrdiff_t>(at));
  pdb.disrupted_pods.clear();
  cluster_.pdbs.push_back(pdb);
  pdbs_.push_back(snapshot_.add_pdb(pdb));
  return "PDB removed and added";
}

}  // namespace touchstone::fuzz
