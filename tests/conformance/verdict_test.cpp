#include "conformance/verdict.hpp"

#include <gtest/gtest.h>

#include "oracle/protocol/placement_answer.hpp"
#include "tests/conformance/support.hpp"

/// Verdicts on answers.
namespace touchstone::conformance {

namespace {

const std::set<std::string> k_claimed = {"core", "filter", "dryRun", "nomination", "message"};

CaseVerdict judged(const Case& one, const Json& answer, LevelId level = LevelId::core) {
  return judge_answer(one, level, a_release().release, answer, k_claimed);
}

Case a_case() { return case_of("case", small_question(), a_release()); }

/// Two equal nodes: the release may choose either.
Case a_tie() {
  Json question = small_question();
  question["pods"][0]["spec"]["priority"] = 0;
  Json other = question["pods"][0];
  other["metadata"]["name"] = "d";
  other["spec"]["nodeName"] = "n3";
  Json more = question["pods"][1];
  more["metadata"]["name"] = "e";
  more["spec"]["nodeName"] = "n3";
  question["pods"].push_back(other);
  question["pods"].push_back(more);
  Json node = question["nodes"][0];
  node["metadata"]["name"] = "n3";
  question["nodes"].push_back(node);
  return case_of("tie", question, a_release());
}

/// A whole cycle: n2 is fuller than n1.
Case a_cycle() {
  Json question = small_question();
  question["pods"][0]["spec"]["nodeName"] = "n2";
  question["nodes"][1]["status"]["allocatable"]["cpu"] = "4";
  const Question read = kubernetes::read_question_text(question.dump(), "cycle").value();
  Case one{"cycle", "", oracle::Command::schedule, question, {"core", "schedule"}, {}, 1};
  one.ours =
      oracle::placement_answer(read, a_release(), oracle::Engine::reference, oracle::reference_decider());
  one.answers = one.ours.at("best").size();
  return one;
}

}  // namespace

TEST(ConformanceVerdict, TheReferencesAnswerConforms) {
  EXPECT_EQ(judged(a_case(), a_case().ours).kind, VerdictKind::conforms);
  EXPECT_EQ(judged(a_case(), a_case().ours, LevelId::messages).kind, VerdictKind::conforms);
}

TEST(ConformanceVerdict, EachAnswerOfATieConforms) {
  const Case tie = a_tie();
  ASSERT_EQ(tie.answers, 2U);
  for (const Json& answer : tie.ours.at("admissible")) {
    Json given{{"outcome", "nominated"}};
    given.update(answer);
    const CaseVerdict verdict = judge_answer(tie, LevelId::ties, a_release().release, given, {"core"});
    EXPECT_EQ(verdict.kind, VerdictKind::conforms_as_one_of) << answer;
  }
}

TEST(ConformanceVerdict, AWrongVictimViolatesTheReprieve) {
  Json answer = a_case().ours;
  ASSERT_EQ(answer.at("outcome"), "nominated");
  const Json given{{"outcome", "nominated"}, {"node", "n1"}, {"victims", {"default/b", "default/a"}}};
  const CaseVerdict verdict = judge_answer(a_case(), LevelId::core, a_release().release, given, {"core"});
  EXPECT_EQ(verdict.kind, VerdictKind::violates);
  EXPECT_EQ(verdict.clause, "PRE-VICTIM-6");
  ASSERT_FALSE(verdict.differences.empty());
  EXPECT_EQ(verdict.differences[0].key, "victims");
  EXPECT_EQ(verdict.given, given);
}

// PRE-FIT-2: a program that says for each node whether the pod fits, and takes a full node for one with room.
TEST(ConformanceVerdict, VerdictsOnNodesAreJudgedForTheClaimedPlugins) {
  const std::set<std::string> claimed = {"core", "fits.NodeResourcesFit"};
  const auto on_nodes = [&](const Json& first, const std::set<std::string>& features) {
    const Json filter = a_case().ours.at("filter");
    Json fits = Json::object();
    for (const auto& [name, status] : filter.items())
      fits[name] = fits.empty() ? first : Json::object();
    return judge_answer(a_case(), LevelId::core, a_release().release, {{"fits", fits}}, features);
  };
  EXPECT_EQ(on_nodes(Json::object(), claimed).kind, VerdictKind::conforms);
  EXPECT_EQ(on_nodes(true, claimed).kind, VerdictKind::violates);
  EXPECT_EQ(on_nodes(true, claimed).clause, "PRE-FIT-2");
  EXPECT_EQ(on_nodes(true, {"core"}).kind, VerdictKind::skipped);
}

TEST(ConformanceVerdict, OnlyMessagesJudgesTexts) {
  Json answer = a_case().ours;
  answer["message"] = "another text";
  EXPECT_EQ(judged(a_case(), answer).kind, VerdictKind::conforms);
  EXPECT_EQ(judged(a_case(), answer, LevelId::messages).kind, VerdictKind::violates);
  answer = a_case().ours;
  answer["filter"]["n2"]["reasons"] = {"no"};
  EXPECT_EQ(judged(a_case(), answer).kind, VerdictKind::conforms);
  EXPECT_EQ(judged(a_case(), answer, LevelId::messages).kind, VerdictKind::violates);
}

TEST(ConformanceVerdict, LeavingOutAPromisedTextViolatesMessages) {
  Json answer = a_case().ours;
  answer.erase("message");
  EXPECT_EQ(judged(a_case(), answer).kind, VerdictKind::conforms);
  EXPECT_EQ(judged(a_case(), answer, LevelId::messages).kind, VerdictKind::violates);
  EXPECT_EQ(judge_answer(a_case(), LevelId::messages, a_release().release, answer, {"core"}).kind,
            VerdictKind::conforms);
}

// CYC-TOTAL-1, CYC-HOST-4, SCORE-LEAST-1: each part of a placement has its clause.
TEST(ConformanceVerdict, APlacementIsJudgedByItsParts) {
  const Case cycle = a_cycle();
  ASSERT_EQ(cycle.ours.at("outcome"), "scheduled");
  ASSERT_TRUE(cycle.ours.contains("scores"));
  EXPECT_EQ(judged(cycle, cycle.ours, LevelId::scores).kind, VerdictKind::conforms);
  const auto clause_with = [&cycle](const char* pointer, const Json& value) {
    Json answer = cycle.ours;
    answer[Json::json_pointer(pointer)] = value;
    const CaseVerdict verdict = judged(cycle, answer, LevelId::scores);
    EXPECT_EQ(verdict.kind, VerdictKind::violates);
    return verdict.clause;
  };
  const std::string worst = cycle.ours.at("node") == "n1" ? "n2" : "n1";
  EXPECT_EQ(clause_with("/scores/n1/NodeResourcesFit", 3), "SCORE-LEAST-1");
  EXPECT_EQ(clause_with("/totals/n1", 1), "CYC-TOTAL-1");
  EXPECT_EQ(clause_with("/node", worst), "CYC-HOST-4");
  EXPECT_EQ(clause_with("/outcome", "none"), "PRE-CYCLE-1");
}

// PRE-FIT-2: a scheduler that schedules the pod on a full node.
TEST(ConformanceVerdict, AHostThatIsNotFeasibleViolatesTheFilter) {
  const Json given{{"outcome", "scheduled"}, {"node", "n2"}, {"feasible", {"n2"}}, {"best", {"n2"}}};
  Case one = a_case();
  one.command = oracle::Command::schedule;
  const CaseVerdict verdict = judged(one, given, LevelId::scores);
  EXPECT_EQ(verdict.kind, VerdictKind::violates);
  EXPECT_EQ(verdict.clause, "PRE-FIT-2");
}

}  // namespace touchstone::conformance
