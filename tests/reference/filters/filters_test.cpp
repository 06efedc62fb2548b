#include "reference/filters/filters.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::filters_test {

namespace {

using Reasons = std::vector<std::string>;

/// The first-pass status of n1 for a question.
Status status_of(const Question& question, const char* name, Trace trace = Trace::none()) {
  const Release asked = release(name);
  const reference::Cycle cycle(question, asked, trace);
  const reference::FirstPass first_pass = reference::filter_nodes(cycle);
  const auto found = first_pass.status.find(0);
  return found == first_pass.status.end() ? Status{} : found->second;
}

Question one_node(Pod preemptor) { return QuestionBuilder().node("n1", 1000).asks(std::move(preemptor)); }

Question with_taint(Pod preemptor, Taint taint) {
  Question question = one_node(std::move(preemptor));
  question.cluster.nodes[0].taints = {{"soft", "", "PreferNoSchedule"}, std::move(taint)};
  return question;
}

Pod tolerating(Toleration toleration) {
  Pod made = pod("p", 10, 0);
  made.tolerations = {std::move(toleration)};
  return made;
}

bool selects(std::vector<NodeSelectorTerm> terms, const char* name = "v1.34") {
  Pod made = pod("p", 10, 0);
  made.node_affinity = std::move(terms);
  Question question = one_node(made);
  question.cluster.nodes[0].labels = {{"zone", "a"}};
  return status_of(question, name).ok();
}

Requirement name_in(std::vector<std::string> values, const std::string& op = "In") {
  return {"metadata.name", op, std::move(values)};
}

}  // namespace

// PRE-UNSCHEDULABLE-1
TEST(NodeUnschedulable, RejectsUnlessTolerated) {
  Question question = one_node(pod("p", 10, 0));
  question.cluster.nodes[0].unschedulable = true;
  EXPECT_EQ(
      status_of(question, "v1.34"),
      (Status{Code::unschedulable_and_unresolvable, "NodeUnschedulable", {"node(s) were unschedulable"}}));
  question.pod.tolerations = {{"node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"}};
  EXPECT_TRUE(status_of(question, "v1.34").ok());
  EXPECT_FALSE(status_of(question, "v1.11").ok());
}

// PRE-NODENAME-1
TEST(NodeName, RejectsAllButTheNamedNode) {
  Pod made = pod("p", 10, 0);
  made.node_name = "n1";
  EXPECT_TRUE(status_of(one_node(made), "v1.34").ok());
  made.node_name = "n2";
  EXPECT_EQ(status_of(one_node(made), "v1.34").reasons,
            Reasons{"node(s) didn't match the requested node name"});
  EXPECT_EQ(status_of(one_node(made), "v1.19").reasons,
            Reasons{"node(s) didn't match the requested hostname"});
}

namespace {

/// The first reason on each of two full nodes in the first pass, and the rejection of the pod, in the
/// release's words.
std::pair<Reasons, std::string> reasons_and_rejection(const Pod& preemptor, const char* name) {
  const Question question = QuestionBuilder().node("n1", 0).node("n2", 0).asks(preemptor);
  Trace trace = Trace::none();
  const Release asked = release(name);
  const reference::Cycle cycle(question, asked, trace);
  const reference::FirstPass found = reference::filter_nodes(cycle);
  Reasons reasons;
  for (const auto& [node, status] : found.status) reasons.push_back(status.reasons.at(0));
  return {reasons, found.rejection};
}

}  // namespace

// PRE-PREFILTER-3
TEST(NodeAffinity, ExcludesTheNominatedNodeByAReasonOfItsOwnInV1295) {
  Pod made = pod("p", 10, 1000);
  made.node_affinity = {{{}, {name_in({"n2"})}}};
  made.nominated_node_name = "n1";
  const std::string own = "node is filtered out by the prefilter result";
  EXPECT_EQ(reasons_and_rejection(made, "v1.29.5").first, (Reasons{own, "Insufficient cpu"}));
  EXPECT_EQ(reasons_and_rejection(made, "v1.29.6").first[0],
            "node(s) didn't match Pod's node affinity/selector");
}

