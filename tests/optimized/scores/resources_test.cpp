#include "optimized/scores/shape.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

/// The optimized scorers of resources, on the smallest clusters of their clauses.
namespace touchstone::tests::optimized_resources_test {

namespace {

Pod without_requests(const std::string& name) {
  Pod made = pod(name, 0, 0);
  made.containers[0].requests.clear();
  return made;
}

/// n1 without pods, and n2 with a pod of 1 cpu and 1 Gi. p requests 500m and 512 Mi.
Question free_and_used() {
  return with_memory(QuestionBuilder()
                         .node("n1", 4000)
                         .node("n2", 4000)
                         .has(sized("a", 1000, k_gi))
                         .asks(sized("p", 500, 512 * k_mi)));
}

Row fit(const Question& question, const Release& release) {
  return scores_by(Scorer::node_resources, question, release);
}
Row fit(const Question& question, std::string_view version) { return fit(question, release(version)); }
Row balanced(const Question& question, std::string_view version) {
  return scores_by(Scorer::balanced_allocation, question, version);
}

/// n1 and n2 with 4 cpu and 8 Gi. p requests some of both.
Question two_nodes(Quantity cpu, Quantity memory) {
  return with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(sized("p", cpu, memory)));
}

void set_allocatable(Question& question, const std::string& resource, Quantity amount) {
  for (Node& node : question.cluster.nodes) node.allocatable[resource] = amount;
}

/// The release with RequestedToCapacityRatio, for these resources.
Release shaped(std::string_view version, std::vector<ScoredResource> resources,
               std::vector<ShapePoint> shape) {
  Release made = release(version);
  made.fit_strategy = FitStrategy::requested_to_capacity;
  made.fit_resources = std::move(resources);
  made.fit_shape = std::move(shape);
  return made;
}

Release most_allocated(std::string_view version, bool is_capped) {
  Release most = release(version);
  most.fit_strategy = FitStrategy::most_allocated;
  most.most_allocated_is_capped = is_capped;
  return most;
}

}  // namespace

// SCORE-LEAST-1
TEST(OptimizedResources, PreferTheNodeThatIsLeastAllocated) {
  EXPECT_EQ(fit(free_and_used(), "v1.16"), (Row{8, 7}));
  EXPECT_EQ(fit(free_and_used(), "v1.17"), (Row{90, 71}));
  Question question =
      with_memory(QuestionBuilder().node("n3", 4000).node("n4", 4000).asks(sized("p", 1000, 0)));
  question.cluster.nodes[0].allocatable["memory"] = 0;
  EXPECT_EQ(fit(question, "v1.21"), (Row{37, 87}));
  EXPECT_EQ(fit(question, "v1.22"), (Row{75, 87}));
}

// SCORE-LEAST-1: a hundred times the free memory is 1 less than a multiple of the allocatable memory. Floats
// hold the first of these amounts exactly, and not the last one.
TEST(OptimizedResources, RoundDownIfTheFreeShareIsJustBelowAnInteger) {
  const auto score = [](Quantity memory, Quantity free) {
    const Question question = with_memory(
        QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(sized("p", 990, memory - free)), memory);
    return fit(question, "v1.36").front();
  };
  EXPECT_EQ(score((Quantity{1} << 45) - 1, 24980904183070), (1 + 70) / 2);
  EXPECT_EQ(score((Quantity{1} << 45) + 1, 34128840926168), (1 + 96) / 2);
  EXPECT_EQ(score((Quantity{1} << 53) + 1, 5134103575202366), (1 + 56) / 2);
}

// SCORE-BALANCED-1, SCORE-BALANCED-2, SCORE-BALANCED-5
TEST(OptimizedResources, PreferTheNodeWhoseSharesAreClose) {
  EXPECT_EQ(balanced(free_and_used(), "v1.16"), (Row{9, 8}));
  EXPECT_EQ(balanced(free_and_used(), "v1.17"), (Row{93, 81}));
  EXPECT_EQ(balanced(free_and_used(), "v1.22"), (Row{96, 90}));
  EXPECT_EQ(balanced(free_and_used(), "v1.36"), (Row{73, 73}));
}

