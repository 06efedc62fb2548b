#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "optimized/store/symbols.hpp"
#include "spec/vocabulary/selectors.hpp"

namespace touchstone::optimized {

/// Key and value of a label, as symbols.
using Label = std::pair<Symbol, Symbol>;

/// Labels sorted by key.
using LabelSpan = std::span<const Label>;

/// Turns a text into its number. Symbols::add for texts that the snapshot stores, Symbols::find for texts
/// that are only looked up.
using Numbering = std::function<Symbol(const std::string&)>;

/// The labels of an object as symbols. Ensures: sorted by key.
std::vector<Label> numbered(const Labels& labels, const Numbering& number);

/// The value of a key, or k_unknown_symbol if the key is absent. Requires: labels sorted by key. Complexity:
/// logarithmic in the labels.
Symbol value_of(LabelSpan labels, Symbol key);

/// Whether a requirement of matchFields is In or NotIn with exactly one value. Clauses: PRE-NODEAFFINITY-4.
bool is_valid_field(const Requirement& field);

/// Whether a requirement of matchFields is valid, and holds for a field that has no value. Clauses:
/// PRE-NODEAFFINITY-4, PRE-BIND-1.
bool holds_without_value(const Requirement& field);

/// A list of selector requirements, converted once to symbols. Clauses: PRE-NODEAFFINITY-3, PRE-PDB-2.
class Selector {
 public:
  Selector() = default;  ///< matches everything
  /// Matches nothing. For a label selector that is absent.
  static Selector nothing();

  /// Converts the requirements of a node selector term. One invalid requirement makes the whole term invalid.
  static Selector of_term(const std::vector<Requirement>& requirements, const Numbering& number);
  /// Converts a label selector. The operators Gt and Lt make it invalid, since label selectors do not have
  /// them.
  static Selector of_labels(const LabelSelector& selector, const Numbering& number);

  bool is_valid() const { return is_valid_; }
  /// Whether it matches everything because it has no requirement.
  bool is_empty() const { return is_valid_ && tests_.empty(); }

  /// Whether labels satisfy all requirements. An invalid selector matches nothing. `symbols` is the table of
  /// the labels' numbers. Complexity: linear in the requirements and their values, logarithmic in the labels.
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
