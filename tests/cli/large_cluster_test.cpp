#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// Which engine the commands choose for the amount of work.
namespace touchstone {

namespace {

using nlohmann::json;

json pod(const std::string& name, int priority, const std::string& cpu) {
  return {{"kind", "Pod"},
          {"metadata", {{"name", name}, {"namespace", "default"}, {"uid", name}, {"labels", {{"app", "a"}}}}},
          {"spec",
           {{"priority", priority},
            {"containers", {{{"name", "c"}, {"resources", {{"requests", {{"cpu", cpu}}}}}}}}}}};
}

/// 120 full nodes with 30 pods each, and this number of pending pods. With anti-affinity, the pending pods
/// avoid an app that does not exist. This makes the reference look at all pods.
json cluster(int waiting, bool with_anti_affinity) {
  json items = json::array();
  for (int i = 0; i < 120; ++i) {
    const std::string node = "n" + std::to_string(i);
    items.push_back({{"kind", "Node"},
                     {"metadata", {{"name", node}, {"labels", {{"host", node}}}}},
                     {"status", {{"allocatable", {{"cpu", "30"}, {"pods", "110"}}}}}});
    for (int k = 0; k < 30; ++k) {
      items.push_back(pod(node + "-" + std::to_string(k), k % 7, "1"));
      items.back()["spec"]["nodeName"] = node;
    }
  }
  const json term{{"topologyKey", "host"}, {"labelSelector", {{"matchLabels", {{"app", "b"}}}}}};
  for (int i = 0; i < waiting; ++i) {
    items.push_back(pod("waits-" + std::to_string(i), 100, "3"));
    if (with_anti_affinity)
      items.back()["spec"]["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] =
          json::array({term});
  }
  return {{"kind", "List"}, {"items", items}};
}

class LargeCluster : public testing::Test {
 protected:
  std::string file(int waiting, bool with_anti_affinity) {
    return scratch_.write("cluster.json", cluster(waiting, with_anti_affinity).dump());
  }
  static json answer(const std::string& arguments) {
    return json::parse(run(arguments + " --release v1.34 -o json 2> /dev/null").output);
  }

 private:
  tests::TemporaryDirectory scratch_;
};

}  // namespace

TEST_F(LargeCluster, IsDecidedByTheReferenceWhereThatIsQuick) {
  const json decided = answer("decide -f " + file(1, false));
  EXPECT_FALSE(decided.contains("engine"));
  EXPECT_EQ(decided["candidates"].size(), 120u);
}

TEST_F(LargeCluster, IsDecidedByTheOptimizedEngineWhereTheReferenceWouldTakeLong) {
  const std::string file = this->file(1, true);
  const json decided = answer("decide -f " + file);
  EXPECT_EQ(decided.value("engine", ""), "optimized");
  EXPECT_EQ(decided["outcome"], "nominated");
  // `explain` still shows the whole decision.
  const json explained = answer("explain -f " + file);
  EXPECT_EQ(explained["node"], decided["node"]);
  EXPECT_EQ(explained["victims"], decided["victims"]);
  EXPECT_EQ(explained["candidates"].size(), 120u);
}

}  // namespace touchstone
