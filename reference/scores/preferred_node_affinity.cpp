#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"

namespace touchstone::reference {

namespace {

/// SCORE-NODEAFFINITY-1: whether a preferred term holds for a node. Up to v1.19 its fields are ignored, and a
/// term without expressions never holds.
bool preference_holds(const NodeSelectorTerm& preference, const Node& node, const Release& release) {
  if (release.preferred_fields_count) return term_holds(preference, node);
  return !preference.match_expressions.empty() && matches(preference.match_expressions, node.labels);
}

/// SCORE-NODEAFFINITY-3: the preferred terms of the preemptor, and those that the configuration adds.
std::vector<PreferredNodeTerm> preferred_terms(const Cycle& cycle) {
  std::vector<PreferredNodeTerm> terms = cycle.pod.preferred_node_affinity;
  const std::vector<PreferredNodeTerm>& added = cycle.release.added_preferred_terms;
  terms.insert(terms.end(), added.begin(), added.end());
  return terms;
}

}  // namespace

/// SCORE-NODEAFFINITY-1: the sum of the weights of the preferred terms that hold, normalised.
Scores preferred_node_affinity(const Cycle& cycle, const Nodes& nodes) {
  const std::vector<PreferredNodeTerm> terms = preferred_terms(cycle);
  if (terms.empty() && cycle.release.node_affinity_score_may_be_skipped) return {};  // SCORE-NODEAFFINITY-2
  std::vector<Quantity> raw;
  for (const NodeIndex node : nodes) {
    Quantity sum = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (!preference_holds(terms[i].preference, cycle.cluster.nodes[node], cycle.release)) continue;
      sum = go_sum(sum, terms[i].weight);
      cycle.trace.add({Stage::score_part,
                       "SCORE-NODEAFFINITY-1",
                       true,
                       "preferred term " + std::to_string(i + 1),
                       node,
                       {},
                       {{Measure::weight, terms[i].weight}}});
    }
    raw.push_back(sum);
  }
  return normalized(raw, cycle.release);
}

}  // namespace touchstone::reference
