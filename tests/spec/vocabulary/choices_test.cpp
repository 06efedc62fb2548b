#include "spec/vocabulary/choices.hpp"

#include <gtest/gtest.h>

#include <set>

#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone {

TEST(Explore, TakesEveryAlternativeOnce) {
  std::multiset<std::vector<std::size_t>> seen;
  const bool all = explore(
      [&](Choices& choices) {
        const std::size_t first = choices.pick(3, "first");
        // The second choice exists on some paths only.
        seen.insert(first == 1 ? std::vector<std::size_t>{first}
                               : std::vector<std::size_t>{first, choices.pick(2, "second")});
      },
      100);
  EXPECT_TRUE(all);
  EXPECT_EQ(seen, (std::multiset<std::vector<std::size_t>>{{0, 0}, {0, 1}, {1}, {2, 0}, {2, 1}}));
}

TEST(Explore, RunsOnceWithoutChoices) {
  int runs = 0;
  EXPECT_TRUE(explore([&](Choices&) { ++runs; }, 1));
  EXPECT_EQ(runs, 1);
}

TEST(Explore, SaysWhenTheLimitCutItShort) {
  int runs = 0;
  EXPECT_FALSE(explore([&](Choices& choices) { choices.pick(5, "x"), ++runs; }, 4));
  EXPECT_EQ(runs, 4);
}

TEST(CanonicalChoices, TakesTheFirst) {
  CanonicalChoices choices;
  EXPECT_EQ(choices.pick(7, "x"), 0u);
}

TEST(SeededChoices, RepeatsWithItsSeedAndCoversAll) {
  SeededChoices first(42);
  SeededChoices second(42);
  std::set<std::size_t> seen;
  for (int i = 0; i < 200; ++i) {
    const std::size_t pick = first.pick(5, "x");
    EXPECT_EQ(pick, second.pick(5, "x"));
    seen.insert(pick);
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(ScriptedChoices, ReplaysAndThenTakesTheFirst) {
  ScriptedChoices choices({2, 9});
  EXPECT_EQ(choices.pick(3, "x"), 2u);
  EXPECT_EQ(choices.pick(3, "x"), 2u);
  EXPECT_EQ(choices.pick(3, "x"), 0u);
}

}  // namespace touchstone
