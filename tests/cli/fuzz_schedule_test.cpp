#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// Campaigns of whole cycles, as a user runs them.
namespace touchstone {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Has a directory that is removed after the test.
class FuzzSchedule : public testing::Test {
 protected:
  FuzzSchedule() {
    std::string name = (fs::temp_directory_path() / "touchstone-cycle-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~FuzzSchedule() override { fs::remove_all(dir_); }

  std::string out() const { return " --out " + (dir_ / "out").string(); }
  Json campaign() const {
    std::ifstream in(dir_ / "out" / "campaign.json");
    return Json::parse(in);
  }
  static std::string perturbed(const std::string& fault) {
    return " -- python3 tests/cli/perturbed.py " + fault + " v1.34.4";
  }
  /// Runs a campaign against a faulty subject, and returns its first difference.
  Json first_difference(const std::string& fault) const {
    const Ran result = run(std::string(k_cycle) + "--cases 64" + out() + perturbed(fault));
    EXPECT_EQ(result.exit_code, 1) << result.output;
    const Json found = campaign()["found"];
    EXPECT_FALSE(found.empty()) << result.output;
    return found.empty() ? Json() : found[0];
  }

  static constexpr const char* k_cycle =
      "fuzz --command schedule --release v1.34.4 --seed 7 --jobs 1 --families "
      "roomy,images,preferred-nodes,soft-taints,borders,start,pdbs ";

  fs::path dir_;
};

}  // namespace

TEST_F(FuzzSchedule, FindsNothingInTheReferenceItself) {
  const Ran result = run("fuzz --command schedule --release v1.37.2 --jobs 1 --cases 128" + out() +
                         " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const Json done = campaign();
  EXPECT_EQ(done["differ"], 0);
  EXPECT_EQ(done["setup"]["command"], "schedule");
  EXPECT_GT(done["outcomes"]["\"scheduled\""], 40);
  EXPECT_GT(done["outcomes"]["\"nominated\""], 2);
}

TEST_F(FuzzSchedule, GivesEachQuestionAConfiguration) {
  const Ran result =
      run(std::string(k_cycle) + "--random-configurations --cases 64" + out() + " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(campaign()["setup"]["randomConfigurations"], true);
  EXPECT_GT(campaign()["agree"], 56);
}

// The score of one scorer is wrong: the clause of that scorer is named, and the cluster is small.
TEST_F(FuzzSchedule, NamesTheScorerThatIsWrong) {
  const Json found = first_difference("image-score");
  EXPECT_EQ(found["signature"], "answers scores");
  EXPECT_TRUE(found["clause"].get<std::string>().starts_with("SCORE-IMAGE-")) << found;
  EXPECT_LE(found["nodes"], 2);
  EXPECT_LE(found["pods"], 2);
  EXPECT_TRUE(found["minimal"]);
  const std::string hash = found["hash"];
  const std::string file = (dir_ / "out" / "differences" / (hash + ".json")).string();
  const Ran again = run("fuzz --release v1.34.4 --replay " + file + perturbed("image-score"));
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_TRUE(contains(again.output, "Rule: SCORE-IMAGE-")) << again.output;
  const Ran mended = run("fuzz --release v1.34.4 --replay " + file + " -- touchstone subject");
  EXPECT_EQ(mended.exit_code, 0) << mended.output;
  EXPECT_EQ(run("vectors " + file).exit_code, 0);
}

TEST_F(FuzzSchedule, NamesTheChoiceOfTheHost) {
  const Json found = first_difference("worst-host");
  EXPECT_EQ(found["signature"], "answers node");
  EXPECT_EQ(found["clause"], "CYC-HOST-3");
}

TEST_F(FuzzSchedule, OutlivesMalformedScores) {
  for (const char* fault : {"scores-as-text", "scores-of-strangers", "scores-missing"}) {
    fs::remove_all(dir_ / "out");
    const Json found = first_difference(fault);
    const std::string expected =
        fault == std::string("scores-as-text") ? "malformed answer malformed answer" : "answers scores";
    EXPECT_EQ(found["signature"], expected) << fault;
  }
}

TEST_F(FuzzSchedule, RefusesASubjectThatDoesNotKnowTheCommand) {
  const Ran result =
      run("fuzz --command schedule --cases 64 --release v1.34.4 -- python3 examples/subjects/naive.py");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "[command-not-answered]")) << result.output;
}

TEST_F(FuzzSchedule, TakesOneConfigurationForAllQuestions) {
  const fs::path file = dir_ / "config.yaml";
  std::ofstream(file) << "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                         "profiles:\n- plugins: {score: {disabled: [{name: ImageLocality}]}}\n";
  const std::string config = "--config " + file.string();
  const Ran result = run(k_cycle + config + " --cases 64" + out() + " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(campaign()["setup"]["config"]["kind"], "KubeSchedulerConfiguration");
  // Without the scorer, nothing shows its fault.
  EXPECT_EQ(run(k_cycle + config + " --cases 64" + perturbed("image-score")).exit_code, 0);
  EXPECT_EQ(run(k_cycle + config + " --random-configurations --cases 64").exit_code, 2);
  std::ofstream(file) << "kind: KubeSchedulerConfiguration\n";
  const Ran refused = run(k_cycle + config + " --cases 64 -- touchstone subject");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.output, "[refused-configuration]")) << refused.output;
}

}  // namespace touchstone
