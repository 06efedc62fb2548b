#include "optimized/store/disks.hpp"

#include <gtest/gtest.h>

#include <set>

#include "reference/volumes/volumes.hpp"
#include "tests/support/storage.hpp"

/// In-tree disks have the same handles, zones and node affinity in both engines.
namespace touchstone::tests::disks_test {

namespace {

CsiNode lists_every_plugin() {
  CsiNode node;
  for (const InTreeKind& kind : k_in_tree_kinds) node.migrated_plugins.emplace_back(kind.plugin);
  return node;
}

const std::vector<std::string> k_zone_labels = {"",
                                                "a",
                                                " a ",
                                                "a__b",
                                                " a __ b __",
                                                "__",
                                                "us-east1-b",
                                                "us-east1-b__us-east1-c",
                                                "us-east1-b__us-east1-c__us-east1-d",
                                                "us-east1-b__us-west1-a",
                                                "us-east1-b__x",
                                                "us-east1__us-east1",
                                                "a-b-c-d__a-b-c-d",
                                                "_a_",
                                                "a___b"};

}  // namespace

// PRE-ATTACH-2: every kind of disk, with valid and invalid ids, zone labels and kinds of Azure disks.
TEST(Disks, HaveTheHandlesOfTheReference) {
  const std::vector<std::string> ids = {"",
                                        "d",
                                        "vol-1",
                                        "aws://",
                                        "aws://z",
                                        "aws://z/",
                                        "aws://z/d",
                                        "aws://z/vol-1",
                                        "aws:///vol-1",
                                        "aws://z//vol-1//",
                                        "aws://z/vol-1/a",
                                        "aws:/z/vol-1"};
  std::set<std::string> handles;
  std::size_t without = 0;
  for (const InTreeKind& kind : k_in_tree_kinds) {
    for (const std::string& id : ids) {
      for (const std::string& zones : k_zone_labels) {
        for (const char* disk_kind : {"", "Managed", "MANAGED", "managed", "Shared", "manage"}) {
          VolumeSource disk = source(std::string(kind.kind), id);
          disk.disk_kind = disk_kind;
          const std::optional<std::string> handle = optimized::handle_of(disk, zones);
          EXPECT_EQ(handle, reference::translated_handle(disk, zones))
              << kind.kind << " '" << id << "' '" << zones << "' " << disk_kind;
          if (handle) handles.insert(*handle);
          without += handle ? 0 : 1;
        }
      }
    }
  }
  EXPECT_GT(handles.size(), 80u);
  EXPECT_GT(without, 1000u);
}

// PRE-ZONE-2: "__" separates zones, with or without spaces.
TEST(Disks, HaveTheZonesOfTheReference) {
  for (const std::string& label : k_zone_labels)
    EXPECT_EQ(optimized::parts_of(label), reference::zones_in(label)) << label;
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

// PRE-BIND-1: volumes with up to two requirements in one term or in two, on beta and stable labels, with and
// without values. Each has every combination of its own zone labels.
TEST(Disks, ReachTheNodesThatTheReferenceSays) {
  const Release asked = release("v1.34");
  const CsiNode csi_node = lists_every_plugin();
  const InTreeKind& kind = k_in_tree_kinds[0];
  std::vector<Requirement> requirements;
  for (const char* key : {k_zone, k_beta_zone, k_region, k_beta_region, "disk"}) {
    requirements.push_back({key, "In", {"a"}});
    requirements.push_back({key, "Exists", {}});
  }
  std::vector<optimized::NodeTerms> affinities = {std::nullopt, std::vector<NodeSelectorTerm>{}};
  for (const Requirement& a : requirements) {
    affinities.push_back({{{{a}, {}}}});
    for (const Requirement& b : requirements) {
      affinities.push_back({{{{a, b}, {}}}});
      affinities.push_back({{{{a}, {}}, {{b}, {}}}});
    }
  }
  const std::vector<std::optional<std::string>> zones = {std::nullopt, "", "a", " a__b __"};
  std::size_t translated = 0;
  for (const optimized::NodeTerms& affinity : affinities) {
    for (const std::optional<std::string>& stable : zones) {
      for (const std::optional<std::string>& beta : zones) {
        PersistentVolume disk = volume("v");
        disk.source = source(std::string(kind.kind), "d");
        disk.node_affinity = affinity;
        if (stable) disk.labels[k_zone] = *stable;
        if (beta) disk.labels[k_beta_zone] = *beta;
        const PersistentVolume expected = reference::with_translated_affinity(disk, &csi_node, asked);
        ASSERT_EQ(optimized::terms_of_driver(disk, kind), expected.node_affinity)
            << (affinity ? std::to_string(affinity->size()) + " terms" : "no affinity") << ", stable zone "
            << stable.value_or("-") << ", beta zone " << beta.value_or("-");
        translated += expected.node_affinity != disk.node_affinity ? 1 : 0;
      }
    }
  }
  EXPECT_GT(translated, 1000u);
}

// PRE-ATTACH-2: a CSI volume without a handle is in-line: no driver attaches it, and no filter looks at it.
TEST(Disks, AreCountedAndAttachedIfTheyHaveAHandle) {
  const Release asked = release("v1.34");
  const auto csi = [](const std::string& handle) {
    VolumeSource one = source("csi", handle);
    one.driver = "d";
    return one;
  };
  const optimized::DriverAndHandle attached = {{"d", "h"}};
  EXPECT_EQ(optimized::attached_as(csi("h"), "", nullptr, asked), attached);
  EXPECT_EQ(optimized::attached_as(csi(""), "", nullptr, asked), std::nullopt);
  EXPECT_TRUE(optimized::is_counted({"v", csi("h")}));
  EXPECT_FALSE(optimized::is_counted({"v", csi("")}));
  EXPECT_TRUE(optimized::is_counted({"v", source("persistentVolumeClaim", "c")}));
  EXPECT_FALSE(optimized::is_counted({"v", source("emptyDir", "d")}));
}

// PRE-ATTACH-2: the node has a CSINode that lists the plugin, one that does not, or none.
TEST(Disks, AreMigratedWhereTheReferenceSays) {
  const CsiNode lists_all = lists_every_plugin();
  const CsiNode lists_none;
  std::size_t migrated = 0;
  for (const char* version : {"v1.16", "v1.18", "v1.22", "v1.24", "v1.26", "v1.28", "v1.31", "v1.34"}) {
    for (const InTreeKind& kind : k_in_tree_kinds) {
      for (const CsiNode* node : {&lists_all, &lists_none, static_cast<const CsiNode*>(nullptr)}) {
        EXPECT_EQ(optimized::is_listed(kind, node), reference::is_listed(kind, node));
        const bool is_migrated = reference::is_migrated(kind, node, release(version));
        EXPECT_EQ(optimized::is_migrated(kind, node, release(version)), is_migrated) << version << kind.kind;
        migrated += is_migrated ? 1 : 0;
      }
    }
  }
  EXPECT_GT(migrated, 20u);
}

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

}  // namespace touchstone::tests::disks_test
