#include "fuzz/timelines/parts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oracle/protocol/parts.hpp"
#include "tests/support/builder.hpp"

/// Generated timelines of the controllers beside the scheduler: they are valid, reach the clauses, are
/// compared and shrink.
namespace touchstone::tests::parts_timelines_test {

using fuzz::Json;

namespace {

/// The clauses that decide the first timelines of a seed.
std::set<std::string> clauses_of(const std::string& part, std::uint64_t count) {
  std::set<std::string> clauses;
  for (std::uint64_t number = 0; number < count; ++number) {
    const std::vector<Json> lines = fuzz::numbered_part_timeline(part, release("v1.37.2"), 1, number);
    const std::unique_ptr<oracle::Part> model = oracle::part_of(lines.front());
    EXPECT_TRUE(model) << lines.front();
    for (const Json& line : lines) {
      const Json answer = oracle::answer_to(line, *model);
      EXPECT_FALSE(answer.contains("error")) << line << answer;
      const std::set<std::string> decided = model->clauses();
      clauses.insert(decided.begin(), decided.end());
    }
  }
  return clauses;
}

std::vector<Json> one(const std::string& part) {
  return fuzz::numbered_part_timeline(part, release("v1.37.2"), 7, 3);
}

}  // namespace

TEST(PartTimelines, ReachTheClauses) {
  const std::set<std::string> budgets = {"BUD-ALLOWED-1", "BUD-DESIRED-1", "BUD-DISRUPTED-1", "BUD-EVENT-1",
                                         "BUD-FAIL-1",    "BUD-HEALTHY-1", "BUD-QUEUE-1",     "BUD-QUEUE-2",
                                         "BUD-QUEUE-3",   "BUD-SCALE-1",   "BUD-STALE-1",     "BUD-STORE-1",
                                         "BUD-WRITE-1"};
  EXPECT_EQ(clauses_of("disruption", 60), budgets);
  const std::set<std::string> election = {"LEA-ACQUIRE-1", "LEA-DEADLINE-1", "LEA-EXPIRY-1", "LEA-RELEASE-1",
                                          "LEA-RENEW-1",   "LEA-SEEN-1",     "LEA-WRITE-1"};
  EXPECT_EQ(clauses_of("leaderElection", 60), election);
}

TEST(PartTimelines, AgreeWithThemselvesAndDifferWhereAnAnswerDoes) {
  for (const char* part : {"disruption", "leaderElection"}) {
    const std::vector<Json> lines = one(part);
    EXPECT_EQ(fuzz::part_of_lines(lines), part);
    fuzz::TimelineAnswers answers{fuzz::part_answers(lines)};
    EXPECT_FALSE(fuzz::part_difference(lines, answers));
    answers.answers[2]["state"]["version"] = 1'000;
    const std::optional<fuzz::StepDifference> difference = fuzz::part_difference(lines, answers);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->line, 2u);
    EXPECT_EQ(difference->key, "state.version");
    EXPECT_EQ(difference->given, "1000");
  }
}

TEST(PartTimelines, ShrinkToWhatStillShows) {
  const std::vector<Json> lines = one("disruption");
  const std::vector<Json> smallest = fuzz::shrink_part(lines, [](const std::vector<Json>& smaller) {
    return smaller.size() > 1 && !smaller.front()["pdbs"].empty();
  });
  EXPECT_EQ(smallest.size(), 2u);
  EXPECT_EQ(smallest.front()["pdbs"].size(), 1u);
  EXPECT_TRUE(smallest.front()["pods"].empty());
}

}  // namespace touchstone::tests::parts_timelines_test
