#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Picks steps out of the traces of decisions.
namespace touchstone::tests {

/// The steps of one stage, in their order.
inline std::vector<Step> of_stage(const Trace& trace, Stage stage) {
  std::vector<Step> steps;
  std::copy_if(trace.steps().begin(), trace.steps().end(), std::back_inserter(steps),
               [stage](const Step& step) { return step.stage == stage; });
  return steps;
}

/// The steps of one stage of the release's decision.
inline std::vector<Step> decision_steps(const Question& question, const char* name, Stage stage) {
  Trace trace = Trace::full();
  reference::preempt(question, release(name), trace);
  return of_stage(trace, stage);
}

/// The clause of each step, and whether the step passed.
using ClausesOfSteps = std::vector<std::pair<std::string, bool>>;

inline ClausesOfSteps clauses_of(const std::vector<Step>& steps) {
  ClausesOfSteps clauses;
  for (const Step& step : steps) clauses.emplace_back(step.clause, step.passed);
  return clauses;
}

}  // namespace touchstone::tests
