#pragma once

#include <string>
#include <vector>

#include "fuzz/scenario.hpp"
#include "kubernetes/written.hpp"
#include "optimized/decide.hpp"
#include "reference/preempt.hpp"

/// The optimized engine held against the reference.
namespace touchstone::tests {

/// What an Answer says of a decision of the reference.
inline optimized::Answer as_answer(const Decision& decision) {
  optimized::Answer answer;
  answer.outcome = decision.outcome;
  if (decision.outcome != Outcome::skipped) answer.reason = decision.reason;
  answer.feasible = decision.feasible;
  if (decision.outcome == Outcome::fits) return answer;
  if (decision.outcome == Outcome::nominated) {
    const Candidate& chosen = decision.candidates[decision.chosen];
    for (const std::size_t i : decision.admissible) answer.admissible.push_back(decision.candidates[i].node);
    answer.node = chosen.node;
    answer.victims = chosen.victims;
    answer.pdb_violations = chosen.pdb_violations;
    answer.clears = decision.clears;
  }
  answer.nomination = decision.nomination;
  return answer;
}

inline std::string text_of(const optimized::Answer& answer) {
  std::string text = "outcome " + std::to_string(static_cast<int>(answer.outcome)) + " reason '" +
                     answer.reason + "' node " + std::to_string(answer.node) + " violations " +
                     std::to_string(answer.pdb_violations) + " nomination " +
                     std::to_string(static_cast<int>(answer.nomination));
  const auto list = [&text](const char* name, const std::vector<std::size_t>& numbers) {
    text += std::string(" ") + name + " [";
    for (const std::size_t number : numbers) text += " " + std::to_string(number);
    text += " ]";
  };
  list("feasible", answer.feasible);
  list("victims", answer.victims);
  list("admissible", answer.admissible);
  list("clears", answer.clears);
  return text;
}

/// What the engine answers to a question, on a snapshot built for it.
inline optimized::Answer optimized_answer(const Question& question, const Release& release,
                                          optimized::Workers& workers) {
  const optimized::Snapshot snapshot(question.cluster, release);
  CanonicalChoices choices;
  optimized::Options options;
  options.offset = question.offset;
  options.quota = question.quota;
  return optimized::decide(snapshot, question.pod, options, workers, choices);
}

inline Decision reference_decision(const Question& question, const Release& release) {
  CanonicalChoices choices;
  Trace trace = Trace::none();
  return reference::preempt(question, release, choices, trace);
}

/// Where the engine departs from the reference; empty: nowhere, or it skipped.
inline std::string difference(const Question& question, const Release& release,
                              const optimized::Answer& answer, const Decision& decision) {
  if (answer.outcome == Outcome::skipped) return "";
  const optimized::Answer wanted = as_answer(decision);
  optimized::Answer given = answer;
  given.dry_runs = 0;
  if (given == wanted) return "";
  return "reference: " + text_of(wanted) + "\noptimized: " + text_of(given) + "\n" + release.version.text() +
         " " + kubernetes::written(question).dump();
}

}  // namespace touchstone::tests
