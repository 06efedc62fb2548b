// tests/reference/not_modelled_test.cpp
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/preemption/preempt.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::more_not_modelled_test {

namespace {

std::string skipped(const Question& question, const Release& by) {
  const Decision decision = reference::preempt(question, by);
  return decision.outcome == Outcome::skipped ? decision.reason.substr(0, decision.reason.find(':')) : "";
}

Question empty_node(const Pod& asked) { return QuestionBuilder().node("n1", 4000).asks(asked); }

}  // namespace

// PRE-SPREAD-6: a configuration runs PodTopologySpread first. Then it sees the nodes that the required
// affinity of the pod excludes.
TEST(NotModelled, IsSpreadBeforeNodeAffinity) {
  Release by = release("v1.20");
  const auto spread_group = std::find(by.filter_groups.begin(), by.filter_groups.end(),
                                      std::vector<Filter>{Filter::pod_topology_spread});
  ASSERT_NE(spread_group, by.filter_groups.end());
  std::rotate(by.filter_groups.begin(), spread_group, spread_group + 1);
  Question question = in_zones(empty_node(spread(pod("p", 10, 1000), {over("zone", "x")})), {"a"});
  EXPECT_EQ(skipped(question, by), "");
  question.pod.node_affinity = {NodeSelectorTerm{{{"disk", "In", {"ssd"}}}, {}}};
  EXPECT_EQ(skipped(question, by), "PodTopologySpread");
  EXPECT_EQ(skipped(question, release("v1.20")), "");
}

// PRE-SPREAD-2: the first of two constraints has an invalid selector.
TEST(NotModelled, IsAnInvalidSelectorOfTheFirstConstraint) {
  TopologySpreadConstraint invalid = over("zone", "x");
  invalid.label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  EXPECT_EQ(skipped(empty_node(spread(pod("p", 10, 1000), {invalid, over("zone", "x")})), release("v1.34")),
            "PodTopologySpread");
}

// CYC-PROFILE-1: the configuration runs neither VolumeZone nor VolumeBinding, so the first lacks nothing.
TEST(NotModelled, IsNoVolumeIfNeitherVolumeZoneNorVolumeBindingRuns) {
  const Question question = empty_node(with_volume(pod("p", 10, 1000), source("iscsi", "disk")));
  for (const bool with_zone : {false, true}) {
    for (const char* name : {"v1.20", "v1.34"}) {
      Release by = release(name);
      const auto is_off = [with_zone](Filter filter) {
        return filter == Filter::volume_binding || (filter == Filter::volume_zone && !with_zone);
      };
      std::erase_if(by.prefilters, is_off);
      std::erase_if(by.filter_groups, [&is_off](const std::vector<Filter>& group) {
        return group.size() == 1 && is_off(group[0]);
      });
      EXPECT_EQ(skipped(question, by), with_zone ? "volumes" : "") << name;
    }
  }
}

}  // namespace touchstone::tests::more_not_modelled_test
