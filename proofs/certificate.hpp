#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "proofs/given_decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Certificates: one given decision, of any scheduler, is checked against the clauses of spec/clauses. The
/// clauses are constraints that Z3 solves; nothing here searches as the reference does. Only facts that no
/// eviction changes are taken from the reference: what a pod requests, which ports it wants, which pods a PDB
/// selects, what the filters answer that do not look at other pods, and whether the preemptor's own
/// nomination can still succeed.
namespace touchstone::proofs {

enum class Verdict { certified, refuted, beyond_reach, unknown };

/// One condition of a certificate. It holds if Z3 finds no counterexample.
struct Obligation {
  std::string clause;
  std::string what;
};

struct Certificate {
  Verdict verdict = Verdict::unknown;
  std::vector<Obligation> obligations = {};  ///< in the order checked; if refuted, the last one fails
  std::string detail = {};                   ///< if refuted: why the last obligation fails, if known
  std::optional<GivenDecision> better = {};  ///< if refuted: an answer that the clauses admit
  std::string reason = {};                   ///< if beyond_reach or unknown: why
};

/// Size limits. The verdict on a larger question is `beyond_reach`.
inline constexpr std::size_t k_certificate_nodes_most = 100;
inline constexpr std::size_t k_certificate_victims_most = 40;  ///< potential victims of a node

/// Why certify() cannot judge a question, beginning with the filter; empty: it can. Complexity: linear in the
/// cluster. The question is not decided.
std::string out_of_reach(const Question& question, const Release& release);

/// Certifies or refutes a decision. The lists of the cluster count in the order given. Where several
/// candidates tie in the end, each of them is certified. `smt2` may be null. Otherwise every obligation is
/// written to it in SMT-LIB 2: any solver answers `unsat` to each, except to the last one of a refuted
/// decision. Ensures: never throws; the verdict is `unknown` if the solver leaves a question open. Clauses:
/// PRE-CYCLE-1, PRE-CYCLE-2, PRE-ELIGIBLE-1 to PRE-ELIGIBLE-4, PRE-VICTIM-1 to PRE-VICTIM-7, PRE-PDB-1 to
/// PRE-PDB-8, PRE-NODE-1 to PRE-NODE-6, PRE-OUTCOME-3.
Certificate certify(const Question& question, const Release& release, const GivenDecision& given,
                    std::ostream* smt2);

}  // namespace touchstone::proofs