// PRE-NODENAME-2
TEST(NodeName, ExcludesOtherNodesFrom137) {
  Pod made = pod("p", 10, 1000);
  made.node_name = "n2";
  const std::string short_of_cpu = "Insufficient cpu";
  EXPECT_EQ(reasons_and_rejection(made, "v1.36").first,
            (Reasons{"node(s) didn't match the requested node name", short_of_cpu}));
  EXPECT_EQ(reasons_and_rejection(made, "v1.37").first,
            (Reasons{"node(s) didn't satisfy plugin(s) [NodeName]", short_of_cpu}));
  made.nominated_node_name = "n1";
  EXPECT_EQ(reasons_and_rejection(made, "v1.37").first,
            (Reasons{"node(s) didn't match the requested node name", short_of_cpu}));
  made.nominated_node_name.clear();
  made.node_affinity = {{{}, {name_in({"n2"})}}};
  EXPECT_EQ(reasons_and_rejection(made, "v1.37").first,
            (Reasons{"node(s) didn't satisfy plugin(s) [NodeAffinity NodeName]", short_of_cpu}));
  made.node_name = "n9";
  made.node_affinity.reset();
  EXPECT_EQ(reasons_and_rejection(made, "v1.37").first,
            Reasons(2, "node(s) didn't satisfy plugin(s) [NodeName]"));
}

// PRE-NODENAME-2, PRE-PREFILTER-6
TEST(NodeName, RejectsThePodWhereNodeAffinityLeavesItOutFrom137) {
  Pod made = pod("p", 10, 1000);
  made.node_name = "n2";
  made.node_affinity = {{{}, {name_in({"n1"})}}};
  const std::string both = "node(s) didn't satisfy plugin(s) [NodeAffinity NodeName] simultaneously";
  EXPECT_EQ(reasons_and_rejection(made, "v1.37"), std::pair(Reasons{both, both}, both));
  EXPECT_EQ(reasons_and_rejection(made, "v1.36").second, "");
  made.node_affinity = {{{}, {name_in({"n1"}), name_in({"n2"})}}};
  EXPECT_EQ(reasons_and_rejection(made, "v1.37").second, "pod affinity terms conflict");
}

// PRE-NODENAME-2
TEST(NodeName, IsTheFirstFilterFrom137) {
  Question question = QuestionBuilder().node("n1", 0).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].unschedulable = true;
  question.pod.node_name = "n2";
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(status_of(question, "v1.36").plugin, "NodeUnschedulable");
  EXPECT_EQ(status_of(question, "v1.37").plugin, "NodeName");
}

// PRE-FEATURES-1
TEST(NodeDeclaredFeatures, RejectNodesThatLackOneFrom136) {
  Pod made = pod("p", 10, 0);
  made.node_features = {"UserNamespacesHostNetworkSupport", "RestartAllContainersOnContainerExits"};
  Question question = one_node(made);
  EXPECT_TRUE(status_of(question, "v1.35").ok());
  EXPECT_EQ(status_of(question, "v1.36"), (Status{Code::unschedulable_and_unresolvable,
                                                  "NodeDeclaredFeatures",
                                                  {"node(s) didn't match Pod's required features"}}));
  question.cluster.nodes[0].declared_features = {"UserNamespacesHostNetworkSupport"};
  EXPECT_FALSE(status_of(question, "v1.36").ok());
  question.cluster.nodes[0].declared_features = {"Another", "RestartAllContainersOnContainerExits",
                                                 "UserNamespacesHostNetworkSupport"};
  EXPECT_TRUE(status_of(question, "v1.36").ok());
}

// PRE-FEATURES-1
TEST(NodeDeclaredFeatures, KnowBindMountOptionsFrom137) {
  Pod made = pod("p", 10, 0);
  made.node_features = {"VolumeBindMountOptions"};
  EXPECT_TRUE(status_of(one_node(made), "v1.36").ok());
  EXPECT_FALSE(status_of(one_node(made), "v1.37").ok());
  made.containers[0].requests["cpu"] = 2000;
  EXPECT_EQ(status_of(one_node(made), "v1.37").plugin, "NodeResourcesFit");  // it is the last filter
}

