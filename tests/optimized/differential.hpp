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

/// Adds what the generator leaves out: several required terms of anti-affinity on one pod, the preemptor or
/// another, over labels that some nodes lack.
inline void add_terms(Question& question, Choices& choices) {
  for (Node& node : question.cluster.nodes) {
    if (choices.pick(3, "rack") > 0) node.labels["rack"] = choices.pick(2, "which") == 0 ? "a" : "b";
    if (choices.pick(3, "zone") > 0) node.labels["zone"] = choices.pick(2, "which") == 0 ? "a" : "b";
  }
  const auto add = [&choices](Pod& pod, std::size_t most) {
    for (std::size_t terms = choices.pick(most + 1, "terms"); terms > 0; --terms) {
      PodAffinityTerm term;
      term.topology_key = choices.pick(2, "key") == 0 ? "rack" : "zone";
      term.label_selector = LabelSelector{{{"app", choices.pick(2, "app") == 0 ? "x" : "y"}}, {}};
      if (choices.pick(4, "namespace") == 0) term.namespaces = {"default"};
      pod.pod_anti_affinity.push_back(term);
    }
  };
  add(question.pod, 3);
  if (choices.pick(2, "app") == 0) question.pod.labels["app"] = "x";
  for (Pod& pod : question.cluster.pods) {
    if (choices.pick(2, "app") == 0) pod.labels["app"] = choices.pick(2, "which") == 0 ? "x" : "y";
    if (choices.pick(8, "others") == 0) add(pod, 2);
  }
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
