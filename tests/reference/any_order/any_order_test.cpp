#include <gtest/gtest.h>

#include "reference/any_order/interchange_key.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/extenders.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// Tests the limits of `anyOrder`, and single cases of the laws that laws_test.cpp checks by brute force.
namespace touchstone::tests::any_order_test {

namespace {

AnyOrder ask(const Question& question, std::size_t limit, const char* name = "v1.34") {
  return reference::any_order(question, release(name), limit);
}

/// Equally important pods of these sizes on n1. All have the label app if `app` is given.
Question pods_of_sizes(std::vector<Quantity> sizes, Quantity wanted, const std::string& app = "") {
  QuestionBuilder builder;
  Quantity total = 0;
  for (const Quantity size : sizes) total += size;
  builder.node("n1", total);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Pod made = pod("v" + std::to_string(i), 1, sizes[i]);
    builder.has(app.empty() ? made : with_app(made, app));
  }
  return builder.asks(pod("p", 10, wanted));
}

/// The names of the victims of each answer.
std::set<std::set<std::string>> victims(const Question& question, const char* name = "v1.34") {
  const AnyOrder found = ask(question, 1000, name);
  EXPECT_EQ(found.unknown, "");
  std::set<std::set<std::string>> all;
  for (const Candidate& answer : found.answers) {
    std::set<std::string> names;
    for (const PodIndex pod : answer.victims) names.insert(question.cluster.pods[pod].name);
    all.insert(names);
  }
  return all;
}

using Sets = std::set<std::set<std::string>>;

}  // namespace

// PRE-ANYORDER-1
TEST(AnyOrder, TellsPodsApartAsFiltersDo) {
  const Pod a = pod("a", 1, 1000);
  const Pod b = pod("b", 1, 1000);
  const Pod p = pod("p", 10, 1000);
  const auto both = [](const Pod& one, const Pod& other, const Pod& preemptor) {
    return QuestionBuilder().node("n1", 3000).has(one).has(other).asks(preemptor);
  };
  const auto repelled = away(p, {by("kubernetes.io/hostname", "x")});
  Question near_x = both(with_app(a, "x"), b, repelled);
  near_x.cluster.nodes[0].labels["kubernetes.io/hostname"] = "n1";
  EXPECT_EQ(victims(near_x), (Sets{{"a"}}));
  Question repels = both(away(a, {by("kubernetes.io/hostname", "web")}), b, with_app(p, "web"));
  repels.cluster.nodes[0].labels["kubernetes.io/hostname"] = "n1";
  EXPECT_EQ(victims(repels), (Sets{{"a"}}));
  const VolumeSource disk = source("gcePersistentDisk", "d");
  EXPECT_EQ(victims(both(with_volume(a, disk), b, with_volume(p, disk))), (Sets{{"a"}}));
  EXPECT_EQ(victims(both(with_volume(a, disk), with_volume(b, source("emptyDir")), with_volume(p, disk))),
            (Sets{{"a"}}));
}