// PRE-TAINT-1
TEST(TaintToleration, RejectsHardTaintsInTheWordsOfTheRelease) {
  const Question question = with_taint(pod("p", 10, 0), {"k", "v", "NoSchedule"});
  EXPECT_EQ(status_of(question, "v1.17").reasons, Reasons{"node(s) had taints that the pod didn't tolerate"});
  EXPECT_EQ(status_of(question, "v1.23").reasons,
            Reasons{"node(s) had taint {k: v}, that the pod didn't tolerate"});
  EXPECT_EQ(status_of(question, "v1.33").reasons, Reasons{"node(s) had untolerated taint {k: v}"});
  EXPECT_EQ(status_of(question, "v1.34.1").reasons, Reasons{"node(s) had untolerated taint {k: v}"});
  EXPECT_EQ(status_of(question, "v1.34.2").reasons, Reasons{"node(s) had untolerated taint(s)"});
  EXPECT_FALSE(status_of(with_taint(pod("p", 10, 0), {"k", "v", "NoExecute"}), "v1.34").ok());
}

// PRE-TAINT-2
TEST(TaintToleration, KnowsWhatTolerates) {
  const Taint taint{"k", "v", "NoSchedule"};
  const auto ok = [&](Toleration toleration) {
    return status_of(with_taint(tolerating(std::move(toleration)), taint), "v1.34").ok();
  };
  EXPECT_TRUE(ok({"k", "", "v", ""}));
  EXPECT_TRUE(ok({"k", "Equal", "v", "NoSchedule"}));
  EXPECT_TRUE(ok({"k", "Exists", "", ""}));
  EXPECT_TRUE(ok({"", "Exists", "", ""}));
  EXPECT_FALSE(ok({"k", "Equal", "w", ""}));
  EXPECT_FALSE(ok({"j", "Exists", "", ""}));
  EXPECT_FALSE(ok({"k", "Exists", "", "NoExecute"}));
  EXPECT_FALSE(ok({"k", "Gt", "v", ""}));
}

// PRE-NODEAFFINITY-1
TEST(NodeAffinity, WantsEveryPairOfTheNodeSelector) {
  Question question = one_node(pod("p", 10, 0));
  question.pod.node_selector = {{"zone", "a"}, {"disk", "ssd"}};
  question.cluster.nodes[0].labels = {{"zone", "a"}, {"disk", "ssd"}};
  EXPECT_TRUE(status_of(question, "v1.34").ok());
  question.cluster.nodes[0].labels = {{"zone", "a"}, {"disk", "hdd"}};
  EXPECT_EQ(status_of(question, "v1.34").reasons,
            Reasons{"node(s) didn't match Pod's node affinity/selector"});
  EXPECT_EQ(status_of(question, "v1.20").reasons, Reasons{"node(s) didn't match Pod's node affinity"});
  EXPECT_EQ(status_of(question, "v1.19").reasons, Reasons{"node(s) didn't match node selector"});
  question.cluster.nodes[0].labels = {{"zone", "a"}};
  EXPECT_FALSE(status_of(question, "v1.34").ok());
}

// PRE-NODEAFFINITY-2
TEST(NodeAffinity, OrsTermsAndAndsRequirements) {
  const Requirement in_a{"zone", "In", {"a"}};
  const Requirement in_b{"zone", "In", {"b"}};
  EXPECT_TRUE(selects({{{in_b}, {}}, {{in_a}, {}}}));
  EXPECT_FALSE(selects({{{in_a, in_b}, {}}}));
  EXPECT_FALSE(selects({{{}, {}}}));
  EXPECT_FALSE(selects({}));
  EXPECT_TRUE(selects({{{in_a}, {name_in({"n1"})}}}));
  EXPECT_FALSE(selects({{{in_b}, {name_in({"n1"})}}}));
}

// PRE-NODEAFFINITY-4
TEST(NodeAffinity, MatchesTheNameFieldWithOneValue) {
  EXPECT_TRUE(selects({{{}, {name_in({"n1"})}}}));
  EXPECT_FALSE(selects({{{}, {name_in({"n1", "n2"})}}}));
  EXPECT_TRUE(selects({{{}, {name_in({"n2"}, "NotIn")}}}));
  EXPECT_FALSE(selects({{{}, {name_in({"n1"}, "NotIn")}}}));
  EXPECT_FALSE(selects({{{}, {name_in({"n1"}, "Exists")}}}));
  EXPECT_FALSE(selects({{{}, {{"metadata.uid", "In", {"n1"}}}}}));
  EXPECT_TRUE(selects({{{}, {{"metadata.uid", "NotIn", {"n1"}}}}})) << "it has no value";
  EXPECT_TRUE(selects({{{}, {{"metadata.uid", "In", {""}}}}})) << "it has no value";
}

