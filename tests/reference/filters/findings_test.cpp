#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/reference/steps.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// What the filters find, in more detail than a release reports: clauses, pods, labels and amounts.
namespace touchstone::tests::findings_test {

namespace {

using ClauseAndText = std::pair<std::string, std::string>;

/// The first finding on the first node in the first pass.
Finding finding_of(const Question& question, const char* name) {
  const Status status = status_of(question, name);
  return status.findings.empty() ? Finding{} : status.findings.front();
}

/// The clause and the text of finding_of().
ClauseAndText clause_and_text(const Question& question, const char* name) {
  const Finding finding = finding_of(question, name);
  return {std::string(finding.clause), finding.what};
}

/// n1 is in zone a, and has pod a with label app=x.
Question zoned(Pod preemptor) {
  return in_zones(
      QuestionBuilder().node("n1", 3000).has(with_app(pod("a", 0, 1000), "x")).asks(std::move(preemptor)),
      {"a"});
}

/// p is pinned to n2 by name. Both nodes are empty.
Question pinned_to_n2() {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 1000));
  question.pod.node_affinity.emplace().push_back({{}, {{"metadata.name", "In", {"n2"}}}});
  return question;
}

/// The clauses of the steps of the first pass.
ClausesOfSteps clauses_of_attempt(const Question& question, const char* name) {
  return clauses_of(decision_steps(question, name, Stage::attempt));
}

}  // namespace

// PRE-TAINT-1: as key=value:effect, or as key:effect without a value.
TEST(FilterFindings, NameTheTaintAsKubectlWritesIt) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(clause_and_text(question, "v1.34"), ClauseAndText("PRE-TAINT-1", "taint k=v:NoSchedule"));
  question.cluster.nodes[0].taints = {{"k", "", "NoExecute"}};
  EXPECT_EQ(clause_and_text(question, "v1.34"), ClauseAndText("PRE-TAINT-1", "taint k:NoExecute"));
}

// PRE-PORTS-1: pod a holds port 80. The pods before and after it do not.
TEST(FilterFindings, NameThePodThatHoldsThePort) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("first", 0, 0))
                                .has(with_host_port(pod("a", 0, 0), 80))
                                .has(with_host_port(pod("b", 0, 0), 81))
                                .asks(with_host_port(pod("p", 10, 0), 80));
  const Finding finding = finding_of(question, "v1.34");
  EXPECT_EQ(finding.clause, "PRE-PORTS-1");
  EXPECT_EQ(finding.pod, 1u);
  EXPECT_EQ(finding.values, (Values{{Measure::port, 80}}));
}

// PRE-FIT-1, PRE-FIT-2: n1 has neither another pod slot nor enough cpu.
TEST(FilterFindings, HaveTheAmountsThatAreShort) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 300)).has(pod("b", 0, 400)).asks(pod("p", 10, 500));
  question.cluster.nodes[0].allocatable["pods"] = 2;
  const Status status = status_of(question, "v1.34");
  ASSERT_EQ(status.findings.size(), 2u);
  EXPECT_EQ(status.findings[0].clause, "PRE-FIT-1");
  EXPECT_EQ(status.findings[0].values,
            (Values{{Measure::requested, 1}, {Measure::used, 2}, {Measure::allocatable, 2}}));
  EXPECT_EQ(status.findings[1].clause, "PRE-FIT-2");
  EXPECT_EQ(status.findings[1].values,
            (Values{{Measure::requested, 500}, {Measure::used, 700}, {Measure::allocatable, 1000}}));
}

// PRE-AFFINITY-2, PRE-AFFINITY-4: both terms fail. In v1.11 pod a matches both terms of anti-affinity, and is
// in the domains of both.
TEST(FilterFindings, NameTheTopologyKeyOfTheFirstTerm) {
  const Question unmet = zoned(near(pod("p", 10, 1000), {by("zone", "y"), by("rack", "y")}));
  for (const char* name : {"v1.10", "v1.11", "v1.12", "v1.34"})
    EXPECT_EQ(clause_and_text(unmet, name), ClauseAndText("PRE-AFFINITY-2", "zone")) << name;
  Question forbidden = zoned(away(pod("p", 10, 1000), {by("zone", "x"), by("rack", "x")}));
  forbidden.cluster.nodes[0].labels["rack"] = "r";
  for (const char* name : {"v1.10", "v1.11", "v1.12", "v1.34"})
    EXPECT_EQ(clause_and_text(forbidden, name), ClauseAndText("PRE-AFFINITY-4", "zone")) << name;
}

// PRE-AFFINITY-7: pod b forbids p, pod a before it does not.
TEST(FilterFindings, NameThePodWhoseAntiAffinityForbidsThePreemptor) {
  Question question = zoned(with_app(pod("p", 10, 1000), "p"));
  question.cluster.pods.push_back(away(pod("b", 0, 1000), {by("zone", "p")}));
  question.cluster.pods.back().node_name = "n1";
  for (const char* name : {"v1.10", "v1.11", "v1.18", "v1.34"}) {
    const Finding finding = finding_of(question, name);
    EXPECT_EQ(finding.clause, "PRE-AFFINITY-7") << name;
    EXPECT_EQ(finding.what, "zone") << name;
    EXPECT_EQ(finding.pod, 1u) << name;
  }
}

// PRE-PREFILTER-3, PRE-CLAIM-3: pinned names or the host names of a volume exclude a node. v1.29.5 has one
// reason for both, v1.29.6 has two.
TEST(FilterFindings, CiteTheClauseThatExcludesANode) {
  for (const char* name : {"v1.29.5", "v1.29.6", "v1.34"})
    EXPECT_EQ(finding_of(pinned_to_n2(), name).clause, "PRE-PREFILTER-3") << name;
  const Stored stored = nominated_to_an_erring_node();
  for (const char* name : {"v1.29.5", "v1.29.6"})
    EXPECT_EQ(decide(stored, name).filter.at(1).findings.at(0).clause, "PRE-CLAIM-3") << name;
}

// PRE-PREFILTER-3: v1.24 gives n1 no status.
TEST(FirstPassSteps, HaveOneThatDidNotPassForANodeWithoutAStatus) {
  EXPECT_EQ(clauses_of_attempt(pinned_to_n2(), "v1.24"),
            (ClausesOfSteps{{"PRE-PREFILTER-3", false}, {"PRE-CYCLE-1", true}}));
}

// PRE-NOMINATED-1, PRE-FIT-2: cpu is short because of the nominated pod q. The finding that names q comes
// after that of the filter.
TEST(FirstPassSteps, CiteTheFilterThatRejectsWithANominatedPod) {
  const Question question =
      QuestionBuilder().node("n1", 1000).nominated(pod("q", 10, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(clauses_of_attempt(question, "v1.34"), (ClausesOfSteps{{"PRE-FIT-2", false}}));
}

}  // namespace touchstone::tests::findings_test
