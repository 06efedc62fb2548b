// tests/reference/filters: FilterFindings and FirstPassSteps into findings_test.cpp, InterPodAffinity into
// affinity_test.cpp, PodTopologySpread into spread_test.cpp, all others into filters_test.cpp
#include <gtest/gtest.h>

#include "reference/filters/filters.hpp"
#include "tests/reference/steps.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::more_first_pass_test {

namespace {

using Reasons = std::vector<std::string>;

/// p is pinned to nodes by name.
Question pinned(Question question, const std::vector<std::string>& names) {
  question.pod.node_affinity.emplace();
  for (const std::string& name : names)
    question.pod.node_affinity->push_back({{}, {{"metadata.name", "In", {name}}}});
  return question;
}

Question two_nodes() {
  return QuestionBuilder()
      .node("n1", 1000)
      .has(pod("a", 0, 1000))
      .node("n2", 1000)
      .has(pod("b", 0, 1000))
      .asks(pod("p", 10, 1000));
}

/// The volumes of claims c1 and c2 name the hosts n1 and n2.
Question two_hosts() {
  Question question = two_nodes();
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  question.pod = with_claim(with_claim(question.pod, "c1"), "c2");
  return Stored(question)
      .with(claim("c1", "v1"))
      .with(claim("c2", "v2"))
      .with(reached_from(volume("v1"), "kubernetes.io/hostname", {"n1"}))
      .with(reached_from(volume("v2"), "kubernetes.io/hostname", {"n2"}));
}

ClausesOfSteps clauses_of_attempt(const Question& question, const char* name) {
  return clauses_of(decision_steps(question, name, Stage::attempt));
}

/// The error of the first node's dry run.
std::string error_of_dry_run(const Question& question, const char* name) {
  const Decision decision = decide(question, name);
  const auto found = decision.dry_run.find(0);
  return found == decision.dry_run.end() ? "" : found->second.reasons[0];
}

}  // namespace

// PRE-CLAIM-3: no node has the host names of both volumes. The PreFilter of no single plugin is to blame.
TEST(FilterFindings, CiteTheClauseIfVolumesNameSeveralHosts) {
  EXPECT_EQ(clauses_of_attempt(two_hosts(), "v1.30.4"),
            (ClausesOfSteps{{"PRE-CLAIM-3", false}, {"PRE-CLAIM-3", false}}));
  EXPECT_EQ(
      status_of(two_hosts(), "v1.30.4"),
      (Status{Code::unschedulable_and_unresolvable, "", {"node(s) didn't satisfy plugin VolumeBinding"}}));
}

// PRE-NODENAME-2: the pod names n1, and its affinity pins it to n2.
TEST(FilterFindings, CiteTheClauseIfTheNamedNodeIsNotPinned) {
  Question question = pinned(two_nodes(), {"n2"});
  question.pod.node_name = "n1";
  EXPECT_EQ(clauses_of_attempt(question, "v1.37"),
            (ClausesOfSteps{{"PRE-NODENAME-2", false}, {"PRE-NODENAME-2", false}}));
}

// PRE-CLAIM-3, PRE-NODENAME-2: a configuration runs VolumeBinding before NodeAffinity, which leaves no node.
// Only VolumeBinding, as the last one, makes the nodes resolvable before v1.30.
TEST(FilterFindings, AreUnresolvableIfNodeAffinityLeavesNoNode) {
  const Question question =
      pinned(Stored(two_hosts()).with(reached_from(volume("v2"), "kubernetes.io/hostname", {"n1"})), {"n2"});
  Release by = release("v1.29.6");
  by.prefilters = {Filter::volume_binding, Filter::node_affinity};
  EXPECT_EQ(reference::preempt(question, by).filter.at(0).code, Code::unschedulable_and_unresolvable);
  by.prefilters = {Filter::node_affinity, Filter::volume_binding};
  EXPECT_EQ(reference::preempt(question, by).filter.at(0).code, Code::unschedulable);
}

// PRE-PREFILTER-4: the pod has an unbound claim. The filter that lacks its state first is VolumeRestrictions,
// unless its PreFilter has run and was not skipped: in v1.27.0 never, in v1.28.0 without such disks.
TEST(MissingFilterState, IsThatOfTheFirstFilterThatRuns) {
  Question question = two_nodes();
  question.pod = with_claim(question.pod, "c");
  const Question with_claim_alone = Stored(question).with(claim("c"));
  question.pod = with_volume(question.pod, source("iscsi", "disk"));
  const Question with_disk = Stored(question).with(claim("c"));
  EXPECT_NE(error_of_dry_run(with_claim_alone, "v1.27.0").find("\"PodTopologySpread\""), std::string::npos);
  EXPECT_NE(error_of_dry_run(with_claim_alone, "v1.28.0").find("\"VolumeRestrictions\""), std::string::npos);
  EXPECT_NE(error_of_dry_run(with_disk, "v1.28.0").find("\"PodTopologySpread\""), std::string::npos);
}

