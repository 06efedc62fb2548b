#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/shrink/amounts.hpp"
#include "fuzz/shrink/search.hpp"

/// The numbers of the smallest question so far, and functions that change them.
namespace touchstone::fuzz {

class Lowering {
 public:
  using Indices = std::vector<std::size_t>;  ///< of amounts

  explicit Lowering(Search& search);

  /// Tries the question with other values for some amounts; see Search::take(). Requires: as many values as
  /// indices.
  bool set(const Indices& indices, const std::vector<Quantity>& values);

  const Amount& amount(std::size_t i) const { return amounts_[i]; }
  std::vector<Quantity> values(const Indices& indices) const;

  /// The indices of each group, in the order of the first index of each.
  std::vector<Indices> groups() const;

  /// Parts of a group: first each set of several equal numbers, then each number alone.
  std::vector<Indices> units(const Indices& group) const;

 private:
  Search& search_;
  std::vector<Amount> amounts_;
};

}  // namespace touchstone::fuzz
