#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oracle/compare/attribution.hpp"
#include "oracle/compare/cause_of_placement.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"

/// The broken rule of a placement: that of the scorer whose scores differ, or a row of the release table that
/// explains them.
namespace touchstone::tests::placement_attribution_test {

namespace {

using oracle::Asked;
using oracle::BrokenRule;
using oracle::Command;
using oracle::Json;

Json answer_of(const Question& question, const Release& release) {
  return oracle::placement_answer(question.cluster, reference::schedule(question, release));
}

BrokenRule broken(const Question& question, const Json& given, const char* name, const char* given_name,
                  const Json* config = nullptr) {
  const Asked asked(question, Command::schedule, config);
  const Release of = release(name);
  const Release configured = oracle::release_for(asked, of).value();
  const auto differences =
      oracle::compare({given, true, true, {}}, answer_of(question, configured), of).differences;
  EXPECT_FALSE(differences.empty());
  if (differences.empty()) return {};
  return oracle::broken_rule(asked, of, release(given_name), given, differences);
}

/// Three nodes; n1 is fuller than the others.
Question three_nodes() {
  return QuestionBuilder()
      .node("n1", 4000)
      .has(pod("a", 0, 2000))
      .node("n2", 4000)
      .node("n3", 4000)
      .asks(pod("p", 10, 1000));
}

/// The right answer for v1.34.4, with another value at a place.
Json with(const char* pointer, const Json& value) {
  Json answer = answer_of(three_nodes(), release("v1.34.4"));
  answer[Json::json_pointer(pointer)] = value;
  return answer;
}

std::string clause(const char* pointer, const Json& value) {
  return broken(three_nodes(), with(pointer, value), "v1.34.4", "v1.34.4").clause;
}

}  // namespace

TEST(PlacementAttribution, NamesTheClauseOfTheScorer) {
  EXPECT_EQ(clause("/scores/n1/NodeResourcesFit", 1), "SCORE-LEAST-1");
  EXPECT_EQ(clause("/scores/n1/NodeResourcesBalancedAllocation", 1), "SCORE-BALANCED-2");
  EXPECT_EQ(clause("/scores/n2/TaintToleration", 1), "SCORE-TAINT-1");
  EXPECT_EQ(clause("/scores/n2/ImageLocality", 1), "SCORE-IMAGE-1");
  EXPECT_EQ(clause("/scores/n2/NodeAffinity", 1), "SCORE-NODEAFFINITY-1");
  EXPECT_EQ(clause("/scores/n2/InterPodAffinity", 1), "SCORE-AFFINITY-3");
  EXPECT_EQ(clause("/scores/n2/PodTopologySpread", 1), "SCORE-SPREAD-6");
  EXPECT_EQ(clause("/scores/n2/Unknown", 1), "SCORE-SET-1");
  // A score of 0 stands for a scorer that should be skipped.
  EXPECT_EQ(clause("/scores/n2/NodeAffinity", 0), "SCORE-NODEAFFINITY-2");
  EXPECT_EQ(clause("/scores/n2/InterPodAffinity", 0), "SCORE-AFFINITY-4");
  EXPECT_EQ(clause("/scores/n2/PodTopologySpread", 0), "SCORE-SPREAD-7");
  EXPECT_EQ(clause("/scores/n2/VolumeBinding", 0), "SCORE-CAPACITY-1");
}

TEST(PlacementAttribution, NamesTheClauseOfTheStep) {
  EXPECT_EQ(clause("/totals/n1", 1), "CYC-TOTAL-1");
  EXPECT_EQ(clause("/best", Json::array({"n2"})), "CYC-HOST-3");
  EXPECT_EQ(clause("/node", "n1"), "CYC-HOST-3");
  EXPECT_EQ(clause("/feasible", Json::array({"n2", "n3"})), "CYC-SEARCH-1");
  EXPECT_EQ(clause("/scores/n9", Json::object()), "CYC-ONE-1");
  const Json full{
      {"code", "Unschedulable"}, {"plugin", "NodeResourcesFit"}, {"reasons", {"Insufficient cpu"}}};
  EXPECT_EQ(clause("/filter", {{"n1", full}}), "PRE-FIT-2");
}

// The answer of another release is explained by the change between them.
TEST(PlacementAttribution, FindsTheRowThatExplainsTheScores) {
  const Question question = three_nodes();
  const BrokenRule of_36 = broken(question, answer_of(question, release("v1.36.3")), "v1.35.4", "v1.36.3");
  EXPECT_EQ(of_36.clause, "SCORE-BALANCED-5");
  ASSERT_NE(of_36.change, nullptr);
  EXPECT_EQ(of_36.change->name, "balance");
  Question with_images = question;
  with_images.pod.init_containers.push_back({"i", {}, {}, false, "app:v1"});
  with_images.cluster.nodes[1].images.push_back({{"app:v1"}, Quantity{900} << 20});
  EXPECT_EQ(broken(with_images, answer_of(with_images, release("v1.30.14")), "v1.29.6", "v1.30.14").clause,
            "SCORE-IMAGE-1");
}

// With a configuration, the rows are toggled under the configuration.
TEST(PlacementAttribution, ObeysTheConfiguration) {
  const Json config = Json::parse(R"({"apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit",
    "args": {"scoringStrategy": {"type": "MostAllocated"}}}]}]})");
  const Question question = three_nodes();
  const Asked asked(question, Command::schedule, &config);
  Json wrong = answer_of(question, oracle::release_for(asked, release("v1.34.4")).value());
  wrong["scores"]["n1"]["NodeResourcesFit"] = 1;
  EXPECT_EQ(broken(question, wrong, "v1.34.4", "v1.34.4", &config).clause, "SCORE-STRATEGY-2");
  const Json newer = answer_of(question, oracle::release_for(asked, release("v1.36.3")).value());
  EXPECT_EQ(broken(question, newer, "v1.35.4", "v1.36.3", &config).clause, "SCORE-BALANCED-5");
  EXPECT_EQ(oracle::may_give(asked, release("v1.36.3"), newer), true);
  EXPECT_EQ(oracle::may_give(asked, release("v1.35.4"), newer), false);
  const Json unreadable = Json::parse(R"({"kind": "KubeSchedulerConfiguration"})");
  EXPECT_EQ(oracle::may_give({question, Command::schedule, &unreadable}, release("v1.35.4"), newer), false);
}

TEST(PlacementAttribution, AttributesTheOutcomeByTheFilter) {
  const Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  const Json placed{
      {"outcome", "scheduled"}, {"node", "n1"}, {"feasible", {"n1"}}, {"filter", Json::object()}};
  const Asked asked(question, Command::schedule, nullptr);
  const Release of = release("v1.34.4");
  const auto differences =
      oracle::compare({placed, true, true, {}}, oracle::answer_as(asked, of, placed), of).differences;
  EXPECT_EQ(oracle::broken_rule(asked, of, of, placed, differences).clause, "PRE-FIT-2");
}

}  // namespace touchstone::tests::placement_attribution_test
