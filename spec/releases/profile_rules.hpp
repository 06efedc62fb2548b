#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/filters.hpp"
#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/scorers.hpp"

namespace touchstone {

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
  /// CYC-PROFILE-1: filters of which no PreFilter runs, and those of them that err without it.
  std::vector<Filter> prefilters_off;
  std::vector<Filter> filters_without_state;
  std::vector<Scorer> scorers_without_state;         ///< CYC-PROFILE-1: scorers that err without a PreScore
  bool preempts = true;                              ///< CYC-PROFILE-1
  std::vector<std::string> ignored_resources;        ///< CYC-PROFILE-2
  std::vector<std::string> ignored_resource_groups;  ///< CYC-PROFILE-2
  std::optional<std::vector<NodeSelectorTerm>> added_required_terms;  ///< CYC-PROFILE-2
  Quantity candidate_percentage = 10;                                 ///< CYC-PROFILE-3
  Quantity candidates_least = 100;                                    ///< CYC-PROFILE-3
};

}  // namespace touchstone
