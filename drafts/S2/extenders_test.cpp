// goes into tests/optimized/extenders_test.cpp
#include "tests/support/extenders.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::extenders_test {

namespace {

using Nodes = std::vector<NodeIndex>;

/// Nodes n1 to n3 with room for the pod.
Question three_nodes(std::vector<Extender> extenders) {
  QuestionBuilder builder;
  for (const char* name : {"n1", "n2", "n3"}) add_node(builder, name);
  Question question = with_memory(builder.asks(pod("p", 10, 1000)));
  question.extenders = std::move(extenders);
  return question;
}

Extender filters_all() { return filters_names({{"n1", ok()}, {"n2", ok()}, {"n3", ok()}}); }

/// The extender without its tables.
Extender unknown(Extender extender) {
  extender.filter.reset();
  extender.prioritize.reset();
  extender.preempt.reset();
  return extender;
}

/// Nodes n1, n2 and so on with these pods. The preemptor needs a whole node.
Question full_nodes(const std::vector<std::vector<Pod>>& pods, std::vector<Extender> extenders) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    builder.node("n" + std::to_string(i + 1), 4000);
    for (const Pod& each : pods[i]) builder.has(each);
  }
  Question question = builder.asks(pod("p", 100, 4000));
  question.extenders = std::move(extenders);
  return question;
}
Question two_full_nodes(std::vector<Extender> extenders) {
  return full_nodes({{pod("on-n1", 0, 1000)}, {pod("on-n2", 0, 1000)}}, std::move(extenders));
}

optimized::Answer answer_of(const Question& question, const char* version) {
  return placed_alike(question, release(version)).answer;
}

constexpr const char* k_unknown = "configuration: extenders: an answer is not known";
constexpr const char* k_no_node = "configuration: extenders: they name a node that does not exist";
constexpr const char* k_no_victim = "configuration: extenders: they name a victim that is not on its node";

}  // namespace

