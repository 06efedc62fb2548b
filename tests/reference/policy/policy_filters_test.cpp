#include <gtest/gtest.h>

#include "reference/filters/policy_services.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/reference/steps.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::policy_filters_test {

using reference::preempt;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

/// n0 (rack=a), n1 (rack=b) and n2 (no label), with 4 CPUs each.
Question racks(const Pod& asked, const std::vector<Pod>& on_first = {},
               const std::vector<Pod>& on_second = {}) {
  QuestionBuilder builder;
  builder.node("n0", 4000);
  for (const Pod& pod : on_first) builder.has(pod);
  builder.node("n1", 4000);
  for (const Pod& pod : on_second) builder.has(pod);
  Question question = builder.node("n2", 4000).asks(asked);
  question.cluster.nodes[0].labels["rack"] = "a";
  question.cluster.nodes[1].labels["rack"] = "b";
  return question;
}

SelectingObject service(const std::string& app) {
  return {SelectingKind::service, "default", "svc", LabelSelector{{{"app", app}}, {}}};
}

/// The release with filters that only a Policy has.
Release filtering(const char* name, Filter filter) {
  Release changed = release(name);
  changed.filter_groups.push_back({filter});
  return changed;
}

Release requiring(const char* name, bool presence) {
  Release changed = filtering(name, Filter::node_label);
  changed.required_labels = {{{"rack"}, presence}};
  return changed;
}

Release together(const char* name) {
  Release changed = filtering(name, Filter::service_affinity);
  changed.service_affinities = {{"rack"}};
  return changed;
}

Pod of_app(const std::string& name, Quantity priority = 10) {
  return with_app(pod(name, priority, 1000), "x");
}

/// The question, with a pod of priority 20 that is nominated to n2.
Question with_nominated(Question question, Pod nominated) {
  nominated.priority = 20;
  nominated.nominated_node_name = "n2";
  question.cluster.pods.push_back(std::move(nominated));
  return question;
}

}  // namespace

// POL-LABELS-1
TEST(NodeLabel, RequiresLabelsOrTheirAbsence) {
  const Question question = racks(pod("p", 10, 1000));
  EXPECT_EQ(preempt(question, requiring("v1.13", true)).feasible, (Nodes{0, 1}));
  EXPECT_EQ(preempt(question, requiring("v1.13", false)).feasible, (Nodes{2}));
}

// POL-LABELS-1
TEST(NodeLabel, IsUnresolvable) {
  const Question question = racks(pod("p", 10, 1000));
  const Status status = preempt(question, requiring("v1.13", true)).filter.at(2);
  EXPECT_EQ(status.code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status.reasons, (Reasons{"node(s) didn't have the requested labels"}));
  EXPECT_EQ(preempt(question, requiring("v1.9", true)).filter.at(2).reasons,
            (Reasons{"CheckNodeLabelPresence"}));
}

// POL-LABELS-1: an entry names two labels. A node needs both, or neither.
TEST(NodeLabel, RequiresEachLabel) {
  Release by = filtering("v1.13", Filter::node_label);
  by.required_labels = {{{"rack", "disk"}, true}};
  Question question = racks(pod("p", 10, 1000));
  question.cluster.nodes[1].labels["disk"] = "ssd";
  EXPECT_EQ(preempt(question, by).feasible, (Nodes{1}));
  by.required_labels = {{{"rack", "disk"}, false}};
  EXPECT_EQ(preempt(question, by).feasible, (Nodes{2}));
}

// POL-LABELS-1: two entries reject n2. v1.8 and v1.9 report both, later releases one.
TEST(NodeLabel, ReportsEachEntryInEarlyReleases) {
  const auto number_of_reasons = [](const char* name) {
    Release by = filtering(name, Filter::node_label);
    by.required_labels = {{{"rack"}, true}, {{"disk"}, true}};
    return preempt(racks(pod("p", 10, 1000)), by).filter.at(2).reasons.size();
  };
  EXPECT_EQ(number_of_reasons("v1.8"), 2U);
  EXPECT_EQ(number_of_reasons("v1.9"), 2U);
  EXPECT_EQ(number_of_reasons("v1.10"), 1U);
  EXPECT_EQ(number_of_reasons("v1.17"), 1U);
}

