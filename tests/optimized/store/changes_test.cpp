#include "optimized/store/changes.hpp"

#include <gtest/gtest.h>

#include "optimized/search/memo.hpp"
#include "optimized/store/snapshot.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/node_named.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// Single changes of a snapshot. The answer for the changed snapshot is that of the reference for the changed
/// cluster.
namespace touchstone::tests::changes_test {

namespace {

/// Builds a snapshot of the question's cluster, changes it, and changes the question in the same way. Expects
/// the answer and the placement of the reference in every epoch. Returns how many epochs do not skip the
/// question.
template <typename F>
std::size_t answered_alike(const Question& before, const F& change) {
  optimized::Workers workers(1);
  std::size_t answered = 0;
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    Question question = before;
    optimized::Snapshot snapshot(question.cluster, asked);
    change(snapshot, question);
    const optimized::Answer answer = optimized_answer(snapshot, question, workers);
    EXPECT_EQ(difference(question, asked, answer, reference::preempt(question, asked)), "") << epoch;
    const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers);
    EXPECT_EQ(difference(question, asked, placed, reference::schedule(question, asked)), "") << epoch;
    answered += answer.outcome == Outcome::skipped ? 0 : 1;
  }
  return answered;
}

void change_nothing(optimized::Snapshot&, Question&) {}

void remove_last_pod(optimized::Snapshot& snapshot, Question& question) {
  question.cluster.pods.pop_back();
  snapshot.remove_pod(question.cluster.pods.size());
}

/// Replaces the last pod of the cluster.
auto changes_last_pod(const Pod& to) {
  return [to](optimized::Snapshot& snapshot, Question& question) {
    question.cluster.pods.back() = to;
    snapshot.change_pod(question.cluster.pods.size() - 1, to);
  };
}

/// Pod b is on a missing node. Pod c, the last one, is on no node, and has a term that matches the preemptor.
Question with_a_term_and_a_lost_pod() {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(with_app(pod("p", 10, 1000), "x"));
  Pod lost = pod("b", 0, 0);
  lost.node_name = "nowhere";
  question.cluster.pods.insert(question.cluster.pods.end(), {lost, away(pod("c", 0, 0), {by("zone", "x")})});
  return question;
}

/// A claim of pod b, the last one, is missing. That of the preemptor is bound.
Question with_a_missing_claim() {
  return Stored(QuestionBuilder()
                    .node("n1", 1000)
                    .has(pod("a", 0, 1000))
                    .has(with_claim(pod("b", 0, 0), "missing"))
                    .asks(with_claim(pod("p", 10, 1000), "c")))
      .with(claim("c", "v"))
      .with(volume("v"));
}

}  // namespace

// Up to v1.11 the engines skip a question with a pod on a missing node (b), if a term may concern the
// preemptor. Even a term of a pod that is on no node (c) counts, until that pod is removed.
TEST(ChangedSnapshot, ForgetsTheTermsOfARemovedPod) {
  const Question question = with_a_term_and_a_lost_pod();
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
}

// PRE-CLAIM-1: for v1.8 and v1.9 the engines skip a question in which a claim of any pod has no volume, until
// that pod is removed.
TEST(ChangedSnapshot, ForgetsTheVolumesOfARemovedPod) {
  const Question question = with_a_missing_claim();
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
}

// Up to v1.11 the engines skip a question with a pod on a missing node (b), if a term may concern the
// preemptor. The term of pod c, which is on no node, counts until c loses it.
TEST(ChangedSnapshot, ForgetsTheTermsOfAChangedPod) {
  const Question question = with_a_term_and_a_lost_pod();
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, changes_last_pod(pod("c", 0, 0))), k_distinct_releases.size());
}

// PRE-CLAIM-1: for v1.8 and v1.9 the engines skip a question in which a claim of any pod has no volume, until
// that pod has no such claim.
TEST(ChangedSnapshot, ForgetsTheVolumesOfAChangedPod) {
  const Question question = with_a_missing_claim();
  Pod without = pod("b", 0, 0);
  without.node_name = "n1";
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, changes_last_pod(without)), k_distinct_releases.size());
}

// PRE-INPUT-1: pod b moves from a missing node to n1. When the missing node is added, b does not count there.
TEST(ChangedSnapshot, ForgetsTheMissingNodeOfAChangedPod) {
  Pod lost = pod("b", 0, 500);
  lost.node_name = "n2";
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 500)).asks(pod("p", 10, 600));
  question.cluster.pods.push_back(lost);
  lost.node_name = "n1";
  answered_alike(question, [&lost](optimized::Snapshot& snapshot, Question& changed) {
    changes_last_pod(lost)(snapshot, changed);
    EXPECT_TRUE(snapshot.tables().homeless.empty());
    changed.cluster.nodes.push_back(node_named("n2", 1000));
    snapshot.add_node(changed.cluster.nodes[1]);
  });
}