// PRE-PREFILTER-4: the pinned names contradict each other, and v1.27.0 forgets it.
TEST(FirstPassSteps, HaveTheRejectionThatIsLost) {
  Question question = two_nodes();
  question.pod.node_affinity.emplace().push_back(
      {{}, {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}}});
  EXPECT_EQ(clauses_of_attempt(question, "v1.27.0"), (ClausesOfSteps{{"PRE-PREFILTER-4", false}}));
}

// PRE-PREFILTER-5: v1.24 errs on a pinned name that no node has, and filters no node.
TEST(FirstPassSteps, HaveNoNodeIfAPinnedNameIsUnknown) {
  const Question question = pinned(two_nodes(), {"n1", "gone"});
  EXPECT_EQ(clauses_of_attempt(question, "v1.24"), (ClausesOfSteps{{"PRE-PREFILTER-5", false}}));
  EXPECT_TRUE(decide(question, "v1.24").filter.empty());
}

// PRE-CYCLE-2, PRE-PREFILTER-5: without nodes no PreFilter runs, so a pinned name is not looked up.
TEST(FirstPass, HasTheErrorOfAnEmptyClusterBeforeThatOfAName) {
  Question question = pinned(two_nodes(), {"gone"});
  question.cluster = {};
  EXPECT_EQ(decide(question, "v1.24").reason, "no nodes available to schedule pods");
  EXPECT_EQ(clauses_of_attempt(question, "v1.24"), (ClausesOfSteps{{"PRE-CYCLE-2", false}}));
}

// PRE-SPREAD-6, PRE-CYCLE-3: p fits on n1, to which it is nominated. On n2, over which it does not spread, q
// is nominated. Before v1.22 all nodes are filtered, and the scheduler crashes on n2.
TEST(FirstPass, CrashesOnAnotherNodeThanTheNominatedOneBefore122) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .node("n2", 1000)
                                   .nominated(with_app(pod("q", 20, 100), "x"))
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.pod.node_selector["disk"] = "ssd";
  question.cluster.nodes[0].labels["disk"] = "ssd";
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(decide(question, "v1.21").outcome, Outcome::error);
  EXPECT_EQ(decide(question, "v1.21").message, "");  // a crash reports nothing
  EXPECT_EQ(decide(question, "v1.22.0").outcome, Outcome::fits);
}

// PRE-ATTACH-6, PRE-NOMINATED-1: the claim of the nominated pod q is not its own, so a filter errs with q.
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

// CYC-PROFILE-1
TEST(PreFilters, RunUnlessTheConfigurationTurnsThemOff) {
  Release by = release("v1.34");
  for (const Filter filter : {Filter::node_affinity, Filter::inter_pod_affinity, Filter::pod_topology_spread})
    EXPECT_TRUE(reference::runs_prefilter(filter, by));
  by.prefilters_off = {Filter::inter_pod_affinity, Filter::node_ports};
  EXPECT_TRUE(reference::runs_prefilter(Filter::node_affinity, by));
  EXPECT_FALSE(reference::runs_prefilter(Filter::inter_pod_affinity, by));
  EXPECT_FALSE(reference::runs_prefilter(Filter::node_ports, by));
  EXPECT_TRUE(reference::runs_prefilter(Filter::pod_topology_spread, by));
}

// POL-ALL-1, PRE-CLAIM-2: an error ends the filters of a node, also if a Policy checks all predicates. The
// pod a would reject the node afterwards.
TEST(CheckAllPredicates, EndsAtAnError) {
  const Question question =
      in_zones(Stored(QuestionBuilder()
                          .node("n1", 2000)
                          .has(with_app(pod("a", 20, 0), "x"))
                          .asks(away(with_claim(pod("p", 10, 1000), "c"), {by("zone", "x")})))
                   .with(claim("c")),
               {"a"});
  const Release all = with_policy("v1.13", R"("alwaysCheckAllPredicates":true)");
  EXPECT_EQ(reference::preempt(question, all).outcome, Outcome::error);
}

// PRE-AFFINITY-3: the pod could be the first of its group, but n1 lacks one of the two topology keys.
TEST(InterPodAffinity, LetsTheFirstPodOfAGroupInOnlyWhereAllKeysAre) {
  Question question =
      in_zones(QuestionBuilder()
                   .node("n1", 1000)
                   .asks(near(with_app(pod("p", 10, 1000), "x"), {by("zone", "x"), by("rack", "x")})),
               {"a"});
  EXPECT_TRUE(fits(question, "v1.18"));
  for (const char* name : {"v1.19", "v1.28", "v1.37"}) EXPECT_FALSE(fits(question, name)) << name;
  question.cluster.nodes[0].labels["rack"] = "r";
  for (const char* name : {"v1.19", "v1.28", "v1.37"}) EXPECT_TRUE(fits(question, name)) << name;
}

