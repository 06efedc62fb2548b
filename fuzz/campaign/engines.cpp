#include "fuzz/campaign/engines.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/behaviour/behaviour.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/cycle/schedule.hpp"
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

Decision decision_of(const Placement& placement, const Question& question, const Release& release) {
  const Outcome outcome = placement.decision.outcome;
  const bool search_may_end = question.start || !question.pod.nominated_node_name.empty();
  const bool is_other = outcome == Outcome::skipped || outcome == Outcome::error ||
                        (outcome == Outcome::fits && search_may_end);
  return is_other ? reference::preempt(question, release) : placement.decision;
}

optimized::Placed in_list_order(const MutableCluster& asked, const optimized::Placed& placed) {
  optimized::Placed listed = placed;
  listed.answer = asked.in_list_order(placed.answer);
  optimized::Answer nodes;
  nodes.feasible = placed.feasible;
  nodes.admissible = placed.best;
  nodes.admissible.push_back(placed.host.value_or(placed.answer.node));
  nodes = asked.in_list_order(nodes);
  listed.feasible = nodes.feasible;
  if (placed.host) listed.host = nodes.admissible.back();
  nodes.admissible.pop_back();
  listed.best = nodes.admissible;
  return listed;
}

optimized::Placed optimized_cycle(const optimized::Snapshot& snapshot, const Question& question,
                                  optimized::Memo& memo) {
  static thread_local optimized::Workers alone(1);
  optimized::Options options;
  options.offset = question.offset;
  options.quota = question.quota;
  options.start = question.start;
  options.extenders = &question.extenders;
  CanonicalChoices choices;
  return optimized::schedule(snapshot, question.pod, options, alone, choices, memo);
}

bool agree_on_ties(const MutableCluster& asked, const optimized::Answer& numbered, const Decision& decision) {
  const std::vector<Candidate> given =
      optimized::best_candidates(asked.snapshot(), asked.question().pod, numbered);
  return std::equal(given.begin(), given.end(), decision.admissible.begin(), decision.admissible.end(),
                    [&](const Candidate& candidate, std::size_t ours) {
                      return asked.in_list_order(candidate) == decision.candidates[ours];
                    });
}

Repeated repeat(Participants& sides, const EnginesDiffer& differ) {
  Repeated again;
  again.sent = {kubernetes::written(differ.question), differ.question,
                differ.in_cycle_alone ? oracle::Command::schedule : oracle::Command::run};
  again.exchange = run_both(sides, again.sent.line).value();  // engines always answer
  Verdict& verdict = again.exchange.verdict;
  if (verdict.judgement != Judgement::differ) verdict = passing(verdict);
  again.broken = rule_of(sides, again.sent, again.exchange);
  return again;
}

namespace {

/// Some cases of a campaign, in whole scenarios.
struct Cases {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool shows_behaviour = false;  ///< the first one
};

EnginesBlock ask(const Scenarios& scenarios, std::uint64_t seed, const Cases& cases, const FastEngine& engine,
                 const FastCycle& cycle) {
  const Release& release = scenarios.release;
  EnginesBlock asked;
  Tally& tally = asked.tally;
  std::map<Outcome, std::uint64_t> outcomes;
  std::uint64_t& drawing = tally.spent_ns["drawing and following clusters"];
  std::uint64_t& by_reference = tally.spent_ns["the reference"];
  std::uint64_t& by_optimized = tally.spent_ns["the optimized engine"];
  Watch watch;
  const auto judge = [&](const MutableCluster& now, optimized::Memo& memo, std::uint64_t number) {
    drawing += watch.lap();
    const Placement placement = reference::schedule(now.question(), release);
    const Decision decision = decision_of(placement, now.question(), release);
    by_reference += watch.lap();
    const optimized::Answer numbered = engine(now.snapshot(), now.question());
    const optimized::Answer answer = now.in_list_order(numbered);
    const optimized::Placed placed = in_list_order(now, cycle(now.snapshot(), now.question(), memo));
    by_optimized += watch.lap();
    ++tally.cases;
    const bool are_placed_alike = oracle::agree(placed, placement);
    if (answer.outcome == Outcome::skipped && decision.outcome == Outcome::skipped && are_placed_alike) {
      ++tally.skipped[decision.reason.substr(0, decision.reason.find(':'))];
      return;
    }
    if (oracle::is_left_to_reference(answer) || oracle::is_left_to_reference(placed.answer)) {
      ++tally.skipped["left to the reference"];
      return;
    }
    ++outcomes[decision.outcome];
    const bool has_tie = decision.admissible.size() > 1;
    const bool are_decided_alike =
        oracle::agree(answer, decision) && (!has_tie || agree_on_ties(now, numbered, decision));
    if (are_decided_alike && are_placed_alike) {
      ++tally.agree;
    } else {
      ++tally.differ;
      asked.differ.push_back({now.question(), number, are_decided_alike});
    }
  };
  for (std::uint64_t i = 0; i < cases.count; i += k_cases_of_a_scenario) {
    const std::uint64_t number = cases.first + i;
    MutableCluster changing(numbered_scenario(scenarios, seed, number), release);
    if (i == 0 && cases.shows_behaviour) tally.behaviours.add(behaviour_shown(changing.question(), release));
    SeededChoices choices(seed + number);
    optimized::Memo memo;
    judge(changing, memo, number);
    for (std::uint64_t change = 1; change < k_cases_of_a_scenario; ++change) {
      changing.change(choices);
      judge(changing, memo, number + change);
    }
  }
  for (const auto& [outcome, count] : outcomes) tally.outcomes[Json(oracle::name_of(outcome)).dump()] = count;
  tally.nominated = outcomes[Outcome::nominated];
  return asked;
}

}  // namespace

EnginesBlock ask_engines(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t block,
                         const FastEngine& engine, const FastCycle& cycle) {
  const bool shows_behaviour = block % k_blocks_a_behaviour == 0;
  return ask(scenarios, seed, {block * k_cases_in_a_block, k_cases_in_a_block, shows_behaviour}, engine,
             cycle);
}

EnginesBlock ask_engines_scenario(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number,
                                  const FastEngine& engine) {
  return ask(scenarios, seed, {number, k_cases_of_a_scenario, false}, engine, optimized_cycle);
}

}  // namespace touchstone::fuzz
