// tests/optimized/search/kept_search_test.cpp
#include "optimized/search/kept_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "optimized/search/schedule.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::kept_search_more_test {

namespace {

/// Two cycles with one memo. Between them a pod with the label app=x comes to the last node. Expects that
/// both cycles place the pod as the reference does.
void expect_placed_twice(Question question, const Release& asked) {
  optimized::Workers workers(1);
  optimized::Snapshot snapshot(question.cluster, asked);
  optimized::Memo memo;
  for (int round = 0; round < 2; ++round) {
    CanonicalChoices choices;
    const optimized::Placed placed = optimized::schedule(snapshot, question.pod, {}, workers, choices, memo);
    EXPECT_EQ(difference(question, asked, placed, reference::schedule(question, asked)), "") << round;
    Pod more = with_app(pod("more", 0, 100), "x");
    more.node_name = question.cluster.nodes.back().name;
    question.cluster.pods.push_back(more);
    snapshot.add_pod(more);
  }
}

/// n1 with a pod of the label app=x in zone a. n2 and n3 are in zone b.
Question two_zones() {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_app(pod("a", 0, 100), "x"))
                          .node("n2", 4000)
                          .node("n3", 4000)
                          .asks(with_app(pod("p", 10, 100), "x"));
  const std::vector<std::string> zones = {"a", "b", "b"};
  for (std::size_t i = 0; i < zones.size(); ++i) {
    Labels& labels = question.cluster.nodes[i].labels;
    labels["zone"] = labels["failure-domain.beta.kubernetes.io/zone"] = zones[i];
  }
  return question;
}

/// The release, with one scorer alone.
Release scoring_by(Release release, Scorer scorer) {
  std::erase_if(release.scorers, [scorer](const WeightedScorer& each) { return each.scorer != scorer; });
  return release;
}

}  // namespace

// SCORE-NODEAFFINITY-1: few nodes are rated one by one, and the score of one scorer does not become part of
// that of the next one. Soft taints are rated before preferred nodes.
TEST(KeptSearch, AddsUpPreferredTermsOfFewNodes) {
  Question question = two_zones();
  question.pod.preferred_node_affinity = {{1, {{{"zone", "In", {"b"}}}, {}}}};
  question.cluster.nodes[0].taints = {{"k", "v", "PreferNoSchedule"}, {"l", "v", "PreferNoSchedule"}};
  for (const char* version : {"v1.16", "v1.24", "v1.34", "v1.37"})
    expect_placed_twice(question, release(version));
}

// SCORE-SELECTOR-3, SCORE-AFFINITY-1, SCORE-SPREAD-6: these scores depend on the pods of other nodes, so no
// memo may be used, with all scorers of the release and with this one alone. The new pod on n3 changes the
// scores of n2, which is in the same zone.
TEST(KeptSearch, KeepsNothingThatDependsOnOtherNodes) {
  for (const char* version : {"v1.9", "v1.16", "v1.18", "v1.24", "v1.34", "v1.37"}) {
    const auto expect_placed = [version](const Question& question, Scorer scorer) {
      expect_placed_twice(question, release(version));
      expect_placed_twice(question, scoring_by(release(version), scorer));
    };
    Question question = two_zones();
    question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
    expect_placed(question, Scorer::selector_spread);
    question = two_zones();
    question.pod.preferred_pod_affinity = {{7, by("zone", "x")}};
    expect_placed(question, Scorer::inter_pod_affinity);
    question = two_zones();
    question.pod.topology_spread = {over("zone", "x")};
    question.pod.topology_spread[0].when_unsatisfiable = "ScheduleAnyway";
    expect_placed(question, Scorer::pod_topology_spread);
  }
}

}  // namespace touchstone::tests::kept_search_more_test
