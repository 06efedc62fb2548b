#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"

/// Both engines skip questions with disks that their CSI driver cannot have, and questions that a random
/// choice among volumes decides. They answer similar questions.
namespace touchstone::tests::optimized_volumes_not_handled_test {

namespace {

/// A disk that its CSI driver cannot have, because its kind is not Managed (PRE-ATTACH-2).
VolumeSource shared_disk() {
  VolumeSource shared = source("azureDisk", "d");
  shared.disk_kind = "Shared";
  return shared;
}

/// The preemptor has `claims` claims, each of another size. For each claim there are `volumes` equal volumes
/// of its size.
Question with_equal_volumes(std::size_t claims, std::size_t volumes) {
  Pod p = pod("p", 10, 0);
  for (std::size_t i = 0; i < claims; ++i) p = with_claim(std::move(p), "c" + std::to_string(i));
  Stored stored(one_node().asks(p));
  stored.with(late("kubernetes.io/no-provisioner"));
  for (std::size_t i = 0; i < claims; ++i) {
    const auto size = static_cast<Quantity>(i + 1);
    stored.with(waiting("c" + std::to_string(i), size));
    for (std::size_t k = 0; k < volumes; ++k)
      stored.with(available("v" + std::to_string(i) + "-" + std::to_string(k), size));
  }
  return stored;
}

/// The preemptor has a claim for each number in `volumes`, with that many volumes reserved for it. The
/// volumes of a claim differ in size, so each of them is another way to bind the claim.
Question with_reserved_volumes(const std::vector<std::size_t>& volumes) {
  Pod p = pod("p", 10, 0);
  for (std::size_t i = 0; i < volumes.size(); ++i) p = with_claim(std::move(p), "c" + std::to_string(i));
  Stored stored(one_node().asks(p));
  stored.with(late("kubernetes.io/no-provisioner"));
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::string name = "c" + std::to_string(i);
    stored.with(waiting(name));
    for (std::size_t k = 0; k < volumes[i]; ++k) {
      PersistentVolume reserved = available(name + "-" + std::to_string(k), static_cast<Quantity>(5 + k));
      reserved.claim = ClaimReference{"default", name, ""};
      stored.with(reserved);
    }
  }
  return stored;
}

/// The preemptor has two more claims, and there are two volumes of one size. The claim d finds a volume only
/// if the claim c does not take w. The scheduler chooses the volume of c at random.
Stored with_chance(Pod preemptor) {
  Stored stored(one_node().asks(with_claim(with_claim(std::move(preemptor), "c"), "d")));
  stored.with(waiting("c")).with(picky(waiting("d")));
  stored.with(available("v")).with(in_tier_a(available("w")));
  return stored.with(late("kubernetes.io/no-provisioner"));
}

}  // namespace