// POL-LABELS-1: n2 lacks the label that the Policy requires. The step of n2 cites the clause.
TEST(NodeLabel, IsCitedInTheTrace) {
  Trace trace = Trace::full();
  preempt(racks(pod("p", 10, 1000)), requiring("v1.13", true), trace);
  const std::vector<Step> steps = of_stage(trace, Stage::attempt);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2].node, 2U);
  EXPECT_EQ(steps[2].clause, "POL-LABELS-1");
  EXPECT_EQ(steps[2].findings.at(0).what, "labels that the Policy requires");
}

// POL-SERVICE-1
TEST(ServiceAffinity, KeepsThePodsOfAServiceOnNodesWithEqualLabels) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  const Decision decision = preempt(question, together("v1.13"));
  EXPECT_EQ(decision.feasible, (Nodes{0}));
  EXPECT_EQ(decision.filter.at(1).code, Code::unschedulable);
  EXPECT_EQ(decision.filter.at(1).reasons, (Reasons{"node(s) didn't match service affinity"}));
  EXPECT_EQ(decision.filter.at(2).reasons, (Reasons{"node(s) didn't match service affinity"}));
  EXPECT_EQ(preempt(question, together("v1.9")).filter.at(1).reasons, (Reasons{"CheckServiceAffinity"}));
}

// POL-SERVICE-1
TEST(ServiceAffinity, NeedsAServiceAndAPodWithTheSameLabels) {
  Question question = racks(of_app("p"), {of_app("a")});
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.selecting = {service("y")};
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.selecting = {service("x")};
  question.cluster.pods[0].labels["app"] = "y";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.pods[0].labels.clear();
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.pods[0].labels["app"] = "x";
  question.cluster.pods[0].ns = "other";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
}

// POL-SERVICE-1
TEST(ServiceAffinity, TakesTheValueOfTheNodeSelectorFirst) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.pod.node_selector["rack"] = "b";
  Release by_affinity_alone = together("v1.13");
  by_affinity_alone.filter_groups = {{Filter::service_affinity}};
  EXPECT_EQ(preempt(question, by_affinity_alone).feasible, (Nodes{1}));
}

// POL-SERVICE-1
TEST(ServiceAffinity, RequiresNothingThatTheNodeOfThePodLacks) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.cluster.nodes[0].labels.clear();
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
}

// POL-SERVICE-1
TEST(ServiceAffinity, DoesNotCountRemovedPodsOfTheNode) {
  Question question = racks(of_app("p"), {of_app("a", 0)});
  question.cluster.selecting = {service("x")};
  question.cluster.nodes[0].allocatable["cpu"] = 1000;
  const Decision decision = preempt(question, together("v1.13"));
  EXPECT_EQ(decision.outcome, Outcome::nominated);
  EXPECT_EQ(decision.candidates[decision.chosen].node, 0U);
}

// POL-SERVICE-1: the label of n0 is there, but empty. A node without the label does not have this value.
TEST(ServiceAffinity, RequiresALabelWithoutAValue) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.cluster.nodes[0].labels["rack"] = "";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0}));
}

// POL-SERVICE-1: a pod counts if it has all labels of the preemptor, also one without a value.
TEST(ServiceAffinity, LooksForPodsWithAllLabels) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.pod.labels["tier"] = "";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.pods[0].labels["tier"] = "";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0}));
}

// POL-SERVICE-1: a Service without a selector selects no pod.
TEST(ServiceAffinity, NeedsASelector) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {{SelectingKind::service, "default", "svc", std::nullopt}};
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
}

