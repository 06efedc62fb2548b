#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::optimized {

/// The number of a text. Equal texts have equal numbers.
using Symbol = std::uint32_t;

/// No text of the snapshot has this number: a preemptor may say a word that the cluster does not know.
inline constexpr Symbol k_unknown_symbol = 0xffffffff;

/// Texts by number, so that labels, taints, names of resources and of namespaces compare in one step.
class Symbols {
 public:
  Symbols() = default;
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;
  Symbols(Symbols&&) = default;
  Symbols& operator=(Symbols&&) = default;

  /// The number of a text, a new one if it has none. Complexity: expected linear in the text.
  Symbol add(std::string_view text) {
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    const Symbol number = static_cast<Symbol>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  /// The number of a text; k_unknown_symbol where it has none. Complexity: as above.
  Symbol find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? k_unknown_symbol : found->second;
  }

  /// Requires: a number that add() gave.
  const std::string& text(Symbol number) const { return texts_[number]; }

  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  ///< never moves a text, which the keys of numbers_ look at
  std::unordered_map<std::string_view, Symbol> numbers_;
};

}  // namespace touchstone::optimized
