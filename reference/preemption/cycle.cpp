#include "reference/preemption/cycle.hpp"

#include <algorithm>
#include <map>

namespace touchstone::reference {

namespace {

/// PRE-INPUT-3: by UID or, where both UIDs are empty, by namespace and name.
bool is_same_pod(const Pod& a, const Pod& b) {
  if (a.uid.empty() && b.uid.empty()) return a.ns == b.ns && a.name == b.name;
  return a.uid == b.uid;
}

}  // namespace

bool is_finished(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

std::string filled_in(std::string_view text, std::string_view word, const std::string& value) {
  std::string result(text);
  const std::size_t at = result.find(word);
  if (at != std::string::npos) result.replace(at, word.size(), value);
  return result;
}

void NodeState::add(const PodOnNode& pod, const Release& release) {
  pods.push_back(pod);
  for (const ContainerPort& port : host_ports(*pod.object, release)) {
    used_ports.insert({port.protocol, port.host_port, port.host_ip});
  }
}

void NodeState::put_back(const PodOnNode& pod, const Release& release) {
  add({pod.pod, pod.object, true}, release);
}

void NodeState::remove(const PodOnNode& pod, const Release& release) {
  const auto removed = std::find_if(pods.begin(), pods.end(),
                                    [&pod](const PodOnNode& other) { return other.pod == pod.pod; });
  *removed = pods.back();  // PRE-VICTIM-3: the last pod takes its place
  pods.pop_back();
  for (const ContainerPort& port : host_ports(*pod.object, release)) {
    used_ports.erase(Port{port.protocol, port.host_port, port.host_ip});
  }
}

Cycle::Cycle(const Question& question, const Release& r, Trace& t)
    : cluster(question.cluster),
      pod(question.pod),
      release(r),
      trace(t),
      extenders(question.extenders.empty() ? r.extenders : question.extenders) {
  std::map<std::string, NodeIndex> by_name;
  for (const Node& node : cluster.nodes) {
    by_name[node.name] = nodes.size();
    NodeState& state = nodes.emplace_back();
    state.index = nodes.size() - 1;
    state.node = &node;
  }
  known_nodes = nodes.size();
  nominated.resize(nodes.size());
  if (const auto found = by_name.find(pod.nominated_node_name); found != by_name.end())
    nominated_node = found->second;

  requested = requests_of_preemptor(pod, release);
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& other = cluster.pods[i];
    requests.push_back(requests_on_node(other, release));
    if (is_same_pod(other, pod)) continue;
    const bool bound = !other.node_name.empty();
    const auto found = by_name.find(bound ? other.node_name : other.nominated_node_name);
    if (found == by_name.end() || is_finished(other)) continue;
    if (bound) {
      nodes[found->second].add({i, &other}, release);
      if (!other.pod_anti_affinity.empty()) with_anti_affinity.push_back({found->second, {i, &other}});
    } else {
      nominated[found->second].push_back({i, &other});
    }
  }
  for (const auto& [name, ports] : cluster.forgotten_ports) {  // QUE-CACHE-2
    const auto found = by_name.find(name);
    if (found == by_name.end()) continue;
    for (const HostPort& port : ports) nodes[found->second].used_ports.erase(port);
  }
}

}  // namespace touchstone::reference
