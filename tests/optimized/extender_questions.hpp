#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

/// Builds questions with extenders. Also has the reasons for which the optimized engine leaves such questions
/// to the reference.
namespace touchstone::tests {

/// Nodes n1 to n3 with room for the pod.
inline Question three_nodes(std::vector<Extender> extenders) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3"}) add_node(builder, name);
  Question question = with_memory(builder.asks(pod("p", 10, 1000)));
  question.extenders = std::move(extenders);
  return question;
}

/// Nodes n1, n2 and so on with these pods. The preemptor needs a whole node.
inline Question full_nodes(const std::vector<std::vector<Pod>>& pods, std::vector<Extender> extenders) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    builder.node("n" + std::to_string(i + 1), 4000);
    for (const Pod& each : pods[i]) builder.has(each);
  }
  Question question = builder.asks(pod("p", 100, 4000));
  question.extenders = std::move(extenders);
  return question;
}
inline Question two_full_nodes(std::vector<Extender> extenders) {
  return full_nodes({{pod("on-n1", 0, 1000)}, {pod("on-n2", 0, 1000)}}, std::move(extenders));
}

inline Extender filters_all() { return filters_names({{"n1", ok()}, {"n2", ok()}, {"n3", ok()}}); }

/// The extender with its verbs, but without any answer: no answer to a call is known (EXT-ANSWER-1).
inline Extender unknown(Extender extender) {
  extender.filter.reset();
  extender.prioritize.reset();
  extender.preempt.reset();
  return extender;
}

/// The answer of a whole cycle. Expects that the placement of the reference is equal.
inline optimized::Answer placed_answer(const Question& question, const char* version) {
  return placed_alike(question, release(version)).answer;
}

constexpr const char* k_unknown_answer = "configuration: extenders: an answer is not known";
constexpr const char* k_unknown_node = "configuration: extenders: they name a node that does not exist";
constexpr const char* k_unknown_victim =
    "configuration: extenders: they name a victim that is not on its node";

}  // namespace touchstone::tests
