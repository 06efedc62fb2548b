#include "tests/support/storage.hpp"

#include "tests/optimized/scores/placed.hpp"

/// The optimized scorer of storage, on small clusters of two nodes.
namespace touchstone::tests::optimized_storage_test {

namespace {

/// Nodes n1 and n2, and a preemptor with these claims of the class "late".
Stored with_claims(const std::vector<PersistentVolumeClaim>& claims) {
  Pod p = pod("p", 0, 100);
  for (const PersistentVolumeClaim& claim : claims) p = with_claim(std::move(p), claim.name);
  Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(p));
  for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
  return stored;
}

PersistentVolumeClaim of_class(PersistentVolumeClaim claim, const std::string& name) {
  claim.class_name = name;
  return claim;
}

/// A claim c0, c1, ... of a class of its own for each number in `reports`. The driver reports the same
/// capacity that many times for the class, so each report is another way to provision the same storage.
Stored with_reports(const std::vector<std::size_t>& reports) {
  std::vector<PersistentVolumeClaim> claims;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string name = "c" + std::to_string(i);
    claims.push_back(of_class(waiting(name), name));
  }
  Stored stored = with_claims(claims);
  stored.with(CsiDriver{"d", true, false});
  for (std::size_t i = 0; i < reports.size(); ++i) {
    stored.with(StorageClass{claims[i].name, "d", "WaitForFirstConsumer", {}});
    for (std::size_t k = 0; k < reports[i]; ++k) {
      CsiStorageCapacity report = report_of(10, claims[i].name + "-" + std::to_string(k));
      report.storage_class = claims[i].name;
      stored.with(report);
    }
  }
  return stored;
}

}  // namespace

// SCORE-CAPACITY-1
TEST(OptimizedStorage, PrefersTheNodeWithMoreStorage) {
  Stored stored = with_claims({waiting("c", 5)});
  for (Node& node : stored.question().cluster.nodes) node.labels["host"] = node.name;
  stored.with(late("d")).with(CsiDriver{"d", true, false});
  stored.with(report_of(10, "n1", {{{"host", "n1"}}, {}}));
  stored.with(report_of(100, "n2", {{{"host", "n2"}}, {}}));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 95}));
  // A second report for n1 is as good as the first, so that chance decides.
  stored.with(report_of(50, "other", {{{"host", "n1"}}, {}}));
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
  EXPECT_EQ(placed_alike(stored, release("v1.36")).answer.outcome, Outcome::fits);
}

// SCORE-CAPACITY-1, PRE-BIND-2
TEST(OptimizedStorage, LeavesTheSizeOfReservedVolumesToChance) {
  Stored stored = with_claims({waiting("c", 5)});
  stored.with(late("kubernetes.io/no-provisioner"));
  const auto reserved = [](const std::string& name, Quantity size) {
    PersistentVolume volume = available(name, size);
    volume.claim = {"default", "c", ""};
    return volume;
  };
  stored.with(reserved("v1", 10)).with(reserved("v2", 10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 50}));
  stored.with(reserved("v3", 20));
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
}

// SCORE-CAPACITY-1: the claims of one class add up, and so do the volumes that they take.
TEST(OptimizedStorage, AddsUpTheVolumesOfAClass) {
  Stored stored = with_claims({waiting("c", 5), waiting("d", 15)});
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v", 10)).with(available("w", 70));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{75, 75}));  // 60 of 80 bytes stay free
}

// SCORE-CAPACITY-1: a bound claim does not count, even if it still has the annotation selected-node.
TEST(OptimizedStorage, LeavesBoundClaimsOut) {
  PersistentVolumeClaim bound = claim("c", "v");
  bound.class_name = "late";
  bound.selected_node = "n1";
  Stored stored = with_claims({bound});
  stored.with(volume("v")).with(late("d")).with(CsiDriver{"d", true, false}).with(report_of(10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{0, 0}));
}

