#pragma once

#include <map>
#include <string>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Checks that no sum of amounts that a decision may compute exceeds int64. For each resource, it adds all
/// amounts of the pods that are bound or nominated to one node. A pod without a node is checked alone.
class Totals {
 public:
  /// Adds the amounts of a pod. `value` is the JSON of the pod. A pod that has ended is not counted.
  /// Errors: throws InvalidInput (quantity-overflow), which names the object and the field that exceeded
  /// int64.
  void add(const Value& value, const Pod& pod);

 private:
  std::map<std::string, ResourceList> of_node_;
};

}  // namespace touchstone::kubernetes
