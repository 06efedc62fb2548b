// tests/optimized/search/bound_test.cpp
#include "optimized/search/bound.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/store/snapshot.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::bound_more_test {

namespace {

/// Pods of one node, the most important first.
struct Case {
  const char* what;
  std::vector<Pod> pods;
  Quantity wanted = 1000;
};

}  // namespace

// PRE-NODE-2, PRE-NODE-5: no rank is below the bound if the victims have a priority below 0, or have not
// started.
TEST(Bound, IsNotAboveTheRankOfUnusualPods) {
  const auto at = [](const char* name, Quantity priority, Quantity start) {
    return started(pod(name, priority, 1000), start);
  };
  const std::vector<Case> cases = {
      {"priorities below 0", {at("a", -10, 100), at("b", -10, 200)}},
      {"two of the last priority", {at("a", 9, 100), at("b", 5, 200), at("c", 5, 300)}, 2000},
      {"not started", {at("a", 9, 100), unstarted(pod("b", 5, 1000))}},
  };
  optimized::Workers workers(1);
  for (const char* version : {"v1.16", "v1.24", "v1.34", "v1.37"}) {
    const Release asked = release(version);
    for (const Case& each : cases) {
      Quantity cpu = 0;
      for (const Pod& made : each.pods) cpu += made.containers[0].requests.at("cpu");
      QuestionBuilder cluster;
      cluster.node("n1", cpu);
      for (const Pod& made : each.pods) cluster.has(made);
      const Question question = cluster.asks(pod("p", 20, each.wanted));
      const optimized::Snapshot snapshot(question.cluster, asked);
      const optimized::Query query(snapshot.tables(), question.pod, workers);
      optimized::DryRun dry_run(query);
      ASSERT_EQ(dry_run.run(0, nullptr), optimized::DryRunResult::candidate) << version << " " << each.what;
      const optimized::Bound bound = bound_of(query, optimized::UnchangedNode(query, 0));
      EXPECT_FALSE(dry_run.rank() < bound) << version << " " << each.what;
    }
  }
}

}  // namespace touchstone::tests::bound_more_test
