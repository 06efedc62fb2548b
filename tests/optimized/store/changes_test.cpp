#include <gtest/gtest.h>

#include "optimized/search/memo.hpp"
#include "optimized/store/snapshot.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/storage.hpp"

/// Single changes of a snapshot. The answer is that of the reference for the changed cluster.
namespace touchstone::tests::changes_test {

namespace {

Node node_named(const std::string& name, Quantity cpu = 1000) {
  return QuestionBuilder().node(name, cpu).asks({}).cluster.nodes[0];
}

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

void remove_last_pod(optimized::Snapshot& snapshot, Question& question) {
  question.cluster.pods.pop_back();
  snapshot.remove_pod(question.cluster.pods.size());
}

}  // namespace

// PRE-AFFINITY-3: the terms of a pod that is on no node matter up to v1.11, until the pod is removed.
TEST(ChangedSnapshot, ForgetsTheTermsOfARemovedPod) {
  QuestionBuilder builder;
  builder.node("n1", 1000).has(pod("a", 0, 1000));
  Question question = builder.asks(with_app(pod("p", 10, 1000), "x"));
  Pod lost = pod("b", 0, 0);
  lost.node_name = "nowhere";
  Pod repels = pod("c", 0, 0);
  repels.pod_anti_affinity = {{LabelSelector{{{"app", "x"}}, {}}, {}, std::nullopt, "zone", {}, {}}};
  question.cluster.pods.insert(question.cluster.pods.end(), {lost, repels});
  EXPECT_LT(answered_alike(question, [](auto&, auto&) {}), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
}

// PRE-CLAIM-1: v1.8 and v1.9 look at the claims of all pods, until a pod is removed.
TEST(ChangedSnapshot, ForgetsTheVolumesOfARemovedPod) {
  QuestionBuilder builder;
  builder.node("n1", 1000).has(pod("a", 0, 1000)).has(with_claim(pod("b", 0, 0), "missing"));
  const Question question =
      Stored(builder.asks(with_claim(pod("p", 10, 1000), "c"))).with(claim("c", "v")).with(volume("v"));
  EXPECT_LT(answered_alike(question, [](auto&, auto&) {}), k_distinct_releases.size());
  EXPECT_EQ(answered_alike(question, remove_last_pod), k_distinct_releases.size());
}

// PRE-PDB-2, PRE-INPUT-1: a PDB covers the pods of a node that comes later. The pod of another namespace has
// the same labels.
TEST(ChangedSnapshot, CoversThePodsOfANodeThatComesLater) {
  for (const char* ns : {"default", "other"}) {
    QuestionBuilder builder;
    builder.node("n1", 1000).has(pod("c", 5, 1000));
    Question question = builder.asks(pod("p", 10, 1000));
    Pod early = with_app(pod("a", 0, 1000), "x");
    early.node_name = "n2";
    early.ns = ns;
    question.cluster.pods.push_back(early);
    optimized::Workers workers(1);
    answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
      changed.cluster.pdbs.push_back({"default", "x", LabelSelector{{{"app", "x"}}, {}}, 0, {}});
      snapshot.add_pdb(changed.cluster.pdbs[0]);
      changed.cluster.nodes.push_back(node_named("n2"));
      snapshot.add_node(changed.cluster.nodes[1]);
    });
  }
}

// PRE-AFFINITY-1: a namespace that is not known any more is not selected by its labels.
TEST(ChangedSnapshot, ForgetsTheLabelsOfANamespace) {
  QuestionBuilder builder;
  Pod other = with_app(pod("a", 20, 0), "x");
  other.ns = "other";
  builder.node("n1", 1000).has(other).has(pod("b", 0, 1000));
  Pod own = pod("p", 10, 1000);
  own.pod_anti_affinity = {
      {LabelSelector{{{"app", "x"}}, {}}, {}, LabelSelector{{{"team", "a"}}, {}}, "zone", {}, {}}};
  Question question = builder.asks(own);
  question.cluster.nodes[0].labels["zone"] = "z";
  question.cluster.namespaces["other"] = {{"team", "a"}};
  answered_alike(question, [](auto&, auto&) {});
  answered_alike(question, [](optimized::Snapshot& snapshot, Question& changed) {
    changed.cluster.namespaces.erase("other");
    snapshot.set_namespace("other", std::nullopt);
  });
}

// PRE-AFFINITY-1: no API server admits a term with an invalid selector of namespaces.
TEST(ChangedSnapshot, SkipsInvalidTermsOfPods) {
  Pod invalid = pod("a", 0, 1000);
  invalid.pod_anti_affinity = {{std::nullopt, {}, LabelSelector{{}, {{"team", "Near", {}}}}, "zone", {}, {}}};
  const Question question = QuestionBuilder().node("n1", 1000).has(invalid).asks(pod("p", 10, 1000));
  EXPECT_EQ(answered_alike(question, [](auto&, auto&) {}), 0u);
}

// No engine models the conditions that reject pods up to v1.11. Each status, and other conditions.
TEST(ChangedSnapshot, HasTheConditionsOfItsNodes) {
  for (const char* type : {"Ready", "OutOfDisk", "NetworkUnavailable", "MemoryPressure", "DiskPressure",
                           "PIDPressure", "KernelDeadlock", ""}) {
    for (const char* status : {"True", "False", "Unknown"}) {
      Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
      question.cluster.nodes[0].conditions = {{type, status, ""}};
      answered_alike(question, [](auto&, auto&) {});
    }
  }
}

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
  snapshot.add_node(node_named("n1"));
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

// PRE-INPUT-1
TEST(ChangedSnapshot, KnowsWhichNodesAreThere) {
  optimized::Snapshot snapshot(release("v1.34"));
  snapshot.add_pod(pod("a", 0, 1));
  EXPECT_TRUE(snapshot.tables().homeless.empty());
  EXPECT_EQ(snapshot.find_node("n1"), std::nullopt);
  Node node = node_named("n1");
  node.allocatable["example.com/gpu"] = 2;
  snapshot.add_node(node);
  EXPECT_EQ(snapshot.find_node("n1"), NodeIndex{0});
  EXPECT_EQ(snapshot.find_node("nowhere"), std::nullopt);
  EXPECT_EQ(snapshot.tables().nodes.facts[0].allocatable.size(), 1u);
}

// CYC-ORDER-1: what was kept of the order of nodes is valid until a node comes to another zone.
TEST(ChangedSnapshot, SaysWhatHasChanged) {
  optimized::Snapshot snapshot(release("v1.34"));
  const auto in_zone = [](const std::string& name, const std::string& zone) {
    Node node = node_named(name);
    node.labels = {{k_zone, zone}};
    return node;
  };
  for (const char* name : {"n0", "n1"}) snapshot.add_node(in_zone(name, "a"));
  snapshot.add_node(in_zone("n2", "b"));
  optimized::Memo memo;
  EXPECT_EQ(memo.order_of(snapshot.tables()), (std::vector<NodeIndex>{0, 2, 1}));
  snapshot.change_node(1, in_zone("n1", "b"));
  EXPECT_EQ(memo.order_of(snapshot.tables()), (std::vector<NodeIndex>{0, 1, 2}));

  const optimized::Changes& changes = snapshot.tables().changes;
  const std::uint64_t selecting = changes.selecting;
  snapshot.set_selecting({});
  EXPECT_GT(changes.selecting, selecting);
}

}  // namespace touchstone::tests::changes_test
