#pragma once

#include <string_view>

/// The switches of what only a Policy can run. They are part of a Release (release.hpp).
namespace touchstone {

struct PolicyRules {
  bool policy_runs_plugins = false;                                      ///< POL-PLUGIN-1
  bool known_names_lose_arguments = false;                               ///< POL-PLUGIN-2
  bool doubled_plugins_are_refused = false;                              ///< POL-REFUSED-2
  bool plugins_have_default_arguments = true;                            ///< POL-REFUSED-2
  bool policy_preempts = true;                                           ///< POL-PREEMPT-1
  bool all_predicates_can_run = false;                                   ///< POL-ALL-1
  bool ratio_of_positive_scores = false;                                 ///< POL-RATIO-1
  bool ratio_has_default_resources = true;                               ///< POL-RATIO-1
  bool ratio_of_used_part = false;                                       ///< POL-RATIO-1
  bool services_spread_alone = true;                                     ///< POL-SPREAD-1
  bool pods_of_all_nodes_apart = true;                                   ///< POL-APART-1
  std::string_view selector_spread_plugin = "DefaultPodTopologySpread";  ///< POL-PLUGIN-1
  std::string_view text_node_label = "CheckNodeLabelPresence";
  std::string_view text_service_affinity = "CheckServiceAffinity";
};

}  // namespace touchstone
