#include "reference/queue/scheduling_queue.hpp"

#include <algorithm>
#include <tuple>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/group_queue.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"

namespace touchstone::reference {

namespace {

using Entries = std::vector<Entry>;

/// The parts of the queue where an entry may go.
enum class Part { active, backoff, unschedulable };

auto place_of(const Entries& entries, const std::string& ns, const std::string& name) {
  return std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.object.pod.name == name && entry.object.pod.ns == ns;
  });
}

bool has(const Entries& entries, const Pod& pod) {
  return place_of(entries, pod.ns, pod.name) != entries.end();
}

void erase(Entries& entries, const Pod& pod) {
  std::erase_if(entries, [&pod](const Entry& entry) {
    return entry.object.pod.name == pod.name && entry.object.pod.ns == pod.ns;
  });
}

/// Adds an entry to a part, or replaces the one of the same pod.
void put(Entries& entries, const Entry& entry) {
  erase(entries, entry.object.pod);
  entries.push_back(entry);
}

/// QUE-GATE-1: moves an entry to the active part, or to the unschedulable one if a plug-in gates it.
/// `was_behind_gate`: it comes from the backoff part, where it passed the plug-ins already.
Part move_to_active(World& world, Entry entry, bool was_behind_gate = false) {
  if (!was_behind_gate) run_pre_enqueue(world, entry);
  SchedulingQueue& queue = world.queue;
  if (!entry.gated_by.empty()) {
    world.cite(gating_clause(world, entry));
    put(queue.unschedulable, entry);
    return Part::unschedulable;
  }
  erase(queue.unschedulable, entry.object.pod);
  erase(queue.backoff, entry.object.pod);
  if (is_of_group(world.release, entry.object) && !entry.first_active_ns)
    entry.first_active_ns = world.now_ns;
  put(queue.active, entry);
  return Part::active;
}

/// QUE-GATE-1: the same for the backoff part.
Part move_to_backoff(World& world, Entry entry) {
  entry.gated_by.clear();
  if (world.release.pops_from_backoff) run_pre_enqueue(world, entry);
  SchedulingQueue& queue = world.queue;
  if (!entry.gated_by.empty()) {
    world.cite(gating_clause(world, entry));
    put(queue.unschedulable, entry);
    return Part::unschedulable;
  }
  erase(queue.unschedulable, entry.object.pod);
  put(queue.backoff, entry);
  return Part::backoff;
}

/// Cites the clauses that decide how long an entry backs off.
void cite_backoff(World& world, const Entry& entry) {
  world.cite("QUE-BACKOFF-1");
  world.cite("QUE-BACKOFF-2");
  if (is_backing_off(entry, world.now_ns, world.release)) world.cite("QUE-BACKOFF-3");
}

/// QUE-MOVE-1: moves a woken entry where it belongs.
Part move(World& world, const Entry& entry) {
  world.cite("QUE-MOVE-1");
  if (!world.release.pods_back_off) {
    world.cite("QUE-SIMPLE-1");
    return move_to_active(world, entry);
  }
  cite_backoff(world, entry);
  if (is_backing_off(entry, world.now_ns, world.release)) return move_to_backoff(world, entry);
  return move_to_active(world, entry);
}

/// QUE-ORDER-1, QUE-SIMPLE-2: the key by which active entries are ordered.
std::pair<Quantity, Quantity> order_key(const Entry& entry, const Release& release) {
  return {-entry.object.pod.priority, release.ties_by_time ? entry.since_ns : 0};
}

/// The first entry by a key; `choices` picks among equal ones. Requires: at least one entry.
template <typename Key>
Entry* first_by(Entries& entries, Key key, Choices& choices) {
  std::vector<Entry*> first;
  for (Entry& entry : entries) {
    if (!first.empty() && key(*first.front()) < key(entry)) continue;
    if (!first.empty() && key(entry) < key(*first.front())) first.clear();
    first.push_back(&entry);
  }
  return first[choices.pick(first.size(), "QUE-ORDER-1")];
}

