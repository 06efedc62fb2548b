// tests/optimized/search/kept_search_test.cpp (new cases)
#include "optimized/search/kept_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/schedule.hpp"
#include "reference/cycle/schedule.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/support/topology.hpp"

/// A cycle with a memo is that of the reference: where scores leave their range, with several scaled scores,
/// and where the search must not use the memo.
namespace touchstone::tests::kept_search_test {

namespace {

/// A question whose cluster changes, with a snapshot of it and a memo.
class Kept {
 public:
  Kept(Question question, Release asked)
      : question_(std::move(question)), asked_(std::move(asked)), snapshot_(question_.cluster, asked_) {}

  /// The placement with the memo. Expects that the reference's is equal.
  optimized::Placed place() {
    optimized::Options options;
    options.start = question_.start;
    CanonicalChoices choices;
    const optimized::Placed placed =
        optimized::schedule(snapshot_, question_.pod, options, workers_, choices, memo_);
    EXPECT_EQ(difference(question_, asked_, placed, reference::schedule(question_, asked_)), "");
    return placed;
  }
  void add(std::size_t node, Quantity cpu, Quantity memory) {
    Pod made = pod("new" + std::to_string(question_.cluster.pods.size()), 0, cpu);
    made.containers[0].requests["memory"] = memory;
    made.node_name = question_.cluster.nodes[node].name;
    snapshot_.add_pod(made);
    question_.cluster.pods.push_back(made);
  }
  /// Applies a change to a node.
  template <typename F>
  void change(std::size_t node, const F& by) {
    Node& changed = question_.cluster.nodes[node];
    by(changed);
    snapshot_.change_node(node, changed);
  }

  bool can_use_memo() {
    const optimized::Query query(snapshot_.tables(), question_.pod, workers_);
    return optimized::can_use_memo(query);
  }
  const optimized::Memo& memo() const { return memo_; }

 private:
  Question question_;
  Release asked_;
  optimized::Snapshot snapshot_;
  optimized::Memo memo_;
  optimized::Workers workers_{1};
};

Release with_weight(const std::string& version, Scorer scorer, Quantity weight) {
  Release asked = release(version);
  for (WeightedScorer& each : asked.scorers) {
    if (each.scorer == scorer) each.weight = weight;
  }
  return asked;
}

constexpr Quantity k_memory = 1 << 30;

/// Nodes on which all is requested, but for some. The preemptor requests nothing and prefers nodes with
/// disk=ssd.
Question full_but_for(std::size_t nodes, const std::set<std::size_t>& free) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < nodes; ++i) {
    cluster.node("n" + std::to_string(i), 4000);
    Pod made = pod("a" + std::to_string(i), 0, 4000);
    made.containers[0].requests["memory"] = k_memory;
    if (!free.contains(i)) cluster.has(made);
  }
  Question question = cluster.asks(pod("p", 10, 0));
  question.pod.containers[0].requests["memory"] = 0;
  question.pod.preferred_node_affinity = {{1, {{{"disk", "In", {"ssd"}}}, {}}}};
  return question;
}

/// The same, with disk=ssd where not all is requested.
Question ssd_on(std::size_t nodes, const std::set<std::size_t>& chosen) {
  Question question = full_but_for(nodes, chosen);
  for (const std::size_t node : chosen) question.cluster.nodes[node].labels["disk"] = "ssd";
  return question;
}

bool is_scored(const optimized::Placed& placed) { return placed.answer.outcome == Outcome::fits; }

/// A case in which only the nodes of `negative` have a negative score.
struct Negative {
  std::size_t nodes;
  std::set<std::size_t> negative;
  std::set<std::size_t> unschedulable;
  std::optional<Quantity> start;
  bool is_found;  ///< whether the search finds one of them
};

const std::vector<Negative> k_negative = {
    {3, {}, {}, std::nullopt, false},
    {3, {0}, {}, std::nullopt, true},
    {3, {2}, {}, std::nullopt, true},
    {3, {2}, {0, 1}, std::nullopt, false},  // a single node has no score
    {4, {2, 3}, {0, 1}, std::nullopt, true},
    {40, {7}, {7}, std::nullopt, false},  // the node is rated with its word, but it is not feasible
    {100, {70}, {}, std::nullopt, true},
    {150, {3}, {}, 0, true},
    {150, {99}, {}, 0, true},
    {150, {120}, {}, 0, false},  // the search ends before it
    {150, {120}, {}, 60, true},
    {150, {120}, {0, 1}, 0, false},
    {150, {100}, {0, 1}, 0, true},
};

}  // namespace

