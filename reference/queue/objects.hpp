#pragma once

#include <algorithm>

#include "reference/queue/world.hpp"

/// Lookups in lists of objects.
namespace touchstone::reference {

/// The pod with this name. Null: there is none.
template <typename Pods>
auto* find_pod(Pods& pods, const std::string& ns, const std::string& name) {
  const auto found = std::find_if(pods.begin(), pods.end(), [&](const PodObject& each) {
    return each.pod.name == name && each.pod.ns == ns;
  });
  return found == pods.end() ? nullptr : &*found;
}

/// The node with this name. Null: there is none.
template <typename Nodes>
auto* find_node(Nodes& nodes, const std::string& name) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&name](const Node& each) { return each.name == name; });
  return found == nodes.end() ? nullptr : &*found;
}

/// Whether this scheduler is responsible for a pod. EVT-POD-1.
inline bool is_ours(const Pod& pod) {
  return pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler";
}

}  // namespace touchstone::reference