/// QUE-POP-2: whether the entry backs off because of an error.
bool is_after_error(const Entry& entry) { return entry.rejectors.empty(); }

void note_wake(World& world, const Entry& entry, const ClusterEvent& event) {
  world.wakes.push_back({entry.object.pod.full_name(), text_of(event)});
}

/// QUE-NUMBER-1, QUE-PUTBACK-2: whether an event that came during its attempt wakes a failed pod.
bool is_woken_in_flight(World& world, const Entry& entry) {
  const SchedulingQueue& queue = world.queue;
  if (world.release.attempts_are_numbered) {
    world.cite("QUE-NUMBER-1");
    const bool has_error = world.release.no_rejectors_back_off && entry.rejectors.empty();
    if (has_error) world.cite("QUE-NUMBER-2");
    return has_error || queue.pops_at_event >= queue.pops;
  }
  if (is_of_group(world.release, entry.object)) {
    world.cite("QUE-GROUP-5");
    return true;
  }
  const std::string& uid = entry.object.pod.uid;
  const std::vector<ClusterEvent> events = events_in_flight(queue, uid);
  if (entry.rejectors.empty() || !is_in_flight(queue, uid)) return true;
  const auto waking = std::find_if(events.begin(), events.end(),
                                   [&](const ClusterEvent& event) { return wakes(world, entry, event); });
  if (waking != events.end()) note_wake(world, entry, *waking);
  return waking != events.end();
}

/// QUE-EARLY-1: moves a pod of the unschedulable part whose update changes more than its status.
void move_if_changed(World& world, const Entry& entry, const PodObject& before) {
  world.cite("QUE-EARLY-1");
  PodObject same_status = entry.object;
  copy_status(before, same_status);
  if (same_status == before) return;
  note_wake(world, entry, {EventType::pod_other, PodRole::target, before, entry.object});
  move(world, entry);
}

}  // namespace

const Entry* find_entry(const SchedulingQueue& queue, const std::string& ns, const std::string& name) {
  for (const Entries* entries : {&queue.active, &queue.unschedulable, &queue.backoff}) {
    const auto found = place_of(*entries, ns, name);
    if (found != entries->end()) return &*found;
  }
  return find_member(queue, ns, name);
}

/// QUE-ADD-1
void add_to_queue(World& world, const PodObject& pod) {
  world.cite("QUE-ADD-1");
  Entry entry;
  entry.object = pod;
  entry.since_ns = world.now_ns;
  if (is_of_queued_group(world.release, pod)) {
    nominate(world, pod, std::nullopt);
    return add_member(world, entry);
  }
  const Part part = move_to_active(world, entry);
  if (part == Part::active || world.release.gated_pod_is_nominated) nominate(world, pod, std::nullopt);
}

void update_in_queue(World& world, const PodObject& before, const PodObject& now) {
  SchedulingQueue& queue = world.queue;
  const std::vector<ClusterEvent> events = events_of_update(before, now, true, world.release);
  world.cite("EVT-CHANGE-1");
  if (is_of_queued_group(world.release, before))
    return update_member(world, before, now, events);
  if (!world.release.attempts_are_numbered && is_in_flight(queue, now.pod.uid)) {
    world.cite("QUE-UPDATE-3");
    for (const ClusterEvent& event : events) note_in_flight(queue, event);
    return;
  }
  for (Entries* entries : {&queue.active, &queue.backoff}) {  // QUE-UPDATE-1
    for (Entry& entry : *entries) {
      if (entry.object.pod.full_name() != now.pod.full_name()) continue;
      world.cite("QUE-UPDATE-1");
      entry.object = now;
      update_nomination(world, before, now);
      return;
    }
  }
  const auto found = place_of(queue.unschedulable, now.pod.ns, now.pod.name);
  if (found == queue.unschedulable.end()) return add_to_queue(world, now);

  world.cite("QUE-UPDATE-2");
  Entry entry = *found;
  entry.object = now;
  put(queue.unschedulable, entry);
  update_nomination(world, before, now);
  if (!world.release.queueing_hints) return move_if_changed(world, entry, before);
  for (const ClusterEvent& event : events) {
    if (!wakes(world, entry, event)) {
      put(queue.unschedulable, entry);
      continue;
    }
    note_wake(world, entry, event);
    const Part part = move(world, entry);
    if (part == Part::active && event.type == EventType::pod_other && !world.release.gated_pod_is_nominated)
      nominate(world, now, std::nullopt);
    if (part == Part::unschedulable) entry = *place_of(queue.unschedulable, now.pod.ns, now.pod.name);
    if (part == Part::active || (part == Part::backoff && world.release.first_move_ends_update)) return;
  }
}

