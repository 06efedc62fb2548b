#include "reference/cycle/zone_key.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

/// Tests the zone key, by which the scheduler groups nodes.
namespace touchstone::tests::cycle_zone_key_test {

namespace {

const std::string k_old_zone = "failure-domain.beta.kubernetes.io/zone";
const std::string k_old_region = "failure-domain.beta.kubernetes.io/region";
const std::string k_zone = "topology.kubernetes.io/zone";
const std::string k_region = "topology.kubernetes.io/region";

std::string key(Labels labels, const char* name = "v1.34") {
  Node node;
  node.labels = std::move(labels);
  return reference::zone_key(node, release(name));
}

}  // namespace

// CYC-ORDER-1
TEST(ZoneKey, IsEmptyWithoutRegionAndZone) {
  EXPECT_EQ(key({}), "");
  EXPECT_EQ(key({{"zone", "a"}}), "");
  EXPECT_EQ(key({{k_old_region, ""}, {k_old_zone, ""}}), "");
}

// CYC-ORDER-1
TEST(ZoneKey, TellsRegionFromZone) {
  EXPECT_NE(key({{k_zone, "a"}}), "");
  EXPECT_NE(key({{k_region, "a"}}), "");
  EXPECT_NE(key({{k_zone, "a"}}), key({{k_region, "a"}}));
  EXPECT_NE(key({{k_zone, "a"}}), key({{k_zone, "b"}}));
  EXPECT_NE(key({{k_region, "r"}, {k_zone, "a"}}), key({{k_region, "s"}, {k_zone, "a"}}));
  EXPECT_EQ(key({{k_region, "r"}, {k_zone, "a"}}), key({{k_old_region, "r"}, {k_zone, "a"}}));
}

// CYC-ORDER-1
TEST(ZoneKey, IgnoresStableLabelsUpTo116) {
  EXPECT_EQ(key({{k_region, "r"}, {k_zone, "a"}}, "v1.16"), "");
  EXPECT_NE(key({{k_region, "r"}, {k_zone, "a"}}, "v1.17"), "");
  EXPECT_EQ(key({{k_old_zone, "a"}}, "v1.16"), key({{k_zone, "a"}}, "v1.17"));
}

// CYC-ORDER-1
TEST(ZoneKey, PrefersAnOlderLabelEvenIfItIsEmpty) {
  EXPECT_EQ(key({{k_old_zone, "a"}, {k_zone, "b"}}), key({{k_zone, "a"}}));
  EXPECT_EQ(key({{k_old_zone, ""}, {k_zone, "b"}}), "");
}

}  // namespace touchstone::tests::cycle_zone_key_test
