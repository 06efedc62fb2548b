#include "spec/releases/release.hpp"
#include "spec/releases/release_table.hpp"

/// The release table of a scheduler over time: rows about the queue, its events and the calls of the
/// scheduler. release_table.cpp says how to read a row.
namespace touchstone {

namespace {

constexpr Quantity k_minute_ns = 60'000'000'000;
/// The late patches of v1.11 to v1.13 have a newer queue than the early ones.
const std::vector<FirstPatch> k_second_queue = {{11, 10, 0}, {12, 10, 0}, {13, 12, 0}, {14, 0}};
constexpr std::string_view k_read_second_queue =
    "read v1.11.0, v1.11.10, v1.12.0, v1.12.10, v1.13.0, v1.13.12; ran v1.13.0";

}  // namespace

const std::vector<Change>& changes_of_queue() {
  static const std::vector<Change> k_changes = {
      // leader election
      {"unseen_empty_holder_waits", "no", "LEA-EXPIRY-1", since(14), "ran v1.13.0; read v1.14.0",
       sets(&Release::unseen_empty_holder_waits, false)},
      {"tries_once_more", "no", "LEA-DEADLINE-1", since(14), "ran v1.13.0; read v1.13.12, v1.14.0",
       sets(&Release::tries_once_more, false)},
      {"own_write_is_compared", "no", "LEA-SEEN-1", since(17), "ran v1.13.0; read v1.16.15, v1.17.0",
       sets(&Release::own_write_is_compared, false)},
      {"calls_are_given_up", "yes", "LEA-DEADLINE-1", since(18), "ran v1.13.0; read v1.17.0, v1.18.0",
       sets(&Release::calls_are_given_up, true)},
      {"record_has_seconds", "no", "LEA-WRITE-1", since(20), "ran v1.13.0; read v1.19.0, v1.20.15",
       sets(&Release::record_has_seconds, false)},
      {"releases_lease", "yes", "LEA-RELEASE-1", since(22), "read v1.21.14, v1.22.0",
       sets(&Release::releases_lease, true)},
      {"lease_length_of_record", "yes", "LEA-EXPIRY-1", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::lease_length_of_record, true)},
      {"renews_without_reading", "yes", "LEA-RENEW-1", since(30), "read v1.29.6, v1.30.0",
       sets(&Release::renews_without_reading, true)},
      {"ticks_from_round", "yes", "LEA-DEADLINE-1", since(32), "read v1.31.0, v1.32.0; ran v1.34.4",
       sets(&Release::ticks_from_round, true)},
      {"release_reads_first", "yes", "LEA-RELEASE-1", since(34), "read v1.33.0, v1.34.0; ran v1.34.4",
       sets(&Release::release_reads_first, true)},
      {"release_is_repeated", "yes", "LEA-RELEASE-1", since(37), "read v1.36.3, v1.37.0; ran v1.37.2",
       sets(&Release::release_is_repeated, true)},

      // from v1.13.0 to the queue without hints
      {"ties_by_time", "yes", "QUE-SIMPLE-2", k_second_queue, k_read_second_queue,
       sets(&Release::ties_by_time, true)},
      {"leftover_after", "60 s", "QUE-SIMPLE-3", k_second_queue, k_read_second_queue,
       sets(&Release::leftover_after_ns, k_minute_ns)},
      {"every_node_update_moves", "no", "EVT-NODE-2", k_second_queue, k_read_second_queue,
       sets(&Release::every_node_update_moves, false)},
      {"nominations_follow_objects", "no", "NOM-OBJECT-1", k_second_queue, k_read_second_queue,
       sets(&Release::nominations_follow_objects, false)},
      {"pods_back_off", "yes", "QUE-SIMPLE-1", since(14), "read v1.13.12, v1.14.0; ran v1.13.0",
       sets(&Release::pods_back_off, true)},
      {"reason_of_failed_binding", "SchedulerError", "QUE-STATUS-4", since(14),
       "read v1.13.12, v1.14.0; ran v1.13.0, v1.29.6",
       sets(&Release::reason_of_failed_binding, "SchedulerError")},
      {"preempts_after_status", "no", "QUE-STATUS-1", since(18), "read v1.17.17, v1.18.0; ran v1.13.0",
       sets(&Release::preempts_after_status, false)},
      {"assumed_pod_is_dropped", "yes", "QUE-ASSUME-1", since(18), "read v1.17.17, v1.18.0; ran v1.13.0",
       sets(&Release::assumed_pod_is_dropped, true)},
      {"puts_back_beside_loop", "no", "QUE-LIMBO-1", since(19), "read v1.18.20, v1.19.0; ran v1.13.0",
       sets(&Release::puts_back_beside_loop, false)},
      {"sends_whole_status", "no", "QUE-STATUS-2", since(19), "read v1.18.20, v1.19.0; ran v1.13.0",
       sets(&Release::sends_whole_status, false)},
      {"assumed_updates_are_ignored", "yes", "EVT-POD-5", since(22), "read v1.21.14, v1.22.0; ran v1.13.0",
       sets(&Release::assumed_updates_are_ignored, true)},
      {"node_test_of_kubelet", "yes", "EVT-EARLY-3", since(22), "read v1.21.14, v1.22.0; ran v1.13.0",
       sets(&Release::node_test_of_kubelet, true)},
      {"forgotten_pod_is_event", "yes", "QUE-BIND-2", since(23), "read v1.22.17, v1.23.0; ran v1.13.0",
       sets(&Release::forgotten_pod_is_event, true)},
      {"reason_of_error",
       "SchedulerError",
       "QUE-STATUS-4",
       {{23, 12, 10}, {24, 5}, {25, 1}, {26, 0}},
       "read v1.22.17, v1.23.10, v1.23.12, v1.24.4, v1.24.5, v1.25.0, v1.25.1; ran v1.13.0, v1.29.6",
       sets(&Release::reason_of_error, "SchedulerError")},
      {"leftover_after", "5 min", "QUE-FLUSH-2", since(24), "read v1.23.17, v1.24.0",
       sets(&Release::leftover_after_ns, 5 * k_minute_ns)},
      {"cache_confirms_in_place", "no", "QUE-CACHE-3", since(26),
       "read v1.25.16, v1.26.0; ran v1.13.0, v1.29.6", sets(&Release::cache_confirms_in_place, false)},
      {"pods_have_gates", "yes", "QUE-GATE-1", since(27), "read v1.26.15, v1.27.0",
       sets(&Release::pods_have_gates, true)},

      // the queue without hints
      {"victim_gets_preemptor_status",
       "yes",
       "QUE-PREEMPT-4",
       {{28, 4}, {29, 0}},
       "read v1.28.3, v1.28.4, v1.29.0",
       sets(&Release::victim_gets_preemptor_status, true)},
      {"victim_gets_preemptor_status",
       "no",
       "QUE-PREEMPT-4",
       {{28, 14}, {29, 9}, {30, 5}, {31, 1}, {32, 0}},
       "read v1.28.13, v1.28.14, v1.29.8, v1.29.9, v1.30.4, v1.30.5, v1.31.0, v1.31.1",
       sets(&Release::victim_gets_preemptor_status, false)},
      {"no_rejectors_back_off", "yes", "QUE-NUMBER-2", since(29), "read v1.28.15, v1.29.0",
       sets(&Release::no_rejectors_back_off, true)},
      {"early_events", "one for each change of a node", "EVT-EARLY-4", since(30), "read v1.29.6, v1.30.14",
       sets(&Release::early_events, EarlyEvents::each_change)},
      {"early_events", "changes of labels apart", "EVT-EARLY-2", since(31), "read v1.30.14, v1.31.0",
       sets(&Release::early_events, EarlyEvents::labels_apart)},
      {"limits_are_rejections", "yes", "QUE-CYCLE-3", since(31),
       "read v1.30.14, v1.31.0; ran v1.29.6, v1.30.14, v1.31.0", sets(&Release::limits_are_rejections, true)},
      {"nominations_keep_pods", "no", "NOM-COUNT-1", since(31),
       "read v1.30.14, v1.31.0; ran v1.30.14, v1.31.0", sets(&Release::nominations_keep_pods, false)},

      // v1.32
      {"attempts_are_numbered", "no", "QUE-NUMBER-1", since(32), "read v1.31.14, v1.32.0; recorded v1.32.2",
       sets(&Release::attempts_are_numbered, false)},
      {"gone_victim_is_success", "yes", "QUE-PREEMPT-4", since(32),
       "read v1.31.14, v1.32.2; ran v1.31.0, v1.32.2", sets(&Release::gone_victim_is_success, true)},
      {"queueing_hints", "on", "EVT-HINT-1", since(32), "read v1.31.0, v1.32.0; recorded v1.32.2",
       sets(&Release::queueing_hints, true)},

      // v1.33
      {"pops_from_backoff", "yes", "QUE-POP-2", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::pops_from_backoff, true)},
      {"backoff_in_whole_seconds", "yes", "QUE-BACKOFF-3", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::backoff_in_whole_seconds, true)},
      {"first_move_ends_update", "yes", "QUE-UPDATE-2", since(33), "read v1.32.2, v1.33.13",
       sets(&Release::first_move_ends_update, true)},
      {"preempts_asynchronously", "yes", "QUE-PREEMPT-2", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::preempts_asynchronously, true)},
      {"nomination_end_is_event", "yes", "EVT-POD-3", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::nomination_end_is_event, true, &Release::binding_ends_nomination, true)},
      {"fit_hint_counts_nominated", "yes", "EVT-FIT-1", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::fit_hint_counts_nominated, true)},
      {"fit_hint_counts_scale_down", "yes", "EVT-FIT-2", since(33), "read v1.32.2, v1.33.13",
       sets(&Release::fit_hint_counts_scale_down, true)},
      {"affinity_hint_compares_nodes", "yes", "EVT-AFFINITY-4", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::affinity_hint_compares_nodes, true)},

      // v1.34
      {"errors_back_off_apart", "yes", "QUE-BACKOFF-2", since(34), "read v1.33.13, v1.34.0; recorded v1.34.4",
       sets(&Release::errors_back_off_apart, true)},
      {"gated_pods", "by registrations", "QUE-GATE-2", since(34), "recorded v1.33.13, v1.34.4",
       sets(&Release::gated_pods, GatedPods::by_registration)},
      {"preemption_hears_deletions", "yes", "EVT-PREEMPTION-1", since(34), "recorded v1.33.13, v1.34.4",
       sets(&Release::preemption_hears_deletions, true)},
      {"own_nomination_cleared_twice", "no", "NOM-PATCH-1", since(34), "recorded v1.33.13, v1.34.4",
       sets(&Release::own_nomination_cleared_twice, false)},
      {"calls_are_queued", "yes", "QUE-CALL-1", since(34), "read v1.33.13, v1.34.0",
       sets(&Release::calls_are_queued, true)},
      {"calls_are_queued",
       "no",
       "QUE-CALL-1",
       {{34, 2, 0}, {35, 0}},
       "read v1.34.0, v1.34.2, v1.35.4",
       sets(&Release::calls_are_queued, false)},

      // v1.35
      {"activation_passes_pre_enqueue", "yes", "QUE-ACTIVATE-1", since(35), "read v1.34.4, v1.35.4",
       sets(&Release::activation_passes_pre_enqueue, true)},
      {"terminating_victims_left_out", "yes", "QUE-PREEMPT-3", since(35), "recorded v1.34.4, v1.35.4",
       sets(&Release::terminating_victims_left_out, true)},
      {"gate_until_last_delete", "yes", "QUE-GATE-3", since(35), "recorded v1.34.4, v1.35.4",
       sets(&Release::gate_until_last_delete, true)},
      {"missing_victim_is_success", "yes", "QUE-PREEMPT-4", since(35), "read v1.34.4, v1.35.4",
       sets(&Release::missing_victim_is_success, true)},
      {"binding_clears_nomination", "yes", "EVT-STORE-3", since(35), "recorded v1.34.4, v1.35.4",
       sets(&Release::binding_clears_nomination, true)},
      {"binding_ends_nomination", "no", "EVT-POD-3", since(35), "recorded v1.34.4, v1.35.4",
       sets(&Release::binding_ends_nomination, false)},
      {"deleted_pod_leaves_cache", "yes", "EVT-POD-4", since(35), "recorded v1.34.4, v1.35.4",
       sets(&Release::deleted_pod_leaves_cache, true)},
      {"missing_pod_is_forgotten", "yes", "QUE-BIND-2", since(35), "read v1.34.4, v1.35.4",
       sets(&Release::missing_pod_is_forgotten, true)},

      // v1.36
      {"patch_conflict_repeats", "yes", "QUE-CALL-1", since(36), "recorded v1.32.2, v1.36.3; read v1.35.4",
       sets(&Release::patch_conflict_repeats, true)},
      {"rejectors_stay_at_pop", "yes", "QUE-POP-1", since(36), "read v1.35.4, v1.36.3",
       sets(&Release::rejectors_stay_at_pop, true)},
      {"put_back_compares_uid", "yes", "QUE-FAIL-2", since(36), "read v1.35.4, v1.36.3",
       sets(&Release::put_back_compares_uid, true)},
      {"affinity_hint_counts_nominated", "yes", "EVT-AFFINITY-1", since(36), "recorded v1.35.4, v1.36.3",
       sets(&Release::affinity_hint_counts_nominated, true)},

      // v1.37
      {"gated_pods", "by registrations, but for wildcards", "QUE-GATE-2", since(37),
       "recorded v1.36.3, v1.37.2", sets(&Release::gated_pods, GatedPods::but_wildcards)},
      {"leftover_time_restarts", "yes", "QUE-FLUSH-2", since(37), "read v1.36.3, v1.37.2",
       sets(&Release::leftover_time_restarts, true)},
      {"gated_pod_is_nominated", "yes", "NOM-ADD-1", since(37), "recorded v1.36.3, v1.37.2",
       sets(&Release::gated_pod_is_nominated, true)},
      {"own_updates_apart", "yes", "EVT-CHANGE-1", since(37), "read v1.36.3, v1.37.2",
       sets(&Release::own_updates_apart, true)},
      {"node_add_implies_taints", "no", "EVT-HINT-3", since(37), "recorded v1.36.3, v1.37.2",
       sets(&Release::node_add_implies_taints, false)},
      {"any_anti_affinity_term_wakes", "yes", "EVT-AFFINITY-3", since(37), "read v1.36.3, v1.37.2",
       sets(&Release::any_anti_affinity_term_wakes, true)},
  };
  return k_changes;
}

}  // namespace touchstone