// EXT-ERROR-1, EXT-PREEMPT-2, EXT-ANSWER-1: an error, an answer that only the reference can handle, and an
// empty list of candidates each end the calls. A later extender cannot change the reason.
TEST(OptimizedExtenders, KeepTheReasonOfTheAnswerThatEndsTheCallsAboutVictims) {
  const Extender ghost = preempts({{"ghost", keeps()}});
  const Extender second = failing(preempts({}), "second");
  Extender knows_n1 = preempts({{"n1", keeps()}, {"n2", keeps()}});
  knows_n1.preempt->asked = std::set<std::string>{"n1"};
  struct Case {
    std::vector<Extender> extenders;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {{unknown(ghost), ghost}, k_unknown},
      {{knows_n1}, k_unknown},
      {{failing(preempts({}), "first"), second}, "first"},
      {{failing(ghost, "first")}, "first"},
      {{ghost, unknown(ghost)}, k_no_node},
      {{preempts({{"ghost", keeps()}, {"n1", evicts({"default/nobody"})}})}, k_no_node},
      {{preempts({{"n1", evicts({"default/on-n1", "default/nobody"})}}), ghost}, k_no_victim},
      {{preempts({{"n1", evicts({})}}), second}, "expected at least one victim pod on node \"n1\""},
      {{preempts({}), second}, "no candidate node for preemption"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(answer_of(two_full_nodes(cases[i].extenders), "v1.36.3").reason, cases[i].reason) << i;
  // The error of an ignorable extender does not end the calls.
  const std::vector<Extender> both = {ignorable(failing(preempts({}))),
                                      ignorable(preempts({{"n2", keeps()}}))};
  EXPECT_EQ(answer_of(two_full_nodes(both), "v1.36.3").admissible, Nodes{1});
}

// EXT-PREEMPT-4: in v1.10 preemption asks all extenders that filter, also behind one that does not. An error
// rejects the candidate.
TEST(OptimizedExtenders, FilterTheCandidatesAgainInV110) {
  const Extender rejects_n1 = filters_names({{"n2", ok()}});
  EXPECT_EQ(answer_of(two_full_nodes({scores(1, {}), rejects_n1}), "v1.10").admissible, Nodes{1});
  EXPECT_EQ(answer_of(two_full_nodes({failing(filters_all())}), "v1.10").outcome, Outcome::none);
  EXPECT_EQ(answer_of(two_full_nodes({unknown(filters_all())}), "v1.10").reason, k_unknown);
  Extender knows_n1 = filters_all();
  knows_n1.filter->asked = std::set<std::string>{"n1"};
  EXPECT_EQ(answer_of(two_full_nodes({knows_n1}), "v1.10").reason, k_unknown);
}

// PRE-NODE-1 to PRE-NODE-6: the criteria apply to the victims that extenders leave, in the order in which an
// extender names them. Times are not criteria before v1.15.
TEST(OptimizedExtenders, ChooseAmongTheCandidatesThatAreLeft) {
  constexpr Quantity k_lowest = -2147483648;
  constexpr Quantity k_latest = std::numeric_limits<Quantity>::max();
  const auto at = [](const char* name, Quantity priority, Quantity start) {
    return started(pod(name, priority, 1000), start);
  };
  const Extender keeps_all = preempts({{"n1", keeps()}, {"n2", keeps()}});
  struct Case {
    std::vector<std::vector<Pod>> pods;
    Extender extender;
    Nodes best;
  };
  const std::vector<Case> cases = {
      // the sum of priorities
      {{{at("a", 5, 1), at("b", 5, 1)}, {at("c", 5, 1), at("d", 0, 1)}}, keeps_all, {1}},
      // the first priority, before the sum
      {{{at("a", 5, 1)}, {at("b", 4, 1), at("c", 4, 1)}}, keeps_all, {1}},
      {{{at("a", 5, 1), at("b", 0, 1)}, {at("c", 3, 1), at("d", 3, 1)}}, keeps_all, {1}},
      // the number of victims, where the sums are equal
      {{{at("a", 0, 1), at("b", k_lowest, 1)}, {at("c", 0, 1)}}, keeps_all, {1}},
      // a pod that has not started, before the latest start
      {{{at("a", 0, 5)}, {unstarted(pod("b", 0, 1000))}}, keeps_all, {1}},
      {{{at("a", 0, k_latest)}, {unstarted(pod("b", 0, 1000))}}, keeps_all, {1}},
      // the earliest start of the pods of the highest priority
      {{{at("a", 5, 100), at("b", 0, 10)}, {at("c", 5, 50), at("d", 0, 60)}}, keeps_all, {0}},
      {{{at("a", 0, 300), at("b", 5, 100)}, {at("c", 0, 50), at("d", 5, 200)}},
       preempts({{"n1", evicts({"default/a", "default/b"})}, {"n2", evicts({"default/c", "default/d"})}}),
       {1}},
      {{{at("a", 0, 100), at("b", 0, 10)}, {at("c", 0, 50), at("d", 0, 60)}},
       preempts({{"n1", evicts({"default/a", "default/b"})}, {"n2", evicts({"default/c", "default/d"})}}),
       {1}},
      // a better node behind a worse one
      {{{at("a", 3, 1)}, {at("b", 5, 1)}, {at("c", 0, 1)}},
       preempts({{"n1", keeps()}, {"n2", keeps()}, {"n3", keeps()}}),
       {2}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Question question = full_nodes(cases[i].pods, {cases[i].extender});
    EXPECT_EQ(answer_of(question, "v1.36.3").admissible, cases[i].best) << i;
    for (const char* version : {"v1.13.0", "v1.18", "v1.24"}) answer_of(question, version);
  }
}

// PRE-VICTIM-8: up to v1.18 a candidate without victims wins at once, even over a victim of priority -5.
TEST(OptimizedExtenders, MayLeaveACandidateWithoutVictimsThatWins) {
  const Question question = full_nodes({{pod("a", 0, 1000)}, {pod("b", -5, 1000)}},
                                       {preempts({{"n1", evicts({})}, {"n2", keeps()}})});
  EXPECT_EQ(answer_of(question, "v1.18").admissible, Nodes{0});
}

// PRE-NODE-6, PRE-SEARCH-1: the search begins at the second potential node. The nodes of the last tie are in
// the order of the cluster all the same.
TEST(OptimizedExtenders, TieInTheOrderOfTheCluster) {
  Question question = full_nodes({{pod("a", 0, 1000)}, {pod("b", 0, 1000)}, {pod("c", 0, 1000)}},
                                 {preempts({{"n1", keeps()}, {"n2", keeps()}, {"n3", keeps()}})});
  question.offset = 1;
  EXPECT_EQ(answer_of(question, "v1.36.3").admissible, (Nodes{0, 1, 2}));
}

// EXT-FILTER-1, EXT-ERROR-1, EXT-UNKNOWN-1: what ends the calls to filterVerb, and what does not.
TEST(OptimizedExtenders, EndTheCallsThatFilterAtTheRightAnswer) {
  const Extender ghost = filters({{"n1", ok()}, {"ghost", ok()}});
  EXPECT_EQ(answer_of(three_nodes({ghost, unknown(filters_all())}), "v1.36.3").reason, k_no_node);
  // A node that does not exist may be rejected.
  const Extender rejects_ghost = filters({{"n1", ok()}, {"ghost", rejected("no")}});
  EXPECT_EQ(answer_of(three_nodes({rejects_ghost}), "v1.36.3").feasible, Nodes{0});
  // Without feasible nodes, no further extender is asked.
  EXPECT_EQ(answer_of(three_nodes({filters_names({}), failing(filters_all(), "late")}), "v1.36.3").outcome,
            Outcome::none);
  const std::vector<Extender> both = {ignorable(failing(filters_all())),
                                      ignorable(filters_names({{"n2", ok()}}))};
  EXPECT_EQ(answer_of(three_nodes(both), "v1.36.3").feasible, Nodes{1});
}

// EXT-ORDER-1: from v1.15 on ignorable extenders are asked last. The other one fails if a node is left for
// it.
TEST(OptimizedExtenders, AreAskedInTheOrderOfTheRelease) {
  const Extender leaves_none = ignorable(filters_names({}));
  const Extender fails = failing(filters_all(), "failed");
  const auto reason = [](std::vector<Extender> extenders, const char* version) {
    return answer_of(three_nodes(std::move(extenders)), version).reason;
  };
  EXPECT_NE(reason({leaves_none, fails}, "v1.13.0"), "failed");
  EXPECT_EQ(reason({leaves_none, fails}, "v1.36.3"), "failed");
  EXPECT_EQ(reason({fails, leaves_none}, "v1.13.0"), "failed");
  EXPECT_EQ(reason({fails, leaves_none}, "v1.36.3"), "failed");
}

// EXT-ERROR-2: the URL loses the slashes at its end.
TEST(OptimizedExtenders, NameTheirUrlInAnError) {
  Extender extender = failing(filters_all());
  extender.url_prefix = "http://extender.example//";
  EXPECT_EQ(answer_of(three_nodes({extender}), "v1.36.3").reason,
            "failed filter with extender at URL http://extender.example/filter, code 500");
}

// EXT-INTEREST-1: one resource of one container is enough, also of an init container.
TEST(OptimizedExtenders, AreInterestedInOneResourceOfOneContainer) {
  const Extender two = filters_names({{"n2", ok()}});
  EXPECT_EQ(answer_of(three_nodes({managing(managing(two, "example.com/gpu"), "cpu")}), "v1.36.3").feasible,
            Nodes{1});
  Question init = three_nodes({managing(two, "memory")});
  EXPECT_EQ(answer_of(init, "v1.36.3").feasible, (Nodes{0, 1, 2}));
  init.pod.init_containers.push_back({"i", {{"memory", 1}}, {}, false});
  EXPECT_EQ(answer_of(init, "v1.36.3").feasible, Nodes{1});
}

// CYC-HOST-4: every node has an entry if some extender does not score. Then the release chooses among all
// best nodes, in the order of the cluster, wherever the search begins. Otherwise the root of the heap wins.
TEST(OptimizedExtenders, LetTheReleaseChooseAmongAllBestNodes) {
  for (const Quantity start : {0, 1, 2}) {
    Question question = three_nodes({filters_all()});
    question.start = start;
    EXPECT_EQ(placed_alike(question, release("v1.36.3")).best, (Nodes{0, 1, 2})) << start;
    question.extenders = {filters_all(), scores(1, {{"n3", 0}})};
    EXPECT_EQ(placed_alike(question, release("v1.36.3")).best, (Nodes{0, 1, 2})) << start;
    question.extenders = {scores(1, {})};
    EXPECT_EQ(placed_alike(question, release("v1.36.3")).best.size(), 1U) << start;
  }
}

// EXT-FILTER-1, PRE-PREFILTER-2: a PreFilter rejects the pod, so no extender is asked.
TEST(OptimizedExtenders, AreNotAskedIfAPreFilterRejectsThePod) {
  Question question = three_nodes({filters_names({})});
  question.pod.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}}}}};
  for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
    question.start = start;
    for (const char* version : {"v1.18", "v1.24", "v1.29.5", "v1.31.0", "v1.36.3"})
      EXPECT_EQ(answer_of(question, version).outcome, Outcome::none) << version;
  }
}