// SCORE-SET-2: a cycle is skipped if a score of a node that the search finds is negative. With the weight -1
// it is the score of NodeResourcesFit where something is free, or of NodeAffinity where the label is.
TEST(KeptSearch, SeesThatAScoreLeavesItsRange) {
  for (const Scorer scorer : {Scorer::node_resources, Scorer::node_affinity}) {
    for (const Negative& each : k_negative) {
      Question question = ssd_on(each.nodes, each.negative);
      question.start = each.start;
      for (const std::size_t node : each.unschedulable) question.cluster.nodes[node].unschedulable = true;
      Kept kept(question, with_weight("v1.34", scorer, -1));
      EXPECT_EQ(is_scored(kept.place()), !each.is_found)
          << static_cast<int>(scorer) << " " << each.nodes << " " << each.start.value_or(-1);
      EXPECT_EQ(kept.memo().kinds(), 1U);
    }
  }
}

// SCORE-SET-2: a score comes back into its range when its node changes.
TEST(KeptSearch, SeesThatAScoreIsInItsRangeAgain) {
  for (const std::size_t nodes : {3U, 150U}) {
    for (const bool is_scaled : {false, true}) {
      Question question = ssd_on(nodes, {1});
      question.start = 0;
      Kept kept(question,
                with_weight("v1.34", is_scaled ? Scorer::node_affinity : Scorer::node_resources, -1));
      EXPECT_FALSE(is_scored(kept.place()));
      if (is_scaled) kept.change(1, [](Node& node) { node.labels.erase("disk"); });
      if (!is_scaled) kept.add(1, 4000, k_memory);
      EXPECT_TRUE(is_scored(kept.place())) << nodes << " " << is_scaled;
      EXPECT_EQ(kept.memo().reused(), 1U);
    }
  }
}

// SCORE-SET-2: a search that ends early sees a constant score that leaves its range.
TEST(KeptSearch, SeesAConstantScoreOutOfRangeIfItEndsEarly) {
  Question question = full_but_for(150, {});
  question.start = 0;
  EXPECT_FALSE(is_scored(Kept(question, with_weight("v1.34", Scorer::taint_toleration, -1)).place()));
}

// CYC-ONE-1: the only feasible node is not scored, so its score cannot leave its range.
TEST(KeptSearch, ScoresNoSingleNode) {
  for (const std::size_t nodes : {3U, 150U}) {
    Question question = ssd_on(nodes, {1});
    question.start = 0;
    for (std::size_t i = 0; i < nodes; ++i) question.cluster.nodes[i].unschedulable = i != 1;
    Kept kept(question, with_weight("v1.34", Scorer::node_resources, -1));
    EXPECT_EQ(kept.place().host, 1U) << nodes;
  }
}

// PRE-OUTCOME-1, CYC-HOST-3, CYC-HOST-4: a search that finds no node, of all nodes or of some.
TEST(KeptSearch, FindsNoNode) {
  for (const char* version : {"v1.34", "v1.37"}) {
    for (const std::size_t nodes : {3U, 150U}) {
      Question question = full_but_for(nodes, {});
      question.start = 0;
      question.pod.containers[0].requests["cpu"] = 100;
      Kept kept(question, release(version));
      EXPECT_EQ(kept.place().answer.outcome, Outcome::nominated) << version << " " << nodes;
      EXPECT_EQ(kept.memo().kinds(), 1U);
    }
  }
}

// CYC-SEARCH-4: the search ends at the feasible node after the last one that it wants. Node 100 is not
// feasible.
TEST(KeptSearch, EndsAtTheNextFeasibleNode) {
  Question question = full_but_for(150, {});
  question.start = 0;
  question.cluster.nodes[100].unschedulable = true;
  EXPECT_EQ(Kept(question, release("v1.34")).place().next_start, 101);
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
    Kept kept(question, release(version));
    EXPECT_EQ(kept.place().best, (std::vector<NodeIndex>{0, 1, 2, 3})) << version;
    EXPECT_EQ(kept.place().next_start, 1) << version;
    EXPECT_EQ(kept.memo().reused(), 1U) << version;
  }
}

// PRE-FIT-2: the last word of places has six nodes, and the preemptor fits wherever there is a node.
TEST(KeptSearch, EndsAtTheLastNode) {
  Kept kept(full_but_for(70, {}), release("v1.34"));
  EXPECT_EQ(kept.place().feasible.size(), 70U);
}

