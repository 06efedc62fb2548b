#pragma once

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/decision.hpp"

/// The decision of a release. preempt() makes the whole decision. Its parts follow in the order of
/// spec/clauses, one for each group of clauses. The parts are public because explanations and laws use them
/// too.
namespace touchstone::reference {

/// Decides as the release does for a pod that could not be scheduled. `choices` breaks the last tie
/// (PRE-NODE-6). Ensures: the outcome is skipped, with the reason, if the question needs something that is
/// not modelled.
Decision preempt(const Question& question, const Release& release, Choices& choices, Trace& trace);

/// The canonical decision: lists in the given order, and the first node of the last tie.
Decision preempt(const Question& question, const Release& release, Trace& trace);
Decision preempt(const Question& question, const Release& release);

/// The error of a dry run that removes a pod, if a filter has no state because its PreFilter did not run.
/// Empty `error`: there is none.
struct MissingFilterState {
  std::string error;
  std::string_view clause;  ///< PRE-PREFILTER-4 or PRE-CLAIM-3
};

/// Whether the node that the pod is nominated to is tried before all others, where the release does so.
enum class NominatedNode { first, like_others };

/// Result of the first pass over the nodes.
struct FirstPass {
  std::string error;     ///< not empty: the whole attempt is an error
  bool crashed = false;  ///< with an error: the scheduler crashes and reports nothing
  std::vector<NodeIndex> feasible;
  std::map<NodeIndex, Status> status;  ///< of nodes that do not fit; excluded nodes may have none
  std::set<NodeIndex> excluded;        ///< PRE-PREFILTER-3
  bool names_nodes = false;            ///< PRE-PREFILTER-1: the PreFilters name the nodes that are filtered
  std::map<std::string, Status> unknown_status;  ///< EXT-FILTER-3: of names that no node has
  std::set<NodeIndex> dropped;         ///< EXT-DROP-1: without a status, and no potential nodes
  std::string rejection;               ///< PRE-PREFILTER-2, PRE-CLAIM-2: why no node was filtered
  Filter rejected_by = Filter::end;    ///< with a rejection: the PreFilter that rejected
  MissingFilterState state_lost;
};

/// Whether the plugin DynamicResources fails after the first pass, because its PreFilter has not run.
/// Clauses: PRE-PREFILTER-6.
bool claims_plugin_errs(const FirstPass& first_pass, const Release& release);

/// Runs the filters on every node, before any eviction. Clauses: PRE-CYCLE-1, PRE-CYCLE-2, PRE-PREFILTER-1 to
/// PRE-PREFILTER-5, PRE-CLAIM-2, PRE-CLAIM-3.
FirstPass filter_nodes(const Cycle& cycle, NominatedNode nominated = NominatedNode::first);
/// The same. `order`: all nodes, in the order in which the filters run. The first node on which a filter errs
/// decides the error. Clauses: PRE-MESSAGE-6.
FirstPass filter_nodes(const Cycle& cycle, const std::vector<NodeIndex>& order,
                       NominatedNode nominated = NominatedNode::first);

/// The decision of a release after its first pass. Requires: nothing that the question needs is not modelled.
/// Clauses: those of preempt().
Decision decide(const Cycle& cycle, const Question& question, const FirstPass& first_pass, Choices& choices);

/// Why the pod may not preempt, as the release says it. Empty: the pod may preempt. Clauses: PRE-ELIGIBLE-1
/// to PRE-ELIGIBLE-4.
std::string why_not_eligible(const Cycle& cycle, const FirstPass& first_pass);

/// The potential nodes: those where preemption might help, in the order of the cluster. Clauses:
/// PRE-POTENTIAL-1, PRE-PREFILTER-3.
std::vector<NodeIndex> potential_nodes(const Cycle& cycle, const FirstPass& first_pass);

/// The number of candidates that the search wants. Requires: `potential_nodes` is not negative. Clauses:
/// PRE-SEARCH-2, CYC-PROFILE-3.
Quantity candidate_quota(Quantity potential_nodes, const ProfileRules& profile);
/// The same with the default arguments.
Quantity candidate_quota(Quantity potential_nodes);

/// Result of the dry run on one node: a candidate, or the status that says why the node is not a candidate.
struct DryRun {
  Status status;
  Candidate candidate;
};

/// Searches the potential nodes for candidates. Returns the candidates in the order of the release's list.
/// Adds the status of every other visited node to `statuses`. Requires: at least one potential node. Clauses:
/// PRE-SEARCH-1 to PRE-SEARCH-5.
std::vector<Candidate> find_candidates(const Cycle& cycle, const Question& question,
                                       const std::vector<NodeIndex>& potential, const FirstPass& first_pass,
                                       std::map<NodeIndex, Status>& statuses);

/// The dry run on one node: selects its victims. Clauses: PRE-VICTIM-1 to PRE-VICTIM-8.
DryRun select_victims(const Cycle& cycle, NodeIndex node, const MissingFilterState& state_lost);

/// The pods of a node that the preemptor may evict, in the node's order. Clauses: PRE-VICTIM-1.
std::vector<PodOnNode> potential_victims(const Cycle& cycle, NodeIndex node);

/// The priority of a pod as a victim: that of its pod group, if it has one. Clauses: PRE-VICTIM-1, QUE-ENTITY-7.
Quantity victim_priority(const Pod& pod);

/// Whether pod `a` is more important than pod `b`, without regard to list order. Clauses: PRE-VICTIM-4,
/// QUE-ENTITY-7.
bool more_important(const Pod& a, const Pod& b, const Release& release);

/// Whether a pod terminates because the scheduler evicts it. Clauses: PRE-ELIGIBLE-4.
bool is_being_preempted(const Pod& pod, const Release& release);

/// Sorts pods by importance, most important first. Clauses: PRE-VICTIM-4, PRE-VICTIM-5.
void sort_by_importance(std::vector<PodOnNode>& pods, const Release& release);

/// Whether only list order can make one of two pods more important than the other. Clauses: PRE-VICTIM-4.
bool equally_important(const Pod& a, const Pod& b, const Release& release);

/// The victims in the release's order: first the violating ones, then the others, each group in the order in
/// which the dry run found them. Some releases sort all of them by importance once more, if `both_groups`:
/// some potential victims violate a PDB, and some do not. Clauses: PRE-VICTIM-7.
std::vector<PodOnNode> victims_in_order(std::vector<PodOnNode> violating,
                                        const std::vector<PodOnNode>& others, bool both_groups,
                                        const Release& release);

/// For each potential victim, whether its eviction would violate a PDB. Requires: `pods` is sorted by
/// importance. Clauses: PRE-PDB-1 to PRE-PDB-7.
std::vector<bool> pdb_violations(const Cycle& cycle, const std::vector<PodOnNode>& pods);

/// Whether the eviction of a pod counts against a PDB. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
bool pdb_covers(const PodDisruptionBudget& pdb, const Pod& pod, const Release& release);

/// For each PDB of the cluster, whether it covers the pod. Clauses: PRE-PDB-2, PRE-PDB-6, PRE-PDB-7.
std::vector<bool> covering_pdbs(const Cycle& cycle, const Pod& pod);

/// The values of a candidate for the five criteria of node choice, in order. The first criterion in which two
/// candidates differ decides: the lower value wins, but the later start wins.
struct Rank {
  Quantity pdb_violations = 0;
  Quantity first_priority = 0;
  Quantity priority_sum = 0;
  Quantity victims = 0;
  /// None: unstarted, which is later than any start, or the start does not decide in the release.
  std::optional<Quantity> earliest_start;

