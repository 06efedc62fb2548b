#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/cycle/node_search.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/extenders.hpp"

/// Extenders: what the scheduler asks them, and what it does with their answers.
namespace touchstone::reference {

/// The extenders that the scheduler asks about this pod, as indices in configured order, in the order in
/// which it asks them. Clauses: EXT-ORDER-1, EXT-INTEREST-1.
std::vector<std::size_t> extenders_to_ask(const Cycle& cycle);

/// The names that extenders know and that no node of the cluster has. Their indices follow those of the
/// nodes. Clauses: EXT-UNKNOWN-1 to EXT-UNKNOWN-3.
std::vector<std::string> unknown_nodes(const Cycle& cycle);

/// The name of a node of the cluster, or of one of unknown_nodes().
std::string node_name_at(const Cycle& cycle, NodeIndex node);

/// The name of an extender in errors: its URL, or its number if it has none.
std::string name_of_extender(const Cycle& cycle, std::size_t extender);

/// Whether the answer to a call about these nodes is known. Clauses: EXT-ANSWER-1.
template <typename Entry>
bool is_known(const Cycle& cycle, const std::optional<AnswerTable<Entry>>& table,
              const std::vector<NodeIndex>& nodes) {
  if (!table) return false;
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](NodeIndex node) { return table->knows(node_name_at(cycle, node)); });
}

/// The error of a call. Clauses: EXT-ERROR-2.
std::string call_error(const Cycle& cycle, std::size_t extender, const std::string& verb,
                       const std::optional<std::string>& error);

/// The feasible nodes of a cycle: those that pass the filters of plug-ins and of extenders.
struct FoundNodes {
  FirstPass first_pass;      ///< with the statuses that extenders set
  NodeSearch search;         ///< the feasible nodes in their order, and the nodes that have been visited
  std::set<NodeIndex> bare;  ///< EXT-RECORD-1: nodes of which scorers see no pods and no images
  std::optional<ExtenderCall> unanswered;  ///< the search needs this answer; the rest is not meaningful
};

/// Searches for feasible nodes, and asks the extenders about them. `first_pass`: of filter_nodes(). `start`:
/// as for search_nodes(). Clauses: EXT-FILTER-1 to EXT-FILTER-3, EXT-DROP-1, EXT-NOMINATED-1.
FoundNodes find_nodes(const Cycle& cycle, FirstPass first_pass, std::optional<Quantity> start);

/// What the extenders leave of the feasible nodes.
struct ExtendedFilter {
  std::vector<NodeIndex> feasible;
  std::map<NodeIndex, Status> status;  ///< of the nodes that an extender rejects
  std::set<NodeIndex> bare;
  std::string error;     ///< not empty: the attempt ends with this error
  bool crashed = false;  ///< with an error: the scheduler crashes
  std::optional<ExtenderCall> unanswered;
};

/// Asks the extenders about feasible nodes, one after the other. `status`: the statuses so far. Clauses:
/// EXT-FILTER-1 to EXT-FILTER-3, EXT-ERROR-1, EXT-RECORD-1, EXT-UNKNOWN-1, EXT-UNKNOWN-2.
ExtendedFilter filter_by_extenders(const Cycle& cycle, const std::vector<NodeIndex>& feasible,
                                   const std::map<NodeIndex, Status>& status);

/// What extenders add to the totals.
struct ExtendedScores {
  std::vector<Quantity> scores;    ///< for each of the nodes
  std::set<NodeIndex> with_entry;  ///< CYC-HOST-4: the nodes that an extender gave a score, even 0
  std::optional<ExtenderCall> unanswered;
};

/// Asks the extenders to score nodes. Clauses: EXT-SCORE-1, EXT-SCORE-2.
ExtendedScores score_by_extenders(const Cycle& cycle, const std::vector<NodeIndex>& nodes);

/// The candidates that the extenders leave.
struct ExtendedPreemption {
  std::vector<Candidate> candidates;
  std::vector<std::string> errors;  ///< the release reports any one of them; empty: none
  bool has_unknown_node = false;    ///< EXT-UNKNOWN-3: there is a candidate without victims on no node
  std::optional<ExtenderCall> unanswered;
};

/// Asks the extenders about the candidates of preemption. Requires: at least one candidate. Clauses:
/// EXT-PREEMPT-1 to EXT-PREEMPT-4, EXT-ERROR-1, EXT-UNKNOWN-3.
ExtendedPreemption preempt_by_extenders(const Cycle& cycle, const std::vector<Candidate>& candidates);

}  // namespace touchstone::reference
