#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace touchstone {

using RuleNames = std::span<const std::string_view>;

/// A clause of spec/clauses, with the functions that implement it and the vectors, tests, theorems and faults
/// that show it. The build collects these data from the tree (spec/rules/rules.py).
struct Rule {
  std::string_view id;  ///< "PRE-PDB-3"
  std::string_view title;
  std::string_view releases;
  std::string_view text;                        ///< text of the clause, without its heading
  RuleNames functions;                          ///< of reference/ and kubernetes/
  std::size_t vectors = 0;                      ///< number of vector cases that show it
  RuleNames first_vectors;                      ///< names of the first of these cases
  RuleNames properties;                         ///< of spec/vocabulary/properties.cpp and tests/
  RuleNames theorems;                           ///< of proofs/theorems
  RuleNames tests;                              ///< unit tests
  RuleNames divergences;                        ///< headings of spec/divergences.md that cite it
  RuleNames faults;                             ///< seeded faults that break it
  std::string_view unproved;                    ///< name of a reason in proofs/unproved.toml, or empty
};

/// All clauses, in the order of the specification.
std::span<const Rule> rules();

/// The title of a clause; empty where no clause has that id.
std::string_view title_of(std::string_view id);

/// The rule of a clause, without its releases, evidence and smallest cluster; empty where no clause has that
/// id.
std::string_view statement_of(std::string_view id);

/// A reason why some clauses have no theorem and no property, and why no theorem refutes some seeded faults.
struct Unproved {
  std::string_view name;  ///< "words"
  std::string_view reason;
  RuleNames clauses;
  RuleNames faults;  ///< faults besides those of the clauses
};

/// The reasons of proofs/unproved.toml, in its order.
std::span<const Unproved> unproved();

}  // namespace touchstone