// SCORE-NORMAL-1, SCORE-NORMAL-2, SCORE-SET-1: two scaled scores, each of which may change its scale alone,
// with weights from 0 to 2; scorers in both orders. Nodes become feasible, or no longer.
TEST(KeptSearch, FollowsTheScalesOfSeveralScores) {
  std::size_t scored = 0;
  std::size_t reused = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SeededChoices choices(seed);
    const auto below = [&choices](std::size_t n) { return choices.pick(n, "a change"); };
    Release asked = release("v1.34");
    if (seed % 2 == 1) std::reverse(asked.scorers.begin(), asked.scorers.end());
    for (WeightedScorer& scorer : asked.scorers) scorer.weight = static_cast<Quantity>(below(3));
    const std::size_t nodes = seed % 6 == 0 ? 150 : 4;
    Question question = full_but_for(nodes, {0, 1, 2, 3});
    if (seed % 4 > 0) question.start = 2;
    question.pod.preferred_node_affinity.push_back({2, {{{"gpu", "Exists", {}}}, {}}});
    Kept kept(question, asked);
    for (int round = 0; round < 8; ++round) {
      scored += is_scored(kept.place());
      ASSERT_FALSE(HasFailure()) << "seed " << seed << " round " << round;
      for (std::size_t changes = 1 + below(2); changes > 0; --changes) {
        const std::size_t node = below(4);
        const std::size_t kind = below(5);
        if (kind == 4) kept.add(node, 500, k_memory / 8);
        kept.change(node, [&](Node& changed) {
          if (kind == 0) changed.taints.assign(below(3), {"k", "v", "PreferNoSchedule"});
          if (kind == 1) changed.labels["disk"] = below(2) == 0 ? "ssd" : "hdd";
          if (kind == 2 && changed.labels.erase("gpu") == 0) changed.labels["gpu"] = "";
          if (kind == 3) changed.unschedulable = !changed.unschedulable;
        });
      }
    }
    reused += kept.memo().reused();
  }
  EXPECT_GT(scored, 150U);
  EXPECT_GT(reused, 100U);
}

namespace {

/// The host among nodes of which those with some ranks are best. All are feasible, so rank r is the place
/// (start + r) % nodes.
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

// CYC-HOST-4: more than 256 nodes are best, so the search walks down the heap. None of them is below the left
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

// CYC-SEES-1, CYC-NOMINATED-1, PRE-PREFILTER-1, PRE-NODENAME-2, CYC-PROFILE-1: what a memo must not keep,
// since other nodes, other pods or a PreFilter decide; and profiles without scorers, or with one that errs.
TEST(KeptSearch, UsesNoMemoIfMoreThanTheNodeCounts) {
  const auto plain = [] {
    Question question = full_but_for(3, {0, 1, 2});
    for (std::size_t i = 0; i < 3; ++i) question.cluster.nodes[i].labels["zone"] = i == 0 ? "a" : "b";
    question.cluster.pods.push_back(with_app(pod("b", 0, 100), "x"));
    question.cluster.pods.back().node_name = "n0";
    question.start = 1;
    return question;
  };
  const Release latest = release("v1.37");
  EXPECT_TRUE(Kept(plain(), latest).can_use_memo());

  std::vector<std::pair<Question, Release>> cases;
  const auto add = [&cases, &latest](Question question) { cases.emplace_back(std::move(question), latest); };
  Question reach = plain();
  PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  reach.pod.pod_anti_affinity = {term};
  add(reach);
  Question in_cluster = plain();
  in_cluster.cluster.pods.push_back(in_cluster.pod);
  in_cluster.cluster.pods.back().node_name = "n1";
  add(in_cluster);
  Question nominated = plain();
  nominated.pod.nominated_node_name = "n2";
  add(nominated);
  Question pinned = plain();
  pinned.pod.node_affinity = {{{{}, {{"metadata.name", "In", {"n2"}}}}}};
  add(pinned);
  Question named = plain();
  named.pod.node_name = "n2";
  add(named);
  Question prefers_pods = plain();
  prefers_pods.pod.preferred_pod_affinity = {{1, term}};
  add(prefers_pods);
  Question spreads = plain();
  TopologySpreadConstraint soft = over("zone", "x");
  soft.when_unsatisfiable = "ScheduleAnyway";
  spreads.pod.topology_spread = {soft};
  add(spreads);
  Release without_scorers = latest;
  without_scorers.scorers.clear();
  cases.emplace_back(plain(), without_scorers);
  Release without_state = latest;
  without_state.scorers_without_state = {Scorer::taint_toleration};
  cases.emplace_back(plain(), without_state);
  Question empty = plain();
  empty.cluster.nodes.clear();
  empty.cluster.pods.clear();
  add(empty);

  for (std::size_t i = 0; i < cases.size(); ++i) {
    Kept kept(cases[i].first, cases[i].second);
    EXPECT_FALSE(kept.can_use_memo()) << i;
    kept.place();
    EXPECT_FALSE(HasFailure()) << i;
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
