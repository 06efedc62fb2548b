#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "reference/cycle/schedule.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// Tests which values the scorers record in the trace.
namespace touchstone::tests::score_trace_test {

namespace {

constexpr Quantity k_mebibyte = 1024 * 1024;

/// The steps of one stage on a node, in their order.
std::vector<Step> steps_of(const Question& question, const Release& release, Stage stage, NodeIndex node) {
  Trace trace = Trace::full();
  reference::schedule(question, release, trace);
  std::vector<Step> steps;
  for (const Step& step : trace.steps()) {
    if (step.stage == stage && step.node == node) steps.push_back(step);
  }
  return steps;
}

/// The values of the first part with this clause and this text; none if there is no such part.
std::optional<Values> part(const Question& question, std::string_view name, std::string_view clause,
                           const std::string& what, NodeIndex node = 0) {
  for (const Step& step : steps_of(question, release(name), Stage::score_part, node)) {
    if (step.clause == clause && step.what == what) return step.values;
  }
  return std::nullopt;
}

Question two_nodes() {
  return QuestionBuilder().node("n0", 4000).has(pod("a", 0, 1000)).node("n1", 4000).asks(pod("p", 10, 1000));
}

/// A question for which each scorer records a step. The pod has a soft constraint over zones if `spreads`.
Question with_a_step_of_each_scorer(bool spreads) {
  Stored stored(QuestionBuilder()
                    .node("n0", 4000)
                    .has(with_app(pod("a", 0, 1000), "x"))
                    .node("n1", 4000)
                    .asks(with_claim(with_app(pod("p", 10, 1000), "x"), "c")));
  Question& question = stored.question();
  for (Node& node : question.cluster.nodes) {
    node.labels = {{"zone", "z" + node.name},
                   {"topology.kubernetes.io/zone", "z"},
                   {"failure-domain.beta.kubernetes.io/zone", "z"}};
    node.images = {{{"app:1"}, 100 * k_mebibyte}};
    node.taints = {{"t", "1", "PreferNoSchedule"}};
  }
  question.cluster.nodes[1].avoided = {{"", "ReplicaSet", "", "u"}};
  question.cluster.selecting = {{SelectingKind::service, "default", "svc", app_is("x")}};
  Pod& asked = question.pod;
  asked.controller = Controller{"apps/v1", "ReplicaSet", "rs", "u"};
  asked.containers[0].image = "app:1";
  asked.preferred_node_affinity = {{5, {{{"zone", "Exists", {}}}, {}}}};
  if (spreads) {
    asked.topology_spread = {over("zone", "x")};
    asked.topology_spread[0].when_unsatisfiable = "ScheduleAnyway";
  }
  asked.preferred_pod_affinity = {{7, by("zone", "x")}};
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(waiting("c", 5)).with(report_of(10));
  return stored;
}

}  // namespace

// SCORE-SET-1: the score, the weight and their product for each scorer and node, after its parts.
TEST(ScoreTrace, HasEachScoreOnce) {
  const Release asked = release("v1.34");
  const Placement placement = reference::schedule(two_nodes(), asked);
  for (const NodeIndex node : {0u, 1u}) {
    const std::vector<Step> scores = steps_of(two_nodes(), asked, Stage::score, node);
    ASSERT_EQ(scores.size(), placement.scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const ScoreColumn& column = placement.scores[i];
      EXPECT_EQ(scores[i].what, column.scorer.name);
      EXPECT_EQ(value_of(scores[i].values, Measure::weight), column.scorer.weight);
      EXPECT_EQ(value_of(scores[i].values, Measure::weighted), column.scores[node]);
      EXPECT_EQ(value_of(scores[i].values, Measure::score) * column.scorer.weight, column.scores[node]);
    }
  }
}

// CYC-TOTAL-1, CYC-HOST-3, CYC-HOST-4, CYC-ONE-1, CYC-NOMINATED-1
TEST(ScoreTrace, HasTheClauseThatDecidesTheHost) {
  const auto clause = [](const Question& question, std::string_view name) {
    Trace trace = Trace::full();
    reference::schedule(question, release(name), trace);
    return trace.steps().back().stage == Stage::host ? trace.steps().back().clause : "";
  };
  EXPECT_EQ(clause(two_nodes(), "v1.34"), "CYC-TOTAL-1");
  Question equal = QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
  EXPECT_EQ(clause(equal, "v1.34"), "CYC-HOST-3");
  EXPECT_EQ(clause(equal, "v1.36"), "CYC-HOST-4");
  equal.start = 0;
  EXPECT_EQ(clause(equal, "v1.36"), "CYC-HOST-4");
  Question one = QuestionBuilder().node("n0", 4000).asks(pod("p", 10, 1000));
  EXPECT_EQ(clause(one, "v1.34"), "CYC-ONE-1");
  one.pod.nominated_node_name = "n0";
  EXPECT_EQ(clause(one, "v1.34"), "CYC-NOMINATED-1");
  EXPECT_EQ(clause(one, "v1.20"), "CYC-ONE-1");
  EXPECT_EQ(clause(one, "v1.8"), "CYC-TOTAL-1");
  EXPECT_EQ(clause(QuestionBuilder().node("n0", 100).asks(pod("p", 10, 1000)), "v1.34"), "");
}

// SCORE-LEAST-1, SCORE-STRATEGY-2, SCORE-STRATEGY-3
TEST(ScoreTrace, HasTheLoadOfEachResource) {
  EXPECT_EQ(part(two_nodes(), "v1.34", "SCORE-LEAST-1", "cpu"),
            (Values{{Measure::requested, 2000}, {Measure::allocatable, 4000}, {Measure::score, 50}}));
  Release most = release("v1.34");
  most.fit_strategy = FitStrategy::most_allocated;
  const std::vector<Step> steps = steps_of(two_nodes(), most, Stage::score_part, 1);
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    return step.clause == "SCORE-STRATEGY-2" && value_of(step.values, Measure::score) == 25;
  }));
}

// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5
TEST(ScoreTrace, HasTheLoadsThatAreBalanced) {
  const Values loads = {{Measure::requested, 2000}, {Measure::used, 1000}, {Measure::allocatable, 4000}};
  EXPECT_EQ(part(two_nodes(), "v1.21", "SCORE-BALANCED-1", "cpu"), loads);
  EXPECT_EQ(part(two_nodes(), "v1.34", "SCORE-BALANCED-2", "cpu"), loads);
  EXPECT_EQ(part(two_nodes(), "v1.36", "SCORE-BALANCED-5", "cpu"), loads);
}

// SCORE-TAINT-1
TEST(ScoreTrace, HasTheTaintsThatAreNotTolerated) {
  Question question = two_nodes();
  question.cluster.nodes[0].taints = {{"a", "1", "PreferNoSchedule"}, {"b", "2", "PreferNoSchedule"}};
  question.pod.tolerations = {{"b", "Exists", "", ""}};
  EXPECT_TRUE(part(question, "v1.34", "SCORE-TAINT-1", "a=1"));
  EXPECT_FALSE(part(question, "v1.34", "SCORE-TAINT-1", "b=2"));
}

// SCORE-IMAGE-1
TEST(ScoreTrace, HasTheImagesOfTheNode) {
  Question question = two_nodes();
  question.cluster.nodes[0].images = {{{"app:1"}, 100 * k_mebibyte}};
  question.pod.containers[0].image = "app:1";
  EXPECT_EQ(part(question, "v1.34", "SCORE-IMAGE-1", "app:1"), (Values{{Measure::size, 50 * k_mebibyte}}));
  EXPECT_FALSE(part(question, "v1.34", "SCORE-IMAGE-1", "app:1", 1));
}

// SCORE-NODEAFFINITY-1
TEST(ScoreTrace, HasThePreferredTermsThatHold) {
  Question question = two_nodes();
  question.cluster.nodes[0].labels["disk"] = "ssd";
  question.pod.preferred_node_affinity = {{7, {{{"disk", "In", {"hdd"}}}, {}}},
                                          {5, {{{"disk", "In", {"ssd"}}}, {}}}};
  EXPECT_FALSE(part(question, "v1.34", "SCORE-NODEAFFINITY-1", "preferred term 1"));
  EXPECT_EQ(part(question, "v1.34", "SCORE-NODEAFFINITY-1", "preferred term 2"),
            (Values{{Measure::weight, 5}}));
}

// SCORE-AFFINITY-1
TEST(ScoreTrace, HasTheWeightOfEachDomain) {
  Question question = two_nodes();
  question.cluster.nodes[0].labels["zone"] = "a";
  question.cluster.pods[0].labels["app"] = "db";
  PodAffinityTerm term;
  term.topology_key = "zone";
  term.label_selector = LabelSelector{{{"app", "db"}}, {}};
  question.pod.preferred_pod_affinity = {{9, term}};
  EXPECT_EQ(part(question, "v1.34", "SCORE-AFFINITY-1", "zone=a"), (Values{{Measure::weight, 9}}));
  EXPECT_FALSE(part(question, "v1.34", "SCORE-AFFINITY-1", "zone=a", 1));
}

// SCORE-SPREAD-5, SCORE-SPREAD-6
TEST(ScoreTrace, HasTheCountedPodsOfEachConstraint) {
  Question question = two_nodes();
  for (Node& node : question.cluster.nodes) node.labels["zone"] = node.name;
  question.cluster.pods[0].labels["app"] = "web";
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = 2;
  constraint.label_selector = LabelSelector{{{"app", "web"}}, {}};
  question.pod.topology_spread = {constraint};
  const Values one = {{Measure::counted, 1}, {Measure::max_skew, 2}};
  EXPECT_EQ(part(question, "v1.34", "SCORE-SPREAD-6", "zone"), one);
  EXPECT_EQ(part(question, "v1.18", "SCORE-SPREAD-5", "zone"), one);
}

