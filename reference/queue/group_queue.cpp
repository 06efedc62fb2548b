#include "reference/queue/group_queue.hpp"

#include <algorithm>
#include <tuple>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

using GroupMembers = std::vector<Entry>;

std::string group_name_of(const PodObject& pod) { return pod.pod.ns + "/" + pod.pod_group; }

GroupEntry* find_group(SchedulingQueue& queue, const std::string& name) {
  const auto found = std::find_if(queue.groups.begin(), queue.groups.end(),
                                  [&name](const GroupEntry& each) { return each.full_name() == name; });
  return found == queue.groups.end() ? nullptr : &*found;
}

template <typename Entries>
auto* find_in(Entries& members, const std::string& ns, const std::string& name) {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Entry& each) { return has_name(each.object.pod, ns, name); });
  return found == members.end() ? nullptr : &*found;
}

bool drop_from(GroupMembers& members, const Pod& pod) {
  return std::erase_if(members,
                       [&pod](const Entry& each) { return has_name(each.object.pod, pod.ns, pod.name); }) > 0;
}

/// Adds a pod to those that are in no part of the queue, or replaces it.
void keep_apart(GroupMembers& members, const Entry& entry) {
  drop_from(members, entry.object.pod);
  members.push_back(entry);
}

/// Takes out the pods of a group.
GroupMembers take_from(GroupMembers& members, const std::string& group) {
  GroupMembers taken;
  for (const Entry& each : members) {
    if (group_name_of(each.object) == group) taken.push_back(each);
  }
  std::erase_if(members, [&group](const Entry& each) { return group_name_of(each.object) == group; });
  return taken;
}

/// QUE-ENTITY-2: the order in which the pods of a group are tried.
bool comes_before(const Entry& a, const Entry& b) {
  const auto key = [](const Entry& each) {
    return std::tuple(-each.object.pod.priority, -each.attempts, each.since_ns);
  };
  if (key(a) != key(b)) return key(a) < key(b);
  return a.object.pod.name < b.object.pod.name;
}

void insert(GroupEntry& group, const Entry& entry) {
  const auto place = std::lower_bound(group.members.begin(), group.members.end(), entry, comes_before);
  group.members.insert(place, entry);
}

/// Puts a group into a part, or moves it there.
QueuePart put_group(World& world, GroupEntry group, QueuePart part) {
  std::erase_if(world.queue.groups,
                [&group](const GroupEntry& each) { return each.full_name() == group.full_name(); });
  group.part = part;
  world.queue.groups.push_back(std::move(group));
  return part;
}

/// QUE-ENTITY-2: runs the PreEnqueue plug-ins on each pod of a group. One gated pod gates the group.
void run_pre_enqueue(World& world, GroupEntry& group) {
  group.gated_by.clear();
  for (Entry& member : group.members) {
    run_pre_enqueue(world, member);
    if (member.gated_by.empty()) continue;
    world.cite(gating_clause(world, member));
    group.gated_by = member.gated_by;
  }
}

/// `was_behind_gate`: it comes from the backoff part, where it passed the plug-ins already.
QueuePart move_to(World& world, GroupEntry group, QueuePart part, bool was_behind_gate = false) {
  world.cite("QUE-ENTITY-2");
  if (!was_behind_gate) run_pre_enqueue(world, group);
  return put_group(world, group, group.gated_by.empty() ? part : QueuePart::unschedulable);
}

/// QUE-MOVE-1: moves a woken group where it belongs.
QueuePart move_woken(World& world, const GroupEntry& group) {
  world.cite("QUE-MOVE-1");
  if (!is_backing_off(group, world.now_ns, world.release)) return move_to(world, group, QueuePart::active);
  world.cite("QUE-BACKOFF-3");
  return move_to(world, group, QueuePart::backoff);
}

/// QUE-ENTITY-4: a pod joined a queued group, or left it.
void requeue(World& world, const GroupEntry& group) {
  world.cite("QUE-ENTITY-4");
  if (group.part == QueuePart::active) {
    move_to(world, group, QueuePart::active);
  } else if (group.part == QueuePart::backoff) {
    move_woken(world, group);
  } else {
    put_group(world, group, QueuePart::unschedulable);
  }
}

