#pragma once

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/decision.hpp"

/// The decision, by the line. First the whole, then its parts in the order of spec/clauses, one for
/// each group of clauses; parts are here, and not in preempt.cpp, because explanations and laws ask for them
/// too.
namespace touchstone::reference {

/// What this release decides for a pod that could not be scheduled. `choices` breaks the last tie
/// (PRE-NODE-6). Ensures: outcome skipped, with the reason, when the answer needs what is not modelled.
Decision preempt(const Question& question, const Release& release, Choices& choices, Trace& trace);

/// What comes of taking a pod away where a filter was never asked before nodes; `error` is empty: nothing.
struct StateLost {
  std::string error;
  std::string_view clause;  ///< PRE-PREFILTER-4 or PRE-CLAIM-3
};

/// What the first pass over the nodes found.
struct FirstPass {
  std::string error;     ///< not empty: the attempt itself errs
  bool crashed = false;  ///< with an error: the scheduler is gone, and says nothing
  std::vector<NodeIndex> feasible;
  std::map<NodeIndex, Status> status;  ///< of nodes that do not fit; excluded nodes may have none
  std::set<NodeIndex> excluded;        ///< PRE-PREFILTER-3
  std::string rejection;               ///< PRE-PREFILTER-2, PRE-CLAIM-2: why no node was filtered
  StateLost state_lost;
};
/// Filters every node as it is. Clauses: PRE-CYCLE-1, PRE-CYCLE-2, PRE-PREFILTER-1 to
/// PRE-PREFILTER-5, PRE-CLAIM-2, PRE-CLAIM-3.
FirstPass filter_nodes(const Cycle& cycle);

/// Why the pod may not preempt, in the release's words; empty: it may. Clauses: PRE-ELIGIBLE-1 to
/// PRE-ELIGIBLE-4.
std::string why_not_eligible(const Cycle& cycle, const FirstPass& first_pass);

/// The nodes where preemption might help, in the order of the cluster. Clauses: PRE-POTENTIAL-1,
/// PRE-PREFILTER-3.
std::vector<NodeIndex> potential_nodes(const Cycle& cycle, const FirstPass& first_pass);

/// How many candidates end the search, by the release's default arguments. Requires: no negative number.
/// Clauses: PRE-SEARCH-2.
Quantity candidate_quota(Quantity potential_nodes);

/// What a dry run on one node found: a candidate, or the status that says why not.
struct DryRun {
  Status status;
  Candidate candidate;
};

/// The candidates among the potential nodes, in the order of the release's list; the status of the others
/// goes to `statuses`. Requires: at least one potential node. Clauses: PRE-SEARCH-1 to PRE-SEARCH-5.
std::vector<Candidate> find_candidates(const Cycle& cycle, const Question& question,
                                       const std::vector<NodeIndex>& potential, const FirstPass& first_pass,
                                       std::map<NodeIndex, Status>& statuses);

/// Who must go from one node. Clauses: PRE-VICTIM-1 to PRE-VICTIM-8.
DryRun select_victims(const Cycle& cycle, NodeIndex node, const StateLost& state_lost);

/// The pods of a node that the preemptor may evict, in the node's order. Clauses: PRE-VICTIM-1.
std::vector<PodOnNode> potential_victims(const Cycle& cycle, NodeIndex node);

/// Sorts pods by importance, most important first. Clauses: PRE-VICTIM-4, PRE-VICTIM-5.
void sort_by_importance(std::vector<PodOnNode>& pods, const Release& release);

/// Whether neither pod is more important by anything but the order of a list. Clauses: PRE-VICTIM-4.
bool equally_important(const Pod& a, const Pod& b, const Release& release);

/// The victims in the release's order: as they fell, violating first, or sorted once more. Clauses:
/// PRE-VICTIM-7.
std::vector<PodOnNode> victims_in_order(std::vector<PodOnNode> violating,
                                        const std::vector<PodOnNode>& others, bool both_groups,
                                        const Release& release);

/// Potential victims, split: for each, whether evicting it would violate a PDB. Requires: sorted by
/// importance. Clauses: PRE-PDB-1 to PRE-PDB-7.
std::vector<bool> pdb_violations(const Cycle& cycle, const std::vector<PodOnNode>& pods);

/// Whether a PDB counts for a pod. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
bool pdb_covers(const PodDisruptionBudget& pdb, const Pod& pod, const Release& release);

/// The five criteria, in their order: the lower key wins at the first that differs, but the later start.
struct Rank {
  Quantity pdb_violations = 0;
  Quantity first_priority = 0;
  Quantity priority_sum = 0;
  Quantity victims = 0;
  std::optional<Quantity> earliest_start;  ///< none: not started, later than any

  bool operator==(const Rank&) const = default;
};
/// How a candidate stands in each criterion of the release. Clauses: PRE-NODE-1 to PRE-NODE-5.
Rank rank_of(const Cluster& cluster, const Candidate& candidate, const Release& release);

/// Whether the first beats the second. A strict weak order.
bool beats(const Rank& a, const Rank& b, const Release& release);

/// The candidates that the last criterion leaves, as indices. Empty: the release crashes (PRE-VICTIM-8).
/// Requires: at least one candidate. Clauses: PRE-NODE-1 to PRE-NODE-6.
std::vector<std::size_t> best_candidates(const Cycle& cycle, const std::vector<Candidate>& candidates);

/// Takes one of the candidates found and says what comes of it. Requires: at least one candidate.
/// Clauses: PRE-NODE-6, PRE-OUTCOME-1, PRE-VICTIM-8.
void conclude(const Cycle& cycle, Choices& choices, Decision& decision);

/// What the event of the failed attempt says; empty where the pod fits or the release crashes. Requires: the
/// decision is complete. Clauses: PRE-MESSAGE-1 to PRE-MESSAGE-9.
std::string message_of(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision);

/// What the release may answer under some order of pods, PDBs and visited nodes. Requires: preempt() answered
/// `nominated`. Clauses: PRE-ANYORDER-1 to PRE-ANYORDER-3. Complexity: linear in nodes; per node in the
/// orders of equally important pods that differ, up to `limit`, beyond which the answer is unknown and says
/// so.
AnyOrder any_order(const Question& question, const Release& release, std::size_t limit);

/// What a question needs and this reference does not model, the filter first; empty: nothing.
std::string not_modelled(const Cycle& cycle);

}  // namespace touchstone::reference
