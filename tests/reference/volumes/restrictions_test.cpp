#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// VolumeRestrictions: which disks and claims count, and which claim the finding names.
namespace touchstone::tests::restrictions_test {

namespace {

Pod preemptor() { return pod("p", 10, 1000); }
Pod other() { return pod("a", 20, 1000); }

PersistentVolumeClaim exclusive(const std::string& name) {
  PersistentVolumeClaim claim = tests::claim(name, "pv");
  claim.access_modes = {"ReadWriteOncePod"};
  return claim;
}

Question both(Pod there, Pod asking) {
  return QuestionBuilder().node("n1", 4000).has(std::move(there)).asks(std::move(asking));
}

/// The question with the claims c and d, each for one pod only.
Stored with_exclusive(const Question& question) {
  return Stored(question).with(exclusive("c")).with(exclusive("d")).with(volume("pv"));
}

}  // namespace

// PRE-DISK-1: v1.8 counts monitors. A pair of equal ones on the node's side is enough.
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

// PRE-RWOP-2: with a disk of one of these kinds, the filter also runs with nominated pods.
TEST(VolumeRestrictions, AreNotSkippedWithADiskThatIsChecked) {
  const auto beside = [](const std::string& kind) {
    return fits(with_exclusive(QuestionBuilder()
                                   .node("n1", 4000)
                                   .nominated(with_claim(pod("m", 20, 1000), "c"))
                                   .asks(with_volume(with_claim(preemptor(), "c"), source(kind, "x")))));
  };
  for (const char* kind : {"gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd"})
    EXPECT_FALSE(beside(kind)) << kind;
  EXPECT_TRUE(beside("hostPath"));
}

// PRE-RWOP-1: claims of generic ephemeral volumes are not counted, and the id of a disk is no claim.
TEST(VolumeRestrictions, CountNamedClaimsAlone) {
  PersistentVolumeClaim own = exclusive("p-v0");
  own.controller = "u1";
  const Pod scratch = with_uid(with_volume(preemptor(), source("ephemeral")), "u1");
  EXPECT_TRUE(fits(with_exclusive(both(with_claim(other(), "p-v0"), scratch)).with(own)));
  EXPECT_TRUE(fits(with_exclusive(
      both(with_volume(other(), source("gcePersistentDisk", "c")), with_claim(preemptor(), "c")))));
  EXPECT_FALSE(fits(with_exclusive(both(with_claim(other(), "c"), with_claim(preemptor(), "c")))));
}

// PRE-RWOP-1: the finding names the claim that a nominated pod of another namespace mentions.
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

// PRE-CLAIM-2: each claim of the pod is looked for.
TEST(VolumeRestrictions, LookForEachClaim) {
  const Question question = both(other(), with_claim(with_claim(preemptor(), "c"), "gone"));
  EXPECT_EQ(status_of(with_exclusive(question)).plugin, "VolumeRestrictions");
}

}  // namespace touchstone::tests::restrictions_test
