#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::choice_test {

namespace {

/// Finds the best of two nodes with these victims, by index.
class Choice : public testing::Test {
 protected:
  std::vector<std::size_t> best(std::vector<Pod> first, std::vector<Pod> second, const char* name = "v1.34") {
    Question question = QuestionBuilder().node("n1", 0).node("n2", 0).asks(pod("p", 2000000000, 0));
    std::vector<Candidate> candidates{{0, {}, first_violations_}, {1, {}, 0}};
    for (std::vector<Pod>* pods : {&first, &second}) {
      for (const Pod& each : *pods) {
        candidates[pods == &first ? 0 : 1].victims.push_back(question.cluster.pods.size());
        question.cluster.pods.push_back(each);
      }
    }
    const Release asked = release(name);
    Trace trace = Trace::full();
    const reference::Cycle cycle(question, asked, trace);
    const std::vector<std::size_t> found = reference::best_candidates(cycle, candidates);
    deciding_ = trace.steps().empty() ? "" : std::string(trace.steps().front().clause);
    return found;
  }

  Quantity first_violations_ = 0;
  std::string deciding_;
};

using Best = std::vector<std::size_t>;

}  // namespace

// PRE-NODE-1
TEST_F(Choice, TakesFewerViolations) {
  first_violations_ = 1;
  EXPECT_EQ(best({pod("a", 0, 0)}, {pod("b", 9, 0)}), Best{1});
  EXPECT_EQ(deciding_, "PRE-NODE-1");
}

// PRE-NODE-2
TEST_F(Choice, TakesTheLowerFirstVictim) {
  EXPECT_EQ(best({pod("a", 5, 0)}, {pod("b", 4, 0), pod("c", 4, 0)}), Best{1});
  EXPECT_EQ(deciding_, "PRE-NODE-2");
  EXPECT_EQ(best({pod("a", 1, 0), pod("b", 50, 0)}, {pod("c", 10, 0)}), Best{0});
}

// PRE-NODE-3
TEST_F(Choice, TakesTheSmallerSumOfShiftedPriorities) {
  EXPECT_EQ(best({pod("a", -5, 0), pod("b", -5, 0)}, {pod("c", -5, 0)}), Best{1});
  EXPECT_EQ(deciding_, "PRE-NODE-3");
  EXPECT_EQ(best({pod("a", 1000000000, 0), pod("b", 1000000000, 0)},
                 {pod("c", 1000000000, 0), pod("d", -1000000000, 0), pod("e", -1000000000, 0)}),
            Best{1});
}

// PRE-NODE-4: the lowest possible priority adds nothing to the sum.
TEST_F(Choice, TakesFewerVictims) {
  EXPECT_EQ(best({pod("a", 0, 0), pod("b", -2147483648, 0)}, {pod("c", 0, 0)}), Best{1});
  EXPECT_EQ(deciding_, "PRE-NODE-4");
}

// PRE-NODE-5
TEST_F(Choice, TakesTheLatestOfTheEarliestStarts) {
  const auto at = [](const char* name, Quantity priority, Quantity start) {
    return started(pod(name, priority, 0), start);
  };
  EXPECT_EQ(best({at("a", 5, 100)}, {at("b", 5, 200)}), Best{1});
  EXPECT_EQ(deciding_, "PRE-NODE-5");
  EXPECT_EQ(best({at("a", 5, 100)}, {at("b", 5, 200)}, "v1.14"), (Best{0, 1}));
  EXPECT_EQ(best({at("a", 5, 100), at("b", 5, 300)}, {at("c", 5, 150), at("d", 5, 160)}), Best{1});
  EXPECT_EQ(best({at("a", 5, 100), at("b", 0, 10)}, {at("c", 5, 50), at("d", 0, 200)}), Best{0});
  EXPECT_EQ(best({at("a", 5, 100)}, {unstarted(pod("b", 5, 0))}), Best{1});
  EXPECT_EQ(best({unstarted(pod("a", 5, 0))}, {at("b", 5, 100)}), Best{0});
  EXPECT_EQ(best({unstarted(pod("a", 5, 0)), at("c", 5, 300)}, {at("b", 5, 200), at("d", 5, 900)}), Best{0});
}

