#include "fuzz/behaviour/quality.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "spec/rules/rules.hpp"
#include "tests/fuzz/behaviour/floors.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// The quality of the generator: its cases reach the floors, and every class and clause can be reached.
namespace touchstone::fuzz {

namespace {

constexpr std::uint64_t k_seed = 1;
constexpr std::size_t k_cases = 6000;

/// The quality for a release, measured once for all tests.
const Quality& quality_of(const std::string& name) {
  static std::map<std::string, Quality> k_measured;
  const auto found = k_measured.find(name);
  if (found != k_measured.end()) return found->second;
  return k_measured[name] = measure(all_scenarios(tests::release(name)), k_seed, k_cases);
}

/// The number of cases that show a class or a clause.
std::size_t shown(const Quality& quality, std::string_view what) {
  for (std::size_t i = 0; i < k_classes; ++i) {
    if (k_class_infos[i].name == what) return quality.classes[i];
  }
  const auto found = quality.clauses.find(what);
  return found == quality.clauses.end() ? 0 : found->second;
}

/// Classes and clauses that no generated question can show, and why. Each entry must still be needed.
const std::map<std::string_view, std::string_view> k_unreachable = {
    {"PRE-INPUT-4", "what is written has a priority and no limit; absent ones are for who reads objects"},
    {"PRE-VICTIM-8", "only an extender, or host names of a volume in some patch releases, leave no victim"},
    {"PRE-CYCLE-3", "no finding names it: it tells what is not asked"},
    {"PRE-CLAIM-1", "no finding names it: it tells how others count"},
    {"PRE-RWOP-2", "no finding names it: it tells how others count"},
    {"PRE-ATTACH-2", "no finding names it: it tells how others count"},
    {"PRE-ATTACH-3", "no finding names it: it tells how others count"},
    {"PRE-ZONE-2", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-1", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-3", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-5", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-6", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-8", "no finding names it: it tells how others count"},
    {"PRE-AFFINITY-9", "no finding names it: it tells how others count"},
    {"PRE-SPREAD-2", "no finding names it: it tells how others count"},
    {"PRE-SPREAD-3", "no finding names it: it tells how others count"},
    {"PRE-SPREAD-4", "no finding names it: it tells how others count"},
    {"PRE-SPREAD-5", "no finding names it: it tells how others count"},
    {"PRE-ANYORDER-1", "no part of one decision; its laws are held by brute force"},
    {"PRE-ANYORDER-2", "no part of one decision; its laws are held by brute force"},
    {"PRE-ANYORDER-3", "no part of one decision; its laws are held by brute force"},
};

/// Releases on either side of every change that a question can show.
std::vector<std::string> releases_of_every_epoch() {
  std::vector<std::string> names = tests::k_distinct_releases;
  names.insert(names.end(), {"v1.17", "v1.18.2", "v1.27.5", "v1.28.0", "v1.29.5", "v1.34.0"});
  return names;
}

}  // namespace

TEST(Quality, KeepsItsFloors) {
  const Quality& newer = quality_of(k_newer);
  const Quality& older = quality_of(k_older);
  for (const Floor& floor : k_floors) {
    EXPECT_GE(shown(newer, floor.what), floor.newer) << floor.what << " " << k_newer;
    EXPECT_GE(shown(older, floor.what), floor.older) << floor.what << " " << k_older;
  }
}

TEST(Quality, HasAFloorForEverythingThatIsShown) {
  std::set<std::string_view> known;
  for (const Floor& floor : k_floors) EXPECT_TRUE(known.insert(floor.what).second) << floor.what;
  for (const Quality* quality : {&quality_of(k_newer), &quality_of(k_older)}) {
    for (std::size_t i = 0; i < k_classes; ++i)
      EXPECT_TRUE(quality->classes[i] == 0 || known.contains(k_class_infos[i].name)) << k_class_infos[i].name;
    for (const auto& [clause, cases] : quality->clauses) EXPECT_TRUE(known.contains(clause)) << clause;
  }
}

TEST(Quality, FindsCandidatesForMostQuestionsThatAreAnswered) {
  for (const char* name : {"v1.34.4", "v1.29.6", "v1.13.12", "v1.37"}) {
    const Quality quality = measure(all_scenarios(tests::release(name)), k_seed, 1500);
    EXPECT_GE(quality.found * 100, quality.answered * 50) << name;
    EXPECT_GE(quality.shown(Class::nominated) * 100, quality.answered * 50) << name;
    EXPECT_GE(quality.answered * 100, quality.cases * 60) << name;
  }
}

TEST(Quality, AddsUp) {
  const Quality& quality = quality_of(k_newer);
  EXPECT_EQ(quality.cases, k_cases);
  EXPECT_EQ(quality.behaviours.cases(), k_cases);
  std::size_t skipped = 0;
  for (const auto& [filter, cases] : quality.skipped) skipped += cases;
  EXPECT_EQ(quality.answered + skipped, k_cases);
  EXPECT_EQ(quality.shown(Class::skipped), skipped);
  EXPECT_EQ(quality.shown(Class::nominated), quality.found);
  EXPECT_LE(quality.found, quality.ran);
  EXPECT_LE(quality.ran, quality.answered);
  std::size_t outcomes = 0;
  for (const Class outcome :
       {Class::fits, Class::ineligible, Class::none, Class::nominated, Class::error, Class::skipped})
    outcomes += quality.shown(outcome);
  EXPECT_EQ(outcomes, k_cases);
}

TEST(Quality, GivesEveryFamilyItsShare) {
  const Quality& quality = quality_of(k_newer);
  for (const Family family : preemption_families()) {
    const auto i = static_cast<std::size_t>(family);
    EXPECT_GE(quality.families[i], k_cases / 100) << k_family_names[i];
    EXPECT_LE(quality.families[i], k_cases * 6 / 10) << k_family_names[i];
  }
}

TEST(Generator, ReachesEveryClassAndClause) {
  std::set<std::string_view> reached;
  std::uint64_t seed = 0;
  const auto reach = [&reached, &seed](std::size_t cases) {
    for (const std::string& name : releases_of_every_epoch()) {
      const Quality quality = measure(all_scenarios(tests::release(name)), seed++, cases);
      for (std::size_t i = 0; i < k_classes; ++i) {
        if (quality.classes[i] > 0) reached.insert(k_class_infos[i].name);
      }
      for (const auto& [clause, shown_by] : quality.clauses) reached.insert(clause);
    }
  };
  // The generator makes no whole cycles yet, so it reaches only clauses of preemption and of filters.
  std::vector<std::string_view> clauses;
  for (const Rule& rule : rules()) {
    if (rule.id.starts_with("PRE-")) clauses.push_back(rule.id);
  }
  const std::size_t all = k_class_infos.size() + clauses.size() - k_unreachable.size();
  reach(tests::scaled(200));
  // Behaviours of a single release are rare if each release has only a few cases.
  for (std::size_t i = 0; i < k_classes; ++i) {
    if (quality_of(k_newer).classes[i] > 0) reached.insert(k_class_infos[i].name);
  }
  for (int round = 0; round < 20 && reached.size() < all; ++round) reach(50);
  const auto expect_reached = [&reached](std::string_view what) {
    EXPECT_NE(reached.contains(what), k_unreachable.contains(what)) << what;
  };
  for (const ClassInfo& info : k_class_infos) expect_reached(info.name);
  for (const std::string_view clause : clauses) expect_reached(clause);
}

/// If no scenario goes beyond a threshold, the table names the unit tests that do.
TEST(Quality, HasCasesOnBothSidesOfEachThreshold) {
  const Quality& quality = quality_of(k_newer);
  for (std::size_t i = 0; i < k_threshold_count; ++i) {
    const Threshold& threshold = k_thresholds[i];
    const Sides& sides = quality.thresholds[i];
    EXPECT_EQ(sides.below + sides.at + sides.beyond, quality.cases) << threshold.size;
    EXPECT_GT(sides.below, 0U) << threshold.limit << " " << threshold.size;
    EXPECT_EQ(sides.beyond == 0, !threshold.tests.empty()) << threshold.limit << " " << threshold.size;
  }
}

}  // namespace touchstone::fuzz
