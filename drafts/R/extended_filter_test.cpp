// tests/reference/extenders/extended_filter_test.cpp
#include <gtest/gtest.h>

#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::more_extended_filter_test {

using reference::preempt;
using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

Question three_nodes(std::vector<Extender> extenders, const Pod& asked = pod("p", 10, 1000)) {
  Question question = QuestionBuilder().node("n0", 4000).node("n1", 4000).node("n2", 4000).asks(asked);
  question.extenders = std::move(extenders);
  return question;
}

Nodes feasible(const Question& question, std::string_view name) {
  return schedule(question, release(name)).feasible;
}

}  // namespace

// EXT-UNKNOWN-2: an extender passes two names that no node has. Their indices follow those of the nodes.
TEST(ExtendedFilter, PassesEachUnknownNode) {
  const Question question = three_nodes({filters({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  for (const char* name : {"v1.33", "v1.36"}) {
    const Placement placement = schedule(question, release(name));
    EXPECT_EQ(placement.feasible, (Nodes{0, 3, 4})) << name;
    EXPECT_EQ(placement.decision.feasible, (Nodes{0})) << name;
    EXPECT_EQ(placement.unknown_nodes, (Reasons{"x1", "x2"})) << name;
    EXPECT_EQ(placement.totals.size(), 3U) << name;
  }
}

// EXT-UNKNOWN-2: the name of one unknown node. It is no node of the cluster.
TEST(ExtendedFilter, LeavesUnknownNodesOutOfTheDecision) {
  const Question question = three_nodes({filters({{"n1", ok()}, {"x1", ok()}})});
  EXPECT_EQ(feasible(question, "v1.36"), (Nodes{1, 3}));
  EXPECT_EQ(schedule(question, release("v1.36")).decision.feasible, (Nodes{1}));
}

// EXT-UNKNOWN-2: the first extender names x1 and x2, the second x2 alone.
TEST(ExtendedFilter, TakesTheUnknownNodesOfTheLastAnswer) {
  const Question question =
      three_nodes({filters({{"n0", ok()}, {"x1", ok()}}), filters({{"n0", ok()}, {"x2", ok()}})});
  EXPECT_EQ(feasible(question, "v1.36"), (Nodes{0, 4}));
}

// EXT-UNKNOWN-1
TEST(ExtendedFilter, CrashesForANameThatNoNodeHas) {
  const Question question = three_nodes({filters_names({{"n0", ok()}, {"x1", ok()}})});
  const Decision decision = preempt(question, release("v1.15"));
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_EQ(decision.reason, "an extender names a node that does not exist: the scheduler crashes");
  EXPECT_EQ(decision.message, "");
}

// EXT-UNKNOWN-1
TEST(ExtendedFilter, ReportsTheFirstOfTwoNamesThatNoNodeHas) {
  const Question question = three_nodes({filters_names({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  EXPECT_NE(preempt(question, release("v1.36")).reason.find("filtered node \"x1\""), std::string::npos);
}

// EXT-ERROR-1, EXT-UNKNOWN-1: a call that fails returns no names, so its error alone counts.
TEST(ExtendedFilter, ReportsTheErrorOfACallThatFails) {
  const Extender names = filters_names({{"n0", ok()}, {"x1", ok()}});
  for (const char* name : {"v1.15", "v1.36"})
    EXPECT_EQ(preempt(three_nodes({failing(names, "no answer")}), release(name)).reason, "no answer") << name;
}

// EXT-ERROR-1: the error of the first extender ends the attempt, before the second extender is asked.
TEST(ExtendedFilter, EndsWithTheErrorOfTheFirstExtender) {
  const Extender names = filters_names({{"n0", ok()}, {"x1", ok()}});
  const Decision decision =
      preempt(three_nodes({names, failing(filters({}), "no answer")}), release("v1.36"));
  EXPECT_NE(decision.reason.find("\"x1\""), std::string::npos);
  EXPECT_TRUE(decision.filter.empty());
}

// EXT-FILTER-3, EXT-UNKNOWN-2: two extenders reject the same unknown name. A rejection that is resolvable
// does not replace one that is not.
TEST(ExtendedFilter, KeepsTheCodeOfAnEarlierRejection) {
  const auto code = [](const FilterEntry& first, const FilterEntry& second) {
    const Question question =
        three_nodes({filters({{"n0", ok()}, {"x1", first}}), filters({{"x1", second}})});
    Release by = release("v1.17");
    by.extender_says_unresolvable = true;
    const Status status = preempt(question, by).unknown_filter.at("x1");
    EXPECT_EQ(status.reasons, (Reasons{"one", "two"}));
    return status.code;
  };
  EXPECT_EQ(code(unresolvable("one"), rejected("two")), Code::unschedulable_and_unresolvable);
  EXPECT_EQ(code(rejected("one"), unresolvable("two")), Code::unschedulable_and_unresolvable);
  EXPECT_EQ(code(rejected("one"), rejected("two")), Code::unschedulable);
}

// EXT-FILTER-3: up to v1.17, unknown names that extenders reject have statuses.
TEST(ExtendedFilter, GivesUnknownNamesAStatusInEarlyReleases) {
  const Question question = three_nodes({filters({{"x1", rejected("no")}})});
  EXPECT_EQ(preempt(question, release("v1.17")).unknown_filter.size(), 1U);
  EXPECT_TRUE(preempt(question, release("v1.18")).unknown_filter.empty());
  EXPECT_TRUE(preempt(question, release("v1.36")).unknown_filter.empty());
}

// EXT-INTEREST-1: the extender manages two resources. The pod requests one of them.
TEST(ExtendedFilter, AsksAnExtenderThatManagesOneOfTheRequests) {
  Pod asked = pod("p", 10, 1000);
  asked.containers[0].limits["example.com/b"] = 1;
  const Extender extender = managing(managing(filters({{"n1", ok()}}), "example.com/a"), "example.com/b");
  EXPECT_EQ(feasible(three_nodes({extender}, asked), "v1.36"), (Nodes{1}));
}

}  // namespace touchstone::tests::more_extended_filter_test
