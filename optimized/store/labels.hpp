#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "optimized/store/symbols.hpp"
#include "spec/vocabulary/selectors.hpp"

namespace touchstone::optimized {

/// A key and its value.
using Label = std::pair<Symbol, Symbol>;

/// Sorted by key.
using LabelSpan = std::span<const Label>;

/// How a selector turns its texts into numbers: Symbols::add for what a snapshot keeps, Symbols::find for what is
/// only asked.
using Numbering = std::function<Symbol(const std::string&)>;

/// The labels of an object. Ensures: sorted by key.
std::vector<Label> numbered(const Labels& labels, const Numbering& number);

/// The value of a key; k_unknown_symbol where there is none. Complexity: logarithmic.
Symbol value_of(LabelSpan labels, Symbol key);

/// A list of requirements, converted once. Clauses: PRE-NODEAFFINITY-3, PRE-PDB-2.
class Selector {
 public:
  Selector() = default;  ///< requires nothing

  /// What a term of a node selector requires; one requirement that cannot be converted spoils it.
  static Selector of_term(const std::vector<Requirement>& requirements, const Numbering& number);
  /// What a label selector requires, which knows neither Gt nor Lt.
  static Selector of_labels(const LabelSelector& selector, const Numbering& number);

  bool is_valid() const { return is_valid_; }
  bool is_empty() const { return tests_.empty() && is_valid_; }

  /// Whether labels satisfy it; what cannot be converted matches nothing. `words` are those of the labels.
  /// Complexity: linear in the requirements, logarithmic in the labels.
  bool matches(LabelSpan labels, const Symbols& symbols) const;

 private:
  enum class Op { in, not_in, exists, does_not_exist, above, below };
  struct Test {
    Symbol key = 0;
    Op op = Op::in;
    std::vector<Symbol> values;
    std::int64_t bound = 0;
  };

  static bool holds(const Test& test, LabelSpan labels, const Symbols& symbols);
  void add(const Requirement& requirement, const Numbering& number);

  std::vector<Test> tests_;
  bool is_valid_ = true;
};

}  // namespace touchstone::optimized
