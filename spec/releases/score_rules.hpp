#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/filters.hpp"
#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/scorers.hpp"

/// The switches of the whole cycle: the search for feasible nodes, the scores and the host. They are part of
/// a Release (release.hpp).
namespace touchstone {

/// CYC-SEARCH-1: how many feasible nodes the search finds before it stops, as a share of all nodes
enum class SearchShare { every_node, half, adaptive };
/// CYC-HOST-1 to CYC-HOST-4: the host among the nodes with the highest total. `last_name_in_turn`: the nodes
/// are sorted by name, backwards, and a counter says which one is next. `in_turn`: the same in the order of
/// the search.
enum class HostChoice { last_name_in_turn, in_turn, any, heap_root };

/// SCORE-REQUESTS-2: how the requests of a pod's containers add up for its scores. `largest_init`: or the
/// largest init container, if that is more. `sidecars_only_at_start`: sidecars add up among the init
/// containers, not beside the containers. `whole_pod`: as for the filter.
enum class ScoredRequests { containers, largest_init, sidecars_only_at_start, whole_pod };
/// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5: what BalancedAllocation computes
enum class Balance { distance, deviation, change_by_pod };
/// SCORE-SELECTOR-1: when several selectors of Services and controllers select the pod
enum class SeveralSelectors { any_matches, all_match, merged };

/// The search for feasible nodes, the totals and the host.
struct CycleRules {
  SearchShare search_share = SearchShare::every_node;
  bool nodes_by_zone = false;               ///< CYC-ORDER-1
  bool zone_key_has_stable_labels = false;  ///< CYC-ORDER-1
  bool one_node_is_scored = true;           ///< CYC-ONE-1
  bool one_node_without_scorers = false;    ///< CYC-SEARCH-3
  bool dropped_node_moves_start = true;     ///< CYC-SEARCH-4
  bool nominated_node_resets_start = false;  ///< CYC-SEARCH-4
  bool start_wraps_at_list = false;          ///< CYC-SEARCH-4
  HostChoice host_choice = HostChoice::last_name_in_turn;
};

/// The scores.
struct ScoreRules {
  Quantity highest_score = 10;        ///< SCORE-SET-2
  bool taint_score_by_floats = true;  ///< SCORE-NORMAL-2
  ScoredRequests scored_requests_on_node = ScoredRequests::containers;
  ScoredRequests scored_requests_of_preemptor = ScoredRequests::containers;
  bool own_overhead_in_cores = false;      ///< SCORE-REQUESTS-3
  bool absent_resources_left_out = false;  ///< SCORE-LEAST-1
  bool most_allocated_is_capped = false;   ///< SCORE-STRATEGY-2
  Balance balance = Balance::distance;
  bool balance_by_real_requests = false;            ///< SCORE-BALANCED-3
  bool balance_may_be_skipped = false;              ///< SCORE-BALANCED-4
  bool preferred_fields_count = false;              ///< SCORE-NODEAFFINITY-1
  bool node_affinity_score_may_be_skipped = false;  ///< SCORE-NODEAFFINITY-2
  bool image_threshold_by_containers = false;       ///< SCORE-IMAGE-2
  bool images_of_init_containers = false;           ///< SCORE-IMAGE-1, SCORE-IMAGE-2
  bool images_of_volumes = false;                   ///< SCORE-IMAGE-1
  bool image_threshold_by_volumes = false;          ///< SCORE-IMAGE-2
  bool spread_score_by_domains = false;             ///< SCORE-SPREAD-5, SCORE-SPREAD-6
  bool spread_score_rounded = false;                ///< SCORE-SPREAD-6
  bool spread_score_may_be_skipped = false;         ///< SCORE-SPREAD-7
  bool system_constraints = false;                  ///< SCORE-SPREAD-2
  bool system_constraints_need_all_keys = false;    ///< SCORE-SPREAD-3
  SeveralSelectors several_selectors = SeveralSelectors::any_matches;
  bool selectors_of_controller_alone = false;        ///< SCORE-SELECTOR-2
  bool selector_spread_without_constraints = false;  ///< SCORE-SELECTOR-1
  bool zones_without_pods_break = true;              ///< SCORE-SELECTOR-3
  bool affinity_score_from_zero = true;              ///< SCORE-AFFINITY-3
  bool affinity_score_may_be_skipped = false;        ///< SCORE-AFFINITY-4
  bool storage_is_scored = false;                    ///< SCORE-CAPACITY-1
  bool storage_score_may_be_skipped = false;         ///< SCORE-CAPACITY-1
};

/// The labels that a Policy requires of nodes. POL-LABELS-1.
struct RequiredLabels {
  std::vector<std::string> labels;
  bool presence = false;  ///< whether nodes must have them, or must not

