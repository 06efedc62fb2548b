#include "oracle/explain/wording.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace touchstone::oracle {

TEST(Words, GiveAmountsWithoutRounding) {
  EXPECT_EQ(amount_of("cpu", 250), "250m");
  EXPECT_EQ(amount_of("cpu", 2000), "2");
  EXPECT_EQ(amount_of("cpu", 0), "0");
  EXPECT_EQ(amount_of("memory", 0), "0");
  EXPECT_EQ(amount_of("memory", 1000), "1000");
  EXPECT_EQ(amount_of("memory", 1536 * 1024), "1536Ki");
  EXPECT_EQ(amount_of("ephemeral-storage", Quantity{3} << 40), "3Ti");
  EXPECT_EQ(amount_of("hugepages-2Mi", Quantity{1} << 62), "4096Pi");
  EXPECT_EQ(amount_of("nvidia.com/gpu", 2048), "2048");
  EXPECT_EQ(amount_of("pods", 110), "110");
}

TEST(Words, GiveTheAmountsOfALineInOneUnit) {
  const auto text = [](const std::string& resource, Quantity requested, Quantity used, Quantity allocatable) {
    const Finding finding{
        "PRE-FIT-2",
        resource,
        {},
        {{Measure::requested, requested}, {Measure::used, used}, {Measure::allocatable, allocatable}}};
    return text_of(Cluster{}, 0, finding);
  };
  EXPECT_EQ(text("cpu", 2000, 1000, 2000), "cpu: 2 requested, 1 free (1 of 2 used), 1 short");
  EXPECT_EQ(text("cpu", 2000, 1000, 2499),
            "cpu: 2000m requested, 1499m free (1000m of 2499m used), 501m short");
  EXPECT_EQ(text("memory", Quantity{2} << 30, Quantity{512} << 20, Quantity{1} << 30),
            "memory: 2048Mi requested, 512Mi free (512Mi of 1024Mi used), 1536Mi short");
  EXPECT_EQ(text("memory", 3, 0, 2), "memory: 3 requested, 2 free (0 of 2 used), 1 short");
}

