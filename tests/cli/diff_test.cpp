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

/// The options to compare `touchstone subject` with a subject that has something wrong.
std::string subjects(const std::string& fault) {
  return "--from v1.34.4 --to v1.34.4 --cases 64 --jobs 1 --subjects 'touchstone subject' " +
         (fault.empty() ? "'touchstone subject'" : "'python3 tests/cli/perturbed.py " + fault + " v1.34.4' ");
}

}  // namespace

// PRE-VICTIM-7: v1.30.14 sorts victims again.
TEST(Diff, FindsTheSmallestClusterOfEachChange) {
  const Json found = diff("--from v1.30.4 --to v1.30.14", 1);
  bool seen = false;
  for (const Json& behaviour : found.at("behaviours")) {
    // No cluster shows a change of the scheduler over time.
    if (behaviour.at("clause").get<std::string>().starts_with("QUE-")) continue;
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
  const Ran found = run("diff " + subjects("last-victim"));
  EXPECT_EQ(found.exit_code, 1) << found.output;
  EXPECT_TRUE(contains(found.output, "PRE-VICTIM-6, ")) << found.output;
  EXPECT_TRUE(contains(found.output, "smallest cluster: 1 node")) << found.output;
  EXPECT_TRUE(contains(found.output, "kind: Node")) << found.output;
  const Ran same = run("diff " + subjects(""));
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_TRUE(contains(same.output, "64 decisions and 64 whole cycles")) << same.output;
  EXPECT_TRUE(contains(same.output, "0 behaviours differ")) << same.output;
}

// A score is not part of a decision to preempt.
TEST(Diff, ComparesTheScoresOfTwoSchedulers) {
  const Json found = diff(subjects("image-score"), 1);
  ASSERT_EQ(found.at("behaviours").size(), 1U) << found.at("behaviours");
  const Json& behaviour = found.at("behaviours")[0];
  EXPECT_TRUE(contains(behaviour.at("clause"), "SCORE-IMAGE-")) << behaviour;
  EXPECT_EQ(behaviour.at("decisions"), 0);
  EXPECT_GT(behaviour.at("cycles"), 0);
  EXPECT_LE(behaviour.at("smallest").at("nodes"), 2);
  EXPECT_FALSE(behaviour.at("announced"));
}

TEST(Diff, AnnouncedDifferencesOfTwoSchedulersAreNoFailure) {
  const Json found = diff(subjects("last-victim"), 1);
  std::string expected = "PRE-TAINT-1";
  for (const Json& behaviour : found.at("behaviours"))
    expected += "," + behaviour.at("clause").get<std::string>();
  const Ran announced = run("diff --github " + subjects("last-victim") + " --expect " + expected);
  EXPECT_EQ(announced.exit_code, 0) << announced.output;
  EXPECT_TRUE(contains(announced.output, ", announced\n")) << announced.output;
  EXPECT_TRUE(contains(announced.output, "PRE-TAINT-1 was announced, but no case shows it"))
      << announced.output;
  EXPECT_TRUE(contains(announced.output, "::notice title=PRE-VICTIM-6")) << announced.output;
  EXPECT_TRUE(contains(announced.output, "::warning title=PRE-TAINT-1")) << announced.output;
  const Ran other = run("diff --github " + subjects("last-victim") + " --expect PRE-TAINT-1");
  EXPECT_EQ(other.exit_code, 1) << other.output;
  EXPECT_TRUE(contains(other.output, "::error title=PRE-VICTIM-6")) << other.output;
}

TEST(Diff, SavesTheCampaignsOfTwoSchedulers) {
  const fs::path out = fs::temp_directory_path() / ("touchstone-judged-" + std::to_string(getpid()));
  const Json found = diff(subjects("last-victim") + " --out " + out.string(), 1);
  EXPECT_TRUE(fs::exists(out / "decisions" / "campaign.json"));
  EXPECT_TRUE(fs::exists(out / "cycles" / "campaign.json"));
  const std::string file = found.at("behaviours")[0].at("smallest").at("file");
  EXPECT_TRUE(contains(text_of(file), "kind: Node")) << file;
  fs::remove_all(out);
}

// naive.py does not have the feature "schedule".
TEST(Diff, SaysWhatItDidNotCompare) {
  const Ran result =
      run("diff --from v1.34.4 --to v1.34.4 --cases 64 --jobs 1 --subjects 'touchstone subject' "
          "'python3 tests/cli/perturbed.py only-decides v1.34.4'");
  EXPECT_TRUE(contains(result.output, "scores and hosts were not compared")) << result.output;
}

TEST(Diff, RefusesSubjectsThatCannotBeCompared) {
  EXPECT_EQ(run("diff --subjects 'touchstone subject'").exit_code, 2);
  const Ran many = run("diff --subjects 'touchstone subject' 'touchstone subject'");
  EXPECT_EQ(many.exit_code, 2) << many.output;
  EXPECT_TRUE(contains(many.output, "--from, --to: the subject answers for several releases")) << many.output;
  const Ran dead = run("diff " + subjects("dies-at-start"));
  EXPECT_EQ(dead.exit_code, 2) << dead.output;
  EXPECT_TRUE(contains(dead.output, "subject-failed")) << dead.output;
  const Ran unknown = run("diff --expect PRE-NOPE " + subjects(""));
  EXPECT_EQ(unknown.exit_code, 2) << unknown.output;
  EXPECT_TRUE(contains(unknown.output, "no clause \"PRE-NOPE\"")) << unknown.output;
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