// PRE-ATTACH-2: filters err on an Azure disk that its CSI driver cannot have, because its kind is not
// Managed.
TEST(OptimizedSkips, DisksOfAnyPodThatTheirDriverCannotHave) {
  const VolumeSource shared = shared_disk();
  const VolumeSource managed = source("azureDisk", "e");
  const auto asks = [](const VolumeSource& own, const VolumeSource& others) {
    const Question question =
        one_node().has(with_volume(pod("a", 20, 0), others)).asks(with_volume(pod("p", 10, 0), own));
    return Question(Stored(question).with(CsiNode{"n1", {}, {}, {}}));
  };
  EXPECT_EQ(outcome(asks(managed, managed), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(asks(shared, managed), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(asks(managed, shared), "v1.34"), Outcome::skipped);
}

// PRE-ATTACH-2: a driver cannot have one of several disks, or the disk of a bound claim. The disk of a claim
// matters only where the CSINode lists its plugin.
TEST(OptimizedSkips, AnyDiskThatItsDriverCannotHave) {
  const auto asks = [](Pod p, const std::vector<std::string>& plugins) {
    PersistentVolume disk = volume("v");
    disk.source = shared_disk();
    Stored stored(one_node().asks(std::move(p)));
    return Question(stored.with(claim("c", "v")).with(disk).with(CsiNode{"n1", {}, {}, plugins}));
  };
  const Pod two = with_volume(with_volume(pod("p", 10, 0), source("azureDisk", "e")), shared_disk());
  EXPECT_EQ(outcome(asks(two, {}), "v1.34"), Outcome::skipped);
  const Pod bound = with_claim(pod("p", 10, 0), "c");
  EXPECT_EQ(outcome(asks(bound, {}), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(asks(bound, {"kubernetes.io/azure-disk"}), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2, PRE-CLAIM-2: the choice among volumes does not matter if a claim is missing or is an unbound
// immediate claim.
TEST(OptimizedSkips, ChanceAmongVolumesUnlessTheClaimsRejectThePod) {
  EXPECT_EQ(outcome(with_chance(pod("p", 10, 0)), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(with_chance(with_claim(pod("p", 10, 0), "missing")), "v1.34"), Outcome::none);
  Stored immediate(one_node().asks(with_claim(pod("p", 10, 0), "c")));
  immediate.with(claim("c"));
  for (const char* name : {"v", "w"}) {
    PersistentVolume free = available(name);
    free.class_name.clear();
    immediate.with(free);
  }
  EXPECT_EQ(outcome(immediate, "v1.18.20"), Outcome::none);
}

// PRE-BIND-2, PRE-CLAIM-2: v1.18 rejects each node because of the unbound immediate claim e, whichever volume
// the claim c takes.
TEST(OptimizedSkips, NoChanceBesideAnUnboundImmediateClaim) {
  Stored stored = with_chance(pod("p", 10, 0));
  EXPECT_EQ(outcome(stored, "v1.18.20"), Outcome::skipped);
  stored.question().pod = with_claim(stored.question().pod, "e");
  EXPECT_EQ(outcome(stored.with(claim("e")), "v1.18.20"), Outcome::none);
}

// PRE-BIND-2: the choice matters only on n2, which reaches the volumes. It does not matter once n2 is
// removed.
TEST(OptimizedSkips, ChanceOnNodesThatAreThere) {
  Stored stored = with_chance(pod("p", 10, 0));
  stored.with(reached_from(available("v"), "zone", {"a"}));
  stored.with(in_tier_a(reached_from(available("w"), "zone", {"a"})));
  Question question = stored;
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes[1].name = "n2";
  question.cluster.nodes[1].labels["zone"] = "a";
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
  optimized::Snapshot snapshot(question.cluster, release("v1.34"));
  snapshot.remove_node(1);
  optimized::Workers workers(1);
  EXPECT_EQ(optimized_answer(snapshot, question, workers).outcome, Outcome::none);
}

// PRE-BIND-2: the claims c, m and d have one size, and so do the volumes u, v and w. If c takes w, nothing is
// left for d. The claim m, which comes between them, can take neither v nor w.
TEST(OptimizedSkips, ChanceThatDecidesForAClaimFartherDown) {
  const auto selecting = [](const std::string& name, const std::vector<std::string>& tiers) {
    PersistentVolumeClaim made = waiting(name);
    made.selector = LabelSelector{{}, {{"tier", "In", tiers}}};
    return made;
  };
  Pod p = pod("p", 10, 0);
  for (const char* name : {"c", "m", "d"}) p = with_claim(std::move(p), name);
  Stored stored(one_node().asks(p));
  stored.with(selecting("c", {"a", "b"})).with(selecting("m", {"m"})).with(selecting("d", {"a"}));
  for (const auto& [name, tier] : {std::pair{"u", "m"}, std::pair{"v", "b"}, std::pair{"w", "a"}}) {
    PersistentVolume labelled = available(name);
    labelled.labels["tier"] = tier;
    stored.with(labelled);
  }
  EXPECT_EQ(outcome(stored.with(late("kubernetes.io/no-provisioner")), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2: equal volumes are one way to bind a claim. Counted one by one they would give 2^10 and 3^7
// ways, more than the 1,000 that the optimized engine examines (Volumes::chance_decides_on).
TEST(OptimizedSkips, NoChanceAmongEqualVolumes) {
  EXPECT_EQ(outcome(with_equal_volumes(10, 2), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(with_equal_volumes(7, 3), "v1.34"), Outcome::fits);
}

// PRE-BIND-2: no engine examines more than 1,000 ways to bind the claims. Here are 10·10·10 = 1,000 and
// 7·11·13 = 1,001.
TEST(OptimizedSkips, MoreWaysToTakeVolumesThanAThousand) {
  EXPECT_EQ(outcome(with_reserved_volumes({10, 10, 10}), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(with_reserved_volumes({7, 11, 13}), "v1.34"), Outcome::skipped);
}

}  // namespace touchstone::tests::optimized_volumes_not_handled_test
