#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/any_question.hpp"

/// A trace is complete: the decision can be recomputed from its steps alone.
namespace touchstone::tests::trace_test {

namespace {

struct Traced {
  Decision decision;
  std::vector<Step> steps;
};

Traced traced(const Question& question, const Release& release) {
  Trace trace = Trace::full();
  Decision decision = reference::preempt(question, release, trace);
  return {std::move(decision), trace.steps()};
}

std::vector<Step> of_stage(const std::vector<Step>& steps, Stage stage) {
  std::vector<Step> found;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(found),
               [stage](const Step& step) { return step.stage == stage; });
  return found;
}

/// The value of a criterion as a key; the smallest key wins. A missing start time is later than any other.
Quantity key_of(const Step& step, Measure measure) {
  const bool later_wins = measure == Measure::earliest_start;
  for (const auto& [each, value] : step.values) {
    if (each == measure) return later_wins ? -value : value;
  }
  return std::numeric_limits<Quantity>::min();
}

}  // namespace

// PRE-NODE-1, PRE-NODE-2, PRE-NODE-3, PRE-NODE-4, PRE-NODE-5, PRE-NODE-6
RC_GTEST_PROP(Trace, LadderRecomputesTheChoice, ()) {
  const auto [release, question] = any_case(5, 6);
  const Traced found = traced(question, release);
  if (found.decision.candidates.size() < 2) return;
  std::vector<Step> left = of_stage(found.steps, Stage::choice);
  RC_ASSERT(left.size() == found.decision.candidates.size());

  const std::vector<std::pair<std::string, Measure>> rungs = {{"PRE-NODE-1", Measure::pdb_violations},
                                                              {"PRE-NODE-2", Measure::first_priority},
                                                              {"PRE-NODE-3", Measure::priority_sum},
                                                              {"PRE-NODE-4", Measure::victims},
                                                              {"PRE-NODE-5", Measure::earliest_start}};
  std::string decided;
  for (const auto& [clause, name] : rungs) {
    if (name == Measure::earliest_start && !release.choice_by_start_time) continue;
    Quantity best = std::numeric_limits<Quantity>::max();
    for (const Step& step : left) best = std::min(best, key_of(step, name));
    for (const Step& step : left) {
      if (key_of(step, name) == best) continue;
      RC_ASSERT(step.clause == clause);
      RC_ASSERT(!step.passed);
      decided = clause;
    }
    std::erase_if(left, [&, &key = name](const Step& step) { return key_of(step, key) != best; });
  }
  RC_CLASSIFY(left.size() > 1, "ties");
  RC_TAG(decided);
  std::set<NodeIndex> admissible;
  for (const std::size_t i : found.decision.admissible) admissible.insert(found.decision.candidates[i].node);
  std::set<NodeIndex> survivors;
  for (const Step& step : left) {
    RC_ASSERT(step.passed);
    RC_ASSERT(step.clause == (left.size() > 1 ? "PRE-NODE-6" : decided));
    survivors.insert(*step.node);
  }
  RC_ASSERT(survivors == admissible);
}

// PRE-VICTIM-6, PRE-PDB-8
RC_GTEST_PROP(Trace, ReprievesRecomputeVictimsAndViolations, ()) {
  const auto [release, question] = any_case(5, 6);
  const Traced found = traced(question, release);
  std::map<NodeIndex, std::set<PodIndex>> victims;
  std::set<PodIndex> violating;
  for (const Step& step : found.steps) {
    if (step.stage == Stage::reprieve && !step.passed) victims[*step.node].insert(*step.pod);
    if (step.stage == Stage::budget && !step.passed) violating.insert(*step.pod);
    RC_ASSERT((step.stage != Stage::reprieve || step.passed == step.findings.empty()));
  }
  for (const Candidate& candidate : found.decision.candidates) {
    RC_ASSERT(victims[candidate.node] ==
              std::set<PodIndex>(candidate.victims.begin(), candidate.victims.end()));
    const auto violations = std::count_if(candidate.victims.begin(), candidate.victims.end(),
                                          [&](PodIndex pod) { return violating.contains(pod); });
    RC_ASSERT(violations == candidate.pdb_violations);
  }
}

// PRE-CYCLE-1, PRE-FIT-2
RC_GTEST_PROP(Trace, TellsEveryNodeOfTheAttemptAndWhatIsShort, ()) {
  const auto [release, question] = any_case(5, 6);
  const Traced found = traced(question, release);
  std::set<NodeIndex> fitting;
  std::set<NodeIndex> rejected;
  for (const Step& step : of_stage(found.steps, Stage::attempt)) {
    if (step.node) (step.passed ? fitting : rejected).insert(*step.node);
    for (const Finding& finding : step.findings) {
      if (finding.clause != "PRE-FIT-2") continue;
      std::map<Measure, Quantity> values(finding.values.begin(), finding.values.end());
      RC_ASSERT(values[Measure::requested] > values[Measure::allocatable] - values[Measure::used]);
    }
  }
  RC_ASSERT(fitting == std::set<NodeIndex>(found.decision.feasible.begin(), found.decision.feasible.end()));
  for (const auto& [node, status] : found.decision.filter) RC_ASSERT(rejected.contains(node));
}

RC_GTEST_PROP(Trace, ChangesNothing, ()) {
  const auto [release, question] = any_case(5, 6);
  RC_ASSERT(traced(question, release).decision == decide(question, release));
}

// PRE-VICTIM-6
RC_GTEST_PROP(Trace, CallsAVictimWhoeverIsNotReprieved, ()) {
  const auto [release, question] = any_case(5, 6);
  const Traced found = traced(question, release);
  std::map<NodeIndex, std::set<PodIndex>> victims;
  for (const Step& step : of_stage(found.steps, Stage::reprieve)) {
    RC_ASSERT(step.what == (step.passed ? "reprieved" : "victim"));
    if (!step.passed) victims[*step.node].insert(*step.pod);
  }
  for (const Candidate& candidate : found.decision.candidates)
    RC_ASSERT(victims[candidate.node] ==
              std::set<PodIndex>(candidate.victims.begin(), candidate.victims.end()));
}

}  // namespace touchstone::tests::trace_test
