#pragma once

#include <map>
#include <string>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::kubernetes {

/// Makes sure that no sum of amounts that a decision may form leaves int64: by resource, all amounts of the
/// pods that are bound or nominated to one node must fit, and those of a pod by itself.
class Totals {
 public:
  /// Adds what was read from `value`; a pod that has ended counts for nothing.
  /// Errors: throws InvalidInput (quantity-overflow), naming the object and the field that was too much.
  void add(const Value& value, const Pod& pod);

 private:
  std::map<std::string, ResourceList> of_node_;
};

}  // namespace touchstone::kubernetes
