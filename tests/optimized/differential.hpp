#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/generate/scenario.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/engines.hpp"

/// Comparison of the optimized engine with the reference.
namespace touchstone::tests {

using oracle::optimized_answer;

/// Adds what the generator leaves out: several required anti-affinity terms on one pod, which is the
/// preemptor or another pod. Some nodes lack the labels that these terms use as topology keys.
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

/// The parts in which the optimized engine and the reference differ, including which questions they skip;
/// empty: none.
inline std::string difference(const Question& question, const Release& release,
                              const optimized::Answer& answer, const Decision& decision) {
  if (oracle::agree(answer, decision)) return "";
  std::string text;
  for (const oracle::Difference& part : oracle::differences_of(answer, decision, question.cluster))
    text += part.key + ": optimized " + part.given + ", reference " + part.ours + "\n";
  return text + release.version.text() + " " + kubernetes::written(question).dump();
}

/// The same for whole scheduling cycles.
inline std::string difference(const Question& question, const Release& release,
                              const optimized::Placed& placed, const Placement& placement) {
  if (oracle::agree(placed, placement)) return "";
  std::string text;
  for (const oracle::Difference& part : oracle::differences_of(placed, placement, question.cluster))
    text += part.key + ": optimized " + part.given + ", reference " + part.ours + "\n";
  return text + release.version.text() + " " + kubernetes::written(question).dump();
}

}  // namespace touchstone::tests