// SCORE-CAPACITY-1: a claim whose driver reports no capacity does not count. The claim after it does.
TEST(OptimizedStorage, CountsTheClaimsWhoseDriverReportsCapacity) {
  Stored two = with_claims({of_class(waiting("a"), "silent"), waiting("c", 5)});
  two.with(StorageClass{"silent", "s", "WaitForFirstConsumer", {}}).with(CsiDriver{"s", false, false});
  two.with(late("d")).with(CsiDriver{"d", true, false}).with(report_of(10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, two, "v1.37"), (Row{50, 50}));
}

// SCORE-CAPACITY-1: a claim without a size requests 0 bytes of the volume that it takes.
TEST(OptimizedStorage, AClaimWithoutASizeUsesNothing) {
  PersistentVolumeClaim sizeless = waiting("c");
  sizeless.storage.reset();
  Stored stored = with_claims({sizeless});
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v", 2));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{100, 100}));
}

// SCORE-CAPACITY-1, CYC-PROFILE-1: a configuration turns off the filter VolumeBinding, but not its scorer.
// Then no storage counts.
TEST(OptimizedStorage, CountsNoStorageWithoutVolumeBinding) {
  Stored stored = with_claims({waiting("c", 5)});
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v", 10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 50}));
  Release without = release("v1.37");
  std::erase(without.filter_groups, std::vector<Filter>{Filter::volume_binding});
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, without), (Row{0, 0}));
}

// SCORE-CAPACITY-1: a report may state only the size of the largest volume. Then the capacity is unknown, and
// the engines skip the question.
TEST(OptimizedStorage, SkipsAReportWithoutACapacity) {
  Stored stored = with_claims({waiting("c", 5)});
  CsiStorageCapacity report = report_of(std::nullopt);
  report.maximum_volume_size = 10;
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(report);
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
}

// SCORE-CAPACITY-1: no engine examines more than 1,000 ways to provision storage. Here are 10·10·10 = 1,000
// and 7·11·13 = 1,001.
TEST(OptimizedStorage, MoreWaysToProvisionStorageThanAThousand) {
  const Release asked = release("v1.37");
  EXPECT_EQ(placed_alike(with_reports({10, 10, 10}), asked).answer.outcome, Outcome::fits);
  EXPECT_EQ(placed_alike(with_reports({7, 11, 13}), asked).answer.outcome, Outcome::skipped);
}

// SCORE-CAPACITY-1: two claims may request more than the report has, which is full then. As in Go, a hundred
// times 2^61 wraps around. A volume of 0 bytes is full.
TEST(OptimizedStorage, ComputesTheUtilizationOfStorageAsGoDoes) {
  const auto row = [](const std::vector<Quantity>& sizes, Quantity capacity, bool is_made) {
    std::vector<PersistentVolumeClaim> claims;
    for (const Quantity size : sizes) claims.push_back(waiting("c" + std::to_string(claims.size()), size));
    Stored stored = with_claims(claims);
    stored.with(late(is_made ? "d" : "kubernetes.io/no-provisioner"));
    if (is_made) {
      stored.with(CsiDriver{"d", true, false}).with(report_of(capacity));
    } else {
      stored.with(available("v", capacity));
    }
    return scores_by(Scorer::volume_capacity, stored, "v1.37");
  };
  constexpr Quantity k_huge = Quantity{1} << 61;
  EXPECT_EQ(row({60, 70}, 100, true), (Row{0, 0}));
  EXPECT_EQ(row({2}, 3, true), (Row{34, 34}));
  EXPECT_EQ(row({k_huge, k_huge}, k_huge, true), (Row{0, 0}));
  EXPECT_EQ(row({k_huge}, k_huge, true), (Row{100, 100}));
  EXPECT_EQ(row({0}, 0, false), (Row{0, 0}));
  EXPECT_EQ(row({0}, 1, false), (Row{100, 100}));
}

}  // namespace touchstone::tests::optimized_storage_test
