// tests/optimized/store/changes_test.cpp (placed_after: beside answered_alike)
#include <gtest/gtest.h>

#include "optimized/store/snapshot.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::changes_test {

namespace {

/// As in changes_test.cpp.
template <typename F>
std::size_t answered_alike(const Question& before, const F& change) {
  optimized::Workers workers(1);
  std::size_t answered = 0;
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    Question question = before;
    optimized::Snapshot snapshot(question.cluster, asked);
    change(snapshot, question);
    const optimized::Answer answer = optimized_answer(snapshot, question, workers);
    EXPECT_EQ(difference(question, asked, answer, reference::preempt(question, asked)), "") << epoch;
    const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
    EXPECT_EQ(difference(question, asked, placed, reference::schedule(question, asked)), "") << epoch;
    answered += answer.outcome == Outcome::skipped ? 0 : 1;
  }
  return answered;
}

void change_nothing(optimized::Snapshot&, Question&) {}

/// Replaces the last pod of the cluster.
auto changes_last_pod(const Pod& to) {
  return [to](optimized::Snapshot& snapshot, Question& question) {
    question.cluster.pods.back() = to;
    snapshot.change_pod(question.cluster.pods.size() - 1, to);
  };
}

}  // namespace

// The most recent 4,096 changes are listed, in 4 bytes each.
TEST(Changes, ListTheMostRecentOnes) {
  constexpr std::size_t k_listed = 4096;
  optimized::Changes changes;
  for (NodeIndex node = 0; node < 2 * k_listed; ++node) changes.add(node);
  EXPECT_FALSE(changes.are_listed(k_listed - 1));
  ASSERT_TRUE(changes.are_listed(k_listed));
  for (std::uint64_t i = k_listed; i < changes.count(); ++i) ASSERT_EQ(changes.node(i), i);
  EXPECT_EQ(changes.bytes(), k_listed * sizeof(std::uint32_t));
}

// PRE-INPUT-1: pod b moves from a missing node to n1. When the missing node is added, b does not count there.
TEST(ChangedSnapshot, ForgetsTheMissingNodeOfAChangedPod) {
  Pod lost = pod("b", 0, 500);
  lost.node_name = "n2";
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 500)).asks(pod("p", 10, 600));
  question.cluster.pods.push_back(lost);
  lost.node_name = "n1";
  answered_alike(question, [&lost](optimized::Snapshot& snapshot, Question& changed) {
    changes_last_pod(lost)(snapshot, changed);
    EXPECT_TRUE(snapshot.tables().homeless.empty());
    changed.cluster.nodes.push_back(node_named("n2", 1000));
    snapshot.add_node(changed.cluster.nodes[1]);
  });
}

// Up to v1.11 the engines skip a question with a pod on a missing node (b), if a term may concern the
// preemptor. The term of pod c, which is on no node, counts until c loses it.
TEST(ChangedSnapshot, ForgetsTheTermsOfAChangedPod) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(with_app(pod("p", 10, 1000), "x"));
  Pod lost = pod("b", 0, 0);
  lost.node_name = "nowhere";
  question.cluster.pods.insert(question.cluster.pods.end(), {lost, away(pod("c", 0, 0), {by("zone", "x")})});
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, changes_last_pod(pod("c", 0, 0))), k_distinct_releases.size());
}

// PRE-CLAIM-1: for v1.8 and v1.9 the engines skip a question in which a claim of any pod has no volume, until
// that pod has no such claim.
TEST(ChangedSnapshot, ForgetsTheVolumesOfAChangedPod) {
  const Question question = Stored(QuestionBuilder()
                                       .node("n1", 1000)
                                       .has(pod("a", 0, 1000))
                                       .has(with_claim(pod("b", 0, 0), "missing"))
                                       .asks(with_claim(pod("p", 10, 1000), "c")))
                                .with(claim("c", "v"))
                                .with(volume("v"));
  Pod without = pod("b", 0, 0);
  without.node_name = "n1";
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, changes_last_pod(without)), k_distinct_releases.size());
}

// SCORE-AVOID-1: node n1 no longer names the controller of the preemptor.
TEST(ChangedSnapshot, ForgetsWhichControllersANodeAvoids) {
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(pod("p", 0, 100));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  question.cluster.nodes[0].avoided = {{"", "ReplicaSet", "", "u"}};
  answered_alike(question, change_nothing);
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.nodes[0].avoided.clear();
    snapshot.change_node(0, changed.cluster.nodes[0]);
  });
}

// SCORE-SELECTOR-1: the Service that selects pod a is replaced by one that selects pod b.
TEST(ChangedSnapshot, ForgetsTheServicesThatAreReplaced) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_app(pod("a", 0, 100), "x"))
                          .node("n2", 4000)
                          .has(with_app(pod("b", 0, 100), "y"))
                          .asks(pod("p", 0, 100));
  question.pod.labels = {{"app", "x"}, {"tier", "z"}};
  question.cluster.pods[1].labels["tier"] = "z";
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.selecting[0].selector = LabelSelector{{{"tier", "z"}}, {}};
    snapshot.set_selecting(changed.cluster.selecting);
  });
}

}  // namespace touchstone::tests::changes_test
