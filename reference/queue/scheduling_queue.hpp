#pragma once

#include <functional>

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The steps of the scheduling queue. Each is one transition: the lock of the queue makes it atomic.
namespace touchstone::reference {

/// The entry of a pod in the queue. Null: the pod is in no part of it.
const Entry* find_entry(const SchedulingQueue& queue, const std::string& ns, const std::string& name);

/// Adds a new pod. Clauses: QUE-ADD-1, NOM-ADD-1.
void add_to_queue(World& world, const PodObject& pod);

/// Updates a pod. Clauses: QUE-UPDATE-1 to QUE-UPDATE-3.
void update_in_queue(World& world, const PodObject& before, const PodObject& now);

/// Removes a pod. Clauses: QUE-DELETE-1.
void delete_from_queue(World& world, const PodObject& pod);

/// The entry that the scheduler pops next. Null: there is none. `choices` picks among entries that compare
/// equal. Clauses: QUE-ORDER-1, QUE-POP-2.
Entry* next_to_pop(World& world, Choices& choices);

/// Pops an entry. No value: its pod is in flight already, and the entry is discarded. Requires: the entry is
/// that of next_to_pop(). Clauses: QUE-POP-1.
std::optional<Entry> pop(World& world, const Entry& entry);

/// Whether a pod in flight is put back at once after a failed attempt, and what else ends. Clauses:
/// QUE-PUTBACK-1, QUE-PUTBACK-2.
void put_back(World& world, Entry entry);

/// Puts a failed pod back as it was read from the API, unless a pod of its name is queued. Requires: the pod
/// has no node. Clauses: QUE-LIMBO-1, QUE-LIMBO-2.
void put_back_as_read(World& world, const PodObject& read);

/// Ends the flight of a pod, and drops the events that no other pod in flight needs. Clauses: QUE-FLIGHT-1.
void end_flight(World& world, const std::string& uid);

/// Whether a pod is in flight.
bool is_in_flight(const SchedulingQueue& queue, const std::string& uid);

/// Adds an event to the list of pods in flight and of events. Clauses: QUE-FLIGHT-1.
void note_in_flight(SchedulingQueue& queue, const ClusterEvent& event);

/// The events that came while a pod was in flight. Empty also if it is not in flight. Clauses: QUE-FLIGHT-1.
std::vector<ClusterEvent> events_in_flight(const SchedulingQueue& queue, const std::string& uid);

/// Moves the pods that an event wakes out of the unschedulable part. `may_move`: only these pods are looked
/// at. Clauses: QUE-MOVE-1, QUE-GATE-2, QUE-FLIGHT-1.
void move_all(World& world, const ClusterEvent& event,
              const std::function<bool(const Entry&)>& may_move = nullptr);

/// Moves a pod to the active part without backoff. `by`: the pod of its gang that does so; no value: its own
/// preemption. Clauses: QUE-ACTIVATE-1.
void activate(World& world, const PodObject& pod, const std::optional<PodObject>& by = {});

/// One run of the timer for the backoff part. Clauses: QUE-FLUSH-1.
void flush_backoff(World& world);

/// One run of the timer for pods that waited too long. Clauses: QUE-FLUSH-2.
void flush_leftover(World& world);

/// When the backoff of an entry ends, in nanoseconds since 1970. 0: it has none. Clauses: QUE-BACKOFF-1 to
/// QUE-BACKOFF-3.
Quantity backoff_end_ns(const Entry& entry, const Release& release);

/// Whether an entry is still backing off. Clauses: QUE-BACKOFF-3.
bool is_backing_off(const Entry& entry, Quantity now_ns, const Release& release);

/// The plug-in that gates a preemptor. QUE-GATE-3.
inline constexpr const char* k_default_preemption = "DefaultPreemption";

/// Runs the PreEnqueue plug-ins on an entry and notes the one that gates it. Clauses: QUE-GATE-1, QUE-GATE-3.
void run_pre_enqueue(World& world, Entry& entry);

/// The clause by which a plug-in gates an entry. Requires: one does.
std::string_view gating_clause(const World& world, const Entry& entry);

/// Whether a move request passes over a gated entry. Clauses: QUE-GATE-2.
bool is_passed_over(const Entry& entry, const ClusterEvent& event, const Release& release);

}  // namespace touchstone::reference
