#include "reference/queue/scheduler_cache.hpp"

#include <algorithm>

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

/// QUE-CACHE-1
void add_to_cache(Cache& cache, const PodObject& pod) {
  const std::string& uid = pod.pod.uid;
  const bool is_there = cached_pod(cache, uid) != nullptr;
  if (is_there && !cache.assumed.contains(uid)) return;
  if (is_there) remove_from_cache(cache, uid);
  cache.pods[pod.pod.node_name].push_back(pod);
}

void update_in_cache(Cache& cache, const PodObject& now) {
  const std::string& uid = now.pod.uid;
  if (cached_pod(cache, uid) == nullptr || cache.assumed.contains(uid)) return;
  remove_from_cache(cache, uid);
  cache.pods[now.pod.node_name].push_back(now);
}

/// QUE-CACHE-2
void remove_from_cache(Cache& cache, const std::string& uid) {
  for (auto& [node, pods] : cache.pods) {
    const auto found =
        std::find_if(pods.begin(), pods.end(), [&uid](const PodObject& each) { return each.pod.uid == uid; });
    if (found == pods.end()) continue;
    std::swap(*found, pods.back());  // the last pod takes its place
    pods.pop_back();
  }
  cache.assumed.erase(uid);
}

void assume(Cache& cache, const PodObject& pod) {
  cache.pods[pod.pod.node_name].push_back(pod);
  cache.assumed.insert(pod.pod.uid);
}

void put_node(Cache& cache, const Node& node) {
  if (Node* known = find_node(cache.nodes, node.name)) {
    *known = node;
  } else {
    cache.nodes.push_back(node);
  }
}

/// QUE-CACHE-3
void remove_node(Cache& cache, const std::string& name) {
  std::erase_if(cache.nodes, [&name](const Node& node) { return node.name == name; });
}

}  // namespace touchstone::reference
