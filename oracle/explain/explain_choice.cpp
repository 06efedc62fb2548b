#include <algorithm>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

/// The tie-break ladder.
namespace touchstone::oracle {

const std::vector<Rung>& ladder() {
  static const std::vector<Rung> k_rungs = {
      {"PRE-NODE-1", "PDB violations", "fewest PDB violations"},
      {"PRE-NODE-2", "first victim's priority", "lowest priority of the first victim"},
      {"PRE-NODE-3", "sum of priorities", "smallest sum of priorities"},
      {"PRE-NODE-4", "victims", "fewest victims"},
      {"PRE-NODE-5", "earliest start", "latest start of the most important victims"},
  };
  return k_rungs;
}

/// The value at a rung; a start that is missing is later than any.
std::string value_text(const Step& choice, const Rung& rung) {
  for (const auto& [name, value] : choice.values) {
    if (name == rung.value) return rung.clause == "PRE-NODE-5" ? time_of(value) : std::to_string(value);
  }
  return "not started";
}

std::vector<NodeIndex> best_first(const Cluster& cluster, const Release& release, const Decision& decision) {
  std::vector<std::pair<reference::Rank, NodeIndex>> keyed;
  for (const Candidate& candidate : decision.candidates)
    keyed.emplace_back(reference::rank_of(cluster, candidate, release), candidate.node);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::stable_sort(keyed.begin(), keyed.end(), [&release](const auto& a, const auto& b) {
    return reference::beats(a.first, b.first, release);
  });
  std::vector<NodeIndex> nodes;
  if (decision.outcome == Outcome::nominated) nodes.push_back(decision.candidates[decision.chosen].node);
  for (const auto& [rank, node] : keyed) {
    if (nodes.empty() || node != nodes.front()) nodes.push_back(node);
  }
  return nodes;
}

/// The tie-break ladder: at each rung what the best have, how many are left, and who falls.
Section Explainer::choice() const {
  Section section{"Which candidate?", {}};
  std::vector<NodeIndex> rivals = best_first(cluster_, release_, decision_);
  std::erase_if(rivals, [this](NodeIndex i) { return index_.nodes[i].choice == nullptr; });
  if (decision_.candidates.size() == 1) section.lines.push_back({{"there is only one"}, "PRE-NODE-6"});
  if (rivals.empty()) return section;

  section.title = "Which of " + count_of(rivals.size(), "candidate") + "?";
  const Step& best = *index_.nodes[rivals.front()].choice;
  std::size_t left = rivals.size();
  section.lines.push_back({{"CRITERION", "BEST", "LEFT", "FALL HERE"}});
  for (const Rung& rung : ladder()) {
    if (left <= 1) break;
    if (rung.clause == "PRE-NODE-1" && release_.pdb_budget == PdbBudget::ignored) continue;
    if (rung.clause == "PRE-NODE-5" && !release_.choice_by_start_time) continue;
    std::vector<std::string> fallen;
    for (const NodeIndex i : rivals) {
      const Step& step = *index_.nodes[i].choice;
      if (!step.passed && step.clause == rung.clause)
        fallen.push_back(name(i) + " with " + value_text(step, rung));
    }
    left -= fallen.size();
    const std::size_t most = scope_.all ? fallen.size() : k_names_most;
    section.lines.push_back({{rung.criterion, value_text(best, rung), std::to_string(left),
                              fallen.empty() ? "none" : names_of(fallen, most)},
                             rung.clause});
  }
  if (decision_.admissible.size() > 1) {
    std::vector<std::string> tied;
    for (const std::size_t i : decision_.admissible) tied.push_back(name(decision_.candidates[i].node));
    section.lines.push_back(
        {{"a tie: any of " + names_of(tied, scope_.all ? tied.size() : k_lines_most) +
          " may be chosen, since the release takes the first of a map; here the first in the "
          "list of nodes"},
         "PRE-NODE-6"});
  }
  return section;
}

}  // namespace touchstone::oracle
