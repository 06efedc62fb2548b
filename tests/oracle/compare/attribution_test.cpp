#include "oracle/compare/attribution.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/campaign/verdict.hpp"
#include "oracle/compare/cause.hpp"
#include "oracle/compare/difference_wording.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/builder.hpp"

/// The broken rule is the rule of the step at which the answer differs from the reference.
namespace touchstone::tests::attribution_test {

using oracle::BrokenRule;
using oracle::Json;

namespace {

/// The reference's answer, with every part.
Json right_answer(const Question& question, const std::string& named = "v1.34.4") {
  return oracle::answer_of(question.cluster, reference::preempt(question, release(named)));
}

BrokenRule broken(const Question& question, const Json& given, const std::string& named = "v1.34.4",
                  const std::string& given_named = "v1.34.4") {
  const oracle::Given known{given, given.contains("filter"), given.contains("dryRun"), {}};
  const std::vector<oracle::Difference> differences =
      oracle::compare(known, right_answer(question, named), release(named)).differences;
  EXPECT_FALSE(differences.empty());
  if (differences.empty()) return {};
  return oracle::broken_rule(question, release(named), release(given_named), given, differences);
}

Json nominated(const std::string& node, const std::vector<std::string>& victims) {
  return {{"outcome", "nominated"}, {"node", node}, {"victims", victims}};
}

Json fits(const std::string& node) { return {{"outcome", "fits"}, {"feasible", {node}}}; }

/// A cluster in which both pods become victims.
Question two_victims(Pod a, Pod b) {
  return QuestionBuilder().node("n1", 2000).has(std::move(a)).has(std::move(b)).asks(pod("p", 10, 2000));
}

Pod tolerant(Pod pod) {
  pod.tolerations.push_back({});
  pod.tolerations.back().op = "Exists";
  return pod;
}

Question tainted(Pod preemptor) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(std::move(preemptor));
  question.cluster.nodes[0].taints.push_back({"k", "v", "NoSchedule"});
  return question;
}

}  // namespace

// A subject may leave out `filter`. Rows of the release table are compared only in the parts that the answer
// has.
TEST(Attribution, ComparesOnlyWhatAnAnswerSays) {
  const Question question = two_victims(unstarted(pod("a", 0, 1000)), unstarted(pod("b", 0, 1000)));
  const BrokenRule rule = broken(question, nominated("n1", {"default/a", "default/b"}));
  EXPECT_EQ(rule.clause, "PRE-VICTIM-5");
  ASSERT_NE(rule.change, nullptr);
  EXPECT_EQ(rule.change->name, "unstarted_order");
}

TEST(Attribution, OfAnOrderOfVictimsNamesWhatTheOrderRestsOn) {
  const std::vector<std::string> by_list = {"default/a", "default/b"};
  EXPECT_EQ(broken(two_victims(pod("a", 0, 1000), pod("b", 5, 1000)), nominated("n1", by_list)).clause,
            "PRE-VICTIM-4");
  EXPECT_EQ(broken(two_victims(started(pod("a", 0, 1000), 9), started(pod("b", 0, 1000), 1)),
                   nominated("n1", by_list))
                .clause,
            "PRE-VICTIM-4");
  Question protects = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 5, 1000))
                          .has(with_app(pod("b", 0, 1000), "x"))
                          .pdb("x", 0)
                          .asks(pod("p", 10, 2000));
  EXPECT_EQ(broken(protects, nominated("n1", {"default/b", "default/a"})).clause, "PRE-VICTIM-7");
}

