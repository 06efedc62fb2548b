#include <gtest/gtest.h>

#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/reference/extenders/three_nodes.hpp"

namespace touchstone::tests::extended_filter_test {

using reference::preempt;
using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

constexpr const char* k_gpu = "example.com/gpu";

Status status_of_first(const Question& question, std::string_view name) {
  const Placement placement = schedule(question, release(name));
  const auto found = placement.decision.filter.find(0);
  return found == placement.decision.filter.end() ? Status{} : found->second;
}

Pod nominated_to(Pod pod, const std::string& node) {
  pod.nominated_node_name = node;
  return pod;
}

}  // namespace

// EXT-FILTER-1
TEST(ExtendedFilter, AsksEachExtenderAboutTheNodesThatAreLeft) {
  const Extender first = filters({{"n0", ok()}, {"n2", ok()}});
  EXPECT_EQ(feasible(three_nodes({first, filters({{"n1", ok()}, {"n2", ok()}})}), "v1.36"), (Nodes{2}));
  const Decision none =
      schedule(three_nodes({first, filters({{"n1", ok()}}), failing(filters({}))}), release("v1.36"))
          .decision;
  EXPECT_EQ(none.outcome, Outcome::none);  // the third extender is not asked
}

// EXT-FILTER-1
TEST(ExtendedFilter, LeavesTheNodesAloneWithoutAFilterVerb) {
  EXPECT_EQ(feasible(three_nodes({preempts({})}), "v1.36"), (Nodes{0, 1, 2}));
}

// EXT-BIND-1
TEST(ExtendedFilter, TakesNoNoteOfABindVerb) {
  Extender binds;
  binds.bind_verb = "bind";
  const Placement placement = schedule(three_nodes({binds}), release("v1.36"));
  EXPECT_EQ(placement.feasible, (Nodes{0, 1, 2}));
  EXPECT_EQ(placement.best, schedule(three_nodes({}), release("v1.36")).best);
}

// EXT-FILTER-1
TEST(ExtendedFilter, AsksTheExtendersOfTheConfigurationIfTheQuestionHasNone) {
  Release configured = release("v1.36");
  configured.extenders = {filters({{"n1", ok()}})};
  EXPECT_EQ(schedule(three_nodes({}), configured).host, 1U);
  EXPECT_EQ(schedule(three_nodes({filters({{"n2", ok()}})}), configured).host, 2U);
}

// EXT-ORDER-1
TEST(ExtendedFilter, AsksIgnorableExtendersLastFromV115) {
  const Question question =
      three_nodes({ignorable(filters({{"n0", rejected("x")}})), filters({{"n0", rejected("y")}})});
  EXPECT_EQ(status_of_first(question, "v1.14").reasons, (Reasons{"x"}));
  EXPECT_EQ(status_of_first(question, "v1.15").reasons, (Reasons{"y"}));
}

// EXT-INTEREST-1
TEST(ExtendedFilter, AsksOnlyInterestedExtendersFromV110) {
  const Extender extender = managing(filters({{"n0", ok()}}), k_gpu);
  EXPECT_EQ(feasible(three_nodes({extender}), "v1.9"), (Nodes{0}));
  EXPECT_EQ(feasible(three_nodes({extender}), "v1.10"), (Nodes{0, 1, 2}));
}

// EXT-INTEREST-1
TEST(ExtendedFilter, ReadsRequestsAndLimitsOfContainersAndInitContainers) {
  const Extender extender = managing(filters({{"n0", ok()}}), k_gpu, true);
  Pod requests = pod("p", 10, 1000);
  requests.containers[0].requests[k_gpu] = 0;
  EXPECT_EQ(feasible(three_nodes({extender}, requests), "v1.36"), (Nodes{0}));
  Pod limits = pod("p", 10, 1000);
  limits.containers[0].limits[k_gpu] = 0;
  EXPECT_EQ(feasible(three_nodes({extender}, limits), "v1.36"), (Nodes{0}));
  Pod init = pod("p", 10, 1000);
  init.init_containers.push_back({"i", {{k_gpu, 1}}, {}, false});
  EXPECT_EQ(feasible(three_nodes({extender}, init), "v1.36"), (Nodes{0}));
}

