#include <gtest/gtest.h>

#include <map>
#include <set>

#include "fuzz/campaign/engines.hpp"
#include "reference/cycle/schedule.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/preferences.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/storage.hpp"

/// Whole scheduling cycles of the optimized engine are those of the reference: in every epoch of releases,
/// with configurations, with a memo, and on a snapshot that changes step by step.
namespace touchstone::tests::cycle_test {

namespace {

constexpr std::uint64_t k_seed = 20261126;

/// How many placements there were, by kind.
struct Seen {
  std::size_t scheduled = 0;
  std::size_t scored = 0;
  std::size_t partial = 0;                 ///< the search ended before it had visited all nodes
  std::map<Scorer, std::size_t> deciding;  ///< by scorer: columns with different scores

  void add(const Question& question, const Placement& placement) {
    scheduled += placement.host.has_value();
    scored += !placement.totals.empty();
    partial += placement.host &&
               placement.feasible.size() + placement.decision.filter.size() < question.cluster.nodes.size();
    for (const ScoreColumn& column : placement.scores) {
      const bool differ = std::any_of(column.scores.begin(), column.scores.end(),
                                      [&column](Quantity score) { return score != column.scores[0]; });
      deciding[column.scorer.scorer] += differ;
    }
  }
};

optimized::Placed placed_with(optimized::Memo& memo, const optimized::Snapshot& snapshot,
                              const Question& question, optimized::Workers& workers) {
  optimized::Options options;
  options.offset = question.offset;
  options.quota = question.quota;
  options.start = question.start;
  CanonicalChoices choices;
  return optimized::schedule(snapshot, question.pod, options, workers, choices, memo);
}

/// Two words of places and a part of a third. Most nodes are partly full; some are full, tainted or
/// unschedulable, or have a nominated pod, no memory or extreme amounts.
Question many_uneven_nodes(Choices& choices) {
  QuestionBuilder cluster;
  const std::size_t extreme = choices.pick(3, "the word with extremes");
  for (std::size_t i = 0; i < 150; ++i) {
    const std::string number = std::to_string(i);
    const auto below = [&choices](std::size_t n) { return static_cast<Quantity>(choices.pick(n, "amount")); };
    cluster.node("n" + number, 1000 * (1 + below(8)));
    for (Quantity pods = below(4); pods > 0; --pods) {
      Pod made = pod("a" + number + "-" + std::to_string(pods), 0, 100 * below(30));
      if (below(2) == 0) made.containers[0].requests["memory"] = (1 + below(8)) << 28;
      cluster.has(made);
    }
    if (below(20) == 0) cluster.nominated(pod("q" + number, 20, 500));
  }
  Question question = cluster.asks(pod("p", 10, 700));
  for (std::size_t i = 0; i < question.cluster.nodes.size(); ++i) {
    Node& node = question.cluster.nodes[i];
    const bool may_be_extreme = i / 64 == extreme;
    node.allocatable["memory"] = Quantity{1} << (30 + choices.pick(4, "memory"));
    if (may_be_extreme && choices.pick(8, "extreme") == 0) node.allocatable["memory"] = Quantity{1} << 60;
    if (may_be_extreme && choices.pick(8, "extreme") == 0) node.allocatable.erase("memory");
    if (choices.pick(8, "taint") == 0) node.taints = {{"k", "v", "NoSchedule"}};
    if (choices.pick(8, "taint") == 0) node.taints.push_back({"s", "v", "PreferNoSchedule"});
    node.unschedulable = choices.pick(10, "unschedulable") == 0;
    if (choices.pick(5, "pods") == 0) node.allocatable["pods"] = 2;
  }
  if (choices.pick(2, "memory") == 0) question.pod.containers[0].requests["memory"] = Quantity{1} << 29;
  return question;
}

}  // namespace

/// A release with each strategy of NodeResourcesFit and several weights of cpu and memory.
std::vector<Release> with_strategies(const std::string& epoch) {
  std::vector<Release> releases = {release(epoch)};
  if (releases[0].version.minor < 22) return releases;
  for (const FitStrategy strategy : {FitStrategy::least_allocated, FitStrategy::most_allocated}) {
    for (const auto& [cpu, memory] :
         std::vector<std::pair<Quantity, Quantity>>{{3, 3}, {3, 1}, {20000, 1}, {0, 0}}) {
      Release made = release(epoch);
      made.fit_strategy = strategy;
      made.most_allocated_is_capped = cpu == 3;
      made.fit_resources = {{"cpu", cpu}, {"memory", memory}};
      releases.push_back(std::move(made));
    }
  }
  return releases;
}

/// Some nodes get a pod or a taint, or are changed otherwise.
void change_some(Question& question, optimized::Snapshot& snapshot, Choices& choices) {
  for (std::size_t i = 0; i < question.cluster.nodes.size(); i += 1 + choices.pick(20, "node")) {
    Node& node = question.cluster.nodes[i];
    if (choices.pick(2, "change") == 0) {
      Pod made = pod("c" + std::to_string(i), 0, 300);
      made.node_name = node.name;
      question.cluster.pods.push_back(made);
      snapshot.add_pod(made);
      continue;
    }
    if (choices.pick(2, "change") == 0) node.taints = {{"k", "v", "NoExecute"}};
    node.allocatable["cpu"] = 1000 * (1 + static_cast<Quantity>(choices.pick(8, "cpu")));
    snapshot.change_node(i, node);
  }
}

// SCORE-LEAST-1, SCORE-STRATEGY-1 to SCORE-STRATEGY-3, SCORE-BALANCED-1 to SCORE-BALANCED-5, PRE-FIT-1 to
// PRE-FIT-3: with a memo, whole words of places are filtered and rated at once; also for another kind of pod,
// after nodes have changed.
TEST(OptimizedCycle, IsThatOfTheReferenceOnManyNodesWithAMemo) {
  optimized::Workers workers(1);
  std::size_t scheduled = 0;
  std::uint64_t seed = k_seed;
  for (const std::string& epoch : k_distinct_releases) {
    for (const Release& asked : with_strategies(epoch)) {
      SeededChoices choices(++seed);
      Question question = many_uneven_nodes(choices);
      if (seed % 2 == 1) question.start = 70;
      optimized::Snapshot snapshot(question.cluster, asked);
      optimized::Memo memo;
      for (const Quantity cpu : {700, 650}) {
        question.pod.containers[0].requests["cpu"] = cpu;
        const optimized::Placed placed = placed_with(memo, snapshot, question, workers);
        const Placement placement = reference::schedule(question, asked);
        ASSERT_EQ(difference(question, asked, placed, placement), "") << epoch << " " << seed << " " << cpu;
        scheduled += placement.host.has_value();
        change_some(question, snapshot, choices);
      }
      EXPECT_EQ(memo.kinds(), 2u) << epoch << " " << seed;
    }
  }
  EXPECT_GT(scheduled, 100u);
}

// CYC-ORDER-1, CYC-SEARCH-1, CYC-SEARCH-2, CYC-HOST-1 to CYC-HOST-4, CYC-NOMINATED-1, CYC-ONE-1, CYC-SEES-1
TEST(OptimizedCycle, IsThatOfTheReferenceInEveryEpoch) {
  optimized::Workers workers(2);
  Seen seen;
  for (const std::string& epoch : k_distinct_releases) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (std::uint64_t i = 0; i < scaled(60); ++i) {
      Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      SeededChoices choices(k_seed + i);
      with_preferences(question, choices);
      const Release asked = i % 3 == 0 ? with_scores(scenarios.release, choices) : scenarios.release;
      const optimized::Snapshot snapshot(question.cluster, asked);
      const Placement placement = reference::schedule(question, asked);
      ASSERT_EQ(difference(question, asked, oracle::optimized_placed(snapshot, question, workers), placement),
                "")
          << epoch << " " << i;
      seen.add(question, placement);
    }
  }
  // Of 1,200 cases. Each limit is a little below the number for this seed.
  EXPECT_GT(seen.scheduled, scaled(20));
  EXPECT_GT(seen.scored, scaled(15));
  EXPECT_GT(seen.partial, 5u);
  for (const Scorer scorer :
       {Scorer::selector_spread, Scorer::inter_pod_affinity, Scorer::node_resources,
        Scorer::balanced_allocation, Scorer::node_prefer_avoid_pods, Scorer::node_affinity,
        Scorer::taint_toleration, Scorer::image_locality, Scorer::pod_topology_spread})
    EXPECT_GT(seen.deciding[scorer], 5u) << static_cast<int>(scorer);
}