// SCORE-SELECTOR-1, SCORE-SELECTOR-3
TEST(ScoreTrace, HasThePodsOfTheSameSelectors) {
  Question question = two_nodes();
  question.cluster.nodes[0].labels["failure-domain.beta.kubernetes.io/zone"] = "a";
  question.cluster.pods[0].labels["app"] = "web";
  question.pod.labels["app"] = "web";
  question.cluster.selecting = {
      {SelectingKind::service, "default", "web", LabelSelector{{{"app", "web"}}, {}}}};
  EXPECT_EQ(part(question, "v1.13", "SCORE-SELECTOR-1", "node"), (Values{{Measure::counted, 1}}));
  EXPECT_EQ(part(question, "v1.13", "SCORE-SELECTOR-3", "zone"), (Values{{Measure::counted, 1}}));
  EXPECT_FALSE(part(question, "v1.13", "SCORE-SELECTOR-3", "zone", 1));
}

// SCORE-AVOID-1
TEST(ScoreTrace, HasTheControllerThatANodeAvoids) {
  Question question = two_nodes();
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "web", "u1"};
  question.cluster.nodes[0].avoided = {{"", "ReplicaSet", "", "u1"}};
  EXPECT_TRUE(part(question, "v1.13", "SCORE-AVOID-1", "ReplicaSet web"));
  EXPECT_FALSE(part(question, "v1.13", "SCORE-AVOID-1", "ReplicaSet web", 1));
}

// SCORE-STRATEGY-2: before v1.19.13 a resource that is requested beyond the node has no points.
TEST(MostAllocated, GivesAnOverfullResourceNoPointsBeforeV11913) {
  Question question = two_nodes();
  question.cluster.nodes[0].allocatable["memory"] = 300 * k_mebibyte;  // two pods count with 200Mi each
  for (const std::string_view name : {"v1.19.12", "v1.19.13", "v1.20.8", "v1.20.9", "v1.21.2", "v1.21.3"}) {
    Release asked = release(name);
    asked.fit_strategy = FitStrategy::most_allocated;
    const std::vector<Step> steps = steps_of(question, asked, Stage::score_part, 0);
    const auto memory = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
      return step.clause == "SCORE-STRATEGY-2" && step.what == "memory";
    });
    ASSERT_NE(memory, steps.end());
    EXPECT_EQ(value_of(memory->values, Measure::score),
              name == "v1.19.12" || name == "v1.20.8" || name == "v1.21.2" ? 0 : 100)
        << name;
  }
}

// SCORE-AVOID-1, SCORE-TAINT-1: a taint that is not tolerated and a controller that a node avoids are steps
// that have not passed. All other steps of the scores and of the choice of the host have passed.
TEST(ScoreTrace, HasOnlyTaintsAndAvoidedControllersAsStepsThatHaveNotPassed) {
  std::set<std::string> seen;
  for (const char* name : {"v1.8", "v1.13", "v1.18", "v1.20", "v1.34", "v1.37"}) {
    for (const bool spreads : {false, true}) {
      Question question = with_a_step_of_each_scorer(spreads);
      if (release(name).missing_claim != MissingClaim::rejects_pod) question.pod.volumes.clear();
      Trace trace = Trace::full();
      const Placement placement = reference::schedule(question, release(name), trace);
      ASSERT_EQ(placement.decision.outcome, Outcome::fits) << name << " " << placement.decision.reason;
      for (const Step& step : trace.steps()) {
        if (step.stage != Stage::score_part && step.stage != Stage::score && step.stage != Stage::host)
          continue;
        const bool is_against = step.clause == "SCORE-AVOID-1" || step.clause == "SCORE-TAINT-1";
        EXPECT_EQ(step.passed, !is_against) << name << " " << step.clause;
        seen.insert(std::string(step.clause));
      }
    }
  }
  for (const char* clause :
       {"SCORE-SET-1", "SCORE-BALANCED-1", "SCORE-BALANCED-2", "SCORE-BALANCED-5", "SCORE-LEAST-1",
        "SCORE-IMAGE-1", "SCORE-AVOID-1", "SCORE-NODEAFFINITY-1", "SCORE-AFFINITY-1", "SCORE-SELECTOR-1",
        "SCORE-SELECTOR-3", "SCORE-SPREAD-5", "SCORE-SPREAD-6", "SCORE-TAINT-1", "SCORE-CAPACITY-1"})
    EXPECT_TRUE(seen.contains(clause)) << clause;
}

}  // namespace touchstone::tests::score_trace_test