// PRE-PORTS-1
TEST(NodePorts, ConflictByProtocolPortAndAddress) {
  const auto ok = [](Pod other) {
    return status_of(QuestionBuilder()
                         .node("n1", 1000)
                         .has(std::move(other))
                         .asks(with_host_port(pod("p", 10, 0), 80, "10.0.0.1")),
                     "v1.34")
        .ok();
  };
  EXPECT_FALSE(ok(with_host_port(pod("a", 1, 0), 80, "10.0.0.1", "TCP")));
  EXPECT_FALSE(ok(with_host_port(pod("a", 1, 0), 80)));
  EXPECT_TRUE(ok(with_host_port(pod("a", 1, 0), 80, "10.0.0.2")));
  EXPECT_TRUE(ok(with_host_port(pod("a", 1, 0), 81, "10.0.0.1")));
  EXPECT_TRUE(ok(with_host_port(pod("a", 1, 0), 80, "10.0.0.1", "UDP")));
  const Question any = QuestionBuilder()
                           .node("n1", 1000)
                           .has(with_host_port(pod("a", 1, 0), 80, "10.0.0.1"))
                           .asks(with_host_port(pod("p", 10, 0), 80));
  const Question other = QuestionBuilder()
                             .node("n1", 1000)
                             .has(with_host_port(pod("a", 1, 0), 80, "10.0.0.2", "UDP"))
                             .asks(with_host_port(pod("p", 10, 0), 80, "10.0.0.1"));
  EXPECT_EQ(status_of(other, "v1.8").reasons, Reasons{"PodFitsHostPorts"});
  EXPECT_TRUE(status_of(other, "v1.9").ok());
  EXPECT_EQ(status_of(any, "v1.34").reasons,
            Reasons{"node(s) didn't have free ports for the requested pod ports"});
}

// PRE-FIT-1, PRE-FIT-2
TEST(NodeResourcesFit, ReportsPodsAndThenEachResource) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 1, 600)).asks(pod("p", 10, 500));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  question.pod.containers[0].requests["example.com/gpu"] = 2;
  question.pod.containers[0].requests["memory"] = 1;
  EXPECT_EQ(status_of(question, "v1.33"),
            (Status{Code::unschedulable,
                    "NodeResourcesFit",
                    {"Too many pods", "Insufficient cpu", "Insufficient example.com/gpu"}}));
  EXPECT_EQ(status_of(question, "v1.17").reasons[0], "Insufficient pods");
  question.cluster.nodes[0].allocatable.erase("pods");
  EXPECT_EQ(status_of(question, "v1.33").reasons[0], "Too many pods");
}

// PRE-FIT-3
TEST(NodeResourcesFit, ChecksZeroRequestsOfInitContainersFrom122Through125) {
  Pod other = pod("a", 1, 0);
  other.containers[0].requests["example.com/gpu"] = 1;
  Question question = QuestionBuilder().node("n1", 1000).has(other).asks(pod("p", 10, 0));
  question.pod.init_containers.push_back({"i", {{"example.com/gpu", 0}}, {}, false});
  EXPECT_TRUE(status_of(question, "v1.21").ok());
  EXPECT_EQ(status_of(question, "v1.22").reasons, Reasons{"Insufficient example.com/gpu"});
  EXPECT_FALSE(status_of(question, "v1.25").ok());
  EXPECT_TRUE(status_of(question, "v1.26").ok());
  question.pod.containers[0].requests["example.com/gpu"] = 0;
  EXPECT_FALSE(status_of(question, "v1.21").ok());
}

// PRE-FIT-3
TEST(NodeResourcesFit, ChecksWhatIsNotRequestedThrough127) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 1, 1500)).asks(pod("p", 10, 0));
  EXPECT_TRUE(status_of(question, "v1.27").ok());  // p requests nothing
  question.pod.containers[0].requests["memory"] = 1;
  EXPECT_EQ(status_of(question, "v1.27").reasons, Reasons{"Insufficient cpu"});
  EXPECT_TRUE(status_of(question, "v1.28").ok());
  question.pod.containers[0].requests = {{"example.com/gpu", 0}};
  EXPECT_EQ(status_of(question, "v1.27").reasons, Reasons{"Insufficient cpu"});
  EXPECT_TRUE(status_of(question, "v1.28").ok());
  question.cluster.pods[0].containers[0].requests["example.com/gpu"] = 1;
  EXPECT_EQ(status_of(question, "v1.25").reasons,
            (Reasons{"Insufficient cpu", "Insufficient example.com/gpu"}));
}

