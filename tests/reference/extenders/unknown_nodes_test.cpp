#include <gtest/gtest.h>

#include "reference/preemption/preempt.hpp"
#include "tests/reference/extenders/three_nodes.hpp"

/// Tests answers of filterVerb that name nodes that do not exist, alone or together with other errors.
namespace touchstone::tests::unknown_nodes_test {

using reference::preempt;
using reference::schedule;

namespace {

using Nodes = std::vector<NodeIndex>;
using Reasons = std::vector<std::string>;

}  // namespace

// EXT-FILTER-3
TEST(ExtendedFilter, CountsReasonsAboutUnknownNamesInTheMessage) {
  const Question question = three_nodes({filters({{"n0", rejected("no")}, {"ghost", rejected("ghost")}})});
  const Decision decision = schedule(question, release("v1.13")).decision;
  EXPECT_NE(decision.message.find("1 ghost, 1 no"), std::string::npos) << decision.message;
}

// EXT-FILTER-3
TEST(ExtendedFilter, GivesAnUnknownNameAStatusUpToV117) {
  const Extender extender = filters({{"n0", ok()}, {"n1", ok()}, {"ghost", rejected("ghost")}});
  const std::map<std::string, Status> statuses =
      schedule(three_nodes({extender}), release("v1.17")).decision.unknown_filter;
  EXPECT_EQ(statuses.at("ghost").reasons, (Reasons{"ghost"}));
  EXPECT_TRUE(schedule(three_nodes({extender}), release("v1.18")).decision.unknown_filter.empty());
  const Question none = three_nodes({filters({{"ghost", rejected("ghost")}})});
  EXPECT_TRUE(schedule(none, release("v1.17")).decision.unknown_filter.contains("ghost"));
  EXPECT_TRUE(schedule(none, release("v1.18")).decision.unknown_filter.empty());
  EXPECT_EQ(preempt(none, release("v1.17")).unknown_filter.size(), 1U);
  EXPECT_TRUE(preempt(none, release("v1.18")).unknown_filter.empty());
  EXPECT_TRUE(preempt(none, release("v1.36")).unknown_filter.empty());
}

// EXT-FILTER-3: two extenders reject the same unknown name. The status is unresolvable if one of them says
// so, also the first one. No release both has statuses of unknown names (up to v1.17) and reads
// "unresolvable" (from v1.21), so the test turns the latter on in v1.17.
TEST(ExtendedFilter, KeepsTheCodeOfAnEarlierRejection) {
  const auto code = [](const FilterEntry& first, const FilterEntry& second) {
    const Question question =
        three_nodes({filters({{"n0", ok()}, {"x1", first}}), filters({{"x1", second}})});
    Release by = release("v1.17");
    by.extender_says_unresolvable = true;
    const Status status = preempt(question, by).unknown_filter.at("x1");
    EXPECT_EQ(status.reasons, (Reasons{"one", "two"}));
    return status.code;
  };
  EXPECT_EQ(code(unresolvable("one"), rejected("two")), Code::unschedulable_and_unresolvable);
  EXPECT_EQ(code(rejected("one"), unresolvable("two")), Code::unschedulable_and_unresolvable);
  EXPECT_EQ(code(rejected("one"), rejected("two")), Code::unschedulable);
}

// EXT-UNKNOWN-1
TEST(ExtendedFilter, FailsOnNamesThatNoNodeHas) {
  const Extender extender = filters_names({{"n0", ok()}, {"ghost", ok()}});
  const auto decision = [&extender](std::string_view name) {
    return schedule(three_nodes({ignorable(extender)}), release(name)).decision;
  };
  EXPECT_EQ(decision("v1.15").outcome, Outcome::error);
  EXPECT_EQ(decision("v1.15").message, "");  // the scheduler crashes
  EXPECT_EQ(decision("v1.16").outcome, Outcome::fits);
  const auto reason = [&extender](std::string_view name) {
    return schedule(three_nodes({extender}), release(name)).decision.reason;
  };
  EXPECT_EQ(
      reason("v1.17"),
      "extender \"extender 0\" claims a filtered node \"ghost\" which is not found in nodeNameToInfo map");
  EXPECT_EQ(
      reason("v1.18"),
      "extender \"extender 0\" claims a filtered node \"ghost\" which is not found in the input node list");
}

// EXT-UNKNOWN-1: up to v1.15 the crash ends preemption, too.
TEST(ExtendedFilter, CrashesForANameThatNoNodeHas) {
  const Question question = three_nodes({filters_names({{"n0", ok()}, {"x1", ok()}})});
  const Decision decision = preempt(question, release("v1.15"));
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_EQ(decision.reason, "an extender names a node that does not exist: the scheduler crashes");
  EXPECT_EQ(decision.message, "");
}

// EXT-UNKNOWN-1: no node has the names x1 and x2. The error is about x1.
TEST(ExtendedFilter, ReportsTheFirstOfTwoNamesThatNoNodeHas) {
  const Question question = three_nodes({filters_names({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  const std::string reason = preempt(question, release("v1.36")).reason;
  EXPECT_NE(reason.find("filtered node \"x1\""), std::string::npos) << reason;
  EXPECT_EQ(reason.find("x2"), std::string::npos) << reason;
}

// EXT-ERROR-1, EXT-UNKNOWN-1: a call that fails returns no names, so its error alone counts.
TEST(ExtendedFilter, ReportsTheErrorOfACallThatFails) {
  const Extender names = filters_names({{"n0", ok()}, {"x1", ok()}});
  for (const char* name : {"v1.15", "v1.36"})
    EXPECT_EQ(preempt(three_nodes({failing(names, "no answer")}), release(name)).reason, "no answer") << name;
}

// EXT-ERROR-1, EXT-UNKNOWN-1: the unknown name x1 is an error of the first extender. It ends the attempt
// before the scheduler asks the second extender, which would fail too.
TEST(ExtendedFilter, EndsWithTheErrorOfTheFirstExtender) {
  const Extender names = filters_names({{"n0", ok()}, {"x1", ok()}});
  const Decision decision =
      preempt(three_nodes({names, failing(filters({}), "no answer")}), release("v1.36"));
  EXPECT_NE(decision.reason.find("\"x1\""), std::string::npos) << decision.reason;
  EXPECT_EQ(decision.reason.find("no answer"), std::string::npos) << decision.reason;
  EXPECT_TRUE(decision.filter.empty());
}

// EXT-UNKNOWN-2
TEST(ExtendedFilter, TakesUnknownObjectsForFeasibleNodes) {
  const Extender alone = filters({{"ghost", ok()}});
  const Placement host = schedule(three_nodes({alone}), release("v1.32"));
  EXPECT_EQ(host.host, 3U);
  EXPECT_EQ(host.unknown_nodes, (Reasons{"ghost"}));
  const Question both = three_nodes({filters({{"n0", ok()}, {"ghost", ok()}})});
  const auto error = [&both](const Release& of) { return schedule(both, of).decision.reason; };
  const std::string unknown = " node \"ghost\" from Snapshot: nodeinfo not found for node name \"ghost\"";
  EXPECT_EQ(error(release("v1.16")), "a score of a node that does not exist: the scheduler crashes");
  EXPECT_EQ(schedule(both, release("v1.16")).decision.message, "");
  const auto by = [&](const char* name, const std::vector<Scorer>& scorers) {
    Release of = release(name);
    of.scorers.clear();
    for (const Scorer each : scorers) of.scorers.push_back({each, "X"});
    return of;
  };
  const Scorer affinity_of_pods = Scorer::inter_pod_affinity;
  EXPECT_EQ(error(by("v1.13", {Scorer::image_locality})), "node not found");
  EXPECT_EQ(error(by("v1.13", {Scorer::image_locality, affinity_of_pods, Scorer::equal})),
            "[node not found, node not found]");
  EXPECT_EQ(error(by("v1.16", {Scorer::image_locality, Scorer::equal})), "node not found");
  for (const Scorer each : {Scorer::service_spread, Scorer::service_anti_affinity})
    EXPECT_EQ(schedule(both, by("v1.13", {each})).decision.outcome, Outcome::error);
  const Placement affinity_alone = schedule(both, by("v1.13", {affinity_of_pods}));
  EXPECT_EQ(affinity_alone.best, (Nodes{0, 3}));
  EXPECT_EQ(error(release("v1.19")), "error while running score plugin for pod \"p\": getting" + unknown);
  const std::string plugin = "running Score plugins: plugin \"";
  EXPECT_EQ(error(release("v1.32")), plugin + "TaintToleration\" failed with: getting" + unknown);
  Release affinity = release("v1.32");
  std::erase_if(affinity.scorers,
                [](const WeightedScorer& each) { return each.scorer == Scorer::taint_toleration; });
  EXPECT_EQ(error(affinity), plugin + "NodeResourcesFit\" failed with: getting" + unknown);
  affinity.scorers = {{Scorer::inter_pod_affinity, "InterPodAffinity"}};
  EXPECT_EQ(error(affinity), "");
  Question preferring = both;
  preferring.pod.preferred_pod_affinity.push_back({1, {}});
  preferring.pod.preferred_pod_affinity.back().term.topology_key = "zone";
  preferring.pod.preferred_pod_affinity.back().term.label_selector = LabelSelector{};
  preferring.cluster.nodes.front().labels["zone"] = "z";
  preferring.cluster.pods.push_back(pod("a", 0, 100));
  preferring.cluster.pods.back().node_name = "n0";
  EXPECT_EQ(schedule(preferring, affinity).decision.reason,
            plugin + "InterPodAffinity\" failed with: failed to get" + unknown);
  affinity.scorers = {};
  EXPECT_EQ(error(affinity), "");
  const Placement scored = schedule(both, release("v1.33"));
  EXPECT_EQ(scored.feasible, (Nodes{0, 3}));
  EXPECT_EQ(scored.best, (Nodes{0}));
  EXPECT_EQ(scored.scores.front().scores, (std::vector<Quantity>{300, 300}));  // TaintToleration
}

// EXT-UNKNOWN-2
TEST(ExtendedFilter, ScoresUnknownObjectsByExtendersAloneWithoutScorers) {
  Release without_scorers = release("v1.32");
  without_scorers.scorers.clear();
  const Question question =
      three_nodes({filters({{"n0", ok()}, {"ghost", ok()}}), scores(1, {{"ghost", 2}, {"n0", 1}})});
  const Placement placement = schedule(question, without_scorers);
  EXPECT_EQ(placement.totals, (std::vector<Quantity>{10, 20}));
  EXPECT_EQ(placement.best, (Nodes{3}));
}

// EXT-UNKNOWN-2
TEST(ExtendedFilter, AsksLaterExtendersAboutUnknownObjects) {
  const Extender first = filters({{"n0", ok()}, {"ghost", ok()}});
  EXPECT_EQ(feasible(three_nodes({first, filters({{"n0", ok()}, {"ghost", ok()}})}), "v1.33"), (Nodes{0, 3}));
  EXPECT_EQ(feasible(three_nodes({first, filters_names({{"n0", ok()}, {"ghost", ok()}})}), "v1.33"),
            (Nodes{0, 3}));
  EXPECT_EQ(feasible(three_nodes({first, filters({{"n0", ok()}})}), "v1.33"), (Nodes{0}));
}

// EXT-UNKNOWN-2: an extender passes n0 and two objects of nodes that do not exist. Their indices follow those
// of the nodes.
TEST(ExtendedFilter, PassesEachUnknownNode) {
  const Question question = three_nodes({filters({{"n0", ok()}, {"x1", ok()}, {"x2", ok()}})});
  for (const char* name : {"v1.33", "v1.36"}) {
    const Placement placement = schedule(question, release(name));
    EXPECT_EQ(placement.feasible, (Nodes{0, 3, 4})) << name;
    EXPECT_EQ(placement.decision.feasible, (Nodes{0})) << name;
    EXPECT_EQ(placement.unknown_nodes, (Reasons{"x1", "x2"})) << name;
    EXPECT_EQ(placement.totals.size(), 3U) << name;
  }
}

// EXT-UNKNOWN-2: the decision lists the nodes of the cluster alone.
TEST(ExtendedFilter, LeavesUnknownNodesOutOfTheDecision) {
  const Question question = three_nodes({filters({{"n1", ok()}, {"x1", ok()}})});
  EXPECT_EQ(feasible(question, "v1.36"), (Nodes{1, 3}));
  EXPECT_EQ(schedule(question, release("v1.36")).decision.feasible, (Nodes{1}));
}

// EXT-UNKNOWN-2: the first extender passes x1 (index 3), the second passes x2 (index 4) instead.
TEST(ExtendedFilter, TakesTheUnknownNodesOfTheLastAnswer) {
  const Question question =
      three_nodes({filters({{"n0", ok()}, {"x1", ok()}}), filters({{"n0", ok()}, {"x2", ok()}})});
  EXPECT_EQ(feasible(question, "v1.36"), (Nodes{0, 4}));
}

// EXT-UNKNOWN-2
TEST(ExtendedFilter, DoesNotDecidePreemptionIfOnlyAnUnknownNodeIsFeasible) {
  const Decision decision = preempt(three_nodes({filters({{"ghost", ok()}})}), release("v1.36"));
  EXPECT_EQ(decision.outcome, Outcome::fits);
  EXPECT_TRUE(decision.feasible.empty());
}

}  // namespace touchstone::tests::unknown_nodes_test