// PRE-ANYORDER-1: labels that no filter reads do not distinguish pods.
TEST(AnyOrder, TellsNoPodsApartByWhatNobodyReads) {
  QuestionBuilder builder;
  builder.node("n1", 12'000);
  for (int i = 0; i < 12; ++i) {
    Pod one = with_volume(pod("v" + std::to_string(i), 1, 1000), source("emptyDir"));
    one.labels["pod-name"] = one.name;
    builder.has(one);
  }
  const Question question = builder.asks(spread(pod("p", 10, 6000), {}));
  EXPECT_EQ(ask(question, 1000).answers.size(), 924u);
}

// PRE-ANYORDER-1: the key contains everything that a filter reads for this preemptor.
TEST(InterchangeKey, HoldsWhatFiltersRead) {
  const auto same = [](const Pod& preemptor, const Pod& one, const Pod& other) {
    const Question question = QuestionBuilder().node("n1", 1000).asks(preemptor);
    const Release asked = release("v1.34");
    Trace trace = Trace::none();
    const reference::Cycle cycle(question, asked, trace);
    return reference::interchange_key(cycle, one) == reference::interchange_key(cycle, other);
  };
  const Pod p = pod("p", 10, 1000);
  const Pod a = pod("a", 1, 1000);
  const Pod b = pod("b", 1, 1000);
  const auto labelled = [](Pod pod, const std::string& key) {
    pod.labels[key] = "x";
    return pod;
  };
  EXPECT_TRUE(same(p, a, labelled(b, "app")));
  EXPECT_FALSE(same(p, a, with_host_port(b, 80)));
  EXPECT_FALSE(same(p, a, in_namespace(b, "other")));
  Pod ends = b;
  ends.terminating = true;
  EXPECT_FALSE(same(p, a, ends));

  PodAffinityTerm term;
  term.label_selector = LabelSelector{{}, {{"tier", "Exists", {}}}};
  term.match_label_keys = {"hash"};
  term.mismatch_label_keys = {"tenant"};
  TopologySpreadConstraint constraint = over("zone", "x");
  constraint.match_label_keys = {"hash"};
  for (const char* key : {"tier", "hash", "tenant"}) {
    EXPECT_FALSE(same(near(p, {term}), a, labelled(b, key))) << key;
    EXPECT_FALSE(same(away(p, {term}), a, labelled(b, key))) << key;
  }
  for (const char* key : {"app", "hash"})
    EXPECT_FALSE(same(spread(p, {constraint}), a, labelled(b, key))) << key;
  EXPECT_TRUE(same(near(p, {PodAffinityTerm{}}), a, labelled(b, "tier"))) << "no selector";
  EXPECT_TRUE(same(spread(p, {constraint}), a, labelled(b, "tier")));

  const Pod forbids = away(a, {term});
  EXPECT_FALSE(same(p, forbids, b));
  EXPECT_TRUE(same(p, forbids, away(b, {term})));
  EXPECT_FALSE(same(p, forbids, labelled(away(b, {term}), "any")));

  const Pod asks = with_claim(p, "c");
  EXPECT_TRUE(same(asks, with_claim(a, "c"), with_claim(with_volume(b, source("emptyDir")), "c")));
  EXPECT_FALSE(same(asks, with_claim(a, "c"), with_claim(b, "d")));
  EXPECT_TRUE(same(p, with_claim(a, "c"), with_claim(b, "d"))) << "no filter reads it";
  EXPECT_FALSE(same(asks, with_volume(a, source("ephemeral")), with_volume(b, source("ephemeral"))));
}

// PRE-ANYORDER-1, PRE-AFFINITY-6: reprieved pods count as in the dry run, so `anyOrder` has the dry run's
// answer alone.
TEST(AnyOrder, PutsPodsBackAsTheDryRunDoes) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_app(pod("a", 2, 1000), "x"))
                          .has(with_app(pod("b", 1, 1000), "x"))
                          .asks(near(pod("p", 10, 3000), {by("zone", "x")}));
  question.cluster.nodes[0].labels["zone"] = "a";
  for (const char* name : {"v1.12", "v1.17", "v1.18", "v1.34"}) {
    const Decision decision = reference::preempt(question, release(name));
    std::set<std::string> chosen;
    if (decision.outcome != Outcome::nominated) continue;
    for (const PodIndex pod : decision.candidates[decision.chosen].victims)
      chosen.insert(question.cluster.pods[pod].name);
    EXPECT_EQ(victims(question, name), Sets{chosen}) << name;
  }
}

// PRE-ANYORDER-1
TEST(AnyOrder, TakesInterchangeablePodsForOne) {
  const AnyOrder found = ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 1000), 1000);
  EXPECT_EQ(found.unknown, "");
  EXPECT_EQ(found.answers.size(), 12u);
}

// PRE-ANYORDER-1
TEST(AnyOrder, SaysWhenThereIsTooMuchToTell) {
  const std::vector<Quantity> sizes = {100, 200, 300, 400, 500};
  EXPECT_NE(ask(pods_of_sizes(sizes, 500), 2).unknown, "");
  EXPECT_TRUE(ask(pods_of_sizes(sizes, 500), 2).answers.empty());
  EXPECT_EQ(ask(pods_of_sizes(sizes, 500), 1000).unknown, "");
  // 924 ways to choose six of twelve equal pods.
  EXPECT_NE(ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 6000), 500).unknown, "");
  // Chooses 15 of 30 pods: without the limit, the search would try 155 million sets.
  EXPECT_NE(ask(pods_of_sizes(std::vector<Quantity>(30, 1000), 15000), 500).unknown, "");
  EXPECT_EQ(ask(pods_of_sizes(std::vector<Quantity>(12, 1000), 6000), 1000).answers.size(), 924u);
}

// PRE-ANYORDER-1: under PRE-PDB-5 the order of equal pods can decide which of them violates a PDB.
TEST(AnyOrder, TriesOrdersThatDecideWhoSpendsTheBudget) {
  Question question = pods_of_sizes({100, 200, 300, 400, 500}, 900, "x");
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 2, {}});
  EXPECT_EQ(ask(question, 1000).unknown, "");
  EXPECT_NE(ask(question, 100).unknown, "");  // there are 120 orders
  question.cluster.pdbs[0].disruptions_allowed = 0;
  EXPECT_EQ(ask(question, 100).unknown, "");  // every order violates
}

// PRE-ANYORDER-1, EXT-ANSWER-1
TEST(AnyOrder, IsNotKnownWithExtenders) {
  Question question = pods_of_sizes({100, 200}, 100);
  Release configured = release("v1.34");
  configured.extenders = {preempts({{"n1", keeps()}})};
  EXPECT_NE(reference::any_order(question, configured, 1000).unknown, "");
  question.extenders = configured.extenders;
  EXPECT_NE(ask(question, 1000).unknown, "");
}

