#include <algorithm>

#include "fuzz/timelines/timelines.hpp"

namespace touchstone::fuzz {

namespace {

using StillShowsTimeline = std::function<bool(const TimelineScript&)>;

/// Drops runs of elements of a list, long ones first, while the script still shows what it shows. Returns
/// whether any was dropped.
template <typename List>
bool drop_from(TimelineScript& script, List TimelineScript::* list, const StillShowsTimeline& still_shows) {
  bool any = false;
  for (std::size_t length = std::max<std::size_t>((script.*list).size() / 2, 1); length > 0; length /= 2) {
    for (std::size_t begin = 0; begin + length <= (script.*list).size();) {
      TimelineScript smaller = script;
      const auto first = (smaller.*list).begin() + static_cast<std::ptrdiff_t>(begin);
      (smaller.*list).erase(first, first + static_cast<std::ptrdiff_t>(length));
      if (still_shows(smaller)) {
        script = std::move(smaller);
        any = true;
      } else {
        begin += length;
      }
    }
  }
  return any;
}

/// Drops two commands that stand apart: one that makes a pod, for example, and the cycle that takes it. Returns
/// whether any was dropped.
bool drop_pairs(TimelineScript& script, const StillShowsTimeline& still_shows) {
  constexpr std::size_t k_commands_most = 20;  // 190 pairs
  if (script.commands.size() > k_commands_most) return false;
  for (std::size_t later = 1; later < script.commands.size(); ++later) {
    for (std::size_t i = 0; i < later; ++i) {
      TimelineScript smaller = script;
      smaller.commands.erase(smaller.commands.begin() + static_cast<std::ptrdiff_t>(later));
      smaller.commands.erase(smaller.commands.begin() + static_cast<std::ptrdiff_t>(i));
      if (!still_shows(smaller)) continue;
      script = std::move(smaller);
      return true;
    }
  }
  return false;
}

template <typename List>
bool drop_objects(TimelineScript& script, List Objects::* list, const StillShowsTimeline& still_shows) {
  bool any = false;
  for (std::size_t i = 0; i < (script.objects.*list).size();) {
    TimelineScript smaller = script;
    List& objects = smaller.objects.*list;
    objects.erase(objects.begin() + static_cast<std::ptrdiff_t>(i));
    if (still_shows(smaller)) {
      script = std::move(smaller);
      any = true;
    } else {
      ++i;
    }
  }
  return any;
}

/// Ways to make a pod plainer.
void plainer(Pod& pod, std::size_t way) {
  switch (way) {
    case 0:
      pod.pod_affinity = {};
      pod.pod_anti_affinity = {};
      pod.topology_spread = {};
      return;
    case 1:
      pod.tolerations = {};
      return;
    case 2:
      for (Container& container : pod.containers) container.ports = {};
      return;
    case 3:
      pod.node_selector = {};
      return;
    case 4:
      pod.preemption_policy.clear();
      return;
    case 5:
      pod.labels = {};
      return;
    case 6:
      pod.scheduling_gates = {};
      return;
    case 7:
      pod.nominated_node_name.clear();
      return;
    default:
      pod.scheduler_name.clear();
  }
}
constexpr std::size_t k_plainer_ways = 9;

/// The pods that a script creates or has at its beginning.
std::vector<Pod*> pods_of(TimelineScript& script) {
  std::vector<Pod*> pods;
  for (PodObject& each : script.objects.pods) pods.push_back(&each.pod);
  for (TimelineCommand& command : script.commands) {
    auto* write = std::get_if<WriteCommand>(&command);
    if (write == nullptr || write->verb == Verb::remove) continue;
    if (auto* object = std::get_if<PodObject>(&write->object)) pods.push_back(&object->pod);
  }
  return pods;
}

bool make_pods_plainer(TimelineScript& script, const StillShowsTimeline& still_shows) {
  bool any = false;
  for (std::size_t i = 0; i < pods_of(script).size(); ++i) {
    for (std::size_t way = 0; way < k_plainer_ways; ++way) {
      TimelineScript smaller = script;
      Pod& pod = *pods_of(smaller)[i];
      plainer(pod, way);
      if (pod == *pods_of(script)[i] || !still_shows(smaller)) continue;
      script = std::move(smaller);
      any = true;
    }
  }
  return any;
}

}  // namespace

TimelineScript shrink_timeline(TimelineScript script, const StillShowsTimeline& still_shows) {
  for (bool any = true; any;) {
    any = drop_from(script, &TimelineScript::commands, still_shows);
    any = drop_objects(script, &Objects::pods, still_shows) || any;
    any = drop_objects(script, &Objects::nodes, still_shows) || any;
    any = drop_objects(script, &Objects::pdbs, still_shows) || any;
    any = drop_objects(script, &Objects::workloads, still_shows) || any;
    any = drop_objects(script, &Objects::pod_groups, still_shows) || any;
    any = make_pods_plainer(script, still_shows) || any;
    any = any || drop_pairs(script, still_shows);  // many tries: only when nothing else helps
  }
  return script;
}

}  // namespace touchstone::fuzz