  bool operator==(const RequiredLabels&) const = default;
};

/// What a scheduler's configuration sets. The release table and the initial values give the defaults.
struct ProfileRules {
  std::vector<WeightedScorer> scorers;          ///< SCORE-SET-1
  std::optional<Quantity> percentage_of_nodes;  ///< CYC-SEARCH-1; none: the release's own share
  FitStrategy fit_strategy = FitStrategy::least_allocated;
  std::vector<ScoredResource> fit_resources = {{"cpu", 1}, {"memory", 1}};       ///< SCORE-STRATEGY-1
  std::vector<ShapePoint> fit_shape;                                             ///< SCORE-STRATEGY-3
  std::vector<ScoredResource> balanced_resources = {{"cpu", 1}, {"memory", 1}};  ///< SCORE-STRATEGY-1
  Quantity hard_pod_affinity_weight = 1;                                         ///< SCORE-AFFINITY-1
  bool ignores_preferred_terms_of_others = false;                                ///< SCORE-AFFINITY-1
  std::vector<TopologySpreadConstraint>
      default_constraints;                               ///< SCORE-SPREAD-2: of a list in the configuration
  std::vector<PreferredNodeTerm> added_preferred_terms;  ///< SCORE-NODEAFFINITY-3
  std::vector<ShapePoint> storage_shape = {{0, 10}, {100, 0}};  ///< SCORE-CAPACITY-1
  /// CYC-PROFILE-1: the PreFilters in their order; those that never reject a pod may be missing.
  std::vector<Filter> prefilters = {Filter::node_name, Filter::node_affinity, Filter::volume_restrictions,
                                    Filter::volume_binding, Filter::volume_zone};
  std::vector<Filter> prefilters_after_claims;  ///< PRE-PREFILTER-6: those that run after DynamicResources
  /// CYC-PROFILE-1: filters of which no PreFilter runs, and those of them that err without it.
  std::vector<Filter> prefilters_off;
  std::vector<Filter> filters_without_state;
  std::vector<Scorer> scorers_without_state;         ///< CYC-PROFILE-1: scorers that err without a PreScore
  std::string prescore_error;                        ///< CYC-PROFILE-1: of a PreScore without a PreFilter
  bool claims_after_preemption = false;              ///< CYC-PROFILE-1: the order at postFilter
  bool balance_prescore_off = false;                 ///< CYC-PROFILE-1, SCORE-BALANCED-4
  bool preempts = true;                              ///< CYC-PROFILE-1
  std::vector<std::string> ignored_resources;        ///< CYC-PROFILE-2
  std::vector<std::string> ignored_resource_groups;  ///< CYC-PROFILE-2
  std::optional<std::vector<NodeSelectorTerm>> added_required_terms;  ///< CYC-PROFILE-2
  std::string unmodelled_gate;  ///< CYC-GATES-1: a feature gate that is set, and whose effect is not modelled
  Quantity candidate_percentage = 10;                                 ///< CYC-PROFILE-3
  Quantity candidates_least = 100;                                    ///< CYC-PROFILE-3
  bool checks_all_filters = false;                                    ///< POL-ALL-1
  std::vector<RequiredLabels> required_labels;                        ///< POL-LABELS-1
  std::vector<std::vector<std::string>> service_affinities;           ///< POL-SERVICE-1: labels of nodes
  std::vector<Extender> extenders;  ///< EXT-ORDER-1: in configured order, without answers
};

}  // namespace touchstone
