#include "spec/releases/release.hpp"
#include "spec/releases/release_table.hpp"
#include "spec/vocabulary/scorer_sets.hpp"

/// The release table of the whole cycle: rows about the search for feasible nodes, the scores and the host.
/// release_table.cpp says how to read a row.
namespace touchstone {

namespace {

/// Init containers count in the requests that are scored.
std::vector<FirstPatch> with_init_containers() { return {{16, 10, 9}, {17, 6}, {18, 3}, {19, 0}}; }

}  // namespace

const std::vector<Change>& changes_of_scores() {
  static const std::vector<Change> k_changes = {
      {"scorers", "priority functions", "SCORE-SET-1", since(8), "read v1.8.0, v1.11.0",
       sets(&Release::scorers, k_first_priorities)},

      // v1.9
      {"one_node_is_scored", "no", "CYC-ONE-1", since(9), "read v1.8.0, v1.9.0",
       sets(&Release::one_node_is_scored, false)},
      {"taint_score_by_floats", "no", "SCORE-NORMAL-2", since(9), "read v1.8.0, v1.9.0; recorded v1.13.0",
       sets(&Release::taint_score_by_floats, false)},
      {"zones_without_pods_break", "no", "SCORE-SELECTOR-3", since(9), "read v1.8.0, v1.8.15, v1.9.0",
       sets(&Release::zones_without_pods_break, false)},

      // v1.12
      {"search_share", "half of the nodes", "CYC-SEARCH-1", since(12), "read v1.11.0, v1.12.0; ran v1.13.0",
       sets(&Release::search_share, SearchShare::half)},
      {"nodes_by_zone", "yes", "CYC-ORDER-1", since(12), "read v1.11.0, v1.12.0; ran v1.13.0",
       sets(&Release::nodes_by_zone, true)},
      {"host_choice", "in turn, in the order of the search", "CYC-HOST-2", since(12),
       "read v1.11.0, v1.12.0; recorded v1.13.0", sets(&Release::host_choice, HostChoice::in_turn)},
      {"scorers", "and ImageLocality", "SCORE-SET-1", since(12), "read v1.11.0, v1.12.0; recorded v1.13.0",
       sets(&Release::scorers, k_priorities_with_images)},

      // v1.14 to v1.17
      {"search_share", "adaptive", "CYC-SEARCH-1", since(14), "read v1.13.0, v1.14.0",
       sets(&Release::search_share, SearchShare::adaptive)},
      {"several_selectors", "all have to match", "SCORE-SELECTOR-1", since(14), "read v1.13.0, v1.14.0",
       sets(&Release::several_selectors, SeveralSelectors::all_match)},
      {"host_choice", "any", "CYC-HOST-3", since(16), "read v1.15.0, v1.16.0; recorded v1.29.6",
       sets(&Release::host_choice, HostChoice::any)},
      {"scored_requests", "of init containers too", "SCORE-REQUESTS-2", with_init_containers(),
       "read v1.16.0, v1.16.15, v1.17.0, v1.17.17, v1.18.0, v1.18.20",
       sets(&Release::scored_requests_on_node, ScoredRequests::largest_init,
            &Release::scored_requests_of_preemptor, ScoredRequests::largest_init)},
      {"highest_score", "100", "SCORE-SET-2", since(17), "read v1.16.0, v1.17.0",
       sets(&Release::highest_score, 100)},
      {"zone_key_has_stable_labels", "yes", "CYC-ORDER-1", since(17), "read v1.16.0, v1.17.0",
       sets(&Release::zone_key_has_stable_labels, true)},
      {"dropped_node_moves_start", "no", "CYC-SEARCH-4", since(17), "read v1.16.0, v1.17.0; ran v1.13.0",
       sets(&Release::dropped_node_moves_start, false)},
      {"several_selectors", "merged", "SCORE-SELECTOR-1", since(17), "read v1.16.0, v1.17.0",
       sets(&Release::several_selectors, SeveralSelectors::merged)},

      // v1.18
      {"scorers", "plug-ins, with PodTopologySpread", "SCORE-SET-1", since(18), "read v1.17.0, v1.18.0",
       sets(&Release::scorers, k_first_plugins)},
      {"own_overhead_in_cores", "yes", "SCORE-REQUESTS-3", since(18), "read v1.17.0, v1.18.0",
       sets(&Release::own_overhead_in_cores, true)},
      {"selector_spread_without_constraints", "yes", "SCORE-SELECTOR-1", since(18), "read v1.17.0, v1.18.0",
       sets(&Release::selector_spread_without_constraints, true)},

      // v1.19
      {"scorers", "PodTopologySpread twice", "SCORE-SET-1", since(19), "read v1.18.0, v1.19.0",
       sets(&Release::scorers, k_plugins_with_selector_spread)},
      {"spread_score_by_domains", "yes", "SCORE-SPREAD-6", since(19), "read v1.18.0, v1.19.0",
       sets(&Release::spread_score_by_domains, true)},
      {"image_threshold_by_containers", "yes", "SCORE-IMAGE-2", since(19), "read v1.18.0, v1.19.0",
       sets(&Release::image_threshold_by_containers, true)},

      // v1.20
      {"scorers", "without SelectorSpread", "SCORE-SET-1", since(20), "read v1.19.0, v1.20.0",
       sets(&Release::scorers, k_plugins_with_default_spread)},
      {"system_constraints", "yes", "SCORE-SPREAD-2", since(20), "read v1.19.0, v1.20.0",
       sets(&Release::system_constraints, true)},
      {"system_constraints_need_all_keys", "yes", "SCORE-SPREAD-3", since(20), "read v1.20.0",
       sets(&Release::system_constraints_need_all_keys, true)},
      {"system_constraints_need_all_keys",
       "no",
       "SCORE-SPREAD-3",
       {{20, 15, 13}, {21, 8}, {22, 5}, {23, 0}},
       "read v1.20.15, v1.21.7, v1.21.8, v1.22.4, v1.22.5, v1.23.0",
       sets(&Release::system_constraints_need_all_keys, false)},
      {"preferred_fields_count", "yes", "SCORE-NODEAFFINITY-1", since(20),
       "read v1.19.0, v1.20.0; recorded v1.13.0, v1.29.6", sets(&Release::preferred_fields_count, true)},

      // v1.21 and v1.22
      {"most_allocated_is_capped",
       "yes",
       "SCORE-STRATEGY-2",
       {{19, 13}, {20, 9}, {21, 3}, {22, 0}},
       "read v1.19.12, v1.19.13, v1.20.8, v1.20.9, v1.21.2, v1.21.3, v1.22.0; kubernetes#102925",
       sets(&Release::most_allocated_is_capped, true)},
      {"affinity_score_from_zero", "no", "SCORE-AFFINITY-3", since(21),
       "read v1.20.0, v1.21.0; recorded v1.13.0, v1.29.6", sets(&Release::affinity_score_from_zero, false)},
      {"start", "of the list that was searched", "CYC-SEARCH-4", since(21), "read v1.20.0, v1.21.0",
       sets(&Release::start_wraps_at_list, true, &Release::nominated_node_resets_start, true)},
      {"scorers", "without NodePreferAvoidPods", "SCORE-SET-1", since(22), "read v1.21.0, v1.22.0",
       sets(&Release::scorers, k_plugins_with_fit)},
      {"absent_resources_left_out", "yes", "SCORE-LEAST-1", since(22), "read v1.21.0, v1.22.0",
       sets(&Release::absent_resources_left_out, true)},
      {"balance", "the deviation of the shares", "SCORE-BALANCED-2", since(22),
       "read v1.21.0, v1.22.0; recorded v1.13.0, v1.29.6", sets(&Release::balance, Balance::deviation)},
      {"selectors_of_controller_alone", "yes", "SCORE-SELECTOR-2", since(22), "read v1.21.0, v1.22.0",
       sets(&Release::selectors_of_controller_alone, true)},
      {"balance_by_real_requests",
       "yes",
       "SCORE-BALANCED-3",
       {{22, 4}, {23, 0}},
       "read v1.22.3, v1.22.4, v1.23.0",
       sets(&Release::balance_by_real_requests, true)},

      // v1.23 to v1.28
      {"scorers", "with heavier weights, and VolumeBinding", "SCORE-SET-1", since(23),
       "read v1.22.0, v1.23.0; recorded v1.29.6", sets(&Release::scorers, k_heavier_plugins)},
      {"spread_score_rounded", "yes", "SCORE-SPREAD-6", since(24), "read v1.23.0, v1.24.0",
       sets(&Release::spread_score_rounded, true)},
      {"nominated_node_resets_start", "no", "CYC-SEARCH-4", since(25), "read v1.24.0, v1.25.0",
       sets(&Release::nominated_node_resets_start, false)},
      {"start_wraps_at_list",
       "no",
       "CYC-SEARCH-4",
       {{27, 15}, {28, 11}, {29, 6}, {30, 2}, {31, 0}},
       "read v1.27.13, v1.27.16, v1.28.9, v1.29.5, v1.29.6, v1.30.1; kubernetes#124933",
       sets(&Release::start_wraps_at_list, false)},
      {"scored_requests", "of the preemptor, as for the filter", "SCORE-REQUESTS-2", since(27),
       "read v1.26.0, v1.27.0; recorded v1.29.6",
       sets(&Release::scored_requests_of_preemptor, ScoredRequests::whole_pod)},
      {"own_overhead_in_cores", "no", "SCORE-REQUESTS-3", since(27),
       "read v1.26.0, v1.27.0; recorded v1.29.6", sets(&Release::own_overhead_in_cores, false)},
      {"scored_requests", "of sidecars at the start of the pod", "SCORE-REQUESTS-2", since(28),
       "read v1.27.0, v1.28.0; recorded v1.29.6, v1.32.2",
       sets(&Release::scored_requests_on_node, ScoredRequests::sidecars_only_at_start)},
      {"spread_score_may_be_skipped", "yes", "SCORE-SPREAD-7", since(28), "read v1.27.0, v1.28.0",
       sets(&Release::spread_score_may_be_skipped, true)},
      {"affinity_score_may_be_skipped", "yes", "SCORE-AFFINITY-4", since(28), "read v1.27.0, v1.28.0",
       sets(&Release::affinity_score_may_be_skipped, true)},

      // v1.30 to v1.33
      {"one_node_without_scorers", "yes", "CYC-SEARCH-3", since(30), "read v1.29.0, v1.30.0; ran v1.30.14",
       sets(&Release::one_node_without_scorers, true)},
      {"images_of_init_containers", "yes", "SCORE-IMAGE-1", since(30),
       "read v1.29.0, v1.30.0; recorded v1.29.6, v1.30.14", sets(&Release::images_of_init_containers, true)},
      {"node_affinity_score_may_be_skipped", "yes", "SCORE-NODEAFFINITY-2", since(30),
       "read v1.29.0, v1.30.0; recorded v1.29.6, v1.30.14",
       sets(&Release::node_affinity_score_may_be_skipped, true)},
      {"storage_score_may_be_skipped", "yes", "SCORE-CAPACITY-1", since(30),
       "recorded v1.29.6, v1.30.14; read v1.29.0, v1.30.0",
       sets(&Release::storage_score_may_be_skipped, true)},
      {"scored_requests", "of other pods, as for the filter", "SCORE-REQUESTS-2", since(32),
       "read v1.31.0, v1.32.0; recorded v1.31.0, v1.32.2",
       sets(&Release::scored_requests_on_node, ScoredRequests::whole_pod)},
      {"balance_may_be_skipped", "yes", "SCORE-BALANCED-4", since(33), "recorded v1.32.2, v1.33.13",
       sets(&Release::balance_may_be_skipped, true)},

      // v1.35 to v1.37
      {"host_choice", "the root of a heap", "CYC-HOST-4", since(35),
       "recorded v1.34.4, v1.35.4; read v1.35.0", sets(&Release::host_choice, HostChoice::heap_root)},
      {"scorers", "and DynamicResources", "SCORE-SET-1", since(35), "read v1.34.4, v1.35.0",
       sets(&Release::scorers, k_plugins_with_claims)},
      {"balance", "the change that the pod makes", "SCORE-BALANCED-5", since(36),
       "recorded v1.35.4, v1.36.3; read v1.36.0", sets(&Release::balance, Balance::change_by_pod)},
      {"images_of_volumes", "yes", "SCORE-IMAGE-1", since(36), "recorded v1.35.4, v1.36.3",
       sets(&Release::images_of_volumes, true)},
      {"image_threshold_by_volumes", "yes", "SCORE-IMAGE-2", since(37), "recorded v1.36.3, v1.37.2",
       sets(&Release::image_threshold_by_volumes, true)},
      {"storage_is_scored", "yes", "SCORE-CAPACITY-1", since(37), "recorded v1.36.3, v1.37.2; read v1.37.0",
       sets(&Release::storage_is_scored, true)},
  };
  return k_changes;
}

}  // namespace touchstone
