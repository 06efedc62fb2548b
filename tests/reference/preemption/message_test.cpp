#include <gtest/gtest.h>

#include <set>

#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"

namespace touchstone::tests::message_test {

namespace {

std::string message(const Question& question, const char* name) {
  return reference::preempt(question, release(name)).message;
}

/// One full node with a pod of this priority, and the preemptor p(prio 10).
Question full_node(Quantity priority) {
  return QuestionBuilder().node("n1", 1000).has(pod("a", priority, 1000)).asks(pod("p", 10, 1000));
}

/// A pod with one node affinity term that requires each of these node names.
Pod pinned_to(Pod pod, const std::vector<std::string>& names) {
  NodeSelectorTerm term;
  for (const std::string& name : names) term.match_fields.push_back({"metadata.name", "In", {name}});
  pod.node_affinity = std::vector<NodeSelectorTerm>{term};
  return pod;
}

Question contradiction() {
  Question question = full_node(0);
  question.pod = pinned_to(question.pod, {"n1", "n2"});
  return question;
}

}  // namespace

// PRE-MESSAGE-1
TEST(Message, CountsEachReasonAndSortsThemAsText) {
  QuestionBuilder builder;
  for (int i = 0; i < 10; ++i) builder.node("full" + std::to_string(i), 1000).has(pod("a", 20, 1000));
  for (int i = 0; i < 2; ++i) builder.node("closed" + std::to_string(i), 1000);
  Question question = builder.asks(pod("p", 10, 1000));
  for (Node& node : question.cluster.nodes) node.unschedulable = node.name.starts_with("closed");
  question.cluster.nodes[0].allocatable["memory"] = 0;
  question.pod.containers[0].requests["memory"] = 1;
  EXPECT_EQ(
      message(question, "v1.23"),
      "0/12 nodes are available: 1 Insufficient memory, 10 Insufficient cpu, 2 node(s) were unschedulable.");
}

// PRE-MESSAGE-1
TEST(Message, PutsCountsBehindReasonsInV18) {
  EXPECT_EQ(message(full_node(20), "v1.8"),
            "No nodes are available that match all of the predicates: Insufficient cpu (1).");
  EXPECT_EQ(message(full_node(20), "v1.9.0"), "0/1 nodes are available: 1 Insufficient cpu.");
}

TEST(Message, IsEmptyWhereThePodFits) {
  const Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 1000));
  EXPECT_EQ(message(question, "v1.34"), "");
}

// PRE-MESSAGE-2, PRE-PREFILTER-3
TEST(Message, CountsExcludedNodesFrom132) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 20, 1000))
                          .node("n2", 1000)
                          .asks(pinned_to(pod("p", 10, 1000), {"n1"}));
  const std::string preemption =
      " preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is "
      "not helpful for scheduling.";
  EXPECT_EQ(message(question, "v1.31"), "0/2 nodes are available: 1 Insufficient cpu." + preemption);
  EXPECT_EQ(
      message(question, "v1.32.0"),
      "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]." +
          preemption);

  // The nominated node is filtered although it is excluded.
  question.pod.nominated_node_name = "n2";
  EXPECT_EQ(
      message(question, "v1.31"),
      "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's node affinity/selector." +
          preemption);
}

// PRE-MESSAGE-1
TEST(Message, HasNoFullStopWhereNoNodeGivesAReason) {
  Question question = full_node(0);
  question.pod = pinned_to(question.pod, {"n9"});
  EXPECT_EQ(message(question, "v1.31"),
            "0/1 nodes are available: preemption: 0/1 nodes are available: 1 Preemption is not helpful for "
            "scheduling.");
}

// PRE-MESSAGE-3
TEST(Message, SaysARejectionOnceFrom126) {
  const std::string preemption =
      " preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  EXPECT_EQ(message(contradiction(), "v1.25"),
            "0/1 nodes are available: 1 pod affinity terms conflict." + preemption);
  EXPECT_EQ(message(contradiction(), "v1.33"),
            "0/1 nodes are available: pod affinity terms conflict." + preemption);
}