// SCORE-REQUESTS-1, SCORE-IMAGE-1, CYC-ORDER-1: columns that follow the changes of the cluster, and a memo.
TEST(OptimizedCycle, IsThatOfTheReferenceWhileTheClusterChanges) {
  constexpr int k_changes = 12;
  optimized::Workers workers(1);
  std::size_t scheduled = 0;
  std::size_t reused = 0;
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    for (std::uint64_t i = 0; i < scaled(12); ++i) {
      SeededChoices choices(k_seed + i);
      Question question = fuzz::scenario(choices, small_scenarios(asked, 5, 4));
      if (i % 2 == 0) Preferences(question, choices).add();  // without them, more often with a memo
      fuzz::MutableCluster changing(question, asked);
      optimized::Memo memo;
      for (int step = 0; step < k_changes; ++step) {
        const std::string change = step == 0 ? "" : changing.change(choices);
        const Question& now = changing.question();
        const Placement placement = reference::schedule(now, asked);
        for (const bool with_memo : {true, false}) {
          const optimized::Placed placed = fuzz::in_list_order(
              changing, with_memo ? placed_with(memo, changing.snapshot(), now, workers)
                                  : oracle::optimized_placed(changing.snapshot(), now, workers));
          ASSERT_EQ(difference(now, asked, placed, placement), "")
              << epoch << " " << i << " " << step << " " << change << (with_memo ? " with a memo" : "");
        }
        scheduled += placement.host.has_value();
      }
      reused += memo.reused();
    }
  }
  EXPECT_GT(scheduled, 500u);
  EXPECT_GT(reused, 40u);
}

