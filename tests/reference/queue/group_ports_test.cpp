#include <gtest/gtest.h>

#include "tests/support/pod_groups.hpp"

/// QUE-GROUP-7: host ports that a trial of a group leaves free, although a pod has them.
namespace touchstone::tests::group_ports_test {

using namespace pod_groups;

namespace {

Pod on_port(Pod made, Quantity port) { return with_host_port(std::move(made), port, "", "TCP"); }

PodObject on_port(PodObject made, Quantity port) {
  made.pod = on_port(made.pod, port);
  return made;
}

}  // namespace

// QUE-GROUP-7: the ports are free until the node changes.
TEST(PodGroups, LeaveTheirPortsFreeAfterTheTrial) {
  enum class Change { nothing, node, pod };
  for (const Change change : {Change::nothing, Change::node, Change::pod}) {
    Play play = with_groups();
    play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0), 80), "n1"));
    writes(play, group_of(std::nullopt));
    play.holds(CallKind::patch, "v");
    writes(play, on_port(member("a", 9), 80));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    if (change == Change::node) play.updates(node_with("n1", 5000));
    if (change == Change::pod) play.creates(placed(pod("other", 1, 0), "n1")).removes("other");
    play.creates(on_port(pod("q", 20, 0), 80));
    EXPECT_EQ(cycles(play), change == Change::nothing ? CycleOutcome::scheduled : CycleOutcome::nominated);
  }
}

// QUE-GROUP-7: the ports are free until a pod is added to the node or removed from it.
TEST(PodGroups, LeaveTheirPortsFreeUntilAPodOfTheNodeChanges) {
  enum class Change { nothing, addition, removal };
  for (const Change change : {Change::nothing, Change::addition, Change::removal}) {
    Play play = with_groups();
    play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0), 80), "n1"));
    play.creates(placed(pod("old", 1, 0), "n1"));
    writes(play, group_of(std::nullopt));
    play.holds(CallKind::patch, "v");
    writes(play, on_port(member("a", 9), 80));
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    if (change == Change::addition) play.creates(placed(pod("new", 1, 0), "n1"));
    if (change == Change::removal) play.removes("old");
    play.creates(on_port(pod("q", 20, 0), 80));
    EXPECT_EQ(cycles(play), change == Change::nothing ? CycleOutcome::scheduled : CycleOutcome::nominated);
  }
}

// QUE-GROUP-7: in the next trial, the pod that is placed on the node uses the port that the last trial
// left free.
TEST(PodGroups, UseTheirPortsInTheNextTrial) {
  Play play = with_groups();
  play.node("n1", 4000);
  writes(play, group_of(2));
  for (const char* name : {"a", "b"}) writes(play, on_port(member(name, 9), 80));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cycles(play), CycleOutcome::none) << i;
    waits_and_flushes(play);
  }
}

// QUE-GROUP-7: a pod that the next trial places on the node leaves the other ports free.
TEST(PodGroups, LeaveOtherPortsFreeInTheNextTrial) {
  Play play = with_groups();
  play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0), 80), "n1"));
  writes(play, group_of(std::nullopt));
  writes(play, group_of(std::nullopt, "h"));
  play.holds(CallKind::patch, "v");
  writes(play, on_port(member("a", 9), 80));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  writes(play, member("c", 30, 0, "h"));
  writes(play, on_port(member("d", 20, 0, "h"), 80));
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("d").node_name, "n1");
}

}  // namespace touchstone::tests::group_ports_test
