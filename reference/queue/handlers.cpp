#include "reference/queue/handlers.hpp"

#include <algorithm>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/early_events.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/group_queue.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

/// EVT-POD-3: wakes pods because a nomination ended. Only pods of at most this priority are looked at.
void nomination_ended(World& world, const PodObject& pod) {
  if (!world.release.nomination_end_is_event || pod.pod.nominated_node_name.empty()) return;
  world.cite("EVT-POD-3");
  move_all(world, assigned_pod_gone(pod),
           [&pod](const Entry& entry) { return entry.object.pod.priority <= pod.pod.priority; });
}

/// EVT-POD-4: takes an assumed pod that is deleted out of the cache, unless it is rejected in Permit.
void drop_assumed(World& world, const std::string& uid) {
  world.cite("EVT-POD-4");
  const PodObject assumed = *cached_pod(world.cache, uid);
  if (!reject_deleted(world, uid)) {
    remove_from_cache(world, uid);
  } else if (is_of_queued_group(world.release, assumed)) {
    remember_in_gang(world, assumed);
  }
  move_all(world, assigned_pod_gone(assumed));
}

/// EVT-POD-2
void pod_is_assigned(World& world, const PodObject& pod) {
  world.cite("EVT-POD-2");
  add_to_cache(world, pod);
  const ClusterEvent added{EventType::pod_added, PodRole::assigned, {}, pod};
  if (world.release.queueing_hints) return move_all(world, added);
  world.cite("EVT-EARLY-2");
  move_all(world, added, [&](const Entry& entry) { return wants_pod(entry, pod, world.release); });
}

/// EVT-EARLY-2
void assigned_pod_changed_early(World& world, const PodObject& before, const PodObject& now) {
  world.cite("EVT-EARLY-2");
  const auto wants = [&](const Entry& entry) { return wants_pod(entry, now, world.release); };
  if (world.release.early_events != EarlyEvents::labels_apart)
    return move_all(world, {EventType::pod_other, PodRole::assigned, before, now}, wants);
  for (const ClusterEvent& event : events_of_update(before, now, false, world.release)) {
    if (event.type == EventType::pod_labels) move_all(world, event, wants);
    if (event.type == EventType::pod_scaled_down) move_all(world, event);
  }
}

void assigned_pod_changed(World& world, const PodObject& before, const PodObject& now) {
  world.cite("EVT-CHANGE-1");
  update_in_cache(world, now);
  if (!world.release.queueing_hints) return assigned_pod_changed_early(world, before, now);
  for (const ClusterEvent& event : events_of_update(before, now, false, world.release))
    move_all(world, event);
}

/// EVT-POD-5: whether an update of an assumed pod changes more than its node and its annotations.
bool differs_from_assumed(const World& world, PodObject now) {
  PodObject assumed = *cached_pod(world.cache, now.pod.uid);
  for (PodObject* each : {&assumed, &now}) {
    each->pod.node_name.clear();
    each->annotations.clear();
    each->version = 0;
  }
  return assumed != now;
}

void pending_pod_changed(World& world, const PodObject& before, const PodObject& now) {
  const bool is_assumed = world.cache.assumed.contains(now.pod.uid);
  if (is_assumed && !world.release.assumed_updates_are_ignored) {
    world.cite("EVT-POD-5");
    if (differs_from_assumed(world, now)) update_in_queue(world, before, now);
    return;
  }
  if (is_assumed) {
    world.cite("EVT-POD-4");
    const bool begins_to_end = now.pod.terminating && !before.pod.terminating;
    if (world.release.deleted_pod_leaves_cache && begins_to_end) drop_assumed(world, now.pod.uid);
    return;
  }
  update_in_queue(world, before, now);
  if (before.pod.nominated_node_name != now.pod.nominated_node_name) nomination_ended(world, before);
}

