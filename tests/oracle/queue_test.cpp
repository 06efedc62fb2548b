#include "oracle/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/generate/scenario.hpp"
#include "tests/support/builder.hpp"

/// Tests pods that are decided one after another.
namespace touchstone::oracle {

namespace {

using tests::pod;
using tests::QuestionBuilder;
using tests::release;

/// An extender that nobody asks.
Result<std::string> not_asked(const Extender&, const std::string& verb, const std::string&) {
  ADD_FAILURE() << verb;
  return Error{"not-asked", verb, "asked"};
}

Pod waiting(const std::string& name, Quantity priority, Quantity cpu) { return pod(name, priority, cpu); }

std::vector<QueueStep> scheduled(const Cluster& cluster, const Profiles& profiles, Engine engine,
                                 Quantity priority) {
  std::vector<QueueStep> steps;
  schedule_queue(cluster, profiles, engine, queue_of(cluster, {.priority_least = priority}, profiles),
                 not_asked, [&](const QueueStep& step) {
                   steps.push_back(step);
                   return true;
                 });
  return steps;
}

std::vector<QueueStep> scheduled(const Cluster& cluster, const Release& asked, Engine engine,
                                 Quantity priority) {
  return scheduled(cluster, default_profile(asked), engine, priority);
}

/// The nodes of the steps, in their order.
std::vector<std::optional<NodeIndex>> nodes_of(const std::vector<QueueStep>& steps) {
  std::vector<std::optional<NodeIndex>> nodes;
  for (const QueueStep& step : steps) nodes.push_back(step.node);
  return nodes;
}

const Profiles& profiles() {
  static const Profiles k_profiles = default_profile(release("v1.34"));
  return k_profiles;
}

}  // namespace

TEST(Queue, IsInTheOrderOfPriorityAndOfTheList) {
  Cluster cluster = QuestionBuilder().node("n1", 100).has(pod("a", 0, 100)).asks(pod("p", 0, 0)).cluster;
  Pod ended = waiting("ended", 9, 1);
  ended.phase = "Failed";
  for (const Pod& each : {waiting("low", 1, 1), waiting("first", 5, 1), ended, waiting("second", 5, 1)})
    cluster.pods.push_back(each);
  EXPECT_EQ(queue_of(cluster, {}, profiles()), (std::vector<PodIndex>{2, 4, 1}));
  EXPECT_EQ(queue_of(cluster, {.priority_least = 5}, profiles()), (std::vector<PodIndex>{2, 4}));
  EXPECT_TRUE(queue_of(cluster, {.priority_least = 6}, profiles()).empty());
  cluster.pods[4].ns = "other";
  EXPECT_EQ(queue_of(cluster, {.ns = "other"}, profiles()), (std::vector<PodIndex>{4}));
  EXPECT_TRUE(queue_of(cluster, {.ns = "none"}, profiles()).empty());
}

TEST(Queue, LeavesOutWhatTheSchedulerDoesNotTry) {
  Cluster cluster = QuestionBuilder().node("n1", 100).asks(pod("p", 0, 0)).cluster;
  Pod gated = waiting("gated", 5, 1);
  gated.scheduling_gates = {"g"};
  gated.terminating = true;
  Pod terminating = waiting("terminating", 5, 1);
  terminating.terminating = true;
  Pod foreign = waiting("foreign", 5, 1);
  foreign.scheduler_name = "volcano";
  Pod own = waiting("own", 5, 1);
  own.scheduler_name = "default-scheduler";
  Pod low = gated;
  low.priority = 1;
  cluster.pods = {gated, terminating, foreign, own, waiting("plain", 5, 1), low};
  EXPECT_EQ(queue_of(cluster, {}, profiles()), (std::vector<PodIndex>{3, 4}));
  EXPECT_EQ(left_out_of_queue(cluster, {.priority_least = 5}, profiles()),
            (std::map<LeftOut, std::vector<PodIndex>>{
                {LeftOut::gated, {0}}, {LeftOut::terminating, {1}}, {LeftOut::of_other_scheduler, {2}}}));
}

// The second pod no longer finds the first pod's victim, but finds the first pod in its place.
TEST(Queue, EvictsVictimsAndBindsThePod) {
  Cluster cluster = QuestionBuilder()
                        .node("n1", 100)
                        .has(pod("a", 0, 60))
                        .has(pod("b", 1, 40))
                        .asks(pod("p", 0, 0))
                        .cluster;
  cluster.pods.push_back(waiting("first", 5, 60));
  cluster.pods.push_back(waiting("second", 5, 40));
  cluster.pods.push_back(waiting("third", 5, 40));
  for (const Engine engine : {Engine::reference, Engine::optimized, Engine::both}) {
    const std::vector<QueueStep> steps = scheduled(cluster, release("v1.34"), engine, 5);
    ASSERT_EQ(steps.size(), 3u) << name_of(engine);
    EXPECT_EQ(steps[0].victims, (std::vector<PodIndex>{0})) << name_of(engine);
    EXPECT_EQ(steps[1].victims, (std::vector<PodIndex>{1})) << name_of(engine);
    EXPECT_EQ(steps[2].outcome, Outcome::none) << name_of(engine);
    EXPECT_FALSE(steps[2].node) << name_of(engine);
  }
}

// SCORE-LEAST-1: the second pod goes to the emptier node.
TEST(Queue, BindsWhatFitsToTheNodeWithTheHighestTotal) {
  Cluster cluster =
      QuestionBuilder().node("n1", 100).has(pod("a", 0, 10)).node("n2", 100).asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second", "third"}) cluster.pods.push_back(waiting(name, 5, 40));
  for (const Engine engine : {Engine::reference, Engine::optimized, Engine::both}) {
    const std::vector<QueueStep> steps = scheduled(cluster, release("v1.34"), engine, 5);
    EXPECT_EQ(nodes_of(steps), (std::vector<std::optional<NodeIndex>>{1, 0, 1})) << name_of(engine);
    EXPECT_EQ(steps[0].outcome, Outcome::fits) << name_of(engine);
    EXPECT_TRUE(steps[0].total) << name_of(engine);
    EXPECT_EQ(steps[0].best, (std::vector<NodeIndex>{1})) << name_of(engine);
  }
}

// CYC-HOST-3, CYC-HOST-4
TEST(Queue, TakesTheFirstOfTheNodesThatTie) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3"}) builder.node(name, 100);
  Cluster cluster = builder.asks(pod("p", 0, 0)).cluster;
  cluster.pods.push_back(waiting("first", 5, 40));
  for (const char* name : {"v1.34", "v1.36"}) {
    const std::vector<QueueStep> steps = scheduled(cluster, release(name), Engine::reference, 5);
    EXPECT_EQ(steps[0].node, NodeIndex{0}) << name;
    EXPECT_EQ(steps[0].best.size(), std::string(name) == "v1.34" ? 3u : 1u) << name;
  }
}