// PRE-ANYORDER-1, PRE-PDB-1, PRE-PDB-3
TEST(AnyOrder, TriesNoOrderOfPodsBeforePdbsHadABudgetToSpend) {
  Question question = pods_of_sizes({100, 200, 300, 400, 500}, 900, "x");
  question.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 2, {}});
  for (const char* name : {"v1.8", "v1.9"}) {
    EXPECT_EQ(ask(question, 100, name).unknown, "") << name;
    EXPECT_FALSE(ask(question, 100, name).answers.empty()) << name;
  }
}

// PRE-ANYORDER-1, PRE-VICTIM-2
TEST(AnyOrder, LeavesOutNodesWhereEvictionDoesNotHelp) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("v1", 20, 1000))
                                .node("n2", 1000)
                                .has(pod("v2", 1, 1000))
                                .asks(pod("p", 10, 1000));
  const AnyOrder found = ask(question, 100);
  ASSERT_EQ(found.answers.size(), 1u);
  EXPECT_EQ(found.answers[0].node, 1u);
}

// PRE-ANYORDER-2
TEST(AnyOrder, LimitsTheAnswersAsAWhole) {
  QuestionBuilder builder;
  for (int i = 0; i < 6; ++i)
    builder.node("n" + std::to_string(i), 1000).has(pod("v" + std::to_string(i), 1, 1000));
  const Question question = builder.asks(pod("p", 10, 1000));
  EXPECT_EQ(ask(question, 6).answers.size(), 6u);
  EXPECT_NE(ask(question, 5).unknown, "");
}

// PRE-ANYORDER-1, PRE-PDB-4
TEST(AnyOrder, TriesOrdersOfPdbsThatShareAPod) {
  QuestionBuilder builder;
  Pod both = with_app(pod("v1", 9, 1000), "x");
  both.labels["tier"] = "y";
  Pod one = pod("v2", 8, 1000);
  one.labels["tier"] = "y";
  builder.node("n1", 2000).has(both).has(one);
  Question question =
      builder.node("n2", 2000).has(with_app(pod("w1", 50, 2000), "z")).asks(pod("p", 100, 2000));
  question.cluster.pdbs = {{"default", "x", LabelSelector{{{"app", "x"}}, {}}, 0, {}},
                           {"default", "y", LabelSelector{{{"tier", "y"}}, {}}, 1, {}},
                           {"default", "z", LabelSelector{{{"app", "z"}}, {}}, 0, {}}};
  EXPECT_EQ(ask(question, 100, "v1.37").answers.size(), 2u);
  EXPECT_EQ(ask(question, 100, "v1.36").answers.size(), 1u);
  EXPECT_NE(ask(question, 1, "v1.37").unknown, "");
  Question three = question;
  three.cluster.pdbs.push_back(three.cluster.pdbs[0]);
  EXPECT_NE(ask(three, 1, "v1.37").unknown, "");  // there are six orders
  // PDBs do not interact through a pod that cannot be a victim.
  Question spared = question;
  spared.cluster.pods[0].priority = 100;
  EXPECT_EQ(ask(spared, 1, "v1.37").unknown, "");
  spared.cluster.pods[0] = question.cluster.pods[0];
  spared.cluster.pods[0].node_name.clear();
  EXPECT_EQ(ask(spared, 1, "v1.37").unknown, "");
  // The limit is enough for the two orders of PDBs, but not for the three answers on another node.
  Question larger = question;
  for (const char* name : {"u1", "u2", "u3"}) {
    larger.cluster.pods.push_back(pod(name, 1, 1000));
    larger.cluster.pods.back().node_name = "n3";
  }
  larger.cluster.nodes.push_back(larger.cluster.nodes[0]);
  larger.cluster.nodes.back().name = "n3";
  larger.cluster.nodes.back().allocatable["cpu"] = 4000;
  EXPECT_NE(ask(larger, 2, "v1.37").unknown, "");
}

// PRE-ANYORDER-3
TEST(AnyOrder, LetsASearchMissWhatWouldBeBetter) {
  QuestionBuilder builder;
  for (int i = 0; i < 4; ++i) {
    builder.node("n" + std::to_string(i), 1000);
    const Pod victim = pod("v" + std::to_string(i), i, 1000);
    builder.has(i < 2 ? with_app(victim, "x") : victim);
  }
  Question question = builder.pdb("x", 0).asks(pod("p", 10, 1000));
  const auto nodes = [&](Quantity quota) {
    question.quota = quota;
    std::vector<NodeIndex> found;
    for (const Candidate& answer : ask(question, 100).answers) found.push_back(answer.node);
    return found;
  };
  EXPECT_EQ(nodes(0), (std::vector<NodeIndex>{}));
  EXPECT_EQ(nodes(1),
            (std::vector<NodeIndex>{2, 3}));  // never a violating one: the search goes on to n2 and n3
  EXPECT_EQ(nodes(2), (std::vector<NodeIndex>{2, 3}));
  EXPECT_EQ(nodes(4), (std::vector<NodeIndex>{2}));
  question.quota.reset();
  EXPECT_EQ(ask(question, 100).answers.size(), 1u);
  EXPECT_EQ(ask(question, 100, "v1.19").answers.size(), 1u);
}

}  // namespace touchstone::tests::any_order_test
