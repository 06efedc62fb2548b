#include "optimized/search/kept_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/optimized/search/cycle_with_memo.hpp"
#include "tests/support/scale.hpp"

/// A search with a memo finds the same as a search without one, even after nodes have changed.
namespace touchstone::tests::kept_search_test {

namespace {

/// Nodes, some of which have a pod and so a lower score. change() adds a pod to a node, or replaces its
/// taints.
class Changing {
 public:
  /// `has_pod`: whether a node has a pod at first, by index.
  template <typename F>
  Changing(const Release& release, std::size_t nodes, Choices& choices, const F& has_pod)
      : choices_(choices), snapshot_(release) {
    for (std::size_t i = 0; i < nodes; ++i) {
      nodes_.push_back(node_named("n" + std::to_string(i), 4000));
      snapshot_.add_node(nodes_.back());
      if (has_pod(i)) add_pod(i);
    }
  }

  void change() {
    const std::size_t node = below(nodes_.size());
    if (below(2) == 0) return add_pod(node);
    nodes_[node].taints.assign(below(4), {"k", "v", "PreferNoSchedule"});
    if (below(4) == 0) nodes_[node].taints.push_back({"k", "v", "NoSchedule"});
    snapshot_.change_node(static_cast<NodeIndex>(node), nodes_[node]);
  }

  std::size_t below(std::size_t n) { return choices_.pick(n, "a change"); }
  const optimized::Snapshot& snapshot() const { return snapshot_; }

 private:
  void add_pod(std::size_t node) {
    Pod made = pod("a" + std::to_string(pods_++), 0, 100 * static_cast<Quantity>(1 + below(20)));
    made.node_name = nodes_[node].name;
    snapshot_.add_pod(made);
  }

  Choices& choices_;
  optimized::Snapshot snapshot_;
  std::vector<Node> nodes_;
  std::size_t pods_ = 0;
};

/// The best nodes of a search with the memo. Expects that a cycle without a memo finds the same.
std::vector<NodeIndex> best_of(const Changing& cluster, const Pod& pod, const optimized::Options& options,
                               optimized::Memo& memo, optimized::Workers& workers) {
  const optimized::Query query(cluster.snapshot().tables(), pod, workers);
  EXPECT_TRUE(optimized::can_use_memo(query));
  const optimized::KeptSearch found = optimized::search_with_memo(query, options, workers, memo);
  CanonicalChoices choices;
  const optimized::Placed placed = optimized::schedule(cluster.snapshot(), pod, options, workers, choices);
  EXPECT_EQ(found.feasible, placed.feasible.size());
  EXPECT_EQ(found.next_start, placed.next_start);
  EXPECT_EQ(found.nodes, placed.feasible);
  EXPECT_EQ(found.totals, placed.totals);
  EXPECT_EQ(found.highest, placed.highest);
  EXPECT_EQ(found.best, placed.best);
  return found.best;
}

/// The rank of the chosen node, if the nodes of some ranks are best. All nodes are feasible, so the node of
/// rank r has the place (start + r) % nodes.
std::size_t rank_of_host(std::size_t nodes, std::size_t start,
                         const std::function<bool(std::size_t)>& is_best) {
  Release asked = release("v1.37");
  asked.percentage_of_nodes = 100;
  optimized::Snapshot snapshot(asked);
  for (std::size_t place = 0; place < nodes; ++place) {
    const std::string number = std::to_string(place);
    snapshot.add_node(node_named("n" + number, 4000));
    Pod made = pod("a" + number, 0, 1000);
    made.node_name = "n" + number;
    if (!is_best((place + nodes - start) % nodes)) snapshot.add_pod(made);
  }
  optimized::Options options;
  options.start = static_cast<Quantity>(start);
  optimized::Workers workers(1);
  CanonicalChoices choices;
  optimized::Memo memo;
  const optimized::Placed placed =
      optimized::schedule(snapshot, pod("p", 10, 700), options, workers, choices, memo);
  EXPECT_EQ(placed, optimized::schedule(snapshot, pod("p", 10, 700), options, workers));
  return (*placed.host + nodes - start) % nodes;
}

/// Whether a position of a heap is at or below another one.
bool is_below(std::size_t position, std::size_t top) {
  while (position > top) position = (position - 1) / 2;
  return position == top;
}

}  // namespace

// CYC-SEARCH-1, CYC-SEARCH-4, CYC-TOTAL-1, CYC-HOST-3, CYC-HOST-4, SCORE-NORMAL-2: searches of all nodes and
// of some, with and without a start index, in releases that choose the host at random (v1.34) and by a heap
// (v1.37).
TEST(KeptSearch, FindsWhatASearchWithoutAMemoFinds) {
  optimized::Workers workers(2);
  std::set<std::vector<NodeIndex>> best;
  std::size_t reused = 0;
  for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
    SeededChoices choices(seed);
    Release asked = release(seed % 2 == 0 ? "v1.34" : "v1.37");
    if (seed % 4 > 0) asked.percentage_of_nodes = 100;
    const std::size_t nodes = choices.pick(3, "few nodes") == 0 ? 8 : 300 + choices.pick(500, "many nodes");
    const std::size_t start = choices.pick(nodes, "a start");
    Changing cluster(asked, nodes, choices,
                     [&choices](std::size_t) { return choices.pick(8, "a pod") == 0; });
    optimized::Options options;
    if (seed % 8 > 1) options.start = static_cast<Quantity>(start);
    optimized::Memo memo;
    for (int round = 0; round < 8; ++round) {
      best.insert(best_of(cluster, pod("p" + std::to_string(round), 10, 700), options, memo, workers));
      ASSERT_FALSE(HasFailure()) << "seed " << seed << " round " << round;
      for (std::size_t changes = cluster.below(4); changes > 0; --changes) cluster.change();
    }
    reused += memo.reused();
  }
  EXPECT_GE(best.size(), 5U);
  EXPECT_GT(reused, scaled(100));
}

