#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/extender_questions.hpp"
#include "tests/optimized/pinned.hpp"

/// Extenders that filter: which of them the optimized engine asks, and the status of the nodes that they
/// reject or leave out.
namespace touchstone::tests::extenders_filter_test {

namespace {

using Nodes = std::vector<NodeIndex>;

}  // namespace

// EXT-FILTER-1, EXT-ERROR-1, EXT-UNKNOWN-2: the calls to filterVerb end with a node that does not exist, or
// without feasible nodes. Neither the rejection of an unknown node nor an ignorable error ends them.
TEST(OptimizedExtenders, AreNotAskedToFilterAfterAnUnknownNodeOrWithoutNodes) {
  const Extender ghost = filters({{"n1", ok()}, {"ghost", ok()}});
  EXPECT_EQ(placed_answer(three_nodes({ghost, unknown(filters_all())}), "v1.36.3").reason, k_unknown_node);
  // A node that does not exist may be rejected.
  const Extender rejects_ghost = filters({{"n1", ok()}, {"ghost", rejected("no")}});
  EXPECT_EQ(placed_answer(three_nodes({rejects_ghost}), "v1.36.3").feasible, Nodes{0});
  // Without feasible nodes, no further extender is asked.
  EXPECT_EQ(
      placed_answer(three_nodes({filters_names({}), failing(filters_all(), "late")}), "v1.36.3").outcome,
      Outcome::none);
  // The error of an ignorable extender does not end the calls.
  const std::vector<Extender> both = {ignorable(failing(filters_all())),
                                      ignorable(filters_names({{"n2", ok()}}))};
  EXPECT_EQ(placed_answer(three_nodes(both), "v1.36.3").feasible, Nodes{1});
}

// EXT-ORDER-1: from v1.15 on ignorable extenders are asked last. The extender that fails is asked only if a
// node is left.
TEST(OptimizedExtenders, AreAskedInTheOrderOfTheRelease) {
  const Extender leaves_none = ignorable(filters_names({}));
  const Extender fails = failing(filters_all(), "failed");
  const auto reason = [](std::vector<Extender> extenders, const char* version) {
    return placed_answer(three_nodes(std::move(extenders)), version).reason;
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
  EXPECT_EQ(placed_answer(three_nodes({extender}), "v1.36.3").reason,
            "failed filter with extender at URL http://extender.example/filter, code 500");
}

// EXT-INTEREST-1: one resource of one container is enough, also of an init container.
TEST(OptimizedExtenders, AreInterestedInOneResourceOfOneContainer) {
  const Extender two = filters_names({{"n2", ok()}});
  EXPECT_EQ(
      placed_answer(three_nodes({managing(managing(two, "example.com/gpu"), "cpu")}), "v1.36.3").feasible,
      Nodes{1});
  Question init = three_nodes({managing(two, "memory")});
  EXPECT_EQ(placed_answer(init, "v1.36.3").feasible, (Nodes{0, 1, 2}));
  init.pod.init_containers.push_back({"i", {{"memory", 1}}, {}, false});
  EXPECT_EQ(placed_answer(init, "v1.36.3").feasible, Nodes{1});
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

// EXT-FILTER-1, PRE-PREFILTER-2: the pod is pinned to n1 and to n2 at once. From v1.24 on a PreFilter rejects
// it, before that a filter rejects every node. So no extender is asked. This one would leave out all nodes.
TEST(OptimizedExtenders, AreNotAskedIfAPreFilterRejectsThePod) {
  Question question = three_nodes({filters_names({})});
  question.pod.node_affinity = {{with_all_names({"n1", "n2"})}};
  for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
    question.start = start;
    for (const char* version : {"v1.18", "v1.24", "v1.29.5", "v1.31.0", "v1.36.3"})
      EXPECT_EQ(placed_answer(question, version).outcome, Outcome::none) << version;
  }
}

// EXT-DROP-1, EXT-FILTER-2: whether preemption tries a node that an extender leaves out or rejects. n1 is
// tainted. The pod fits on n2 and n3.
TEST(OptimizedExtenders, DecideWhetherANodeThatTheyLeaveOutIsPotential) {
  for (const char* version : {"v1.13.0", "v1.18", "v1.24", "v1.29.5", "v1.31.0", "v1.32.2", "v1.36.3"}) {
    for (const bool n2_is_named : {false, true}) {
      Question question = full_nodes({{pod("a", 0, 1000)}, {pod("b", 0, 1000)}, {}}, {filters_names({})});
      question.pod.containers[0].requests["cpu"] = 2000;
      question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
      if (n2_is_named)
        question.extenders = {filters_names({{"n2", unresolvable("no")}, {"n3", unresolvable("no")}})};
      placed_answer(question, version);
      agreed(question, version);
      for (std::size_t i = 0; i < 2; ++i) {  // PRE-ELIGIBLE-2, PRE-ELIGIBLE-3
        question.cluster.pods[i].terminating = true;
        question.cluster.pods[i].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
        question.pod.nominated_node_name = question.cluster.nodes[i].name;
        placed_answer(question, version);
      }
    }
  }
}

// EXT-DROP-1: the extender leaves out all nodes. In v1.13 preemption tries such nodes, and a node without
// victims wins. The nodes n0 and n4, which were removed from the snapshot, are not tried.
TEST(OptimizedExtenders, DoNotMakeARemovedNodePotential) {
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

// EXT-ANSWER-1: an extender may have a verb without a table. Then no answer to this verb is known.
TEST(OptimizedExtenders, AreLeftToTheReferenceIfATableIsMissing) {
  Extender filtering;
  filtering.filter_verb = "filter";
  Extender scoring;
  scoring.prioritize_verb = "prioritize";
  for (const char* version : {"v1.10", "v1.24", "v1.36.3"}) {
    EXPECT_EQ(placed_answer(three_nodes({filtering, filtering}), version).reason, k_unknown_answer)
        << version;
    EXPECT_EQ(placed_answer(three_nodes({scoring, scores(1, {{"n1", 1}}), scoring}), version).reason,
              k_unknown_answer)
        << version;
  }
  // EXT-PREEMPT-4: in v1.10 preemption asks filtering extenders again.
  EXPECT_EQ(placed_answer(two_full_nodes({filtering, filtering}), "v1.10").reason, k_unknown_answer);
}

// EXT-ANSWER-1: a decision on preemption, too, is left to the reference if an answer is not known.
TEST(OptimizedExtenders, AreLeftToTheReferenceInADecisionIfAnAnswerIsNotKnown) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 500));
  question.extenders = {unknown(filters_names({}))};
  const optimized::Answer answer = agreed(question, "v1.36.3");
  EXPECT_EQ(answer.outcome, Outcome::skipped);
  EXPECT_EQ(answer.reason, k_unknown_answer);
}

}  // namespace touchstone::tests::extenders_filter_test
