#include <gtest/gtest.h>

#include "tests/reference/volumes/two_pods.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// Tests which disks and claims VolumeRestrictions counts, and which claim its finding names.
namespace touchstone::tests::restrictions_test {

namespace {

PersistentVolumeClaim exclusive(const std::string& name) {
  PersistentVolumeClaim claim = tests::claim(name, "pv");
  claim.access_modes = {"ReadWriteOncePod"};
  return claim;
}

/// The question with the claims c and d, each for one pod only (ReadWriteOncePod).
Stored with_exclusive(const Question& question) {
  return Stored(question).with(exclusive("c")).with(exclusive("d")).with(volume("pv"));
}

}  // namespace

// PRE-DISK-1: disks with a common monitor conflict. In v1.8 a monitor that the disk on the node lists twice
// is enough.
TEST(VolumeRestrictions, CompareMonitorsOfDisks) {
  const auto conflicts = [](std::vector<std::string> monitors, const char* name) {
    VolumeSource disk = source("rbd", "image");
    disk.pool = "pool";
    disk.monitors = {"m"};
    VolumeSource theirs = disk;
    theirs.monitors = std::move(monitors);
    return !fits(both(with_volume(other(), theirs), with_volume(preemptor(), disk)), name);
  };
  EXPECT_TRUE(conflicts({"n", "m"}, "v1.8"));
  EXPECT_TRUE(conflicts({"n", "n"}, "v1.8"));
  EXPECT_FALSE(conflicts({"n", "o"}, "v1.8"));
  EXPECT_FALSE(conflicts({"n", "n"}, "v1.9"));
}

// PRE-RWOP-2: no bound pod uses claim c, so the filter is skipped unless p has an in-line disk of PRE-DISK-1.
// If it runs, the nominated pod m, which uses c, counts.
TEST(VolumeRestrictions, AreNotSkippedWithADiskThatIsChecked) {
  const auto fits_with = [](const std::string& kind) {
    return fits(with_exclusive(QuestionBuilder()
                                   .node("n1", 4000)
                                   .nominated(with_claim(pod("m", 20, 1000), "c"))
                                   .asks(with_volume(with_claim(preemptor(), "c"), source(kind, "x")))));
  };
  for (const char* kind : {"gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd"})
    EXPECT_FALSE(fits_with(kind)) << kind;
  EXPECT_TRUE(fits_with("hostPath"));
}

// PRE-RWOP-1: the claim of the ephemeral volume of p does not count, and a disk with the id c is not claim c.
TEST(VolumeRestrictions, CountNeitherEphemeralVolumesNorDisksAsClaims) {
  PersistentVolumeClaim own = exclusive("p-v0");
  own.controller = "u1";
  const Pod scratch = with_uid(with_volume(preemptor(), source("ephemeral")), "u1");
  EXPECT_TRUE(fits(with_exclusive(both(with_claim(other(), "p-v0"), scratch)).with(own)));
  EXPECT_TRUE(fits(with_exclusive(
      both(with_volume(other(), source("gcePersistentDisk", "c")), with_claim(preemptor(), "c")))));
  EXPECT_FALSE(fits(with_exclusive(both(with_claim(other(), "c"), with_claim(preemptor(), "c")))));
}

// PRE-RWOP-1: pod a on n1 uses the claim, so both nodes are rejected. The finding on n2 names a, too.
TEST(VolumeRestrictions, NameThePodOfAnotherNodeThatUsesTheClaim) {
  const Stored stored = with_exclusive(QuestionBuilder()
                                           .node("n1", 4000)
                                           .has(with_claim(other(), "c"))
                                           .node("n2", 4000)
                                           .asks(with_claim(preemptor(), "c")));
  for (const char* name : {"v1.27", "v1.34"}) {
    const Decision decision = decide(stored, name);
    for (const NodeIndex node : {0U, 1U}) {
      ASSERT_EQ(decision.filter.at(node).findings.size(), 1U) << name;
      EXPECT_EQ(decision.filter.at(node).findings[0].clause, "PRE-RWOP-1") << name << " " << node;
      EXPECT_EQ(decision.filter.at(node).findings[0].pod, 0U) << name << " " << node;
    }
  }
}

// PRE-RWOP-1: the counter ignores namespaces, so it counts claim c of the nominated pod in another namespace.
// No pod in the namespace of p uses c or d. With its disk, p does not skip the filter (PRE-RWOP-2).
TEST(VolumeRestrictions, NameTheClaimThatOnlyTheCounterCounts) {
  Pod nominee = with_claim(pod("m", 20, 0), "c");
  nominee.ns = "other";
  const Pod asking = with_claim(with_claim(preemptor(), "c"), "d");
  const Question question = QuestionBuilder()
                                .node("n1", 4000)
                                .nominated(nominee)
                                .asks(with_volume(asking, source("gcePersistentDisk", "x")));
  EXPECT_EQ(status_of(with_exclusive(question)).findings.at(0).what, "default/c");
}

// PRE-CLAIM-2: the first claim of the pod exists, the second one does not.
TEST(VolumeRestrictions, LookForEachClaim) {
  const Question question = both(other(), with_claim(with_claim(preemptor(), "c"), "gone"));
  EXPECT_EQ(status_of(with_exclusive(question)).plugin, "VolumeRestrictions");
}

}  // namespace touchstone::tests::restrictions_test