// EXT-INTEREST-1: the extender manages two resources. The limits of the pod name the second one.
TEST(ExtendedFilter, AsksAnExtenderIfThePodNamesOneOfItsResources) {
  Pod asked = pod("p", 10, 1000);
  asked.containers[0].limits["example.com/b"] = 1;
  const Extender extender = managing(managing(filters({{"n1", ok()}}), "example.com/a"), "example.com/b");
  EXPECT_EQ(feasible(three_nodes({extender}, asked), "v1.36"), (Nodes{1}));
}

// EXT-RESOURCE-1
TEST(ExtendedFilter, DoesNotCheckResourcesThatTheSchedulerIgnores) {
  Pod asks = pod("p", 10, 1000);
  asks.containers[0].requests[k_gpu] = 1;
  const std::map<std::string, FilterEntry> all = {{"n0", ok()}, {"n1", ok()}, {"n2", ok()}};
  EXPECT_EQ(feasible(three_nodes({managing(filters(all), k_gpu, true)}, asks), "v1.36"), (Nodes{0, 1, 2}));
  EXPECT_EQ(feasible(three_nodes({managing(filters(all), k_gpu)}, asks), "v1.36"), (Nodes{}));
  EXPECT_EQ(feasible(three_nodes({managing(filters(all), k_gpu, true)}, asks), "v1.9"), (Nodes{}));
}

// EXT-RESOURCE-1
TEST(ExtendedFilter, ReplacesTheIgnoredResourcesOfTheProfile) {
  Pod asks = pod("p", 10, 1000);
  asks.containers[0].requests[k_gpu] = 1;
  Release configured = release("v1.36");
  configured.ignored_resources = {k_gpu};
  EXPECT_EQ(schedule(three_nodes({}, asks), configured).feasible, (Nodes{0, 1, 2}));
  const Extender other = managing(preempts({}), "example.com/other", true);
  EXPECT_EQ(schedule(three_nodes({other}, asks), configured).feasible, (Nodes{}));
}

// EXT-FILTER-2
TEST(ExtendedFilter, GivesARejectedNodeItsStatus) {
  const Question failed = three_nodes({filters({{"n0", rejected("no")}, {"n1", ok()}})});
  const Status status = status_of_first(failed, "v1.36");
  EXPECT_EQ(status.code, Code::unschedulable);
  EXPECT_EQ(status.plugin, "");
  EXPECT_EQ(status.reasons, (Reasons{"no"}));
}

// EXT-FILTER-2
TEST(ExtendedFilter, KnowsUnresolvableNodesFromV121) {
  const Question question = three_nodes({filters({{"n0", unresolvable("never")}})});
  EXPECT_EQ(status_of_first(question, "v1.21").code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status_of_first(question, "v1.21").reasons, (Reasons{"never"}));
  EXPECT_TRUE(status_of_first(question, "v1.20").ok());
}

// EXT-FILTER-2, PRE-VICTIM-8
TEST(ExtendedFilter, LetsPreemptionTryARejectedNode) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n1", 4000)
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  question.extenders = {filters({{"n1", unresolvable("no")}})};
  EXPECT_EQ(preempt(question, release("v1.20")).outcome, Outcome::error);
  const Decision later = preempt(question, release("v1.21"));
  EXPECT_EQ(later.outcome, Outcome::nominated);
  EXPECT_EQ(later.candidates[later.chosen].node, 0U);
  question.extenders = {filters({{"n1", rejected("no")}})};
  EXPECT_EQ(preempt(question, release("v1.13")).candidates[0].victims.size(), 1U);
  const Decision early = preempt(question, release("v1.13"));
  EXPECT_EQ(early.candidates[early.chosen].node, 1U);
  EXPECT_TRUE(early.candidates[early.chosen].victims.empty());
}

// EXT-FILTER-3, EXT-NOMINATED-1
TEST(ExtendedFilter, AddsReasonsUpToV131) {
  const Question question =
      three_nodes({filters({{"n0", rejected("no")}})}, nominated_to(pod("p", 10, 1000), "n0"));
  EXPECT_EQ(status_of_first(question, "v1.31").reasons, (Reasons{"no", "no"}));
  EXPECT_EQ(status_of_first(question, "v1.32").reasons, (Reasons{"no"}));
  EXPECT_EQ(status_of_first(question, "v1.13").reasons, (Reasons{"no"}));
}

