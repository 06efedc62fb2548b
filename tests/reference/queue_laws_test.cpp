#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fuzz/timelines/laws.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/play.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/support/any_question.hpp"

/// Checks laws of a scheduler over time on generated timelines, for each recorded release.
namespace touchstone::tests::queue_laws_test {

namespace {

constexpr std::array<const char*, 6> k_releases = {"v1.32.2", "v1.33.13", "v1.34.4",
                                                   "v1.35.4", "v1.36.3",  "v1.37.2"};

TimelineScript any_timeline() {
  fuzz::ByteChoices choices(any_bytes());
  return fuzz::timeline(choices, {.release = release(*rc::gen::elementOf(k_releases))});
}

std::vector<StepAnswer> answers_of(const TimelineScript& script, std::uint64_t seed) {
  SeededChoices choices(seed);
  const std::unique_ptr<TimelineModel> model = reference::timeline_model();
  RC_ASSERT(!model->begin(script.release, script.now_ns, script.objects));
  std::vector<StepAnswer> answers = {model->first()};
  for (const TimelineCommand& command : script.commands) answers.push_back(model->run(command, choices));
  return answers;
}

/// Whether all that a scheduler does by itself has ended.
bool is_at_rest(const reference::World& world) {
  return reference::enabled_steps(world).empty() && world.calls.empty();
}

}  // namespace

// QUE-SETTLE-1, QUE-DELETE-1, NOM-ADD-2, QUE-GATE-1: time never runs back; each pending pod is in exactly one
// place; no pod is lost; a pod is nominated once. Whichever step comes next.
RC_GTEST_PROP(QueueLaws, HoldAfterEveryCommandInAnyOrderOfSteps, ()) {
  const TimelineScript script = any_timeline();
  SeededChoices choices(*rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(fuzz::broken_law(script, reference::timeline_model, choices) == "");
}

RC_GTEST_PROP(QueueLaws, TheSamePicksGiveTheSameAnswers, ()) {
  const TimelineScript script = any_timeline();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<StepAnswer> once = answers_of(script, seed);
  const std::vector<StepAnswer> again = answers_of(script, seed);
  for (std::size_t i = 0; i < once.size(); ++i) {
    RC_ASSERT(once[i].state == again[i].state);
    RC_ASSERT(once[i].cycle == again[i].cycle);
    RC_ASSERT(once[i].calls == again[i].calls);
  }
}

// QUE-BACKOFF-1: whatever has happened, a pod that may be popped leaves the backoff part in time.
RC_GTEST_PROP(QueueLaws, EveryBackoffEnds, ()) {
  const TimelineScript script = any_timeline();
  CanonicalChoices choices;
  reference::World world = reference::world_of(script.release, script.now_ns, script.objects).value();
  for (const TimelineCommand& command : script.commands) reference::play(world, command, choices);
  const Quantity longest = script.release.longest_backoff_ns + 2'000'000'000;
  reference::play(world, AdvanceCommand{longest}, choices);
  const StepAnswer flushed = reference::play(world, FlushCommand{Timer::backoff}, choices);
  RC_ASSERT(flushed.state.backoff.empty());
}

// QUE-CALL-1: a scheduler whose calls are all answered comes to rest.
RC_GTEST_PROP(QueueLaws, AnsweredCallsLeaveTheSchedulerAtRest, ()) {
  const TimelineScript script = any_timeline();
  CanonicalChoices choices;
  reference::World world = reference::world_of(script.release, script.now_ns, script.objects).value();
  for (const TimelineCommand& command : script.commands) reference::play(world, command, choices);
  world.armed.clear();
  for (int tries = 0; tries < 100 && !world.calls.empty(); ++tries) {
    const Call call = world.calls.begin()->second;
    reference::play(world, AnswerCommand{call.kind, call.full_name(), CallResult::ok}, choices);
  }
  RC_ASSERT(is_at_rest(world));
}

}  // namespace touchstone::tests::queue_laws_test
