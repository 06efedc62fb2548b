#include "tests/optimized/scores/placed.hpp"

/// The optimized scorers of resources, on the smallest clusters of their clauses.
namespace touchstone::tests::optimized_resources_test {

namespace {

Pod without_requests(const std::string& name) {
  Pod made = pod(name, 0, 0);
  made.containers[0].requests.clear();
  return made;
}

/// n1 without pods, n2 with a pod of 1 cpu and 1 Gi. p requests 500m and 512 Mi.
Question free_and_used() {
  return with_memory(QuestionBuilder()
                         .node("n1", 4000)
                         .node("n2", 4000)
                         .has(sized("a", 1000, k_gi))
                         .asks(sized("p", 500, 512 * k_mi)));
}

Row fit(const Question& question, std::string_view version) {
  return scores_by(Scorer::node_resources, question, version);
}
Row balanced(const Question& question, std::string_view version) {
  return scores_by(Scorer::balanced_allocation, question, version);
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
  Question question =
      with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(sized("p", 1000, 2 * k_gi)));
  question.pod.containers[0].requests["example.com/gpu"] = 1;
  question.cluster.nodes[0].allocatable["example.com/gpu"] = 4;
  question.cluster.nodes[1].allocatable["example.com/gpu"] = 2;
  Release release = tests::release("v1.37");
  EXPECT_EQ(scores_by(Scorer::node_resources, question, release), (Row{75, 75}));
  release.fit_resources = {{"cpu", 1}, {"example.com/gpu", 3}};
  EXPECT_EQ(scores_by(Scorer::node_resources, question, release), (Row{75, 56}));

  Question packed = with_memory(QuestionBuilder()
                                    .node("n1", 4000)
                                    .node("n2", 4000)
                                    .has(sized("a", 1000, 2 * k_gi))
                                    .asks(sized("p", 1000, 2 * k_gi)));
  release = tests::release("v1.37");
  release.fit_strategy = FitStrategy::most_allocated;
  EXPECT_EQ(scores_by(Scorer::node_resources, packed, release), (Row{25, 50}));

  Question shaped =
      with_memory(QuestionBuilder().node("n1", 3000).node("n2", 7000).asks(sized("p", 1000, 0)));
  release.fit_strategy = FitStrategy::requested_to_capacity;
  release.fit_resources = {{"cpu", 1}};
  release.fit_shape = {{0, 0}, {50, 3}, {100, 10}};
  EXPECT_EQ(scores_by(Scorer::node_resources, shaped, release), (Row{19, 8}));
}

// SCORE-STRATEGY-1: the score is the mean of the free shares, 75 % of cpu and 50 % of memory, by their
// weights.
TEST(OptimizedResources, WeighCpuAndMemory) {
  const Question question =
      with_memory(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(sized("p", 1000, 4 * k_gi)));
  Release release = tests::release("v1.37");
  release.fit_resources = {{"cpu", 1}, {"memory", 3}};
  EXPECT_EQ(fit(question, "v1.37"), (Row{62, 62}));
  EXPECT_EQ(scores_by(Scorer::node_resources, question, release), (Row{56, 56}));
  release.fit_resources = {{"cpu", 3}, {"memory", 1}};
  EXPECT_EQ(scores_by(Scorer::node_resources, question, release), (Row{68, 68}));
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

}  // namespace touchstone::tests::optimized_resources_test
