#include "fuzz/campaign/shown_case.hpp"

#include <set>
#include <string>
#include <utility>

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/behaviour/placement_behaviour.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

ShownCase shown_case(const SentQuestion& sent, const Release& release) {
  Trace trace = Trace::full();
  if (sent.command == oracle::Command::run) {
    Decision decision = reference::preempt(sent.question, release, trace);
    const std::uint64_t signature = behaviour_of(sent.question, release, decision, trace).signature;
    return {std::move(decision), signature};
  }
  CanonicalChoices choices;
  Placement placement = reference::schedule(sent.question, release, choices, trace);
  const Behaviour behaviour = behaviour_of(sent.question, release, placement.decision, trace);
  const std::set<std::string> classes = classes_of_placement(sent.question, release, placement);
  return {std::move(placement.decision), signature_of_cycle(behaviour.signature, classes)};
}

}  // namespace touchstone::fuzz
