#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimized/store/snapshot.hpp"
#include "optimized/search/workers.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/decision.hpp"

namespace touchstone::optimized {

/// How a question is asked.
struct Options {
  std::optional<Quantity> offset;  ///< search as the release samples, from this potential node on
  std::optional<Quantity> quota;   ///< instead of the release's default number of candidates
  bool prunes = true;              ///< false: every potential node is dry-run, to show what pruning saves
};

/// A decision without what is said of each node. Nodes and pods are the snapshot's numbers.
struct Answer {
  Outcome outcome = Outcome::none;
  std::string reason;                 ///< of skipped: what no engine answers; of ineligible and error: why
  std::vector<NodeIndex> feasible;    ///< with fits
  std::vector<NodeIndex> admissible;  ///< with nominated: the nodes that the last tie leaves, ascending
  NodeIndex node = 0;                 ///< with nominated: the one that was picked of them
  std::vector<PodIndex> victims;      ///< in the release's order
  Quantity pdb_violations = 0;
  std::vector<PodIndex> clears;  ///< nominated pods of lower priority that lose their nomination
  Nomination nomination = Nomination::absent;
  std::size_t dry_runs = 0;  ///< how many nodes were searched for victims

  bool operator==(const Answer&) const = default;
};

/// What the snapshot's release decides for a pod that was not scheduled: the same as the reference for the
/// same cluster, in every part that an Answer has. `choices` breaks the last tie (PRE-NODE-6).
/// Ensures: outcome skipped, with a reason, where the reference says so, and only there; nothing is guessed.
/// The answer, dry_runs too, does not depend on the number of workers. Clauses: PRE-CYCLE-1 to PRE-CYCLE-3,
/// PRE-PREFILTER-1 to PRE-PREFILTER-6, PRE-ELIGIBLE-1 to PRE-ELIGIBLE-4, PRE-POTENTIAL-1, PRE-POTENTIAL-2,
/// PRE-SEARCH-1 to PRE-SEARCH-5, PRE-OUTCOME-1 to PRE-OUTCOME-5. Complexity: linear in nodes and their levels
/// of priority, and in the pods of nodes that are dry-run.
Answer decide(const Snapshot& snapshot, const Pod& preemptor, const Options& options, Workers& workers,
              Choices& choices);

/// Every candidate of a search over all nodes that has victims, by ascending node. Requires: decide() without
/// an offset nominates a node. Complexity: linear in the pods of all nodes.
std::vector<Candidate> all_candidates(const Snapshot& snapshot, const Pod& preemptor, Workers& workers);

/// Who would go from each of these nodes. Requires: nodes of Answer::admissible to the same question.
std::vector<Candidate> candidates_on(const Snapshot& snapshot, const Pod& preemptor,
                                     const std::vector<NodeIndex>& nodes);

}  // namespace touchstone::optimized
