#pragma once

#include <map>
#include <optional>
#include <vector>

#include "proofs/certificates/node_clauses.hpp"

namespace touchstone::proofs {

/// All nodes, with the result of Z3 for each: which pods stay there, and how the node compares in the choice.
class Candidates {
 public:
  /// Requires: `cycle` and `obligations` outlive this object.
  Candidates(const reference::Cycle& cycle, Obligations& obligations);

  const std::vector<NodeClauses>& nodes() const { return nodes_; }
  /// The variables of a node: whether each potential victim stays.
  const Stays& stays(NodeIndex node) const { return stays_[node]; }
  /// The formulas that define these variables: PRE-PDB-1 to PRE-PDB-5, PRE-VICTIM-6.
  const std::vector<z3::expr>& definition(NodeIndex node) const { return definitions_[node]; }

  /// PRE-CYCLE-1: the nodes on which the preemptor fits without an eviction.
  std::vector<NodeIndex> feasible() const;
  /// A candidate that no other candidate beats; empty if no node is a candidate.
  std::optional<Candidate> best();

 private:
  struct Solved {
    Candidate candidate;
    KeyTerms keys;  ///< numerals
  };
  Solved solve(const NodeClauses& node);
  bool beats(const Solved& a, const Solved& b) const;

  const reference::Cycle& cycle_;
  Obligations& obligations_;
  std::vector<NodeClauses> nodes_;
  std::vector<Stays> stays_;
  std::vector<std::vector<z3::expr>> definitions_;
};

}  // namespace touchstone::proofs