/// QUE-ENTITY-2: whether an event wakes a pod of the group. `is_own`: it is an update of one of them, which
/// counts as one of each.
bool wakes_any(World& world, const GroupEntry& group, const ClusterEvent& event, bool is_own) {
  return std::any_of(group.members.begin(), group.members.end(), [&](const Entry& member) {
    ClusterEvent heard = event;
    if (is_own) heard.new_pod->pod.uid = member.object.pod.uid;
    return wakes(world, member, heard);
  });
}

void note_group_wake(World& world, const GroupEntry& group, const ClusterEvent& event) {
  for (const Entry& member : group.members)
    world.wakes.push_back({member.object.pod.full_name(), text_of(event)});
}

/// QUE-ENTITY-9: an update of a pod of a group in the unschedulable part.
void judge_update(World& world, const std::string& name, const std::vector<ClusterEvent>& events) {
  for (const ClusterEvent& event : events) {
    const GroupEntry group = *find_group(world.queue, name);
    if (!wakes_any(world, group, event, true)) continue;
    note_group_wake(world, group, event);
    if (move_woken(world, group) != QueuePart::unschedulable) return;
  }
}

Quantity priority_of(const World& world, const GroupEntry& group) {
  return find_pod_group(world.seen.pod_groups, group.ns, group.name)->priority;
}

}  // namespace

const Entry* find_member(const SchedulingQueue& queue, const std::string& ns, const std::string& name) {
  if (const Entry* found = find_in(queue.incomplete, ns, name)) return found;
  for (const GroupEntry& group : queue.groups) {
    if (const Entry* found = find_in(group.members, ns, name)) return found;
  }
  const Entry* found = find_in(queue.pending, ns, name);
  const bool is_hidden =
      found != nullptr && std::any_of(queue.groups.begin(), queue.groups.end(), [&](const auto& each) {
        return each.full_name() == group_name_of(found->object);
      });
  return is_hidden ? nullptr : found;
}

bool knows_group(const World& world, const PodObject& pod) {
  return find_pod_group(world.seen.pod_groups, pod.pod.ns, pod.pod_group) != nullptr;
}

void add_member(World& world, const Entry& entry) {
  SchedulingQueue& queue = world.queue;
  const std::string name = group_name_of(entry.object);
  if (!knows_group(world, entry.object)) {
    world.cite("QUE-ENTITY-1");
    return keep_apart(queue.incomplete, entry);
  }
  if (const GroupEntry* found = find_group(queue, name)) {
    GroupEntry group = *found;
    insert(group, entry);
    return requeue(world, group);
  }
  if (queue.last_popped_group == name) {
    world.cite("QUE-ENTITY-4");
    return keep_apart(queue.pending, entry);
  }
  GroupEntry group{entry.object.pod.ns, entry.object.pod_group};
  insert(group, entry);
  group.since_ns = entry.since_ns;
  move_to(world, group, QueuePart::active);
}

/// QUE-ENTITY-9
void update_member(World& world, const PodObject& before, const PodObject& now,
                   const std::vector<ClusterEvent>& events) {
  SchedulingQueue& queue = world.queue;
  world.cite("QUE-ENTITY-9");
  const std::string& ns = now.pod.ns;
  const std::string name = group_name_of(before);
  const bool is_known = knows_group(world, before);
  if (is_known && is_in_flight(queue, now.pod.uid)) {
    for (const ClusterEvent& event : events) note_in_flight(queue, event);
    return;
  }
  GroupEntry* group = is_known ? find_group(queue, name) : nullptr;
  Entry* entry = group == nullptr ? nullptr : find_in(group->members, ns, now.pod.name);
  const bool is_judged = entry != nullptr && group->part == QueuePart::unschedulable;
  const bool may_wait = group == nullptr || group->part != QueuePart::unschedulable;
  if (!is_known) entry = find_in(queue.incomplete, ns, now.pod.name);
  if (entry == nullptr && is_known && may_wait) entry = find_in(queue.pending, ns, now.pod.name);
  if (entry == nullptr) {
    if (is_known) add_to_queue(world, now);
    return;
  }
  entry->object = now;
  update_nomination(world, before, now);
  if (is_judged) judge_update(world, name, events);
}

