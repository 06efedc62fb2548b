// tests/reference/scores/score_trace_test.cpp
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::more_score_trace_test {

namespace {

constexpr Quantity k_mebibyte = 1024 * 1024;

PodAffinityTerm near_app(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "zone";
  return term;
}

/// Two nodes and a pod for which each scorer has something to record.
Question with_something_for_each_scorer() {
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
  question.cluster.selecting = {
      {SelectingKind::service, "default", "svc", LabelSelector{{{"app", "x"}}, {}}}};
  Pod& asked = question.pod;
  asked.controller = Controller{"apps/v1", "ReplicaSet", "rs", "u"};
  asked.containers[0].image = "app:1";
  asked.preferred_node_affinity = {{5, {{{"zone", "Exists", {}}}, {}}}};
  asked.preferred_pod_affinity = {{7, near_app("x")}};
  CsiStorageCapacity report;
  report.name = "r";
  report.storage_class = "late";
  report.node_topology = LabelSelector{};
  report.capacity = 10;
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(waiting("c", 5)).with(report);
  return stored;
}

TopologySpreadConstraint soft() {
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "ScheduleAnyway";
  constraint.max_skew = 1;
  constraint.label_selector = LabelSelector{{{"app", "x"}}, {}};
  return constraint;
}

}  // namespace

// SCORE-SET-1, SCORE-AVOID-1, SCORE-TAINT-1, CYC-TOTAL-1, CYC-HOST-3, CYC-HOST-4: only a taint that is not
// tolerated and a controller to be avoided speak against a node.
TEST(ScoreTrace, SaysWhichPartsSpeakAgainstANode) {
  std::set<std::string> seen;
  for (const char* name : {"v1.8", "v1.13", "v1.18", "v1.20", "v1.34", "v1.37"}) {
    for (const bool spreads : {false, true}) {
      Question question = with_something_for_each_scorer();
      if (spreads) question.pod.topology_spread = {soft()};
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

}  // namespace touchstone::tests::more_score_trace_test
