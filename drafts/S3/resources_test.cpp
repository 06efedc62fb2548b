// tests/optimized/scores/resources_test.cpp
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

namespace touchstone::tests::resources_more_test {

namespace {

Row fit(const Question& question, const Release& release) {
  return scores_by(Scorer::node_resources, question, release);
}

/// n1 and n2 with 4 cpu and 8 Gi. p requests some of both.
Question two_nodes(Quantity cpu, Quantity memory) {
  return with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(sized("p", cpu, memory)));
}

void set_allocatable(Question& question, const std::string& resource, Quantity amount) {
  for (Node& node : question.cluster.nodes) node.allocatable[resource] = amount;
}

/// The release, whose score depends on the utilization of these resources.
Release shaped(std::string_view version, std::vector<ScoredResource> resources,
               std::vector<ShapePoint> shape) {
  Release shaped = release(version);
  shaped.fit_strategy = FitStrategy::requested_to_capacity;
  shaped.fit_resources = std::move(resources);
  shaped.fit_shape = std::move(shape);
  return shaped;
}

Release most_allocated(std::string_view version, bool is_capped) {
  Release most = release(version);
  most.fit_strategy = FitStrategy::most_allocated;
  most.most_allocated_is_capped = is_capped;
  return most;
}

}  // namespace

// SCORE-STRATEGY-1: ephemeral storage counts for a pod that requests none of it, other resources do not.
TEST(OptimizedResources, ScoreEphemeralStorageForEveryPod) {
  Question question = two_nodes(1000, 0);
  set_allocatable(question, "ephemeral-storage", 100);
  set_allocatable(question, "example.com/gpu", 4);
  Pod other = pod("a", 0, 0);
  other.containers[0].requests["ephemeral-storage"] = 50;
  other.node_name = "n1";
  question.cluster.pods.push_back(other);
  Release asked = release("v1.37");
  asked.fit_resources = {{"ephemeral-storage", 1}, {"cpu", 1}};
  EXPECT_EQ(fit(question, asked), (Row{(50 + 75) / 2, (100 + 75) / 2}));
  asked.fit_resources = {{"example.com/gpu", 1}, {"cpu", 1}};
  EXPECT_EQ(fit(question, asked), (Row{75, 75}));
}

// SCORE-STRATEGY-1: memory is the second of two resources, and the first one is not cpu.
TEST(OptimizedResources, ScoreMemoryBesideAnotherResource) {
  Question question = two_nodes(1000, 2 * k_gi);
  set_allocatable(question, "example.com/gpu", 4);
  question.pod.containers[0].requests["example.com/gpu"] = 2;
  Release asked = release("v1.37");
  asked.fit_resources = {{"example.com/gpu", 1}, {"memory", 1}};
  EXPECT_EQ(fit(question, asked), (Row{(50 + 75) / 2, (50 + 75) / 2}));
}

// SCORE-LEAST-1, SCORE-STRATEGY-2: nodes have 50 bytes of memory and 10m of cpu, so that a single byte is
// 2 points. A pod without a request of memory counts with 200 MB, which is above the allocatable amount. With
// ephemeral storage as a third resource, the score is not computed by columns.
TEST(OptimizedResources, GiveNoPointsForWhatIsNotThere) {
  Question question = two_nodes(5, 0);
  question.pod.containers[0].requests.erase("memory");
  set_allocatable(question, "memory", 50);
  set_allocatable(question, "cpu", 10);
  set_allocatable(question, "ephemeral-storage", 0);
  for (const bool has_third : {false, true}) {
    const auto scores = [&](Release asked) {
      if (has_third) asked.fit_resources.push_back({"ephemeral-storage", 1});
      asked.absent_resources_left_out = true;
      return fit(question, asked);
    };
    EXPECT_EQ(scores(release("v1.37")), (Row{25, 25}));
    EXPECT_EQ(scores(most_allocated("v1.20.8", false)), (Row{25, 25}));
    EXPECT_EQ(scores(most_allocated("v1.37", true)), (Row{75, 75}));
  }
}

// SCORE-STRATEGY-2: the pod fills the nodes exactly.
TEST(OptimizedResources, PackNodesThatThePodFills) {
  const Question question = two_nodes(4000, 8 * k_gi);
  EXPECT_EQ(fit(question, most_allocated("v1.20.8", false)), (Row{100, 100}));
  EXPECT_EQ(fit(question, most_allocated("v1.20.9", true)), (Row{100, 100}));
  EXPECT_EQ(fit(question, release("v1.37")), (Row{0, 0}));
}

