#include <gtest/gtest.h>

#include "tests/support/queued_groups.hpp"

/// What the timer for pods that waited too long (QUE-FLUSH-2) does to groups.
namespace touchstone::tests::queued_group_leftover_test {

using namespace queued_groups;

// QUE-FLUSH-2: the timer wakes the gated groups that waited for too long, and no other ones.
TEST(QueuedGroups, AreWokenByTheTimer) {
  Play play = with_queued_groups();
  for (const char* name : {"active", "late", "early"}) writes(play, group_of({}, name));
  writes(play, gated("a", "early"));
  writes(play, member("b", 1000, "active"));
  play.advances(301'000);
  writes(play, gated("c", "late"));
  play.world.wakes.clear();
  play.flushes_leftover();
  ASSERT_EQ(play.world.wakes.size(), 1U);
  EXPECT_EQ(play.world.wakes[0].pod, "default/a");
  EXPECT_EQ(place_of(play, "a"), "unschedulable");
}

// QUE-FLUSH-2: the timer wakes a group that waited for more than five minutes, at any place in the queue.
// Then its time begins again.
TEST(QueuedGroups, AreWokenByTheTimerOnce) {
  Play play = with_queued_groups();
  for (const char* name : {"late", "early"}) writes(play, group_of({}, name));
  writes(play, gated("a", "early"));
  play.advances(1);
  writes(play, gated("b", "late"));
  writes(play, gated("c", "early"));  // now early is behind late
  play.world.now_ns = 300'000'000'000;
  EXPECT_TRUE(does(play, FlushCommand{Timer::leftover}).wakes.empty());
  play.world.now_ns += 1;
  const StepAnswer woken = does(play, FlushCommand{Timer::leftover});
  ASSERT_EQ(woken.wakes.size(), 2U);
  EXPECT_EQ(woken.wakes[0].pod, "default/a");
  EXPECT_EQ(woken.wakes[1].pod, "default/c");
  EXPECT_EQ(does(play, FlushCommand{Timer::leftover}).wakes.size(), 0U);
}

// QUE-FLUSH-2: an active group is not left over.
TEST(QueuedGroups, AreNotLeftOverWhileTheyAreActive) {
  Play play = with_group(4000);
  play.advances(301'000);
  EXPECT_FALSE(does(play, FlushCommand{Timer::leftover}).clauses.contains("QUE-FLUSH-2"));
}

// QUE-FLUSH-2, QUE-ENTITY-6: an attempt forgets that the timer woke the group, but a success with failed
// pods keeps the time of the group.
TEST(QueuedGroups, ForgetTheTimerByAnAttempt) {
  for (const bool is_flushed_before : {false, true}) {
    Play play = with_queued_groups();
    play.node("n1", 2000);
    writes(play, group_of(2));
    for (const char* name : {"a", "b"}) writes(play, member(name));
    writes(play, gated("big"));
    if (is_flushed_before) {
      play.world.now_ns = 300'500'000'000;
      EXPECT_FALSE(does(play, FlushCommand{Timer::leftover}).wakes.empty());
    }
    writes(play, member("big", 3000), Verb::update);
    EXPECT_EQ(place_of(play, "big"), "active");
    play.holds(CallKind::patch, "big");
    EXPECT_EQ(cycles(play), CycleOutcome::open);
    writes(play, gated("c"));
    answers(play, CallKind::patch, "big", CallResult::ok);
    EXPECT_EQ(place_of(play, "big"), "unschedulable");
    if (!is_flushed_before) play.world.now_ns = 300'000'000'001;
    EXPECT_EQ(does(play, FlushCommand{Timer::leftover}).wakes.size(), 2U) << is_flushed_before;
  }
}

}  // namespace touchstone::tests::queued_group_leftover_test
