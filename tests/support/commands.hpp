#pragma once

#include "reference/queue/play.hpp"
#include "tests/support/play.hpp"

/// The commands of a timeline, one after the other.
namespace touchstone::tests::commands {

inline StepAnswer does(Play& play, TimelineCommand command) {
  CanonicalChoices choices;
  return reference::play(play.world, command, choices);
}
inline StepAnswer writes(Play& play, WrittenObject object, Verb verb = Verb::create) {
  return does(play, WriteCommand{verb, std::move(object)});
}
inline StepAnswer answers(Play& play, CallKind kind, const std::string& name, CallResult result) {
  return does(play, AnswerCommand{kind, "default/" + name, result});
}
inline CycleOutcome cycles(Play& play) { return does(play, CycleCommand{}).cycle->outcome; }

/// The backoff of all pods is over.
inline void waits_and_flushes(Play& play) { play.advances(3'000).flushes_backoff(); }

/// The pod, with the annotation by which TouchstonePermit has it wait in Permit for 60 s.
inline PodObject patient(PodObject object) {
  object.annotations["touchstone.dev/permit-seconds"] = "60";
  return object;
}

}  // namespace touchstone::tests::commands
