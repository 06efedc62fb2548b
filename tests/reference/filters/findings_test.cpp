#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// What the filters find, in more detail than a release reports: clauses, pods, labels and amounts.
namespace touchstone::tests::findings_test {

namespace {

/// The finding of the first filter that rejects the first node in the first pass.
Finding finding_of(const Question& question, const char* name) {
  const Status status = status_of(question, name);
  return status.findings.empty() ? Finding{} : status.findings.front();
}

/// The clause and the text of finding_of().
std::pair<std::string, std::string> clause_and_text(const Question& question, const char* name) {
  const Finding finding = finding_of(question, name);
  return {std::string(finding.clause), finding.what};
}

using ClauseAndText = std::pair<std::string, std::string>;

/// n1 is in zone a, and has pod a with label app=x.
Question zoned(Pod preemptor) {
  return in_zones(
      QuestionBuilder().node("n1", 3000).has(with_app(pod("a", 0, 1000), "x")).asks(std::move(preemptor)),
      {"a"});
}

/// The steps of the first pass on each node: the clause, and whether the node passed.
std::vector<std::pair<std::string, bool>> attempt(const Question& question, const char* name) {
  Trace trace = Trace::full();
  reference::preempt(question, release(name), trace);
  std::vector<std::pair<std::string, bool>> steps;
  for (const Step& step : trace.steps()) {
    if (step.stage == Stage::attempt) steps.emplace_back(step.clause, step.passed);
  }
  return steps;
}

using Steps = std::vector<std::pair<std::string, bool>>;

/// p is pinned to n2 by name. Both nodes are empty.
Question pinned_to_n2() {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 1000));
  question.pod.node_affinity.emplace().push_back({{}, {{"metadata.name", "In", {"n2"}}}});
  return question;
}

}  // namespace

// PRE-TAINT-1
TEST(FilterFindings, NameTheTaintAsKubectlWritesIt) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(clause_and_text(question, "v1.34"), ClauseAndText("PRE-TAINT-1", "taint k=v:NoSchedule"));
  question.cluster.nodes[0].taints = {{"k", "", "NoExecute"}};
  EXPECT_EQ(clause_and_text(question, "v1.34"), ClauseAndText("PRE-TAINT-1", "taint k:NoExecute"));
}

// PRE-PORTS-1: pod b, which was added last, does not hold the port.
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

// PRE-FIT-1, PRE-FIT-2
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

// PRE-AFFINITY-2, PRE-AFFINITY-4: the first of two terms that fail.
TEST(FilterFindings, NameTheTopologyKeyOfTheFirstTerm) {
  const Question unmet = zoned(near(pod("p", 10, 1000), {by("zone", "y"), by("rack", "y")}));
  for (const char* name : {"v1.10", "v1.11", "v1.12", "v1.34"})
    EXPECT_EQ(clause_and_text(unmet, name), ClauseAndText("PRE-AFFINITY-2", "zone")) << name;
  Question forbidden = zoned(away(pod("p", 10, 1000), {by("zone", "x"), by("rack", "x")}));
  forbidden.cluster.nodes[0].labels["rack"] = "r";
  EXPECT_EQ(clause_and_text(forbidden, "v1.11"), ClauseAndText("PRE-AFFINITY-4", "zone"));
}

// PRE-AFFINITY-7
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

// PRE-PREFILTER-3, PRE-CLAIM-3: pinned names or the host names of a volume exclude a node.
TEST(FilterFindings, SayWhatExcludesANode) {
  for (const char* name : {"v1.29.5", "v1.29.6", "v1.34"})
    EXPECT_EQ(finding_of(pinned_to_n2(), name).clause, "PRE-PREFILTER-3") << name;
  const Stored stored = nominated_to_an_erring_node();
  for (const char* name : {"v1.29.5", "v1.29.6"})
    EXPECT_EQ(decide(stored, name).filter.at(1).findings.at(0).clause, "PRE-CLAIM-3") << name;
}

// PRE-PREFILTER-3
TEST(FilterFindings, OfANodeWithoutAStatusAreAStepThatDidNotPass) {
  EXPECT_EQ(attempt(pinned_to_n2(), "v1.24"), (Steps{{"PRE-PREFILTER-3", false}, {"PRE-CYCLE-1", true}}));
}

// PRE-NOMINATED-1, PRE-FIT-2: the clause of a step is that of the filter; the nominated pod q is named last.
TEST(FilterFindings, BeginWithTheFilterThatRejects) {
  const Question question =
      QuestionBuilder().node("n1", 1000).nominated(pod("q", 10, 1000)).asks(pod("p", 10, 1000));
  EXPECT_EQ(attempt(question, "v1.34"), (Steps{{"PRE-FIT-2", false}}));
}

}  // namespace touchstone::tests::findings_test
