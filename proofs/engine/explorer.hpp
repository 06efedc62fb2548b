#pragma once

#include <atomic>
#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"

namespace proving {

/// Numbers by their names, as a solver found them, in the order in which the body asked for them.
struct Model {
  std::vector<std::pair<std::string, std::int64_t>> numbers;
  bool is_exact = true;  ///< false: some number has more than 64 bits, and is not here
};

struct Settings {
  /// What one question to the solver may cost, in its own unit. (A time limit would make results depend on
  /// the machine, and can hang libz3 4.8.12.)
  unsigned rlimit = 20'000'000;
  std::size_t paths_most = 1'000'000;
  bool checks_overflow = false;  ///< claims of every sum and difference that it fits int64
  bool is_exhaustive = false;    ///< proves in the end that the paths leave nothing out
  std::ostream* dump = nullptr;  ///< every obligation, in SMT-LIB 2
  std::string without;           ///< the label of an assumption that is not made
  bool stops_at_refutation = false;
  const std::atomic<bool>* stop = nullptr;  ///< ends the exploration
  /// Called at the end of every path, with numbers that lead there and what was observed on it.
  std::function<void(const Model&, const std::string& observed)> on_path = nullptr;
};

/// A claim that does not hold for some numbers: of a path, the smallest.
struct Refutation {
  std::string claim;
  Model model;
};

/// What an exploration found.
struct Findings {
  std::size_t paths = 0;
  std::size_t obligations = 0;    ///< claims that the solver was asked about, a path at a time
  std::size_t trivial = 0;        ///< claims that were literals on their path
  std::size_t prunings = 0;       ///< alternatives not taken, because the solver says that they cannot be
  std::size_t unsatisfiable = 0;  ///< questions that the solver found to have no solution, as dumped
  std::uint64_t rlimit = 0;       ///< spent by all questions
  std::vector<Refutation> refutations;     ///< the first of each claim
  std::map<std::string, bool> claims;      ///< by name: whether it was ever more than a literal
  std::map<std::string, Model> witnesses;  ///< of those that were seen
  std::set<std::string> missing;           ///< witnesses that no path has shown
  std::set<std::string> assumptions;       ///< all
  std::set<std::string> used;              ///< those in some unsatisfiable core
  std::string failure;                     ///< why the exploration is no proof; empty: it went to its end

  bool holds() const { return failure.empty() && refutations.empty() && missing.empty(); }
};

/// Runs `body` once for every path that it can take, and holds its claims on each of them.
/// Ensures: `failure` says so where a question was left unknown, the limits were reached, the body threw, or
/// two runs of the body differed where they should not. Requires: no other exploration on this thread.
Findings explore(const Body& body, const Settings& settings);

/// The version of the solver.
std::string solver_version();

}  // namespace proving
