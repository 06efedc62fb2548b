#include "spec/releases/release.hpp"
#include "spec/releases/release_table.hpp"

/// The release table of extenders. release_table.cpp says how to read a row.
namespace touchstone {

const std::vector<Change>& changes_of_extenders() {
  static const std::vector<Change> k_changes = {
      {"extender_interest", "yes", "EXT-INTEREST-1", since(10), "read v1.9.0, v1.10.0; recorded v1.13.0",
       sets(&Release::extender_interest, true)},
      {"extenders_may_be_ignored", "yes", "EXT-ERROR-1", since(11), "read v1.10.0, v1.11.0; recorded v1.13.0",
       sets(&Release::extenders_may_be_ignored, true)},
      {"extender_preemption", "asks preemptVerb", "EXT-PREEMPT-1", since(11),
       "read v1.10.0, v1.11.0; kubernetes#58717",
       sets(&Release::extender_preemption, ExtenderPreemption::asks)},
      {"extender_preemption", "asks preemptVerb, if interested", "EXT-PREEMPT-1", since(12),
       "read v1.11.0, v1.12.0; recorded v1.13.0; kubernetes#66291",
       sets(&Release::extender_preemption, ExtenderPreemption::asks_if_interested)},
      {"ignorable_extenders_last", "yes", "EXT-ORDER-1", since(15),
       "read v1.14.0, v1.15.0; recorded v1.13.0, v1.30.14", sets(&Release::ignorable_extenders_last, true)},
      {"equal_errors_are_listed", "no", "EXT-UNKNOWN-2", since(15), "read v1.13.0, v1.15.12; v1.14 not read",
       sets(&Release::equal_errors_are_listed, false)},
      {"unknown_filtered_node", "an error", "EXT-UNKNOWN-1", since(16),
       "read v1.15.12, v1.16.0; recorded v1.13.0",
       sets(&Release::unknown_filtered_node, UnknownFilteredNode::is_not_in_map)},
      {"unknown_node_object", "an error of the first scorer", "EXT-UNKNOWN-2", since(17),
       "read v1.16.15, v1.17.17, v1.18.20, v1.19.16",
       sets(&Release::unknown_node_object, UnknownNodeObject::errs, &Release::text_unknown_scored_node,
            "error while running score plugin for pod \"$pod\": getting node \"$node\" from Snapshot: "
            "nodeinfo not "
            "found for node name \"$node\"")},
      {"unknown_filtered_node", "an error with another text", "EXT-UNKNOWN-1", since(18),
       "read v1.17.17, v1.18.20; recorded v1.30.14",
       sets(&Release::unknown_filtered_node, UnknownFilteredNode::is_not_in_list)},
      {"unknown_victim_node_crashes", "no", "EXT-UNKNOWN-3", since(18), "read v1.17.17, v1.18.20",
       sets(&Release::unknown_victim_node_crashes, false)},
      {"unknown_nodes_have_statuses", "no", "EXT-FILTER-3", since(18),
       "recorded v1.13.0, v1.30.14; not known between them",
       sets(&Release::unknown_nodes_have_statuses, false)},
      {"extender_preemption", "asks none", "EXT-PREEMPT-1", since(19),
       "read v1.18.20, v1.19.16; kubernetes#103019",
       sets(&Release::extender_preemption, ExtenderPreemption::asks_none)},
      {"text_unknown_scored_node", "with the plug-in", "EXT-UNKNOWN-2", since(20),
       "read v1.19.16, v1.20.0, v1.28.15; ran v1.29.6, v1.30.14, v1.31.0, v1.32.2",
       sets(&Release::text_unknown_scored_node,
            "running Score plugins: plugin \"$plugin\" failed with: $getting node \"$node\" from Snapshot: "
            "nodeinfo "
            "not found for node name \"$node\"")},
      {"extender_error_in_capitals", "no", "EXT-ERROR-2", since(20),
       "read v1.19.16, v1.20.15; recorded v1.13.0, v1.30.14",
       sets(&Release::extender_error_in_capitals, false)},
      {"extender_preemption",
       "asks preemptVerb, if interested",
       "EXT-PREEMPT-1",
       {{20, 10}, {21, 4}, {22, 0}},
       "read v1.20.9, v1.20.10, v1.21.3, v1.21.4, v1.22.17; recorded v1.30.14; kubernetes#103019",
       sets(&Release::extender_preemption, ExtenderPreemption::asks_if_interested)},
      {"extender_says_unresolvable", "yes", "EXT-FILTER-2", since(21),
       "read v1.20.15, v1.21.14; recorded v1.13.0, v1.30.14; kubernetes#92866",
       sets(&Release::extender_says_unresolvable, true)},
      {"extender_needs_victims",
       "yes",
       "EXT-PREEMPT-3",
       {{22, 3, 0}},
       "read v1.21.14, v1.22.17; recorded v1.13.0, v1.30.14; kubernetes#101560",
       sets(&Release::extender_needs_victims, true)},
      {"extender_violations_count", "yes", "EXT-PREEMPT-2", since(24),
       "read v1.23.17, v1.24.17; recorded v1.13.0, v1.30.14; kubernetes#105853",
       sets(&Release::extender_violations_count, true)},
      {"dropped_nodes",
       "are no potential nodes",
       "EXT-DROP-1",
       {{27, 15}, {28, 11}, {29, 6}, {30, 2}, {31, 0}},
       "read v1.24.17, v1.28.15, v1.29.6; recorded v1.13.0, v1.30.14; kubernetes#124933",
       sets(&Release::dropped_nodes, DroppedNodes::are_not_potential)},
      {"dropped_nodes", "are unresolvable", "EXT-DROP-1", since(32), "recorded v1.30.14, v1.32.2",
       sets(&Release::dropped_nodes, DroppedNodes::unresolvable)},
      {"extender_reasons_add_up", "no", "EXT-FILTER-3", since(32), "read v1.31.0, v1.32.2",
       sets(&Release::extender_reasons_add_up, false)},
      {"extender_replaces_records", "yes", "EXT-RECORD-1", since(33),
       "recorded v1.32.2, v1.33.13; kubernetes#141781", sets(&Release::extender_replaces_records, true)},
      {"unknown_node_object", "is scored", "EXT-UNKNOWN-2", since(33), "read v1.32.2, v1.33.13",
       sets(&Release::unknown_node_object, UnknownNodeObject::is_scored)},

      // v1.38, in alpha
      {"extender_needs_victims", "no", "EXT-PREEMPT-3", since(38), "changelog; kubernetes#135486",
       sets(&Release::extender_needs_victims, false)},
  };
  return k_changes;
}

}  // namespace touchstone