// PRE-FIT-4
TEST(NodeResourcesFit, IsUnresolvableBeyondAllocatableFrom134) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1001));
  EXPECT_EQ(status_of(question, "v1.33").code, Code::unschedulable);
  EXPECT_EQ(status_of(question, "v1.34").code, Code::unschedulable_and_unresolvable);
  question = QuestionBuilder().node("n1", 1000).has(pod("a", 1, 1)).asks(pod("p", 10, 1000));
  EXPECT_EQ(status_of(question, "v1.34").code, Code::unschedulable);
}

// PRE-FIT-5
TEST(NodeResourcesFit, RejectsAPreemptorWithASidecarIn128) {
  Question question = one_node(pod("p", 10, 0));
  question.pod.init_containers = {{"s", {}, {}, true}};
  EXPECT_TRUE(status_of(question, "v1.27").ok());
  EXPECT_EQ(status_of(question, "v1.28").code, Code::unschedulable_and_unresolvable);
  EXPECT_TRUE(status_of(question, "v1.29").ok());
}

// PRE-FILTER-1, PRE-FILTER-2
TEST(Filters, StopOrReportTogetherByRelease) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 1, 1000)).asks(pod("p", 10, 1000));
  question.pod.node_selector = {{"zone", "a"}};
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(status_of(question, "v1.9").reasons.size(), 3u);
  const Status general = status_of(question, "v1.16");
  EXPECT_EQ(general, (Status{Code::unschedulable_and_unresolvable,
                             "",
                             {"Insufficient cpu", "node(s) didn't match node selector"}}));
  EXPECT_EQ(status_of(question, "v1.19").plugin, "NodeResourcesFit");
  EXPECT_EQ(status_of(question, "v1.20").plugin, "TaintToleration");
}

// PRE-NOMINATED-1, PRE-NOMINATED-2
TEST(NominatedPods, CountFromThePreemptorsPriorityUp) {
  const auto ok = [](Quantity priority, const char* name) {
    return status_of(QuestionBuilder()
                         .node("n1", 1000)
                         .nominated(pod("q", priority, 1000))
                         .asks(pod("p", 10, 1000)),
                     name)
        .ok();
  };
  EXPECT_FALSE(ok(10, "v1.34"));
  EXPECT_FALSE(ok(11, "v1.34"));
  EXPECT_TRUE(ok(9, "v1.34"));
  EXPECT_TRUE(ok(11, "v1.8"));
}

// PRE-NOMINATED-1
TEST(NominatedPods, AreNamedInATraceWhereTheyStandInTheWay) {
  const auto blamed = [](Quantity allocatable) {
    const Question question =
        QuestionBuilder().node("n1", allocatable).nominated(pod("q", 10, 1000)).asks(pod("p", 10, 1000));
    const Status status = status_of(question, "v1.34", Trace::full());
    EXPECT_FALSE(status.ok());
    return std::any_of(status.findings.begin(), status.findings.end(), [](const Finding& finding) {
      return finding.clause == "PRE-NOMINATED-1" && finding.pod == 0u;
    });
  };
  EXPECT_TRUE(blamed(1000));
  EXPECT_FALSE(blamed(500));  // too small even without q
}

// PRE-FILTER-1, PRE-FILTER-2, PRE-FILTER-3
TEST(Filters, RunOneByOneInV117AndGiveOneReason) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 20, 1000)).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].allocatable["memory"] = 0;
  question.pod.containers[0].requests["memory"] = 1;
  question.pod.node_selector = {{"disk", "ssd"}};
  const Reasons resources = {"Insufficient cpu", "Insufficient memory"};
  EXPECT_EQ(status_of(question, "v1.16").reasons,
            (Reasons{"Insufficient cpu", "Insufficient memory", "node(s) didn't match node selector"}));
  EXPECT_EQ(status_of(question, "v1.16").code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status_of(question, "v1.17.0").reasons, Reasons{"Insufficient cpu"});
  EXPECT_EQ(status_of(question, "v1.17.0").code, Code::unschedulable);
  EXPECT_EQ(status_of(question, "v1.18.0").reasons, resources);
}

