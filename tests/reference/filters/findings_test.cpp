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

/// The question with p pinned to these names of nodes.
Question pinned(Question question, const std::vector<std::string>& names) {
  question.pod.node_affinity.emplace();
  for (const std::string& name : names)
    question.pod.node_affinity->push_back({{}, {{"metadata.name", "In", {name}}}});
  return question;
}

/// p is pinned to n2 by name. Both nodes are empty.
Question pinned_to_n2() {
  return pinned(QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 1000)), {"n2"});
}

/// Nodes n1 and n2, each with a pod that p can evict.
Question two_full_nodes() {
  return QuestionBuilder()
      .node("n1", 1000)
      .has(pod("a", 0, 1000))
      .node("n2", 1000)
      .has(pod("b", 0, 1000))
      .asks(pod("p", 10, 1000));
}

/// two_full_nodes(). p also has the claims c1 and c2, whose volumes name the hosts n1 and n2.
Stored two_hosts() {
  Question question = two_full_nodes();
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  question.pod = with_claim(with_claim(question.pod, "c1"), "c2");
  return Stored(question)
      .with(claim("c1", "v1"))
      .with(claim("c2", "v2"))
      .with(reached_from(volume("v1"), "kubernetes.io/hostname", {"n1"}))
      .with(reached_from(volume("v2"), "kubernetes.io/hostname", {"n2"}));
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

// PRE-FIT-1: n1 has two pods already, although it allows one.
TEST(FilterFindings, HaveTheNumberOfPods) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 20, 0)).has(pod("b", 20, 0)).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(finding_of(question, "v1.34").values,
            (Values{{Measure::requested, 1}, {Measure::used, 2}, {Measure::allocatable, 1}}));
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

// PRE-AFFINITY-4, PRE-AFFINITY-7: an anti-affinity term of p matches both a and b, or both have such a term
// that matches p. The finding names a.
TEST(FilterFindings, NameTheFirstPodThatAntiAffinityKeepsApart) {
  const auto named_pod = [](const Question& question, const char* name) {
    return finding_of(in_zones(question, {"a"}), name).pod;
  };
  const Question own = QuestionBuilder()
                           .node("n1", 1000)
                           .has(with_app(pod("a", 20, 0), "x"))
                           .has(with_app(pod("b", 20, 0), "x"))
                           .asks(away(pod("p", 10, 1000), {by("zone", "x")}));
  const Question theirs = QuestionBuilder()
                              .node("n1", 1000)
                              .has(away(pod("a", 20, 0), {by("zone", "x")}))
                              .has(away(pod("b", 20, 0), {by("zone", "x")}))
                              .asks(with_app(pod("p", 10, 1000), "x"));
  for (const char* name : {"v1.10", "v1.11", "v1.18", "v1.34"}) {
    EXPECT_EQ(named_pod(own, name), 0U) << name;
    EXPECT_EQ(named_pod(theirs, name), 0U) << name;
  }
}

// PRE-SPREAD-7: zones b and c have no pod. The finding names b.
TEST(FilterFindings, NameTheFirstOfTheEmptiestDomains) {
  const Question question =
      in_zones(QuestionBuilder()
                   .node("n1", 2000)
                   .has(with_app(pod("a", 20, 0), "x"))
                   .node("n2", 2000)
                   .node("n3", 2000)
                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
               {"a", "b", "c"});
  const Finding finding = finding_of(question, "v1.34");
  EXPECT_EQ(finding.clause, "PRE-SPREAD-7");
  EXPECT_EQ(finding.least_domain, "b");
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

// PRE-CLAIM-3: no node has the host names of both volumes.
TEST(FilterFindings, CiteTheClauseIfVolumesNameDifferentHosts) {
  EXPECT_EQ(clauses_of_attempt(two_hosts(), "v1.30.4"),
            (ClausesOfSteps{{"PRE-CLAIM-3", false}, {"PRE-CLAIM-3", false}}));
  EXPECT_EQ(
      status_of(two_hosts(), "v1.30.4"),
      (Status{Code::unschedulable_and_unresolvable, "", {"node(s) didn't satisfy plugin VolumeBinding"}}));
}

// PRE-NODENAME-2: nodeName of the pod is n1, and its affinity pins it to n2.
TEST(FilterFindings, CiteTheClauseIfTheNamedNodeIsNotPinned) {
  Question question = pinned(two_full_nodes(), {"n2"});
  question.pod.node_name = "n1";
  EXPECT_EQ(clauses_of_attempt(question, "v1.37"),
            (ClausesOfSteps{{"PRE-NODENAME-2", false}, {"PRE-NODENAME-2", false}}));
}

// PRE-CLAIM-3: the volumes name the host n1, and the affinity pins the pod to n2. v1.29.6 gives the nodes the
// same status whichever PreFilter comes last.
TEST(FilterFindings, AreNotUnresolvableThrough129IfNoNodeIsLeft) {
  const Question question =
      pinned(two_hosts().with(reached_from(volume("v2"), "kubernetes.io/hostname", {"n1"})), {"n2"});
  Release by = release("v1.29.6");
  for (const auto& order : {std::vector{Filter::volume_binding, Filter::node_affinity},
                            std::vector{Filter::node_affinity, Filter::volume_binding}}) {
    by.prefilters = order;
    EXPECT_EQ(reference::preempt(question, by).filter.at(0).code, Code::unschedulable);
  }
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

// PRE-PREFILTER-4: the pinned names contradict each other. v1.27.0 loses this failure.
TEST(FirstPassSteps, HaveTheRejectionThatIsLost) {
  Question question = two_full_nodes();
  question.pod.node_affinity.emplace().push_back(
      {{}, {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}}});
  EXPECT_EQ(clauses_of_attempt(question, "v1.27.0"), (ClausesOfSteps{{"PRE-PREFILTER-4", false}}));
}

// PRE-PREFILTER-5: v1.24 errs on a pinned name that no node has, and filters no node.
TEST(FirstPassSteps, HaveNoNodeIfAPinnedNameIsUnknown) {
  const Question question = pinned(two_full_nodes(), {"n1", "gone"});
  EXPECT_EQ(clauses_of_attempt(question, "v1.24"), (ClausesOfSteps{{"PRE-PREFILTER-5", false}}));
  EXPECT_TRUE(decide(question, "v1.24").filter.empty());
}

// PRE-ATTACH-6, PRE-NOMINATED-1: the claim of the nominated pod q was not made for q, so a filter errs.
TEST(FirstPassSteps, CiteTheFilterThatErrsWithANominatedPod) {
  const Question question = Stored(QuestionBuilder()
                                       .node("n0", 1000)
                                       .nominated(with_volume(pod("q", 20, 0), source("ephemeral")))
                                       .asks(with_claim(pod("p", 10, 1000), "c")))
                                .with(claim("c", "v"))
                                .with(volume("v"))
                                .with(claim("q-v0", "v"))
                                .with(CsiNode{"n0", {"d"}, {{"d", 9}}, {}});
  EXPECT_EQ(clauses_of_attempt(question, "v1.34"), (ClausesOfSteps{{"PRE-ATTACH-6", false}}));
}

}  // namespace touchstone::tests::findings_test