// PRE-PDB-2, PRE-INPUT-1: pod a is added first, then a PDB, then the node of the pod. The PDB covers the pod
// only if both are in one namespace.
TEST(ChangedSnapshot, CoversThePodsOfANodeThatIsAddedLater) {
  for (const char* ns : {"default", "other"}) {
    Question question = QuestionBuilder().node("n1", 1000).has(pod("c", 5, 1000)).asks(pod("p", 10, 1000));
    Pod early = in_namespace(with_app(pod("a", 0, 1000), "x"), ns);
    early.node_name = "n2";
    question.cluster.pods.push_back(early);
    answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
      changed.cluster.pdbs.push_back({"default", "x", app_is("x"), 0, {}});
      snapshot.add_pdb(changed.cluster.pdbs[0]);
      changed.cluster.nodes.push_back(node_named("n2", 1000));
      snapshot.add_node(changed.cluster.nodes[1]);
    });
  }
}

// PRE-AFFINITY-1: after its namespace is removed, pod a is not selected by the labels of the namespace.
TEST(ChangedSnapshot, ForgetsTheLabelsOfANamespace) {
  PodAffinityTerm of_team = by("zone", "x");
  of_team.namespace_selector = LabelSelector{{{"team", "a"}}, {}};
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .has(in_namespace(with_app(pod("a", 20, 0), "x"), "other"))
                                   .has(pod("b", 0, 1000))
                                   .asks(away(pod("p", 10, 1000), {of_team})),
                               {"z"});
  question.cluster.namespaces["other"] = {{"team", "a"}};
  answered_alike(question, change_nothing);
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.namespaces.erase("other");
    snapshot.set_namespace("other", std::nullopt);
  });
}

// SCORE-AVOID-1: node n1 names the controller of the preemptor, and then no longer does.
TEST(ChangedSnapshot, ForgetsWhichControllersANodeAvoids) {
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(pod("p", 0, 100));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  question.cluster.nodes[0].avoided = {{"", "ReplicaSet", "", "u"}};
  answered_alike(question, change_nothing);
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.nodes[0].avoided.clear();
    snapshot.change_node(0, changed.cluster.nodes[0]);
  });
}

// SCORE-SELECTOR-1: the Service that selects pod a is replaced by one that selects pod b.
TEST(ChangedSnapshot, ForgetsTheServicesThatAreReplaced) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_app(pod("a", 0, 100), "x"))
                          .node("n2", 4000)
                          .has(with_app(pod("b", 0, 100), "y"))
                          .asks(pod("p", 0, 100));
  question.pod.labels = {{"app", "x"}, {"tier", "z"}};
  question.cluster.pods[1].labels["tier"] = "z";
  question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.selecting[0].selector = LabelSelector{{{"tier", "z"}}, {}};
    snapshot.set_selecting(changed.cluster.selecting);
  });
}

// PRE-AFFINITY-1: no API server admits an invalid namespaceSelector, so the engines skip it in every release.
TEST(ChangedSnapshot, SkipsInvalidTermsOfPods) {
  PodAffinityTerm invalid;
  invalid.namespace_selector = LabelSelector{{}, {{"team", "Near", {}}}};
  invalid.topology_key = "zone";
  const Question question =
      QuestionBuilder().node("n1", 1000).has(away(pod("a", 0, 1000), {invalid})).asks(pod("p", 10, 1000));
  EXPECT_EQ(answered_alike(question, change_nothing), 0u);
}

// Up to v1.11 some conditions of nodes reject pods, which is not modelled. The engines skip the same
// conditions and answer the others, such as KernelDeadlock.
TEST(ChangedSnapshot, HasTheConditionsOfItsNodes) {
  for (const char* type : {"Ready", "OutOfDisk", "NetworkUnavailable", "MemoryPressure", "DiskPressure",
                           "PIDPressure", "KernelDeadlock", ""}) {
    for (const char* status : {"True", "False", "Unknown"}) {
      Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
      question.cluster.nodes[0].conditions = {{type, status, ""}};
      answered_alike(question, change_nothing);
    }
  }
}

