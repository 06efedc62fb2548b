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

PodDisruptionBudget draw_timeline_pdb(TimelineDraw& draw);

}  // namespace touchstone::fuzz
