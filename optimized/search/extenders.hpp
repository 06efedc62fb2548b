#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "optimized/scores/scorer.hpp"
#include "optimized/search/decide.hpp"
#include "optimized/search/first_pass.hpp"
#include "optimized/search/node_search.hpp"
#include "optimized/search/query.hpp"
#include "spec/vocabulary/extenders.hpp"

/// Extenders: what the scheduler asks them, and what it does with their answers. What only a few questions
/// need is left to the reference: nodes that do not exist, victims that are not on their node, answers that
/// are not known.
namespace touchstone::optimized {

/// The extenders that are asked about the pod, in the order in which they are asked. Clauses: EXT-ORDER-1,
/// EXT-INTEREST-1.
std::vector<const Extender*> asked_extenders(const Query& query);

/// The reason of an answer that this engine leaves to the reference.
std::string left_of_extenders(const std::string& why);

/// The error of a call. `error`: of the extender's table. Clauses: EXT-ERROR-2.
std::string error_of_call(const Query& query, const Extender& extender, const std::string& verb,
                          const std::string& error);

inline const std::string& node_name(const Query& query, NodeIndex node) {
  return query.tables.symbols.text(query.tables.nodes.facts[node].name);
}

/// Whether a table has the answers about these nodes. Clauses: EXT-ANSWER-1.
template <typename Entry>
bool knows(const std::optional<AnswerTable<Entry>>& table, const Query& query, Nodes nodes) {
  return table && std::all_of(nodes.begin(), nodes.end(),
                              [&](NodeIndex node) { return table->knows(node_name(query, node)); });
}

/// The feasible nodes of a cycle: those that pass the filters of plug-ins and of extenders.
struct ExtendedNodes {
  FirstPass first_pass;         ///< with the codes that extenders cause, if no node is left
  FoundNodes found;             ///< without nodes if the first pass has an error
  bool nodes_are_bare = false;  ///< EXT-RECORD-1: scorers see no pods and no images of these nodes
  std::string not_handled;      ///< why this engine does not handle the answers; empty: it does
};

/// Searches for feasible nodes by `search`, and asks the extenders about them. `filter_again`: the first pass
/// once more, without the nominated node before all others. Clauses: EXT-FILTER-1 to EXT-FILTER-3,
/// EXT-DROP-1, EXT-NOMINATED-1, EXT-ERROR-1.
ExtendedNodes find_nodes(const Query& query, FirstPass first_pass,
                         const std::function<FoundNodes(const FirstPass&, NominatedNode)>& search,
                         const std::function<FirstPass()>& filter_again);

/// The candidates that the extenders leave.
struct ExtendedCandidates {
  std::vector<Candidate> candidates;
  std::string error;        ///< not empty: preemption ends with it
  std::string not_handled;  ///< as above
};

/// Asks the extenders about the candidates of preemption. Requires: at least one. Clauses: EXT-PREEMPT-1 to
/// EXT-PREEMPT-4, EXT-ERROR-1.
ExtendedCandidates ask_about_victims(const Query& query, std::vector<Candidate> candidates);

/// The candidates that are best in all criteria. Empty: the release crashes (PRE-VICTIM-8). Requires: at
/// least one candidate. Clauses: PRE-NODE-1 to PRE-NODE-6.
std::vector<Candidate> best_of(const Query& query, const std::vector<Candidate>& candidates);

/// What extenders add to the totals.
struct ExtenderScores {
  std::vector<Quantity> scores;  ///< for each of the nodes; empty: there are no extenders
  std::vector<bool> has_entry;   ///< CYC-HOST-4: whether an extender gave the node a score, even 0
  std::string not_handled;       ///< as above
};

/// Asks the extenders to score nodes. Clauses: EXT-SCORE-1, EXT-SCORE-2.
ExtenderScores ask_scores(const Query& query, Nodes nodes);

}  // namespace touchstone::optimized
