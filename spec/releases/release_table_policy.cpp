#include "spec/releases/release.hpp"
#include "spec/releases/release_table.hpp"

/// The release table of what only a Policy can run. release_table.cpp says how to read a row.
namespace touchstone {

const std::vector<Change>& changes_of_policy() {
  static const std::vector<Change> k_changes = {
      {"services_spread_alone", "no", "POL-SPREAD-1", since(9), "read v1.8.0, v1.9.0",
       sets(&Release::services_spread_alone, false)},
      {"pods_of_all_nodes_apart", "no", "POL-APART-1", since(10), "read v1.9.0, v1.10.0",
       sets(&Release::pods_of_all_nodes_apart, false)},
      {"texts of a Policy's filters", "in words", "POL-LABELS-1", since(10), "read v1.9.0, v1.10.0",
       sets(&Release::text_node_label, "node(s) didn't have the requested labels",
            &Release::text_service_affinity, "node(s) didn't match service affinity")},
      {"all_predicates_can_run", "yes", "POL-ALL-1", since(10), "read v1.9.0, v1.10.0",
       sets(&Release::all_predicates_can_run, true)},
      {"ratio_of_positive_scores", "yes", "POL-RATIO-1", since(16), "read v1.15.12, v1.16.0",
       sets(&Release::ratio_of_positive_scores, true)},

      // v1.17 and v1.18
      {"policy_runs_plugins", "yes", "POL-PLUGIN-1", since(17), "read v1.16.15, v1.17.0, v1.17.17",
       sets(&Release::policy_runs_plugins, true)},
      {"doubled_plugins_are_refused", "yes", "POL-REFUSED-2", since(17), "read v1.16.15, v1.17.0, v1.17.17",
       sets(&Release::doubled_plugins_are_refused, true)},
      {"all_predicates_can_run", "no", "POL-ALL-1", since(17), "read v1.16.15, v1.17.0, v1.17.17",
       sets(&Release::all_predicates_can_run, false)},
      {"all_predicates_can_run", "yes", "POL-ALL-1", since(18), "read v1.17.17, v1.18.0, v1.18.20",
       sets(&Release::all_predicates_can_run, true)},
      {"known_names_lose_arguments", "yes", "POL-PLUGIN-2", since(18), "read v1.17.17, v1.18.0, v1.18.20",
       sets(&Release::known_names_lose_arguments, true)},

      // v1.19 to v1.22
      {"policy_preempts", "no", "POL-PREEMPT-1", since(19), "read v1.18.20, v1.19.0, v1.19.4",
       sets(&Release::policy_preempts, false)},
      {"policy_preempts",
       "yes",
       "POL-PREEMPT-1",
       {{19, 5}, {20, 0}},
       "read v1.19.4, v1.19.5, v1.20.0; kubernetes#96472",
       sets(&Release::policy_preempts, true)},
      {"selector_spread_plugin", "SelectorSpread", "POL-PLUGIN-1", since(19), "read v1.18.20, v1.19.0",
       sets(&Release::selector_spread_plugin, "SelectorSpread")},
      {"ratio_has_default_resources", "no", "POL-RATIO-1", since(19), "read v1.18.20, v1.19.0, v1.19.16",
       sets(&Release::ratio_has_default_resources, false)},
      {"doubled_plugins_are_refused", "no", "POL-REFUSED-2", since(20), "read v1.19.16, v1.20.0",
       sets(&Release::doubled_plugins_are_refused, false)},
      {"ratio_of_used_part", "yes", "POL-RATIO-1", since(22), "read v1.21.4, v1.22.0, v1.22.17",
       sets(&Release::ratio_of_used_part, true)},
      {"plugins_have_default_arguments", "no", "POL-REFUSED-2", since(22), "read v1.21.4, v1.22.0, v1.22.17",
       sets(&Release::plugins_have_default_arguments, false)},
  };
  return k_changes;
}

}  // namespace touchstone