/// QUE-ENTITY-4
void delete_member(World& world, const PodObject& pod) {
  SchedulingQueue& queue = world.queue;
  const std::string name = group_name_of(pod);
  const GroupEntry* found = find_group(queue, name);
  if (found == nullptr) {
    drop_from(knows_group(world, pod) ? queue.pending : queue.incomplete, pod.pod);
    return;
  }
  GroupEntry group = *found;
  if (drop_from(group.members, pod.pod)) world.cite("QUE-DELETE-1");
  if (group.members.empty()) {
    std::erase_if(queue.groups, [&name](const GroupEntry& each) { return each.full_name() == name; });
    return;
  }
  world.forgotten_in_gangs.push_back(pod);  // it still counts
  requeue(world, group);
  world.forgotten_in_gangs.pop_back();
}

/// QUE-ENTITY-1
void group_is_known(World& world, const PodGroupObject& group, Choices& choices) {
  GroupMembers members = take_from(world.queue.incomplete, group.ns + "/" + group.name);
  if (members.empty()) return;
  world.cite("QUE-ENTITY-1");
  const bool are_alike = std::all_of(members.begin(), members.end(), [&members](const Entry& each) {
    return each.since_ns == members.front().since_ns;
  });
  if (!are_alike) std::swap(members.front(), members[choices.pick(members.size(), "QUE-ENTITY-1")]);
  for (const Entry& member : members) add_member(world, member);
}

/// QUE-ENTITY-1
void group_is_unknown(World& world, const PodGroupObject& group) {
  SchedulingQueue& queue = world.queue;
  const std::string name = group.ns + "/" + group.name;
  const GroupEntry* found = find_group(queue, name);
  GroupMembers left;
  if (found != nullptr) {
    left = found->members;
    std::erase_if(queue.groups, [&name](const GroupEntry& each) { return each.full_name() == name; });
  } else if (queue.last_popped_group == name) {
    left = take_from(queue.pending, name);
  }
  if (!left.empty()) world.cite("QUE-ENTITY-1");
  for (const Entry& member : left) keep_apart(queue.incomplete, member);
}

/// QUE-ENTITY-3
const GroupEntry* next_group_to_pop(World& world, Choices& choices) {
  const auto group_key = [&world](const GroupEntry& each) {
    return std::tuple(-priority_of(world, each), each.since_ns);
  };
  std::vector<const GroupEntry*> first;
  for (const GroupEntry& each : world.queue.groups) {
    if (each.part != QueuePart::active) continue;
    if (!first.empty() && group_key(*first.front()) < group_key(each)) continue;
    if (!first.empty() && group_key(each) < group_key(*first.front())) first.clear();
    first.push_back(&each);
  }
  if (first.empty()) return nullptr;
  bool is_tied = false;
  for (const Entry& pod : world.queue.active) {
    const auto pod_key = std::tuple(-pod.object.pod.priority, pod.since_ns);
    if (pod_key < group_key(*first.front())) return nullptr;
    if (pod_key == group_key(*first.front())) is_tied = true;
  }
  if (is_tied && choices.pick(2, "QUE-ORDER-1") == 0) return nullptr;
  return first[choices.pick(first.size(), "QUE-ORDER-1")];
}

