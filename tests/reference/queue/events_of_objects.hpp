#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reference/queue/cluster_events.hpp"
#include "tests/support/play.hpp"

/// Builds cluster events, and the objects that they are about.
namespace touchstone::tests::events_of_objects {

using reference::ClusterEvent;
using reference::EventType;
using reference::PodRole;

inline PodObject object_of(Pod pod) {
  pod.uid = "u-" + pod.name;
  return {std::move(pod), 30, {}};
}

/// A pod with a UID and 100 milli-CPU.
inline Pod small_pod(const std::string& name) { return object_of(pod(name, 0, 100)).pod; }

inline ClusterEvent of_pods(EventType type, std::optional<Pod> before, std::optional<Pod> now,
                            PodRole role = PodRole::assigned) {
  ClusterEvent event{type, role};
  if (before) event.old_pod = object_of(*before);
  if (now) event.new_pod = object_of(*now);
  return event;
}

inline ClusterEvent of_nodes(EventType type, std::optional<Node> before, std::optional<Node> now) {
  ClusterEvent event{type};
  event.old_node = std::move(before);
  event.new_node = std::move(now);
  return event;
}

}  // namespace touchstone::tests::events_of_objects
