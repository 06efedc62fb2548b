#pragma once

#include <string_view>

/// The switches of extenders. They are part of a Release (release.hpp).
namespace touchstone {

/// EXT-PREEMPT-1: how preemption asks extenders. `filters_again`: whether the chosen node passes all filters
/// of extenders. `asks`: every extender that has a preemptVerb. `asks_if_interested`: of these, only those
/// that are interested in the pod. `asks_none`: the preemption plug-in has no extenders.
enum class ExtenderPreemption { filters_again, asks, asks_if_interested, asks_none };
/// EXT-DROP-1: how a node counts that an extender leaves out without a reason. It has no status, or from
/// `unresolvable` on a status without a reason.
enum class DroppedNodes { are_potential, are_not_potential, unresolvable };
/// EXT-UNKNOWN-1: the effect of a name that an extender with a node cache returns and that no node has
enum class UnknownFilteredNode { crashes, is_not_in_map, is_not_in_list };
/// EXT-UNKNOWN-2: the effect on scorers of a node object that no node of the cluster has. `each_scorer_errs`:
/// the errors of all scorers add up. `errs`: the error of the first scorer.
enum class UnknownNodeObject { each_scorer_errs, errs, is_scored };

struct ExtenderRules {
  bool extender_interest = false;           ///< EXT-INTEREST-1
  bool extenders_may_be_ignored = false;    ///< EXT-ERROR-1
  bool ignorable_extenders_last = false;    ///< EXT-ORDER-1
  bool extender_says_unresolvable = false;  ///< EXT-FILTER-2
  bool extender_reasons_add_up = true;      ///< EXT-FILTER-3
  bool unknown_nodes_have_statuses = true;  ///< EXT-FILTER-3
  bool extender_replaces_records = false;   ///< EXT-RECORD-1
  DroppedNodes dropped_nodes = DroppedNodes::are_potential;
  UnknownFilteredNode unknown_filtered_node = UnknownFilteredNode::crashes;
  UnknownNodeObject unknown_node_object = UnknownNodeObject::each_scorer_errs;
  bool equal_errors_are_listed = true;  ///< EXT-UNKNOWN-2
  ExtenderPreemption extender_preemption = ExtenderPreemption::filters_again;
  bool extender_violations_count = false;   ///< EXT-PREEMPT-2
  bool unknown_victim_node_crashes = true;  ///< EXT-UNKNOWN-3
  bool extender_needs_victims = false;      ///< EXT-PREEMPT-3
  bool extender_error_in_capitals = true;   ///< EXT-ERROR-2: the error begins with a capital
  std::string_view text_unknown_scored_node = {};  ///< EXT-UNKNOWN-2
};

}  // namespace touchstone
