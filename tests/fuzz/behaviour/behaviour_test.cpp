#include "fuzz/behaviour/behaviour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/preemption/preempt.hpp"
#include "spec/rules/rules.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::fuzz {

using namespace touchstone::tests;

namespace {

Behaviour shown(const Question& question, const char* name = "v1.34.4") {
  const Release asked = release(name);
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question, asked, trace);
  return behaviour_of(question, asked, decision, trace);
}

bool shows(const Behaviour& behaviour, std::string_view clause) {
  return std::find(behaviour.clauses.begin(), behaviour.clauses.end(), clause) != behaviour.clauses.end();
}

/// Nodes n1 and n2, each with a pod that requests 1 CPU and has a given priority. The preemptor requests 1
/// CPU.
Question two_nodes(Quantity first, Quantity second) {
  return QuestionBuilder()
      .node("n1", 1000)
      .has(pod("a", first, 1000))
      .node("n2", 1000)
      .has(pod("b", second, 1000))
      .asks(pod("p", 10, 1000));
}

}  // namespace

TEST(Classes, HaveNamesOfTheirOwnAndClausesThatExist) {
  std::set<std::string_view> names;
  std::set<std::string_view> clauses = {""};
  for (const Rule& rule : rules()) clauses.insert(rule.id);
  for (const ClassInfo& info : k_class_infos) {
    EXPECT_FALSE(info.name.empty());
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(clauses.contains(info.clause)) << info.name;
  }
}

TEST(Behaviour, TellsWhatDecidedTheChoice) {
  EXPECT_TRUE(shown(two_nodes(1, 1)).shows(Class::tie_of_two));
  EXPECT_FALSE(shown(two_nodes(1, 1)).shows(Class::decided_by_first_priority));
  EXPECT_TRUE(shown(two_nodes(1, 2)).shows(Class::decided_by_first_priority));
  EXPECT_TRUE(shown(two_nodes(1, 20)).shows(Class::only_candidate));
  Question later = two_nodes(1, 1);
  later.cluster.pods[1].start_time_ns.reset();
  EXPECT_TRUE(shown(later).shows(Class::decided_by_start));
  EXPECT_TRUE(shown(later).shows(Class::unstarted_wins));
  EXPECT_TRUE(shown(later, "v1.14").shows(Class::tie_of_two));
}

TEST(Behaviour, TellsHowCloseTheFitWas) {
  Question question = QuestionBuilder()
                          .node("n1", 3000)
                          .has(pod("a", 5, 2000))
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  Behaviour behaviour = shown(question);
  EXPECT_TRUE(behaviour.shows(Class::exact_fit_after_eviction));
  EXPECT_TRUE(behaviour.shows(Class::pod_reprieved));
  EXPECT_TRUE(behaviour.shows(Class::one_victim));
  EXPECT_FALSE(behaviour.shows(Class::off_by_one));
  question.pod.containers[0].requests["cpu"] = 1;
  behaviour = shown(question);
  EXPECT_TRUE(behaviour.shows(Class::off_by_one));
  EXPECT_FALSE(behaviour.shows(Class::exact_fit_after_eviction));
}

TEST(Behaviour, TellsHowBudgetsWereSpent) {
  Question question = QuestionBuilder()
                          .pdb("x", 1)
                          .node("n1", 2000)
                          .has(with_app(pod("a", 5, 1000), "x"))
                          .has(with_app(pod("b", 0, 1000), "x"))
                          .asks(pod("p", 10, 1000));
  const Behaviour behaviour = shown(question);
  EXPECT_TRUE(behaviour.shows(Class::budget_spent_by_another_pod));
  EXPECT_TRUE(behaviour.shows(Class::violating_pod_reprieved));
  EXPECT_TRUE(behaviour.shows(Class::violating_and_other_pods));
  EXPECT_FALSE(behaviour.shows(Class::violation_accepted));
  EXPECT_FALSE(shown(question, "v1.17").shows(Class::budget_spent_by_another_pod));
  EXPECT_TRUE(shown(question, "v1.8").shows(Class::pdbs_ignored));
  question.pod.containers[0].requests["cpu"] = 2000;
  EXPECT_TRUE(shown(question).shows(Class::violation_accepted));
  EXPECT_TRUE(shown(question).shows(Class::two_victims));
}

TEST(Behaviour, TellsWhatComesOfNominations) {
  Question question = two_nodes(1, 2);
  question.pod.nominated_node_name = "n2";
  question.cluster.pods.push_back(pod("q", 0, 1000));
  question.cluster.pods.back().nominated_node_name = "n1";
  const Behaviour behaviour = shown(question);
  EXPECT_TRUE(behaviour.shows(Class::own_nomination_moved));
  EXPECT_TRUE(behaviour.shows(Class::lower_nomination_cleared));
  EXPECT_TRUE(behaviour.shows(Class::lower_nomination_unseen));
  EXPECT_TRUE(shown(question, "v1.8").shows(Class::lower_nomination_kept));
  question.cluster.pods.back().priority = 50;
  EXPECT_TRUE(shown(question).shows(Class::nominated_pod_in_the_way));
  EXPECT_TRUE(shown(question).shows(Class::own_nomination_renewed));
}

TEST(Behaviour, CitesTheClausesOfItsTraceAndOfItsClasses) {
  Question question = two_nodes(1, 2);
  question.cluster.pods[0].overhead = {{"cpu", 1}};
  const Behaviour behaviour = shown(question);
  EXPECT_TRUE(std::is_sorted(behaviour.clauses.begin(), behaviour.clauses.end()));
  EXPECT_TRUE(shows(behaviour, "PRE-NODE-2"));
  EXPECT_TRUE(shows(behaviour, "PRE-REQUESTS-3"));
  EXPECT_FALSE(shows(behaviour, "PRE-NODE-3"));
}

TEST(Behaviour, LooksAtAnyQuestion) {
  Question bare;
  EXPECT_TRUE(shown(bare).shows(Class::error));
  bare.cluster.nodes.push_back({"n1", {}, false, {}, {}, {}, {}});
  EXPECT_TRUE(shown(bare).shows(Class::none));
  NodeSelectorTerm term;
  term.match_expressions.push_back({"k", "Gt", {}});
  term.match_fields.push_back({"metadata.name", "In", {}});
  bare.pod.node_affinity.emplace().push_back(term);
  EXPECT_TRUE(shown(bare).shows(Class::invalid_requirement));
}

TEST(Signature, IsOfTheDecisionNotOfNames) {
  const std::uint64_t first = shown(two_nodes(1, 2)).signature;
  EXPECT_EQ(shown(two_nodes(1, 2)).signature, first);
  Question renamed = two_nodes(1, 2);
  renamed.cluster.pods[0].name = "z";
  EXPECT_EQ(shown(renamed).signature, first);
  EXPECT_EQ(shown(two_nodes(2, 1)).signature, first);
  EXPECT_NE(shown(two_nodes(1, 1)).signature, first);
  EXPECT_NE(shown(two_nodes(20, 1)).signature, first);
}

}  // namespace touchstone::fuzz
