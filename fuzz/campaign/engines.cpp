#include "fuzz/campaign/engines.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/behaviour/behaviour.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::fuzz {

namespace {

std::uint64_t behaviour_shown(const Question& question, const Release& release) {
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question, release, trace);
  return behaviour_of(question, release, decision, trace).signature;
}

/// A stopwatch. lap() returns the nanoseconds since the previous lap.
class Watch {
 public:
  std::uint64_t lap() {
    const std::chrono::steady_clock::time_point before =
        std::exchange(last_, std::chrono::steady_clock::now());
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(last_ - before).count());
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

bool agree_on_ties(const MutableCluster& asked, const optimized::Answer& numbered, const Decision& decision) {
  const std::vector<Candidate> given =
      optimized::candidates_on(asked.snapshot(), asked.question().pod, numbered.admissible);
  return std::equal(given.begin(), given.end(), decision.admissible.begin(), decision.admissible.end(),
                    [&](const Candidate& candidate, std::size_t ours) {
                      return asked.in_list_order(candidate) == decision.candidates[ours];
                    });
}

EnginesBlock ask_engines(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t block,
                         const FastEngine& engine) {
  const Release& release = scenarios.release;
  EnginesBlock asked;
  Tally& tally = asked.tally;
  std::map<Outcome, std::uint64_t> outcomes;
  const std::uint64_t first = block * k_cases_in_a_block;
  std::uint64_t& drawing = tally.spent_ns["drawing and following clusters"];
  std::uint64_t& by_reference = tally.spent_ns["the reference"];
  std::uint64_t& by_optimized = tally.spent_ns["the optimized engine"];
  Watch watch;
  const auto judge = [&](const MutableCluster& now, std::uint64_t number) {
    drawing += watch.lap();
    const Decision decision = reference::preempt(now.question(), release);
    by_reference += watch.lap();
    const optimized::Answer numbered = engine(now.snapshot(), now.question());
    const optimized::Answer answer = now.in_list_order(numbered);
    by_optimized += watch.lap();
    ++tally.cases;
    if (answer.outcome == Outcome::skipped && decision.outcome == Outcome::skipped) {
      ++tally.skipped[decision.reason.substr(0, decision.reason.find(':'))];
      return;
    }
    ++outcomes[decision.outcome];
    const bool has_tie = decision.admissible.size() > 1;
    if (oracle::agree(answer, decision) && (!has_tie || agree_on_ties(now, numbered, decision))) {
      ++tally.agree;
    } else {
      ++tally.differ;
      asked.differ.push_back({now.question(), number});
    }
  };
  for (std::uint64_t number = first; number < first + k_cases_in_a_block; number += k_cases_of_a_scenario) {
    MutableCluster changing(numbered_scenario(scenarios, seed, number), release);
    if (number == first && block % k_blocks_a_behaviour == 0)
      tally.behaviours.add(behaviour_shown(changing.question(), release));
    SeededChoices choices(seed + number);
    judge(changing, number);
    for (std::uint64_t i = 1; i < k_cases_of_a_scenario; ++i) {
      changing.change(choices);
      judge(changing, number + i);
    }
  }
  for (const auto& [outcome, count] : outcomes) tally.outcomes[Json(oracle::name_of(outcome)).dump()] = count;
  tally.nominated = outcomes[Outcome::nominated];
  return asked;
}

}  // namespace touchstone::fuzz
