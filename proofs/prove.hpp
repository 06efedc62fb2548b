#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proofs/engine/explorer.hpp"
#include "proofs/engine/theorem.hpp"

/// Proofs about the shipped code: theorems are checked over all integers. Each theorem has a witness, which
/// shows that its assumptions can be met, and a broken variant (`variant`), which must be refuted. A broken
/// variant runs a copy of the code with a seeded fault, lacks an assumption, or claims too much. The product,
/// which is the same code over int64_t, must behave as the proof says.
namespace touchstone::proofs {

/// A theorem without its body.
struct Statement {
  std::string name;
  std::vector<std::string> clauses;
  std::string text;
  std::vector<std::string> variants;  ///< seeded faults, each of which must refute the theorem
  std::string without;             ///< label of an assumption that the theorem needs
  bool has_broken_claim;           ///< the broken variant is a claim that is too strong
  proving::Tier tier;
  proving::Kind kind;
};

/// All theorems, in the order of the clauses.
const std::vector<Statement>& statements();

struct ProveSettings {
  std::filesystem::path dump;  ///< directory for SMT-LIB files; empty: none are written
  bool replays = true;         ///< whether cvc5, if installed, checks the SMT-LIB files
  std::size_t jobs = 1;        ///< number of theorems checked in parallel
};

/// A theorem in each of the four builds of proofs/theorems.
struct Versions {
  proving::Theorem symbolic;
  proving::Theorem symbolic_variant;
  proving::Theorem product;
  proving::Theorem product_variant;
};

/// The refutation of one broken variant.
struct RefutedVariant {
  std::string fault;  ///< empty: it lacks an assumption, or claims too much
  proving::Refutation refutation;
};

/// The result of one theorem. The theorem is proved if `red` is empty.
struct Proved {
  Statement statement;
  proving::Findings findings;
  std::size_t replayed = 0;  ///< paths on which the product was run and behaved alike
  std::size_t beyond = 0;    ///< paths not run: Z3's numbers exceed 64 bits
  std::vector<RefutedVariant> variants;
  std::optional<std::size_t> second_solver;  ///< number of unsatisfiable questions that cvc5 confirmed
  std::vector<std::string> red;              ///< each reason why it is not proved
  double seconds = 0;
  std::vector<std::string> solvers;  ///< names and versions of those used
};

/// Checks one theorem. Each of these makes it red: a claim that some numbers refute (for an exhibit: no claim
/// is refuted); a question that Z3 leaves open, or to which cvc5 answers otherwise; a missing witness; a
/// broken variant that is not refuted; a product that does not behave as the proof says, with the numbers of
/// any path, witness or refutation. Requires: one theorem at a time on a thread.
Proved check(const Versions& versions, const ProveSettings& settings, const std::atomic<bool>& stop);

/// Checks theorems. Calls `done` with each result as soon as it is ready, one call at a time. Ensures:
/// results are in the order of `which`; theorems that were not finished because of `stop` are left out.
std::vector<Proved> prove(const std::vector<const Statement*>& which, const ProveSettings& settings,
                          const std::atomic<bool>& stop, const std::function<void(const Proved&)>& done);

/// The numbers of a model as text: "p0.priority 1, p0.cpu 2".
std::string text_of(const proving::Model& model);

/// The solvers that check obligations, with their versions.
std::vector<std::string> solvers();

}  // namespace touchstone::proofs
