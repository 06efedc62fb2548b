#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/errors.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::extended_preemption_test {

using reference::preempt;

namespace {

using Names = std::vector<std::string>;

/// n0 with a (priority 0) and n1 with b (priority 5) and c (priority 5): full of pods. A pod that requests 1
/// CPU.
Question full_nodes(std::vector<Extender> extenders) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n1", 2000)
                          .has(pod("b", 5, 1000))
                          .has(pod("c", 5, 1000))
                          .asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

Decision decision(const Question& question, std::string_view name) {
  return preempt(question, release(name));
}

/// The extender, whose answers are known for these nodes alone.
Extender asked_about(Extender extender, const std::set<std::string>& nodes) {
  if (extender.filter) extender.filter->asked = nodes;
  if (extender.preempt) extender.preempt->asked = nodes;
  return extender;
}

/// The chosen node and its victims, by name; empty if no node is chosen.
Names chosen(const Question& question, std::string_view name) {
  const Decision decided = decision(question, name);
  if (decided.outcome != Outcome::nominated) return {};
  const Candidate& candidate = decided.candidates[decided.chosen];
  Names names = {question.cluster.nodes[candidate.node].name};
  for (const PodIndex victim : candidate.victims) names.push_back(question.cluster.pods[victim].name);
  return names;
}

}  // namespace

// EXT-PREEMPT-1, EXT-PREEMPT-2
TEST(ExtendedPreemption, DropsCandidatesThatAreNotInTheAnswer) {
  EXPECT_EQ(chosen(full_nodes({}), "v1.36"), (Names{"n0", "a"}));
  EXPECT_EQ(chosen(full_nodes({preempts({{"n1", keeps()}})}), "v1.36"), (Names{"n1", "c"}));
  const Question second =
      full_nodes({preempts({{"n0", keeps()}, {"n1", keeps()}}), preempts({{"n0", keeps()}})});
  EXPECT_EQ(decision(second, "v1.36").candidates.size(), 1U);
}

// EXT-PREEMPT-1
TEST(ExtendedPreemption, AsksNoExtenderInV119AndInPatchesAfterIt) {
  const Question question = full_nodes({preempts({})});
  for (const char* name : {"v1.18.20", "v1.20.10", "v1.21.4", "v1.22.0"})
    EXPECT_EQ(decision(question, name).outcome, Outcome::none) << name;
  for (const char* name : {"v1.19.0", "v1.19.16", "v1.20.9", "v1.21.3"})
    EXPECT_EQ(chosen(question, name), (Names{"n0", "a"})) << name;
}

// EXT-PREEMPT-1
TEST(ExtendedPreemption, AsksUninterestedExtendersInV111Alone) {
  const Question question = full_nodes({managing(preempts({}), "example.com/gpu")});
  EXPECT_EQ(chosen(question, "v1.10"), (Names{"n0", "a"}));
  EXPECT_EQ(decision(question, "v1.11").outcome, Outcome::none);
  EXPECT_EQ(chosen(question, "v1.12"), (Names{"n0", "a"}));
}

// EXT-PREEMPT-2
TEST(ExtendedPreemption, TakesTheVictimsOfTheAnswerInTheirOrder) {
  const Extender extender = preempts({{"n1", evicts({"default/c", "default/b"}, 3)}});
  const Question question = full_nodes({extender});
  EXPECT_EQ(chosen(question, "v1.36"), (Names{"n1", "c", "b"}));
  EXPECT_EQ(decision(question, "v1.23").candidates[0].pdb_violations, 0);
  EXPECT_EQ(decision(question, "v1.24").candidates[0].pdb_violations, 3);
}

// EXT-PREEMPT-2
TEST(ExtendedPreemption, CountsViolationsFromV124) {
  Question question = full_nodes({preempts({{"n0", keeps()}, {"n1", keeps()}})});
  question.cluster.pods[0].labels["app"] = "x";
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 0, {}});
  EXPECT_EQ(chosen(question, "v1.23"), (Names{"n0", "a"}));
  EXPECT_EQ(chosen(question, "v1.24").front(), "n1");
}