/// QUE-DELETE-1
void delete_from_queue(World& world, const PodObject& pod) {
  end_nomination(world, pod);
  if (is_of_queued_group(world.release, pod)) return delete_member(world, pod);
  for (Entries* entries : {&world.queue.active, &world.queue.backoff, &world.queue.unschedulable}) {
    if (!has(*entries, pod.pod)) continue;
    world.cite("QUE-DELETE-1");
    erase(*entries, pod.pod);
  }
}

Entry* next_to_pop(World& world, Choices& choices) {
  SchedulingQueue& queue = world.queue;
  const Release& release = world.release;
  const auto order = [&release](const Entry& entry) { return order_key(entry, release); };
  if (queue.active.size() > 1) world.cite(release.ties_by_time ? "QUE-ORDER-1" : "QUE-SIMPLE-2");
  if (!queue.active.empty()) return first_by(queue.active, order, choices);
  if (!world.release.pops_from_backoff) return nullptr;
  const bool only_errors = std::all_of(queue.backoff.begin(), queue.backoff.end(), is_after_error);
  if (only_errors) return nullptr;
  world.cite("QUE-POP-2");
  const auto key = [&](const Entry& entry) {
    return std::tuple(is_after_error(entry), backoff_end_ns(entry, release), order(entry));
  };
  return first_by(queue.backoff, key, choices);
}

/// QUE-POP-1
std::optional<Entry> pop(World& world, const Entry& popped) {
  Entry entry = popped;
  const Pod& pod = entry.object.pod;
  erase(has(world.queue.active, pod) ? world.queue.active : world.queue.backoff, pod);
  world.cite("QUE-POP-1");
  world.queue.last_popped_group.clear();
  ++world.queue.pops;
  ++entry.attempts;
  if (world.release.puts_back_beside_loop) return entry;
  if (is_in_flight(world.queue, pod.uid)) return std::nullopt;
  world.queue.in_flight.push_back({pod.uid, pod.full_name(), {}});
  if (!world.release.rejectors_stay_at_pop) entry.rejectors.clear();
  return entry;
}

void put_back(World& world, Entry entry) {
  const Pod& pod = entry.object.pod;
  if (find_entry(world.queue, pod.ns, pod.name) != nullptr) {
    world.cite("QUE-PUTBACK-1");
    return end_flight(world, pod.uid);
  }
  if (entry.rejectors.empty()) {  // QUE-BACKOFF-2
    ++entry.errors_in_a_row;
  } else {
    ++entry.unschedulable_attempts;
    entry.errors_in_a_row = 0;
  }
  entry.since_ns = world.now_ns;
  entry.flushed_ns = 0;
  if (is_of_queued_group(world.release, entry.object)) {
    end_flight(world, pod.uid);
    return add_member(world, entry);
  }
  world.queue.last_popped_group.clear();
  world.cite("QUE-PUTBACK-2");
  if (is_woken_in_flight(world, entry)) {
    move(world, entry);
  } else {
    put(world.queue.unschedulable, entry);
  }
  end_flight(world, pod.uid);
}

