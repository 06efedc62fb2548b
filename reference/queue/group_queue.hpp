#pragma once

#include <functional>

#include "reference/queue/world.hpp"
#include "spec/vocabulary/choices.hpp"

/// The steps of the scheduling queue with pod groups, in releases that queue a group as one entry.
namespace touchstone::reference {

/// The entry of a pod of a group, as a nomination finds it. Null: there is none.
const Entry* find_member(const SchedulingQueue& queue, const std::string& ns, const std::string& name);

/// Whether the scheduler sees the PodGroup of a pod. Clauses: QUE-ENTITY-1.
bool knows_group(const World& world, const PodObject& pod);

/// Adds a pod to its group: a new pod, or one whose attempt failed. Clauses: QUE-ENTITY-1, QUE-ENTITY-2,
/// QUE-ENTITY-4.
void add_member(World& world, const Entry& entry);

/// Updates a pod of a group. `events`: what changed. Clauses: QUE-ENTITY-9.
void update_member(World& world, const PodObject& before, const PodObject& now,
                   const std::vector<ClusterEvent>& events);

/// Removes a pod from its group. Clauses: QUE-ENTITY-4.
void delete_member(World& world, const PodObject& pod);

/// Adds the pods that waited for their PodGroup. `choices` picks the one that comes first. Clauses:
/// QUE-ENTITY-1.
void group_is_known(World& world, const PodGroupObject& group, Choices& choices);

/// Moves the pods of a group whose PodGroup is deleted out of the queue. Clauses: QUE-ENTITY-1.
void group_is_unknown(World& world, const PodGroupObject& group);

/// The group that the scheduler pops next. Null: there is none, or a pod comes before it. Clauses:
/// QUE-ENTITY-3.
const GroupEntry* next_group_to_pop(World& world, Choices& choices);

/// Pops a group. No value: its pods are in flight already, and the entry is discarded. Clauses: QUE-ENTITY-3.
std::optional<GroupEntry> pop_group(World& world, const GroupEntry& group);

/// Puts back a popped group, if pods of it wait. Clauses: QUE-ENTITY-6.
void put_back_group(World& world, const GroupEntry& popped, GroupVerdict verdict);

/// Moves the groups that an event wakes. `may_move`: only groups with such a pod are looked at. Clauses:
/// QUE-ENTITY-2.
void move_groups(World& world, const ClusterEvent& event, const std::function<bool(const Entry&)>& may_move);

/// Moves the group of a pod to the active part without backoff. Returns whether it is there now and was not
/// before. Clauses: QUE-ACTIVATE-1, QUE-ENTITY-2.
bool activate_group(World& world, const PodObject& pod);

/// One run of the timer for the backoff part. Clauses: QUE-FLUSH-1.
void flush_groups(World& world);

/// The groups that waited for too long. Their time restarts. Clauses: QUE-FLUSH-2.
std::vector<std::string> leftover_groups(World& world);

/// When the backoff of a group ends. 0: it has none. Clauses: QUE-ENTITY-6.
Quantity backoff_end_ns(const GroupEntry& group, const Release& release);

/// Whether a group is still backing off. Clauses: QUE-BACKOFF-3.
bool is_backing_off(const GroupEntry& group, Quantity now_ns, const Release& release);

}  // namespace touchstone::reference
