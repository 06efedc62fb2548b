#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "proofs/given_decision.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

/// Certificates: one given decision, whoever took it, held against the clauses of spec/clauses as
/// constraints that Z3 solves. Nothing here searches as the reference does. Taken from the reference are
/// facts alone, which no eviction changes: what a pod requests, which ports it wants, whom a PDB selects, what
/// the filters say that do not look at other pods, and whether the preemptor's own nomination can come true.
namespace touchstone::proofs {

enum class Verdict { certified, refuted, beyond_reach, unknown };

/// What has to hold: that Z3 finds nothing against it.
struct Obligation {
  std::string clause;
  std::string what;
};

struct Certificate {
  Verdict verdict = Verdict::unknown;
  std::vector<Obligation> obligations = {};  ///< in their order; of a refuted decision the last one fails
  std::string detail = {};                   ///< of refuted: what was found against the last obligation
  std::optional<GivenDecision> better = {};  ///< of refuted: an answer that the clauses admit
  std::string reason = {};                   ///< of beyond_reach and unknown
};

/// Beyond these a certificate is out of reach.
inline constexpr std::size_t k_certificate_nodes_most = 100;
inline constexpr std::size_t k_certificate_victims_most = 40;  ///< potential victims of a node

/// What certify() would need of a question and does not have, the filter first; empty: nothing. Complexity:
/// linear in the cluster; nothing is decided.
std::string out_of_reach(const Question& question, const Release& release);

/// Certifies or refutes a decision, with the lists of the cluster in the order given; any member of the last
/// tie is certified. `smt2` may be null; otherwise every obligation goes to it in SMT-LIB 2, where any solver
/// finds `unsat`, but for the last one of a refuted decision. Ensures: never throws; what the solver leaves
/// open is `unknown`. Clauses: PRE-CYCLE-1, PRE-CYCLE-2, PRE-ELIGIBLE-1 to PRE-ELIGIBLE-4, PRE-VICTIM-1 to
/// PRE-VICTIM-7, PRE-PDB-1 to PRE-PDB-8, PRE-NODE-1 to PRE-NODE-6, PRE-OUTCOME-3.
Certificate certify(const Question& question, const Release& release, const GivenDecision& given,
                    std::ostream* smt2);

}  // namespace touchstone::proofs
