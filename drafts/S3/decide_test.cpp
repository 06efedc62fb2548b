// tests/optimized/search/decide_test.cpp
#include "optimized/search/decide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::decide_more_test {

namespace {

/// The release, with one filter after all others, as a configuration may set it.
Release with_last(Release release, Filter last) {
  std::erase(release.filter_groups, std::vector<Filter>{last});
  release.filter_groups.push_back({last});
  return release;
}

/// A pod that is pinned to two nodes at once, so that a PreFilter rejects it.
Pod pinned_to_none() {
  Pod made = pod("p", 10, 1000);
  made.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}}}}};
  return made;
}

}  // namespace

// PRE-VICTIM-3, CYC-PROFILE-1: NodeUnschedulable runs last and rejects n0. A filter of volumes may err on n1,
// so nodes that a late filter rejects are dry-run. The dry run of n0 finds no candidate.
TEST(OptimizedDecide, NominatesNoNodeThatALateFilterRejects) {
  Question question = erring_nodes({"a", "b"});
  question.cluster.pods[0].volumes.clear();
  question.cluster.pods[0].priority = 0;
  for (Pod& each : question.cluster.pods) each.containers[0].requests["cpu"] = 1000;
  question.cluster.nodes[0].unschedulable = true;
  for (const char* version : {"v1.24", "v1.29.6", "v1.33", "v1.37"}) {
    const Release asked = release(version);
    EXPECT_EQ(agreed(question, asked).outcome, Outcome::none) << version;
    EXPECT_EQ(agreed(question, with_last(asked, Filter::node_unschedulable)).outcome, Outcome::none)
        << version;
  }
  question.cluster.nodes[0].unschedulable = false;
  EXPECT_EQ(agreed(question, with_last(release("v1.29.6"), Filter::node_unschedulable)).node, NodeIndex{0});
}

// PRE-OUTCOME-5, CYC-PROFILE-1: NodeResourcesFit runs last. n1 has too little cpu, even without its pod. In
// the first pass NodePorts rejects n1. Without the pod, the filter of volumes errs before NodeResourcesFit
// rejects.
TEST(OptimizedDecide, SeesAnErrorBeforeResourcesAreLacking) {
  Pod asking = with_claim(with_host_port(pod("p", 10, 1000), 80), "c");
  Stored stored(QuestionBuilder().node("n1", 500).has(with_host_port(pod("a", 0, 100), 80)).asks(asking));
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  stored.with(gold).with(available("v")).with(late("kubernetes.io/no-provisioner"));
  EXPECT_EQ(agreed(stored, "v1.33").outcome, Outcome::none);
  EXPECT_EQ(agreed(stored, with_last(release("v1.33"), Filter::node_resources_fit)).outcome, Outcome::error);
}

// PRE-PREFILTER-6: from v1.34 the scheduler loses the rejection by a PreFilter, and the nomination stays. It
// does not lose the rejection by a PreFilter that runs after that of DynamicResources.
TEST(OptimizedDecide, LosesARejectionBeforeThatOfClaims) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pinned_to_none());
  question.pod.nominated_node_name = "n1";
  Release asked = release("v1.34");
  const auto nomination = [&](std::vector<Filter> after_claims) {
    asked.prefilters_after_claims = std::move(after_claims);
    return agreed(question, asked).nomination;
  };
  EXPECT_EQ(nomination({}), Nomination::kept);
  EXPECT_EQ(nomination({Filter::volume_zone}), Nomination::kept);
  EXPECT_EQ(nomination({Filter::volume_zone, Filter::node_affinity}), Nomination::cleared);
  EXPECT_EQ(nomination({Filter::node_affinity}), Nomination::cleared);
}

// CYC-PROFILE-1, PRE-PREFILTER-2: a configuration turns off the PreFilter of NodeName. That of NodeAffinity
// rejects the pod all the same.
TEST(OptimizedDecide, RunsThePreFiltersThatAreNotTurnedOff) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pinned_to_none());
  question.pod.nominated_node_name = "n1";
  Release asked = release("v1.34");
  asked.prefilters_off = {Filter::node_name};
  EXPECT_EQ(agreed(question, asked).nomination, Nomination::kept);
  asked.prefilters_off = {Filter::node_affinity};
  EXPECT_EQ(agreed(question, asked).nomination, Nomination::cleared);
}

// PRE-SEARCH-1: all_candidates() goes on after a node that cannot be a candidate: n1 has only a pod of a
// higher priority, and n2 too little cpu.
TEST(OptimizedDecide, ListsTheCandidatesAfterAHopelessNode) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 20, 1000))
                                .node("n2", 500)
                                .has(pod("b", 0, 100))
                                .node("n3", 1000)
                                .has(pod("c", 0, 1000))
                                .asks(pod("p", 10, 1000));
  optimized::Workers workers(1);
  for (const char* version : {"v1.18", "v1.24", "v1.34"}) {
    const Release asked = release(version);
    const optimized::Snapshot snapshot(question.cluster, asked);
    EXPECT_EQ(optimized::all_candidates(snapshot, question.pod, workers),
              reference::preempt(question, asked).candidates)
        << version;
  }
}

// PRE-VICTIM-5, PRE-VICTIM-7: victims are sorted again only if some violate a PDB and others do not. Each
// sort reverses unstarted pods of one priority, up to v1.36.
TEST(OptimizedDecide, SortsVictimsOfBothGroupsAgain) {
  for (const int violating : {0, 1, 2, 3, 4}) {
    QuestionBuilder cluster;
    cluster.node("n1", 4000);
    for (int i = 0; i < 4; ++i)
      cluster.has(with_app(unstarted(pod("a" + std::to_string(i), 0, 1000)), i < violating ? "x" : "y"));
    const Question question = cluster.pdb("x", 0).asks(pod("p", 10, 4000));
    for (const char* version : {"v1.14", "v1.15", "v1.28", "v1.30.14", "v1.32", "v1.36", "v1.37"})
      EXPECT_EQ(agreed(question, version).victims.size(), 4U) << version << " " << violating;
  }
}

// PRE-VICTIM-4, PRE-VICTIM-7: from v1.38 the UID decides between pods that started at the same time, also
// when victims of both groups are sorted again. Pod a violates a PDB, and pod b does not.
TEST(OptimizedDecide, SortsVictimsOfBothGroupsByUid) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(with_app(with_uid(pod("a", 0, 1000), "2"), "x"))
                                .has(with_uid(pod("b", 0, 1000), "1"))
                                .pdb("x", 0)
                                .asks(pod("p", 10, 2000));
  EXPECT_EQ(agreed(question, "v1.37").victims, (std::vector<PodIndex>{0, 1}));
  EXPECT_EQ(agreed(question, "v1.38").victims, (std::vector<PodIndex>{1, 0}));
}

}  // namespace touchstone::tests::decide_more_test