// CYC-SEARCH-4: the second search begins where the first one ended.
TEST(Queue, GoesOnSearchingWhereTheLastSearchEnded) {
  QuestionBuilder builder;
  for (int i = 0; i < 150; ++i) builder.node("n" + std::to_string(i), 100);
  Cluster cluster = builder.asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second"}) cluster.pods.push_back(waiting(name, 5, 10));
  for (const Engine engine : {Engine::reference, Engine::optimized, Engine::both}) {
    const std::vector<QueueStep> steps = scheduled(cluster, release("v1.36"), engine, 5);
    EXPECT_EQ(nodes_of(steps), (std::vector<std::optional<NodeIndex>>{0, 100})) << name_of(engine);
  }
  const std::vector<QueueStep> before = scheduled(cluster, release("v1.16"), Engine::reference, 5);
  // v1.16 begins with n101; the first of the nodes that tie, in the order of the cluster, is n1.
  EXPECT_EQ(before[1].best.front(), NodeIndex{1});
  EXPECT_EQ(before[1].best.size(), 99u);  // n0 has the first pod
  EXPECT_FALSE(std::binary_search(before[1].best.begin(), before[1].best.end(), 100u));
  EXPECT_TRUE(std::binary_search(before[1].best.begin(), before[1].best.end(), 50u));
}

// CYC-PROFILE-1: each pod is scheduled by its own profile; a pod without a profile is left out.
TEST(Queue, SchedulesEachPodByItsProfile) {
  Cluster cluster =
      QuestionBuilder().node("n1", 100).has(pod("a", 0, 10)).node("n2", 100).asks(pod("p", 0, 0)).cluster;
  Pod packed = waiting("packed", 5, 40);
  packed.scheduler_name = "packer";
  Pod foreign = waiting("foreign", 5, 40);
  foreign.scheduler_name = "volcano";
  cluster.pods.push_back(waiting("spread", 6, 40));
  cluster.pods.push_back(packed);
  cluster.pods.push_back(foreign);
  Profiles both = default_profile(release("v1.34"));
  Release packer = release("v1.34");
  packer.fit_strategy = FitStrategy::most_allocated;
  std::erase_if(packer.scorers, [](const WeightedScorer& scorer) {
    return scorer.scorer == Scorer::balanced_allocation;
  });
  both.emplace("packer", packer);
  const std::vector<QueueStep> steps = scheduled(cluster, both, Engine::reference, 5);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].node, NodeIndex{1});
  EXPECT_EQ(steps[1].node, NodeIndex{1});
  EXPECT_EQ(left_out_of_queue(cluster, {}, both)[LeftOut::of_other_scheduler], (std::vector<PodIndex>{3}));
}

