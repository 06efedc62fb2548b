#include <algorithm>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

/// The node choice: criterion after criterion.
namespace touchstone::oracle {

const std::vector<Criterion>& node_criteria() {
  static const std::vector<Criterion> k_criteria = {
      {"PRE-NODE-1", Measure::pdb_violations, "fewest PDB violations"},
      {"PRE-NODE-2", Measure::first_priority, "lowest priority of the first victim"},
      {"PRE-NODE-3", Measure::priority_sum, "smallest sum of priorities"},
      {"PRE-NODE-4", Measure::victims, "fewest victims"},
      {"PRE-NODE-5", Measure::earliest_start, "latest start of the most important victims"},
  };
  return k_criteria;
}

/// The value of a candidate at a criterion. A missing start time counts as later than any other.
std::string value_text(const Step& choice, const Criterion& criterion) {
  for (const auto& [name, value] : choice.values) {
    if (name == criterion.value)
      return criterion.clause == "PRE-NODE-5" ? time_of(value) : std::to_string(value);
  }
  return "not started";
}

std::vector<NodeIndex> best_first(const Cluster& cluster, const Release& release, const Decision& decision) {
  std::vector<std::pair<reference::Rank, NodeIndex>> keyed;
  for (const Candidate& candidate : decision.candidates)
    keyed.emplace_back(reference::rank_of(cluster, candidate, release), candidate.node);
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return reference::beats(a.first, b.first); });
  std::vector<NodeIndex> nodes;
  if (decision.outcome == Outcome::nominated) nodes.push_back(decision.candidates[decision.chosen].node);
  for (const auto& [rank, node] : keyed) {
    if (nodes.empty() || node != nodes.front()) nodes.push_back(node);
  }
  return nodes;
}

/// Shows each criterion: the best value, how many candidates are left, and which candidates it eliminates.
Section Explainer::choice() const {
  Section section{"Which candidate is chosen?", {}};
  std::vector<NodeIndex> rivals = best_first(cluster_, release_, decision_);
  std::erase_if(rivals, [this](NodeIndex i) { return index_.nodes[i].choice == nullptr; });
  if (decision_.candidates.size() == 1)
    section.lines.push_back(
        {{index_.search.empty() ? "there is only one candidate" : "the search leaves only one candidate"},
         "PRE-NODE-6"});
  if (rivals.empty()) return section;

  section.title = "Which of " + count_of(rivals.size(), "candidate") + " is chosen?";
  const Step& best = *index_.nodes[rivals.front()].choice;
  std::size_t left = rivals.size();
  section.lines.push_back({{"CRITERION", "BEST", "LEFT", "ELIMINATED"}});
  for (const Criterion& criterion : node_criteria()) {
    if (left <= 1) break;
    if (criterion.clause == "PRE-NODE-1" && release_.pdb_budget == PdbBudget::ignored) continue;
    if (criterion.clause == "PRE-NODE-5" && !release_.choice_by_start_time) continue;
    std::vector<std::string> fallen;
    for (const NodeIndex i : rivals) {
      const Step& step = *index_.nodes[i].choice;
      if (!step.passed && step.clause == criterion.clause)
        fallen.push_back(name(i) + " with " + value_text(step, criterion));
    }
    left -= fallen.size();
    const std::size_t most = scope_.all ? fallen.size() : k_names_most;
    section.lines.push_back({{criterion.criterion, value_text(best, criterion), std::to_string(left),
                              fallen.empty() ? "none" : names_of(fallen, most)},
                             criterion.clause});
  }
  if (decision_.admissible.size() > 1) {
    std::vector<std::string> tied;
    for (const std::size_t i : decision_.admissible) tied.push_back(name(decision_.candidates[i].node));
    section.lines.push_back(
        {{"a tie: the release may choose any of " + names_of(tied, scope_.all ? tied.size() : k_lines_most) +
          ", because it takes the first entry of a map; here the first in the list of nodes"},
         "PRE-NODE-6"});
  }
  return section;
}

}  // namespace touchstone::oracle