/// QUE-ENTITY-3
std::optional<GroupEntry> pop_group(World& world, const GroupEntry& popped) {
  SchedulingQueue& queue = world.queue;
  GroupEntry group = popped;
  std::erase_if(queue.groups,
                [&group](const GroupEntry& each) { return each.full_name() == group.full_name(); });
  world.cite("QUE-ENTITY-3");
  std::erase_if(group.members,
                [&queue](const Entry& each) { return is_in_flight(queue, each.object.pod.uid); });
  if (group.members.empty()) return std::nullopt;
  for (Entry& member : group.members) {
    ++member.attempts;
    queue.in_flight.push_back({member.object.pod.uid, member.object.pod.full_name(), {}});
  }
  queue.last_popped_group = group.full_name();
  return group;
}

/// QUE-ENTITY-6
void put_back_group(World& world, const GroupEntry& popped, GroupVerdict verdict) {
  SchedulingQueue& queue = world.queue;
  world.cite("QUE-ENTITY-6");
  if (find_group(queue, popped.full_name()) != nullptr) return;
  queue.last_popped_group.clear();
  const bool is_known = find_pod_group(world.seen.pod_groups, popped.ns, popped.name) != nullptr;
  if (!is_known) return;
  GroupEntry group = popped;
  group.members.clear();
  bool has_failed_pods = false;
  for (const Entry& member : take_from(queue.pending, popped.full_name())) {
    insert(group, member);
    const auto is_it = [&](const Entry& each) { return each.object.pod.uid == member.object.pod.uid; };
    if (std::any_of(popped.members.begin(), popped.members.end(), is_it)) has_failed_pods = true;
  }
  if (group.members.empty()) return;
  const bool is_success = verdict == GroupVerdict::feasible;
  if (is_success) group.unschedulable_attempts = 0;
  if (!is_success && verdict != GroupVerdict::error) ++group.unschedulable_attempts;
  if (verdict == GroupVerdict::error) {
    ++group.errors_in_a_row;
  } else {
    group.errors_in_a_row = 0;
  }
  if (!is_success || !has_failed_pods) group.since_ns = world.now_ns;
  group.flushed_ns = 0;
  group.backoff_pods = static_cast<Quantity>(group.members.size());
  if (!is_success) world.cite("QUE-BACKOFF-3");
  move_to(world, group, is_success ? QueuePart::active : QueuePart::backoff);
}

/// QUE-ENTITY-2
void move_groups(World& world, const ClusterEvent& event, const std::function<bool(const Entry&)>& may_move) {
  const std::vector<GroupEntry> groups = world.queue.groups;
  for (const GroupEntry& group : groups) {
    if (group.part != QueuePart::unschedulable) continue;
    if (may_move && std::none_of(group.members.begin(), group.members.end(), may_move)) continue;
    Entry gate;
    gate.gated_by = group.gated_by;
    world.cite("QUE-GATE-2");
    if (is_passed_over(gate, event, world.release) || !wakes_any(world, group, event, false)) continue;
    note_group_wake(world, group, event);
    move_woken(world, group);
  }
}

bool activate_group(World& world, const PodObject& pod) {
  const GroupEntry* found = find_group(world.queue, group_name_of(pod));
  if (found == nullptr || found->part == QueuePart::active) return false;
  const GroupEntry group = *found;
  return move_to(world, group, QueuePart::active, group.part == QueuePart::backoff) == QueuePart::active;
}

/// QUE-FLUSH-1
void flush_groups(World& world) {
  const std::vector<GroupEntry> groups = world.queue.groups;
  for (const GroupEntry& group : groups) {
    if (group.part != QueuePart::backoff || is_backing_off(group, world.now_ns, world.release)) continue;
    world.cite("QUE-FLUSH-1");
    move_to(world, group, QueuePart::active, true);
  }
}

/// QUE-FLUSH-2
std::vector<std::string> leftover_groups(World& world) {
  std::vector<std::string> names;
  for (GroupEntry& group : world.queue.groups) {
    const Quantity since_ns = std::max(group.since_ns, group.flushed_ns);
    if (group.part != QueuePart::unschedulable || world.now_ns - since_ns <= world.release.leftover_after_ns)
      continue;
    group.flushed_ns = world.now_ns;
    for (const Entry& member : group.members) names.push_back(member.object.pod.full_name());
  }
  return names;
}

}  // namespace touchstone::reference
