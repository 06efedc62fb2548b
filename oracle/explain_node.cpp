#include <map>
#include <set>

#include "oracle/explainer.hpp"
#include "oracle/words.hpp"

/// One node: its dry run, step by step.
namespace touchstone::oracle {

/// The account of the PDBs, line by line.
void Explainer::put_budgets(const NodeStory& story, Section& section) const {
  const bool consumes = release_.pdb_budget != PdbBudget::threshold;
  if (!story.budgets.empty())
    section.lines.push_back(
        {{"which evictions would violate a PDB, the most important pods first:"}, "PRE-PDB-1"});
  for (const Step* step : story.budgets) {
    const std::string left = std::to_string(step->values[0].second) + (consumes ? " left" : " allowed");
    const std::string what =
        step->passed ? (consumes ? "would take one" : "would be allowed") : "would violate it";
    section.lines.push_back({{"PDB " + step->what, left, pod_text(*step->pod), what},
                             step->clause,
                             step->passed ? Tone::plain : Tone::bad});
  }
}

void Explainer::put_reprieves(const NodeStory& story, Section& section) const {
  if (!story.reprieves.empty())
    section.lines.push_back(
        {{"put back one by one, violating pods first, as far as the pod still fits:"}, "PRE-VICTIM-6"});
  for (const Step* step : story.reprieves) {
    const Pod& pod = cluster_.pods[*step->pod];
    const std::string start = !release_.importance_by_start_time ? ""
                              : pod.start_time_ns                ? "started " + time_of(*pod.start_time_ns)
                                                                 : "not started";
    const std::string what = step->passed ? "stays" : "has to go: " + findings_text(*step);
    section.lines.push_back({{pod.full_name(), "priority " + std::to_string(pod.priority), start,
                              what + (pod.terminating ? " (terminating)" : "")},
                             step->clause,
                             step->passed ? Tone::good : Tone::bad});
  }
}

/// What surprises people: budgets spent on paper, and pods that go to spare less important ones.
void Explainer::put_remarks(const NodeStory& story, Section& section) const {
  std::map<PodIndex, bool> stays;
  std::set<PodIndex> violating;
  for (const Step* step : story.reprieves) stays[*step->pod] = step->passed;
  for (const Step* step : story.budgets) {
    if (!step->passed) violating.insert(*step->pod);
  }
  std::set<std::string> told;
  for (const Step* spender : story.budgets) {
    if (!spender->passed || !stays[*spender->pod] || release_.pdb_budget == PdbBudget::threshold) continue;
    for (const Step* violator : story.budgets) {
      if (violator->what != spender->what || violator->passed || stays[*violator->pod]) continue;
      if (!told.insert(violator->what).second) continue;
      section.lines.push_back(
          {{"spent on paper only: " + pod_text(*spender->pod) + " stays, yet took from PDB " + spender->what +
            ", so that " + pod_text(*violator->pod) + " counts as a violation"},
           spender->clause,
           Tone::bad});
    }
  }
  for (const Step* victim : story.reprieves) {
    if (victim->passed || violating.contains(*victim->pod)) continue;
    for (const Step* spared : story.reprieves) {
      if (!spared->passed || !violating.contains(*spared->pod)) continue;
      if (cluster_.pods[*spared->pod].priority >= cluster_.pods[*victim->pod].priority) continue;
      section.lines.push_back({{pod_text(*victim->pod) + " goes and " + pod_text(*spared->pod) +
                                " stays: pods that a PDB protects are put back before all others"},
                               victim->clause,
                               Tone::bad});
      return;
    }
  }
}

Section Explainer::node(NodeIndex node) const {
  const NodeStory& story = story_.nodes[node];
  Section section{"Node " + name(node), {}};
  if (story.candidate != nullptr && story.candidate->passed) {
    section.title += ": evicting " +
                     count_of(static_cast<std::size_t>(value_of(story.candidate->values, "victims")), "pod") +
                     ", " +
                     count_of(static_cast<std::size_t>(value_of(story.candidate->values, "PDB violations")),
                              "PDB violation");
  }
  if (decision_.outcome == Outcome::nominated && decision_.candidates[decision_.chosen].node == node)
    section.title += " (chosen)";

  if (const Step* step = story.attempt) {
    const std::string text =
        step->passed ? "as it is, it takes the pod" : "as it is: " + findings_text(*step);
    section.lines.push_back({{text}, deciding_clause(*step)});
  }
  if (story.potential != nullptr && !story.potential->passed)
    section.lines.push_back({{"no eviction can help"}, story.potential->clause, Tone::bad});
  if (const Step* step = story.room) {
    const bool removed = !step->values.empty() && step->values[0].second > 0;
    const std::string without =
        removed ? "without its " + count_of(static_cast<std::size_t>(step->values[0].second), "pod") +
                      " of lower priority: "
                : "";
    section.lines.push_back({{without + (step->passed ? "the pod fits" : findings_text(*step))},
                             step->clause,
                             step->passed ? Tone::good : Tone::bad});
  }
  put_budgets(story, section);
  put_reprieves(story, section);
  section = cut(std::move(section), "--node " + name(node) + " shows them");
  put_remarks(story, section);
  if (story.candidate != nullptr && !story.candidate->passed)
    section.lines.push_back({{story.candidate->what}, story.candidate->clause, Tone::bad});
  if (story.choice != nullptr) {
    for (const Rung& rung : ladder()) {
      if (story.choice->passed || story.choice->clause != rung.clause) continue;
      section.lines.push_back(
          {{"not chosen: " + std::string(rung.value) + " " + value_text(*story.choice, rung)},
           rung.clause,
           Tone::bad});
    }
  }
  return section;
}

}  // namespace touchstone::oracle