// SCORE-BALANCED-3, SCORE-BALANCED-4, SCORE-REQUESTS-1
TEST(OptimizedResources, CountContainersWithoutRequestsByDefaults) {
  QuestionBuilder builder;
  builder.node("n1", 4000);
  for (const char* name : {"a", "b", "c", "d"}) builder.has(without_requests(name));
  builder.node("n2", 4000).has(sized("e", 300, 500 * k_mi));
  const Question question = with_memory(builder.asks(without_requests("p")));
  EXPECT_EQ(balanced(question, "v1.22.3"), (Row{99, 99}));
  EXPECT_EQ(balanced(question, "v1.22.4"), (Row{100, 99}));
  EXPECT_EQ(balanced(question, "v1.32"), (Row{100, 99}));
  EXPECT_TRUE(balanced(question, "v1.33").empty());
}

// SCORE-REQUESTS-2
TEST(OptimizedResources, AddUpSidecarsAsTheReleaseDoes) {
  Pod with_sidecars = sized("a", 500, k_gi);
  for (const char* name : {"s", "t"}) {
    Container sidecar = with_sidecars.containers[0];
    sidecar.name = name;
    sidecar.restart_always = true;
    with_sidecars.init_containers.push_back(sidecar);
  }
  const Question question = with_memory(
      QuestionBuilder().node("n1", 4000).has(with_sidecars).node("n2", 4000).asks(sized("p", 500, k_gi)));
  EXPECT_EQ(fit(question, "v1.27").front(), 75);
  EXPECT_EQ(fit(question, "v1.29").front(), 62);
  EXPECT_EQ(fit(question, "v1.32").front(), 50);
}

// SCORE-REQUESTS-3
TEST(OptimizedResources, ReadOverheadInTheUnitOfTheRelease) {
  Question question =
      with_memory(QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(sized("p", 100, 128 * k_mi)));
  question.pod.overhead["cpu"] = 250;
  EXPECT_EQ(fit(question, "v1.17").front(), 94);
  EXPECT_EQ(fit(question, "v1.18").front(), 93);
  EXPECT_EQ(fit(question, "v1.27").front(), 81);
}

// SCORE-REQUESTS-4
TEST(OptimizedResources, ReadPodLevelRequestsOfPodsOnNodes) {
  Pod on_node = sized("a", 1000, k_gi);
  on_node.pod_level_requests = {{"cpu", 2000}};
  Pod own = sized("p", 500, k_gi);
  own.pod_level_requests = {{"cpu", 2000}};
  const Question question =
      with_memory(QuestionBuilder().node("n1", 4000).has(on_node).node("n2", 4000).asks(own));
  EXPECT_EQ(fit(question, "v1.33"), (Row{68, 87}));
  EXPECT_EQ(fit(question, "v1.34"), (Row{56, 87}));
  EXPECT_EQ(balanced(question, "v1.33"), (Row{93, 100}));
  EXPECT_EQ(balanced(question, "v1.34"), (Row{62, 81}));
}

// SCORE-STRATEGY-1, SCORE-STRATEGY-2, SCORE-STRATEGY-3
TEST(OptimizedResources, FollowTheStrategyOfTheConfiguration) {
  Question question = two_nodes(1000, 2 * k_gi);
  question.pod.containers[0].requests["example.com/gpu"] = 1;
  question.cluster.nodes[0].allocatable["example.com/gpu"] = 4;
  question.cluster.nodes[1].allocatable["example.com/gpu"] = 2;
  Release release = tests::release("v1.37");
  EXPECT_EQ(fit(question, release), (Row{75, 75}));
  release.fit_resources = {{"cpu", 1}, {"example.com/gpu", 3}};
  EXPECT_EQ(fit(question, release), (Row{75, 56}));

  Question packed = with_memory(QuestionBuilder()
                                    .node("n1", 4000)
                                    .node("n2", 4000)
                                    .has(sized("a", 1000, 2 * k_gi))
                                    .asks(sized("p", 1000, 2 * k_gi)));
  release = tests::release("v1.37");
  release.fit_strategy = FitStrategy::most_allocated;
  EXPECT_EQ(fit(packed, release), (Row{25, 50}));

  const Question by_shape =
      with_memory(QuestionBuilder().node("n1", 3000).node("n2", 7000).asks(sized("p", 1000, 0)));
  release.fit_strategy = FitStrategy::requested_to_capacity;
  release.fit_resources = {{"cpu", 1}};
  release.fit_shape = {{0, 0}, {50, 3}, {100, 10}};
  EXPECT_EQ(fit(by_shape, release), (Row{19, 8}));
}