/// QUE-LIMBO-1, QUE-LIMBO-2
void put_back_as_read(World& world, const PodObject& read) {
  SchedulingQueue& queue = world.queue;
  world.cite("QUE-LIMBO-1");
  if (find_entry(queue, read.pod.ns, read.pod.name) != nullptr) return;
  const std::vector<Condition>& conditions = read.pod.conditions;
  const bool is_unschedulable = std::any_of(conditions.begin(), conditions.end(), [](const Condition& each) {
    return each.type == "PodScheduled" && each.status == "False" && each.reason == "Unschedulable";
  });
  world.cite("QUE-LIMBO-2");
  Entry entry;
  entry.object = read;
  entry.since_ns = world.now_ns;
  put(is_unschedulable && queue.pops_at_event < queue.pops ? queue.unschedulable : queue.active, entry);
  nominate(world, read, std::nullopt);
}

void move_all(World& world, const ClusterEvent& event, const std::function<bool(const Entry&)>& may_move) {
  if (!is_of_interest(event, world.release)) return;  // EVT-HINT-1
  const Entries entries = world.queue.unschedulable;
  for (const Entry& entry : entries) {
    if (may_move && !may_move(entry)) continue;
    if (!entry.gated_by.empty()) world.cite("QUE-GATE-2");
    if (is_passed_over(entry, event, world.release)) continue;
    if (!wakes(world, entry, event)) continue;
    note_wake(world, entry, event);
    const Part part = move(world, entry);  // QUE-MOVE-1
    const bool is_by_addition = event.role == PodRole::unscheduled;  // of a pending pod: QUE-GANG-2
    if (part == Part::active && is_by_addition && !world.release.gated_pod_is_nominated)
      nominate(world, entry.object, std::nullopt);
  }
  move_groups(world, event, may_move);
  world.queue.pops_at_event = world.queue.pops;
  if (world.release.attempts_are_numbered) return world.cite("QUE-NUMBER-1");
  const std::vector<InFlight>& in_flight = world.queue.in_flight;
  const bool any_pod =
      std::any_of(in_flight.begin(), in_flight.end(), [](const InFlight& each) { return !each.uid.empty(); });
  if (!any_pod) return;
  world.cite("QUE-FLIGHT-1");
  note_in_flight(world.queue, event);
}

/// QUE-ACTIVATE-1
void activate(World& world, const PodObject& pod, const std::optional<PodObject>& by) {
  world.cite("QUE-ACTIVATE-1");
  SchedulingQueue& queue = world.queue;
  const std::string& ns = pod.pod.ns;
  const std::string& name = pod.pod.name;
  ClusterEvent event;
  event.type = EventType::forced_activation;
  event.old_pod = by;
  event.new_pod = pod;
  if (is_of_queued_group(world.release, pod)) {
    if (!knows_group(world, pod) || activate_group(world, pod)) return;
  }
  if (const auto found = place_of(queue.unschedulable, ns, name); found != queue.unschedulable.end()) {
    note_wake(world, *found, event);
    move_to_active(world, *found);
    return;
  }
  if (const auto found = place_of(queue.backoff, ns, name); found != queue.backoff.end()) {
    const Entry entry = *found;
    note_wake(world, entry, event);
    erase(queue.backoff, entry.object.pod);
    move_to_active(world, entry, world.release.activation_passes_pre_enqueue);
    return;
  }
  if (!is_in_flight(queue, pod.pod.uid)) return;
  note_in_flight(queue, event);
}

/// QUE-FLUSH-1
void flush_backoff(World& world) {
  const Entries entries = world.queue.backoff;
  for (const Entry& entry : entries) {
    if (is_backing_off(entry, world.now_ns, world.release)) continue;
    world.cite("QUE-FLUSH-1");
    erase(world.queue.backoff, entry.object.pod);
    move_to_active(world, entry, world.release.pops_from_backoff);
  }
  flush_groups(world);
}

}  // namespace touchstone::reference