// PRE-NODE-5: the highest priority counts, at any position in the list.
TEST_F(Choice, LooksForTheHighestPriorityItself) {
  EXPECT_EQ(best({started(pod("a", 1, 0), 100), started(pod("b", 5, 0), 300)},
                 {started(pod("c", 1, 0), 300), started(pod("d", 5, 0), 200)}),
            Best{0});
}

// PRE-NODE-5: b, the second victim on n1, started before all others.
TEST_F(Choice, LooksForTheEarliestStartAtAnyPositionInTheList) {
  EXPECT_EQ(best({started(pod("a", 5, 0), 300), started(pod("b", 5, 0), 100)},
                 {started(pod("c", 5, 0), 200), started(pod("d", 5, 0), 200)}),
            Best{1});
}

// PRE-NODE-5: on n1 the earliest start of a victim is 200, on n2 it is 300. The pod b of n1 has not started,
// so it counts as later than any start.
TEST_F(Choice, LeavesOutVictimsThatHaveNotStarted) {
  for (const char* name : {"v1.15", "v1.34", "v1.37"})
    EXPECT_EQ(best({started(pod("a", 0, 0), 200), unstarted(pod("b", 0, 0))},
                   {started(pod("c", 0, 0), 300), started(pod("d", 0, 0), 300)}, name),
              Best{1})
        << name;
}

// PRE-NODE-6
TEST_F(Choice, LeavesARealTieOpen) {
  EXPECT_EQ(best({pod("a", 5, 0)}, {pod("b", 5, 0)}), (Best{0, 1}));
  EXPECT_EQ(deciding_, "PRE-NODE-6");
  EXPECT_EQ(best({unstarted(pod("a", 5, 0))}, {unstarted(pod("b", 5, 0))}), (Best{0, 1}));
}

// PRE-VICTIM-8
TEST_F(Choice, OfNobodyToEvictWinsAtOnceOrCrashes) {
  first_violations_ = 1;
  EXPECT_EQ(best({}, {pod("b", 5, 0)}, "v1.18"), Best{0});
  EXPECT_EQ(deciding_, "PRE-VICTIM-8");
  EXPECT_EQ(best({pod("a", 5, 0)}, {}, "v1.18"), Best{1});
  EXPECT_EQ(best({}, {pod("b", 5, 0)}, "v1.19"), Best{});
  first_violations_ = 0;
  EXPECT_EQ(best({}, {}, "v1.18"), (Best{0, 1}));
  EXPECT_EQ(deciding_, "PRE-NODE-6");
}

// PRE-VICTIM-8
TEST(Conclude, CallsACrashOfTheChoiceAnError) {
  const Question question =
      QuestionBuilder().node("n1", 0).node("n2", 0).has(pod("b", 5, 0)).asks(pod("p", 10, 0));
  const Release asked = release("v1.20");
  CanonicalChoices choices;
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, asked, trace);
  Decision decision;
  decision.candidates = {{0, {}, 0}, {1, {0}, 0}};
  reference::conclude(cycle, choices, decision);
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_EQ(decision.nomination, Nomination::kept);
  decision.candidates.pop_back();
  reference::conclude(cycle, choices, decision);
  EXPECT_EQ(decision.outcome, Outcome::nominated);
}

// PRE-NODE-6, PRE-OUTCOME-1
TEST(LastTie, IsBrokenByTheChoicesGiven) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 1, 1000))
                                .node("n2", 1000)
                                .has(pod("b", 1, 1000))
                                .asks(pod("p", 10, 1000));
  for (const std::size_t pick : {0u, 1u}) {
    ScriptedChoices choices({pick});
    Trace trace = Trace::none();
    const Decision decision = reference::preempt(question, release("v1.34"), choices, trace);
    EXPECT_EQ(decision.chosen, pick);
    EXPECT_EQ(decision.admissible.size(), 2u);
  }
}

}  // namespace touchstone::tests::choice_test
