#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace touchstone {

/// A clause of spec/clauses, with the functions that implement it and the vectors, tests, theorems and faults
/// that show it. The build collects these data from the tree (spec/rules/rules.py).
struct Rule {
  std::string_view id;  ///< "PRE-PDB-3"
  std::string_view title;
  std::string_view releases;
  std::string_view text;                        ///< text of the clause, without its heading
  std::vector<std::string_view> functions;      ///< of reference/ and kubernetes/
  std::size_t vectors = 0;                      ///< number of vector cases that show it
  std::vector<std::string_view> first_vectors;  ///< names of the first of these cases
  std::vector<std::string_view> properties;     ///< of spec/vocabulary/properties.cpp and tests/
  std::vector<std::string_view> theorems;       ///< of proofs/theorems
  std::vector<std::string_view> tests;          ///< unit tests
  std::vector<std::string_view> divergences;    ///< headings of spec/divergences.md that cite it
  std::vector<std::string_view> faults;         ///< seeded faults that break it
  std::string_view unproved;                    ///< name of a reason in proofs/unproved.toml, or empty
};

/// All clauses, in the order of the specification.
const std::vector<Rule>& rules();

/// The title of a clause; empty where no clause has that id.
std::string_view title_of(std::string_view id);

/// The rule of a clause, without its releases, evidence and smallest cluster; empty where no clause has that
/// id.
std::string_view statement_of(std::string_view id);

/// A reason why some clauses have no theorem and no property, and why no theorem refutes some seeded faults.
struct Unproved {
  std::string_view name;  ///< "words"
  std::string_view reason;
  std::vector<std::string_view> clauses;
  std::vector<std::string_view> faults;  ///< faults besides those of the clauses
};

/// The reasons of proofs/unproved.toml, in its order.
const std::vector<Unproved>& unproved();

}  // namespace touchstone