// EXT-PREEMPT-2
TEST(ExtendedPreemption, KeepsTheNominationIfNoCandidateIsLeft) {
  const Question question = full_nodes({preempts({}), failing(preempts({}))});
  const Decision decided = decision(question, "v1.36");
  EXPECT_EQ(decided.outcome, Outcome::none);  // the second extender is not asked
  EXPECT_EQ(decided.nomination, Nomination::kept);
  EXPECT_TRUE(decided.candidates.empty());
}

// EXT-PREEMPT-2, PRE-MESSAGE-4
TEST(ExtendedPreemption, SaysFromV124ThatNoCandidateIsLeft) {
  const Question question = full_nodes({preempts({})});
  const std::string rest = "0/2 nodes are available: 2 Insufficient cpu.";
  EXPECT_EQ(decision(question, "v1.23").message, rest);
  EXPECT_EQ(decision(question, "v1.37").message, rest + " preemption: no candidate node for preemption");
}

// EXT-PREEMPT-3
TEST(ExtendedPreemption, RefusesCandidatesWithoutVictimsFromV1223ToV137) {
  const Extender extender = preempts({{"n0", evicts({})}, {"n1", keeps()}});
  EXPECT_EQ(chosen(full_nodes({extender}), "v1.18"), (Names{"n0"}));
  const Decision refused = decision(full_nodes({extender}), "v1.36");
  EXPECT_EQ(refused.outcome, Outcome::error);
  EXPECT_EQ(refused.reason, "expected at least one victim pod on node \"n0\"");
  EXPECT_EQ(refused.nomination, Nomination::kept);
  EXPECT_EQ(chosen(full_nodes({ignorable(extender)}), "v1.36"), (Names{"n1", "c"}));
  EXPECT_EQ(chosen(full_nodes({preempts({{"n0", evicts({})}})}), "v1.38"), (Names{"n0"}));
}

// EXT-UNKNOWN-3, EXT-PREEMPT-3
TEST(ExtendedPreemption, HasTheErrorsThatMayBeReportedInstead) {
  const auto reasons = [](const Extender& extender, const char* name) {
    const Decision decided = decision(full_nodes({extender}), name);
    std::vector<std::string> all = {decided.reason};
    all.insert(all.end(), decided.other_reasons.begin(), decided.other_reasons.end());
    return all;
  };
  const Names empty = {"expected at least one victim pod on node \"n0\"",
                       "expected at least one victim pod on node \"n1\""};
  EXPECT_EQ(reasons(preempts({{"n0", evicts({})}, {"n1", evicts({})}}), "v1.37"), empty);
  const Extender ghosts =
      preempts({{"n0", evicts({"default/c"})}, {"ghost", keeps()}, {"phantom", keeps()}, {"n1", evicts({})}});
  const Names unknown = {
      "nodeinfo not found for node name \"ghost\"", "nodeinfo not found for node name \"phantom\"",
      "extender: extender 0 claims to preempt pod (UID: &{}) on node: n0, but the pod is not "
      "found on that node"};
  EXPECT_EQ(reasons(ghosts, "v1.37"), unknown);
  EXPECT_EQ(reasons(ghosts, "v1.17").size(), 1U);  // nodes that do not exist are no error
}

// PRE-OUTCOME-5
TEST(ExtendedPreemption, NamesTheErrorsOfAllNodes) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 100))
                          .node("n1", 1000)
                          .has(pod("b", 0, 100))
                          .asks(pod("p", 10, 100));
  question.extenders = {filters({{"n0", rejected("no")}, {"n1", rejected("no")}})};
  const Decision decided = decision(question, "v1.36");
  EXPECT_EQ(decided.outcome, Outcome::error);
  EXPECT_EQ(
      decided.reason,
      "[expected at least one victim pod on node \"n0\", expected at least one victim pod on node \"n1\"]");
  EXPECT_EQ(listed_errors({"a", "b", "a"}), "[a, b]");
  EXPECT_EQ(listed_errors({"a", "a"}), "a");
  EXPECT_EQ(listed_errors({}), "");
}