// POL-SERVICE-2
TEST(ServiceAffinity, IsSkippedIfARandomPodDecides) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.cluster.pods.push_back(of_app("b"));
  question.cluster.pods.back().node_name = "n1";
  const Decision decision = preempt(question, together("v1.13"));
  EXPECT_EQ(decision.outcome, Outcome::skipped);
  EXPECT_TRUE(decision.reason.starts_with("ServiceAffinity: ")) << decision.reason;
  question.pod.node_selector["rack"] = "b";
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::fits);
  question.pod.node_selector.clear();
  question.cluster.nodes[1].labels.erase("rack");
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
  question.cluster.nodes[1].labels["rack"] = "a";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1}));
}

// POL-SERVICE-2: the node selector has the first label. A random choice between a and b decides the second
// one if their nodes differ in it.
TEST(ServiceAffinity, IsSkippedIfARandomPodDecidesALaterLabel) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.cluster.pods.push_back(of_app("b"));
  question.cluster.pods.back().node_name = "n1";
  question.pod.node_selector["rack"] = "b";
  Release asked = together("v1.13");
  asked.service_affinities = {{"rack", "hall"}};
  question.cluster.nodes[0].labels["hall"] = "1";
  question.cluster.nodes[1].labels["hall"] = "1";
  EXPECT_EQ(preempt(question, asked).outcome, Outcome::fits);
  question.cluster.nodes[1].labels["hall"] = "2";
  EXPECT_EQ(preempt(question, asked).outcome, Outcome::skipped);
}

// POL-SERVICE-2
TEST(ServiceAffinity, IsSkippedIfANominatedPodDecides) {
  Question question = racks(of_app("p"));
  question.cluster.selecting = {service("x")};
  question.cluster.pods.push_back(of_app("a"));
  question.cluster.pods.back().node_name.clear();
  question.cluster.pods.back().nominated_node_name = "n1";
  const Decision decision = preempt(question, together("v1.18"));
  EXPECT_EQ(decision.outcome, Outcome::skipped);
  EXPECT_TRUE(decision.reason.starts_with("ServiceAffinity: a nominated pod")) << decision.reason;
  EXPECT_EQ(preempt(question, release("v1.18")).outcome, Outcome::fits);
  question.cluster.pods.back().labels["app"] = "y";
  EXPECT_EQ(preempt(question, together("v1.18")).outcome, Outcome::fits);
  question.cluster.pods.back().labels["app"] = "x";
  question.cluster.pods.back().priority = 9;
  EXPECT_EQ(preempt(question, together("v1.18")).outcome, Outcome::fits);
  question.cluster.pods.back().priority = 10;
  question.cluster.selecting.clear();
  EXPECT_EQ(preempt(question, together("v1.18")).outcome, Outcome::fits);
}

// POL-SERVICE-2: pods in two racks make the choice random, but only if a Service selects the preemptor.
TEST(ServiceAffinity, IsRandomOnlyWithAService) {
  Question question = racks(of_app("p"), {of_app("a")}, {of_app("b")});
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
  EXPECT_EQ(preempt(question, release("v1.13")).feasible, (Nodes{0, 1, 2}));
}

// POL-SERVICE-2: a nominated pod with the labels of the preemptor counts only if the Policy has a
// serviceAffinity and a Service selects the preemptor.
TEST(ServiceAffinity, IsSkippedForANominatedPodOnlyWithAService) {
  Question question = with_nominated(racks(of_app("p")), of_app("q"));
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::fits);
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
  EXPECT_EQ(preempt(question, release("v1.13")).outcome, Outcome::fits);
}

// POL-SERVICE-2: the nominated pod lacks a label of the preemptor, or has one more.
TEST(ServiceAffinity, IsSkippedForANominatedPodOnlyIfItHasAllLabels) {
  Question question = with_nominated(racks(of_app("p")), pod("q", 20, 1000));
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::fits);
  question.cluster.pods[0].labels = {{"app", "x"}, {"tier", "web"}};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
}

