#pragma once

#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests {

/// Returns the answer of the optimized engine, and expects the reference's to be equal.
inline optimized::Answer agreed(const Question& question, const char* version) {
  optimized::Workers workers(1);
  const Release asked = release(version);
  const optimized::Answer answer = optimized_answer(question, asked, workers);
  EXPECT_EQ(difference(question, asked, answer, reference::preempt(question, asked)), "");
  return answer;
}

}  // namespace touchstone::tests
