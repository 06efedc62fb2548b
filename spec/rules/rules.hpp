#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace touchstone {

/// A clause of spec/clauses, and what in this project implements it and shows it. The data are gathered
/// from the tree when it is built (spec/rules/rules.py): nobody keeps them by hand.
struct Rule {
  std::string_view id;  ///< "PRE-PDB-3"
  std::string_view title;
  std::string_view releases;
  std::string_view text;                    ///< the clause as the specification has it, without its heading
  std::vector<std::string_view> functions;  ///< of reference/
  std::size_t vectors = 0;                  ///< how many cases show it
  std::vector<std::string_view> first_vectors;  ///< the first few of them
  std::vector<std::string_view> properties;     ///< of spec/vocabulary/properties.cpp, and laws of tests/
  std::vector<std::string_view> theorems;       ///< of proofs/theorems
  std::vector<std::string_view> tests;          ///< unit tests
  std::vector<std::string_view> faults;         ///< seeded faults that break it
  std::string_view unproved;                    ///< the name of a reason, of proofs/unproved.toml; may be empty
};

/// All clauses, in the order of the specification.
const std::vector<Rule>& rules();

/// The title of a clause; empty where no clause has that id.
std::string_view title_of(std::string_view id);

/// Why a few clauses have no theorem and no property, and some seeded faults are refuted by no theorem.
struct Unproved {
  std::string_view name;  ///< "words"
  std::string_view reason;
  std::vector<std::string_view> clauses;
  std::vector<std::string_view> faults;  ///< besides those of the clauses
};

/// The reasons of proofs/unproved.toml, in its order.
const std::vector<Unproved>& unproved();

}  // namespace touchstone