// POL-SERVICE-1
TEST(ServicesOfPreemptor, AreThoseOfItsNamespaceThatSelectIt) {
  Question question = racks(of_app("p"));
  question.cluster.selecting = {service("y"), service("x"), service("x"), service("x")};
  question.cluster.selecting[2].ns = "other";
  question.cluster.selecting[3].selector.reset();
  question.cluster.selecting.push_back(
      {SelectingKind::replica_set, "default", "rs", LabelSelector{{{"app", "x"}}, {}}});
  Trace trace = Trace::none();
  const Release by = release("v1.13");
  const reference::Cycle cycle(question, by, trace);
  EXPECT_EQ(reference::services_of_preemptor(cycle).size(), 1U);
}

// POL-LABELS-1, POL-SERVICE-1, POL-SET-2, POL-ALL-1, POL-PLUGIN-2
TEST(AllPredicates, OfTheSameKindGiveAReasonEach) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  const auto reasons = [&question](const char* name, bool all, std::size_t node) {
    Release of = release(name);
    of.filter_groups = {{Filter::node_label}, {Filter::service_affinity}};
    of.required_labels = {{{"hall"}, true}, {{"rack"}, false}, {{"none"}, false}};
    of.service_affinities = {{"rack"}, {"none"}, {"rack"}};
    of.checks_all_filters = all;
    return preempt(question, of).filter.at(node).reasons;
  };
  const std::string labels = "node(s) didn't have the requested labels";
  const std::string affinity = "node(s) didn't match service affinity";
  EXPECT_EQ(reasons("v1.13", false, 1), (Reasons{labels}));
  EXPECT_EQ(reasons("v1.13", true, 1), (Reasons{labels, labels, affinity, affinity}));
  EXPECT_EQ(reasons("v1.18", true, 1), (Reasons{labels, affinity}));
}

// POL-ALL-1
TEST(AllPredicates, AddUpTheirReasons) {
  Question question = racks(pod("p", 10, 5000));
  question.cluster.nodes[0].unschedulable = true;
  question.cluster.nodes[1].taints = {{"k", "v", "NoSchedule"}};
  Release all = release("v1.13");
  all.checks_all_filters = true;
  const Decision decision = preempt(question, all);
  EXPECT_EQ(decision.filter.at(0).reasons, (Reasons{"node(s) were unschedulable", "Insufficient cpu"}));
  EXPECT_EQ(decision.filter.at(0).code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(decision.filter.at(1).reasons,
            (Reasons{"Insufficient cpu", "node(s) had taints that the pod didn't tolerate"}));
  EXPECT_EQ(decision.filter.at(1).code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(decision.filter.at(2).reasons, (Reasons{"Insufficient cpu"}));
  EXPECT_EQ(decision.filter.at(2).code, Code::unschedulable);
  EXPECT_EQ(preempt(question, release("v1.13")).filter.at(0).reasons,
            (Reasons{"node(s) were unschedulable"}));
}

// POL-ALL-1, PRE-OUTCOME-4
TEST(AllPredicates, EndWithAnError) {
  Release all = release("v1.13");
  all.checks_all_filters = true;
  all.filters_without_state = {Filter::node_resources_fit};
  EXPECT_EQ(preempt(racks(pod("p", 10, 1000)), all).outcome, Outcome::error);
}

// POL-ALL-1, PRE-CLAIM-2: the claim is not bound. This error ends the predicates of the node. Without it, a
// later predicate would reject the node, because of the anti-affinity between p and a.
TEST(AllPredicates, EndAtTheErrorOfAClaim) {
  const Question question =
      in_zones(Stored(QuestionBuilder()
                          .node("n1", 2000)
                          .has(with_app(pod("a", 20, 0), "x"))
                          .asks(away(with_claim(pod("p", 10, 1000), "c"), {by("zone", "x")})))
                   .with(claim("c")),
               {"a"});
  Release all = release("v1.13");
  all.checks_all_filters = true;
  const Decision decision = preempt(question, all);
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_NE(decision.reason.find("unbound immediate PersistentVolumeClaims"), std::string::npos)
      << decision.reason;
}

}  // namespace touchstone::tests::policy_filters_test
