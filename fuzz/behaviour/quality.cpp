#include "fuzz/behaviour/quality.hpp"

#include <set>

#include "fuzz/behaviour/placement_behaviour.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

/// The placement of a whole cycle; for `run`, only its decision.
Placement placement_of(const Question& question, const Release& release, oracle::Command command,
                       Trace& trace) {
  if (command == oracle::Command::schedule) return reference::schedule(question, release, trace);
  Placement placement;
  placement.decision = reference::preempt(question, release, trace);
  return placement;
}

void count(Quality& quality, const Drawn& drawn, const Release& release, oracle::Command command) {
  Trace trace = Trace::full();
  const Placement placement = placement_of(drawn.question, release, command, trace);
  const Decision& decision = placement.decision;
  Behaviour behaviour = behaviour_of(drawn.question, release, decision, trace);
  const std::set<std::string> placed = classes_of_placement(drawn.question, release, placement);
  if (!placed.empty()) behaviour.signature = signature_of_cycle(behaviour.signature, placed);
  for (const std::string& name : placed) ++quality.placements[name];
  ++quality.cases;
  for (const Family family : drawn.families) ++quality.families[static_cast<std::size_t>(family)];
  for (std::size_t i = 0; i < k_classes; ++i) quality.classes[i] += behaviour.classes[i] ? 1 : 0;
  for (const std::string_view clause : behaviour.clauses) ++quality.clauses[clause];
  quality.behaviours.add(behaviour.signature);
  count_sides(drawn.question, placement, quality.thresholds);
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
                const std::function<void()>& progress, oracle::Command command) {
  Quality quality;
  for (std::uint64_t number = 0; number < cases; ++number) {
    count(quality, numbered_draw(scenarios, seed, number), scenarios.release, command);
    progress();
  }
  return quality;
}

}  // namespace touchstone::fuzz
