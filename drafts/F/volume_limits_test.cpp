// For tests/optimized/filters/volume_limits_test.cpp
#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::optimized_volume_limits_more_test {

namespace {

// This is in the file already.
constexpr const char* k_ebs = "awsElasticBlockStore";

/// The preemptor p, with the ReadWriteOncePod claim c that it may use.
Stored with_exclusive_claim(QuestionBuilder cluster, const Pod& p) {
  PersistentVolumeClaim exclusive = claim("c", "v");
  exclusive.access_modes = {"ReadWriteOncePod"};
  return Stored(cluster.asks(p)).with(exclusive).with(volume("v"));
}

QuestionBuilder one_node() { return QuestionBuilder().node("n1", 1000); }

/// A question about a node with this allocatable amount, no CSINode, and a preemptor with one volume of the
/// driver.
Stored on_node_with(const std::map<std::string, Quantity>& allocatable, const std::string& driver) {
  Question question = one_node().asks(with_claim(pod("p", 10, 0), "c"));
  for (const auto& [name, amount] : allocatable) question.cluster.nodes[0].allocatable[name] = amount;
  PersistentVolume of_driver = volume("v");
  of_driver.source.driver = driver;
  return Stored(question).with(claim("c", "v")).with(of_driver);
}

/// An ephemeral volume of pod `pod_name` has a claim that was not made for it (PRE-ATTACH-6).
PersistentVolumeClaim foreign(const std::string& pod_name, const std::string& volume_name) {
  PersistentVolumeClaim made = claim(pod_name + "-" + volume_name, "v");
  made.controller = "somebody";
  return made;
}

}  // namespace

// PRE-RWOP-1, PRE-RWOP-2: an in-line disk of any of the four kinds keeps VolumeRestrictions from being
// skipped. So a nominated pod that uses the claim counts.
TEST(OptimizedVolumeLimits, EachKindOfInlineDiskKeepsTheRestrictions) {
  const Pod other = with_claim(pod("a", 20, 0), "c");
  for (const char* kind : {"gcePersistentDisk", k_ebs, "iscsi", "rbd"}) {
    const Pod p = with_claim(with_volume(pod("p", 10, 0), source(kind, "d")), "c");
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().nominated(other), p), "v1.34"), Outcome::none) << kind;
  }
}

// PRE-RWOP-1: only volumes that are claims use a claim. The disk of pod a has the name of the claim.
TEST(OptimizedVolumeLimits, ADiskWithTheNameOfAClaimDoesNotUseIt) {
  const Pod other = with_volume(pod("a", 20, 0), source("iscsi", "c"));
  const Pod p = with_claim(with_volume(pod("p", 10, 0), source("iscsi", "d")), "c");
  for (const char* version : {"v1.27", "v1.34"}) {
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().has(other), p), version), Outcome::fits);
    EXPECT_EQ(outcome(with_exclusive_claim(one_node().nominated(other), p), version), Outcome::fits);
  }
}

// PRE-RWOP-1: the claim of an ephemeral volume is not exclusive, even if it has the mode ReadWriteOncePod and
// another pod names it.
TEST(OptimizedVolumeLimits, TheClaimOfAnEphemeralVolumeIsNotExclusive) {
  PersistentVolumeClaim made = claim("p-v0", "v");
  made.access_modes = {"ReadWriteOncePod"};
  made.controller = "uid-p";
  const Pod p = with_uid(with_volume(pod("p", 10, 0), source("ephemeral")), "uid-p");
  Stored stored(one_node().has(with_claim(pod("a", 20, 0), "p-v0")).asks(p));
  for (const char* version : {"v1.27", "v1.34"})
    EXPECT_EQ(outcome(stored.with(made).with(volume("v")), version), Outcome::fits);
}

// PRE-ATTACH-5: from v1.17 the newer label of the instance type counts if the older one is missing. With 26
// disks it matters whether the limit is 25 or 39.
TEST(OptimizedVolumeLimits, TheOlderLabelOfTheInstanceTypeCountsFirst) {
  const auto outcome_with = [](const std::string& older, const std::string& newer, const char* version) {
    Pod p = pod("p", 10, 0);
    for (int i = 0; i < 26; ++i) p = with_volume(std::move(p), source(k_ebs, "d" + std::to_string(i)));
    Question question = one_node().asks(p);
    Labels& labels = question.cluster.nodes[0].labels;
    if (!older.empty()) labels["beta.kubernetes.io/instance-type"] = older;
    if (!newer.empty()) labels["node.kubernetes.io/instance-type"] = newer;
    return outcome(question, version);
  };
  EXPECT_EQ(outcome_with("m5", "m4", "v1.22"), Outcome::none);
  EXPECT_EQ(outcome_with("m4", "m5", "v1.22"), Outcome::fits);
  EXPECT_EQ(outcome_with("", "m5", "v1.22"), Outcome::none);
  EXPECT_EQ(outcome_with("", "m5", "v1.16"), Outcome::fits);
}

