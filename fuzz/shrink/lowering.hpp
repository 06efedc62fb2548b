#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/shrink/amounts.hpp"
#include "fuzz/shrink/search.hpp"

/// The numbers of the smallest question so far, and changing them.
namespace touchstone::fuzz {

class Lowering {
 public:
  using Indices = std::vector<std::size_t>;  ///< of amounts

  explicit Lowering(Search& search);

  /// Takes the question with other values for some amounts. Requires: as many values as indices.
  bool set(const Indices& indices, const std::vector<Quantity>& values);

  const Amount& amount(std::size_t i) const { return amounts_[i]; }
  std::vector<Quantity> values(const Indices& indices) const;

  /// By group, in the order of the first of each.
  std::vector<Indices> groups() const;

  /// Of a group: the equal ones together, where they are several, then each alone.
  std::vector<Indices> units(const Indices& group) const;

 private:
  Search& search_;
  std::vector<Amount> amounts_;
};

}  // namespace touchstone::fuzz
