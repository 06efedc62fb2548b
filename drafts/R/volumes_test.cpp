// tests/reference/volumes: VolumeBinding into binding_test.cpp, NodeVolumeLimits and EbsLimits into
// limits_test.cpp, VolumeRestrictions and Claims into restrictions_test.cpp; VolumeCapacity into
// tests/reference/scores/volume_capacity_test.cpp
#include "reference/volumes/volumes.hpp"

#include <gtest/gtest.h>

#include "reference/scores/scores.hpp"
#include "tests/reference/volumes/two_pods.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::more_volumes_test {

namespace {

using Reasons = std::vector<std::string>;
using Points = std::vector<Quantity>;

const std::string k_no_storage = "node(s) did not have enough free storage";

CsiStorageCapacity report(Quantity capacity, const std::string& of_class = "late",
                          const std::string& name = "r") {
  CsiStorageCapacity report;
  report.name = of_class + name;
  report.storage_class = of_class;
  report.node_topology = LabelSelector{};
  report.capacity = capacity;
  return report;
}

/// Node n1, and a pod with these claims in their order. Driver "d" of the class "late" reports its storage.
Stored with_claims(const std::vector<PersistentVolumeClaim>& claims) {
  Pod asked = preemptor();
  for (const PersistentVolumeClaim& claim : claims) asked = with_claim(std::move(asked), claim.name);
  Stored stored(QuestionBuilder().node("n1", 4000).asks(std::move(asked)));
  for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
  stored.with(late("d")).with(CsiDriver{"d", true, false});
  return stored;
}

PersistentVolumeClaim selecting(PersistentVolumeClaim claim) {
  claim.selector = LabelSelector{{{"x", "1"}}, {}};
  return claim;
}

PersistentVolume labelled(PersistentVolume volume) {
  volume.labels["x"] = "1";
  return volume;
}

PersistentVolumeClaim without_size(PersistentVolumeClaim claim) {
  claim.storage.reset();
  return claim;
}

PersistentVolumeClaim of_class(PersistentVolumeClaim claim, const std::string& name) {
  claim.class_name = name;
  return claim;
}

/// The question is asked on n1, and on n2 that is the same.
reference::Scores scores_of(Question question) {
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes.back().name = "n2";
  const Release by = release("v1.37");
  Trace trace = Trace::none();
  const reference::Cycle cycle(question, by, trace);
  return reference::volume_capacity(cycle, {0, 1});
}

/// Pod a, with priority 20, has 25 EBS disks on n1. The pod to schedule has one more.
Question with_26_disks(const std::string& beta_type, const std::string& type) {
  Pod full = other();
  for (int i = 0; i < 25; ++i)
    full = with_volume(std::move(full), source("awsElasticBlockStore", "d" + std::to_string(i)));
  Question question = both(std::move(full), with_volume(preemptor(), source("awsElasticBlockStore", "d")));
  Labels& labels = question.cluster.nodes[0].labels;
  if (!beta_type.empty()) labels["beta.kubernetes.io/instance-type"] = beta_type;
  if (!type.empty()) labels["node.kubernetes.io/instance-type"] = type;
  return question;
}

}  // namespace

