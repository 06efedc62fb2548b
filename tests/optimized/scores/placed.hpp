#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "reference/cycle/schedule.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests {

/// Returns the placement of the optimized engine, and expects the reference's to be equal.
inline optimized::Placed placed_alike(const Question& question, const Release& release) {
  optimized::Workers workers(1);
  const optimized::Snapshot snapshot(question.cluster, release);
  const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
  EXPECT_EQ(difference(question, release, placed, reference::schedule(question, release)), "");
  return placed;
}

/// The column of a scorer: for each feasible node its weighted score. Empty: the scorer is skipped.
inline std::vector<Quantity> scores_by(Scorer scorer, const Question& question, const Release& release) {
  const optimized::Placed placed = placed_alike(question, release);
  const auto column =
      std::find_if(placed.scores.begin(), placed.scores.end(),
                   [scorer](const ScoreColumn& each) { return each.scorer.scorer == scorer; });
  return column == placed.scores.end() ? std::vector<Quantity>{} : column->scores;
}
inline std::vector<Quantity> scores_by(Scorer scorer, const Question& question, std::string_view version) {
  return scores_by(scorer, question, release(version));
}

constexpr Quantity k_mi = 1024 * 1024;
constexpr Quantity k_gi = 1024 * k_mi;

/// A pod with one container that requests cpu (in milli) and memory (in bytes).
inline Pod sized(const std::string& name, Quantity cpu, Quantity memory) {
  Pod made = pod(name, 0, cpu);
  made.containers[0].requests["memory"] = memory;
  return made;
}

/// The standard node of the clauses: 4 cpu and 8 Gi, as n1, n2 and so on.
inline QuestionBuilder& add_node(QuestionBuilder& builder, const std::string& name) {
  return builder.node(name, 4000);
}
inline Question with_memory(Question question, Quantity memory = 8 * k_gi) {
  for (Node& node : question.cluster.nodes) node.allocatable["memory"] = memory;
  return question;
}

using Row = std::vector<Quantity>;

}  // namespace touchstone::tests
