#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::optimized {

/// The number that stands for a text in a Symbols table. Equal texts have equal numbers.
using Symbol = std::uint32_t;

/// The number of a text that is not in the table. A preemptor may use a text that the cluster does not
/// contain.
inline constexpr Symbol k_unknown_symbol = 0xffffffff;

/// Table of texts with a number each. Labels, taints, resource names and namespaces are stored as numbers, so
/// that a comparison takes one step.
class Symbols {
 public:
  Symbols() = default;
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;
  Symbols(Symbols&&) = default;
  Symbols& operator=(Symbols&&) = default;

  /// Returns the number of a text; a new text gets a new number. Complexity: expected linear in the length of
  /// the text.
  Symbol add(std::string_view text) {
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    const Symbol number = static_cast<Symbol>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  /// Returns the number of a text, or k_unknown_symbol if the table does not have it. Complexity: as for
  /// add().
  Symbol find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? k_unknown_symbol : found->second;
  }

  /// Returns the text of a number. Requires: a number that add() returned.
  const std::string& text(Symbol number) const { return texts_[number]; }

  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  ///< a deque never moves a text; the keys of numbers_ point into it
  std::unordered_map<std::string_view, Symbol> numbers_;
};

}  // namespace touchstone::optimized
