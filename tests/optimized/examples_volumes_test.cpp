#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// The smallest clusters of some clauses about volumes: the release returns an error, loses a rejection, or
/// compares the wrong names.
namespace touchstone::tests {

namespace {

/// A node that one pod of lower priority fills. The preemptor below has a claim "c".
QuestionBuilder full_node(const std::string& name = "n1") {
  return QuestionBuilder().node(name, 1000).has(pod("low-" + name, 0, 1000));
}

Pod preemptor() { return with_claim(pod("p", 10, 1000), "c"); }

}  // namespace

// PRE-CLAIM-2
TEST(OptimizedVolumes, AnUnboundClaimErrsUpToV117) {
  const Question question = Stored(QuestionBuilder().node("n1", 1000).asks(preemptor())).with(claim("c"));
  EXPECT_EQ(agreed(question, "v1.17").reason,
            "error while running \"VolumeBinding\" filter plugin for pod \"p\": pod has unbound "
            "immediate PersistentVolumeClaims");
  EXPECT_EQ(agreed(question, "v1.18").outcome, Outcome::none);
}

// PRE-BIND-4, PRE-MESSAGE-6
TEST(OptimizedVolumes, ErrorsOfNodesAddUpUpToV116) {
  const Question question =
      Stored(QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(preemptor())).with(claim("c", "gone"));
  EXPECT_EQ(agreed(question, "v1.16").reason,
            "could not find v1.PersistentVolume \"gone\" (repeated 2 times)");
  EXPECT_EQ(agreed(question, "v1.17").reason,
            "error while running \"VolumeBinding\" filter plugin for pod \"p\": could not find "
            "v1.PersistentVolume \"gone\"");
}

// PRE-OUTCOME-5: the filter of volumes runs once the resources suffice, so the first pass does not see its
// error.
TEST(OptimizedVolumes, ADryRunErrs) {
  Stored with_attributes(full_node().asks(preemptor()));
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  with_attributes.with(gold).with(available("v")).with(late("kubernetes.io/no-provisioner"));
  EXPECT_EQ(agreed(with_attributes, "v1.33").outcome, Outcome::error);
  EXPECT_EQ(agreed(with_attributes, "v1.34").outcome, Outcome::none);
  EXPECT_EQ(agreed(with_attributes, "v1.29").outcome, Outcome::nominated);
}

// PRE-PREFILTER-4
TEST(OptimizedVolumes, ARejectionByClaimsIsLost) {
  PersistentVolumeClaim leaving = claim("c", "v");
  leaving.terminating = true;
  const Question question = Stored(full_node().asks(preemptor())).with(leaving).with(volume("v"));
  EXPECT_EQ(agreed(question, "v1.27.0").outcome, Outcome::error);
  EXPECT_NE(agreed(question, "v1.26.5").reason.find("PreFilterPodTopologySpread"), std::string::npos);
  EXPECT_NE(agreed(full_node().asks(preemptor()), "v1.27.0").reason.find("VolumeRestrictions"),
            std::string::npos);
  EXPECT_EQ(agreed(question, "v1.29").outcome, Outcome::none);
}

// PRE-CLAIM-3
TEST(OptimizedVolumes, HostNamesAreTakenForNodes) {
  const auto asks = [](const std::string& host) {
    Question question = QuestionBuilder()
                            .node("n1", 1000)
                            .has(pod("a", 0, 1000))
                            .node("n2", 1000)
                            .has(pod("b", 5, 1000))
                            .asks(preemptor());
    for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = "host";
    return Question(Stored(question)
                        .with(claim("c", "v"))
                        .with(reached_from(volume("v"), "kubernetes.io/hostname", {"host", host})));
  };
  EXPECT_EQ(agreed(asks("n2"), "v1.26").node, 0u);
  EXPECT_EQ(agreed(asks("n2"), "v1.29.6").node, 1u);
  EXPECT_EQ(agreed(asks("n2"), "v1.32").node, 0u);
  EXPECT_EQ(agreed(asks("elsewhere"), "v1.28.1").outcome, Outcome::error);
}

// PRE-CLAIM-3
TEST(OptimizedVolumes, VolumesWithoutACommonHostLeaveNoNode) {
  const Pod two = with_claim(preemptor(), "d");
  const Question question = Stored(full_node().asks(two))
                                .with(claim("c", "v"))
                                .with(claim("d", "w"))
                                .with(reached_from(volume("v"), "kubernetes.io/hostname", {"n1"}))
                                .with(reached_from(volume("w"), "kubernetes.io/hostname", {"n2"}));
  EXPECT_NE(agreed(question, "v1.29.6").reason.find("PreFilterPodTopologySpread"), std::string::npos);
  EXPECT_EQ(agreed(question, "v1.30.4").outcome, Outcome::none);
}

// PRE-BIND-1
TEST(OptimizedVolumes, ADriverThatHasTakenOverLooksAtItsOwnZones) {
  PersistentVolume disk = reached_from(volume("v"), k_zone, {"a"});
  disk.source = source("gcePersistentDisk", "d");
  Question question = full_node().asks(preemptor());
  question.cluster.nodes[0].labels = {{"topology.gke.io/zone", "a"}};
  const CsiNode migrated{"n1", {}, {}, {"kubernetes.io/gce-pd"}};
  const Question asked = Stored(question).with(claim("c", "v")).with(disk).with(migrated);
  EXPECT_EQ(agreed(asked, "v1.22").outcome, Outcome::none);
  EXPECT_EQ(agreed(asked, "v1.24").outcome, Outcome::nominated);
}

// PRE-BIND-2
TEST(OptimizedVolumes, ChanceAmongEqualVolumesMattersWhereAClaimIsLeftWithout) {
  PersistentVolumeClaim picky = waiting("d", 6);
  picky.selector = LabelSelector{{{"tier", "a"}}, {}};
  PersistentVolume labelled = available("w", 6);
  labelled.labels["tier"] = "a";
  Stored stored(full_node().asks(with_claim(preemptor(), "d")));
  stored.with(waiting("c")).with(picky).with(available("v", 6)).with(labelled);
  stored.with(late("kubernetes.io/no-provisioner"));
  EXPECT_EQ(agreed(stored, "v1.34").outcome, Outcome::skipped);
  EXPECT_EQ(agreed(stored.with(late("d")), "v1.34").outcome, Outcome::nominated);
}

// PRE-BIND-1: a requirement without values names no region.
TEST(OptimizedVolumes, ABetaRegionIsTranslatedIfItIsNamed) {
  Question question = QuestionBuilder().node("n1", 1000).asks(preemptor());
  question.cluster.nodes[0].labels = {{"topology.gke.io/zone", "a"}, {k_region, "r"}};
  PersistentVolume disk = reached_from(volume("v"), k_beta_zone, {"a"});
  disk.source = source("gcePersistentDisk", "x");
  disk.node_affinity->front().match_expressions.push_back({k_beta_region, "In", {"r"}});
  Stored stored(question);
  stored.with(claim("c", "v")).with(disk).with(CsiNode{"n1", {}, {}, {"kubernetes.io/gce-pd"}});
  EXPECT_EQ(agreed(stored, "v1.34").outcome, Outcome::fits);
  disk.node_affinity->front().match_expressions.back() = {k_beta_region, "Exists", {}};
  EXPECT_EQ(agreed(stored.with(disk), "v1.34").outcome, Outcome::none);
}

// PRE-PREFILTER-3
TEST(OptimizedVolumes, ErrorsOnAnExcludedNominatedNodeCountForNothing) {
  for (const char* name : {"v1.27.0", "v1.29.5", "v1.29.6"})
    EXPECT_EQ(agreed(nominated_to_an_erring_node(), name).outcome, Outcome::fits) << name;
  EXPECT_EQ(agreed(nominated_to_an_erring_node(), "v1.34").outcome, Outcome::error);
}

// PRE-ATTACH-6
TEST(OptimizedVolumes, LimitsErrOnAClaimThatWasMadeForAnother) {
  const Pod other = with_volume(pod("o", 20, 0), source("ephemeral"));
  PersistentVolumeClaim made = claim("o-v0", "v");
  made.controller = "somebody";
  Stored stored(QuestionBuilder().node("n1", 1000).has(other).has(pod("low", 0, 1000)).asks(preemptor()));
  stored.with(claim("c", "w")).with(made).with(volume("v")).with(volume("w"));
  stored.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  EXPECT_EQ(agreed(stored, "v1.34").outcome, Outcome::error);
  EXPECT_EQ(agreed(stored, "v1.22").outcome, Outcome::nominated);
  // PRE-FEATURES-1: the filter on features runs after the one that errs.
  stored.question().pod.node_features = {"UserNamespacesHostNetworkSupport"};
  EXPECT_EQ(agreed(stored, "v1.37").outcome, Outcome::error);
}

// PRE-ATTACH-6: in the first pass no pod is removed, so the list of pods has the potential victims, too.
TEST(OptimizedVolumes, LimitsErrByTheFirstPodOfTheList) {
  const Pod low = with_volume(pod("low", 0, 0), source("ephemeral"));
  const Pod high = with_volume(pod("high", 20, 0), source("ephemeral"));
  Stored stored(QuestionBuilder().node("n1", 1000).has(low).has(high).asks(preemptor()));
  for (const char* name : {"low-v0", "high-v0"}) {
    PersistentVolumeClaim made = claim(name, "v");
    made.controller = "somebody";
    stored.with(made);
  }
  stored.with(claim("c", "w")).with(volume("v")).with(volume("w"));
  stored.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  const optimized::Answer answer = agreed(stored, "v1.34");
  EXPECT_EQ(answer.outcome, Outcome::error);
  EXPECT_NE(answer.reason.find("default/low-v0"), std::string::npos) << answer.reason;
}

// PRE-ZONE-1
TEST(OptimizedVolumes, V18SkipsOnlyWhereAClaimOfAnybodyHasNoVolume) {
  PersistentVolume zonal = volume("v");
  zonal.labels[k_beta_zone] = "a";
  Question question = full_node().asks(preemptor());
  question.cluster.nodes[0].labels[k_beta_zone] = "b";
  Question asked = Stored(question).with(claim("c", "v")).with(zonal);
  EXPECT_EQ(agreed(asked, "v1.9").outcome, Outcome::none);
  asked.cluster.pods.push_back(with_claim(pod("done", 0, 100), "gone"));
  asked.cluster.pods.back().phase = "Succeeded";
  EXPECT_EQ(agreed(asked, "v1.9").outcome, Outcome::skipped);
}

TEST(OptimizedVolumes, ADiskThatNoDriverKnowsIsSkippedWhereTheDriverHasTakenOver) {
  VolumeSource shared = source("azureDisk", "d");
  shared.disk_kind = "Shared";
  const Question question = full_node().asks(with_volume(pod("p", 10, 1000), shared));
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::nominated);
  const Question asked = Stored(question).with(CsiNode{"n1", {}, {}, {}});
  EXPECT_EQ(agreed(asked, "v1.34").outcome, Outcome::skipped);
}

}  // namespace touchstone::tests
