#include "reference/extenders/extenders.hpp"
#include "reference/scores/go_numbers.hpp"

/// The scores of extenders.
namespace touchstone::reference {

namespace {

/// EXT-SCORE-1: the highest score of an extender.
constexpr Quantity k_highest_extender_score = 10;

}  // namespace

ExtendedScores score_by_extenders(const Cycle& cycle, const std::vector<NodeIndex>& nodes) {
  ExtendedScores result;
  result.scores.resize(nodes.size(), 0);
  for (const std::size_t index : extenders_to_ask(cycle)) {
    const Extender& extender = cycle.extenders[index];
    if (extender.prioritize_verb.empty()) {  // EXT-SCORE-2
      result.with_entry.insert(nodes.begin(), nodes.end());
      continue;
    }
    if (!is_known(cycle, extender.prioritize, nodes)) {
      result.unanswered = ExtenderCall{index, ExtenderVerb::prioritize, nodes, {}};
      return result;
    }
    if (extender.prioritize->error) continue;  // EXT-SCORE-2
    const Quantity scale =
        go_product(extender.weight, cycle.release.highest_score / k_highest_extender_score);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto entry = extender.prioritize->nodes.find(node_name_at(cycle, nodes[i]));
      if (entry == extender.prioritize->nodes.end()) continue;
      result.scores[i] = go_sum(result.scores[i], go_product(entry->second, scale));
      result.with_entry.insert(nodes[i]);
    }
  }
  return result;
}

}  // namespace touchstone::reference
