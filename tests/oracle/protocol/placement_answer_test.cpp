#include "oracle/protocol/placement_answer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"

/// Tests the JSON answer of a whole scheduling cycle.
namespace touchstone::tests::placement_answer_test {

namespace {

using oracle::Engine;
using oracle::Json;
using oracle::placement_answer;

Cluster three_nodes() {
  return Question(QuestionBuilder().node("n1", 100).node("n2", 100).node("n3", 100).asks(pod("p", 0, 100)))
      .cluster;
}

/// A placement on n2: the search found n2 before n1, and n3 does not fit.
Placement on_n2() {
  Placement placement;
  placement.decision.outcome = Outcome::fits;
  placement.decision.filter[2] = {Code::unschedulable, "NodeResourcesFit", {"Insufficient cpu"}};
  placement.feasible = {1, 0};
  placement.scores = {{{Scorer::node_resources, "NodeResourcesFit", 1}, {50, 20}},
                      {{Scorer::taint_toleration, "TaintToleration", 3}, {300, 0}}};
  placement.totals = {350, 20};
  placement.best = {1};
  placement.host = 1;
  return placement;
}

Placement given_placement(const Question&, const Release&, Trace& trace) {
  trace.add({Stage::host, "CYC-TOTAL-1", true, "host", 1, {}, {{Measure::admissible, 1}}});
  return on_n2();
}

oracle::Decider decider_of_n2() {
  oracle::Decider decider = oracle::reference_decider();
  decider.schedule = given_placement;
  return decider;
}

}  // namespace

TEST(PlacementAnswer, HasScoresAndTotalsInTheOrderOfTheNodes) {
  EXPECT_EQ(placement_answer(three_nodes(), on_n2()).dump(),
            Json::parse(R"({"outcome":"scheduled","node":"n2","feasible":["n1","n2"],
        "scores":{"n1":{"NodeResourcesFit":20,"TaintToleration":0},"n2":{"NodeResourcesFit":50,"TaintToleration":300}},
        "totals":{"n1":20,"n2":350},"best":["n2"],
        "filter":{"n3":{"code":"Unschedulable","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"]}}})")
                .dump());
}

// PRE-PREFILTER-3
TEST(PlacementAnswer, LeavesOutStatusesThatTheReleaseImplies) {
  const NodeSelectorTerm pin{{}, {{"metadata.name", "In", {"n1"}}}};
  Question question;
  question.cluster = three_nodes();
  question.pod = pod("p", 0, 200);
  question.pod.node_affinity = {pin};
  const auto nodes_with_a_status = [&question](const char* name) {
    std::vector<std::string> nodes;
    const Json answer = placement_answer(question.cluster, reference::schedule(question, release(name)));
    for (const auto& [node, status] : answer.at("filter").items()) nodes.push_back(node);
    return nodes;
  };
  EXPECT_EQ(nodes_with_a_status("v1.30.1"), (std::vector<std::string>{"n1", "n2", "n3"}));
  EXPECT_EQ(nodes_with_a_status("v1.30.14"), (std::vector<std::string>{"n1"}));
  EXPECT_EQ(nodes_with_a_status("v1.32.2"), (std::vector<std::string>{"n1", "n2", "n3"}));
  question.pod = pod("p", 0, 100);
  question.pod.node_affinity = {pin};
  EXPECT_TRUE(nodes_with_a_status("v1.30.14").empty());
}

// EXT-FILTER-3
TEST(PlacementAnswer, HasStatusesOfNamesThatNoNodeHas) {
  Placement placement = on_n2();
  placement.decision.unknown_filter["ghost"] = {Code::unschedulable, "", {"no"}};
  EXPECT_EQ(placement_answer(three_nodes(), placement).at("filter").at("ghost").dump(),
            R"({"code":"Unschedulable","reasons":["no"]})");
}

TEST(PlacementAnswer, HasNoScoresIfTheReleaseDoesNotScore) {
  Placement placement = on_n2();
  placement.feasible = {1};
  placement.scores = {};
  placement.totals = {};
  const Json answer = placement_answer(three_nodes(), placement);
  EXPECT_FALSE(answer.contains("scores"));
  EXPECT_FALSE(answer.contains("totals"));
  EXPECT_EQ(answer["best"], Json::parse(R"(["n2"])"));
}

TEST(PlacementAnswer, HasAnEntryForEachNodeIfEveryScorerIsSkipped) {
  Placement placement = on_n2();
  placement.scores = {};
  EXPECT_EQ(placement_answer(three_nodes(), placement)["scores"].dump(), R"({"n1":{},"n2":{}})");
}

TEST(PlacementAnswer, IsThatOfRunIfNoNodeFits) {
  Placement placement;
  placement.decision.outcome = Outcome::none;
  placement.decision.filter[0] = {Code::unschedulable, "NodePorts", {"x"}};
  placement.decision.message = "0/3 nodes are available";
  EXPECT_EQ(placement_answer(three_nodes(), placement).dump(),
            oracle::answer_of(three_nodes(), placement.decision).dump());
}

TEST(PlacementAnswer, NotesWhatIsUncertainAboutTheRelease) {
  const Question question{three_nodes(), {}, {}, {}, {}};
  NamedRelease named = find_release("v1.36.3").value();
  EXPECT_FALSE(placement_answer(question, named, Engine::reference, decider_of_n2()).contains("notes"));
  named.notes = {"a guess"};
  EXPECT_EQ(placement_answer(question, named, Engine::reference, decider_of_n2())["notes"],
            Json::parse(R"(["a guess"])"));
}

TEST(PlacementAnswer, OfTheOptimizedEngineHasNoStatuses) {
  const Question question{three_nodes(), {}, {}, {}, {}};
  const NamedRelease named = find_release("v1.36.3").value();
  const Json answer = placement_answer(question, named, Engine::optimized, decider_of_n2());
  EXPECT_EQ(answer["outcome"], "scheduled");
  EXPECT_EQ(answer["totals"].size(), 3u);
  EXPECT_FALSE(answer.contains("filter"));
}

TEST(PlacementAnswer, OfBothEnginesIsAnErrorIfTheyDiffer) {
  const Question question{three_nodes(), {}, {}, {}, {}};
  const NamedRelease named = find_release("v1.36.3").value();
  const Json answer = placement_answer(question, named, Engine::both, decider_of_n2());
  EXPECT_EQ(answer["error"]["code"], "engines-differ");
  const Json agreed = placement_answer(question, named, Engine::both, oracle::reference_decider());
  EXPECT_EQ(agreed["outcome"], "scheduled");
  EXPECT_TRUE(agreed.contains("filter"));
}

TEST(PlacementAnswer, HasTheTraceOnRequest) {
  const Question question{three_nodes(), pod("p", 0, 100), {}, {}};
  const NamedRelease named = find_release("v1.34.4").value();
  EXPECT_FALSE(placement_answer(question, named, Engine::reference, decider_of_n2()).contains("trace"));
  EXPECT_EQ(placement_answer(question, named, Engine::reference, decider_of_n2(), true)["trace"].dump(),
            R"([{"stage":"host","clause":"CYC-TOTAL-1","passed":true,"node":"n2","what":"host",)"
            R"("values":{"admissible":1}}])");
}

}  // namespace touchstone::tests::placement_answer_test
