#pragma once

#include <cstddef>
#include <string_view>

#include "kubernetes/json.hpp"
#include "spec/cluster.hpp"

namespace touchstone::kubernetes {

/// Makes sure that no sum of amounts that a decision may form leaves int64: by resource, all amounts of all
/// pods together with the largest allocatable one must fit. No decision adds up more than that.
class Totals {
 public:
  /// Adds what was read from `value`.
  /// Errors: throws InvalidInput (quantity-overflow), naming the object and the field that was too much.
  void add(const Value& value, const Node& node);
  void add(const Value& value, const Pod& pod);

 private:
  /// `field` is the path of the amounts inside the object, where `#` stands for `index`.
  void add_amounts(const Value& object, std::string_view field, std::size_t index,
                   const ResourceList& amounts);

  ResourceList pods_;
  ResourceList largest_allocatable_;
};

}  // namespace touchstone::kubernetes