// SCORE-STRATEGY-3: only resources with a score above 0 count, and later resources count after one with the
// score 0. A utilization below that of the first point has the score of this point.
TEST(OptimizedResources, FollowAShape) {
  const Question question = two_nodes(0, 4 * k_gi);
  const std::vector<ScoredResource> both = {{"cpu", 1}, {"memory", 1}};
  EXPECT_EQ(fit(question, shaped("v1.37", both, {{0, 0}, {100, 10}})), (Row{50, 50}));
  EXPECT_EQ(fit(question, shaped("v1.37", both, {{50, 10}, {100, 0}})), (Row{100, 100}));
  EXPECT_EQ(fit(two_nodes(2000, 2 * k_gi), shaped("v1.37", both, {{0, 0}, {100, 10}})), (Row{38, 38}));
}

// SCORE-STRATEGY-3: 1 byte of ephemeral storage that no pod uses is a utilization of 0. A node on which pods
// request more than there is has the utilization 100, whatever the amounts. As in Go, a hundred times 2^60
// wraps around to 2^62.
TEST(OptimizedResources, ComputeUtilizationAsGoDoes) {
  const std::vector<ShapePoint> shape = {{0, 0}, {100, 10}};
  Question tiny = two_nodes(1000, 0);
  set_allocatable(tiny, "ephemeral-storage", 1);
  EXPECT_EQ(fit(tiny, shaped("v1.37", {{"ephemeral-storage", 1}}, shape)), (Row{0, 0}));

  Question full = two_nodes(1000, 0);
  full.pod.containers[0].requests.erase("memory");
  for (const char* node : {"n1", "n2"}) {
    Pod large = sized("on-" + std::string(node), 0, Quantity{1} << 62);
    large.node_name = node;
    full.cluster.pods.push_back(large);
  }
  EXPECT_EQ(fit(full, shaped("v1.37", {{"memory", 1}}, shape)), (Row{100, 100}));

  const Question wrapped = with_memory(two_nodes(1000, Quantity{1} << 60), Quantity{1} << 60);
  EXPECT_EQ(fit(wrapped, shaped("v1.37", {{"memory", 1}}, shape)), (Row{4, 4}));
}

// SCORE-BALANCED-2: the shares of two resources are 0.32 and 1. Half their distance gives 66. The formula for
// more resources would give 65, because it rounds in another way.
TEST(OptimizedResources, HalveTheDistanceOfTwoShares) {
  Question question = two_nodes(320, 0);
  set_allocatable(question, "cpu", 1000);
  set_allocatable(question, "example.com/gpu", 1);
  question.pod.containers[0].requests["example.com/gpu"] = 1;
  Release asked = release("v1.30");
  asked.balanced_resources = {{"cpu", 1}, {"example.com/gpu", 1}};
  EXPECT_EQ(scores_by(Scorer::balanced_allocation, question, asked), (Row{66, 66}));
}

// SCORE-BALANCED-2: nodes without cpu and memory have no share, so their shares do not differ.
TEST(OptimizedResources, BalanceNodesWithoutResources) {
  Question question = two_nodes(0, 0);
  for (Node& node : question.cluster.nodes) node.allocatable = {{"pods", 110}};
  question.pod.containers[0].requests.clear();
  for (const char* version : {"v1.22", "v1.30"})
    EXPECT_EQ(scores_by(Scorer::balanced_allocation, question, release(version)), (Row{100, 100})) << version;
}

// EXT-RECORD-1: scorers see no pods on nodes that an extender has sent back as objects, and so none of what
// these request of any resource. Both nodes have 2 bytes of ephemeral storage.
TEST(OptimizedResources, SeeNoPodsOnNodesThatAnExtenderReplaces) {
  Question question = two_nodes(0, 0);
  set_allocatable(question, "ephemeral-storage", 2);
  Pod other = pod("a", 0, 1000);
  other.containers[0].requests["ephemeral-storage"] = 2;
  other.node_name = "n1";
  question.cluster.pods.push_back(other);
  Release asked = release("v1.36.3");
  asked.fit_resources = {{"ephemeral-storage", 1}};
  EXPECT_EQ(fit(question, asked), (Row{0, 100}));
  question.extenders = {filters({{"n1", ok()}, {"n2", ok()}})};
  EXPECT_EQ(fit(question, asked), (Row{100, 100}));
}

}  // namespace touchstone::tests::resources_more_test
