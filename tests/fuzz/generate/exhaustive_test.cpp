#include "fuzz/generate/exhaustive.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign/laws.hpp"
#include "kubernetes/write/written.hpp"
#include "tests/support/builder.hpp"

/// Checks laws on every scenario that is small enough, not on a sample.
namespace touchstone::fuzz {

namespace {

using tests::release;

struct LawsKept {
  Explored explored;
  std::size_t nominated = 0;
};

LawsKept laws_kept(const Scenarios& scenarios, Bounds bounds) {
  LawsKept found;
  found.explored = every_scenario(scenarios, bounds, 1000000, [&](const Question& question) {
    const Decision decision = decide(oracle::reference_decider(), question, scenarios.release);
    for (const BrokenLaw& law :
         broken_by_decision(oracle::reference_decider(), question, scenarios.release, decision))
      ADD_FAILURE() << law.clause << " " << law.text << "\n" << kubernetes::written(question).dump();
    if (decision.outcome == Outcome::nominated) ++found.nominated;
    return false;
  });
  return found;
}

}  // namespace

// PRE-CYCLE-1, PRE-VICTIM-1, PRE-VICTIM-3, PRE-VICTIM-6
TEST(EveryScenario, OfOneNodeAndOnePodKeepsTheLaws) {
  const LawsKept found = laws_kept({release("v1.34.4"), {}, 1, 1}, {16, 12});
  EXPECT_TRUE(found.explored.all);
  EXPECT_EQ(found.explored.scenarios, 30136u);
  EXPECT_EQ(found.nominated, 15680u);
}

// PRE-VICTIM-3, PRE-VICTIM-6
TEST(EveryScenario, OfOneNodeAndTwoPodsKeepsTheLaws) {
  const LawsKept found = laws_kept({release("v1.34.4"), {}, 1, 2}, {3, 8});
  EXPECT_TRUE(found.explored.all);
  EXPECT_EQ(found.explored.scenarios, 5412u);
  EXPECT_EQ(found.nominated, 3969u);
}

// PRE-NODE-1, PRE-NODE-6
TEST(EveryScenario, OfTwoNodesKeepsTheLaws) {
  const LawsKept found = laws_kept({release("v1.29.6"), {}, 2, 1}, {3, 6});
  EXPECT_TRUE(found.explored.all);
  EXPECT_EQ(found.explored.scenarios, 7614u);
  EXPECT_EQ(found.nominated, 6804u);
}

}  // namespace touchstone::fuzz
