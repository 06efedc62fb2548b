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
      {"ratio_of_positive_scores", "yes", "POL-RATIO-1", since(16), "read v1.15.12, v1.16.0",
       sets(&Release::ratio_of_positive_scores, true)},
  };
  return k_changes;
}

}  // namespace touchstone
