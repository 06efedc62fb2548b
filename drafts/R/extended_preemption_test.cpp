// tests/reference/extenders/extended_preemption_test.cpp
#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::more_extended_preemption_test {

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

/// The extender knows its answers about these nodes alone.
Extender asked_about(Extender extender, const std::set<std::string>& nodes) {
  if (extender.filter) extender.filter->asked = nodes;
  if (extender.preempt) extender.preempt->asked = nodes;
  return extender;
}

}  // namespace

// EXT-PREEMPT-2: the pod of the answer has been deleted; the list of pods had it last.
TEST(ExtendedPreemption, ErrsOnAPodThatIsNoLongerThere) {
  Question question = full_nodes({preempts({{"n0", evicts({"default/gone"})}})});
  question.cluster.pods[0].uid = "u";
  Pod gone = question.cluster.pods[0];
  gone.name = "gone";
  question.cluster.pods.push_back(gone);
  question.cluster.pods.pop_back();
  const Decision found = decision(question, "v1.36");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_EQ(
      found.reason,
      "extender: extender 0 claims to preempt pod (UID: &{default/gone}) on node: n0, but the pod is not "
      "found on that node");
}

// EXT-PREEMPT-2: an entry ends at the first pod that is not on the node.
TEST(ExtendedPreemption, GivesOneErrorForANode) {
  Question question = full_nodes({preempts({{"n0", evicts({"default/b", "default/c"})}})});
  for (Pod& each : question.cluster.pods) each.uid = "u-" + each.name;
  const Decision found = decision(question, "v1.36");
  EXPECT_NE(found.reason.find("u-b"), std::string::npos) << found.reason;
  EXPECT_TRUE(found.other_reasons.empty());
}

// EXT-UNKNOWN-3: another extender alone knows the first unknown name.
TEST(ExtendedPreemption, FindsEachUnknownNameInAnAnswer) {
  const Extender passes = filters({{"x1", rejected("no")}});
  const Question question = full_nodes({passes, preempts({{"n0", keeps()}, {"x2", evicts({"default/a"})}})});
  EXPECT_EQ(decision(question, "v1.36").reason, "nodeinfo not found for node name \"x2\"");
}

// EXT-ERROR-1, EXT-UNKNOWN-3: a call that fails names no node.
TEST(ExtendedPreemption, ReportsTheErrorOfACallThatFails) {
  const Extender extender = failing(preempts({{"n0", keeps()}, {"x1", evicts({"default/a"})}}), "no answer");
  for (const char* name : {"v1.17", "v1.36"}) {
    const Decision found = decision(full_nodes({extender}), name);
    EXPECT_EQ(found.reason, "no answer") << name;
    EXPECT_TRUE(found.other_reasons.empty()) << name;
  }
}

// EXT-PREEMPT-4: up to v1.10, every extender that filters has to pass the node. One that does not filter has
// no say.
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

// EXT-ANSWER-1, EXT-PREEMPT-4: the answers about both nodes are not known. The first call is the one to ask.
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
  // Nothing of the decision that needs the answer is left.
  EXPECT_TRUE(found.filter.empty());
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_TRUE(found.message.empty());
}

// EXT-PREEMPT-1: v1.11 asks extenders in configured order, the second about what the first leaves.
TEST(ExtendedPreemption, AsksEachExtenderInV111) {
  const Question question =
      full_nodes({preempts({{"n0", keeps()}, {"n1", keeps()}}), preempts({{"n1", keeps()}})});
  const Decision found = decision(question, "v1.11");
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].node, 1U);
}

// EXT-ERROR-1: the first extender keeps n1, but errs on n0. The second is not asked, although it would keep
// n1.
TEST(ExtendedPreemption, EndsWithTheErrorOfTheFirstExtender) {
  const Extender first = preempts({{"n0", evicts({"default/b"})}, {"n1", keeps()}});
  const Decision found = decision(full_nodes({first, preempts({{"n1", keeps()}})}), "v1.36");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_NE(found.reason.find("claims to preempt pod"), std::string::npos) << found.reason;
}

// EXT-UNKNOWN-3, EXT-PREEMPT-2: the first extender leaves a candidate on no node, and no other one. The
// scheduler crashes when it asks the second.
TEST(ExtendedPreemption, CrashesAtTheExtenderAfterAnUnknownNode) {
  const Extender unknown = preempts({{"x1", evicts({})}});
  const Decision found = decision(full_nodes({unknown, preempts({{"n0", keeps()}})}), "v1.17");
  EXPECT_EQ(found.outcome, Outcome::error);
  EXPECT_EQ(found.reason, "an extender names a node that does not exist: the scheduler crashes");
  EXPECT_EQ(decision(full_nodes({unknown}), "v1.17").outcome, Outcome::none);
}

// EXT-UNKNOWN-3: both n0 and the unknown node have no victims.
TEST(ExtendedPreemption, SkipsAChoiceBetweenAKnownAndAnUnknownNode) {
  const Question question = full_nodes({preempts({{"n0", evicts({})}, {"x1", evicts({})}})});
  const Decision found = decision(question, "v1.17");
  EXPECT_EQ(found.outcome, Outcome::skipped);
  EXPECT_EQ(found.reason, "extenders: a random choice between a node and one that does not exist");
  EXPECT_TRUE(found.candidates.empty());
  EXPECT_TRUE(found.filter.empty());
}

}  // namespace touchstone::tests::more_extended_preemption_test
