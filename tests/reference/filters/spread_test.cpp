#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/topology.hpp"

/// Tests topology spread constraints, in the first pass and in the dry run.
namespace touchstone::tests::filter_spread_test {

namespace {

using Names = std::vector<std::string>;

bool crashes(const Question& question, const char* name) {
  return decide(question, name).outcome == Outcome::error;
}

Pod p() { return pod("p", 10, 1000); }
Pod app_x(std::string name, Quantity priority = 0) {
  return with_app(pod(std::move(name), priority, 1000), "x");
}
/// The preemptor with label app=x and one constraint over zones.
Pod even() { return spread(app_x("p", 10), {over("zone", "x")}); }

Pod on_ssd(Pod pod) {
  pod.node_selector["disk"] = "ssd";
  return pod;
}

/// n1 in zone a has these pods and room for one more. n2 in zone b is full.
Question two_zones(const std::vector<Pod>& on_n1, Pod preemptor) {
  QuestionBuilder cluster;
  cluster.node("n1", 1000 * (static_cast<Quantity>(on_n1.size()) + 1));
  for (const Pod& each : on_n1) cluster.has(each);
  cluster.node("n2", 1000).has(pod("full", 20, 1000));
  return in_zones(cluster.asks(std::move(preemptor)), {"a", "b"});
}

/// The release without a filter.
Release without(Filter filter, const char* name) {
  Release profile = release(name);
  std::erase(profile.filter_groups, std::vector<Filter>{filter});
  return profile;
}

}  // namespace

// PRE-SPREAD-1
TEST(PodTopologySpread, RejectsNodesWithoutTheLabelFrom118) {
  Question question = two_zones({}, spread(p(), {over("zone", "x")}));
  question.cluster.nodes[0].labels.clear();
  const std::string text = "node(s) didn't match pod topology spread constraints";
  EXPECT_TRUE(fits(question, "v1.17"));
  EXPECT_EQ(status_of(question, "v1.18"), (Status{Code::unschedulable, "PodTopologySpread", {text}}));
  EXPECT_EQ(status_of(question, "v1.19"), (Status{Code::unschedulable_and_unresolvable,
                                                  "PodTopologySpread",
                                                  {text + " (missing required label)"}}));
}

// PRE-SPREAD-1
TEST(PodTopologySpread, IgnoresConstraintsThatOnlyRank) {
  TopologySpreadConstraint soft = over("zone", "x");
  soft.when_unsatisfiable = "ScheduleAnyway";
  EXPECT_TRUE(fits(two_zones({app_x("a")}, spread(app_x("p", 10), {soft})), "v1.34"));
  EXPECT_FALSE(fits(two_zones({app_x("a")}, spread(app_x("p", 10), {soft, over("zone", "x")})), "v1.34"));
}

// PRE-SPREAD-2
TEST(PodTopologySpread, CountsWhatTheConstraintSelectsInItsNamespace) {
  EXPECT_EQ(victims(two_zones({app_x("a")}, even()), "v1.34"), Names{"a"});
  EXPECT_TRUE(fits(two_zones({with_app(app_x("a"), "y")}, even()), "v1.34"));
  EXPECT_TRUE(fits(two_zones({in_namespace(app_x("a"), "other")}, even()), "v1.34"));
  Pod preemptor = even();
  preemptor.topology_spread[0].label_selector.reset();
  EXPECT_TRUE(fits(two_zones({app_x("a"), app_x("b")}, preemptor), "v1.34"));
}

// PRE-SPREAD-2
TEST(PodTopologySpread, CountsPodsOfItsOwnRevisionFrom127) {
  Pod preemptor = even();
  preemptor.topology_spread[0].match_label_keys = {"revision", "absent"};
  preemptor.labels["revision"] = "2";
  Pod old = app_x("a");
  old.labels["revision"] = "1";
  EXPECT_FALSE(fits(two_zones({old}, preemptor), "v1.26"));
  EXPECT_TRUE(fits(two_zones({old}, preemptor), "v1.27"));
  old.labels["revision"] = "2";
  EXPECT_FALSE(fits(two_zones({old}, preemptor), "v1.27"));
  // Without a selector, matchLabelKeys add nothing.
  preemptor.topology_spread[0].label_selector.reset();
  EXPECT_TRUE(fits(two_zones({old}, preemptor), "v1.27"));
}

// PRE-SPREAD-3
TEST(PodTopologySpread, SpreadsOverNodesWithAllKeys) {
  Question question = two_zones({app_x("a")}, even());
  question.pod.topology_spread.push_back(over("rack", "y"));
  question.cluster.nodes[0].labels["rack"] = "r";
  EXPECT_TRUE(fits(question, "v1.34"));  // n2 has no rack label
  question.cluster.nodes[1].labels["rack"] = "r";
  EXPECT_EQ(victims(question, "v1.34"), Names{"a"});
  // A domain that does not exist counts 0. So n1 passes the first constraint and fails the second.
  question.cluster.nodes[0].labels.erase("rack");
  EXPECT_EQ(status_of(question, "v1.34").code, Code::unschedulable_and_unresolvable);
}

// PRE-SPREAD-3
TEST(PodTopologySpread, SpreadsOverNodesByPolicyFrom126) {
  Question question = two_zones({app_x("a")}, on_ssd(even()));
  question.cluster.nodes[0].labels["disk"] = "ssd";
  EXPECT_TRUE(fits(question, "v1.34"));
  question.pod.topology_spread[0].node_affinity_policy = "Ignore";
  EXPECT_TRUE(fits(question, "v1.25"));
  EXPECT_EQ(victims(question, "v1.26"), Names{"a"});

  Question tainted = two_zones({app_x("a")}, even());
  tainted.cluster.nodes[1].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_EQ(victims(tainted, "v1.34"), Names{"a"});
  tainted.pod.topology_spread[0].node_taints_policy = "Honor";
  EXPECT_EQ(victims(tainted, "v1.25"), Names{"a"});
  EXPECT_TRUE(fits(tainted, "v1.26"));
}

// PRE-SPREAD-4
TEST(PodTopologySpread, DoesNotCountTerminatingPodsButSubtractsThem) {
  Pod leaving = app_x("b");
  leaving.terminating = true;
  EXPECT_TRUE(fits(two_zones({leaving}, even()), "v1.34"));
  const Question question = two_zones({app_x("a", 20), leaving}, even());
  EXPECT_EQ(victims(question, "v1.34"), Names{"b"});
}

// PRE-SPREAD-4
TEST(PodTopologySpread, CountsPodsOfLeftOutNodesFrom119To123) {
  QuestionBuilder cluster;
  cluster.node("n1", 1000).node("n2", 1000).has(pod("full", 20, 1000)).node("n3", 1000).has(app_x("b", 20));
  Question question = in_zones(cluster.asks(on_ssd(even())), {"a", "b", "a"});
  for (const NodeIndex node : {0u, 1u}) question.cluster.nodes[node].labels["disk"] = "ssd";
  EXPECT_TRUE(fits(question, "v1.18"));
  EXPECT_FALSE(fits(question, "v1.19"));
  EXPECT_FALSE(fits(question, "v1.23"));
  EXPECT_TRUE(fits(question, "v1.24"));
  question.cluster.nodes[2].labels["zone"] = "c";
  EXPECT_TRUE(fits(question, "v1.23"));

  // The same holds for a node that lacks a key.
  Question keyless = question;
  keyless.pod.node_selector.clear();
  keyless.pod.topology_spread = {over("zone", "x"), over("rack", "z")};
  keyless.cluster.nodes[2].labels["zone"] = "a";
  for (const NodeIndex node : {0u, 1u}) keyless.cluster.nodes[node].labels["rack"] = "r";
  EXPECT_FALSE(fits(keyless, "v1.23"));
  EXPECT_TRUE(fits(keyless, "v1.24"));
}

// PRE-SPREAD-3, PRE-SPREAD-4: n3 lacks the topology key, so its nine pods are in no domain. Both
// other nodes have no pod, and p fits on either.
TEST(PodTopologySpread, CountsNoPodsOfANodeWithoutADomain) {
  QuestionBuilder cluster;
  cluster.node("n1", 2000).node("n2", 2000).node("n3", 2000);
  for (int i = 0; i < 9; ++i) cluster.has(with_app(pod("a" + std::to_string(i), 20, 0), "x"));
  const Question question = in_zones(cluster.asks(even()), {"a", "b", ""});
  for (const char* name : {"v1.19", "v1.20", "v1.22", "v1.23"})
    EXPECT_EQ(decide(question, name).feasible, (std::vector<NodeIndex>{0, 1})) << name;
}

// PRE-SPREAD-4
TEST(PodTopologySpread, CountsNobodyAtFirstUnderAnEmptySelectorFrom127) {
  Pod preemptor = even();
  preemptor.topology_spread[0].label_selector = LabelSelector{};
  const Question question = two_zones({app_x("a"), app_x("b")}, preemptor);
  EXPECT_FALSE(fits(question, "v1.26"));
  EXPECT_TRUE(fits(question, "v1.27"));
  Question labelled = question;
  labelled.pod.topology_spread[0].match_label_keys = {"app"};
  EXPECT_FALSE(fits(labelled, "v1.27"));
  // One of the two pods is evicted. The dry run subtracts it, although it was never counted.
  Question larger = question;
  larger.cluster.nodes[0].allocatable["cpu"] = 2000;
  larger.pod.containers[0].requests["cpu"] = 1000;
  EXPECT_EQ(victims(larger, "v1.27").size(), 1u);
}

// PRE-SPREAD-5
TEST(PodTopologySpread, CountsConstraintsOfOneKeyTogetherUpTo132) {
  const auto with = [](std::vector<TopologySpreadConstraint> constraints) {
    return two_zones({app_x("a", 5), app_x("b")}, spread(p(), std::move(constraints)));
  };
  const Question first = with({over("zone", "x"), over("zone", "y")});
  EXPECT_EQ(victims(first, "v1.23"), Names{"b"});
  EXPECT_TRUE(fits(first, "v1.24"));
  EXPECT_TRUE(fits(first, "v1.32"));
  EXPECT_EQ(victims(first, "v1.33"), Names{"b"});
  EXPECT_EQ(victims(with({over("zone", "y"), over("zone", "x")}), "v1.32"), Names{"b"});
  // The same constraint twice: the counts add up, except where only the last constraint counts.
  const Question twice = two_zones({app_x("a")}, spread(p(), {over("zone", "x"), over("zone", "x")}));
  EXPECT_EQ(victims(twice, "v1.23"), Names{"a"});
  EXPECT_TRUE(fits(twice, "v1.24"));
}

// PRE-SPREAD-5
TEST(PodTopologySpread, TakesTheLastConstraintThatSpreadsOverTheNode) {
  TopologySpreadConstraint over_untainted = over("zone", "y");
  over_untainted.node_taints_policy = "Honor";
  Question question = two_zones({app_x("a"), app_x("b")}, spread(p(), {over("zone", "x"), over_untainted}));
  question.pod.tolerations = {};
  EXPECT_TRUE(fits(question, "v1.32"));
  question.cluster.nodes[1].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_TRUE(fits(question, "v1.32"));
  EXPECT_FALSE(fits(question, "v1.33"));
}

// PRE-SPREAD-6
TEST(PodTopologySpread, CountsNominatedPods) {
  Question question = two_zones({}, even());
  question.cluster.pods.push_back(with_app(pod("q", 10, 0), "x"));
  question.cluster.pods.back().nominated_node_name = "n1";
  EXPECT_EQ(status_of(question, "v1.34").plugin, "PodTopologySpread");
  question.cluster.pods.back().labels["app"] = "y";
  EXPECT_TRUE(fits(question, "v1.34"));
}

// PRE-SPREAD-6
TEST(PodTopologySpread, CrashesOnPodsOfADomainThatIsNotThereIn119) {
  Question question = two_zones({}, on_ssd(even()));
  question.cluster.pods.push_back(app_x("a"));
  question.cluster.pods.back().node_name = "n1";
  question.cluster.nodes[1].labels["disk"] = "ssd";
  EXPECT_FALSE(crashes(question, "v1.18"));
  EXPECT_TRUE(crashes(question, "v1.19"));
  EXPECT_FALSE(crashes(question, "v1.20"));
  Question other_app = question;
  other_app.cluster.pods.back().labels["app"] = "y";
  EXPECT_FALSE(crashes(other_app, "v1.19"));
  Question no_key = question;
  no_key.cluster.nodes[0].labels.erase("zone");
  EXPECT_FALSE(crashes(no_key, "v1.19"));
  Question shared = question;
  shared.cluster.nodes[1].labels["zone"] = "a";
  EXPECT_FALSE(crashes(shared, "v1.19"));
}

// PRE-SPREAD-6
TEST(PodTopologySpread, CrashesOnNominatedPodsUntilTheyAreLeftOut) {
  Question question = two_zones({}, on_ssd(even()));
  question.cluster.pods.push_back(app_x("q", 10));
  question.cluster.pods.back().nominated_node_name = "n1";
  question.cluster.nodes[1].labels["disk"] = "ssd";
  EXPECT_FALSE(crashes(question, "v1.18"));
  EXPECT_TRUE(crashes(question, "v1.19"));
  EXPECT_TRUE(crashes(question, "v1.22.11"));
  EXPECT_FALSE(crashes(question, "v1.22.12"));
  EXPECT_TRUE(crashes(question, "v1.23.8"));
  EXPECT_FALSE(crashes(question, "v1.23.9"));
  EXPECT_FALSE(crashes(question, "v1.24.0"));
  EXPECT_TRUE(victims(question, "v1.24.0").empty());
}

namespace {

/// q with these labels and no requests is nominated to n1. The constraint of p spreads over n2 alone, so n1
/// is in no domain that is counted.
Question with_pod_nominated_to_n1(const Labels& labels) {
  Question question = two_zones({}, on_ssd(even()));
  question.cluster.nodes[1].labels["disk"] = "ssd";
  Pod q = pod("q", 10, 0);
  q.labels = labels;
  q.nominated_node_name = "n1";
  question.cluster.pods.push_back(q);
  return question;
}

}  // namespace

// PRE-SPREAD-6: v1.22.12 no longer crashes.
TEST(PodTopologySpread, GivesNoNodeAStatusWhereItCrashes) {
  const Question question = with_pod_nominated_to_n1({{"app", "x"}});
  EXPECT_TRUE(decide(question, "v1.22.11").filter.empty());
  EXPECT_EQ(decide(question, "v1.22.12").filter.size(), 2u);
}

// PRE-SPREAD-6, PRE-CYCLE-3: p is nominated to n1, which v1.22.11 tries first. No filter rejects n1, but the
// PreFilter of PodTopologySpread still runs. It crashes if the constraint selects q.
TEST(PodTopologySpread, CrashesOnTheNominatedNodeAlsoIfItsFilterIsOff) {
  Release filters_off = without(Filter::pod_topology_spread, "v1.22.11");
  std::erase(filters_off.filter_groups, std::vector<Filter>{Filter::node_affinity});
  const auto outcome = [&filters_off](const Labels& labels) {
    Question question = with_pod_nominated_to_n1(labels);
    question.pod.nominated_node_name = "n1";
    return reference::preempt(question, filters_off).outcome;
  };
  EXPECT_EQ(outcome({{"app", "x"}}), Outcome::error);
  EXPECT_EQ(outcome({}), Outcome::fits);
}

// PRE-SPREAD-6
TEST(PodTopologySpread, CountsNoNominatedPodsWhereItDoesNotSpread) {
  Question question = two_zones({}, even());
  question.cluster.pods.push_back(app_x("q", 10));
  question.cluster.pods.back().nominated_node_name = "n1";
  question.cluster.nodes[0].allocatable["cpu"] = 2000;
  question.cluster.nodes[1].labels["disk"] = "ssd";
  const auto outcome = [&question](const Release& profile) {
    return reference::preempt(question, profile).outcome;
  };
  const Release no_affinity = without(Filter::node_affinity, "v1.34");
  EXPECT_EQ(outcome(no_affinity), Outcome::none);
  question.pod.node_selector["disk"] = "ssd";
  EXPECT_EQ(outcome(no_affinity), Outcome::fits);
  EXPECT_EQ(outcome(without(Filter::node_affinity, "v1.22.12")), Outcome::fits);
  EXPECT_EQ(outcome(without(Filter::node_affinity, "v1.24.4")), Outcome::fits);
  question.pod.topology_spread[0].node_affinity_policy = "Ignore";
  EXPECT_EQ(outcome(no_affinity), Outcome::none);
  question.pod.node_selector.clear();
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  const Release no_taints = without(Filter::taint_toleration, "v1.34");
  EXPECT_EQ(outcome(no_taints), Outcome::none);
  question.pod.topology_spread[0].node_taints_policy = "Honor";
  EXPECT_EQ(outcome(no_taints), Outcome::fits);
}

// PRE-SPREAD-6
TEST(PodTopologySpread, IsNotModelledWhereItSeesNodesThatAffinityLeavesOut) {
  const Question question = two_zones({}, on_ssd(even()));
  const auto reason = [](const Question& asked, const Release& profile) {
    return reference::preempt(asked, profile).reason;
  };
  const std::string why = "PodTopologySpread: the configuration lets it see nodes that NodeAffinity rejects";
  for (const char* name : {"v1.22.11", "v1.23.8", "v1.24.3"}) {
    EXPECT_EQ(reason(question, without(Filter::node_affinity, name)), why);
    EXPECT_EQ(reason(question, release(name)), "");
  }
  EXPECT_EQ(reason(question, without(Filter::node_affinity, "v1.24.4")), "");
  EXPECT_EQ(reason(two_zones({}, even()), without(Filter::node_affinity, "v1.24.3")), "");
  EXPECT_EQ(reason(two_zones({}, on_ssd(p())), without(Filter::node_affinity, "v1.24.3")), "");
  Release last = without(Filter::node_affinity, "v1.24.3");
  last.filter_groups.push_back({Filter::node_affinity});
  EXPECT_EQ(reason(question, last), why);
  Release all = release("v1.24.3");
  all.checks_all_filters = true;
  EXPECT_EQ(reason(question, all), why);
  Release no_spread = without(Filter::pod_topology_spread, "v1.24.3");
  std::erase(no_spread.filter_groups, std::vector<Filter>{Filter::node_affinity});
  EXPECT_EQ(reason(question, no_spread), "");
}

// PRE-SPREAD-7
TEST(PodTopologySpread, ComparesWithTheEmptiestDomain) {
  EXPECT_EQ(status_of(two_zones({app_x("a")}, even()), "v1.34"),
            (Status{Code::unschedulable,
                    "PodTopologySpread",
                    {"node(s) didn't match pod topology spread constraints"}}));
  Pod lenient = even();
  lenient.topology_spread[0].max_skew = 2;
  EXPECT_TRUE(fits(two_zones({app_x("a")}, lenient), "v1.34"));
  EXPECT_FALSE(fits(two_zones({app_x("a"), app_x("b")}, lenient), "v1.34"));
  // The constraint does not select the preemptor, so the preemptor adds nothing.
  EXPECT_TRUE(fits(two_zones({app_x("a")}, spread(p(), {over("zone", "x")})), "v1.34"));
}

// PRE-SPREAD-7
TEST(PodTopologySpread, WantsEnoughDomainsFrom127) {
  QuestionBuilder cluster;
  cluster.node("n1", 2000).has(app_x("a"));
  Question question = in_zones(cluster.asks(even()), {"a"});
  EXPECT_TRUE(fits(question, "v1.34"));
  question.pod.topology_spread[0].min_domains = 2;
  EXPECT_TRUE(fits(question, "v1.26"));
  EXPECT_EQ(victims(question, "v1.27"), Names{"a"});
}

// PRE-SPREAD-7
TEST(PodTopologySpread, LetsAnyNodePassWhereThereIsNoDomainInEarlyReleases) {
  const Question question = QuestionBuilder().node("n1", 1000).asks(even());
  EXPECT_TRUE(fits(question, "v1.18.10"));
  EXPECT_FALSE(fits(question, "v1.18.11"));
  EXPECT_TRUE(fits(question, "v1.19.3"));
  EXPECT_FALSE(fits(question, "v1.19.4"));
}

}  // namespace touchstone::tests::filter_spread_test