TEST(Queue, EndsWhereItsReaderHasEnough) {
  Cluster cluster = QuestionBuilder().node("n1", 100).asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second", "third"}) cluster.pods.push_back(waiting(name, 5, 1));
  std::size_t steps = 0;
  schedule_queue(cluster, profiles(), Engine::both, queue_of(cluster, {}, profiles()), not_asked,
                 [&](const QueueStep&) { return ++steps < 2; });
  EXPECT_EQ(steps, 2u);
}

// EXT-FILTER-1, EXT-UNKNOWN-2: the extender lets the first pod on n2, no other pod on a node, and the last
// one on a node that does not exist.
TEST(Queue, AsksExtendersAboutEachPod) {
  Cluster cluster = QuestionBuilder().node("n1", 100).node("n2", 100).asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second", "third"}) cluster.pods.push_back(waiting(name, 5, 1));
  Release extended = release("v1.36");
  extended.extenders.emplace_back().filter_verb = "filter";
  std::size_t calls = 0;
  const AskExtender ask = [&calls](const Extender&, const std::string&, const std::string&) {
    constexpr std::array<const char*, 2> k_answers = {R"({"nodes":{"items":[{"metadata":{"name":"n2"}}]}})",
                                                      R"({"error":"no"})"};
    constexpr const char* k_ghost = R"({"nodes":{"items":[{"metadata":{"name":"ghost"}}]}})";
    return Result<std::string>(std::string(calls < k_answers.size() ? k_answers[calls++] : k_ghost));
  };
  const Profiles profiles = default_profile(extended);
  std::vector<QueueStep> steps;
  schedule_queue(cluster, profiles, Engine::both, queue_of(cluster, {}, profiles), ask,
                 [&](const QueueStep& step) {
                   steps.push_back(step);
                   return true;
                 });
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].node, NodeIndex{1});
  EXPECT_EQ(steps[1].outcome, Outcome::error);
  EXPECT_EQ(steps[1].reason, "no");
  EXPECT_EQ(steps[2].outcome, Outcome::skipped);
  EXPECT_FALSE(steps[2].node);
}

// EXT-ERROR-1
TEST(Queue, NotesCallsToExtendersThatFail) {
  Cluster cluster = QuestionBuilder().node("n1", 100).asks(pod("p", 0, 0)).cluster;
  cluster.pods.push_back(waiting("first", 5, 1));
  Release extended = release("v1.36");
  extended.extenders.emplace_back().filter_verb = "filter";
  extended.extenders.back().ignorable = true;
  const Profiles profiles = default_profile(extended);
  const AskExtender ask = [](const Extender&, const std::string& verb, const std::string&) {
    return Result<std::string>(Error{"extender-unreachable", verb, "no answer: x"});
  };
  schedule_queue(cluster, profiles, Engine::optimized, queue_of(cluster, {}, profiles), ask,
                 [&](const QueueStep& step) {
                   EXPECT_EQ(step.node, NodeIndex{0});
                   EXPECT_EQ(step.notes, (std::vector<std::string>{"extender 0, verb filter: no answer: x"}));
                   return true;
                 });
}

// A snapshot that changes from step to step must stay equal to the cluster that the reference uses.
TEST(Queue, IsTheSameByBothEngines) {
  std::size_t nominated = 0;
  fuzz::Scenarios scenarios = fuzz::all_scenarios(release("v1.34"));
  scenarios.families = {fuzz::Family::pdbs,   fuzz::Family::starts, fuzz::Family::affinity,
                        fuzz::Family::spread, fuzz::Family::ports,  fuzz::Family::nominated};
  for (std::uint64_t i = 0; i < 150; ++i) {
    Question question = fuzz::numbered_scenario(scenarios, 3, i);
    for (int copy = 0; copy < 4; ++copy) {
      Pod more = question.pod;
      more.name += "-" + std::to_string(copy);
      more.uid.clear();
      more.priority += copy;
      question.cluster.pods.push_back(more);
    }
    for (const QueueStep& step :
         scheduled(question.cluster, scenarios.release, Engine::both, question.pod.priority)) {
      nominated += step.outcome == Outcome::nominated;
      ASSERT_TRUE(step.differences.empty()) << i << " " << step.pod << " " << step.differences[0].key << " "
                                            << step.differences[0].given << " " << step.differences[0].ours;
    }
  }
  EXPECT_GT(nominated, 200u);
}

}  // namespace touchstone::oracle
