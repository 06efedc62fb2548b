#pragma once

#include "fuzz/generate/draw.hpp"
#include "fuzz/timelines/timelines.hpp"

/// Generates the objects of a timeline; for fuzz/timelines/*.cpp only.
namespace touchstone::fuzz {

/// The state while one timeline is generated.
struct TimelineDraw {
  Draw draw;
  std::set<TimelineFamily> families = {};
  std::size_t nodes_made = 0;

  bool has(TimelineFamily family) const { return families.contains(family); }
};

Node draw_timeline_node(TimelineDraw& draw);
/// Changes something that the scheduler may take for an event.
void change_node(TimelineDraw& draw, Node& node);

/// A pending pod.
PodObject draw_timeline_pod(TimelineDraw& draw, const std::string& name);
/// Changes something that an API server allows to change in a pending pod.
void change_pending_pod(TimelineDraw& draw, Pod& pod);
/// Changes the labels of a running pod, or ends it.
void change_running_pod(TimelineDraw& draw, Pod& pod);

/// The pod groups of a timeline, in releases that queue a group as one entry.
struct QueuedGroups {
  std::map<std::string, Quantity> priorities = {};  ///< by name
  bool has_gated_pods = false;                      ///< with scheduling gates; then no group is a gang
};
QueuedGroups draw_queued_groups(TimelineDraw& draw);
/// Makes a pod of a group as its group needs it.
void fit_into_group(const QueuedGroups& groups, PodObject& object);
/// Makes a pod one of a group. `may_be_gated`: it may keep its scheduling gates.
void join_queued_group(TimelineDraw& draw, const QueuedGroups& groups, bool may_be_gated, PodObject& object);

PodDisruptionBudget draw_timeline_pdb(TimelineDraw& draw);

}  // namespace touchstone::fuzz