// PRE-MESSAGE-4
TEST(Message, AppendsPreemptionFrom124) {
  EXPECT_EQ(message(full_node(20), "v1.23"), "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(
      message(full_node(20), "v1.24.0"),
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption "
      "victims found for incoming pod.");
}

// PRE-MESSAGE-4: with quota 0 every candidate is lost.
TEST(Message, CountsNodesWithALostCandidateFrom132) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n2", 1000)
                          .has(pod("b", 20, 1000))
                          .asks(pod("p", 10, 1000));
  question.offset = 0;
  question.quota = 0;
  const std::string why = "0/2 nodes are available: 2 Insufficient cpu. preemption: ";
  const std::string helpless = "1 No preemption victims found for incoming pod";
  EXPECT_EQ(message(question, "v1.31"), why + "0/1 nodes are available: " + helpless + ".");
  EXPECT_EQ(message(question, "v1.32"),
            why + "0/2 nodes are available: " + helpless + ", 1 Preemption is not helpful for scheduling.");
}

// PRE-MESSAGE-5
TEST(Message, MentionsANominationFrom137) {
  EXPECT_EQ(message(full_node(0), "v1.36"), "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(
      message(full_node(0), "v1.37.0"),
      "0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on node "
      "n1, preempting 1 victims");
}

// PRE-MESSAGE-5
TEST(Message, SaysWhyThePodMayNotPreempt) {
  Question question = full_node(0);
  question.pod.preemption_policy = "Never";
  EXPECT_EQ(message(question, "v1.23"), "0/1 nodes are available: 1 Insufficient cpu.");
  EXPECT_EQ(message(question, "v1.33"),
            "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to "
            "preemptionPolicy=Never.");
}

// PRE-MESSAGE-6
TEST(Message, IsTheErrorOfTheAttempt) {
  EXPECT_EQ(message(QuestionBuilder().asks(pod("p", 10, 1000)), "v1.30.0"),
            "no nodes available to schedule pods");
  Question question = full_node(0);
  question.pod = pinned_to(question.pod, {"n9"});
  EXPECT_EQ(message(question, "v1.28.9"), "nodeinfo not found for node name \"n9\"");
  EXPECT_EQ(message(question, "v1.30.0"), "") << "the scheduler crashes";
}

// PRE-MESSAGE-6, PRE-PREFILTER-4
TEST(Message, ShowsAnErrorOfPreemptionFrom127) {
  EXPECT_EQ(message(contradiction(), "v1.26.0"), "0/1 nodes are available: pod affinity terms conflict.");
  EXPECT_EQ(
      message(contradiction(), "v1.27.0"),
      "0/1 nodes are available: pod affinity terms conflict. preemption: running RemovePod on PreFilter "
      "plugin \"VolumeRestrictions\": cannot read \"PreFilterVolumeRestrictions\" from cycleState.");
}

// PRE-MESSAGE-6, PRE-PREFILTER-6
TEST(Message, ShowsTheErrorOfAnotherPluginBareFrom134) {
  EXPECT_EQ(message(contradiction(), "v1.34.0"),
            "0/1 nodes are available: pod affinity terms conflict. not found");
}

// CYC-PROFILE-1, PRE-PREFILTER-6: DynamicResources errs, also if DefaultPreemption does not run.
TEST(Message, ShowsTheErrorOfAnotherPluginWithoutPreemption) {
  for (const char* name : {"v1.33", "v1.34.0", "v1.37.0"}) {
    Release profile = release(name);
    profile.preempts = false;
    EXPECT_EQ(reference::preempt(contradiction(), profile).message,
              std::string("0/1 nodes are available: pod affinity terms conflict.") +
                  (std::string_view(name) == "v1.33" ? "" : " not found"));
  }
}

