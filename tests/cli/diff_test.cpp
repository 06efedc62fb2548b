#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// Differences between releases, configurations and schedulers.
namespace touchstone {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Two full nodes: a budget protects the pod of n1.
constexpr const char* k_two_nodes = R"({"kind":"List","apiVersion":"v1","items":[
  {"kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"9"}}},
  {"kind":"Node","metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"1","pods":"9"}}},
  {"kind":"Pod","metadata":{"namespace":"default","name":"a","labels":{"app":"a"}},"spec":{"nodeName":"n1","priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}},
  {"kind":"Pod","metadata":{"namespace":"default","name":"b"},"spec":{"nodeName":"n2","priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}},
  {"kind":"PodDisruptionBudget","metadata":{"namespace":"default","name":"g"},"spec":{"selector":{"matchLabels":{"app":"a"}}},"status":{"disruptionsAllowed":0}},
  {"kind":"Pod","metadata":{"namespace":"default","name":"p"},"spec":{"priority":5,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}]})";

Json diff(const std::string& options, int exit_code) {
  const Ran result = run("diff -o json " + options + " 2> /dev/null");
  EXPECT_EQ(result.exit_code, exit_code) << result.output.substr(0, 2000);
  return Json::parse(result.output, nullptr, false);
}

}  // namespace

// PRE-VICTIM-7: v1.30.14 sorts victims again.
TEST(Diff, FindsTheSmallestClusterOfEachChange) {
  const Json found = diff("--from v1.30.4 --to v1.30.14", 1);
  bool seen = false;
  for (const Json& behaviour : found.at("behaviours")) {
    ASSERT_FALSE(behaviour.at("witness").is_null()) << behaviour;
    EXPECT_NE(behaviour.at("witness").at("from"), behaviour.at("witness").at("to"));
    if (behaviour.at("clause") != "PRE-VICTIM-7") continue;
    seen = true;
    EXPECT_EQ(behaviour.at("pullRequests")[0], "https://github.com/kubernetes/kubernetes/pull/128307");
    EXPECT_EQ(behaviour.at("witness").at("question").at("nodes").size(), 1U);
    EXPECT_LE(behaviour.at("witness").at("question").at("pods").size(), 3U);
  }
  EXPECT_TRUE(seen);
}

TEST(Diff, OfOneReleaseFindsNothing) {
  EXPECT_TRUE(diff("--from v1.34.4 --to v1.34.4", 0).at("behaviours").empty());
}

TEST(Diff, AnnouncedClausesAreNoFailure) {
  const Json found = diff("--from v1.30.4 --to v1.30.14 --generated 0", 1);
  std::string expected;
  for (const Json& behaviour : found.at("behaviours"))
    expected += (expected.empty() ? "" : ",") + behaviour.at("clause").get<std::string>();
  diff("--from v1.30.4 --to v1.30.14 --generated 0 --expect " + expected, 0);
}

TEST(Diff, ShowsWhatAnUpgradeChangesInACluster) {
  const Json same = diff("--from v1.34.4 --to v1.34.4 -f examples/training-job.json", 0);
  EXPECT_EQ(same.at("pods"), 1);
  // v1.8.0 does not count PDB violations, so it may evict either pod.
  const fs::path cluster = fs::temp_directory_path() / ("touchstone-" + std::to_string(getpid()) + ".json");
  std::ofstream(cluster) << k_two_nodes;
  const Json found = diff("--from v1.8.0 --to v1.34.4 -f " + cluster.string(), 1);
  ASSERT_EQ(found.at("differ").size(), 1U) << found;
  EXPECT_EQ(found.at("noLongerVictims"), Json::array({"default/a"}));
  EXPECT_TRUE(found.at("newVictims").empty());
  const Ran text = run("diff --from v1.8.0 --to v1.34.4 -f " + cluster.string());
  EXPECT_TRUE(contains(text.output, "default/p")) << text.output;
  fs::remove(cluster);
}

TEST(Diff, ComparesTwoConfigurations) {
  const fs::path config = fs::temp_directory_path() / ("touchstone-" + std::to_string(getpid()) + ".yaml");
  std::ofstream(config) << "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                           "profiles:\n- plugins:\n    postFilter:\n      disabled:\n      - name: '*'\n";
  const Json found =
      diff("--from v1.34.4 --to v1.34.4 -f examples/training-job.json --to-config " + config.string(), 1);
  EXPECT_EQ(found.at("differ")[0].at("from").at("outcome"), "nominated");
  EXPECT_NE(found.at("differ")[0].at("to").at("outcome"), "nominated");
  fs::remove(config);
}

TEST(Diff, ComparesTwoSchedulersAndNamesTheClause) {
  const std::string changed = "'python3 tests/cli/perturbed.py last-victim v1.34.4'";
  const std::string options =
      "diff --from v1.34.4 --to v1.34.4 --cases 64 --jobs 1 --subjects 'touchstone subject' " + changed;
  const Ran found = run(options);
  EXPECT_EQ(found.exit_code, 1) << found.output;
  EXPECT_TRUE(contains(found.output, "PRE-VICTIM-6")) << found.output;
  const Ran same =
      run("diff --from v1.34.4 --to v1.34.4 --cases 64 --jobs 1 --subjects 'touchstone subject' 'touchstone "
          "subject'");
  EXPECT_EQ(same.exit_code, 0) << same.output;
}

// touchstone diff --pages docs/releases writes the pages again, with --search also their clusters.
TEST(Diff, PagesOfReleasesAreUpToDate) {
  const fs::path pages = fs::temp_directory_path() / ("touchstone-pages-" + std::to_string(getpid()));
  fs::create_directories(pages);
  fs::copy("docs/releases/clusters", pages / "clusters");
  const Ran result = run("diff --pages " + pages.string());
  EXPECT_EQ(result.exit_code, 0) << result.output;
  std::size_t compared = 0;
  for (const auto& entry : fs::directory_iterator(pages)) {
    if (entry.is_directory()) continue;
    ++compared;
    EXPECT_EQ(text_of(entry.path()), text_of("docs/releases" / entry.path().filename())) << entry.path();
  }
  EXPECT_GT(compared, 29U);
  fs::remove_all(pages);
}

TEST(Diff, ClustersOfReleasesHaveTheAnswersOfTheReference) {
  const Ran result = run("vectors docs/releases/clusters");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "0 disagreements, 0 skipped")) << result.output;
}

TEST(Diff, RefusesWrongUsage) {
  EXPECT_EQ(run("diff --from v1.30").exit_code, 2);
  EXPECT_EQ(run("diff --from v1.30 --to v9").exit_code, 2);
  EXPECT_EQ(run("diff --from v1.30 --to v1.31 --to-config no.yaml").exit_code, 2);
  EXPECT_EQ(run("diff --from v1.30 --to v1.31 -f no-such-file.json").exit_code, 2);
  EXPECT_EQ(run("diff --pages no-such-directory").exit_code, 2);
}

}  // namespace touchstone