// EXT-PREEMPT-4
TEST(ExtendedPreemption, AsksTheFiltersOnceMoreUpToV110) {
  const Extender extender = managing(filters({{"n1", ok()}}), "example.com/gpu");
  EXPECT_EQ(chosen(full_nodes({extender}), "v1.10"), (Names{"n1", "c"}));
  EXPECT_EQ(chosen(full_nodes({extender, preempts({})}), "v1.10"), (Names{"n1", "c"}));
  EXPECT_EQ(chosen(full_nodes({extender}), "v1.11"), (Names{"n0", "a"}));
  EXPECT_EQ(chosen(full_nodes({filters({{"n0", rejected("no")}, {"n1", ok()}})}), "v1.10"),
            (Names{"n1", "c"}));
  EXPECT_EQ(decision(full_nodes({failing(filters({{"n0", ok()}}))}), "v1.10").outcome, Outcome::none);
}

// EXT-PREEMPT-4, EXT-ANSWER-1
TEST(ExtendedPreemption, SaysWhichFilterItNeedsOnceMore) {
  Extender silent = filters({});
  silent.filter.reset();
  const Decision decided = decision(full_nodes({silent}), "v1.10");
  EXPECT_EQ(decided.outcome, Outcome::skipped);
  ASSERT_TRUE(decided.unanswered.has_value());
  EXPECT_EQ(decided.unanswered->verb, ExtenderVerb::filter);
}

// EXT-ERROR-1
TEST(ExtendedPreemption, EndsWithTheErrorOfAnExtender) {
  const Extender fails = failing(preempts({}));
  const Decision decided = decision(full_nodes({fails}), "v1.36");
  EXPECT_EQ(decided.outcome, Outcome::error);
  EXPECT_EQ(decided.reason, "failed preempt with extender at URL extender 0/preempt, code 500");
  EXPECT_EQ(decided.nomination, Nomination::kept);
  EXPECT_EQ(chosen(full_nodes({ignorable(fails)}), "v1.36"), (Names{"n0", "a"}));
}

// EXT-UNKNOWN-3
TEST(ExtendedPreemption, FailsOnNodesThatDoNotExist) {
  const Extender extender = preempts({{"n0", keeps()}, {"ghost", evicts({"default/a"})}});
  EXPECT_EQ(decision(full_nodes({ignorable(extender)}), "v1.17").outcome, Outcome::error);
  const Extender empty = preempts({{"n0", keeps()}, {"ghost", keeps()}});
  const Decision chosen_ghost = decision(full_nodes({empty}), "v1.17");
  EXPECT_EQ(chosen_ghost.outcome, Outcome::none);
  EXPECT_EQ(chosen_ghost.nomination, Nomination::kept);
  EXPECT_EQ(decision(full_nodes({preempts({{"ghost", keeps()}})}), "v1.17").outcome, Outcome::none);
  EXPECT_EQ(decision(full_nodes({empty, preempts({})}), "v1.17").outcome, Outcome::error);
  const Extender both_empty = preempts({{"n0", evicts({})}, {"ghost", evicts({})}});
  EXPECT_EQ(decision(full_nodes({both_empty}), "v1.17").outcome, Outcome::skipped);
  EXPECT_EQ(chosen(full_nodes({ignorable(extender)}), "v1.18"), (Names{"n0", "a"}));
  EXPECT_EQ(decision(full_nodes({extender}), "v1.18").reason, "nodeinfo not found for node name \"ghost\"");
}

// EXT-UNKNOWN-3, EXT-ERROR-1
TEST(ExtendedPreemption, TakesTheAnswerOfAnotherExtenderThatNamesNoUnknownNode) {
  const Extender first = ignorable(preempts({{"ghost", evicts({})}}));
  EXPECT_EQ(chosen(full_nodes({first, preempts({{"n1", keeps()}})}), "v1.36"), (Names{"n1", "c"}));
}

