#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"

/// One answer of spec/protocol.md held against another: what a recording or a subject says against what the
/// reference says.
namespace touchstone::oracle {

/// A part of an answer that differs.
struct Difference {
  std::string key;    ///< of the answer, with the node where it is one node's: "filter.n1"
  std::string given;  ///< JSON, or "null" where it is missing
  std::string ours;   ///< the same of the answer it was held against
};

/// Which nodes were chosen from the same candidates, and in how many runs.
struct Observed {
  std::set<std::string> nodes;
  std::size_t runs = 0;
};

/// A tie is broken by the order of a Go map: a random start among the eight slots of a bucket, so a member of
/// a tie is taken with a probability of at least one in eight. 24 runs miss it in 4 cases of 100, 72 runs in
/// 7 of 100,000; only from there on (and for larger ties in proportion) a node that was never seen is a
/// difference.
inline constexpr std::size_t k_runs_enough = 72;

/// So many runs show all members of a tie of so many.
std::size_t runs_enough(std::size_t members);

/// What is known of the given answer beside itself.
struct Given {
  const Json& answer;
  bool filter_complete = true;   ///< a node without a `filter` entry has no status
  bool dry_run_complete = true;  ///< the same of `dryRun`
  Observed observed = {};        ///< over all runs that are known
};

struct Compared {
  std::vector<Difference> differences;
  std::size_t unseen = 0;  ///< admissible nodes that fewer than k_runs_enough runs never showed
};

/// Holds a given answer against ours. Keys that the given one lacks are not judged; a node that it chose has
/// to be one of our admissible ones. Requires: both have an `outcome`. The conventions are those of
/// spec/protocol.md, "Comparing with a recording".
Compared compare(const Given& given, const Json& ours, const Release& release);

}  // namespace touchstone::oracle
