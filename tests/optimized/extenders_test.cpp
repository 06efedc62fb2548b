#include <gtest/gtest.h>

#include <map>

#include "fuzz/generate/epochs.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/extender_questions.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// Extenders in the optimized engine: its answers are those of the reference, and it says which questions it
/// leaves to the reference.
namespace touchstone::tests {

namespace {

/// Node n1 with pod a. The preemptor needs the whole node.
Question one_full_node(std::vector<Extender> extenders) {
  Question question = three_nodes(std::move(extenders));
  question.pod.containers[0].requests["cpu"] = 4000;
  Pod small = pod("a", 0, 1000);
  small.node_name = "n1";
  question.cluster.pods.push_back(small);
  question.cluster.nodes.resize(1);
  return question;
}

/// Why the question is left to the reference; empty: it is not.
std::string left(const Question& question, const char* version = "v1.36.3") {
  const optimized::Placed placed = placed_alike(question, release(version));
  return oracle::is_left_to_reference(placed.answer) ? placed.answer.reason : "";
}

}  // namespace

// EXT-FILTER-1, EXT-ORDER-1, EXT-INTEREST-1, EXT-SCORE-1, EXT-SCORE-2
TEST(OptimizedExtenders, AnswerAsTheReferenceInEveryEpoch) {
  optimized::Workers workers(1);
  std::map<Outcome, std::size_t> answered;
  std::size_t scored = 0;
  for (const std::string& epoch : k_distinct_releases) {
    fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    scenarios.families.insert(fuzz::Family::extenders);
    scenarios.families.erase(fuzz::Family::many_nodes);
    for (std::uint64_t i = 0; i < scaled(12); ++i) {
      Question question = fuzz::numbered_scenario(scenarios, 7, i);
      const std::size_t nodes = question.cluster.nodes.size();
      if (i % 2 == 0 && nodes > 0) question.start = static_cast<Quantity>(i % nodes);
      const optimized::Snapshot snapshot(question.cluster, scenarios.release);
      const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
      ASSERT_EQ(
          difference(question, scenarios.release, placed, reference::schedule(question, scenarios.release)),
          "")
          << epoch << " " << i;
      ASSERT_EQ(difference(question, scenarios.release, oracle::optimized_answer(snapshot, question, workers),
                           reference::preempt(question, scenarios.release)),
                "")
          << epoch << " " << i;
      if (question.extenders.empty() || oracle::is_left_to_reference(placed.answer)) continue;
      ++answered[placed.answer.outcome];
      scored += !placed.extender_scores.empty();
    }
  }
  EXPECT_GT(answered[Outcome::fits], scaled(15));
  EXPECT_GT(answered[Outcome::nominated], scaled(4));
  EXPECT_GT(scored, scaled(3));
}

TEST(OptimizedExtenders, FilterAndScore) {
  const auto placed = [](std::vector<Extender> extenders, const char* version = "v1.36.3") {
    return placed_alike(three_nodes(std::move(extenders)), release(version));
  };
  const Extender two = filters_names({{"n1", ok()}, {"n2", rejected("no")}, {"n3", ok()}});
  EXPECT_EQ(placed({two}).feasible, (std::vector<NodeIndex>{0, 2}));
  EXPECT_EQ(placed({two, scores(2, {{"n3", 3}})}).extender_scores, (std::vector<Quantity>{0, 60}));
  EXPECT_EQ(placed({scores(1, {{"n2", 0}})}).best, (std::vector<NodeIndex>{1}));  // CYC-HOST-4
  EXPECT_EQ(placed({managing(scores(1, {{"n2", 5}}), "example.com/gpu")}).best.size(), 3u);
  EXPECT_EQ(placed({failing(scores(1, {{"n2", 5}}))}).extender_scores, (std::vector<Quantity>{0, 0, 0}));
  EXPECT_EQ(placed({ignorable(failing(filters_all()))}).feasible.size(), 3u);
  EXPECT_EQ(placed({filters({{"n2", ok()}})}).host, 1u);  // one node is not scored
}

TEST(OptimizedExtenders, FailAndLeaveNoNode) {
  const Extender objects = filters({{"n1", ok()}, {"n2", ok()}});
  for (const char* version : {"v1.10", "v1.13.0", "v1.29.5", "v1.31.0", "v1.32.2", "v1.36.3"}) {
    EXPECT_EQ(left(three_nodes({filters_all()}), version), "");
    EXPECT_EQ(left(three_nodes({failing(filters_all())}), version), "");
    EXPECT_EQ(left(three_nodes({filters_names({})}), version), "");
    EXPECT_EQ(
        left(three_nodes({filters_names({{"n1", rejected("no")}, {"n2", unresolvable("no")}})}), version),
        "");
    EXPECT_EQ(left(three_nodes({objects}), version), "");  // EXT-RECORD-1
    EXPECT_EQ(left(three_nodes({managing(filters_all(), "example.com/gpu", true)}), version), "");
    Question nominated = three_nodes({filters_all()});
    nominated.pod.nominated_node_name = "n1";
    EXPECT_EQ(left(nominated, version), "");
    nominated.extenders = {filters_names({{"n1", rejected("no")}, {"n2", ok()}})};
    EXPECT_EQ(left(nominated, version), "");
  }
}

// EXT-DROP-1, EXT-RECORD-1, PRE-NODE-5
TEST(OptimizedExtenders, LeaveOutNodesThatHavePods) {
  Question question = three_nodes({});
  for (std::size_t i = 0; i < 3; ++i) {
    Pod other = pod("on-n" + std::to_string(i + 1), 0, 2000 + 500 * static_cast<Quantity>(i % 2));
    other.node_name = question.cluster.nodes[i].name;
    other.start_time_ns = static_cast<Quantity>(i) * 1'000'000'000;
    question.cluster.pods.push_back(other);
  }
  for (const char* version : {"v1.13.0", "v1.29.5", "v1.31.0", "v1.32.2", "v1.36.3"}) {
    const auto is_answered = [&](std::vector<Extender> extenders, Quantity cpu) {
      question.extenders = std::move(extenders);
      question.pod.containers[0].requests["cpu"] = cpu;
      EXPECT_EQ(left(question, version), "");
    };
    is_answered({filters_names({})}, 1500);
    is_answered({filters({{"n1", ok()}, {"n2", ok()}})}, 1500);
    is_answered({preempts({{"n1", keeps()}, {"n3", keeps()}})}, 3000);
  }
}

// EXT-PREEMPT-1 to EXT-PREEMPT-4
TEST(OptimizedExtenders, ChangeVictims) {
  Question full = three_nodes({});
  full.pod.containers[0].requests["cpu"] = 4000;
  for (const char* node : {"n1", "n2", "n3"}) {
    Pod small = pod("on-" + std::string(node), 0, 1000);
    small.node_name = node;
    full.cluster.pods.push_back(small);
  }
  for (const char* version : {"v1.10", "v1.13.0", "v1.29.6", "v1.37.2", "v1.38.0"}) {
    const auto chosen = [&](std::vector<Extender> extenders) {
      full.extenders = std::move(extenders);
      const optimized::Placed placed = placed_alike(full, release(version));
      EXPECT_FALSE(oracle::is_left_to_reference(placed.answer));
      return placed.answer.admissible;
    };
    EXPECT_EQ(chosen({filters_all()}).size(), 3u);
    chosen({filters_names({{"n2", ok()}})});
    chosen({preempts({{"n2", keeps()}})});
    chosen({preempts({{"n2", evicts({})}, {"n3", keeps()}})});
    chosen({ignorable(preempts({{"n2", evicts({})}, {"n3", keeps()}}))});
    chosen({preempts({{"n1", evicts({"default/on-n1"}, 1)}, {"n3", keeps()}})});
    chosen({failing(preempts({}))});
    chosen({ignorable(failing(preempts({})))});
    chosen({preempts({})});
  }
}

TEST(OptimizedExtenders, AreLeftToTheReferenceWhereItAloneKnowsTheRule) {
  EXPECT_EQ(left(three_nodes({filters({{"n1", ok()}, {"ghost", ok()}})})), k_unknown_node);
  EXPECT_EQ(left(three_nodes({unknown(filters_all())})), k_unknown_answer);
  Extender unknown_scores = unknown(scores(1, {}));
  EXPECT_EQ(left(three_nodes({unknown_scores})), k_unknown_answer);
  unknown_scores.prioritize = AnswerTable<Quantity>{{}, {{"n1", 1}}, std::set<std::string>{"n1"}};
  EXPECT_EQ(left(three_nodes({unknown_scores})), k_unknown_answer);

  Question full = one_full_node({preempts({{"n1", evicts({"default/nobody"})}})});
  EXPECT_EQ(left(full), k_unknown_victim);
  full.extenders = {preempts({{"ghost", keeps()}})};
  EXPECT_EQ(left(full), k_unknown_node);
  full.extenders = {unknown(full.extenders[0])};
  EXPECT_EQ(left(full), k_unknown_answer);
}

// EXT-ERROR-1: the first error ends the attempt, and no further extender is asked. In the same way, the first
// answer that only the reference can handle decides the reason.
TEST(OptimizedExtenders, AreNotAskedAfterAnErrorOrAnUnknownAnswer) {
  const Question failing_twice =
      three_nodes({failing(filters_all(), "first"), failing(filters_all(), "second")});
  for (const char* version : {"v1.9", "v1.20", "v1.36.3"})
    EXPECT_EQ(placed_alike(failing_twice, release(version)).answer.reason, "first") << version;
  EXPECT_EQ(
      left(one_full_node({preempts({{"n1", evicts({"default/nobody"})}}), preempts({{"ghost", keeps()}})})),
      k_unknown_victim);
}

// PRE-CYCLE-3, EXT-NOMINATED-1: from v1.22 the nominated node is tried first. If the pod fits there, as on
// n2, extenders are asked about this node alone. n1 has too little cpu.
TEST(OptimizedExtenders, AreAskedAboutTheNominatedNodeAloneIfThePodFitsThere) {
  const std::vector<NodeIndex> both = {1, 2};
  for (const char* version : {"v1.20", "v1.22", "v1.31", "v1.36.3"}) {
    for (const char* nominated : {"n1", "n2"}) {
      Question question = three_nodes({filters_all()});
      question.cluster.nodes[0].allocatable["cpu"] = 500;
      question.pod.nominated_node_name = nominated;
      EXPECT_EQ(outcome(question, version), Outcome::fits) << version;
      const bool alone = nominated == std::string("n2") && version != std::string("v1.20");
      EXPECT_EQ(placed_alike(question, release(version)).feasible, alone ? std::vector<NodeIndex>{1} : both)
          << version << " " << nominated;
    }
  }
}

// PRE-SEARCH-2: up to v1.19 the search has no quota, even if extenders make the engine search in order. A
// quota of 1 ends the search on n1; without it n3, whose pod has the lowest priority, is found.
TEST(OptimizedExtenders, TakeNoSampleUpToV119) {
  Question question = three_nodes({preempts({{"n1", keeps()}, {"n2", keeps()}, {"n3", keeps()}})});
  question.pod.containers[0].requests["cpu"] = 4000;
  for (const Node& node : question.cluster.nodes) {
    question.cluster.pods.push_back(
        pod("on-" + node.name, 3 - static_cast<Quantity>(question.cluster.pods.size()), 1000));
    question.cluster.pods.back().node_name = node.name;
  }
  question.offset = 0;
  question.quota = 1;
  for (const char* version : {"v1.11", "v1.15", "v1.18"})
    EXPECT_EQ(agreed(question, version).node, NodeIndex{2}) << version;
  for (const char* version : {"v1.20.15", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).node, NodeIndex{0}) << version;
}

// EXT-DROP-1: a node that the search has not visited has no status of its own, even if a filter would reject
// it. The search ends with the 100 feasible nodes n0 to n99. n101 to n103 are full.
TEST(OptimizedExtenders, DropTheNodesThatTheSearchHasNotVisited) {
  QuestionBuilder cluster;
  for (int i = 0; i < 104; ++i) {
    cluster.node("n" + std::to_string(i), 4000);
    if (i > 100) cluster.has(pod("a" + std::to_string(i), 0, 4000));
  }
  Question question = cluster.asks(pod("p", 10, 1000));
  question.extenders = {filters({})};
  question.start = 0;
  for (const std::string& version : k_distinct_releases) placed_alike(question, release(version));
}

}  // namespace touchstone::tests
