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

/// Values of a theorem's numbers by their names, as a solver found them. They are in the order in which the
/// body introduced them.
struct Model {
  std::vector<std::pair<std::string, std::int64_t>> numbers;
  bool is_exact = true;  ///< false: a number of more than 64 bits is left out
};

struct Settings {
  /// Cost limit of one question, in Z3's own unit. (A time limit would make results depend on the machine,
  /// and can hang libz3 4.8.12.)
  unsigned rlimit = 20'000'000;
  std::size_t paths_most = 1'000'000;
  bool checks_overflow = false;  ///< also claims that each computed number fits int64
  bool is_exhaustive = false;    ///< proves in the end that the paths cover all cases
  std::ostream* dump = nullptr;  ///< every unsatisfiable question, in SMT-LIB 2
  std::string without;           ///< label of an assumption to leave out
  bool stops_at_refutation = false;
  const std::atomic<bool>* stop = nullptr;  ///< true ends the exploration
  /// Called at the end of every path, with numbers that lead there and with the body's observations.
  std::function<void(const Model&, const std::string& observed)> on_path = nullptr;
};

/// A claim that fails, with the smallest numbers for which it fails on its path.
struct Refutation {
  std::string claim;
  Model model;
};

/// What an exploration found.
struct Findings {
  std::size_t paths = 0;
  std::size_t obligations = 0;             ///< claims that the solver checked, once for each path
  std::size_t trivial = 0;                 ///< claims that were literally true on their path
  std::size_t prunings = 0;                ///< alternatives skipped: the solver finds them impossible
  std::size_t unsatisfiable = 0;           ///< questions without a solution; the dump has them
  std::uint64_t rlimit = 0;                ///< cost of all questions
  std::vector<Refutation> refutations;     ///< the first of each claim
  std::map<std::string, bool> claims;      ///< by name: whether the solver ever had to check it
  std::map<std::string, Model> witnesses;  ///< by name: numbers that show it
  std::set<std::string> missing;           ///< witnesses that no path has shown
  std::set<std::string> assumptions;       ///< labels of all
  std::set<std::string> used;              ///< labels of those that excluded something
  std::string failure;                     ///< why this is no proof; empty: the exploration ended

  bool holds() const { return failure.empty() && refutations.empty() && missing.empty(); }
};

/// Runs `body` once for every path that it can take, and checks its claims on each path. Ensures: `failure`
/// is not empty if the solver left a question open, a limit was reached, the body threw, or two runs of the
/// body differed where they must not. Requires: no other exploration on this thread.
Findings explore(const Body& body, const Settings& settings);

/// The name and version of the solver: "z3 4.8.12".
std::string solver_version();

}  // namespace proving
