#include "optimized/search/extenders.hpp"
#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

/// EXT-SCORE-1: the highest score of an extender.
constexpr Quantity k_highest_extender_score = 10;

}  // namespace

ExtenderScores ask_scores(const Query& query, Nodes nodes) {
  ExtenderScores result;
  if (query.extenders.empty()) return result;
  result.scores.resize(nodes.size(), 0);
  result.has_entry.resize(nodes.size(), false);
  for (const Extender* extender : asked_extenders(query)) {
    if (extender->prioritize_verb.empty()) {
      result.has_entry.assign(nodes.size(), true);
      continue;
    }
    if (!knows(extender->prioritize, query, nodes)) {
      result.not_handled = left_of_extenders("an answer is not known");
      return result;
    }
    if (extender->prioritize->error) continue;
    const Quantity scale =
        go::product(extender->weight, query.release.highest_score / k_highest_extender_score);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto entry = extender->prioritize->nodes.find(node_name(query, nodes[i]));
      if (entry == extender->prioritize->nodes.end()) continue;
      result.scores[i] = go::sum(result.scores[i], go::product(entry->second, scale));
      result.has_entry[i] = true;
    }
  }
  return result;
}

}  // namespace touchstone::optimized
