#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// Tests which claims VolumeBinding matches with which volumes, and which claim an error or a finding names.
namespace touchstone::tests::binding_test {

namespace {

using Reasons = std::vector<std::string>;

/// A pod with these claims, and a node n1 that has room for it. No volume can be made for the class "late".
Stored alone(const std::vector<std::string>& claims) {
  Pod asking = pod("p", 10, 1000);
  for (const std::string& name : claims) asking = with_claim(asking, name);
  return Stored(QuestionBuilder().node("n1", 2000).asks(asking)).with(late("kubernetes.io/no-provisioner"));
}

/// A claim that waits for its pod and requests no storage.
PersistentVolumeClaim of_any_size(const std::string& name) {
  PersistentVolumeClaim claim = waiting(name);
  claim.storage.reset();
  return claim;
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
  PersistentVolumeClaim selected = waiting("c");
  selected.selected_node = "n2";
  const Stored stored = alone({"c"}).with(selected).with(available("v"));
  EXPECT_TRUE(fits(stored, "v1.11"));
  EXPECT_FALSE(fits(stored, "v1.12"));
  EXPECT_FALSE(fits(stored, "v1.14"));
}

// PRE-BIND-2: v1.31 to v1.33 err on the smallest claim that has attributes. Of claims of one size they err on
// the first one. They do not err if a claim of the pod is only for another node.
TEST(VolumeBinding, ErrsOnTheSmallestClaimWithAttributes) {
  Stored stored = alone({"large", "small"});
  stored.with(with_attributes(waiting("large", 9))).with(with_attributes(waiting("small", 5)));
  const Decision erred = decide(stored, "v1.32");
  EXPECT_EQ(erred.outcome, Outcome::error);
  EXPECT_NE(erred.reason.find("set on claim default/small"), std::string::npos) << erred.reason;
  Stored equal = alone({"d", "c"});
  equal.with(with_attributes(of_any_size("c"))).with(with_attributes(of_any_size("d")));
  EXPECT_NE(decide(equal, "v1.32").reason.find("set on claim default/d"), std::string::npos);
  PersistentVolumeClaim selected = waiting("small", 5);
  selected.selected_node = "n2";
  EXPECT_EQ(status_of(stored.with(selected), "v1.32").reasons,
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

}  // namespace touchstone::tests::binding_test