TEST(Words, GiveTimesAsKubernetesDoes) {
  EXPECT_EQ(time_of(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_of(1'500'000'000), "1970-01-01T00:00:01.5Z");
  EXPECT_EQ(time_of(-1), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(time_of(1'763'712'000'000'000'000), "2025-11-21T08:00:00Z");
}

TEST(Words, CountAndList) {
  EXPECT_EQ(count_of(1, "node"), "1 node");
  EXPECT_EQ(count_of(0, "node"), "0 nodes");
  EXPECT_EQ(names_of({}, 2), "");
  EXPECT_EQ(names_of({"a", "b"}, 2), "a, b");
  EXPECT_EQ(names_of({"a", "b", "c"}, 2), "a, b and 1 more");
}

TEST(Words, TellWhoseAffinityAndInWhichDomain) {
  Cluster cluster;
  cluster.nodes.resize(2);
  cluster.nodes[0].name = "n1";
  cluster.nodes[0].labels = {{"zone", "a"}};
  cluster.pods.resize(2);
  for (Pod& pod : cluster.pods) {
    pod.ns = "default";
    pod.name = "db";
    pod.priority = 5;
  }
  cluster.pods[0].node_name = "n1";
  cluster.pods[1].nominated_node_name = "n1";
  EXPECT_EQ(text_of(cluster, 0, {"PRE-AFFINITY-2", "zone", {}, {}}),
            "no pod in zone=a matches the required affinity");
  EXPECT_EQ(text_of(cluster, 1, {"PRE-AFFINITY-2", "zone", {}, {}}),
            "the required affinity needs label zone, which the node does not have");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-AFFINITY-4", "zone", 0, {}}),
            "the pod's anti-affinity forbids default/db (priority 5) on n1 in zone=a");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-AFFINITY-7", "zone", 1, {}}),
            "the anti-affinity of default/db (priority 5), nominated to n1, forbids the pod in zone=a");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-AFFINITY-7", "", {}, {}}),
            "anti-affinity of evicted pods of another namespace is still counted");
}

TEST(Words, TellWhichClaimAndWhoHasIt) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.pods.resize(1);
  cluster.pods[0].ns = "default";
  cluster.pods[0].name = "db";
  cluster.pods[0].priority = 5;
  const auto told = [&cluster](std::string_view clause, const std::string& what) {
    return text_of(
        cluster, 0,
        {clause,
         what,
         0,
         {{Measure::wanted, 1}, {Measure::attached, 2}, {Measure::of_pods, 1}, {Measure::limit, 2}}});
  };
  EXPECT_EQ(told("PRE-DISK-1", "iscsi iqn"), "disk iscsi iqn is used by default/db (priority 5)");
  EXPECT_EQ(told("PRE-RWOP-1", "data"),
            "claim data (only one pod may use it) counts as used by default/db (priority 5)");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-RWOP-1", "data", {}, {}}),
            "claim data (only one pod may use it) still counts as used");
  EXPECT_EQ(told("PRE-ATTACH-1", "d"), "driver d: 1 volume to attach, 2 attached, the limit is 2");
  EXPECT_EQ(told("PRE-ATTACH-4", "d"),
            "driver d: 1 volume to attach, 2 attached (1 by VolumeAttachments alone), the limit is 2");
  EXPECT_EQ(told("PRE-ATTACH-5", "azureDisk"), "azureDisk: 1 volume to attach, 2 attached, the limit is 2");
  EXPECT_EQ(told("PRE-ATTACH-7", "d"), "driver d is not installed");
  EXPECT_EQ(told("PRE-BIND-1", "ns/c"), "the volume of claim ns/c cannot be reached from the node");
  EXPECT_EQ(told("PRE-BIND-2", "claim ns/c finds no volume"), "claim ns/c finds no volume");
  EXPECT_EQ(told("PRE-BIND-3", "claim ns/c: no storage"), "claim ns/c: no storage");
  EXPECT_EQ(told("PRE-BIND-4", "ns/c"), "claim ns/c is bound to a volume that does not exist");
  EXPECT_EQ(told("PRE-ZONE-1", "volume v is in zone=a"), "volume v is in zone=a");
}

TEST(Words, TellWhichDomainsSkew) {
  Cluster cluster;
  cluster.nodes.resize(1);
  cluster.nodes[0].labels = {{"zone", "a"}};
  const Values values = {
      {Measure::counted, 3}, {Measure::self, 1}, {Measure::least, 0}, {Measure::max_skew, 2}};
  EXPECT_EQ(text_of(cluster, 0, {"PRE-SPREAD-7", "zone", {}, values, "b"}),
            "zone=a has 3 matching pods, 4 with this pod; the minimum is 0 in zone=b; the skew would be 4, "
            "maxSkew is 2");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-SPREAD-7", "zone", {}, values}),
            "zone=a has 3 matching pods, 4 with this pod; the minimum is 0, because there are fewer "
            "domains than "
            "minDomains; the skew would be 4, maxSkew is 2");
  EXPECT_EQ(text_of(cluster, 0, {"PRE-SPREAD-1", "rack", {}, {}}),
            "the node has no label rack, which a spread constraint needs");
}

TEST(Words, TellWhatIsShort) {
  const Cluster cluster;
  const auto finding = [](Quantity requested, Quantity used, Quantity allocatable) {
    return Finding{
        "PRE-FIT-2",
        "cpu",
        {},
        {{Measure::requested, requested}, {Measure::used, used}, {Measure::allocatable, allocatable}}};
  };
  EXPECT_EQ(text_of(cluster, 0, finding(2000, 3500, 4000)),
            "cpu: 2000m requested, 500m free (3500m of 4000m used), 1500m short");
  EXPECT_EQ(shortage_of(finding(2000, 3500, 4000)), 1500);
  // More is used than allocatable, and an amount that overflows.
  EXPECT_EQ(shortage_of(finding(1000, 5000, 4000)), 2000);
  constexpr Quantity k_most = std::numeric_limits<Quantity>::max();
  EXPECT_EQ(shortage_of(finding(k_most, k_most, 0)), k_most);
}

}  // namespace touchstone::oracle
