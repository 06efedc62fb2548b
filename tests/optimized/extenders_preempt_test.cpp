#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/extender_questions.hpp"
#include "tests/support/storage.hpp"

/// Extenders that change the candidates for preemption. The optimized engine chooses among those that are
/// left as the reference does.
namespace touchstone::tests::extenders_preempt_test {

namespace {

using Nodes = std::vector<NodeIndex>;

Extender keeps_all() { return preempts({{"n1", keeps()}, {"n2", keeps()}, {"n3", keeps()}}); }

/// n1 to n3, each with a pod of the priority 2, 1 and 0.
Question three_full_nodes(std::vector<Extender> extenders) {
  return full_nodes({{pod("on-n1", 2, 1000)}, {pod("on-n2", 1, 1000)}, {pod("on-n3", 0, 1000)}},
                    std::move(extenders));
}

}  // namespace

// EXT-ERROR-1, EXT-PREEMPT-2, EXT-ANSWER-1: an error, an answer that only the reference can handle, and an
// empty list of candidates each end the calls. A later extender cannot change the reason.
TEST(OptimizedExtenders, KeepTheReasonOfTheAnswerThatEndsTheCallsAboutVictims) {
  const Extender ghost = preempts({{"ghost", keeps()}});
  const Extender second = failing(preempts({}), "second");
  Extender knows_n1 = preempts({{"n1", keeps()}, {"n2", keeps()}});
  knows_n1.preempt->asked = std::set<std::string>{"n1"};
  struct Case {
    std::vector<Extender> extenders;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {{unknown(ghost), ghost}, k_unknown_answer},
      {{knows_n1}, k_unknown_answer},
      {{failing(preempts({}), "first"), second}, "first"},
      {{failing(ghost, "first")}, "first"},
      {{ghost, unknown(ghost)}, k_unknown_node},
      {{preempts({{"ghost", keeps()}, {"n1", evicts({"default/nobody"})}})}, k_unknown_node},
      {{preempts({{"n1", evicts({"default/on-n1", "default/nobody"})}}), ghost}, k_unknown_victim},
      {{preempts({{"n1", evicts({})}}), second}, "expected at least one victim pod on node \"n1\""},
      {{preempts({}), second}, "no candidate node for preemption"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(placed_answer(two_full_nodes(cases[i].extenders), "v1.36.3").reason, cases[i].reason) << i;
  // The error of an ignorable extender does not end the calls.
  const std::vector<Extender> both = {ignorable(failing(preempts({}))),
                                      ignorable(preempts({{"n2", keeps()}}))};
  EXPECT_EQ(placed_answer(two_full_nodes(both), "v1.36.3").admissible, Nodes{1});
}

// EXT-PREEMPT-4: in v1.10 preemption asks all extenders that filter, also behind one that does not. An error
// rejects the candidate.
TEST(OptimizedExtenders, FilterTheCandidatesAgainInV110) {
  const Extender rejects_n1 = filters_names({{"n2", ok()}});
  EXPECT_EQ(placed_answer(two_full_nodes({scores(1, {}), rejects_n1}), "v1.10").admissible, Nodes{1});
  EXPECT_EQ(placed_answer(two_full_nodes({failing(filters_all())}), "v1.10").outcome, Outcome::none);
  EXPECT_EQ(placed_answer(two_full_nodes({unknown(filters_all())}), "v1.10").reason, k_unknown_answer);
  Extender knows_n1 = filters_all();
  knows_n1.filter->asked = std::set<std::string>{"n1"};
  EXPECT_EQ(placed_answer(two_full_nodes({knows_n1}), "v1.10").reason, k_unknown_answer);
}

// PRE-NODE-1 to PRE-NODE-6: the criteria apply to the victims that extenders leave, in the order in which an
// extender names them. Times are not criteria before v1.15.
TEST(OptimizedExtenders, ChooseAmongTheCandidatesThatAreLeft) {
  constexpr Quantity k_lowest = -2147483648;
  constexpr Quantity k_latest = std::numeric_limits<Quantity>::max();
  const auto at = [](const char* name, Quantity priority, Quantity start) {
    return started(pod(name, priority, 1000), start);
  };
  const Extender keeps_both = preempts({{"n1", keeps()}, {"n2", keeps()}});
  struct Case {
    std::vector<std::vector<Pod>> pods;
    Extender extender;
    Nodes best;
  };
  const std::vector<Case> cases = {
      // the sum of priorities
      {{{at("a", 5, 1), at("b", 5, 1)}, {at("c", 5, 1), at("d", 0, 1)}}, keeps_both, {1}},
      // the first priority, before the sum
      {{{at("a", 5, 1)}, {at("b", 4, 1), at("c", 4, 1)}}, keeps_both, {1}},
      {{{at("a", 5, 1), at("b", 0, 1)}, {at("c", 3, 1), at("d", 3, 1)}}, keeps_both, {1}},
      // the number of victims, where the sums are equal
      {{{at("a", 0, 1), at("b", k_lowest, 1)}, {at("c", 0, 1)}}, keeps_both, {1}},
      // a pod that has not started, before the latest start
      {{{at("a", 0, 5)}, {unstarted(pod("b", 0, 1000))}}, keeps_both, {1}},
      {{{at("a", 0, k_latest)}, {unstarted(pod("b", 0, 1000))}}, keeps_both, {1}},
      // the earliest start of the pods of the highest priority
      {{{at("a", 5, 100), at("b", 0, 10)}, {at("c", 5, 50), at("d", 0, 60)}}, keeps_both, {0}},
      {{{at("a", 0, 300), at("b", 5, 100)}, {at("c", 0, 50), at("d", 5, 200)}},
       preempts({{"n1", evicts({"default/a", "default/b"})}, {"n2", evicts({"default/c", "default/d"})}}),
       {1}},
      {{{at("a", 0, 100), at("b", 0, 10)}, {at("c", 0, 50), at("d", 0, 60)}},
       preempts({{"n1", evicts({"default/a", "default/b"})}, {"n2", evicts({"default/c", "default/d"})}}),
       {1}},
      // a better node behind a worse one
      {{{at("a", 3, 1)}, {at("b", 5, 1)}, {at("c", 0, 1)}}, keeps_all(), {2}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Question question = full_nodes(cases[i].pods, {cases[i].extender});
    EXPECT_EQ(placed_answer(question, "v1.36.3").admissible, cases[i].best) << i;
    for (const char* version : {"v1.13.0", "v1.18", "v1.24"}) placed_answer(question, version);
  }
}

// PRE-VICTIM-8: up to v1.18 a candidate without victims wins at once, even over a victim of priority -5.
TEST(OptimizedExtenders, MayLeaveACandidateWithoutVictimsThatWins) {
  const Question question = full_nodes({{pod("a", 0, 1000)}, {pod("b", -5, 1000)}},
                                       {preempts({{"n1", evicts({})}, {"n2", keeps()}})});
  EXPECT_EQ(placed_answer(question, "v1.18").admissible, Nodes{0});
}

// EXT-PREEMPT-3, PRE-SEARCH-3: the extender leaves no victims on n2 and n1. The error is that of the first
// candidate of the search.
TEST(OptimizedExtenders, LeaveNoVictimsOnSeveralNodes) {
  const Question question =
      three_full_nodes({preempts({{"n2", evicts({})}, {"n1", evicts({})}, {"n3", keeps()}})});
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

// PRE-NODE-6, PRE-SEARCH-1: the search begins at the second potential node. All nodes tie, and are listed in
// the order of the cluster all the same.
TEST(OptimizedExtenders, LeaveTiedNodesInTheOrderOfTheCluster) {
  Question question =
      full_nodes({{pod("a", 0, 1000)}, {pod("b", 0, 1000)}, {pod("c", 0, 1000)}}, {keeps_all()});
  question.offset = 1;
  EXPECT_EQ(placed_answer(question, "v1.36.3").admissible, (Nodes{0, 1, 2}));
}

// PRE-SEARCH-2: the question has a quota of 1 and no offset. So the search takes no sample, the extender gets
// all candidates, and the best node n3 wins.
TEST(OptimizedExtenders, GetAllCandidatesWithoutAnOffset) {
  Question question = three_full_nodes({keeps_all()});
  question.quota = 1;
  for (const char* version : {"v1.20.15", "v1.34", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).node, NodeIndex{2}) << version;
}

}  // namespace touchstone::tests::extenders_preempt_test
