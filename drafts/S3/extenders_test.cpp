// tests/optimized/extenders_test.cpp
#include "tests/support/extenders.hpp"

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::extenders_more_test {

namespace {

/// n1 to n3, each full with a pod of the priority 2, 1 and 0.
Question full_nodes(std::vector<Extender> extenders) {
  QuestionBuilder cluster;
  for (const Quantity i : {1, 2, 3}) {
    const std::string number = std::to_string(i);
    cluster.node("n" + number, 1000).has(pod("on-n" + number, 3 - i, 1000));
  }
  Question question = cluster.asks(pod("p", 10, 1000));
  question.extenders = std::move(extenders);
  return question;
}

Extender keeps_all() { return preempts({{"n1", keeps()}, {"n2", keeps()}, {"n3", keeps()}}); }

}  // namespace

// EXT-NOMINATED-1: from v1.22 the nominated node n2 is tried first. The extender refuses it, and the other
// node is tried.
TEST(OptimizedExtenders, AreAskedAboutOtherNodesIfTheyRefuseTheNominatedOne) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 500));
  question.pod.nominated_node_name = "n2";
  question.extenders = {filters_names({{"n1", ok()}, {"n2", rejected("no")}})};
  for (const char* version : {"v1.20", "v1.22", "v1.31", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).feasible, std::vector<NodeIndex>{0}) << version;
}

// EXT-ANSWER-1: a decision on preemption, too, is left to the reference if an answer is not known.
TEST(OptimizedExtenders, AreLeftToTheReferenceInADecisionIfAnAnswerIsNotKnown) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 500));
  Extender unknown = filters_names({});
  unknown.filter.reset();
  question.extenders = {unknown};
  const optimized::Answer answer = agreed(question, "v1.36.3");
  EXPECT_EQ(answer.outcome, Outcome::skipped);
  EXPECT_EQ(answer.reason, "configuration: extenders: an answer is not known");
}

// PRE-SEARCH-2: a question with a quota and without an offset takes no sample, so the best node n3 is found.
TEST(OptimizedExtenders, TakeNoSampleWithoutAStart) {
  Question question = full_nodes({keeps_all()});
  question.quota = 1;
  for (const char* version : {"v1.20.15", "v1.34", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).node, NodeIndex{2}) << version;
}

// EXT-PREEMPT-3, PRE-SEARCH-3: the extender leaves no victims on n2 and n1. The error is that of the first
// candidate of the search.
TEST(OptimizedExtenders, LeaveNoVictimsOnSeveralNodes) {
  const Question question = full_nodes({preempts({{"n2", evicts({})}, {"n1", evicts({})}, {"n3", keeps()}})});
  for (const char* version : {"v1.13", "v1.24", "v1.34", "v1.36.3"}) agreed(question, version);
  EXPECT_EQ(agreed(question, "v1.36.3").outcome, Outcome::error);
}

// PRE-VICTIM-8, PRE-CLAIM-2: up to v1.17 the filter of volumes errs in the dry run. A node without victims
// would win, but a node with an error is no candidate.
TEST(OptimizedExtenders, GetNoCandidateWithAnError) {
  Pod asking = with_claim(pod("p", 10, 1000), "c");
  Question question =
      Stored(QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(asking)).with(claim("c"));
  question.extenders = {preempts({{"n1", keeps()}})};
  for (const char* version : {"v1.13", "v1.15", "v1.16", "v1.17"})
    EXPECT_EQ(outcome(question, version), Outcome::none) << version;
}

}  // namespace touchstone::tests::extenders_more_test