// PRE-BIND-3: the first claim lacks storage. The second could not be made either, but is not looked at.
TEST(VolumeBinding, ReportsTheFirstClaimForWhichNoVolumeCanBeMade) {
  Stored stored = with_claims({waiting("a"), of_class(waiting("b"), "none")});
  stored.with(StorageClass{"none", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", {}})
      .with(report(1));
  EXPECT_EQ(status_of(stored).reasons, (Reasons{k_no_storage}));
}

// PRE-BIND-2, PRE-BIND-3: the smaller claim takes the only volume, although the pod names the larger one
// first. A volume could be made for the smaller claim alone.
TEST(VolumeBinding, MatchesTheSmallestClaimFirst) {
  Stored stored = with_claims({waiting("large", 10), waiting("small", 5)});
  stored.with(available("v", 10)).with(report(7));
  EXPECT_EQ(status_of(stored).reasons, (Reasons{k_no_storage}));
  Stored sizes = with_claims({waiting("one", 1), without_size(waiting("none"))});
  sizes.with(available("v", 1)).with(report(0));
  EXPECT_EQ(status_of(sizes).reasons, (Reasons{k_no_storage}));
}

// PRE-BIND-2, PRE-BIND-3: two volumes are reserved for claim a, and the node cannot use one of them.
// Whichever the scheduler takes at random, it lacks storage for a claim. The finding is about the first one,
// a.
TEST(VolumeBinding, FindsTheFirstClaimThatLacksStorage) {
  Stored stored = with_claims({waiting("a"), waiting("b")});
  PersistentVolume reachable = available("v1");
  reachable.claim = ClaimReference{"default", "a", "uid-a"};
  PersistentVolume elsewhere = reached_from(reachable, "zone", {"z"});
  elsewhere.name = "v2";
  stored.with(reachable).with(elsewhere).with(report(1));
  const Status status = status_of(stored);
  ASSERT_EQ(status.reasons, (Reasons{k_no_storage}));
  EXPECT_EQ(status.findings.at(0).what.substr(0, 15), "claim default/a");
}

// PRE-BIND-2: of two volumes of one size each claim may take either, because the claim `last`, which only one
// of them could serve by its labels, needs more storage. So there is one way to match the claims, not 2048.
TEST(VolumeBinding, IsNotRandomForALaterClaimThatNeedsMoreStorage) {
  std::vector<PersistentVolumeClaim> claims;
  for (int i = 1; i <= 11; ++i) claims.push_back(waiting("c" + std::to_string(i), i));
  claims.push_back(selecting(waiting("last", 12)));
  Stored stored = with_claims(claims);
  for (int i = 1; i <= 11; ++i)
    stored.with(labelled(available("v" + std::to_string(i) + "a", i)))
        .with(available("v" + std::to_string(i) + "b", i));
  stored.with(labelled(available("last", 12)));
  EXPECT_EQ(decide(stored).outcome, Outcome::fits) << decide(stored).reason;
}

// PRE-BIND-2: a claim whose volume is promised on n1 takes no volume, so the other claim finds the one that
// it selects.
TEST(VolumeBinding, IsNotRandomForAClaimThatIsPromisedANode) {
  PersistentVolumeClaim promised = waiting("a", 1);
  promised.selected_node = "n1";
  Stored stored = with_claims({promised, selecting(waiting("b", 5))});
  stored.with(labelled(available("v1", 5))).with(available("v2", 5)).with(report(3));
  EXPECT_EQ(decide(stored).outcome, Outcome::fits) << decide(stored).reason;
}

// PRE-BIND-2: v1.33 errs on the smallest claim that has attributes, although the pod names another one first.
TEST(VolumeBinding, ErrsOnTheSmallestClaimWithAttributes) {
  PersistentVolumeClaim large = waiting("large", 10);
  PersistentVolumeClaim small = waiting("small", 5);
  large.attributes_class = small.attributes_class = "gold";
  const Decision decision = decide(with_claims({large, small}), "v1.33");
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_NE(decision.reason.find("default/small"), std::string::npos) << decision.reason;
}

// PRE-BIND-2: a claim is promised a volume on another node, so n1 is rejected before the attributes matter.
TEST(VolumeBinding, DoesNotErrOnAttributesWhereAClaimIsPromisedAnotherNode) {
  PersistentVolumeClaim promised = waiting("a");
  promised.selected_node = "n2";
  PersistentVolumeClaim gold = waiting("b");
  gold.attributes_class = "gold";
  const Stored stored = with_claims({promised, gold});
  EXPECT_EQ(decide(stored, "v1.33").outcome, Outcome::none);
  EXPECT_EQ(status_of(stored, "v1.33").reasons,
            (Reasons{"node(s) didn't find available persistent volumes to bind"}));
}

// SCORE-CAPACITY-1: a claim without a size uses nothing of the volume that it takes.
TEST(VolumeCapacity, UsesNothingForAClaimWithoutASize) {
  Stored stored = with_claims({without_size(waiting("a"))});
  stored.with(available("v", 10));
  EXPECT_EQ(scores_of(stored), Points({100, 100}));
}

// SCORE-CAPACITY-1, PRE-BIND-2: the smaller claim takes the only volume, although the pod names the larger
// first.
TEST(VolumeCapacity, MatchesTheSmallestClaimFirst) {
  Stored stored = with_claims({waiting("large", 10), waiting("small", 5)});
  stored.with(available("v", 10)).with(report(100));
  EXPECT_EQ(scores_of(stored), Points({50, 50}));
}

// SCORE-CAPACITY-1: the driver of claim a reports no storage, that of claim b does.
TEST(VolumeCapacity, LeavesOutAClaimWhoseDriverReportsNoStorage) {
  Stored stored = with_claims({of_class(waiting("a"), "plain"), waiting("b", 5)});
  stored.with(StorageClass{"plain", "e", "WaitForFirstConsumer", {}}).with(report(10));
  EXPECT_EQ(scores_of(stored), Points({50, 50}));
}

// SCORE-CAPACITY-1: there are 7 * 11 * 13 = 1001 ways to take a report for each claim, more than are tried.
TEST(VolumeCapacity, IsUnclearIfThereAreTooManyWays) {
  const std::vector<std::pair<std::string, int>> classes = {{"k7", 7}, {"k11", 11}, {"k13", 13}};
  std::vector<PersistentVolumeClaim> claims;
  for (const auto& [name, count] : classes) claims.push_back(of_class(waiting(name), name));
  Stored stored = with_claims(claims);
  for (const auto& [name, count] : classes) {
    stored.with(StorageClass{name, "d", "WaitForFirstConsumer", {}});
    for (int i = 0; i < count; ++i) stored.with(report(10, name, std::to_string(i)));
  }
  const Release by = release("v1.37");
  Trace trace = Trace::none();
  const Question& question = stored;
  const reference::Cycle cycle(question, by, trace);
  EXPECT_FALSE(reference::storage_use_is_clear(cycle, cycle.nodes[0]));
}

// SCORE-CAPACITY-1, SCORE-STRATEGY-3: 995 of 1000 bytes are 99 %, rounded down.
TEST(VolumeCapacity, RoundsTheShareDown) {
  EXPECT_EQ(scores_of(with_claims({waiting("a", 995)}).with(report(1000))), Points({1, 1}));
}

// SCORE-CAPACITY-1, SCORE-SET-2: the product of 100 and the requested amount exceeds 64 bits and wraps. It is
// not computed if more than the capacity is requested.
TEST(VolumeCapacity, WrapsLikeTheRelease) {
  constexpr Quantity k_huge = 100'000'000'000'000'000;
  EXPECT_EQ(scores_of(with_claims({waiting("a", k_huge)}).with(report(k_huge))), Points({100, 100}));
  const Quantity more = k_huge / 2 * 3;
  EXPECT_EQ(scores_of(with_claims({waiting("a", more), waiting("b", more)}).with(report(2 * k_huge))),
            Points({0, 0}));
}

// PRE-ATTACH-2: a CSI volume without a handle does not count.
TEST(NodeVolumeLimits, LeavesOutAVolumeWithoutAHandle) {
  Stored stored(QuestionBuilder().node("n1", 4000).asks(with_claim(preemptor(), "c")));
  PersistentVolume bare = volume("v");
  bare.source.id = "";
  stored.with(claim("c", "v")).with(bare).with(CsiNode{"n1", {"d"}, {{"d", 0}}, {}});
  EXPECT_TRUE(fits(stored));
  stored.with(volume("v"));
  EXPECT_FALSE(fits(stored));
}

// PRE-ATTACH-3: another driver has a limit.
TEST(NodeVolumeLimits, AcceptsVolumesOfADriverWithoutALimit) {
  Stored stored(QuestionBuilder().node("n1", 4000).asks(with_claim(preemptor(), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(CsiNode{"n1", {"d", "e"}, {{"e", 0}}, {}});
  for (const char* name : {"v1.20", "v1.27", "v1.34", "v1.37"}) EXPECT_TRUE(fits(stored, name)) << name;
}

// PRE-ATTACH-4: the first attachment of the node is incomplete, the second counts.
TEST(NodeVolumeLimits, CountsAttachmentsAfterOneThatIsIncomplete) {
  Stored stored(QuestionBuilder().node("n1", 4000).asks(with_claim(preemptor(), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(volume("w")).with(CsiNode{"n1", {"d"}, {{"d", 1}}, {}});
  EXPECT_TRUE(fits(stored, "v1.34"));
  stored.with(VolumeAttachment{"1", "", "n1", "w"});
  EXPECT_TRUE(fits(stored, "v1.34"));
  stored.with(VolumeAttachment{"2", "d", "n1", "w"});
  EXPECT_FALSE(fits(stored, "v1.34"));
}

// PRE-ATTACH-2: the label of a volume's zone has an older name without a value, so the newer name counts. The
// disk in that zone is not the disk of the pod that is in no zone.
TEST(NodeVolumeLimits, TellsDisksApartByTheNewerLabelOfTheZone) {
  const auto reasons = [](const std::string& zone) {
    Pod asked = with_volume(with_claim(preemptor(), "c"), source("gcePersistentDisk", "disk", true));
    Stored stored(QuestionBuilder().node("n1", 4000).asks(asked));
    PersistentVolume bound = volume("v");
    bound.source = source("gcePersistentDisk", "disk", true);
    bound.labels = {{"failure-domain.beta.kubernetes.io/zone", ""}};
    if (!zone.empty()) bound.labels["topology.kubernetes.io/zone"] = zone;
    stored.question().cluster.nodes[0].labels = {{"failure-domain.beta.kubernetes.io/zone", ""},
                                                 {"topology.kubernetes.io/zone", zone},
                                                 {"topology.gke.io/zone", zone}};
    const std::string driver = "pd.csi.storage.gke.io";
    stored.with(claim("c", "v"))
        .with(bound)
        .with(CsiNode{"n1", {driver}, {{driver, 1}}, {"kubernetes.io/gce-pd"}});
    return status_of(stored, "v1.30").reasons;
  };
  EXPECT_EQ(reasons(""), (Reasons{}));
  EXPECT_EQ(reasons("us-east1-b"), (Reasons{"node(s) exceed max volume count"}));
}

// PRE-ATTACH-6: two claims of pod a are not its own. The filter errs on the first.
TEST(EbsLimits, ErrsOnTheFirstClaimOfAnotherPod) {
  const Question question =
      Stored(both(with_volume(with_volume(other(), source("ephemeral")), source("ephemeral")),
                  with_volume(preemptor(), source("awsElasticBlockStore", "d"))))
          .with(claim("a-v0", "v"))
          .with(claim("a-v1", "v"))
          .with(volume("v"));
  const Decision decision = decide(question, "v1.24");
  EXPECT_EQ(decision.outcome, Outcome::error);
  EXPECT_NE(decision.reason.find("a-v0"), std::string::npos) << decision.reason;
}

// PRE-ATTACH-5: a bound claim counts for its volume, and not for its class as well.
TEST(EbsLimits, CountsABoundClaimOnce) {
  Stored stored(QuestionBuilder().node("n1", 4000).asks(with_claim(preemptor(), "c")));
  PersistentVolume disk = volume("v");
  disk.source = source("awsElasticBlockStore", "disk");
  stored.with(of_class(claim("c", "v"), "ebs")).with(disk);
  stored.with(StorageClass{"ebs", "kubernetes.io/aws-ebs", "Immediate", {}});
  stored.question().cluster.nodes[0].allocatable["attachable-volumes-aws-ebs"] = 1;
  for (const char* name : {"v1.13", "v1.20", "v1.24"}) EXPECT_TRUE(fits(stored, name)) << name;
  stored.question().cluster.nodes[0].allocatable["attachable-volumes-aws-ebs"] = 0;
  for (const char* name : {"v1.13", "v1.20", "v1.24"}) EXPECT_FALSE(fits(stored, name)) << name;
}

// PRE-ATTACH-5: the type of the instance limits the disks from v1.12 on. From v1.17 on its newer label counts
// where the older one is missing.
TEST(EbsLimits, DependOnTheTypeOfTheInstance) {
  EXPECT_TRUE(fits(with_26_disks("t3.large", ""), "v1.8"));
  EXPECT_TRUE(fits(with_26_disks("t3.large", ""), "v1.11"));
  EXPECT_FALSE(fits(with_26_disks("t3.large", ""), "v1.12"));
  EXPECT_TRUE(fits(with_26_disks("", "t3.large"), "v1.16"));
  EXPECT_FALSE(fits(with_26_disks("", "t3.large"), "v1.17"));
  EXPECT_TRUE(fits(with_26_disks("x1.large", "t3.large"), "v1.17"));
}

// PRE-RWOP-1: pod a uses the claim on n1, so no other node is possible. The finding on n2 names a.
TEST(VolumeRestrictions, NameThePodOfAnotherNodeThatUsesTheClaim) {
  Stored stored(QuestionBuilder()
                    .node("n1", 4000)
                    .has(with_claim(other(), "c"))
                    .node("n2", 4000)
                    .asks(with_claim(preemptor(), "c")));
  PersistentVolumeClaim once = claim("c", "v");
  once.access_modes = {"ReadWriteOncePod"};
  stored.with(once).with(volume("v"));
  for (const char* name : {"v1.27", "v1.34"}) {
    const Decision decision = decide(stored, name);
    for (const NodeIndex node : {0U, 1U}) {
      ASSERT_EQ(decision.filter.at(node).findings.size(), 1U) << name;
      EXPECT_EQ(decision.filter.at(node).findings[0].clause, "PRE-RWOP-1");
      EXPECT_EQ(decision.filter.at(node).findings[0].pod, 0U) << name << " " << node;
    }
  }
}

// PRE-CLAIM-2: the second volume of the pod has a claim that does not exist.
TEST(Claims, AreLookedForInEachVolume) {
  const Question question = QuestionBuilder()
                                .node("n1", 4000)
                                .asks(with_claim(with_volume(preemptor(), source("iscsi", "disk")), "c"));
  for (const char* name : {"v1.10", "v1.19"}) {
    EXPECT_EQ(decide(question, name).outcome, Outcome::error) << name;
    EXPECT_EQ(decide(question, name).reason, "persistentvolumeclaim \"c\" not found") << name;
  }
  for (const char* name : {"v1.27", "v1.34"})
    EXPECT_EQ(status_of(question, name).plugin, "VolumeRestrictions") << name;
}

}  // namespace touchstone::tests::more_volumes_test
