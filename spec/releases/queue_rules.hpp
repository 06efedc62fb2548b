#pragma once

#include <string_view>

#include "spec/vocabulary/quantity.hpp"

/// The switches of a scheduler over time: its queue, the events that wake pods, nominations, and the calls of
/// preemption and binding. They are part of a Release (release.hpp).
namespace touchstone {

/// QUE-GATE-2: which gated pods a move request passes over. `by_scheduling_gates`: those with scheduling
/// gates. `by_registration`: those whose gating plug-in did not register the event. `but_wildcards`: the
/// same, but a wildcard event passes over no pod.
enum class GatedPods { by_scheduling_gates, by_registration, but_wildcards };

/// EVT-EARLY-1 to EVT-EARLY-4: the events of releases without hints. `first_change`: a changed node is one
/// event. `each_change`: it is one for each change. `labels_apart`: so is a changed pod.
enum class EarlyEvents { first_change, each_change, labels_apart };

/// The queue. The initial values are those of v1.13.0.
struct QueueRules {
  bool pods_back_off = false;                  ///< QUE-SIMPLE-1
  bool ties_by_time = false;                   ///< QUE-SIMPLE-2
  Quantity leftover_after_ns = 0;              ///< QUE-FLUSH-2, QUE-SIMPLE-3; 0: there is no such timer
  bool pods_have_gates = false;                ///< QUE-GATE-1
  bool puts_back_beside_loop = true;           ///< QUE-LIMBO-1
  bool assumed_pod_is_dropped = false;         ///< QUE-POP-3, QUE-ASSUME-1
  bool attempts_are_numbered = true;           ///< QUE-NUMBER-1: no list of pods in flight and of events
  bool no_rejectors_back_off = false;          ///< QUE-NUMBER-2
  bool limits_are_rejections = false;          ///< QUE-CYCLE-3
  bool pops_from_backoff = false;              ///< QUE-POP-2, QUE-GATE-1
  bool backoff_in_whole_seconds = false;       ///< QUE-BACKOFF-3
  bool errors_back_off_apart = false;          ///< QUE-BACKOFF-2
  bool rejectors_stay_at_pop = false;          ///< QUE-POP-1
  bool activation_passes_pre_enqueue = false;  ///< QUE-ACTIVATE-1
  bool first_move_ends_update = false;         ///< QUE-UPDATE-2
  GatedPods gated_pods = GatedPods::by_scheduling_gates;
  bool leftover_time_restarts = false;          ///< QUE-FLUSH-2
  bool put_back_compares_uid = false;           ///< QUE-FAIL-2
  bool cache_confirms_in_place = true;          ///< QUE-CACHE-3
  bool nominations_follow_objects = true;       ///< NOM-OBJECT-1, NOM-OBJECT-2
  bool nominations_keep_pods = true;            ///< NOM-COUNT-1
  Quantity initial_backoff_ns = 1'000'000'000;  ///< QUE-BACKOFF-1, of the configuration
  Quantity longest_backoff_ns = 10'000'000'000;
};

/// The preemption and the binding of a pod, as sequences of calls.
struct CallRules {
  bool preempts_after_status = true;                              ///< QUE-STATUS-1, QUE-STATUS-3
  bool sends_whole_status = true;                                 ///< QUE-STATUS-2
  std::string_view reason_of_error = "Unschedulable";             ///< QUE-STATUS-4, QUE-CYCLE-3
  std::string_view reason_of_failed_binding = "BindingRejected";  ///< QUE-STATUS-4, QUE-BIND-2
  bool forgotten_pod_is_event = false;                            ///< QUE-BIND-2
  bool patch_conflict_repeats = false;        ///< QUE-CALL-1
  bool calls_are_queued = false;              ///< QUE-CALL-1: calls are merged in a queue (not modelled)
  bool preempts_asynchronously = false;       ///< QUE-PREEMPT-1, QUE-PREEMPT-2
  bool terminating_victims_left_out = false;  ///< QUE-PREEMPT-3
  bool gate_until_last_delete = false;        ///< QUE-GATE-3
  bool gone_victim_is_success = false;        ///< QUE-PREEMPT-4: for its deletion
  bool missing_victim_is_success = false;     ///< QUE-PREEMPT-4: for its patch
  bool victim_gets_preemptor_status = false;  ///< QUE-PREEMPT-4
  bool own_nomination_cleared_twice = true;   ///< NOM-PATCH-1
  bool binding_clears_nomination = false;     ///< EVT-STORE-3
  bool deleted_pod_leaves_cache = false;      ///< EVT-POD-4
  bool missing_pod_is_forgotten = false;      ///< QUE-BIND-2
  bool rejection_names_plugin = false;        ///< QUE-PERMIT-3
  bool waiting_pod_is_nominated = false;      ///< QUE-PERMIT-1
  bool preempted_wait_is_error = false;       ///< QUE-PERMIT-4
  bool late_verdict_is_refused = false;       ///< QUE-PERMIT-5
  bool last_victim_is_spared = false;         ///< QUE-PERMIT-4, QUE-PREEMPT-2
  bool rejection_activates = false;           ///< QUE-PERMIT-7
  bool gangs_wait = false;                    ///< QUE-GANG-1
  bool groups_are_scheduled = false;          ///< QUE-GROUP-2
  bool groups_are_queued = false;             ///< QUE-ENTITY-1: of releases that schedule groups
};

/// The events, and the hints of plug-ins about them.
struct EventRules {
  bool every_node_update_moves = true;          ///< EVT-NODE-2
  bool node_test_of_kubelet = false;            ///< EVT-EARLY-3
  bool assumed_updates_are_ignored = false;     ///< EVT-POD-4, EVT-POD-5
  bool new_scheduler_name_counts = true;        ///< EVT-POD-1
  bool queueing_hints = false;                  ///< EVT-HINT-1, EVT-EARLY-1 to EVT-EARLY-4
  EarlyEvents early_events = EarlyEvents::first_change;  ///< EVT-EARLY-1, EVT-EARLY-2, EVT-EARLY-4
  bool nomination_end_is_event = false;         ///< EVT-POD-3
  bool binding_ends_nomination = false;         ///< EVT-POD-3
  bool gated_pod_is_nominated = false;          ///< NOM-ADD-1
  bool own_updates_apart = false;               ///< EVT-CHANGE-1
  bool node_add_implies_taints = true;          ///< EVT-HINT-3
  bool fit_hint_counts_nominated = false;       ///< EVT-FIT-1, EVT-PORTS-1
  bool fit_hint_counts_scale_down = false;      ///< EVT-FIT-2
  bool affinity_hint_compares_nodes = false;    ///< EVT-AFFINITY-4
  bool affinity_hint_counts_nominated = false;  ///< EVT-AFFINITY-1, EVT-SPREAD-1
  bool any_anti_affinity_term_wakes = false;    ///< EVT-AFFINITY-2, EVT-AFFINITY-3
  bool preemption_hears_deletions = false;      ///< EVT-PREEMPTION-1
};

/// Leader election of the scheduler. The initial values are those of v1.13.
struct ElectionRules {
  bool lease_length_of_record = false;    ///< LEA-EXPIRY-1
  bool renews_without_reading = false;    ///< LEA-RENEW-1
  bool releases_lease = false;            ///< LEA-RELEASE-1
  bool unseen_empty_holder_waits = true;  ///< LEA-EXPIRY-1
  bool tries_once_more = true;            ///< LEA-DEADLINE-1
  bool own_write_is_compared = true;      ///< LEA-SEEN-1
  bool calls_are_given_up = false;        ///< LEA-DEADLINE-1
  bool record_has_seconds = true;         ///< LEA-WRITE-1
  bool ticks_from_round = false;          ///< LEA-DEADLINE-1
  bool release_reads_first = false;       ///< LEA-RELEASE-1
  bool release_is_repeated = false;       ///< LEA-RELEASE-1
};

}  // namespace touchstone