// PRE-CYCLE-3: preemption lists all nodes that fit, also if the release tries the nominated node alone.
TEST(OptimizedExtenders, AreNotNeededToListAllNodesThatFit) {
  Question question = three_nodes({});
  question.pod.nominated_node_name = "n2";
  for (const char* version : {"v1.20", "v1.24", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).feasible, (Nodes{0, 1, 2})) << version;
}

// EXT-NOMINATED-1, EXT-ANSWER-1: after an error about the nominated node, the extender is asked about all
// nodes. Its answer about n2 is not known.
TEST(OptimizedExtenders, AreAskedAgainAfterAnErrorAboutTheNominatedNode) {
  Extender extender = failing(filters_all());
  extender.filter->asked = std::set<std::string>{"n1"};
  Question question = three_nodes({extender});
  question.pod.nominated_node_name = "n1";
  for (const char* version : {"v1.22", "v1.36.3"}) EXPECT_EQ(answer_of(question, version).reason, k_unknown);
}

namespace {

/// Nodes n1 to n3 with room for the pod, which is nominated to n1. A filter errs on n3 from v1.23 on, because
/// the ephemeral volume of a pod there has a claim of another pod.
Question nominated_beside_an_erring_node(std::vector<Extender> extenders) {
  QuestionBuilder builder;
  builder.node("n1", 4000).node("n2", 4000).node("n3", 4000);
  builder.has(with_volume(pod("on-n3", 20, 0), source("ephemeral")));
  Stored stored(builder.asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(claim("on-n3-v0", "v"));
  stored.with(CsiNode{"n3", {"d"}, {{"d", 9}}, {}});
  Question question = stored;
  question.pod.nominated_node_name = "n1";
  question.extenders = std::move(extenders);
  return question;
}

}  // namespace

// EXT-NOMINATED-1, PRE-CYCLE-3: n3 is filtered only after the extender has rejected n1. Then its error ends
// the attempt.
TEST(OptimizedExtenders, LetTheOtherNodesBeFilteredIfTheyRejectTheNominatedOne) {
  for (const char* version : {"v1.24", "v1.29.5", "v1.36.3"}) {
    for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
      for (const Extender& refusing : {filters_names({{"n2", ok()}}), filters_names({})}) {
        Question question = nominated_beside_an_erring_node({refusing});
        question.start = start;
        EXPECT_EQ(answer_of(question, version).outcome, Outcome::error) << version;
        EXPECT_EQ(agreed(question, version).outcome, Outcome::error) << version;
        question.extenders = {filters_all()};
        EXPECT_EQ(answer_of(question, version).feasible, Nodes{0}) << version;
      }
    }
  }
}

