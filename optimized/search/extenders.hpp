#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "optimized/scores/scorer.hpp"
#include "optimized/search/decide.hpp"
#include "optimized/search/query.hpp"
#include "spec/vocabulary/extenders.hpp"

/// Extenders that filter and score. What only a few questions need is left to the reference: calls that fail,
/// names of nodes that do not exist, and preemption with extenders.
namespace touchstone::optimized {

/// The extenders of the question, or else of the configuration.
const std::vector<Extender>& extenders_of(const Query& query, const Options& options);

/// The extenders that are asked about the pod, in the order in which they are asked. Clauses: EXT-ORDER-1,
/// EXT-INTEREST-1.
std::vector<const Extender*> asked_extenders(const Query& query, const Options& options);

/// The reason of an answer that this engine leaves to the reference.
std::string left_of_extenders(const std::string& why);

inline const std::string& node_name(const Query& query, NodeIndex node) {
  return query.tables.symbols.text(query.tables.nodes.facts[node].name);
}

/// Whether a table has the answers about these nodes. Clauses: EXT-ANSWER-1.
template <typename Entry>
bool knows(const std::optional<AnswerTable<Entry>>& table, const Query& query, Nodes nodes) {
  if (!table || !table->asked) return table.has_value();
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](NodeIndex node) { return table->knows(node_name(query, node)); });
}

/// Why this engine does not handle a question with these extenders; empty: it does. Clauses: EXT-RESOURCE-1,
/// EXT-NOMINATED-1.
std::string extenders_not_handled(const Query& query, const Options& options);

/// Asks the extenders about the feasible nodes, and keeps those that they leave. Returns why this engine does
/// not handle their answers; empty: it does, and at least one node is left. Requires: at least one node.
/// Clauses: EXT-FILTER-1, EXT-ORDER-1, EXT-INTEREST-1, EXT-ERROR-1.
std::string ask_filters(const Query& query, const Options& options, std::vector<NodeIndex>& nodes);

/// Why this engine does not preempt with these extenders, if the filters reject every node; empty: it does.
std::string preemption_not_handled(const Query& query, const Options& options);

/// What extenders add to the totals.
struct ExtenderScores {
  std::vector<Quantity> scores;  ///< for each of the nodes; empty: there are no extenders
  std::vector<bool> has_entry;   ///< CYC-HOST-4: whether an extender gave the node a score, even 0
  std::string not_handled;       ///< why this engine does not handle the scores; empty: it does
};

/// Asks the extenders to score nodes. Clauses: EXT-SCORE-1, EXT-SCORE-2, EXT-RECORD-1.
ExtenderScores ask_scores(const Query& query, const Options& options, Nodes nodes);

}  // namespace touchstone::optimized