// PRE-PREFILTER-1, PRE-PREFILTER-3
TEST(PinnedNodes, ExcludeOthersByRelease) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity = std::vector<NodeSelectorTerm>{{{}, {name_in({"n2"})}}};
  EXPECT_EQ(status_of(question, "v1.23").plugin, "NodeAffinity");
  EXPECT_TRUE(status_of(question, "v1.24").ok());  // no status at all
  EXPECT_EQ(status_of(question, "v1.34").code, Code::unschedulable_and_unresolvable);
  // A term that pins no node leaves all nodes to the filter.
  question.pod.node_affinity->push_back({{{"zone", "Exists", {}}}, {name_in({"n1"}, "NotIn")}});
  EXPECT_EQ(status_of(question, "v1.34").reasons,
            Reasons{"node(s) didn't match Pod's node affinity/selector"});
}

// PRE-PREFILTER-3
TEST(PinnedNodes, DoNotExcludeTheNominatedNodeFromFiltering) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity = std::vector<NodeSelectorTerm>{{{}, {name_in({"n2"})}}};
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(status_of(question, "v1.24").code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status_of(question, "v1.34").reasons,
            Reasons{"node(s) didn't match Pod's node affinity/selector"});
}

// PRE-PREFILTER-6, PRE-OUTCOME-4
TEST(PinnedNodes, ThatContradictKeepTheNominationFrom134) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 1, 1000)).asks(pod("p", 10, 1000));
  question.pod.node_affinity = std::vector<NodeSelectorTerm>{{{}, {name_in({"n1"}), name_in({"n2"})}}};
  question.pod.nominated_node_name = "n1";
  const auto decide = [&](const char* name) { return reference::preempt(question, release(name)); };
  EXPECT_EQ(decide("v1.33").outcome, Outcome::none);
  EXPECT_EQ(decide("v1.33").nomination, Nomination::cleared);
  EXPECT_EQ(decide("v1.34.0").outcome, Outcome::none);
  EXPECT_EQ(decide("v1.34.0").nomination, Nomination::kept);
}

// PRE-PREFILTER-2, PRE-PREFILTER-4, PRE-OUTCOME-5
TEST(PinnedNodes, ThatContradictRejectEveryNode) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 1, 0)).node("n2", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity = std::vector<NodeSelectorTerm>{{{}, {name_in({"n1"}), name_in({"n2"})}}};
  EXPECT_EQ(status_of(question, "v1.34").reasons, Reasons{"pod affinity terms conflict"});
  EXPECT_TRUE(status_of(question, "v1.26.5").ok());  // the status is lost
  const auto decide = [&](const char* name) { return reference::preempt(question, release(name)); };
  EXPECT_EQ(decide("v1.33").outcome, Outcome::none);
  const Decision lost = decide("v1.26.5");
  EXPECT_EQ(lost.outcome, Outcome::error);
  EXPECT_EQ(lost.dry_run.at(0).code, Code::error);
  EXPECT_EQ(lost.dry_run.at(1).code, Code::unschedulable_and_unresolvable);
}

// PRE-PREFILTER-2
TEST(PinnedNodes, OfOneContradictingTermRejectUntil126) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity =
      std::vector<NodeSelectorTerm>{{{}, {name_in({"n1"})}}, {{}, {name_in({"n1"}), name_in({"n2"})}}};
  EXPECT_EQ(status_of(question, "v1.26.15").reasons, Reasons{"pod affinity terms conflict"});
  EXPECT_TRUE(status_of(question, "v1.27.16").ok());
}

// PRE-PREFILTER-5
TEST(PinnedNodes, ThatNobodyKnowsAreAnErrorOrSkipped) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 0));
  question.pod.node_affinity =
      std::vector<NodeSelectorTerm>{{{}, {name_in({"n1"})}}, {{}, {name_in({"gone"})}}};
  const auto outcome = [&](const char* name) { return reference::preempt(question, release(name)).outcome; };
  EXPECT_EQ(outcome("v1.26.15"), Outcome::error);
  EXPECT_EQ(outcome("v1.29.5"), Outcome::fits);
  EXPECT_EQ(outcome("v1.27.16"), Outcome::fits);
  question.pod.node_affinity->erase(question.pod.node_affinity->begin());
  EXPECT_EQ(outcome("v1.29.5"), Outcome::error);  // no pinned node is known
  EXPECT_EQ(outcome("v1.29.6"), Outcome::none);
}

}  // namespace touchstone::tests::filters_test