// EXT-UNKNOWN-3
TEST(ExtendedPreemption, FailsOnVictimsThatAreNotOnTheNode) {
  const auto reason = [](const std::string& victim) {
    Question question = full_nodes({preempts({{"n0", evicts({victim})}})});
    question.cluster.pods[1].uid = "uid-b";
    return decision(question, "v1.36").reason;
  };
  EXPECT_EQ(
      reason("default/b"),
      "extender: extender 0 claims to preempt pod (UID: &{uid-b}) on node: n0, but the pod is not found on "
      "that node");
  EXPECT_NE(reason("default/nobody").find("default/nobody"), std::string::npos);
}

// EXT-PREEMPT-2
TEST(ExtendedPreemption, FindsVictimsByTheirUids) {
  Question question = full_nodes({preempts({{"n1", evicts({"default/c"})}})});
  question.cluster.pods[1].uid = "uid";
  question.cluster.pods[2].uid = "uid";
  EXPECT_EQ(chosen(question, "v1.36"), (Names{"n1", "b"}));  // the first pod with this UID
}

// EXT-ANSWER-1
TEST(ExtendedPreemption, SaysWhichAnswerItNeeds) {
  Extender silent = preempts({});
  silent.preempt.reset();
  const Decision decided = decision(full_nodes({preempts({{"n1", keeps()}}), silent}), "v1.36");
  EXPECT_EQ(decided.outcome, Outcome::skipped);
  ASSERT_TRUE(decided.unanswered.has_value());
  EXPECT_EQ(decided.unanswered->extender, 1U);
  EXPECT_EQ(decided.unanswered->verb, ExtenderVerb::preempt);
  EXPECT_EQ(decided.unanswered->candidates.size(), 1U);
  EXPECT_EQ(decided.message, "");
}

// EXT-UNKNOWN-3: no pod has the name in the answer, so the error has the name instead of a UID.
TEST(ExtendedPreemption, ErrsOnAVictimThatDoesNotExist) {
  Question question = full_nodes({preempts({{"n0", evicts({"default/gone"})}})});
  question.cluster.pods[0].uid = "u";
  const Decision found = decision(question, "v1.36");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_EQ(
      found.reason,
      "extender: extender 0 claims to preempt pod (UID: &{default/gone}) on node: n0, but the pod is not "
      "found on that node");
}

// EXT-UNKNOWN-3: neither b nor c is on n0. The error is about b, the first one.
TEST(ExtendedPreemption, GivesOneErrorForANode) {
  Question question = full_nodes({preempts({{"n0", evicts({"default/b", "default/c"})}})});
  for (Pod& each : question.cluster.pods) each.uid = "u-" + each.name;
  const Decision found = decision(question, "v1.36");
  EXPECT_NE(found.reason.find("u-b"), std::string::npos) << found.reason;
  EXPECT_EQ(found.reason.find("u-c"), std::string::npos) << found.reason;
  EXPECT_TRUE(found.other_reasons.empty());
}

// EXT-UNKNOWN-3: no node has the names x1 and x2. The table of filterVerb names x1, the answer with victims
// names x2. The error is about x2.
TEST(ExtendedPreemption, ErrsOnTheUnknownNodeOfTheAnswerWithVictims) {
  const Extender names_x1 = filters({{"x1", rejected("no")}});
  const Question question =
      full_nodes({names_x1, preempts({{"n0", keeps()}, {"x2", evicts({"default/a"})}})});
  EXPECT_EQ(decision(question, "v1.36").reason, "nodeinfo not found for node name \"x2\"");
}

// EXT-ERROR-1, EXT-UNKNOWN-3: a call that fails returns no names, so its error alone counts.
TEST(ExtendedPreemption, ReportsTheErrorOfACallThatFails) {
  const Extender extender = failing(preempts({{"n0", keeps()}, {"x1", evicts({"default/a"})}}), "no answer");
  for (const char* name : {"v1.17", "v1.36"}) {
    const Decision found = decision(full_nodes({extender}), name);
    EXPECT_EQ(found.reason, "no answer") << name;
    EXPECT_TRUE(found.other_reasons.empty()) << name;
  }
}

