// goes into tests/reference/queue/rare_hints_test.cpp
#include <gtest/gtest.h>

#include "tests/support/play.hpp"

namespace touchstone::tests::rare_hints_test {

// ---- new from here on ----

// QUE-CYCLE-3, CYC-PROFILE-1: an attempt whose scoring errs has no rejectors, although the pod is pinned to
// nodes: no event has to cure that.
TEST(Cycle, ErrsWithoutRejectorsInScoring) {
  Pod pinned = pod("p", 10, 100);
  pinned.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}}}, {{}, {{"metadata.name", "In", {"n2"}}}}}};
  for (const char* release : {"v1.31.0", "v1.36.3"}) {
    Play play(release);
    play.world.release.prescore_error = "running PreScore plugin: failed";
    play.node("n1", 1000).node("n2", 1000).creates(pinned);
    EXPECT_EQ(play.cycle().outcome, CycleOutcome::error) << release;
    EXPECT_TRUE(play.entry("p").rejectors.empty()) << release;
    EXPECT_EQ(play.stored("p").conditions[0].reason, "SchedulerError") << release;
  }
}

}  // namespace touchstone::tests::rare_hints_test