// EXT-FILTER-3
TEST(ExtendedFilter, MakesAStatusUnresolvableIfALaterExtenderSaysSo) {
  const std::map<std::string, FilterEntry> others = {{"n0", ok()}, {"ghost", rejected("first")}};
  const Question question =
      three_nodes({filters(others), filters({{"n0", rejected("no")}, {"ghost", unresolvable("second")}})});
  const Decision decision = schedule(question, release("v1.31")).decision;
  EXPECT_NE(decision.message.find("1 first"), std::string::npos) << decision.message;
  EXPECT_NE(decision.message.find("1 second"), std::string::npos) << decision.message;
  const Decision later = schedule(question, release("v1.32")).decision;
  EXPECT_EQ(later.message.find("1 first"), std::string::npos) << later.message;
}

// EXT-DROP-1
TEST(ExtendedFilter, HasThreeRulesForNodesThatAreLeftOut) {
  Question question = QuestionBuilder().node("n0", 4000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.extenders = {filters({})};
  const Decision tried = schedule(question, release("v1.13")).decision;
  EXPECT_EQ(tried.outcome, Outcome::nominated);
  EXPECT_TRUE(tried.filter.empty());
  const Decision alone = schedule(question, release("v1.30")).decision;
  EXPECT_EQ(alone.outcome, Outcome::none);
  EXPECT_TRUE(alone.filter.empty());
  const Decision unresolvable_now = schedule(question, release("v1.32")).decision;
  EXPECT_EQ(unresolvable_now.outcome, Outcome::none);
  EXPECT_EQ(unresolvable_now.filter.at(0).code, Code::unschedulable_and_unresolvable);
  EXPECT_TRUE(unresolvable_now.filter.at(0).reasons.empty());
}

// EXT-DROP-1, PRE-PREFILTER-3
TEST(ExtendedFilter, GivesTheStatusOfExcludedNodesIfThereAreSome) {
  Pod pinned = pod("p", 10, 1000);
  pinned.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"n0"}}}}};
  const Decision decision = schedule(three_nodes({filters({})}, pinned), release("v1.36")).decision;
  EXPECT_EQ(decision.filter.at(0).reasons, decision.filter.at(1).reasons);
  EXPECT_FALSE(decision.filter.at(0).reasons.empty());
}

// EXT-DROP-1
TEST(ExtendedFilter, DropsNodesThatTheSearchDidNotVisit) {
  QuestionBuilder builder;
  for (int i = 0; i < 150; ++i) builder.node("n" + std::to_string(i), 4000);
  Question question = builder.asks(pod("p", 10, 1000));
  question.start = 0;
  question.extenders = {filters({{"n3", rejected("no")}})};
  const Decision decision = schedule(question, release("v1.32")).decision;
  EXPECT_EQ(decision.filter.size(), 150U);
  EXPECT_EQ(decision.filter.at(3).reasons, (Reasons{"no"}));
  EXPECT_TRUE(decision.filter.at(149).reasons.empty());
}

// EXT-NOMINATED-1
TEST(ExtendedFilter, SearchesAllNodesIfTheNominatedOneIsRejected) {
  const Pod nominated = nominated_to(pod("p", 10, 1000), "n0");
  EXPECT_EQ(feasible(three_nodes({filters({{"n0", ok()}, {"n1", ok()}})}, nominated), "v1.36"), (Nodes{0}));
  EXPECT_EQ(feasible(three_nodes({filters({{"n1", ok()}, {"n2", ok()}})}, nominated), "v1.36"),
            (Nodes{1, 2}));
  const Placement failed = schedule(three_nodes({failing(filters({}))}, nominated), release("v1.36"));
  EXPECT_EQ(failed.decision.outcome, Outcome::error);
}

// EXT-NOMINATED-1, PRE-PREFILTER-5
TEST(ExtendedFilter, FindsTheErrorThatTheNominatedNodeHid) {
  Pod pinned = nominated_to(pod("p", 10, 1000), "n0");
  pinned.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"n0"}}}},
                          NodeSelectorTerm{{}, {{"metadata.name", "In", {"ghost"}}}}};
  EXPECT_EQ(feasible(three_nodes({filters({{"n0", ok()}})}, pinned), "v1.26"), (Nodes{0}));
  EXPECT_EQ(schedule(three_nodes({filters({})}, pinned), release("v1.26")).decision.outcome, Outcome::error);
}