// EXT-NOMINATED-1, PRE-CYCLE-3, PRE-CLAIM-3: the volume of the pod names the hosts n2 and n3. The node n1 has
// the host name n3, so the pod passes its filters, which hides the error on n3. Where an excluded node has a
// reason of its own, the search finds n2 alone. The extender rejects n2, which does not bring the error back.
TEST(OptimizedExtenders, DoNotBringBackAnErrorThatTheNominatedNodeHides) {
  Question question = nominated_beside_an_erring_node({filters_names({})});
  question.cluster.storage.volumes["v"] = reached_from(volume("v"), "kubernetes.io/hostname", {"n2", "n3"});
  for (Node& node : question.cluster.nodes)
    node.labels["kubernetes.io/hostname"] = node.name == "n2" ? "n2" : "n3";
  for (const char* version :
       {"v1.26.15", "v1.27.1", "v1.27.14", "v1.29.5", "v1.30.1", "v1.31.0", "v1.36.3"}) {
    answer_of(question, version);
    agreed(question, version);
  }
}

// EXT-DROP-1, EXT-FILTER-2: how a node counts that an extender leaves out, or that a filter has rejected.
TEST(OptimizedExtenders, DecideWhetherANodeThatTheyLeaveOutIsPotential) {
  for (const char* version : {"v1.13.0", "v1.18", "v1.24", "v1.29.5", "v1.31.0", "v1.32.2", "v1.36.3"}) {
    for (const bool n2_is_named : {false, true}) {
      Question question = full_nodes({{pod("a", 0, 1000)}, {pod("b", 0, 1000)}, {}}, {filters_names({})});
      question.pod.containers[0].requests["cpu"] = 2000;
      question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
      if (n2_is_named)
        question.extenders = {filters_names({{"n2", unresolvable("no")}, {"n3", unresolvable("no")}})};
      answer_of(question, version);
      agreed(question, version);
      for (std::size_t i = 0; i < 2; ++i) {  // PRE-ELIGIBLE-2, PRE-ELIGIBLE-3
        question.cluster.pods[i].terminating = true;
        question.cluster.pods[i].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
        question.pod.nominated_node_name = question.cluster.nodes[i].name;
        answer_of(question, version);
      }
    }
  }
}