// CYC-PROFILE-1, PRE-PREFILTER-6: the PreFilter of DynamicResources runs before the one that rejects.
TEST(Message, LacksTheErrorOfAnotherPluginThatRunsBeforeTheRejection) {
  Release profile = release("v1.34.0");
  profile.prefilters_after_claims = {Filter::volume_binding};
  EXPECT_TRUE(reference::preempt(contradiction(), profile).message.ends_with(" not found"));
  profile.prefilters_after_claims = {Filter::volume_binding, Filter::node_affinity};
  EXPECT_EQ(reference::preempt(contradiction(), profile).message,
            "0/1 nodes are available: pod affinity terms conflict. no new claims to deallocate, preemption: "
            "0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
}

// PRE-MESSAGE-6: in these releases only an extender leads to this error, so the test makes up the decision.
TEST(Message, ShowsAnErrorOfANodeAsThatOfPreemption) {
  const Question question = full_node(0);
  const Release r = release("v1.34.4");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, r, trace);
  Decision decision;
  decision.outcome = Outcome::error;
  decision.reason = "boom";
  EXPECT_EQ(reference::message_of(cycle, {}, decision), "0/1 nodes are available: preemption: boom");
}

// PRE-MESSAGE-7
TEST(Message, EndsInTwoFullStopsFrom126To128) {
  const std::string once =
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption "
      "victims found for incoming pod.";
  EXPECT_EQ(message(full_node(20), "v1.25"), once);
  EXPECT_EQ(message(full_node(20), "v1.26.0"), once + ".");
  EXPECT_EQ(message(full_node(20), "v1.28"), once + ".");
  EXPECT_EQ(message(full_node(20), "v1.29.0"), once);
  EXPECT_EQ(message(full_node(0), "v1.28"), "0/1 nodes are available: 1 Insufficient cpu.");
}

// PRE-MESSAGE-8
TEST(Message, MentionsClaimsFrom134To136) {
  const std::string first = "0/1 nodes are available: 1 Insufficient cpu.";
  const std::string second =
      " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
  EXPECT_EQ(message(full_node(20), "v1.33"), first + second);
  EXPECT_EQ(message(full_node(20), "v1.34.0"), first + " no new claims to deallocate," + second);
  EXPECT_EQ(message(full_node(20), "v1.36"), first + " no new claims to deallocate," + second);
  EXPECT_EQ(message(full_node(20), "v1.37.0"), first + second);
}

// PRE-MESSAGE-9
TEST(Message, IsCutToWhatAnEventHolds) {
  QuestionBuilder builder;
  for (int i = 0; i < 20; ++i) builder.node("n" + std::to_string(i), 1000);
  Question question = builder.asks(pod("p", 10, 1000));
  for (Node& node : question.cluster.nodes)
    node.taints.push_back({node.name, std::string(40, 'v'), "NoSchedule"});
  EXPECT_GT(message(question, "v1.18.0").size(), 1024U);
  const std::string cut = message(question, "v1.18.20");
  EXPECT_EQ(cut.size(), 1024U);
  EXPECT_TRUE(cut.ends_with(" ...")) << cut;
}

// PRE-MESSAGE-9
TEST(Message, IsWholeWhereItIsExactlyWhatAnEventHolds) {
  std::set<std::size_t> seen;
  for (std::size_t length = 1; length <= 60; ++length) {
    QuestionBuilder builder;
    for (int i = 0; i < 13; ++i) builder.node("n" + std::to_string(i), 1000);
    Question question = builder.asks(pod("p", 10, 1000));
    for (Node& node : question.cluster.nodes)
      node.taints.push_back({node.name, std::string(node.name == "n0" ? length : 17, 'v'), "NoSchedule"});
    const std::string whole = message(question, "v1.18.0");
    if (whole.size() != 1024 && whole.size() != 1025) continue;
    seen.insert(whole.size());
    EXPECT_EQ(message(question, "v1.18.20") == whole, whole.size() == 1024) << whole.size();
  }
  EXPECT_EQ(seen.size(), 2u) << "no length gives such a message";
}

}  // namespace touchstone::tests::message_test
