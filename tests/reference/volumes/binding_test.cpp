#include <gtest/gtest.h>

#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"

/// VolumeBinding: which claims are matched with which volumes, and which claim an error or a finding names.
namespace touchstone::tests::binding_test {

namespace {

using Reasons = std::vector<std::string>;

const std::string k_by_hand = "kubernetes.io/no-provisioner";

/// A pod with these claims, and a node that has room for it.
Stored alone(const std::vector<std::string>& claims) {
  Pod asking = pod("p", 10, 1000);
  for (const std::string& name : claims) asking = with_claim(asking, name);
  return Stored(QuestionBuilder().node("n1", 2000).asks(asking)).with(late(k_by_hand));
}

PersistentVolumeClaim of_any_size(const std::string& name) {
  PersistentVolumeClaim claim = waiting(name);
  claim.storage.reset();
  return claim;
}

PersistentVolumeClaim with_attributes(PersistentVolumeClaim claim) {
  claim.attributes_class = "gold";
  return claim;
}

/// Volumes of different sizes that are reserved for a claim.
void reserve(std::size_t volumes, const std::string& claim, Stored& stored) {
  for (std::size_t i = 0; i < volumes; ++i) {
    PersistentVolume kept = available(claim + "-" + std::to_string(i), 5 + static_cast<Quantity>(i));
    kept.claim = {"default", claim, ""};
    stored.with(kept);
  }
}

}  // namespace

// PRE-BIND-2: a claim without a request takes even a volume without a size. Claims of one size keep their
// order.
TEST(VolumeBinding, MatchesClaimsOfAnySize) {
  EXPECT_TRUE(fits(alone({"c"}).with(of_any_size("c")).with(available("v", 0))));
  const Status status =
      status_of(alone({"d", "c"}).with(of_any_size("c")).with(of_any_size("d")).with(available("v")));
  EXPECT_EQ(status.findings.at(0).what,
            "claim default/c finds no volume that the node reaches, and none is made for it");
}

// PRE-BIND-2: a volume that was reserved for a claim, and is no more, has to suit the claim like any other.
TEST(VolumeBinding, ReservesNoVolumeWithoutAClaim) {
  PersistentVolumeClaim shared = waiting("c");
  shared.access_modes = {"ReadWriteMany"};
  Stored stored = alone({"c"}).with(shared);
  reserve(1, "c", stored);
  EXPECT_TRUE(fits(stored));
  stored.question().cluster.storage.volumes.at("c-0").claim.reset();
  EXPECT_FALSE(fits(stored.question()));
}

// PRE-BIND-2: up to v1.11 the annotation selected-node is not read.
TEST(VolumeBinding, ReadsTheSelectedNodeFrom112) {
  PersistentVolumeClaim selected = waiting("c");
  selected.selected_node = "n2";
  const Stored stored = alone({"c"}).with(selected).with(available("v"));
  EXPECT_TRUE(fits(stored, "v1.11"));
  EXPECT_FALSE(fits(stored, "v1.12"));
  EXPECT_FALSE(fits(stored, "v1.14"));
}

// PRE-BIND-2: v1.31 to v1.33 err on the smallest claim that has attributes, the first one of one size, unless
// another claim is promised to another node.
TEST(VolumeBinding, ErrsOnTheSmallestClaimWithAttributes) {
  Stored stored = alone({"large", "small"});
  stored.with(with_attributes(waiting("large", 9))).with(with_attributes(waiting("small", 5)));
  const Decision erred = decide(stored, "v1.32");
  EXPECT_EQ(erred.outcome, Outcome::error);
  EXPECT_NE(erred.reason.find("set on claim default/small"), std::string::npos) << erred.reason;
  Stored equal = alone({"d", "c"});
  equal.with(with_attributes(of_any_size("c"))).with(with_attributes(of_any_size("d")));
  EXPECT_NE(decide(equal, "v1.32").reason.find("set on claim default/d"), std::string::npos);
  PersistentVolumeClaim promised = waiting("small", 5);
  promised.selected_node = "n2";
  EXPECT_EQ(status_of(stored.with(promised), "v1.32").reasons,
            Reasons{"node(s) didn't find available persistent volumes to bind"});
}

// PRE-CLAIM-3: a node has to be in the values of each requirement of a term, in any order of the
// requirements.
TEST(VolumeBinding, IntersectsTheHostNamesOfATerm) {
  const std::string host = "kubernetes.io/hostname";
  Stored stored = alone({"c"}).with(claim("c", "v"));
  stored.question().cluster.nodes[0].labels[host] = "n1";
  stored.question().cluster.nodes.push_back(stored.question().cluster.nodes[0]);
  stored.question().cluster.nodes[1].name = "n2";
  stored.question().cluster.nodes[1].labels[host] = "n2";
  PersistentVolume local = reached_from(volume("v"), host, {"n2"});
  local.node_affinity->front().match_expressions.push_back({host, "In", {"n1", "n2"}});
  stored.with(local);
  EXPECT_TRUE(fits(stored, "v1.31.0"));
  stored.question().cluster.nodes[1].unschedulable = true;
  EXPECT_EQ(status_of(stored, "v1.31.0").reasons,
            Reasons{"node(s) didn't satisfy plugin(s) [VolumeBinding]"});
}

// PRE-BIND-2: the reference tries up to 1000 ways to assign volumes.
TEST(VolumeBinding, TriesAThousandWays) {
  const auto with = [](const std::vector<std::size_t>& reserved) {
    const std::vector<std::string> names = {"c", "d", "e"};
    Stored stored = alone(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      stored.with(waiting(names[i]));
      reserve(reserved[i], names[i], stored);
    }
    return decide(stored).outcome;
  };
  EXPECT_EQ(with({10, 10, 10}), Outcome::fits);
  EXPECT_EQ(with({7, 11, 13}), Outcome::skipped) << "1001 ways";
}

}  // namespace touchstone::tests::binding_test