TEST(Attribution, OfOtherVictimsNamesWhoMayGoAndWhoStays) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 5, 1000))
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  EXPECT_EQ(broken(question, nominated("n1", {"default/a", "default/b"})).clause, "PRE-VICTIM-6");
  EXPECT_EQ(broken(question, nominated("n1", {"default/a"})).clause, "PRE-VICTIM-4");
  Question higher = QuestionBuilder().node("n1", 1000).has(pod("a", 20, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(broken(higher, nominated("n1", {"default/a"})).clause, "PRE-VICTIM-1");
}

TEST(Attribution, NamesTheFilterThatIsNotKnown) {
  EXPECT_EQ(broken(tainted(pod("p", 10, 1000)), nominated("n1", {"default/a"})).clause, "PRE-TAINT-1");
  Question crowded = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  crowded.cluster.nodes[0].allocatable["pods"] = 0;
  EXPECT_EQ(broken(crowded, fits("n1")).clause, "PRE-FIT-1");
  Question promised =
      QuestionBuilder().node("n1", 1000).nominated(pod("q", 20, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(broken(promised, fits("n1")).clause, "PRE-NOMINATED-1");
  Question full = QuestionBuilder().node("n1", 1000).has(pod("a", 20, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(broken(full, fits("n1")).clause, "PRE-FIT-2");
}

// A difference in `filter` comes before the differences that follow from it.
TEST(Attribution, OfAWholeAnswerNamesTheFirstStep) {
  Json given = right_answer(tainted(tolerant(pod("p", 10, 1000))));
  ASSERT_EQ(given["outcome"], "nominated");
  EXPECT_EQ(broken(tainted(pod("p", 10, 1000)), given).clause, "PRE-TAINT-1");
}

TEST(Attribution, OfAnAttemptThatErrsNamesWhatErred) {
  Question question;
  question.pod = pod("p", 10, 1000);
  EXPECT_EQ(broken(question, {{"outcome", "none"}}).clause, "PRE-CYCLE-2");
}

TEST(Attribution, NamesTheCriterionThatAChoiceBreaks) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 5, 1000))
                                .node("n2", 1000)
                                .has(pod("b", 0, 1000))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(broken(question, nominated("n1", {"default/a"})).clause, "PRE-NODE-2");
}

// The v1.38 row for the empty selector would also give this answer. It does so only because it counts other
// violations, and the answer does not have violations.
TEST(Attribution, TakesNoRowThatFitsByChance) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(with_app(pod("a", 0, 1000), "x"))
                          .pdb("x", 0)
                          .node("n2", 1000)
                          .has(with_app(pod("b", 5, 1000), "y"))
                          .pdb("y", 0)
                          .asks(pod("p", 10, 1000));
  question.cluster.pdbs[1].selector = LabelSelector{};
  const Json given = nominated("n1", {"default/a"});
  EXPECT_TRUE(oracle::compare({given, false, false, {}}, right_answer(question, "v1.38"), release("v1.38"))
                  .differences.empty());
  EXPECT_EQ(broken(question, given).clause, "PRE-NODE-1");
  // For a subject that answers for v1.38, this row lies between the two releases.
  EXPECT_EQ(broken(question, given, "v1.34.4", "v1.38").clause, "PRE-PDB-7");
}

TEST(Attribution, OfAMessageAloneNamesItsClause) {
  const auto said = [](const Question& question, const std::string& message) {
    Json given = right_answer(question);
    given["message"] = message;
    return broken(question, given).clause;
  };
  const Question helped = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(said(helped, "0/1 nodes are available: 1 Insufficient memory."), "PRE-MESSAGE-1");
  EXPECT_EQ(said(helped, "0/1 nodes are available: 1 Insufficient cpu. preemption: found"), "PRE-MESSAGE-5");
  const Question helpless =
      QuestionBuilder().node("n1", 1000).has(pod("a", 20, 1000)).asks(pod("p", 10, 1000));
  const std::string message = right_answer(helpless)["message"];
  EXPECT_EQ(said(helpless, message.substr(0, message.size() - 1)), "PRE-MESSAGE-4");
  EXPECT_EQ(said(helpless, message + "."), "PRE-MESSAGE-7");
}

// The clause found for a cluster is also found in a smaller one, and no other row is taken instead.
TEST(Attribution, IsTheSameForASmallerCluster) {
  const Question question = two_victims(unstarted(pod("a", 0, 1000)), unstarted(pod("b", 0, 1000)));
  const Json given = nominated("n1", {"default/a", "default/b"});
  const std::vector<oracle::Difference> differences =
      oracle::compare({given, false, false, {}}, right_answer(question), release("v1.34.4")).differences;
  const auto breaks = [&](const BrokenRule& rule) {
    return oracle::breaks(rule, question, release("v1.34.4"), release("v1.34.4"), given, differences);
  };
  EXPECT_TRUE(breaks(broken(question, given)));
  EXPECT_TRUE(breaks({"PRE-VICTIM-5"}));
  EXPECT_FALSE(breaks({"PRE-VICTIM-7"}));
}

TEST(Attribution, TellsARightAnswerFromAWrongOne) {
  const Question question = two_victims(pod("a", 5, 1000), pod("b", 0, 1000));
  EXPECT_EQ(oracle::may_give(question, release("v1.34.4"), nominated("n1", {"default/a", "default/b"})),
            true);
  EXPECT_EQ(oracle::may_give(question, release("v1.34.4"), nominated("n1", {"default/b", "default/a"})),
            false);
  EXPECT_EQ(oracle::may_give(question, release("v1.34.4"), Json::parse(R"({"fits": {"n1": {}}})")),
            std::nullopt);
}

// A subject may send any JSON as a part of its answer.
TEST(Attribution, IsReachedForAnyAnswer) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(with_app(pod("a", 5, 1000), "x"))
                                .has(pod("b", 0, 1000))
                                .pdb("x", 0)
                                .node("n2", 1000)
                                .has(pod("c", 20, 1000))
                                .asks(pod("p", 10, 1000));
  const Json whole = right_answer(question);
  ASSERT_EQ(whole["outcome"], "nominated");
  const Json flat = whole.flatten();
  std::size_t differ = 0;
  for (const auto& [pointer, part] : flat.items()) {
    for (std::string place = pointer; !place.empty(); place = place.substr(0, place.rfind('/'))) {
      for (const char* text : {"null", "-1", "7", "\"x\"", "[]", "[1]", "{}", R"({"n1": {"victims": []}})"}) {
        Json given = whole;
        given[Json::json_pointer(place)] = Json::parse(text);
        const fuzz::Verdict verdict =
            fuzz::judge({whole}, {given}, release("v1.34.4"), fuzz::LeftAnswers::wholly, {});
        if (verdict.kind != "answers") continue;
        ++differ;
        EXPECT_NE(
            oracle::broken_rule(question, release("v1.34.4"), release("v1.34.4"), given, verdict.differences)
                .clause,
            "")
            << place << " " << text;
        for (const oracle::Difference& each : verdict.differences) {
          EXPECT_NE(oracle::difference_phrase(each, each.given, given), "");
          EXPECT_NE(oracle::difference_phrase(each, each.ours, whole), "");
        }
      }
    }
  }
  EXPECT_GT(differ, 40u);
}

