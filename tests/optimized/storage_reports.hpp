#pragma once

#include <optional>
#include <string>

#include "spec/vocabulary/volumes.hpp"

namespace touchstone::tests {

/// A CSIStorageCapacity of the class "late" for the nodes that `nodes` selects; by default, for all nodes.
inline CsiStorageCapacity report_of(std::optional<Quantity> capacity, const std::string& name = "r",
                                    const LabelSelector& nodes = {}) {
  CsiStorageCapacity report;
  report.name = name;
  report.storage_class = "late";
  report.node_topology = nodes;
  report.capacity = capacity;
  return report;
}

}  // namespace touchstone::tests