// EXT-DROP-1: the nodes that the PreFilter excludes are not visited after the nominated node fits.
TEST(ExtendedFilter, TakesThePinnedNominatedNode) {
  Pod pinned = nominated_to(pod("p", 10, 1000), "n0");
  pinned.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"n0"}}}}};
  for (const char* name : {"v1.29", "v1.31", "v1.32", "v1.36", "v1.37"})
    EXPECT_EQ(feasible(three_nodes({filters({{"n0", ok()}})}, pinned), name), (Nodes{0})) << name;
}

// EXT-ERROR-1
TEST(ExtendedFilter, EndsTheAttemptIfAnExtenderFails) {
  const Extender fails = failing(filters({}));
  EXPECT_EQ(schedule(three_nodes({fails}), release("v1.36")).decision.outcome, Outcome::error);
  EXPECT_EQ(schedule(three_nodes({ignorable(fails)}), release("v1.10")).decision.outcome, Outcome::error);
  EXPECT_EQ(feasible(three_nodes({ignorable(fails)}), "v1.11"), (Nodes{0, 1, 2}));
}

// EXT-ERROR-2
TEST(ExtendedFilter, SaysWhichCallFailed) {
  Extender fails = failing(filters({}));
  const auto reason = [&fails](std::string_view name) {
    return schedule(three_nodes({fails}), release(name)).decision.reason;
  };
  EXPECT_EQ(reason("v1.19"), "Failed filter with extender at URL extender 0/filter, code 500");
  EXPECT_EQ(reason("v1.20"), "failed filter with extender at URL extender 0/filter, code 500");
  fails.url_prefix = "http://127.0.0.1:1/x//";
  EXPECT_EQ(reason("v1.20"), "failed filter with extender at URL http://127.0.0.1:1/x/filter, code 500");
  fails.filter->error = "connection refused";
  EXPECT_EQ(reason("v1.20"), "connection refused");
}

// PRE-MESSAGE-1, EXT-DROP-1
TEST(ExtendedFilter, GivesNoReasonForNodesThatAreLeftOut) {
  const Question question = three_nodes({filters({})});
  const auto message = [&question](const char* name) {
    return schedule(question, release(name)).decision.message.substr(0, 28);
  };
  EXPECT_EQ(message("v1.13"), "0/3 nodes are available: .");
  EXPECT_EQ(message("v1.25"), "0/3 nodes are available: . p");
  EXPECT_EQ(message("v1.26"), "0/3 nodes are available: pre");
}

// EXT-ANSWER-1
TEST(ExtendedFilter, SaysWhichAnswerItNeeds) {
  Extender silent = filters({});
  silent.filter.reset();
  const Question question = three_nodes({silent});
  for (const Decision& decision :
       {schedule(question, release("v1.36")).decision, preempt(question, release("v1.36"))}) {
    EXPECT_EQ(decision.outcome, Outcome::skipped);
    ASSERT_TRUE(decision.unanswered.has_value());
    EXPECT_EQ(decision.unanswered->verb, ExtenderVerb::filter);
    EXPECT_EQ(decision.reason, "extenders: the answer of extender 0 to its filterVerb is not known");
    EXPECT_EQ(decision.unanswered->nodes, (Nodes{0, 1, 2}));
  }
  const Question nominated = three_nodes({silent}, nominated_to(pod("p", 10, 1000), "n1"));
  EXPECT_EQ(schedule(nominated, release("v1.36")).decision.unanswered->nodes, (Nodes{1}));
}

// EXT-ANSWER-1
TEST(ExtendedFilter, NeedsAnAnswerAboutEachNode) {
  Extender knows_one = filters({{"n0", ok()}});
  knows_one.filter->asked = {"n0", "n2"};
  EXPECT_TRUE(schedule(three_nodes({knows_one}), release("v1.36")).decision.unanswered.has_value());
  knows_one.filter->asked->insert("n1");
  EXPECT_EQ(feasible(three_nodes({knows_one}), "v1.36"), (Nodes{0}));
}

}  // namespace touchstone::tests::extended_filter_test
