// goes into tests/reference/queue/gang_test.cpp
#include "reference/queue/gang.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "spec/releases/feature_gates.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::gang_test {

namespace {

using Names = std::vector<std::string>;

const FeatureGates k_gates = {{"GenericWorkload", true}, {"GangScheduling", true}};

Play with_gangs() {
  Play play("v1.35.4");
  play.world.release = with_gates_over_time(release("v1.35.4"), k_gates, "").value();
  return play;
}

PodObject member(const std::string& name, Quantity priority, const std::string& workload = "w",
                 const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, priority, 1000);
  object.pod.uid = "u-" + name;
  object.workload_ref = WorkloadRef{workload, group, ""};
  return object;
}

WorkloadGroups gang_of(std::optional<Quantity> least) { return {"default", "w", {{"g", least}}}; }

StepAnswer creates(Play& play, WrittenObject object, Verb verb = Verb::create) {
  CanonicalChoices choices;
  return reference::play(play.world, WriteCommand{verb, std::move(object)}, choices);
}

/// A gang of two on nodes with 4 CPU.
Play with_gang(std::optional<Quantity> least = 2) {
  Play play = with_gangs();
  play.node("n1", 4000);
  creates(play, gang_of(least));
  creates(play, member("a", 9));
  creates(play, member("b", 8));
  return play;
}

}  // namespace

// ---- new from here on ----

// QUE-GANG-3, QUE-GANG-5: the result says why a cycle is skipped, and cites the clause.
TEST(Gangs, SayWhyTheyAreSkipped) {
  Play twice = with_gang(3);
  PodObject waiting = member("y", 20);
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  creates(twice, waiting);
  EXPECT_EQ(twice.cycle().skipped, "two plug-ins that have one pod wait in Permit");

  Play play = with_gang(3);
  creates(play, member("c", 7));
  play.cycle();
  play.removes("a");
  creates(play, member("d", 6));
  CanonicalChoices choices;
  const StepAnswer answer = reference::play(play.world, CycleCommand{}, choices);
  EXPECT_EQ(answer.cycle->outcome, CycleOutcome::skipped);
  EXPECT_TRUE(answer.clauses.contains("QUE-GANG-5"));
}

}  // namespace touchstone::tests::gang_test