// EXT-DROP-1: removed nodes do not become potential nodes. In v1.13 a node without victims wins.
TEST(OptimizedExtenders, DoNotLeaveOutNodesThatWereRemoved) {
  QuestionBuilder builder;
  for (int i = 0; i < 5; ++i) builder.node("n" + std::to_string(i), 4000);
  Question question = builder.asks(pod("p", 10, 1000));
  question.extenders = {filters_names({})};
  const Release asked = release("v1.13.0");
  optimized::Snapshot snapshot(question.cluster, asked);
  snapshot.remove_node(0);
  snapshot.remove_node(4);
  optimized::Workers workers(1);
  EXPECT_EQ(oracle::optimized_placed(snapshot, question, workers).answer.admissible, (Nodes{1, 2, 3}));
}

// EXT-DROP-1, CYC-NOMINATED-1: the search ends with the 100 feasible nodes n0 to n99. The nodes behind them
// have no status, except the nominated one, if the release has tried it first. n101 to n103 are full or
// tainted.
TEST(OptimizedExtenders, DropTheNodesThatTheSearchHasNotVisitedButNotTheNominatedOne) {
  for (const bool is_tainted : {false, true}) {
    QuestionBuilder cluster;
    for (int i = 0; i < 104; ++i) {
      cluster.node("n" + std::to_string(i), 4000);
      if (i > 100) cluster.has(pod("a" + std::to_string(i), 0, 4000));
    }
    Question question = cluster.asks(pod("p", 10, 1000));
    for (std::size_t i = 101; i < 104; ++i) {
      if (is_tainted) question.cluster.nodes[i].taints = {{"k", "v", "NoSchedule"}};
      question.cluster.pods[i - 101].terminating = is_tainted;
    }
    question.pod.nominated_node_name = "n102";
    question.extenders = {filters({})};
    question.start = 0;
    for (const char* version : {"v1.13.0", "v1.18", "v1.20", "v1.22", "v1.29.5", "v1.31.0", "v1.36.3"})
      answer_of(question, version);
  }
}

// EXT-ANSWER-1: an extender may have a verb without a table. Then no answer to this verb is known.
TEST(OptimizedExtenders, AreLeftToTheReferenceIfATableIsMissing) {
  for (const char* version : {"v1.10", "v1.24", "v1.36.3"}) {
    Extender extender;
    extender.filter_verb = "filter";
    EXPECT_EQ(answer_of(three_nodes({extender, extender}), version).reason, k_unknown) << version;
    if (std::string(version) == "v1.10") {  // EXT-PREEMPT-4
      EXPECT_EQ(answer_of(two_full_nodes({extender, extender}), version).reason, k_unknown);
    }
    extender.filter_verb = "";
    extender.prioritize_verb = "prioritize";
    EXPECT_EQ(answer_of(three_nodes({extender, scores(1, {{"n1", 1}}), extender}), version).reason, k_unknown)
        << version;
  }
}

}  // namespace touchstone::tests::extenders_test
