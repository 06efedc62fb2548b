// goes into tests/reference/queue/wakes_test.cpp
#include <gtest/gtest.h>

#include "reference/queue/cluster_events.hpp"
#include "tests/support/play.hpp"

/// What the model says about the event that woke a pod.
namespace touchstone::tests::wakes_test {

// ---- new from here on; the cases may be added to TEST(Wakes, NameTheEvent) ----

using reference::ClusterEvent;
using reference::EventType;

// QUE-GANG-2, QUE-ENTITY-9
TEST(Wakes, NameTheEventOfAGroup) {
  PodObject pending;
  pending.pod = pod("q", 0, 0);
  ClusterEvent added;
  added.type = EventType::pod_added;
  added.new_pod = pending;
  EXPECT_EQ(reference::text_of(added), "the addition of default/q");
  ClusterEvent changed;
  changed.type = EventType::pod_group_changed;
  changed.new_pod_group = PodGroupObject{"default", "g", 2};
  EXPECT_EQ(reference::text_of(changed), "the addition of PodGroup default/g");
  changed.old_pod_group = changed.new_pod_group;
  EXPECT_EQ(reference::text_of(changed), "a change of PodGroup default/g");
}

}  // namespace touchstone::tests::wakes_test
