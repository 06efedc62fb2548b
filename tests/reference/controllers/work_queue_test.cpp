#include "reference/controllers/work_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

/// The work queues of client-go.
namespace touchstone::tests::work_queue_test {

using namespace reference;

constexpr Quantity k_second = 1'000'000'000;

// BUD-QUEUE-2: the earliest of many keys.
TEST(WorkQueues, WakeTheEarliestFirst) {
  WorkQueue queue;
  for (const Quantity at : {50, 20, 70, 10, 60, 30, 40, 80, 30})
    add_after(queue, "k" + std::to_string(queue.waiting.size()), at, 0);
  for (Quantity last = 0; next_ready(queue); wake(queue, last)) {
    EXPECT_LT(last, *next_ready(queue));
    last = *next_ready(queue);
  }
  EXPECT_EQ(queue.ready.size(), 9u);
  EXPECT_EQ(queue.ready.front(), "k3");
}

// BUD-QUEUE-2: if a key waits already, the earlier time counts.
TEST(WorkQueues, KeepTheEarlierTime) {
  WorkQueue queue;
  add_after(queue, "a", 60, 0);
  add_after(queue, "b", 30, 0);
  add_after(queue, "c", 45, 0);
  add_after(queue, "a", 120, 0);
  add_after(queue, "a", 10, 0);
  EXPECT_EQ(next_ready(queue), 10);
  wake(queue, 40);
  EXPECT_EQ(queue.ready, (std::deque<std::string>{"a", "b"}));
  wake(queue, 45);
  EXPECT_FALSE(next_ready(queue));
}

// BUD-QUEUE-2: a later time does not replace an earlier one.
TEST(WorkQueues, IgnoreALaterTime) {
  WorkQueue queue;
  add_after(queue, "a", 60, 0);
  add_after(queue, "a", 120, 0);
  EXPECT_EQ(next_ready(queue), 60);
}

// BUD-QUEUE-1: a key that is added while it is processed is ready again when that is done.
TEST(WorkQueues, RepeatAKeyThatWasAddedMeanwhile) {
  WorkQueue queue;
  add(queue, "a");
  add(queue, "a");
  EXPECT_EQ(take(queue), "a");
  add(queue, "a");
  EXPECT_TRUE(queue.ready.empty());
  done(queue, "a");
  EXPECT_EQ(queue.ready.size(), 1u);
}

// BUD-QUEUE-3: at most 1000 s.
TEST(WorkQueues, WaitAtMostThousandSeconds) {
  WorkQueue queue;
  queue.failures["a"] = 17;
  add_rate_limited(queue, "a", 0);
  EXPECT_EQ(next_ready(queue), 655'360'000'000);
  WorkQueue other;
  other.failures["a"] = 18;
  add_rate_limited(other, "a", 0);
  EXPECT_EQ(next_ready(other), 1'000 * k_second);
}

// BUD-QUEUE-2: keys become ready in the order of their times, in whatever order they were added.
TEST(WorkQueues, WakeInTheOrderOfTheTimes) {
  std::string added = "abcdefg";
  do {
    WorkQueue queue;
    for (const char key : added) add_after(queue, std::string(1, key), key - 'a' + 1, 0);
    for (Quantity now_ns = 1; now_ns <= 7; ++now_ns) wake(queue, now_ns);
    ASSERT_EQ(queue.ready, (std::deque<std::string>{"a", "b", "c", "d", "e", "f", "g"})) << added;
  } while (std::next_permutation(added.begin(), added.end()));
}

// BUD-QUEUE-2: keys of one time become ready in the order of the heap of client-go.
TEST(WorkQueues, OrderEqualTimesLikeAHeap) {
  WorkQueue queue;
  for (const auto& [key, after_ns] :
       {std::pair("a", 1), std::pair("b", 3), std::pair("c", 1), std::pair("d", 1), std::pair("e", 1)})
    add_after(queue, key, after_ns, 0);
  EXPECT_TRUE(queue.ready.empty());
  wake(queue, 1);
  add_after(queue, "f", 5, 1);
  wake(queue, 9);
  EXPECT_EQ(queue.ready, (std::deque<std::string>{"a", "e", "d", "c", "b", "f"}));
}

}  // namespace touchstone::tests::work_queue_test
