#include "spec/vocabulary/properties.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

/// Tests that each law can fail: every test breaks a law on purpose and expects its predicate to detect it.
namespace touchstone::tests {

namespace {

bool passes(const Cluster& cluster, const Pod& pod, NodeIndex node, const Release& release) {
  const Question question{cluster, pod, {}, {}};
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, release, trace);
  return reference::run_filters_with_nominated_pods(cycle, cycle.nodes[node]).ok();
}

class Laws : public testing::Test {
 protected:
  /// p preempts a on n1. n2 is unschedulable; b runs there. On n3 the victim would be c, which violates a
  /// PDB. q is nominated to n1.
  Question question_ = [] {
    Question question = QuestionBuilder()
                            .node("n1", 1000)
                            .has(pod("a", 1, 1000))
                            .nominated(pod("q", 0, 100))
                            .node("n2", 1000)
                            .has(pod("b", 1, 1000))
                            .node("n3", 2000)
                            .has(with_app(pod("c", 0, 1000), "x"))
                            .has(pod("high", 50, 1000))
                            .pdb("x", 0)
                            .asks(pod("p", 10, 1000));
    question.cluster.nodes[1].unschedulable = true;
    return question;
  }();
  Release release_ = release("v1.34.4");
  Decision decision_ = [this] { return reference::preempt(question_, release_); }();

  std::vector<std::string> broken() {
    const auto fits = [this](const Cluster& cluster, const Pod& pod, NodeIndex node) {
      return passes(cluster, pod, node, release_);
    };
    std::vector<std::string> clauses;
    for (const BrokenLaw& law : broken_laws(question_, release_, decision_, fits))
      clauses.emplace_back(law.clause);
    return clauses;
  }
  bool breaks(const std::string& clause) {
    const std::vector<std::string> clauses = broken();
    return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
  }
};

}  // namespace

TEST_F(Laws, HoldOfTheDecisionItself) {
  ASSERT_EQ(decision_.outcome, Outcome::nominated);
  ASSERT_EQ(decision_.candidates.size(), 2u);
  ASSERT_EQ(decision_.clears, (std::vector<PodIndex>{1}));
  EXPECT_TRUE(broken().empty());
}

TEST_F(Laws, DemandThatFitsHasANode) {
  decision_.outcome = Outcome::fits;
  EXPECT_TRUE(breaks("PRE-CYCLE-1"));
}

TEST_F(Laws, DemandThatANominationHasACandidate) {
  decision_.outcome = Outcome::none;
  EXPECT_TRUE(breaks("PRE-OUTCOME-1"));
}

TEST_F(Laws, DemandThatNeverMeansNever) {
  question_.pod.preemption_policy = "Never";
  EXPECT_TRUE(breaks("PRE-ELIGIBLE-1"));
}

TEST_F(Laws, DemandThatNoEvictionTriesToCureWhatItCannot) {
  decision_.candidates[0].node = 1;
  decision_.candidates[0].victims = {2};
  EXPECT_TRUE(breaks("PRE-POTENTIAL-1"));
}

TEST_F(Laws, DemandLowerPriority) {
  question_.cluster.pods[0].priority = 10;
  EXPECT_TRUE(breaks("PRE-VICTIM-1"));
}

TEST_F(Laws, DemandVictimsOfTheNodeItself) {
  decision_.candidates[0].victims = {2};
  EXPECT_TRUE(breaks("PRE-VICTIM-1"));
}

TEST_F(Laws, DemandThatThePodFitsAfterwards) {
  decision_.candidates[0].victims.clear();
  EXPECT_TRUE(breaks("PRE-VICTIM-3"));
}

TEST_F(Laws, DemandThatNobodyCouldStay) {
  question_.pod.containers[0].requests["cpu"] = 0;
  EXPECT_TRUE(breaks("PRE-VICTIM-6"));
}

TEST_F(Laws, DemandThatNobodyIsListedTwice) {
  decision_.candidates[0].victims.push_back(decision_.candidates[0].victims[0]);
  EXPECT_TRUE(breaks("PRE-VICTIM-6"));
}

// PRE-PDB-8
TEST_F(Laws, DemandThatViolationsAreVictims) {
  decision_.candidates[1].pdb_violations = 5;
  EXPECT_TRUE(breaks("PRE-PDB-8"));
  decision_.candidates[1].pdb_violations = -1;
  EXPECT_TRUE(breaks("PRE-PDB-8"));
}

TEST_F(Laws, DemandAPdbForAViolation) {
  question_.cluster.pdbs.clear();
  EXPECT_TRUE(breaks("PRE-PDB-8"));
}

TEST_F(Laws, DemandTheFewestViolations) {
  decision_.chosen = 1;
  decision_.admissible = {1};
  EXPECT_TRUE(breaks("PRE-NODE-1"));
}

TEST_F(Laws, DemandThatTheChosenIsAdmissibleAndTies) {
  decision_.admissible = {1};
  EXPECT_TRUE(breaks("PRE-NODE-6"));
  decision_.admissible = {0, 1};
  EXPECT_TRUE(breaks("PRE-NODE-6"));
}

TEST_F(Laws, DemandThatOnlyLowerNominationsOfTheNodeAreCleared) {
  question_.cluster.pods[1].priority = 20;
  EXPECT_TRUE(breaks("PRE-OUTCOME-1"));
}

TEST_F(Laws, SayNothingOfErrorsAndSkips) {
  decision_.outcome = Outcome::skipped;
  EXPECT_TRUE(broken().empty());
}

// PRE-PORTS-2
TEST_F(Laws, KnowANodeWhoseAccountOfPortsIsWrong) {
  EXPECT_FALSE(holds_port_twice(question_.cluster, 0, release_));
  question_.cluster.pods[0] = with_host_port(question_.cluster.pods[0], 80);
  Pod other = with_host_port(pod("d", 1, 0), 80, "0.0.0.0", "TCP");
  other.node_name = "n1";
  question_.cluster.pods.push_back(other);
  EXPECT_TRUE(holds_port_twice(question_.cluster, 0, release_));
  EXPECT_FALSE(holds_port_twice(question_.cluster, 1, release_));
  // v1.8 distinguishes ports by their number only.
  question_.cluster.pods.back() = with_host_port(pod("d", 1, 0), 80, "10.0.0.1", "UDP");
  question_.cluster.pods.back().node_name = "n1";
  EXPECT_FALSE(holds_port_twice(question_.cluster, 0, release_));
  EXPECT_TRUE(holds_port_twice(question_.cluster, 0, release("v1.8")));
}

}  // namespace touchstone::tests
