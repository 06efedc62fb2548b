#include "oracle/queue.hpp"

#include <gtest/gtest.h>

#include "fuzz/generate/scenario.hpp"
#include "tests/support/builder.hpp"

/// Tests pods that are decided one after another.
namespace touchstone::oracle {

namespace {

using tests::pod;
using tests::QuestionBuilder;
using tests::release;

Pod waiting(const std::string& name, Quantity priority, Quantity cpu) { return pod(name, priority, cpu); }

std::vector<QueueStep> decided(const Cluster& cluster, const Release& asked, Engine engine,
                               Quantity priority) {
  std::vector<QueueStep> steps;
  decide_queue(cluster, asked, engine, queue_of(cluster, {.priority_least = priority}),
               [&](const QueueStep& step) {
                 steps.push_back(step);
                 return true;
               });
  return steps;
}

}  // namespace

TEST(Queue, IsInTheOrderOfPriorityAndOfTheList) {
  Cluster cluster = QuestionBuilder().node("n1", 100).has(pod("a", 0, 100)).asks(pod("p", 0, 0)).cluster;
  Pod ended = waiting("ended", 9, 1);
  ended.phase = "Failed";
  for (const Pod& each : {waiting("low", 1, 1), waiting("first", 5, 1), ended, waiting("second", 5, 1)})
    cluster.pods.push_back(each);
  EXPECT_EQ(queue_of(cluster, {}), (std::vector<PodIndex>{2, 4, 1}));
  EXPECT_EQ(queue_of(cluster, {.priority_least = 5}), (std::vector<PodIndex>{2, 4}));
  EXPECT_TRUE(queue_of(cluster, {.priority_least = 6}).empty());
  cluster.pods[4].ns = "other";
  EXPECT_EQ(queue_of(cluster, {.ns = "other"}), (std::vector<PodIndex>{4}));
  EXPECT_TRUE(queue_of(cluster, {.ns = "none"}).empty());
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
  EXPECT_EQ(queue_of(cluster, {}), (std::vector<PodIndex>{3, 4}));
  EXPECT_EQ(left_out_of_queue(cluster, {.priority_least = 5}),
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
    const std::vector<QueueStep> steps = decided(cluster, release("v1.34"), engine, 5);
    ASSERT_EQ(steps.size(), 3u) << name_of(engine);
    EXPECT_EQ(steps[0].victims, (std::vector<PodIndex>{0})) << name_of(engine);
    EXPECT_EQ(steps[1].victims, (std::vector<PodIndex>{1})) << name_of(engine);
    EXPECT_EQ(steps[2].outcome, Outcome::none) << name_of(engine);
    EXPECT_FALSE(steps[2].node) << name_of(engine);
  }
}

TEST(Queue, BindsWhatFitsToTheFirstNodeThatTakesIt) {
  Cluster cluster = QuestionBuilder().node("n1", 100).node("n2", 100).asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second", "third"}) cluster.pods.push_back(waiting(name, 5, 60));
  const std::vector<QueueStep> steps = decided(cluster, release("v1.34"), Engine::both, 5);
  EXPECT_EQ(steps[0].node, NodeIndex{0});
  EXPECT_EQ(steps[1].node, NodeIndex{1});
  EXPECT_EQ(steps[2].outcome, Outcome::none);
}

TEST(Queue, EndsWhereItsReaderHasEnough) {
  Cluster cluster = QuestionBuilder().node("n1", 100).asks(pod("p", 0, 0)).cluster;
  for (const char* name : {"first", "second", "third"}) cluster.pods.push_back(waiting(name, 5, 1));
  std::size_t steps = 0;
  decide_queue(cluster, release("v1.34"), Engine::both, queue_of(cluster, {}),
               [&](const QueueStep&) { return ++steps < 2; });
  EXPECT_EQ(steps, 2u);
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
         decided(question.cluster, scenarios.release, Engine::both, question.pod.priority)) {
      nominated += step.outcome == Outcome::nominated;
      ASSERT_TRUE(step.differences.empty()) << i << " " << step.pod << " " << step.differences[0].key << " "
                                            << step.differences[0].given << " " << step.differences[0].ours;
    }
  }
  EXPECT_GT(nominated, 200u);
}

}  // namespace touchstone::oracle
