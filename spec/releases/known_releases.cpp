#include "spec/releases/known_releases.hpp"

#include <set>

/// The known releases, and those that were recorded.
namespace touchstone {

const std::vector<Version>& known_releases() {
  static const std::vector<Version> k_newest_patches = {
      {8, 15},  {9, 11},  {10, 13}, {11, 10}, {12, 10}, {13, 12}, {14, 10}, {15, 12},
      {16, 15}, {17, 17}, {18, 20}, {19, 16}, {20, 15}, {21, 14}, {22, 17}, {23, 17},
      {24, 17}, {25, 16}, {26, 15}, {27, 16}, {28, 15}, {29, 15}, {30, 14}, {31, 14},
      {32, 13}, {33, 13}, {34, 13}, {35, 10}, {36, 6},  {37, 2},  {38, 0},
  };
  return k_newest_patches;
}

const std::vector<Version>& recorded_releases() {
  static const std::vector<Version> k_recorded = {
      {8, 0},   {10, 0},  {13, 0},  {13, 12}, {14, 6}, {15, 3},  {16, 6}, {17, 17}, {18, 2},
      {18, 20}, {19, 0},  {19, 12}, {20, 15}, {21, 9}, {22, 6},  {23, 5}, {24, 17}, {25, 16},
      {26, 15}, {27, 16}, {28, 0},  {29, 6},  {30, 4}, {30, 14}, {31, 0}, {32, 2},  {33, 13},
      {34, 0},  {34, 2},  {34, 3},  {34, 4},  {35, 4}, {36, 1},  {36, 3}, {37, 2},
  };
  return k_recorded;
}

std::vector<Version> answered_releases() {
  std::set<Version> releases(recorded_releases().begin(), recorded_releases().end());
  releases.insert(known_releases().begin(), known_releases().end());
  return {releases.begin(), releases.end()};
}

std::vector<Version> distinct_releases() {
  std::set<Version> releases;
  for (const Version& newest : known_releases()) {
    releases.insert({newest.minor, 0});
    for (const Change& change : release_table()) {
      if (is_over_time(change)) continue;
      for (const FirstPatch& first : change.first) {
        if (first.minor == newest.minor) releases.insert({first.minor, first.patch});
      }
    }
  }
  return {releases.begin(), releases.end()};
}

}  // namespace touchstone
