// tests/optimized/store/disks_test.cpp
#include "optimized/store/disks.hpp"

#include <gtest/gtest.h>

#include "reference/volumes/volumes.hpp"
#include "tests/support/storage.hpp"

namespace touchstone::tests::disks_test {

// PRE-ATTACH-2: a CSINode that lists one plugin does not list the others.
TEST(Disks, AreMigratedByThePluginsThatACsiNodeLists) {
  for (const InTreeKind& listed : k_in_tree_kinds) {
    CsiNode node;
    node.migrated_plugins = {std::string(listed.plugin)};
    for (const InTreeKind& kind : k_in_tree_kinds) {
      EXPECT_EQ(optimized::is_listed(kind, &node), kind.plugin == listed.plugin) << kind.plugin;
      EXPECT_EQ(optimized::is_listed(kind, &node), reference::is_listed(kind, &node)) << kind.plugin;
    }
  }
}

// PRE-ATTACH-2: the beta zone label of a volume, or if it is absent or empty, the stable one.
TEST(Disks, HaveTheZoneLabelOfTheReference) {
  const std::vector<std::optional<std::string>> values = {std::nullopt, "", "a", "b"};
  for (const std::optional<std::string>& beta : values) {
    for (const std::optional<std::string>& stable : values) {
      PersistentVolume disk = volume("v");
      if (beta) disk.labels[k_beta_zone] = *beta;
      if (stable) disk.labels[k_zone] = *stable;
      EXPECT_EQ(optimized::zones_of(disk), reference::zone_label(disk))
          << beta.value_or("-") << " " << stable.value_or("-");
    }
  }
}

}  // namespace touchstone::tests::disks_test