// CYC-HOST-4: the left child of the root wins a tie. One of the best nodes is below it, all others are at or
// below the right child. The search compares ranks if 256 nodes are best, and walks down the heap if more
// are. With fewer than 768 nodes, 256 are best; with 768 or more, more are.
TEST(KeptSearch, FindsTheRootOfAHeapIfManyNodesAreBest) {
  optimized::Workers workers(1);
  Release asked = release("v1.37");
  asked.percentage_of_nodes = 100;
  std::set<NodeIndex> hosts;
  for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
    SeededChoices choices(seed);
    const std::size_t nodes = 600 + choices.pick(600, "nodes");
    const std::size_t start = choices.pick(nodes, "a start");
    std::vector<std::size_t> below_left;
    std::vector<bool> is_best(nodes, false);
    for (std::size_t position = 1; position < nodes; ++position) {
      std::size_t child = position;
      while (child > 2) child = (child - 1) / 2;
      if (child == 1) below_left.push_back(position);
      is_best[position] = child == 2;
    }
    is_best[below_left[choices.pick(below_left.size(), "the best one")]] = true;
    const Changing cluster(asked, nodes, choices,
                           [&](std::size_t i) { return !is_best[(i + nodes - start) % nodes]; });
    optimized::Options options;
    options.start = static_cast<Quantity>(start);
    optimized::Memo memo;
    const std::vector<NodeIndex> best = best_of(cluster, pod("p", 10, 700), options, memo, workers);
    ASSERT_FALSE(HasFailure()) << seed;
    hosts.insert(best.begin(), best.end());
  }
  EXPECT_GE(hosts.size(), 5U);
}

// SCORE-SET-2: TaintToleration has the same score on all nodes. With the weight -1 it is negative, which
// leaves the range.
TEST(KeptSearch, SeesThatAConstantScoreLeavesItsRange) {
  optimized::Workers workers(1);
  Release asked = release("v1.34");
  SeededChoices choices(1);
  for (const Quantity weight : {1, -1}) {
    for (WeightedScorer& scorer : asked.scorers) {
      if (scorer.scorer == Scorer::taint_toleration) scorer.weight = weight;
    }
    const Changing cluster(asked, 8, choices, [](std::size_t i) { return i == 0; });
    const Pod asking = pod("p", 10, 700);
    const optimized::Query query(cluster.snapshot().tables(), asking, workers);
    optimized::Memo memo;
    EXPECT_EQ(optimized::search_with_memo(query, {}, workers, memo).is_out_of_range, weight < 0);
  }
}

// A memo keeps a few numbers for each node and kind of pod.
TEST(KeptSearch, TakesLessThan100BytesForEachNode) {
  constexpr std::size_t k_nodes = 6400;
  constexpr std::size_t k_bytes_of_node = 100;
  optimized::Workers workers(1);
  optimized::Snapshot snapshot(release("v1.34"));
  for (std::size_t i = 0; i < k_nodes; ++i) snapshot.add_node(node_named("n" + std::to_string(i), 4000));
  optimized::Memo memo;
  CanonicalChoices choices;
  optimized::schedule(snapshot, pod("p", 10, 700), {}, workers, choices, memo);
  EXPECT_EQ(memo.kinds(), 1U);
  EXPECT_GT(memo.bytes(), k_nodes);
  EXPECT_LT(memo.bytes(), k_nodes * k_bytes_of_node);
}

