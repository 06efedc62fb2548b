#pragma once

#include <map>
#include <optional>
#include <vector>

#include "proofs/certificates/node_clauses.hpp"

namespace touchstone::proofs {

/// All nodes, and what Z3 says of each: who stays there, and so how it stands in the choice.
class Candidates {
 public:
  /// Requires: both outlive it.
  Candidates(const reference::Cycle& cycle, Obligations& obligations);

  const std::vector<NodeClauses>& nodes() const { return nodes_; }
  /// The variables of those that stay on a node.
  const Stays& stays(NodeIndex node) const { return stays_[node]; }
  /// What makes them so: PRE-PDB-1 to PRE-PDB-5, PRE-VICTIM-6.
  const std::vector<z3::expr>& definition(NodeIndex node) const { return definitions_[node]; }

  /// PRE-CYCLE-1: the nodes that take the preemptor as they are.
  std::vector<NodeIndex> feasible() const;
  /// A candidate that no other beats; nothing where no node is one.
  std::optional<Candidate> best();

 private:
  struct Solved {
    Candidate candidate;
    KeyTerms keys;  ///< numbers
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
