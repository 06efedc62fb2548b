#include <gtest/gtest.h>

#include "optimized/search/memo.hpp"
#include "optimized/store/snapshot.hpp"
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
/// the answer of the reference in every epoch. Returns how many epochs do not skip the question.
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
    answered += answer.outcome == Outcome::skipped ? 0 : 1;
  }
  return answered;
}

void change_nothing(optimized::Snapshot&, Question&) {}

void remove_last_pod(optimized::Snapshot& snapshot, Question& question) {
  question.cluster.pods.pop_back();
  snapshot.remove_pod(question.cluster.pods.size());
}

}  // namespace

// Up to v1.11 the engines skip a question with a pod on a missing node (b), if a term may concern the
// preemptor. Even a term of a pod that is on no node (c) counts, until that pod is removed.
TEST(ChangedSnapshot, ForgetsTheTermsOfARemovedPod) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(with_app(pod("p", 10, 1000), "x"));
  Pod lost = pod("b", 0, 0);
  lost.node_name = "nowhere";
  question.cluster.pods.insert(question.cluster.pods.end(), {lost, away(pod("c", 0, 0), {by("zone", "x")})});
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
}

// PRE-CLAIM-1: for v1.8 and v1.9 the engines skip a question in which a claim of any pod has no volume, until
// that pod is removed.
TEST(ChangedSnapshot, ForgetsTheVolumesOfARemovedPod) {
  const Question question = Stored(QuestionBuilder()
                                       .node("n1", 1000)
                                       .has(pod("a", 0, 1000))
                                       .has(with_claim(pod("b", 0, 0), "missing"))
                                       .asks(with_claim(pod("p", 10, 1000), "c")))
                                .with(claim("c", "v"))
                                .with(volume("v"));
  EXPECT_LT(answered_alike(question, change_nothing), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
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

}  // namespace touchstone::tests::changes_test
