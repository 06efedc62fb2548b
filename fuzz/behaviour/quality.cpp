#include "fuzz/behaviour/quality.hpp"

#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

void count(Quality& quality, const Drawn& drawn, const Release& release) {
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(drawn.question, release, trace);
  const Behaviour behaviour = behaviour_of(drawn.question, release, decision, trace);
  ++quality.cases;
  for (const Family family : drawn.families) ++quality.families[static_cast<std::size_t>(family)];
  for (std::size_t i = 0; i < k_classes; ++i) quality.classes[i] += behaviour.classes[i] ? 1 : 0;
  for (const std::string_view clause : behaviour.clauses) ++quality.clauses[clause];
  quality.behaviours.add(behaviour.signature);
  if (decision.outcome == Outcome::skipped) {
    ++quality.skipped[decision.reason.substr(0, decision.reason.find(':'))];
    return;
  }
  ++quality.answered;
  const bool error = decision.outcome == Outcome::error;
  if (decision.outcome == Outcome::fits || (error && decision.dry_run.empty())) return;
  ++quality.ran;
  if (!decision.candidates.empty()) ++quality.found;
}

}  // namespace

Quality measure(const Scenarios& scenarios, std::uint64_t seed, std::size_t cases,
                const std::function<void()>& progress) {
  Quality quality;
  for (std::uint64_t number = 0; number < cases; ++number) {
    count(quality, numbered_draw(scenarios, seed, number), scenarios.release);
    progress();
  }
  return quality;
}

}  // namespace touchstone::fuzz
