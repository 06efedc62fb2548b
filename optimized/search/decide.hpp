#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/search/workers.hpp"
#include "optimized/store/snapshot.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/extenders.hpp"

namespace touchstone::optimized {

class Query;
struct FirstPass;

/// Options of a decision.
struct Options {
  std::optional<Quantity> offset;  ///< sample as the release does, starting at this potential node
  std::optional<Quantity> quota;   ///< replaces the release's default number of candidates
  /// For schedule(): search for feasible nodes as the release does, from this place in its order of nodes on.
  std::optional<Quantity> start = {};
  /// For schedule(): fill Placed::feasible, scores and totals. They take longer to list than to compute.
  bool wants_scores = true;
  /// The extenders of the question; null or empty: those of the configuration.
  const std::vector<Extender>* extenders = nullptr;
  bool prunes = true;              ///< false: dry-run all nodes but hopeless ones, to measure pruning
};

/// A decision without the statuses of nodes. Nodes and pods are numbers of the snapshot.
struct Answer {
  Outcome outcome = Outcome::none;
  std::string reason;                 ///< why the outcome is skipped, ineligible or error
  std::vector<NodeIndex> feasible;    ///< with outcome fits: the nodes that fit
  std::vector<NodeIndex> admissible;  ///< with outcome nominated: the nodes of the last tie, ascending
  NodeIndex node = 0;                 ///< with outcome nominated: the chosen node
  std::vector<PodIndex> victims;      ///< in the release's order
  Quantity pdb_violations = 0;
  /// With outcome nominated, and extenders: the candidates on the nodes of `admissible`. Extenders may have
  /// changed them.
  std::vector<Candidate> extended;
  std::vector<PodIndex> clears;  ///< nominated pods of lower priority whose nomination is cleared
  Nomination nomination = Nomination::absent;
  std::size_t dry_runs = 0;  ///< how many nodes were dry-run

  bool operator==(const Answer&) const = default;
};

/// The beginning of the reason of an answer that this engine leaves to the reference: a configuration of the
/// scheduler needs what only the reference has.
inline constexpr std::string_view k_left_to_reference = "configuration: ";

/// Decides what the snapshot's release does with a pod that is not scheduled yet. Ensures: every field that
/// the reference's decision also has is equal to it, for the same cluster. The outcome is skipped, with a
/// reason, exactly where the reference skips, and where the reason begins with k_left_to_reference. The
/// answer, including dry_runs, does not depend on the number of workers. `choices` breaks the last tie
/// (PRE-NODE-6). Clauses: PRE-CYCLE-1 to PRE-CYCLE-3, PRE-PREFILTER-1 to PRE-PREFILTER-6, PRE-ELIGIBLE-1 to
/// PRE-ELIGIBLE-4, PRE-POTENTIAL-1, PRE-POTENTIAL-2, PRE-SEARCH-1 to PRE-SEARCH-5, PRE-OUTCOME-1 to
/// PRE-OUTCOME-5. Complexity: linear in the nodes and their priority levels, and in the pods of nodes that
/// are dry-run; where affinity or spread applies, linear in all pods.
Answer decide(const Snapshot& snapshot, const Pod& preemptor, const Options& options, Workers& workers,
              Choices& choices);
/// The same, with the first node of the last tie.
Answer decide(const Snapshot& snapshot, const Pod& preemptor, const Options& options, Workers& workers);

/// The same, after the first pass.
Answer decide(const Query& query, FirstPass first_pass, const Options& options, Workers& workers,
              Choices& choices);

/// All candidates with victims, over all nodes, by ascending node. Requires: decide() without an offset
/// nominates a node, and there are no extenders. Complexity: linear in the pods of all nodes.
std::vector<Candidate> all_candidates(const Snapshot& snapshot, const Pod& preemptor, Workers& workers);

/// The candidates on the nodes of Answer::admissible. Requires: the answer is for the same question.
std::vector<Candidate> best_candidates(const Snapshot& snapshot, const Pod& preemptor, const Answer& answer);

}  // namespace touchstone::optimized
