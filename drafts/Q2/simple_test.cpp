// goes into tests/reference/queue/simple_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::simple_queue_test {

// ---- new from here on ----

// QUE-CYCLE-1, QUE-CYCLE-2: a cycle that is told no node may choose any of the best ones.
TEST(EarlyCycle, ChoosesAmongTheBestNodes) {
  class LastChoices final : public Choices {
   public:
    std::size_t pick(std::size_t n, std::string_view) override { return n - 1; }
  };
  Play play("v1.13.0");
  play.node("n1", 1000).node("n2", 1000);
  const auto node_of = [&](const char* name, Choices& choices) {
    play.creates(pod(name, 10, 100));
    return reference::play(play.world, CycleCommand{}, choices).cycle->node;
  };
  CanonicalChoices first;
  LastChoices last;
  std::set<std::string> nodes;
  Play other = play;
  nodes.insert(node_of("p", first));
  play = other;
  nodes.insert(node_of("p", last));
  EXPECT_EQ(nodes.size(), 2U);
}

// QUE-STATUS-4: the loop waits for the call that sets the condition of a pod whose attempt was an error.
TEST(EarlyCycle, WaitsForTheStatusOfAnError) {
  Play play("v1.13.0");
  play.creates(pod("p", 10, 1000)).creates(pod("q", 10, 1000));
  EXPECT_EQ(play.holds(CallKind::patch, "p").cycle().outcome, CycleOutcome::error);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::busy);
  play.answers(CallKind::patch, "p", CallResult::ok);
  EXPECT_EQ(play.cycle().outcome, CycleOutcome::error);
}

// QUE-STATUS-1: a pod without a nominated node waits for no pod, whatever is assumed.
TEST(EarlyCycle, WaitsForNoPodWithoutANomination) {
  Play play("v1.13.0");
  play.node("n1", 4000);
  for (const char* name : {"a", "b", "c"}) {
    play.creates(pod(name, 10, 1000)).holds(CallKind::bind, name);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::scheduled);
  }
  EXPECT_EQ(play.creates(pod("p", 10, 5000)).cycle().outcome, CycleOutcome::none);
}

// QUE-STATUS-4: the result says what is not modelled.
TEST(EarlyCycle, SaysThatAffinityIsUnclear) {
  Pod drawn = pod("p", 10, 1000);
  PodAffinityTerm term;
  term.topology_key = "kubernetes.io/hostname";
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  drawn.pod_affinity = {term};
  Play play("v1.13.0");
  const CycleResult result =
      play.node("n1", 4000).creates(placed(pod("v", 0, 1000), "gone")).creates(drawn).cycle();
  EXPECT_EQ(result.outcome, CycleOutcome::skipped);
  EXPECT_EQ(result.skipped, "affinity, while a pod is on a node that the scheduler does not know");
}

}  // namespace touchstone::tests::simple_queue_test