// EXT-PREEMPT-4: up to v1.10, every extender with a filterVerb must return the node. An extender without one
// does not count.
TEST(ExtendedPreemption, FiltersAgainByEachExtender) {
  const Extender passes = filters({{"n0", ok()}, {"n1", ok()}});
  const Extender second_only = filters({{"n1", ok()}});
  for (const std::vector<Extender>& extenders :
       {std::vector<Extender>{passes, second_only}, std::vector<Extender>{preempts({}), second_only}}) {
    const Decision found = decision(full_nodes(extenders), "v1.10");
    ASSERT_EQ(found.candidates.size(), 1U);
    EXPECT_EQ(found.candidates[0].node, 1U);
  }
}

// EXT-ANSWER-1, EXT-PREEMPT-4: the answers about n0 and n1 are not known. n0 is the better candidate, so the
// decision needs the answer about n0 first.
TEST(ExtendedPreemption, WaitsForTheFirstAnswerThatIsNotKnown) {
  const Decision found = decision(full_nodes({asked_about(filters({}), {})}), "v1.10");
  EXPECT_EQ(found.outcome, Outcome::skipped);
  ASSERT_TRUE(found.unanswered);
  EXPECT_EQ(found.unanswered->nodes, (std::vector<NodeIndex>{0}));
}

// EXT-ANSWER-1, EXT-PREEMPT-1: the answer about n0 is known, the one about n1 is not.
TEST(ExtendedPreemption, WaitsForAnAnswerAboutEveryCandidate) {
  const Question question = full_nodes({asked_about(preempts({{"n0", keeps()}}), {"n0"})});
  const Decision found = decision(question, "v1.36");
  EXPECT_EQ(found.outcome, Outcome::skipped);
  ASSERT_TRUE(found.unanswered);
  EXPECT_EQ(found.unanswered->candidates.size(), 2U);
  // The decision has no other part.
  EXPECT_TRUE(found.filter.empty());
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_TRUE(found.message.empty());
}

// EXT-PREEMPT-1: v1.11 asks the second extender about the candidates that the first one leaves.
TEST(ExtendedPreemption, AsksEachExtenderInV111) {
  const Question question =
      full_nodes({preempts({{"n0", keeps()}, {"n1", keeps()}}), preempts({{"n1", keeps()}})});
  const Decision found = decision(question, "v1.11");
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].node, 1U);
}

// EXT-ERROR-1: the answer of the first extender has n1, and an error for n0. The second extender, which would
// keep n1, is not asked.
TEST(ExtendedPreemption, EndsWithTheErrorOfTheFirstExtender) {
  const Extender first = preempts({{"n0", evicts({"default/b"})}, {"n1", keeps()}});
  const Decision found = decision(full_nodes({first, preempts({{"n1", keeps()}})}), "v1.36");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_NE(found.reason.find("claims to preempt pod"), std::string::npos) << found.reason;
}

// EXT-UNKNOWN-3: the only candidate in the answer of the first extender is on a node that does not exist. The
// scheduler crashes when it asks the second extender.
TEST(ExtendedPreemption, CrashesAtTheExtenderAfterAnUnknownNode) {
  const Extender unknown = preempts({{"x1", evicts({})}});
  const Decision found = decision(full_nodes({unknown, preempts({{"n0", keeps()}})}), "v1.17");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_EQ(found.reason, "an extender names a node that does not exist: the scheduler crashes");
  EXPECT_EQ(decision(full_nodes({unknown}), "v1.17").outcome, Outcome::none);
}

// EXT-UNKNOWN-3: neither the candidate n0 nor that on the unknown node has victims.
TEST(ExtendedPreemption, SkipsAChoiceBetweenAKnownAndAnUnknownNode) {
  const Question question = full_nodes({preempts({{"n0", evicts({})}, {"x1", evicts({})}})});
  const Decision found = decision(question, "v1.17");
  EXPECT_EQ(found.outcome, Outcome::skipped);
  EXPECT_EQ(found.reason, "extenders: a random choice between a node and one that does not exist");
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_TRUE(found.filter.empty());
}

}  // namespace touchstone::tests::extended_preemption_test