// PRE-MESSAGE-6, CYC-ORDER-1, CYC-SEARCH-2, CYC-SEARCH-4
TEST(OptimizedCycle, HasTheErrorOfTheFirstNodeOfTheSearch) {
  optimized::Workers workers(1);
  const std::vector<std::optional<Quantity>> starts = {std::nullopt, 0, 1, 2, 4};
  Question question = erring_nodes({"a", "a", "b"});
  for (const char* name : {"v1.24", "v1.25", "v1.36"}) {
    const Release asked = release(name);
    const optimized::Snapshot snapshot(question.cluster, asked);
    std::set<std::string> errors;
    for (const char* nominated : {"", "n2"}) {
      question.pod.nominated_node_name = nominated;
      for (const std::optional<Quantity>& start : starts) {
        question.start = start;
        const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
        EXPECT_EQ(difference(question, asked, placed, reference::schedule(question, asked)), "") << name;
        errors.insert(placed.answer.reason);
      }
    }
    EXPECT_EQ(errors.size(), 3U) << name;
  }
}

// CYC-HOST-4: with 256 best nodes their places in the heap are compared; with more, the heap is walked.
TEST(OptimizedCycle, FindsTheRootOfAHeapAmongManyBestNodes) {
  optimized::Workers workers(1);
  Release asked = release("v1.37");
  asked.percentage_of_nodes = 100;
  std::set<NodeIndex> hosts;
  for (const std::size_t best : {255U, 256U, 257U, 300U}) {
    for (const Quantity start : {0, 1, 70, 320}) {
      for (const std::size_t worse : {std::size_t{0}, std::size_t{3}, std::size_t{64}}) {
        QuestionBuilder cluster;
        for (std::size_t i = 0; i < best + worse; ++i) {
          const std::string name = "n" + std::to_string(i);
          cluster.node(name, 4000);
          if (i % 5 == 1 && i / 5 < worse) cluster.has(pod("a" + name, 0, 1000));
        }
        Question question = cluster.asks(pod("p", 10, 700));
        question.start = start;
        const optimized::Snapshot snapshot(question.cluster, asked);
        optimized::Memo memo;
        const optimized::Placed placed = placed_with(memo, snapshot, question, workers);
        ASSERT_EQ(difference(question, asked, placed, reference::schedule(question, asked)), "")
            << best << " " << start << " " << worse;
        hosts.insert(*placed.host);
      }
    }
  }
  EXPECT_GE(hosts.size(), 4U);
}

// CYC-HOST-4: with thousands of nodes, threads share the work, and many nodes tie.
TEST(OptimizedCycle, IsTheSameOnAnyNumberOfThreadsAndWithAMemo) {
  constexpr std::size_t k_nodes = 40000;
  for (const Quantity percentage : {0, 100}) {
    Release asked = release(percentage == 0 ? "v1.34" : "v1.37");
    asked.percentage_of_nodes = percentage;
    optimized::Snapshot snapshot(asked);
    for (std::size_t i = 0; i < k_nodes; ++i) {
      Node node =
          QuestionBuilder().node("n" + std::to_string(i), i % 7 == 0 ? 4000 : 4100).asks({}).cluster.nodes[0];
      node.labels["topology.kubernetes.io/zone"] = "z" + std::to_string(i % 3);
      if (i % 5 == 0) node.taints.push_back({"k", "v", "PreferNoSchedule"});
      if (i % 11 == 0) node.unschedulable = true;
      snapshot.add_node(node);
    }
    Question question;
    question.pod = pod("p", 0, 100);
    question.start = 12345;
    optimized::Workers one(1);
    optimized::Workers three(3);
    optimized::Memo memo;
    optimized::Memo other;
    const optimized::Placed expected = oracle::optimized_placed(snapshot, question, one);
    EXPECT_EQ(oracle::optimized_placed(snapshot, question, three), expected);
    EXPECT_EQ(placed_with(memo, snapshot, question, three), expected);
    EXPECT_EQ(placed_with(memo, snapshot, question, one), expected);
    question.start.reset();
    EXPECT_EQ(placed_with(other, snapshot, question, three),
              oracle::optimized_placed(snapshot, question, one));
    EXPECT_EQ(memo.reused(), 1u);
  }
}

}  // namespace touchstone::tests::cycle_test
