#pragma once

#include <array>
#include <cstddef>
#include <string_view>

/// Classes of behaviour: what a decided case can show, besides the clauses that its trace cites. A generator
/// is judged by how many of them its cases show (fuzz/behaviour/quality.hpp).
namespace touchstone::fuzz {

/// The classes, in the order of the steps of a decision.
enum class Class {
  // The outcome.
  fits,
  ineligible,
  none,
  nominated,
  error,
  skipped,
  // The pods of the cluster.
  pod_that_has_ended,
  pod_on_unknown_node,
  preemptor_is_listed,
  nomination_to_unknown_node,
  nominated_pod_counted,
  nominated_pod_in_the_way,
  lower_nomination_unseen,
  pod_of_equal_priority,
  terminating_pod,
  // What the filters find.
  rejected_by_a_filter,
  predicates_report_together,
  first_reason_alone,
  nodes_excluded,
  no_node_excluded,
  nodes_excluded_by_node_name,
  named_node_is_pinned,
  unknown_pinned_name,
  taint_tolerated,
  cordon_tolerated,
  soft_taint_ignored,
  operator_in,
  operator_not_in,
  operator_exists,
  operator_does_not_exist,
  operator_greater,
  operator_less,
  invalid_requirement,
  match_fields,
  feature_declared,
  reason_by_chance,
  port_beside_a_port,
  port_keeps_a_pod_from_staying,
  port_held_twice,
  port_of_a_sidecar,
  short_of_memory,
  short_of_ephemeral_storage,
  short_of_an_extended_resource,
  short_of_hugepages,
  short_of_several,
  off_by_one,
  exact_fit_after_eviction,
  // What pods request.
  several_containers,
  init_container,
  init_container_not_counted,
  init_container_beside_a_sidecar,
  sidecar_counted,
  overhead_counted,
  overhead_ignored,
  pod_level_request_counted,
  pod_level_request_ignored,
  resize_counted,
  resize_ignored,
  resize_infeasible,
  resize_of_the_pod,
  totals_of_the_pod,
  totals_of_containers,
  allocation_alone_counts,
  empty_map_counts,
  map_is_absent,
  resource_not_requested,
  name_that_does_not_count,
  // Whether the pod may preempt.
  never,
  never_ignored,
  waits,
  does_not_wait_for_what_others_end,
  // The search.
  no_potential_node,
  no_candidate,
  all_nodes_searched,
  search_starts_further_on,
  search_goes_round,
  search_ends_early,
  offset_without_meaning,
  beyond_a_hundred_potential_nodes,
  // The victims.
  one_victim,
  two_victims,
  three_or_more_victims,
  pod_reprieved,
  violating_pod_reprieved,
  pod_reprieved_after_a_victim,
  start_decides_who_stays,
  list_decides_who_stays,
  unstarted_pods_alike,
  victim_is_terminating,
  victim_of_another_namespace,
  first_victim_is_not_the_highest,
  // The budgets.
  violating_and_other_pods,
  several_pdbs_on_one_pod,
  budget_spent_by_another_pod,
  budget_below_zero,
  disrupted_pod_exempt,
  disrupted_pod_counts,
  empty_selector_matches,
  empty_selector_ignored,
  pdb_without_selector,
  pdb_with_invalid_selector,
  pdb_of_another_namespace,
  pdbs_ignored,
  violation_accepted,
  several_violations,
  // The choice.
  only_candidate,
  decided_by_violations,
  decided_by_first_priority,
  decided_by_sum,
  decided_by_count,
  decided_by_start,
  more_victims_win,
  unstarted_wins,
  tie_of_two,
  tie_of_several,
  // The nominations.
  own_nomination_renewed,
  own_nomination_moved,
  own_nomination_kept,
  own_nomination_cleared,
  lower_nomination_cleared,
  lower_nomination_kept,
  // The message.
  message_counts_reasons,
  message_without_candidate,
  message_of_excluded_nodes,
  message_of_a_rejection,
  message_of_the_ineligible,
  message_of_the_nominated,
  message_of_an_error,
  message_with_two_full_stops,
  message_of_claims,
  message_cut,
};

struct ClassInfo {
  std::string_view name;
  std::string_view clause = {};  ///< the clause that the class shows, if no step of a trace cites it
};

inline constexpr std::size_t k_classes = static_cast<std::size_t>(Class::message_cut) + 1;

/// Name and clause of each class, in the order of the enumeration.
extern const std::array<ClassInfo, k_classes> k_class_infos;

}  // namespace touchstone::fuzz
