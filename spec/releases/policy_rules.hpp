#pragma once

#include <string_view>

/// The switches of what only a Policy can run. They are part of a Release (release.hpp).
namespace touchstone {

struct PolicyRules {
  bool ratio_of_positive_scores = false;  ///< POL-RATIO-1
  bool services_spread_alone = true;      ///< POL-SPREAD-1
  bool pods_of_all_nodes_apart = true;    ///< POL-APART-1
  std::string_view text_node_label = "CheckNodeLabelPresence";
  std::string_view text_service_affinity = "CheckServiceAffinity";
};

}  // namespace touchstone
