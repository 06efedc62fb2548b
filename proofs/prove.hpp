#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proofs/engine/explorer.hpp"
#include "proofs/engine/theorem.hpp"

/// Proofs of the shipped code: theorems are checked over all integers, each with a witness, a broken twin and
/// the product's own answers.
namespace touchstone::proofs {

/// A theorem without its body.
struct Statement {
  std::string name;
  std::vector<std::string> clauses;
  std::string text;
  std::vector<std::string> twins;  ///< the seeded faults that it must refute
  std::string without;             ///< the assumption that it needs
  bool has_broken_claim;           ///< the twin is a claim that says too much
  proving::Tier tier;
  proving::Kind kind;
};

/// All theorems, in the order of the clauses.
const std::vector<Statement>& statements();

struct ProveSettings {
  std::filesystem::path dump;  ///< a directory for SMT-LIB; empty: a temporary one
  bool replays = true;         ///< whether cvc5 checks what Z3 found, where it is installed
  std::size_t jobs = 1;        ///< how many theorems are checked at the same time
};

/// A theorem in each of the four builds of proofs/theorems.
struct Versions {
  proving::Theorem symbolic;
  proving::Theorem symbolic_twin;
  proving::Theorem product;
  proving::Theorem product_twin;
};

/// What refutes a broken twin.
struct RefutedTwin {
  std::string fault;  ///< empty: it lacks an assumption, or claims too much
  proving::Refutation refutation;
};

/// What came of one theorem. It is proved where `red` is empty.
struct Proved {
  Statement statement;
  proving::Findings findings;
  std::size_t replayed = 0;  ///< paths whose numbers the product was asked, and answered alike
  std::size_t beyond = 0;    ///< paths that only numbers beyond 64 bits lead to
  std::vector<RefutedTwin> twins;
  std::optional<std::size_t> second_solver;  ///< how many obligations cvc5 found to hold, too
  std::vector<std::string> red;              ///< what is wrong
  double seconds = 0;
  std::vector<std::string> solvers;  ///< that were asked
};

/// Checks one theorem. What makes it red: a claim that numbers refute (of an exhibit: that none do), anything
/// that a solver leaves open or the second one finds otherwise, a witness that is missing, a broken twin that
/// is not refuted, and a product that does otherwise than the proof says, with the numbers of any path,
/// witness or refutation. Requires: one theorem at a time on a thread.
Proved check(const Versions& versions, const ProveSettings& settings, const std::atomic<bool>& stop);

/// Checks theorems; each result is told as soon as it is there. Ensures: results in the order of `which`;
/// those that `stop` kept from being checked are left out.
std::vector<Proved> prove(const std::vector<const Statement*>& which, const ProveSettings& settings,
                          const std::atomic<bool>& stop, const std::function<void(const Proved&)>& done);

/// "p0.priority 1, p0.cpu 2"
std::string text_of(const proving::Model& model);

/// The solvers that check obligations, with their versions.
std::vector<std::string> solvers();

}  // namespace touchstone::proofs
