#pragma once

#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests {

/// Returns the answer of the optimized engine, and expects the reference's to be equal.
inline optimized::Answer agreed(const Question& question, const Release& release) {
  optimized::Workers workers(1);
  const optimized::Answer answer = optimized_answer(question, release, workers);
  EXPECT_EQ(difference(question, release, answer, reference::preempt(question, release)), "");
  return answer;
}
inline optimized::Answer agreed(const Question& question, const char* version) {
  return agreed(question, release(version));
}

/// The outcome of agreed().
inline Outcome outcome(const Question& question, const char* version) {
  return agreed(question, version).outcome;
}

}  // namespace touchstone::tests
