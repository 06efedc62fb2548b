#include "fuzz/behaviour/paths_seen.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/behaviour/behaviour.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/vectors.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::fuzz {

namespace {

Tally tally_of_release(const std::string& release) {
  Tally tally;
  tally.setup = {{"left", Json::object()},
                 {"right", Json::object()},
                 {"leftRelease", release},
                 {"rightRelease", release}};
  tally.shards = {0};
  return tally;
}

/// The behaviour that a recorded path shows.
std::uint64_t behaviour_of_vector(const oracle::VectorCase& vector_case, const Release& release) {
  const Question question =
      kubernetes::read_question_text(vector_case.question.dump(), vector_case.name).value();
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question, release, trace);
  return behaviour_of(question, release, decision, trace).signature;
}

}  // namespace

TEST(PathsSeen, CountsTheBehavioursOfPathsThatACampaignHasSeen) {
  Tally tally = tally_of_release("v1.36.3");
  ASSERT_FALSE(note_paths(tally, k_paths));
  ASSERT_TRUE(tally.paths);
  EXPECT_EQ(tally.paths->seen, 0u);
  EXPECT_GT(tally.paths->feasible, 50u);
  const oracle::VectorCase first = oracle::read_vectors(k_paths).value().at(0).cases.at(0);
  tally.behaviours.add(behaviour_of_vector(first, tests::release("v1.36.3")));
  for (std::uint64_t i = 1; i < k_cases_in_a_block; ++i) tally.behaviours.add(1);
  tally.cases = tally.agree = k_cases_in_a_block;
  tally.judged(0, k_cases_in_a_block);
  ASSERT_FALSE(note_paths(tally, k_paths));
  EXPECT_EQ(tally.paths->seen, 1u);
  EXPECT_EQ(tally_of(json_of(tally), "it").value().paths->seen, 1u);
}

TEST(PathsSeen, SaysNothingOfWhatItDoesNotKnow) {
  Tally tally = tally_of_release("v1.34.4");
  EXPECT_FALSE(note_paths(tally, k_paths));
  EXPECT_FALSE(tally.paths);
  tally = tally_of_release("v1.36.2");
  EXPECT_FALSE(note_paths(tally, k_paths));
  EXPECT_FALSE(tally.paths);
  tally = tally_of_release("v1.36.3");
  EXPECT_FALSE(note_paths(tally, "/nonexistent"));
  EXPECT_FALSE(tally.paths);
  tally.setup[k_cases_a_behaviour] = 1024;
  EXPECT_FALSE(note_paths(tally, k_paths));
  EXPECT_FALSE(tally.paths);
}

}  // namespace touchstone::fuzz