// Extreme are negative amounts, amounts from 2^44 on, and priorities of more than 32 bits (pod_table.hpp).
// Bound and nominated pods count.
TEST(ChangedSnapshot, CountsPodsWithExtremeNumbers) {
  struct Case {
    Quantity cpu;
    Quantity memory;
    Quantity priority;
    bool is_extreme;
  };
  constexpr Quantity k_large = Quantity{1} << 44;
  constexpr Quantity k_wide = Quantity{1} << 31;
  optimized::Snapshot snapshot(release("v1.34"));
  snapshot.add_node(node_named("n1", 1000));
  std::size_t extreme = 0;
  std::size_t pods = 0;
  for (const char* node : {"n1", ""}) {
    for (const auto& [cpu, memory, priority, is_extreme] :
         {Case{0, 0, 0, false}, Case{k_large - 1, k_large - 1, k_wide - 1, false}, Case{1, 1, -k_wide, false},
          Case{-1, 0, 0, true}, Case{k_large, 0, 0, true}, Case{0, -1, 0, true}, Case{0, k_large, 0, true},
          Case{0, 0, k_wide, true}, Case{0, 0, -k_wide - 1, true}}) {
      Pod made = pod("a" + std::to_string(pods++), priority, cpu);
      made.containers[0].requests["memory"] = memory;
      (std::string_view(node).empty() ? made.nominated_node_name : made.node_name) = "n1";
      extreme += is_extreme ? 1 : 0;
      snapshot.add_pod(made);
      EXPECT_EQ(snapshot.tables().extreme_pods, extreme) << cpu << " " << memory << " " << priority;
      EXPECT_EQ(snapshot.tables().classes[0].pods, pods);
    }
  }
  while (pods > 0) snapshot.remove_pod(--pods);
  EXPECT_EQ(snapshot.tables().extreme_pods, 0u);
  EXPECT_EQ(snapshot.tables().classes[0].pods, 0u);
}

// PRE-INPUT-1: a pod without a node does not wait for one.
TEST(ChangedSnapshot, KnowsWhichNodesAreThere) {
  optimized::Snapshot snapshot(release("v1.34"));
  snapshot.add_pod(pod("a", 0, 1));
  EXPECT_TRUE(snapshot.tables().homeless.empty());
  EXPECT_EQ(snapshot.find_node("n1"), std::nullopt);
  snapshot.add_node(node_named("n1", 1000));
  EXPECT_EQ(snapshot.find_node("n1"), NodeIndex{0});
  EXPECT_EQ(snapshot.find_node("nowhere"), std::nullopt);
}

// Cpu, memory and the number of pods are in columns of their own.
TEST(ChangedSnapshot, ListsOnlyOtherResourcesOfANode) {
  optimized::Snapshot snapshot(release("v1.34"));
  Node node = node_named("n1", 1000);
  node.allocatable["example.com/gpu"] = 2;
  snapshot.add_node(node);
  EXPECT_EQ(snapshot.tables().nodes.facts[0].allocatable.size(), 1u);
}

// CYC-ORDER-1: a memo keeps the order of the nodes until a node comes to another zone.
TEST(ChangedSnapshot, HasAnotherOrderAfterANodeComesToAnotherZone) {
  optimized::Snapshot snapshot(release("v1.34"));
  const auto in_zone = [](const std::string& name, const std::string& zone) {
    Node node = node_named(name, 1000);
    node.labels = {{k_zone, zone}};
    return node;
  };
  for (const char* name : {"n0", "n1"}) snapshot.add_node(in_zone(name, "a"));
  snapshot.add_node(in_zone("n2", "b"));
  optimized::Memo memo;
  EXPECT_EQ(memo.order_of(snapshot.tables()), (std::vector<NodeIndex>{0, 2, 1}));
  snapshot.change_node(1, in_zone("n1", "b"));
  EXPECT_EQ(memo.order_of(snapshot.tables()), (std::vector<NodeIndex>{0, 1, 2}));
}

// The most recent 4,096 changes are listed, in 4 bytes each.
TEST(Changes, ListTheMostRecentOnes) {
  constexpr std::size_t k_listed = 4096;
  optimized::Changes changes;
  for (NodeIndex node = 0; node < 2 * k_listed; ++node) changes.add(node);
  EXPECT_FALSE(changes.are_listed(k_listed - 1));
  ASSERT_TRUE(changes.are_listed(k_listed));
  for (std::uint64_t i = k_listed; i < changes.count(); ++i) ASSERT_EQ(changes.node(i), i);
  EXPECT_EQ(changes.bytes(), k_listed * sizeof(std::uint32_t));
}

}  // namespace touchstone::tests::changes_test
