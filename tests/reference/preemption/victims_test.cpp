#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::victims_test {

namespace {

using Names = std::vector<std::string>;

Decision decide(const Question& question, const char* name) {
  Trace trace = Trace::full();
  return reference::preempt(question, release(name), trace);
}

Names victims_of(const Question& question, const char* name) {
  Names names;
  for (const Candidate& candidate : decide(question, name).candidates) {
    for (const PodIndex victim : candidate.victims) names.push_back(question.cluster.pods[victim].name);
  }
  return names;
}

reference::DryRun dry_run(const Question& question, const char* name) {
  const Release asked = release(name);
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, asked, trace);
  return reference::select_victims(cycle, 0, {});
}

}  // namespace

// PRE-VICTIM-4
TEST(Importance, IsPriorityAndFrom115TheEarlierStart) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(started(pod("young", 5, 1000), 200))
                                .has(started(pod("old", 5, 1000), 100))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(victims_of(question, "v1.14"), Names{"old"});
  EXPECT_EQ(victims_of(question, "v1.15"), Names{"young"});
}

// PRE-VICTIM-5
TEST(Importance, PutsUnstartedPodsLastAndReversesThemUntil136) {
  const Question question = QuestionBuilder()
                                .node("n1", 3000)
                                .has(unstarted(pod("a", 5, 1000)))
                                .has(unstarted(pod("b", 5, 1000)))
                                .has(started(pod("c", 5, 1000), 900))
                                .asks(pod("p", 10, 2000));
  EXPECT_EQ(victims_of(question, "v1.36"), (Names{"b", "a"}));
  EXPECT_EQ(victims_of(question, "v1.37"), (Names{"a", "b"}));
  EXPECT_EQ(victims_of(question, "v1.14"), (Names{"b", "c"}));
}

// PRE-VICTIM-5, PRE-VICTIM-7
TEST(Importance, OfUnstartedPodsIsTheListAlsoWhereTheyAreSortedAgainFrom137) {
  Question question = QuestionBuilder()
                          .node("n1", 0)
                          .has(unstarted(pod("a", 5, 0)))
                          .has(with_app(unstarted(pod("b", 5, 0)), "x"))
                          .has(with_app(started(pod("c", 5, 0), 100), "x"))
                          .has(started(pod("d", 5, 0), 100))
                          .pdb("x", 0)
                          .asks(pod("p", 10, 0));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  // Pods with equal start times keep the order in which they became victims: violating ones first.
  EXPECT_EQ(victims_of(question, "v1.37"), (Names{"c", "d", "a", "b"}));
  EXPECT_EQ(victims_of(question, "v1.36"), (Names{"c", "d", "a", "b"}));
  std::swap(question.cluster.pods[0], question.cluster.pods[1]);
  EXPECT_EQ(victims_of(question, "v1.37"), (Names{"c", "d", "b", "a"}));
  EXPECT_EQ(victims_of(question, "v1.36"), (Names{"c", "d", "a", "b"}));
}

// PRE-VICTIM-5, PRE-VICTIM-7: b violates a PDB and a does not, so the victims are sorted again. List order
// decides only between pods of one priority.
TEST(Importance, OfUnstartedPodsIsTheirPriorityFirstAlsoWhereTheyAreSortedAgainFrom137) {
  Question question = QuestionBuilder()
                          .node("n1", 0)
                          .has(unstarted(pod("a", 1, 0)))
                          .has(with_app(unstarted(pod("b", 5, 0)), "x"))
                          .pdb("x", 0)
                          .asks(pod("p", 10, 0));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(victims_of(question, "v1.37"), (Names{"b", "a"}));
}

// PRE-VICTIM-4, PRE-VICTIM-5: only unstarted pods of equal priority are in reverse order. These two differ.
TEST(Importance, OfUnstartedPodsIsTheirPriorityFirst) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(unstarted(pod("high", 5, 1000)))
                                .has(unstarted(pod("low", 1, 1000)))
                                .asks(pod("p", 10, 1000));
  for (const char* name : {"v1.14", "v1.15", "v1.34", "v1.37"})
    EXPECT_EQ(victims_of(question, name), Names{"low"}) << name;
}

// PRE-VICTIM-4, QUE-ENTITY-7: at equal priority, a pod of a pod group is more important than a pod without
// one, although it started later. The priority of the group counts, not that of its pod.
TEST(Importance, IsGreaterInAGroupAtEqualPriority) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(started(pod("of-a-group", 1, 1000), 200))
                          .has(started(pod("single", 5, 1000), 100))
                          .asks(pod("p", 10, 1000));
  question.cluster.pods[0].group_priority = 5;
  EXPECT_EQ(victims_of(question, "v1.36"), Names{"single"});
}

// PRE-VICTIM-4
TEST(Importance, EndsWithTheUidFrom138) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 5, 1000))
                          .has(pod("b", 5, 1000))
                          .asks(pod("p", 10, 1000));
  question.cluster.pods[0].uid = "2";
  question.cluster.pods[1].uid = "1";
  EXPECT_EQ(victims_of(question, "v1.37"), Names{"b"});
  EXPECT_EQ(victims_of(question, "v1.38"), Names{"a"});
}

// PRE-VICTIM-4
TEST(Importance, IsEqualWhereOnlyAListTellsPodsApart) {
  const Release asked = release("v1.34");
  EXPECT_TRUE(reference::equally_important(pod("a", 5, 1), pod("b", 5, 2), asked));
  EXPECT_FALSE(reference::equally_important(pod("a", 5, 1), pod("b", 4, 1), asked));
  EXPECT_FALSE(reference::equally_important(pod("a", 4, 1), pod("b", 5, 1), asked));
  EXPECT_FALSE(reference::equally_important(unstarted(pod("a", 5, 1)), pod("b", 5, 1), asked));
}