// PRE-AFFINITY-2, PRE-AFFINITY-3: v1.11 looks for the pods before the dry run. Only a term makes it look.
TEST(InterPodAffinity, RequiresNothingWithoutATermInV111) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(pod("a", 0, 1000))
                                   .asks(near(pod("p", 10, 1000), {by("zone", "x")})),
                               {"a"});
  EXPECT_EQ(decide(question, "v1.11").outcome, Outcome::none);
  question.pod.pod_affinity.clear();
  EXPECT_EQ(decide(question, "v1.11").outcome, Outcome::nominated);
}

// PRE-AFFINITY-4, PRE-AFFINITY-7: of two pods in the way, the first one is named.
TEST(FilterFindings, NameTheFirstPodInTheWay) {
  const auto pod_in_the_way = [](const Question& question, const char* name) {
    return status_of(in_zones(question, {"a"}), name).findings.at(0).pod;
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
    EXPECT_EQ(pod_in_the_way(own, name), 0U) << name;
    EXPECT_EQ(pod_in_the_way(theirs, name), 0U) << name;
  }
}

// PRE-SPREAD-7: zones b and c have no pod.
TEST(FilterFindings, NameTheFirstOfTheEmptiestDomains) {
  const Question question =
      in_zones(QuestionBuilder()
                   .node("n1", 2000)
                   .has(with_app(pod("a", 20, 0), "x"))
                   .node("n2", 2000)
                   .node("n3", 2000)
                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
               {"a", "b", "c"});
  const Finding finding = status_of(question, "v1.34").findings.at(0);
  EXPECT_EQ(finding.clause, "PRE-SPREAD-7");
  EXPECT_EQ(finding.least_domain, "b");
}

// PRE-SPREAD-4: up to v1.23, pods of excluded nodes count in domains of other nodes. n3 is in none.
TEST(PodTopologySpread, CountsNoPodsOfANodeWithoutADomain) {
  QuestionBuilder cluster;
  cluster.node("n1", 2000).node("n2", 2000).node("n3", 2000);
  for (int i = 0; i < 9; ++i) cluster.has(with_app(pod("a" + std::to_string(i), 20, 0), "x"));
  const Question question =
      in_zones(cluster.asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})), {"a", "b", ""});
  for (const char* name : {"v1.19", "v1.20", "v1.22", "v1.23"})
    EXPECT_EQ(decide(question, name).feasible, (std::vector<NodeIndex>{0, 1})) << name;
}

// CYC-PROFILE-2: the resource that is ignored comes before one that is not.
TEST(NodeResourcesFit, ChecksTheResourcesAfterOneThatIsIgnored) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  question.pod.containers[0].requests["example.com/a"] = 1;
  question.pod.containers[0].requests["example.com/b"] = 1;
  Release by = release("v1.34");
  by.ignored_resources = {"example.com/a"};
  EXPECT_EQ(reference::preempt(question, by).filter.at(0).reasons, (Reasons{"Insufficient example.com/b"}));
}

// PRE-FIT-1: one pod may run on n1, and two do.
TEST(FilterFindings, HaveTheNumberOfPods) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 20, 0)).has(pod("b", 20, 0)).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(status_of(question, "v1.34").findings.at(0).values,
            (Values{{Measure::requested, 1}, {Measure::used, 2}, {Measure::allocatable, 1}}));
}

// PRE-INPUT-3: a pod on n1 has the name of p, but a UID, which p does not have. It is another pod.
TEST(Cycle, TellsPodsApartByUidIfOneHasAUid) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("p", 20, 1000)).asks(pod("p", 10, 1000));
  EXPECT_TRUE(fits(question));
  question.cluster.pods[0].uid = "u";
  EXPECT_FALSE(fits(question));
}

// QUE-CACHE-2: the scheduler has forgotten a port of n1, and one of a node that is gone.
TEST(Cycle, ForgetsPortsOfTheNodesThatAreThere) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(with_host_port(pod("a", 20, 0), 80))
                          .asks(with_host_port(pod("p", 10, 0), 80));
  EXPECT_FALSE(fits(question));
  question.cluster.forgotten_ports = {{"gone", {{"TCP", 80, "0.0.0.0"}}}, {"n1", {{"TCP", 80, "0.0.0.0"}}}};
  EXPECT_TRUE(fits(question));
}

}  // namespace touchstone::tests::more_first_pass_test
