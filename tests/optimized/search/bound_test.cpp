#include "optimized/search/bound.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/not_handled.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/store/snapshot.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// The lemmas of bound.hpp, node by node: no candidate ranks below the bound, so the search prunes no winner.
namespace touchstone::optimized {

namespace {

struct Seen {
  std::size_t candidates = 0;
  std::size_t exact = 0;        ///< whose rank equals the bound
  std::size_t by_start = 0;     ///< the same, and the bound has a start time
  std::size_t nobody_goes = 0;  ///< nodes that need no victim
};

void look_at(const Query& query, NodeIndex node, const std::string& text, Seen& seen) {
  const Bound bound = bound_of(query, UnchangedNode(query, node));
  if (bound == k_hopeless) return;
  DryRun dry_run(query);
  const DryRunResult result = dry_run.run(node, nullptr);
  if (result == DryRunResult::no_victims) {
    seen.nobody_goes += 1;
    EXPECT_EQ(bound, k_no_bound) << text;
  }
  if (result != DryRunResult::candidate) return;
  seen.candidates += 1;
  seen.exact += bound == dry_run.rank() ? 1 : 0;
  seen.by_start += bound == dry_run.rank() && bound.earliest_start != 0 ? 1 : 0;
  ASSERT_FALSE(dry_run.rank() < bound) << node << " " << text;
}

}  // namespace

TEST(Bound, IsNeverAboveWhatACandidateComesTo) {
  const std::uint64_t k_questions = tests::scaled(120);
  Seen seen;
  Workers workers(1);
  for (const std::string& epoch : tests::k_distinct_releases) {
    const Release release = tests::release(epoch);
    for (std::uint64_t i = 0; i < k_questions; ++i) {
      SeededChoices choices(i);
      const Question question = fuzz::scenario(choices, tests::small_scenarios(release, 4, 6));
      const Snapshot snapshot(question.cluster, release);
      const Query query(snapshot.tables(), question.pod, workers);
      if (!not_handled(query).empty()) continue;
      // No node is dry-run if a filter returns an error or crashes, so such queries are left out.
      if (query.spread || query.volumes) continue;
      for (NodeIndex node = 0; node < question.cluster.nodes.size(); ++node)
        look_at(query, node, tests::text_of(question, release), seen);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(seen.candidates, 800u);
  EXPECT_GT(seen.exact, 200u);
  EXPECT_GT(seen.by_start, 40u);
  EXPECT_GT(seen.nobody_goes, 4u);
}

// PRE-NODE-2 to PRE-NODE-4: if all pods of a node are equal, the bound is the rank of the node. Five pods
// fill the node, so the number of victims is the preemptor's request, divided by that of a pod and rounded
// up.
TEST(Bound, IsTheRankIfThePodsAreEqual) {
  struct Case {
    Quantity each;
    Quantity wanted;
    Quantity victims;
  };
  Workers workers(1);
  const Release release = tests::release("v1.34");
  for (const auto& [each, wanted, victims] :
       {Case{1000, 1000, 1}, Case{1000, 1001, 2}, Case{1000, 2000, 2}, Case{1000, 5000, 5}, Case{1, 3, 3}}) {
    for (const std::string resource : {"cpu", "memory", "pods"}) {
      tests::QuestionBuilder builder;
      builder.node("n1", 5 * each);
      for (const char* name : {"a", "b", "c", "d", "e"}) builder.has(tests::pod(name, 0, each));
      Question question = builder.asks(tests::pod("p", 10, wanted));
      Node& node = question.cluster.nodes[0];
      if (resource == "memory") {
        node.allocatable["memory"] = 5 * each;
        for (Pod& pod : question.cluster.pods) pod.containers[0].requests = {{"memory", each}};
        question.pod.containers[0].requests = {{"memory", wanted}};
      }
      if (resource == "pods") node.allocatable = {{"cpu", 100000}, {"pods", 6 - victims}};
      const Snapshot snapshot(question.cluster, release);
      const Query query(snapshot.tables(), question.pod, workers);
      DryRun dry_run(query);
      EXPECT_EQ(dry_run.run(0, nullptr), DryRunResult::candidate) << resource << " " << wanted;
      EXPECT_EQ(dry_run.rank().victims, victims) << resource << " " << wanted;
      EXPECT_EQ(bound_of(query, UnchangedNode(query, 0)), dry_run.rank()) << resource << " " << wanted;
    }
  }
}

// PRE-NODE-2, PRE-NODE-5: no rank is below the bound, also if the victims have a priority below 0, or have
// not started.
TEST(Bound, IsNotAboveTheRankOfUnusualPods) {
  /// Pods of one node, the most important first.
  struct Case {
    const char* what;
    std::vector<Pod> pods;
    Quantity wanted = 1000;
  };
  const auto at = [](const char* name, Quantity priority, Quantity start) {
    return tests::started(tests::pod(name, priority, 1000), start);
  };
  const std::vector<Case> cases = {
      {"priorities below 0", {at("a", -10, 100), at("b", -10, 200)}},
      {"two of the last priority", {at("a", 9, 100), at("b", 5, 200), at("c", 5, 300)}, 2000},
      {"not started", {at("a", 9, 100), tests::unstarted(tests::pod("b", 5, 1000))}},
  };
  Workers workers(1);
  for (const char* version : {"v1.16", "v1.24", "v1.34", "v1.37"}) {
    const Release release = tests::release(version);
    for (const Case& each : cases) {
      Quantity cpu = 0;
      for (const Pod& made : each.pods) cpu += made.containers[0].requests.at("cpu");
      tests::QuestionBuilder cluster;
      cluster.node("n1", cpu);
      for (const Pod& made : each.pods) cluster.has(made);
      const Question question = cluster.asks(tests::pod("p", 20, each.wanted));
      const Snapshot snapshot(question.cluster, release);
      const Query query(snapshot.tables(), question.pod, workers);
      DryRun dry_run(query);
      ASSERT_EQ(dry_run.run(0, nullptr), DryRunResult::candidate) << version << " " << each.what;
      const Bound bound = bound_of(query, UnchangedNode(query, 0));
      EXPECT_FALSE(dry_run.rank() < bound) << version << " " << each.what;
    }
  }
}

}  // namespace touchstone::optimized