/// EVT-POD-2: the queue's part of a binding.
void pod_left_queue(World& world, const PodObject& before) {
  delete_from_queue(world, before);
  if (world.release.binding_ends_nomination) nomination_ended(world, before);
}

void pod_is_gone(World& world, const PodObject& pod) {
  if (is_of_queued_group(world.release, pod)) {  // QUE-ENTITY-10
    std::erase_if(world.forgotten_in_gangs,
                  [&pod](const PodObject& each) { return each.pod.uid == pod.pod.uid; });
  }
  if (!pod.pod.node_name.empty()) {
    remove_from_cache(world, pod.pod.uid);
    return move_all(world, assigned_pod_gone(pod));
  }
  if (!is_ours(pod.pod)) return;
  delete_from_queue(world, pod);
  if (world.release.deleted_pod_leaves_cache && world.cache.assumed.contains(pod.pod.uid))
    return drop_assumed(world, pod.pod.uid);
  if (!world.release.deleted_pod_leaves_cache && reject_deleted(world, pod.pod.uid))
    return move_all(world, assigned_pod_gone(pod));
  nomination_ended(world, pod);
}

/// QUE-ADD-1, QUE-GANG-2
void pod_is_pending(World& world, const PodObject& pod) {
  add_to_queue(world, pod);
  if (!world.release.gangs_wait) return;
  world.cite("QUE-GANG-2");
  move_all(world, {EventType::pod_added, PodRole::unscheduled, {}, pod});
}

/// EVT-POD-1
void handle_pod(World& world, const WatchEvent& event) {
  world.cite("EVT-POD-1");
  if (!event.new_pod) {
    if (!world.release.groups_are_scheduled) end_empty_gang(world, *event.old_pod);
    return pod_is_gone(world, *event.old_pod);
  }
  const PodObject& now = *event.new_pod;
  const bool is_assigned = !now.pod.node_name.empty();
  if (!event.old_pod) {
    if (is_assigned) return pod_is_assigned(world, now);
    if (is_ours(now.pod)) pod_is_pending(world, now);
    return;
  }
  const PodObject& before = *event.old_pod;
  if (!before.pod.node_name.empty()) return assigned_pod_changed(world, before, now);
  if (is_assigned) pod_is_assigned(world, now);
  const bool was_ours = is_ours(before.pod);
  if (!is_assigned && world.release.new_scheduler_name_counts && was_ours != is_ours(now.pod))
    return was_ours ? pod_is_gone(world, before) : pod_is_pending(world, now);
  if (!was_ours) return;
  if (is_assigned) return pod_left_queue(world, before);
  pending_pod_changed(world, before, now);
}

/// EVT-EARLY-3, EVT-EARLY-4
void node_changed_early(World& world, const Node& before, const Node& now) {
  if (world.release.every_node_update_moves) {
    ClusterEvent changed;
    changed.type = EventType::node_conditions;
    changed.old_node = before;
    changed.new_node = now;
    world.cite("EVT-NODE-2");
    return move_all(world, changed);
  }
  for (const ClusterEvent& event : events_of_update(before, now)) {
    world.cite("EVT-EARLY-3");
    world.cite("EVT-EARLY-4");
    move_all(world, event, [&](const Entry& entry) { return may_run_there(world, entry, now); });
    if (world.release.early_events == EarlyEvents::first_change) return;
  }
}

/// EVT-NODE-1
void handle_node(World& world, const WatchEvent& event) {
  world.cite("EVT-NODE-1");
  if (!event.new_node) {
    ClusterEvent deleted;
    deleted.type = EventType::node_deleted;
    deleted.old_node = event.old_node;
    if (world.release.queueing_hints) move_all(world, deleted);  // EVT-EARLY-4
    return remove_node(world.cache, event.old_node->name);
  }
  put_node(world.cache, *event.new_node);
  if (event.old_node) {
    world.cite("EVT-CHANGE-2");
    if (!world.release.queueing_hints) return node_changed_early(world, *event.old_node, *event.new_node);
    for (const ClusterEvent& each : events_of_update(*event.old_node, *event.new_node)) move_all(world, each);
    return;
  }
  ClusterEvent added;
  added.type = EventType::node_added;
  added.new_node = event.new_node;
  if (world.release.queueing_hints || !world.release.node_test_of_kubelet) return move_all(world, added);
  world.cite("EVT-EARLY-3");
  move_all(world, added, [&](const Entry& entry) { return may_run_there(world, entry, *event.new_node); });
}

