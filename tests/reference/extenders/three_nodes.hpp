#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

/// Builds questions with extenders on three nodes, for tests of their filters.
namespace touchstone::tests {

/// n0, n1 and n2 with 4 CPUs each, and a pod that requests 1 CPU.
inline Question three_nodes(std::vector<Extender> extenders, const Pod& asked = pod("p", 10, 1000)) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).node("n2", 4000).asks(asked);
  question.extenders = std::move(extenders);
  return question;
}

/// The feasible nodes after the filters of the release and of the extenders.
inline std::vector<NodeIndex> feasible(const Question& question, std::string_view name) {
  return reference::schedule(question, release(name)).feasible;
}

}  // namespace touchstone::tests
