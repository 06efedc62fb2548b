#pragma once

#include <string>
#include <vector>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Runs the reference, and returns the parts of its decision that tests of filters check.
namespace touchstone::tests {

inline Decision decide(const Question& question, const char* name = "v1.34") {
  CanonicalChoices choices;
  Trace trace = Trace::none();
  return reference::preempt(question, release(name), choices, trace);
}

/// The first-pass status of the first node.
inline Status status_of(const Question& question, const char* name = "v1.34") {
  const Decision decision = decide(question, name);
  const auto found = decision.filter.find(0);
  return found == decision.filter.end() ? Status{} : found->second;
}

inline bool fits(const Question& question, const char* name = "v1.34") {
  return decide(question, name).outcome == Outcome::fits;
}

/// The victims on the chosen node; none if no node is nominated.
inline std::vector<std::string> victims(const Question& question, const char* name = "v1.34") {
  const Decision decision = decide(question, name);
  std::vector<std::string> names;
  if (decision.outcome != Outcome::nominated) return names;
  for (const PodIndex pod : decision.candidates[decision.chosen].victims)
    names.push_back(question.cluster.pods[pod].name);
  return names;
}

}  // namespace touchstone::tests
