#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/play.hpp"

/// A node n1 with 1 CPU, which v fills, and a pending pod p.
namespace touchstone::tests::pending_pods {

/// p, with a higher priority than v, has not been tried.
inline Play preempting(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1000), "n1")).creates(pod("p", 10, 1000));
  return play;
}

/// p preempts v, and the call that deletes v waits.
inline Play evicting(const char* release) {
  Play play = preempting(release);
  play.holds(CallKind::remove, "v").cycle();
  return play;
}

/// p preempts v, and is nominated in memory alone: the patch of its status fails.
inline Play nominated_in_memory(const char* release) {
  Play play = preempting(release);
  play.holds(CallKind::patch, "p").cycle();
  play.answers(CallKind::patch, "p", CallResult::error);
  EXPECT_EQ(play.place("p"), "unschedulable");
  EXPECT_EQ(play.nominated("p"), "n1");
  EXPECT_EQ(play.stored("p").nominated_node_name, "");
  return play;
}

/// p, with the priority of v, has failed.
inline Play failed(const char* release) {
  Play play(release);
  play.node("n1", 1000).creates(placed(pod("v", 10, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  return play;
}

inline Pod with_toleration(Pod pod) {
  pod.tolerations = {{"k", "Exists", "", ""}};
  return pod;
}

}  // namespace touchstone::tests::pending_pods