/// Attribution runs releases that do not exist: a release with one row of the table toggled.
TEST(Attribution, AsksReleasesThatNeverWereWithoutACrash) {
  constexpr std::uint64_t k_cases = 4;
  std::size_t changed = 0;
  for (const std::string& epoch : tests::k_distinct_releases) {
    const Release asked = tests::release(epoch);
    const fuzz::Scenarios scenarios = tests::small_scenarios(asked, 3, 3);
    for (std::uint64_t i = 0; i < k_cases; ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, 17, i);
      const Decision decision = reference::preempt(question, asked);
      for (const Change& change : release_table())
        changed += reference::preempt(question, with_toggled(asked, change)) != decision;
    }
  }
  EXPECT_GT(changed, 300u);  // rows change decisions
}

TEST(OtherRules, AreRowsThatGiveTheAnswerToo) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(started(pod("a", 5, 1000), 1))
                                .node("n2", 1000)
                                .has(started(pod("b", 5, 1000), 2))
                                .asks(pod("p", 10, 1000));
  const Release asked = release("v1.34.4");
  const Json given = nominated("n1", {"default/a"});
  const BrokenRule found = broken(question, given);
  EXPECT_EQ(found.clause, "PRE-NODE-5");
  EXPECT_TRUE(oracle::other_rules(found, question, asked, asked, given).empty());
  const std::vector<BrokenRule> others = oracle::other_rules({"PRE-NODE-6"}, question, asked, asked, given);
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].clause, "PRE-NODE-5");
  EXPECT_TRUE(
      oracle::other_rules({"PRE-NODE-6"}, question, asked, asked, nominated("n2", {"default/b"})).empty());
}

}  // namespace touchstone::tests::attribution_test