// SCORE-STRATEGY-1: the score is the mean of the free shares, 75 % of cpu and 50 % of memory, by their
// weights.
TEST(OptimizedResources, WeighCpuAndMemory) {
  const Question question = two_nodes(1000, 4 * k_gi);
  Release release = tests::release("v1.37");
  release.fit_resources = {{"cpu", 1}, {"memory", 3}};
  EXPECT_EQ(fit(question, "v1.37"), (Row{62, 62}));
  EXPECT_EQ(fit(question, release), (Row{56, 56}));
  release.fit_resources = {{"cpu", 3}, {"memory", 1}};
  EXPECT_EQ(fit(question, release), (Row{68, 68}));
}

// PRE-INPUT-3: the preemptor's own pod on a node does not count, nor what it counts with by default.
TEST(OptimizedResources, LeaveThePodItselfOut) {
  Question question = with_memory(QuestionBuilder()
                                      .node("n1", 4000)
                                      .has(without_requests("p"))
                                      .node("n2", 4000)
                                      .asks(without_requests("p")));
  EXPECT_EQ(fit(question, "v1.34"), (Row{97, 97}));
  question.pod.name = "q";
  EXPECT_EQ(fit(question, "v1.34"), (Row{95, 97}));
}

// SCORE-STRATEGY-1: ephemeral storage counts for a pod that requests none of it. Other resources do not.
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

// SCORE-LEAST-1, SCORE-STRATEGY-2: nodes have 50 bytes of memory and 10m of cpu, so a byte is 2 points. A pod
// that requests no memory counts with 200 Mi, which is more than the nodes have. If ephemeral storage is a
// third resource, the score is not computed from columns.
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

// SCORE-STRATEGY-3: only resources with a score above 0 count, and such a resource may come after one with
// the score 0. A utilization below that of the first point has the score of this point.
TEST(OptimizedResources, FollowAShape) {
  const Question question = two_nodes(0, 4 * k_gi);
  const std::vector<ScoredResource> both = {{"cpu", 1}, {"memory", 1}};
  EXPECT_EQ(fit(question, shaped("v1.37", both, {{0, 0}, {100, 10}})), (Row{50, 50}));
  EXPECT_EQ(fit(question, shaped("v1.37", both, {{50, 10}, {100, 0}})), (Row{100, 100}));
  EXPECT_EQ(fit(two_nodes(2000, 2 * k_gi), shaped("v1.37", both, {{0, 0}, {100, 10}})), (Row{38, 38}));
}

// SCORE-STRATEGY-3: if no pod uses the only byte of ephemeral storage, the utilization is 0. If pods request
// more than a node has, it is 100 for all amounts. As in Go, a hundred times 2^60 wraps around to 2^62.
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

// SCORE-BALANCED-2: the shares of two resources are 0.32 and 1. Half of their distance gives 66. The formula
// for more resources would give 65, because it rounds in another way.
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

// EXT-RECORD-1: scorers see no pods on nodes that an extender has sent back as objects, so the requests of
// these pods do not count. Both nodes have 2 bytes of ephemeral storage.
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

// SCORE-STRATEGY-3: one above a point, the slope of the next two points counts.
TEST(OptimizedShape, GoesOnWithTheNextSlopeBehindAPoint) {
  const std::vector<ShapePoint> points = {{0, 0}, {50, 10}, {100, 0}};
  EXPECT_EQ(optimized::score_on(points, 50, release("v1.36.3")), 100);
  EXPECT_EQ(optimized::score_on(points, 51, release("v1.36.3")), 98);
}

}  // namespace touchstone::tests::optimized_resources_test