// PRE-ATTACH-3: only resources with the prefix are limits, also after resources without it. The resource
// a.io/x comes first.
TEST(OptimizedVolumeLimits, OnlyResourcesWithThePrefixAreLimits) {
  for (const char* version : {"v1.16", "v1.31"}) {
    EXPECT_EQ(outcome(on_node_with({{"a.io/x", 0}}, "a.io/x"), version), Outcome::fits);
    EXPECT_EQ(outcome(on_node_with({{"a.io/x", 0}, {"attachable-volumes-csi-d", 0}}, "d"), version),
              Outcome::none);
  }
}

// PRE-ATTACH-4: an attachment without an attacher is not in use, even if the volume has no driver either.
TEST(OptimizedVolumeLimits, AnAttachmentWithoutAnAttacherIsNotInUse) {
  PersistentVolume attached = volume("w");
  attached.source.driver.clear();
  Stored stored = on_node_with({}, "");
  stored.with(attached).with(CsiNode{"n1", {}, {{"", 1}}, {}});
  EXPECT_EQ(outcome(stored.with(VolumeAttachment{"a", "", "n1", "w"}), "v1.34"), Outcome::fits);
}

// PRE-ATTACH-6: the error names the first volume whose claim was not made for its pod. A finished pod, which
// comes first in the list, causes none.
TEST(OptimizedVolumeLimits, TheErrorNamesTheFirstForeignClaim) {
  const Pod two = with_volume(with_volume(pod("a", 20, 0), source("ephemeral")), source("ephemeral"));
  Pod finished = with_volume(pod("f", 20, 0), source("ephemeral"));
  finished.phase = "Succeeded";
  Stored stored(one_node().has(finished).has(two).asks(with_claim(pod("p", 10, 0), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  stored.with(foreign("f", "v0")).with(foreign("a", "v0")).with(foreign("a", "v1"));
  for (const char* version : {"v1.23", "v1.34"}) {
    const std::string reason = agreed(stored, version).reason;
    EXPECT_NE(reason.find("a-v0"), std::string::npos) << reason;
  }
}

// PRE-ATTACH-3, PRE-NOMINATED-1: the nominated pod q shares its volume with the preemptor, so with q the
// volume is attached anyway. But q may never come, and without q the volume is one too many beside that of
// pod a.
TEST(OptimizedVolumeLimits, AVolumeOfANominatedPodMayNeverBeAttached) {
  const auto has = [](const std::string& name, const std::string& of_claim) {
    return with_claim(pod(name, 20, 0), of_claim);
  };
  Stored stored(
      one_node().has(has("a", "w")).nominated(has("q", "c")).asks(with_claim(pod("p", 10, 0), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(claim("w", "w")).with(volume("w"));
  for (const char* version : {"v1.20", "v1.34"}) {
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 2}}, {}}), version), Outcome::fits);
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 1}}, {}}), version), Outcome::none);
  }
}

// PRE-ATTACH-6, PRE-NOMINATED-1, PRE-FILTER-1: the nominated pod q forbids the preemptor, and
// NodeVolumeLimits errs on its volume. That filter runs before InterPodAffinity, so it is an error.
TEST(OptimizedVolumeLimits, ANominatedPodCausesAnErrorBeforeItForbids) {
  const Pod q = away(with_volume(pod("q", 20, 0), source("ephemeral")), {by("zone", "x")});
  const Question question = one_node().nominated(q).asks(with_claim(with_app(pod("p", 10, 0), "x"), "c"));
  Stored stored(in_zones(question, {"a"}));
  stored.with(claim("c", "v")).with(volume("v")).with(foreign("q", "v0"));
  for (const char* version : {"v1.23", "v1.34"})
    EXPECT_EQ(outcome(stored.with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}}), version), Outcome::error);
}

}  // namespace touchstone::tests::optimized_volume_limits_more_test