// PRE-OUTCOME-1, CYC-HOST-3, CYC-HOST-4: a search that finds no node, of all nodes or of some.
TEST(KeptSearch, FindsNoNode) {
  for (const char* version : {"v1.34", "v1.37"}) {
    for (const std::size_t nodes : {3U, 150U}) {
      Question question = full_but_for(nodes, {});
      question.start = 0;
      question.pod.containers[0].requests["cpu"] = 100;
      CycleWithMemo cycle(question, release(version));
      EXPECT_EQ(cycle.place().answer.outcome, Outcome::nominated) << version << " " << nodes;
      EXPECT_EQ(cycle.memo().kinds(), 1U);
    }
  }
}

// CYC-SEARCH-4: the search ends at the feasible node after the last one that it wants. Node 100 is not
// feasible.
TEST(KeptSearch, EndsAtTheNextFeasibleNode) {
  Question question = full_but_for(150, {});
  question.start = 0;
  question.cluster.nodes[100].unschedulable = true;
  EXPECT_EQ(CycleWithMemo(question, release("v1.34")).place().next_start, 101);
}

// CYC-ORDER-1, CYC-SEARCH-4: the search goes by zones, and the best nodes are in the order of the list.
TEST(KeptSearch, ListsTheBestNodesInTheOrderOfTheCluster) {
  for (const char* version : {"v1.13", "v1.16", "v1.34"}) {
    Question question = full_but_for(4, {0, 1, 2, 3});
    question.start = 1;
    for (std::size_t i = 0; i < 4; ++i) {
      for (const char* key : {"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"})
        question.cluster.nodes[i].labels[key] = i < 2 ? "a" : "b";
    }
    CycleWithMemo cycle(question, release(version));
    EXPECT_EQ(cycle.place().best, (std::vector<NodeIndex>{0, 1, 2, 3})) << version;
    EXPECT_EQ(cycle.place().next_start, 1) << version;
    EXPECT_EQ(cycle.memo().reused(), 1U) << version;
  }
}

// PRE-FIT-2: the last word of places has six nodes, and the preemptor fits wherever there is a node.
TEST(KeptSearch, EndsAtTheLastNode) {
  CycleWithMemo cycle(full_but_for(70, {}), release("v1.34"));
  EXPECT_EQ(cycle.place().feasible.size(), 70U);
}

// CYC-HOST-4: more than 256 nodes are best, so the engine walks down the heap. None of them is below the left
// child of the root. With 1,023 nodes, every level of the heap is full.
TEST(KeptSearch, WalksToTheRightIfNoBestNodeIsOnTheLeft) {
  for (const std::size_t start : {0U, 500U}) {
    const auto is_best = [](std::size_t rank) {
      return is_below(rank, 6) || rank == 5 || is_below(rank, 11);
    };
    EXPECT_EQ(rank_of_host(1023, start, is_best), 5U) << start;
  }
}

// CYC-HOST-4: the only best node below position 3 is the last one of the heap, or that at the first or the
// last place of the order. 256 other nodes are best: position 4, and all that are below position 2.
TEST(KeptSearch, WalksToALeafOfTheHeap) {
  struct Case {
    std::size_t nodes;
    std::size_t start;
    std::size_t leaf;
  };
  for (const auto& [nodes, start, leaf] : std::vector<Case>{
           {600, 0, 599}, {600, 1, 599}, {600, 300, 599}, {640, 89, 550}, {640, 89, 551}, {640, 88, 552}}) {
    ASSERT_TRUE(is_below(leaf, 3));
    const auto is_best = [at = leaf](std::size_t rank) {
      return rank == at || rank == 4 || is_below(rank, 2);
    };
    EXPECT_EQ(rank_of_host(nodes, start, is_best), leaf) << nodes << " " << start;
  }
}

// Options::wants_scores: the lists of nodes take longer than the search, so a caller can leave them out.
TEST(KeptSearch, ListsNoNodesIfNoneAreWanted) {
  optimized::Workers workers(1);
  for (const std::size_t nodes : {3U, 150U}) {
    const Question question = full_but_for(nodes, {1});
    const optimized::Snapshot snapshot(question.cluster, release("v1.34"));
    const optimized::Query query(snapshot.tables(), question.pod, workers);
    for (const bool wants_scores : {true, false}) {
      optimized::Options options;
      options.start = 0;
      options.wants_scores = wants_scores;
      optimized::Memo memo;
      const optimized::KeptSearch found = optimized::search_with_memo(query, options, workers, memo);
      EXPECT_EQ(found.feasible, std::min<std::size_t>(nodes, 100));
      EXPECT_EQ(found.best, std::vector<NodeIndex>{1});
      EXPECT_EQ(found.nodes.size(), wants_scores ? found.feasible : 0);
      EXPECT_EQ(found.totals.size(), wants_scores ? found.feasible : 0);
    }
  }
}

}  // namespace touchstone::tests::kept_search_test