// PRE-VICTIM-2
TEST(DryRun, RejectsANodeWithoutLowerPodsFrom119) {
  const Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 10, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(dry_run(question, "v1.18").status.reasons, Names{"Insufficient cpu"});
  EXPECT_EQ(dry_run(question, "v1.21").status.reasons,
            Names{"No victims found on node n1 for preemptor pod p"});
  EXPECT_EQ(dry_run(question, "v1.34").status.reasons, Names{"No preemption victims found for incoming pod"});
}

// PRE-VICTIM-8: a node that fits as it is reaches the dry run through an extender, a pod that ended in the
// meantime, or VolumeBinding.
TEST(DryRun, WithNobodyToEvictIsACandidateUntil121) {
  const Question question =
      QuestionBuilder().node("n1", 2000).has(pod("a", 1, 1000)).asks(pod("p", 10, 1000));
  EXPECT_TRUE(dry_run(question, "v1.18").status.ok());
  EXPECT_TRUE(dry_run(question, "v1.21").status.ok());
  EXPECT_EQ(dry_run(question, "v1.34").status.code, Code::error);
}

// PRE-VICTIM-3, PRE-VICTIM-6
TEST(DryRun, KeepsThePodThatExactlyFits) {
  const Question question = QuestionBuilder()
                                .node("n1", 3000)
                                .has(pod("a", 5, 2000))
                                .has(pod("b", 4, 1000))
                                .asks(pod("p", 10, 1000));
  EXPECT_EQ(victims_of(question, "v1.34"), Names{"b"});
  const Question too_large =
      QuestionBuilder().node("n1", 3000).has(pod("a", 5, 3000)).has(pod("h", 20, 1)).asks(pod("p", 10, 3000));
  EXPECT_EQ(decide(too_large, "v1.34").dry_run.at(0).reasons, Names{"Insufficient cpu"});
}

// PRE-VICTIM-7, PRE-NODE-2
TEST(Victims, AreSortedAgainWhereBothGroupsArePresent) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(with_app(pod("a", 1, 1000), "x"))
                                .has(pod("b", 50, 1000))
                                .pdb("x", 0)
                                .asks(pod("p", 100, 2000));
  EXPECT_EQ(victims_of(question, "v1.31.0"), (Names{"a", "b"}));
  EXPECT_EQ(victims_of(question, "v1.31.3"), (Names{"b", "a"}));
}

// PRE-PORTS-2
TEST(DryRun, FreesAPortThatAnotherPodStillHolds) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(with_host_port(pod("low", 1, 0), 80))
                                .has(with_host_port(pod("high", 50, 0), 80))
                                .asks(with_host_port(pod("p", 10, 0), 80));
  EXPECT_EQ(victims_of(question, "v1.34"), Names{"low"});
}

// PRE-SEARCH-2
TEST(Search, AsksForATenthOrAHundredOrAll) {
  EXPECT_EQ(reference::candidate_quota(7), 7);
  EXPECT_EQ(reference::candidate_quota(100), 100);
  EXPECT_EQ(reference::candidate_quota(150), 100);
  EXPECT_EQ(reference::candidate_quota(1000), 100);
  EXPECT_EQ(reference::candidate_quota(1019), 101);
  EXPECT_EQ(reference::candidate_quota(20000), 2000);
}

// PRE-SEARCH-1, PRE-SEARCH-3, PRE-SEARCH-4, PRE-SEARCH-5
TEST(Search, VisitsFromTheOffsetUntilTheQuotaIsMet) {
  QuestionBuilder builder;
  for (int i = 0; i < 5; ++i) {
    builder.node("n" + std::to_string(i), 1000);
    Pod victim = pod("v" + std::to_string(i), i, 1000);
    builder.has(i == 3 || i == 4 ? with_app(victim, "x") : victim);
  }
  Question question = builder.pdb("x", 0).asks(pod("p", 10, 1000));
  question.quota = 2;
  EXPECT_EQ(decide(question, "v1.34").candidates.size(), 5u);  // no offset: all nodes
  question.offset = 8;                                         // from n3: two violating candidates, then n0
  EXPECT_EQ(victims_of(question, "v1.34"), (Names{"v0", "v3", "v4"}));
  EXPECT_EQ(decide(question, "v1.19").candidates.size(), 5u);  // v1.19 does not sample
  question.quota = 1;                                          // the second violating one is lost
  EXPECT_EQ(victims_of(question, "v1.34"), (Names{"v0", "v3"}));
  question.quota = 0;
  EXPECT_EQ(decide(question, "v1.34").outcome, Outcome::none);
  question.quota.reset();
  EXPECT_EQ(decide(question, "v1.34").candidates.size(), 5u);
}

// PRE-SPREAD-6: the constraint of p does not spread over n2. v1.19 crashes when it removes b from n2, whether
// n2 comes first or last.
TEST(Search, CrashesAtTheFirstAndAtTheLastNode) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(pod("a", 0, 1000))
                                   .node("n2", 1000)
                                   .has(with_app(pod("b", 0, 1000), "x"))
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.pod.node_selector["disk"] = "ssd";
  question.cluster.nodes[0].labels["disk"] = "ssd";
  EXPECT_EQ(decide(question, "v1.19").outcome, Outcome::error);
  std::swap(question.cluster.nodes[0], question.cluster.nodes[1]);
  EXPECT_EQ(decide(question, "v1.19").outcome, Outcome::error);
  EXPECT_EQ(decide(question, "v1.18").outcome, Outcome::nominated);
}

}  // namespace touchstone::tests::victims_test
