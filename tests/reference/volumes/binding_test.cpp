#include <gtest/gtest.h>

#include "tests/reference/volumes/two_pods.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// Tests which claims VolumeBinding matches with which volumes, and which claim an error or a finding names.
namespace touchstone::tests::binding_test {

namespace {

using Reasons = std::vector<std::string>;

const Reasons k_no_storage = {"node(s) did not have enough free storage"};

/// A pod with these claims, and a node n1 that has room for it. No volume can be made for the class "late".
Stored alone(const std::vector<std::string>& claims) {
  Pod asking = preemptor();
  for (const std::string& name : claims) asking = with_claim(asking, name);
  return Stored(QuestionBuilder().node("n1", 2000).asks(asking)).with(late("kubernetes.io/no-provisioner"));
}

/// Node n1, and a pod with these claims in their order. Driver d of the class "late" reports its storage.
Stored with_claims(const std::vector<PersistentVolumeClaim>& claims) {
  Pod asking = preemptor();
  for (const PersistentVolumeClaim& claim : claims) asking = with_claim(asking, claim.name);
  Stored stored(QuestionBuilder().node("n1", 4000).asks(asking));
  for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
  stored.with(late("d")).with(CsiDriver{"d", true, false});
  return stored;
}

/// A claim that waits for its pod and requests no storage.
PersistentVolumeClaim of_any_size(const std::string& name) {
  PersistentVolumeClaim claim = waiting(name);
  claim.storage.reset();
  return claim;
}

/// The claim with the annotation selected-node.
PersistentVolumeClaim selected_for(const std::string& node, PersistentVolumeClaim claim) {
  claim.selected_node = node;
  return claim;
}

/// A claim that selects volumes with the label x=1.
PersistentVolumeClaim selecting(PersistentVolumeClaim claim) {
  claim.selector = LabelSelector{{{"x", "1"}}, {}};
  return claim;
}

/// The volume with the label x=1.
PersistentVolume labelled(PersistentVolume volume) {
  volume.labels["x"] = "1";
  return volume;
}

PersistentVolumeClaim with_attributes(PersistentVolumeClaim claim) {
  claim.attributes_class = "gold";
  return claim;
}

/// Adds volumes of different sizes that are reserved for a claim.
void reserve(std::size_t volumes, const std::string& claim, Stored& stored) {
  for (std::size_t i = 0; i < volumes; ++i) {
    PersistentVolume kept = available(claim + "-" + std::to_string(i), 5 + static_cast<Quantity>(i));
    kept.claim = {"default", claim, ""};
    stored.with(kept);
  }
}

}  // namespace

// PRE-BIND-2: a claim without a request has the size 0.
TEST(VolumeBinding, MatchesAClaimOfNoSizeWithAVolumeOfNoSize) {
  EXPECT_TRUE(fits(alone({"c"}).with(of_any_size("c")).with(available("v", 0))));
}

// PRE-BIND-2: claim d is the first of the pod and takes the only volume, so c has none.
TEST(VolumeBinding, MatchesClaimsOfOneSizeInTheOrderOfThePod) {
  const Status status =
      status_of(alone({"d", "c"}).with(of_any_size("c")).with(of_any_size("d")).with(available("v")));
  EXPECT_EQ(status.findings.at(0).what,
            "claim default/c finds no volume that the node reaches, and none is made for it");
}

// PRE-BIND-2, PRE-BIND-3: the smaller claim takes the only volume, although the pod names the larger one
// first. The reported storage is not enough for the larger claim. A claim without a request is smaller than
// one of 1 byte.
TEST(VolumeBinding, MatchesTheSmallestClaimFirst) {
  Stored stored = with_claims({waiting("large", 10), waiting("small", 5)});
  stored.with(available("v", 10)).with(report_of(7));
  EXPECT_EQ(status_of(stored).reasons, k_no_storage);
  Stored sizes = with_claims({waiting("one", 1), of_any_size("none")});
  sizes.with(available("v", 1)).with(report_of(0));
  EXPECT_EQ(status_of(sizes).reasons, k_no_storage);
}

// PRE-BIND-2: a volume that is reserved for the claim need not have the access modes of the claim. Without
// claimRef it needs them, like any other volume.
TEST(VolumeBinding, ChecksAccessModesOfVolumesWithoutClaimRef) {
  PersistentVolumeClaim shared = waiting("c");
  shared.access_modes = {"ReadWriteMany"};
  Stored stored = alone({"c"}).with(shared);
  reserve(1, "c", stored);
  EXPECT_TRUE(fits(stored));
  stored.question().cluster.storage.volumes.at("c-0").claim.reset();
  EXPECT_FALSE(fits(stored.question()));
}

// PRE-BIND-2: the annotation selected-node names n2. Up to v1.11 it is not read. In v1.12 it makes the claim
// an immediate one, from v1.14 the claim is only for n2.
TEST(VolumeBinding, ReadsTheSelectedNodeFrom112) {
  const Stored stored = alone({"c"}).with(selected_for("n2", waiting("c"))).with(available("v"));
  EXPECT_TRUE(fits(stored, "v1.11"));
  EXPECT_FALSE(fits(stored, "v1.12"));
  EXPECT_FALSE(fits(stored, "v1.14"));
}

// PRE-BIND-2: v1.31 to v1.33 err on the smallest claim that has attributes. Of claims of one size they err on
// the first one. They do not err if a claim of the pod is only for another node.
TEST(VolumeBinding, ErrsOnTheSmallestClaimWithAttributes) {
  Stored stored = alone({"large", "small"});
  stored.with(with_attributes(waiting("large", 9))).with(with_attributes(waiting("small", 5)));
  for (const char* name : {"v1.32", "v1.33"}) {
    const Decision erred = decide(stored, name);
    EXPECT_EQ(erred.outcome, Outcome::error) << name;
    EXPECT_NE(erred.reason.find("set on claim default/small"), std::string::npos)
        << name << ": " << erred.reason;
  }
  Stored equal = alone({"d", "c"});
  equal.with(with_attributes(of_any_size("c"))).with(with_attributes(of_any_size("d")));
  EXPECT_NE(decide(equal, "v1.32").reason.find("set on claim default/d"), std::string::npos);
  EXPECT_EQ(status_of(stored.with(selected_for("n2", waiting("small", 5))), "v1.32").reasons,
            Reasons{"node(s) didn't find available persistent volumes to bind"});
}

// PRE-BIND-2: claim a is only for n2, so the filter rejects n1 and does not err on the attributes of claim b.
TEST(VolumeBinding, DoesNotErrOnAttributesIfAClaimIsForAnotherNode) {
  const Stored stored = with_claims({selected_for("n2", waiting("a")), with_attributes(waiting("b"))});
  EXPECT_EQ(decide(stored, "v1.33").outcome, Outcome::none);
  EXPECT_EQ(status_of(stored, "v1.33").reasons,
            Reasons{"node(s) didn't find available persistent volumes to bind"});
}

// PRE-CLAIM-3: the requirements of the term have only n2 in common, so n1 is excluded. The later requirement,
// which has n1 too, does not bring it back.
TEST(VolumeBinding, IntersectsTheHostNamesOfATerm) {
  const std::string host = "kubernetes.io/hostname";
  Stored stored = alone({"c"}).with(claim("c", "v"));
  std::vector<Node>& nodes = stored.question().cluster.nodes;
  nodes.push_back(nodes[0]);
  nodes[1].name = "n2";
  for (Node& node : nodes) node.labels[host] = node.name;
  PersistentVolume local = reached_from(volume("v"), host, {"n2"});
  local.node_affinity->front().match_expressions.push_back({host, "In", {"n1", "n2"}});
  stored.with(local);
  EXPECT_TRUE(fits(stored, "v1.31.0"));
  nodes[1].unschedulable = true;
  EXPECT_EQ(status_of(stored, "v1.31.0").reasons,
            Reasons{"node(s) didn't satisfy plugin(s) [VolumeBinding]"});
}

// PRE-BIND-2: a claim takes any of the volumes that are reserved for it. The reference tries up to 1000 ways
// to assign volumes to claims.
TEST(VolumeBinding, TriesAThousandWays) {
  const auto outcome = [](const std::vector<std::size_t>& reserved) {
    const std::vector<std::string> names = {"c", "d", "e"};
    Stored stored = alone(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      stored.with(waiting(names[i]));
      reserve(reserved[i], names[i], stored);
    }
    return decide(stored).outcome;
  };
  EXPECT_EQ(outcome({10, 10, 10}), Outcome::fits);
  EXPECT_EQ(outcome({7, 11, 13}), Outcome::skipped) << "1001 ways";
}

// PRE-BIND-3: claim a lacks storage. No volume can be made for b either, but a is the first one.
TEST(VolumeBinding, ReportsTheFirstClaimForWhichNoVolumeCanBeMade) {
  PersistentVolumeClaim of_no_driver = waiting("b");
  of_no_driver.class_name = "none";
  Stored stored = with_claims({waiting("a"), of_no_driver});
  stored.with(StorageClass{"none", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", {}})
      .with(report_of(1));
  EXPECT_EQ(status_of(stored).reasons, k_no_storage);
}

// PRE-BIND-2, PRE-BIND-3: two volumes are reserved for claim a, and the node cannot use one of them.
// Whichever volume the scheduler takes at random, a claim lacks storage. The finding is about a, the first
// one.
TEST(VolumeBinding, FindsTheFirstClaimThatLacksStorage) {
  Stored stored = with_claims({waiting("a"), waiting("b")});
  PersistentVolume reachable = available("v1");
  reachable.claim = ClaimReference{"default", "a", "uid-a"};
  PersistentVolume elsewhere = reached_from(reachable, "zone", {"z"});
  elsewhere.name = "v2";
  stored.with(reachable).with(elsewhere).with(report_of(1));
  const Status status = status_of(stored);
  ASSERT_EQ(status.reasons, k_no_storage);
  EXPECT_TRUE(status.findings.at(0).what.starts_with("claim default/a")) << status.findings.at(0).what;
}

// PRE-BIND-2: each of eleven claims finds two volumes of its size. The claim `last` selects one of the two by
// its label, but needs more storage. So the two volumes are alike, and there is one way to match the claims
// instead of 2048.
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

// PRE-BIND-2: a claim with the annotation selected-node takes no volume, so the other claim finds the volume
// that it selects.
TEST(VolumeBinding, IsNotRandomForAClaimWithASelectedNode) {
  Stored stored = with_claims({selected_for("n1", waiting("a", 1)), selecting(waiting("b", 5))});
  stored.with(labelled(available("v1", 5))).with(available("v2", 5)).with(report_of(3));
  EXPECT_EQ(decide(stored).outcome, Outcome::fits) << decide(stored).reason;
}

}  // namespace touchstone::tests::binding_test
