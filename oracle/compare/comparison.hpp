#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"

/// Compares two answers of spec/protocol.md: a given answer, from a recording or a subject, with the
/// reference's answer.
namespace touchstone::oracle {

/// A part of an answer that differs.
struct Difference {
  std::string key;    ///< of the answer; with the node if it concerns one node: "filter.n1"
  std::string given;  ///< JSON, or "null" if it is missing
  std::string ours;   ///< the same part of the answer it is compared with
};

/// The nodes that were chosen from the same candidates, and in how many runs.
struct Observed {
  std::set<std::string> nodes;
  std::size_t runs = 0;
};

/// Number of runs after which a node that was never chosen counts as a difference. The release breaks a tie
/// by the order of a Go map, which starts at a random one of eight slots in a bucket. So each member of a tie
/// is chosen with a probability of at least 1/8. In 24 runs a member is missed in 4 of 100 cases, in 72 runs
/// in 7 of 100,000. A larger tie needs proportionally more runs.
inline constexpr std::size_t k_runs_enough = 72;

/// The number of runs that is enough to see each member of a tie of this size.
std::size_t runs_enough(std::size_t members);

/// Which scores an answer to `schedule` has.
enum class Scores {
  all,       ///< those of every scorer that is not skipped, for every feasible node if the release scores any
  not_zero,  ///< the same, but scores of 0 may be absent
  named      ///< those that it names
};

/// A given answer, and what else is known about it.
struct Given {
  const Json& answer;
  bool filter_complete = true;   ///< a node without a `filter` entry has no status
  bool dry_run_complete = true;  ///< the same of `dryRun`
  Observed observed = {};        ///< over all known runs
  Scores scores = Scores::all;   ///< of an answer to `schedule`
};

/// The result of compare().
struct Compared {
  std::vector<Difference> differences;
  std::size_t unseen = 0;  ///< admissible nodes not chosen in fewer runs than runs_enough()
};

/// Compares a given answer with the reference's answer, to `run` or to `schedule`. Keys that the given answer
/// lacks are not compared. A node that it chose must be an admissible node of the reference. Requires: both
/// have an `outcome`. The conventions are those of spec/protocol.md, "Comparing with a recording".
Compared compare(const Given& given, const Json& ours, const Release& release);

}  // namespace touchstone::oracle