/// Replaces, adds or removes an object in the scheduler's copies. `same`: whether two are the same object.
template <typename Object, typename Same>
void see(std::vector<Object>& seen, const std::optional<Object>& before, const std::optional<Object>& now,
         Same same) {
  const Object& any = now ? *now : *before;
  const auto is_same = [&](const Object& each) { return same(each, any); };
  const auto found = std::find_if(seen.begin(), seen.end(), is_same);
  if (!now) {
    std::erase_if(seen, is_same);
  } else if (found != seen.end()) {
    *found = *now;
  } else {
    seen.push_back(*now);
  }
}

/// QUE-GANG-2
void handle_workload(World& world, const WatchEvent& event) {
  world.cite("QUE-GANG-2");
  see(world.seen.workloads, event.old_workload, event.new_workload,
      [](const WorkloadGroups& a, const WorkloadGroups& b) { return a.name == b.name && a.ns == b.ns; });
  if (event.old_workload) return;
  ClusterEvent added;
  added.type = EventType::workload_added;
  added.new_workload = event.new_workload;
  move_all(world, added);
}

/// QUE-ENTITY-1, QUE-ENTITY-9
void handle_queued_group(World& world, const WatchEvent& event, Choices& choices) {
  if (!event.new_pod_group) return group_is_unknown(world, *event.old_pod_group);
  ClusterEvent heard;
  heard.type = event.old_pod_group ? EventType::pod_group_changed : EventType::pod_group_added;
  heard.old_pod_group = event.old_pod_group;
  heard.new_pod_group = event.new_pod_group;
  if (!event.old_pod_group) group_is_known(world, *event.new_pod_group, choices);
  move_all(world, heard);
}

/// QUE-GROUP-1
void handle_pod_group(World& world, const WatchEvent& event, Choices& choices) {
  world.cite("QUE-GROUP-1");
  see(world.seen.pod_groups, event.old_pod_group, event.new_pod_group,
      [](const PodGroupObject& a, const PodGroupObject& b) { return a.name == b.name && a.ns == b.ns; });
  if (world.release.groups_are_queued) return handle_queued_group(world, event, choices);
  if (event.old_pod_group) return;
  ClusterEvent added;
  added.type = EventType::pod_group_added;
  added.new_pod_group = event.new_pod_group;
  move_all(world, added);
}

}  // namespace

void handle(World& world, const WatchEvent& event, Choices& choices) {
  if (event.kind == WatchedKind::node) return handle_node(world, event);
  if (event.kind == WatchedKind::pdb) {
    world.cite("EVT-PDB-1");
    return see(world.seen.pdbs, event.old_pdb, event.new_pdb,
               [](const PodDisruptionBudget& a, const PodDisruptionBudget& b) {
                 return a.name == b.name && a.ns == b.ns;
               });
  }
  if (event.kind == WatchedKind::workload) return handle_workload(world, event);
  if (event.kind == WatchedKind::pod_group) return handle_pod_group(world, event, choices);
  if (!event.old_pod && !event.new_pod) return world.cite("EVT-WATCH-2");
  see(world.seen.pods, event.old_pod, event.new_pod, [](const PodObject& a, const PodObject& b) {
    return a.pod.name == b.pod.name && a.pod.ns == b.pod.ns;
  });
  handle_pod(world, event);
}

}  // namespace touchstone::reference
