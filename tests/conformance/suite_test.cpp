#include "conformance/suite.hpp"

#include <gtest/gtest.h>

#include "tests/conformance/support.hpp"

namespace touchstone::conformance {

// A suite is fixed: to change one, raise k_suite_version and run `touchstone conform --update`.
TEST(Suites, HaveThePublishedSizesAndHashes) {
  const Published published = read_published("conformance/suites.json").value();
  EXPECT_EQ(published.version, k_suite_version);
  ASSERT_EQ(published.releases.size(), k_published_releases.size());
  for (const std::string_view name : k_published_releases) {
    const std::string release(name);
    const auto found = published.releases.find(release);
    ASSERT_NE(found, published.releases.end()) << release;
    const auto suites = published_of(suites_for(release));
    for (const auto& [level, suite] : suites) {
      const PublishedSuite& expected = found->second.at(level);
      EXPECT_EQ(suite.cases, expected.cases) << release << " " << level;
      EXPECT_EQ(suite.hash, expected.hash) << release << " " << level;
    }
    EXPECT_EQ(suites.size(), found->second.size());
  }
}

// A subject that answers in a millisecond finishes a level, asked twice, in two minutes.
TEST(Suites, AreSmallEnough) {
  constexpr std::size_t k_cases_most = 60'000;
  constexpr std::size_t k_cases_least = 20;
  const Published published = read_published("conformance/suites.json").value();
  for (const auto& [release, suites] : published.releases) {
    for (const auto& [level, suite] : suites) EXPECT_LT(suite.cases, k_cases_most) << release << " " << level;
  }
  for (const auto& [level, suite] : published.releases.at("v1.37.2"))
    EXPECT_GE(suite.cases, k_cases_least) << level;
}

TEST(Suites, HaveCasesOfTheirLevelWithUniqueNames) {
  const std::vector<Suite>& suites = suites_for("v1.37.2");
  ASSERT_EQ(suites.size(), k_levels_count);
  for (const Suite& suite : suites) {
    std::set<std::string> names;
    bool any_generated = false;
    bool any_vector = false;
    for (const Case& one : suite.cases) {
      EXPECT_TRUE(names.insert(one.name).second) << one.name;
      EXPECT_TRUE(one.ours.contains(one.is_timeline() ? "answers" : "outcome")) << one.name;
      (one.source.empty() ? any_generated : any_vector) = true;
      if (one.is_timeline()) continue;
      // Messages also has the mistakes of later levels.
      if (suite.level->id == LevelId::messages && one.name.starts_with("mistakes/")) continue;
      const LevelId level = level_of_question(one.needed, one.answers, one.ours.contains("scores"));
      EXPECT_EQ(level, suite.level->id) << one.name;
    }
    EXPECT_TRUE(any_generated) << suite.level->name;
    EXPECT_TRUE(any_vector) << suite.level->name;
  }
}

TEST(Suites, DependOnAllOfTheirCases) {
  const Suite& suite = suites_for("v1.37.2")[1];
  const FixedCases none;
  const auto without_vectors =
      suites_of(none, find_release("v1.37.2").value(), {LevelId::ties}, [](std::size_t) {}, k_go_on).value();
  ASSERT_EQ(without_vectors.size(), 1U);
  EXPECT_LT(without_vectors[0].cases.size(), suite.cases.size());
  EXPECT_NE(without_vectors[0].hash, suite.hash);
}

TEST(Suites, HaveTheSameCasesWhateverLevelsAreWanted) {
  const NamedRelease release = find_release("v1.37.2").value();
  const auto ties = suites_of(fixed_cases(), release, {LevelId::ties}, [](std::size_t) {}, k_go_on).value();
  EXPECT_EQ(ties.front().hash, suites_for("v1.37.2")[static_cast<std::size_t>(LevelId::ties)].hash);
}

TEST(Suites, FindOneCaseByLevelAndName) {
  const NamedRelease release = find_release("v1.37.2").value();
  for (const LevelId id : {LevelId::ties, LevelId::messages, LevelId::cycle}) {
    const Suite& suite = suites_for("v1.37.2")[static_cast<std::size_t>(id)];
    for (const Case* one : {&suite.cases.front(), &suite.cases.back()}) {
      const std::optional<Case> found = find_case(fixed_cases(), release, *suite.level, one->name);
      ASSERT_TRUE(found.has_value()) << one->name;
      EXPECT_EQ(found->question, one->question) << one->name;
      EXPECT_EQ(found->needed, one->needed) << one->name;
    }
  }
  EXPECT_FALSE(find_case(fixed_cases(), release, level_of(LevelId::core), "no-such-case").has_value());
}

TEST(Suites, AreNotReadFromABrokenFile) {
  EXPECT_EQ(read_published("no-such-file.json").error().code, "file-unreadable");
  EXPECT_EQ(read_published("README.md").error().code, "json-malformed");
}

}  // namespace touchstone::conformance
