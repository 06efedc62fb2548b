#include "reference/queue/scheduler_cache.hpp"

#include <algorithm>

#include "reference/filters/requests.hpp"
#include "reference/queue/objects.hpp"

namespace touchstone::reference {

const PodObject* cached_pod(const Cache& cache, const std::string& uid) {
  for (const auto& [node, pods] : cache.pods) {
    for (const PodObject& pod : pods) {
      if (pod.pod.uid == uid) return &pod;
    }
  }
  return nullptr;
}

namespace {

/// QUE-CACHE-2: puts a pod on its node. Its ports are in use from now on.
void place(World& world, const PodObject& pod) {
  world.cite("QUE-CACHE-1");
  world.cache.pods[pod.pod.node_name].push_back(pod);
  world.cache.trial_ports.erase(pod.pod.node_name);
  std::set<HostPort>& forgotten = world.cache.forgotten_ports[pod.pod.node_name];
  for (const ContainerPort& port : host_ports(pod.pod, world.release))
    forgotten.erase(HostPort{port.protocol, port.host_port, port.host_ip});
}

}  // namespace

/// QUE-CACHE-1
void add_to_cache(World& world, const PodObject& pod) {
  const std::string& uid = pod.pod.uid;
  const bool is_there = cached_pod(world.cache, uid) != nullptr;
  if (is_there && !world.cache.assumed.contains(uid)) return;
  if (is_there && world.release.cache_confirms_in_place) {
    world.cite("QUE-CACHE-3");
    world.cache.assumed.erase(uid);
    return;
  }
  if (is_there) remove_from_cache(world, uid);
  place(world, pod);
}

void update_in_cache(World& world, const PodObject& now) {
  const std::string& uid = now.pod.uid;
  if (cached_pod(world.cache, uid) == nullptr || world.cache.assumed.contains(uid)) return;
  remove_from_cache(world, uid);
  place(world, now);
}

/// QUE-CACHE-1
void remove_from_cache(World& world, const std::string& uid) {
  Cache& cache = world.cache;
  for (auto& [node, pods] : cache.pods) {
    const auto found =
        std::find_if(pods.begin(), pods.end(), [&uid](const PodObject& each) { return each.pod.uid == uid; });
    if (found == pods.end()) continue;
    for (const ContainerPort& port : host_ports(found->pod, world.release)) {
      world.cite("QUE-CACHE-2");
      cache.forgotten_ports[node].insert(HostPort{port.protocol, port.host_port, port.host_ip});
    }
    cache.trial_ports.erase(node);
    std::swap(*found, pods.back());  // the last pod takes its place
    pods.pop_back();
  }
  cache.assumed.erase(uid);
}

void assume(World& world, const PodObject& pod) {
  place(world, pod);
  world.cache.assumed.insert(pod.pod.uid);
}

/// QUE-GROUP-7
void assume_on_trial(World& world, const PodObject& pod) {
  ForgottenPorts forgotten = world.cache.trial_ports;
  for (const ContainerPort& port : host_ports(pod.pod, world.release))
    forgotten[pod.pod.node_name].erase(HostPort{port.protocol, port.host_port, port.host_ip});
  assume(world, pod);
  world.cache.trial_ports = std::move(forgotten);
}

/// QUE-GROUP-7
void end_trial(World& world, const Cache& before, const std::vector<PodObject>& placed) {
  ForgottenPorts forgotten = world.cache.trial_ports;
  world.cache = before;
  for (const PodObject& pod : placed) {
    for (const ContainerPort& port : host_ports(pod.pod, world.release)) {
      world.cite("QUE-GROUP-7");
      forgotten[pod.pod.node_name].insert(HostPort{port.protocol, port.host_port, port.host_ip});
    }
  }
  world.cache.trial_ports = std::move(forgotten);
}

void put_node(Cache& cache, const Node& node) {
  cache.trial_ports.erase(node.name);
  if (Node* known = find_node(cache.nodes, node.name)) {
    *known = node;
  } else {
    cache.nodes.push_back(node);
  }
}

/// EVT-NODE-1
void remove_node(Cache& cache, const std::string& name) {
  cache.trial_ports.erase(name);
  std::erase_if(cache.nodes, [&name](const Node& node) { return node.name == name; });
}

}  // namespace touchstone::reference
