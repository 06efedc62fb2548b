#include "optimized/store/rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

/// Rows holds the same values as one list for each owner would.
namespace touchstone::optimized {

namespace {

using Lists = std::vector<std::vector<std::pair<int, std::int64_t>>>;

void expect_same(const Rows<int, std::int64_t>& rows, const Lists& lists) {
  for (std::size_t owner = 0; owner < lists.size(); ++owner) {
    ASSERT_EQ(rows.count(owner), lists[owner].size()) << owner;
    for (std::size_t i = 0; i < lists[owner].size(); ++i) {
      ASSERT_EQ(rows.cells<0>(owner)[i], lists[owner][i].first) << owner << " " << i;
      ASSERT_EQ(rows.cells<1>(owner)[i], lists[owner][i].second) << owner << " " << i;
    }
  }
}

}  // namespace

TEST(Rows, KeepWhatOwnersPutIntoThem) {
  constexpr std::size_t k_owners = 60;
  constexpr int k_steps = 20000;
  std::mt19937_64 random(1);
  Rows<int, std::int64_t> rows;
  Lists lists(k_owners);
  for (std::size_t i = 0; i < k_owners; ++i) rows.add_owner();
  for (int step = 0; step < k_steps; ++step) {
    const std::size_t owner = random() % k_owners;
    auto& list = lists[owner];
    const std::size_t at = random() % (list.size() + 1);
    if (at < list.size() && random() % 5 < 2) {
      rows.erase(owner, at);
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      rows.insert(owner, at, step, -step);
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), {step, -step});
    }
    if (step % 500 == 0) expect_same(rows, lists);
    if (step == k_steps / 2) rows.pack();
  }
  expect_same(rows, lists);
}

TEST(Rows, GiveBackTheRoomOfRangesThatMoved) {
  Rows<int, std::int64_t> rows;
  for (std::size_t owner = 0; owner < 100; ++owner) rows.add_owner();
  std::size_t count = 0;
  for (int round = 0; round < 100; ++round) {
    for (std::size_t owner = 0; owner < 100; ++owner, ++count) rows.insert(owner, 0, round, round);
  }
  const std::size_t bytes_of_row = sizeof(int) + sizeof(std::int64_t);
  EXPECT_LT(rows.bytes(), 8 * count * bytes_of_row);
  rows.pack();
  EXPECT_LT(rows.bytes(), 2 * count * bytes_of_row);
}

// An owner takes 16 bytes besides its cells, for the range of its rows.
TEST(Rows, TakeNoMoreThanTheirCellsOncePacked) {
  constexpr std::size_t k_owners = 64;
  constexpr std::size_t k_bytes_of_owner = 16;
  Rows<int, std::int64_t> rows;
  for (std::size_t owner = 0; owner < k_owners; ++owner) rows.add_owner();
  std::size_t count = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t owner = i % 3; owner < k_owners; owner += 2, ++count) rows.insert(owner, 0, 1, 2);
  }
  const auto needed = [&count] {
    return k_owners * k_bytes_of_owner + count * (sizeof(int) + sizeof(std::int64_t));
  };
  EXPECT_GT(rows.bytes(), needed());
  rows.pack();
  EXPECT_EQ(rows.bytes(), needed());
  for (std::size_t owner = 0; owner < k_owners; ++owner) rows.resize(owner, rows.count(owner));
  EXPECT_EQ(rows.bytes(), needed());
  for (std::size_t owner = 0; owner < k_owners; owner += 5, --count) rows.erase(owner, 0);
  rows.pack();
  EXPECT_EQ(rows.bytes(), needed());
}

// The cost of growing is amortized: for 4,000 rows a range moves less than 40 times. All ranges together take
// less than four times the memory that their cells need.
TEST(Rows, MoveARangeSeldomWhileItGrows) {
  constexpr std::size_t k_owners = 8;
  constexpr std::size_t k_rows_of_owner = 4000;
  Rows<int, std::int64_t> rows;
  for (std::size_t owner = 0; owner < k_owners; ++owner) rows.add_owner();
  const auto place = [&rows](std::size_t owner) { return rows.cells<0>(owner) - rows.column<0>().data(); };
  std::size_t moves = 0;
  for (std::size_t i = 0; i < k_rows_of_owner; ++i) {
    for (std::size_t owner = 0; owner < k_owners; ++owner) {
      const std::ptrdiff_t before = place(owner);
      rows.insert(owner, i, 1, 2);
      moves += place(owner) != before ? 1 : 0;
    }
  }
  EXPECT_LT(moves, 40 * k_owners);
  EXPECT_LT(rows.bytes(), 4 * k_owners * k_rows_of_owner * (sizeof(int) + sizeof(std::int64_t)));
}

// A range that moves reserves half as much again. The columns are packed once more than half of their rows
// are left behind. A column reserves an eighth more. So all columns take less than 3.5 times what their cells
// need.
TEST(Rows, WasteLessThanTheyUseWhileTheyGrow) {
  constexpr std::size_t k_owners = 8;
  constexpr std::size_t k_rows_of_owner = 10'000;
  constexpr std::size_t k_small = 500;  // rows of an owner; smaller columns are not packed
  constexpr std::size_t k_row = sizeof(int) + sizeof(std::int64_t);
  Rows<int, std::int64_t> rows;
  for (std::size_t owner = 0; owner < k_owners; ++owner) rows.add_owner();
  double most = 0;
  for (std::size_t i = 0; i < k_rows_of_owner; ++i) {
    for (std::size_t owner = 0; owner < k_owners; ++owner) rows.insert(owner, i, 1, 2);
    const auto needed = static_cast<double>(k_owners * (i + 1) * k_row);
    if (i >= k_small) most = std::max(most, static_cast<double>(rows.bytes()) / needed);
  }
  EXPECT_LT(most, 3.5);
}

}  // namespace touchstone::optimized