  bool operator==(const Rank&) const = default;
};
/// The values of a candidate for each criterion of the release. Clauses: PRE-NODE-1 to PRE-NODE-5.
Rank rank_of(const Cluster& cluster, const Candidate& candidate, const Release& release);

/// Whether rank `a` is better than rank `b`. A strict weak order. Requires: ranks of one release.
bool beats(const Rank& a, const Rank& b);

/// The candidates that are best in all criteria, as indices. Empty: the release crashes (PRE-VICTIM-8).
/// Requires: at least one candidate. Clauses: PRE-NODE-1 to PRE-NODE-6.
std::vector<std::size_t> best_candidates(const Cycle& cycle, const std::vector<Candidate>& candidates);

/// Chooses one of the candidates, and sets the outcome and the nominations of the decision. Requires: at
/// least one candidate. Clauses: PRE-NODE-6, PRE-OUTCOME-1, PRE-VICTIM-8.
void conclude(const Cycle& cycle, Choices& choices, Decision& decision);

/// Turns a decision into one that needs the answer to a call first. Clauses: EXT-ANSWER-1.
void await(ExtenderCall call, Decision& decision);

/// The message in the event FailedScheduling of the failed attempt. Empty if the pod fits or the release
/// crashes. Requires: the decision is complete but for its message. Clauses: PRE-MESSAGE-1 to PRE-MESSAGE-9.
std::string message_of(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision);

/// All answers that the release may give, over all orders of pods, PDBs and visited nodes. Requires: the
/// outcome of preempt() is nominated. Ensures: if the enumeration would exceed `limit`, `unknown` of the
/// result says why. Clauses: PRE-ANYORDER-1 to PRE-ANYORDER-3. Complexity: linear in nodes; for each node
/// linear in the orders of equally important pods that differ, up to `limit`.
AnyOrder any_order(const Question& question, const Release& release, std::size_t limit);

/// What the question needs but the reference does not model. The text begins with the name of the filter or
/// feature. Empty: nothing.
std::string not_modelled(const Cycle& cycle);

}  // namespace touchstone::reference
