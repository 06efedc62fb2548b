// goes into tests/reference/queue/handlers_test.cpp
#include "reference/queue/handlers.hpp"

#include <gtest/gtest.h>

#include "reference/queue/scheduler_cache.hpp"
#include "tests/support/play.hpp"

namespace touchstone::tests::handlers_test {

// ---- new from here on ----

// QUE-CACHE-1: a pod that the cache has already keeps its place, on its node.
TEST(Cache, IgnoresAPodThatItHas) {
  Play play("v1.36.3");
  play.node("n1", 1000);
  for (const char* name : {"a", "b", "c"}) play.creates(placed(pod(name, 0, 1), "n1"));
  const std::vector<PodObject> before = play.world.cache.pods.at("n1");
  reference::add_to_cache(play.world, before.at(0));
  EXPECT_EQ(play.world.cache.pods.at("n1"), before);
  PodObject moved = before.at(0);
  moved.pod.node_name = "n2";
  reference::add_to_cache(play.world, moved);
  EXPECT_EQ(play.world.cache.pods.at("n1"), before);
}

}  // namespace touchstone::tests::handlers_test
