// tests/reference/policy/policy_filters_test.cpp
#include <gtest/gtest.h>

#include "reference/filters/policy_services.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/reference/steps.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::more_policy_filters_test {

using reference::preempt;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

/// n0 (rack=a), n1 (rack=b) and n2 (no label), with 4 CPUs each.
Question racks(const Pod& asked, std::vector<Pod> on_first = {}, std::vector<Pod> on_second = {}) {
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

Release filtering(const char* name, Filter filter) {
  Release changed = release(name);
  changed.filter_groups.push_back({filter});
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

// POL-LABELS-1: a node needs all labels of an entry.
TEST(NodeLabel, RequiresEachLabel) {
  Release by = filtering("v1.13", Filter::node_label);
  by.required_labels = {{{"rack", "disk"}, true}};
  Question question = racks(pod("p", 10, 1000));
  question.cluster.nodes[1].labels["disk"] = "ssd";
  EXPECT_EQ(preempt(question, by).feasible, (Nodes{1}));
  by.required_labels = {{{"rack", "disk"}, false}};
  EXPECT_EQ(preempt(question, by).feasible, (Nodes{2}));
}

// POL-LABELS-1, POL-SET-2, POL-ALL-1: two entries reject n2. v1.8 and v1.9 report both, later releases one.
TEST(NodeLabel, ReportsEachEntryInEarlyReleases) {
  const auto reasons = [](const char* name) {
    Release by = filtering(name, Filter::node_label);
    by.required_labels = {{{"rack"}, true}, {{"disk"}, true}};
    return preempt(racks(pod("p", 10, 1000)), by).filter.at(2).reasons.size();
  };
  EXPECT_EQ(reasons("v1.8"), 2U);
  EXPECT_EQ(reasons("v1.9"), 2U);
  EXPECT_EQ(reasons("v1.10"), 1U);
  EXPECT_EQ(reasons("v1.17"), 1U);
}

// POL-LABELS-1
TEST(NodeLabel, IsCitedInTheTrace) {
  Release by = filtering("v1.13", Filter::node_label);
  by.required_labels = {{{"rack"}, true}};
  Trace trace = Trace::full();
  preempt(racks(pod("p", 10, 1000)), by, trace);
  const std::vector<Step> steps = of_stage(trace, Stage::attempt);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2].clause, "POL-LABELS-1");
  EXPECT_EQ(steps[2].findings.at(0).what, "labels that the Policy requires");
}

// POL-SERVICE-1: the label of n0 is there, but empty. Nodes without it are still different.
TEST(ServiceAffinity, RequiresALabelWithoutAValue) {
  Question question = racks(of_app("p"), {of_app("a")});
  question.cluster.selecting = {service("x")};
  question.cluster.nodes[0].labels["rack"] = "";
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0}));
}

// POL-SERVICE-1: a pod counts if it has all labels of the pod to schedule.
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

// POL-SERVICE-1: two pods in different racks make the choice random, but only for a pod of a Service.
TEST(ServiceAffinity, IsRandomOnlyWithAService) {
  Question question = racks(of_app("p"), {of_app("a")}, {of_app("b")});
  EXPECT_EQ(preempt(question, together("v1.13")).feasible, (Nodes{0, 1, 2}));
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
  EXPECT_EQ(preempt(question, release("v1.13")).feasible, (Nodes{0, 1, 2}));
}

// POL-SERVICE-1: a nominated pod that has the labels of the pod to schedule matters only where the Policy has
// a service affinity and a Service selects the pod.
TEST(ServiceAffinity, MeetsANominatedPodOnlyWithAService) {
  Question question = with_nominated(racks(of_app("p")), of_app("q"));
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::fits);
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
  EXPECT_EQ(preempt(question, release("v1.13")).outcome, Outcome::fits);
}

// POL-SERVICE-1: the nominated pod lacks a label, or has one more.
TEST(ServiceAffinity, MeetsANominatedPodThatHasAllLabels) {
  Question question = with_nominated(racks(of_app("p")), pod("q", 20, 1000));
  question.cluster.selecting = {service("x")};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::fits);
  question.cluster.pods[0].labels = {{"app", "x"}, {"tier", "web"}};
  EXPECT_EQ(preempt(question, together("v1.13")).outcome, Outcome::skipped);
}

}  // namespace touchstone::tests::more_policy_filters_test
