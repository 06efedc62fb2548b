#include <gtest/gtest.h>

#include "reference/queue/scheduling_queue.hpp"
#include "tests/reference/queue/pending_pods.hpp"

/// The backoff of pods, the timer that ends it, and the timer for pods that waited too long.
namespace touchstone::tests::backoff_test {

using namespace pending_pods;

constexpr const char* k_32 = "v1.32.2";
constexpr const char* k_33 = "v1.33.13";
constexpr const char* k_36 = "v1.36.3";
constexpr const char* k_37 = "v1.37.2";

// QUE-BACKOFF-1, QUE-BACKOFF-2: lengths and counts.
TEST(Backoff, DoublesWithTheFailuresThatCount) {
  Entry entry;
  EXPECT_EQ(reference::backoff_end_ns(entry, release(k_36)), 0);
  const auto seconds = [&entry](const char* name) {
    return reference::backoff_end_ns(entry, release(name)) / 1'000'000'000;
  };
  entry.attempts = 3;
  entry.unschedulable_attempts = 2;
  EXPECT_EQ(seconds(k_33), 4);
  EXPECT_EQ(seconds("v1.34.4"), 2);
  entry.errors_in_a_row = 1;
  EXPECT_EQ(seconds("v1.34.4"), 1);
  entry.attempts = 9;
  EXPECT_EQ(seconds(k_33), 10);
}

// QUE-BACKOFF-2: errors count from the last rejection on. Rejections count on after errors.
TEST(Backoff, CountsErrorsInARow) {
  Play play(k_36);
  Entry entry;
  entry.object.pod = pod("p", 0, 100);
  entry.object.pod.uid = "u-p";
  const std::vector<std::pair<bool, Quantity>> steps = {{true, 1}, {true, 2},  {false, 1}, {false, 2},
                                                        {true, 4}, {false, 1}, {true, 8}};
  for (const auto& [is_rejected, seconds] : steps) {
    entry.rejectors.clear();
    if (is_rejected) entry.rejectors.insert("NodeResourcesFit");
    play.advances(1'000);
    reference::put_back(play.world, entry);
    entry = play.entry("p");
    EXPECT_EQ(reference::backoff_end_ns(entry, play.world.release) - play.world.now_ns,
              seconds * 1'000'000'000);
    play.world.queue.backoff.clear();
    play.world.queue.unschedulable.clear();
  }
}

// QUE-BACKOFF-3, QUE-FLUSH-1: whole seconds from v1.33 on.
TEST(Backoff, EndsAtAWholeSecondFromV1_33On) {
  Entry entry;
  entry.attempts = 1;
  entry.unschedulable_attempts = 1;
  entry.since_ns = 400'000'000;
  EXPECT_TRUE(reference::is_backing_off(entry, 1'399'999'999, release(k_32)));
  EXPECT_FALSE(reference::is_backing_off(entry, 1'400'000'000, release(k_32)));
  EXPECT_TRUE(reference::is_backing_off(entry, 1'999'999'999, release(k_33)));
  EXPECT_FALSE(reference::is_backing_off(entry, 2'000'000'000, release(k_33)));
  Play play = failed(k_33);
  play.removes("v").advances(1900).flushes_backoff();
  EXPECT_EQ(play.place("p"), "backoff");
  play.advances(100).flushes_backoff();
  EXPECT_EQ(play.place("p"), "active");
}

// QUE-FLUSH-1: each entry of the backoff part has its own end.
TEST(Backoff, OfOnePodDoesNotDelayAnotherOne) {
  Play play(k_36);
  for (const auto& [name, failures] : {std::pair("long", 5), std::pair("short", 1)}) {
    Entry entry;
    entry.object.pod = pod(name, 0, 100);
    entry.rejectors = {"NodeResourcesFit"};
    entry.unschedulable_attempts = failures;
    play.world.queue.backoff.push_back(entry);
  }
  play.advances(3'000).flushes_backoff();
  EXPECT_EQ(play.place("long"), "backoff");
  EXPECT_EQ(play.place("short"), "active");
}

// QUE-FLUSH-2, EVT-HINT-2: more than five minutes; from v1.37 on since the last flush.
TEST(Leftover, IsFlushedAfterFiveMinutes) {
  Play play = failed(k_36);
  play.advances(300'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "unschedulable");
  play.advances(1).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  for (const char* release : {k_36, k_37}) {
    Play gated(release);
    Pod pod_with_gate = pod("p", 0, 100);
    pod_with_gate.scheduling_gates = {"g"};
    gated.creates(pod_with_gate).advances(300'001).flushes_leftover();
    EXPECT_EQ(gated.place("p"), "unschedulable") << release;
    EXPECT_EQ(gated.entry("p").flushed_ns > 0, release == k_37) << release;
  }
}

// QUE-FLUSH-2: a pod that an update moved to the end of the unschedulable part has waited for as long as
// before.
TEST(Leftover, IsFlushedWhereverItIsInThePart) {
  Play play = failed(k_36);
  play.advances(200'000).creates(pod("q", 10, 1000));
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::none);
  play.updates(with_toleration(pod("p", 10, 1000)));
  ASSERT_EQ(play.world.queue.unschedulable.back().object.pod.name, "p");
  play.advances(101'000).flushes_leftover();
  EXPECT_EQ(play.place("p"), "active");
  EXPECT_EQ(play.place("q"), "unschedulable");
}

}  // namespace touchstone::tests::backoff_test
