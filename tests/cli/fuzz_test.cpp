#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.hpp"

/// Campaigns, as a user runs them.
namespace touchstone {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A directory that goes with the test.
class Fuzz : public testing::Test {
 protected:
  Fuzz() {
    std::string name = (fs::temp_directory_path() / "touchstone-fuzz-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~Fuzz() override { fs::remove_all(dir_); }

  std::string out() const { return " --out " + (dir_ / "out").string(); }
  Json campaign(const std::string& name = "out") const {
    std::ifstream in(dir_ / name / "campaign.json");
    return Json::parse(in);
  }
  static std::string perturbed(const std::string& fault, const std::string& release = "v1.34.4") {
    return " -- python3 tests/cli/perturbed.py " + fault + " " + release;
  }

  fs::path dir_;
};

constexpr const char* k_core = "fuzz --release v1.34.4 --families pdbs,starts --seed 7 --jobs 1 ";

}  // namespace

TEST_F(Fuzz, FindsNothingInTheReferenceItself) {
  const Ran result = run(std::string(k_core) + "--cases 128" + out() + " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const Json done = campaign();
  EXPECT_EQ(done["cases"], 128);
  EXPECT_EQ(done["agree"], 128);
  EXPECT_EQ(done["differ"], 0);
  EXPECT_TRUE(done["found"].empty());
}

TEST_F(Fuzz, HoldsTheEnginesAgainstEachOtherWithoutASubject) {
  const Ran result = run("fuzz --families pdbs,starts,taints --seed 7 --jobs 2 --cases 1024" + out());
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(campaign()["agree"], 1024);
  EXPECT_EQ(campaign()["rightRelease"], nullptr);
  EXPECT_EQ(campaign()["setup"]["rightRelease"], "of every release");
  EXPECT_NE(result.output.find("touchstone-optimized of every release against touchstone-reference"),
            std::string::npos)
      << result.output;
  // It goes on where it was.
  EXPECT_EQ(run("fuzz --families pdbs,starts,taints --seed 7 --jobs 2 --cases 1088" + out()).exit_code, 0);
  EXPECT_EQ(campaign()["cases"], 1088);
  EXPECT_EQ(run("fuzz --against true --cases 64").exit_code, 2);
  EXPECT_EQ(run("fuzz --release v9 --cases 64").exit_code, 2);
}

TEST_F(Fuzz, CountsWhatIsNotModelledAsSkipped) {
  const Ran result =
      run("fuzz --release v1.11.10 --families affinity,anti-affinity,terminating --jobs 1 --cases 512" +
          out() + " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const Json done = campaign();
  std::size_t skipped = 0;
  for (const auto& [what, count] : done["skipped"].items()) skipped += count.get<std::size_t>();
  EXPECT_GT(skipped, 0u);
  EXPECT_EQ(done["agree"].get<std::size_t>() + skipped, 512u);
}

TEST_F(Fuzz, ShrinksAWrongVictimNamesTheRuleAndReplays) {
  const Ran result = run(std::string(k_core) + "--cases 64" + out() + perturbed("last-victim"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json found = campaign()["found"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["clause"], "PRE-VICTIM-6");
  EXPECT_EQ(found[0]["nodes"], 1);
  EXPECT_EQ(found[0]["pods"], 3);
  EXPECT_TRUE(found[0]["minimal"]);
  const std::string hash = found[0]["hash"];
  const std::string file = (dir_ / "out" / "differences" / (hash + ".json")).string();
  const Ran again = run("fuzz --release v1.34.4 --replay " + file + perturbed("last-victim"));
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_TRUE(contains(again.output, "Rule: PRE-VICTIM-6")) << again.output;
  const Ran mended = run("fuzz --release v1.34.4 --replay " + file + " -- touchstone subject");
  EXPECT_EQ(mended.exit_code, 0) << mended.output;
  EXPECT_EQ(run("vectors " + file).exit_code, 0);
  std::ifstream in(dir_ / "out" / "differences" / (hash + ".txt"));
  const std::string told((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(contains(told, "touchstone fuzz --replay ")) << told;
}

TEST_F(Fuzz, NamesTheCriterionThatAChoiceBreaks) {
  const Ran result =
      run(std::string(k_core) + "--cases 32 --shrink-asks 40" + out() + perturbed("first-node"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json all = campaign()["found"];
  ASSERT_FALSE(all.empty());
  for (const Json& found : all) {
    EXPECT_TRUE(found["clause"].get<std::string>().starts_with("PRE-NODE-")) << found;
    EXPECT_EQ(found["nodes"], 2) << found;
  }
}

TEST_F(Fuzz, ExplainsAnotherReleaseByTheChangeBetweenThem) {
  const Ran result = run("fuzz --release v1.31.3 --families pdbs --seed 7 --jobs 1 --cases 512" + out() +
                         perturbed("none", "v1.31.2"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json found = campaign()["found"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["clause"], "PRE-VICTIM-7");
  EXPECT_EQ(found[0]["explainedBy"], "without \"victims_sorted_again: yes\"");
  EXPECT_LE(found[0]["nodes"], 2);
  EXPECT_LE(found[0]["pods"], 4);
}

TEST_F(Fuzz, OutlivesWhateverASubjectDoes) {
  const std::vector<std::pair<std::string, std::string>> faults = {{"error", "error"},
                                                                   {"types", "malformed answer"}};
  for (const auto& [fault, kind] : faults) {
    const std::string place = (dir_ / fault).string();
    const Ran result =
        run("fuzz --release v1.34.4 --families pdbs --jobs 1 --cases 64 --shrink-asks 8 --out " + place +
            perturbed(fault));
    EXPECT_EQ(result.exit_code, 1) << fault << "\n" << result.output;
    const Json done = campaign(fault);
    EXPECT_EQ(done["cases"], 64) << fault;
    ASSERT_FALSE(done["found"].empty()) << fault;
    EXPECT_EQ(done["found"][0]["clause"], kind) << fault;
  }
}

TEST_F(Fuzz, EndsTheWaitForASubjectThatHangs) {
  const Ran result =
      run("fuzz --release v1.34.4 --families pdbs --timeout 1 --cases 64 --shrink-asks 2 --jobs 1" + out() +
          perturbed("hang"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_EQ(campaign()["found"][0]["clause"], "hung");
}

TEST_F(Fuzz, EndsInTimeThoughTheSubjectHangs) {
  const Ran result = run(std::string(k_core) + "--time 10s --timeout 1" + out() + perturbed("hang-always"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_EQ(campaign()["cases"], 0);  // a block takes a minute, and was given up
  EXPECT_EQ(campaign()["found"][0]["clause"], "hung");
}

TEST_F(Fuzz, DoesNotTakeSkippingForAgreement) {
  const Ran result = run(std::string(k_core) + "--cases 64" + out() + perturbed("skip"));
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_EQ(campaign()["agree"], 0);
  EXPECT_EQ(campaign()["skipped"]["by the subject: everything"], 64);
}

TEST_F(Fuzz, FindsWhatDoesNotComeAgain) {
  const std::map<std::string, std::string> clauses = {{"crash-once", "not repeated: crashed"},
                                                      {"message-once", "not repeated: answers"}};
  for (const auto& [fault, clause] : clauses) {
    fs::remove_all(dir_ / "out");
    const Ran result =
        run(std::string(k_core) + "--cases 64" + out() + perturbed(fault) + " " + (dir_ / fault).string());
    EXPECT_EQ(result.exit_code, 1) << fault << result.output;
    EXPECT_EQ(campaign()["agree"], 63) << fault;
    EXPECT_EQ(campaign()["byClause"][clause], 1) << fault;
  }
}

TEST_F(Fuzz, GoesOnWhereItWasInterrupted) {
  const std::string line = std::string("touchstone ") + k_core + "--cases 320" + out();
  const Ran first = shell(line + perturbed("interrupt"));
  EXPECT_EQ(first.exit_code, 130) << first.output;
  const std::size_t before = campaign()["cases"];
  EXPECT_LT(before, 320u);
  EXPECT_EQ(campaign()["agree"], before);
  const Ran second = shell(line + " -- touchstone subject");
  EXPECT_EQ(second.exit_code, 0) << second.output;
  EXPECT_EQ(campaign()["cases"], 320);
  const std::string whole = (dir_ / "whole").string();
  EXPECT_EQ(run(std::string(k_core) + "--cases 320 --out " + whole + " -- touchstone subject").exit_code, 0);
  EXPECT_EQ(campaign("whole")["species"], campaign()["species"])
      << "nothing is lost, nothing is counted twice";
}

TEST_F(Fuzz, AddsUpShards) {
  for (const char* shard : {"0", "1", "2"}) {
    const Ran result = run(std::string(k_core) + "--cases 64 --shard " + shard + "/3 --out " +
                           (dir_ / shard).string() + " -- touchstone subject");
    EXPECT_EQ(result.exit_code, 0) << result.output;
  }
  const std::string places =
      (dir_ / "0").string() + " " + (dir_ / "1").string() + " " + (dir_ / "2").string();
  const Ran sum = run("campaigns -o json " + places);
  EXPECT_EQ(sum.exit_code, 0) << sum.output;
  EXPECT_EQ(
      run(std::string(k_core) + "--cases 192 --out " + (dir_ / "whole").string() + " -- touchstone subject")
          .exit_code,
      0);
  EXPECT_EQ(Json::parse(sum.output)[0]["species"], campaign("whole")["species"]);
  EXPECT_EQ(Json::parse(sum.output)[0]["cases"], 192);
  const Ran twice = run("campaigns " + places + " " + (dir_ / "0").string());
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.output, "[shard-twice]")) << twice.output;
}

TEST_F(Fuzz, RefusesToMixCampaigns) {
  EXPECT_EQ(run(std::string(k_core) + "--cases 64" + out() + " -- touchstone subject").exit_code, 0);
  const Ran other = run("fuzz --release v1.33.13 --cases 64" + out() + " -- touchstone subject");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.output, "[campaigns-differ]")) << other.output;
}

TEST_F(Fuzz, SaysWhatIsWrongWithTheCommandLine) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"fuzz --against true", "missing-subject"},
      {"fuzz --release v1.34.4 -- /no/such/program", "subject-failed"},
      {"fuzz --release v1.34.4 -- false", "subject-failed"},
      {"fuzz -- touchstone subject", "release-not-answered"},
      {"fuzz --release v9 -- touchstone subject", "unknown-release"},
      {"fuzz --time 5 --release v1.34.4 -- touchstone subject", "bad-time"},
      {"fuzz --families pods --release v1.34.4 -- touchstone subject", "unknown-family"},
      {"fuzz --shard 3/3 --release v1.34.4 -- touchstone subject", "bad-shard"},
      {"fuzz --release v1.34.4 --cases 1 --out /dev/null/x -- touchstone subject", "file-unwritable"},
      {"fuzz --replay README.md --release v1.34.4 -- touchstone subject", "json-malformed"},
      {"campaigns README.md", "json-malformed"},
      {"campaigns --brief", "usage"},
      {"vectors /dev/null", "empty"},
      {"campaigns spec/vectors/core/start.json", "campaign-malformed"},
      {"campaigns /no/such/place", "file-unreadable"},
      {"record --subject false --out /dev/null", "subject-failed"},
      {"record --subject 'touchstone subject' --out /dev/null", "release-not-answered"}};
  for (const auto& [line, code] : lines) {
    const Ran result = run(line);
    EXPECT_EQ(result.exit_code, 2) << line << "\n" << result.output;
    EXPECT_TRUE(contains(result.output, "[" + code + "]")) << line << "\n" << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << line << "\n"
                                                                               << result.output;
  }
}

TEST_F(Fuzz, CountsEvictionsThatDoNotHelpAndShowsThemSmall) {
  const std::string command =
      "fuzz --release v1.34.4 --families spread,terminating --seed 3 --jobs 1 --cases 256";
  const Ran result = run(command + " --witnesses" + out() + " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const std::string name = "futile PRE-SPREAD-7: Terminating pods that were never counted";
  const Json done = campaign();
  EXPECT_GT(done["inVain"][name], 0);
  EXPECT_GT(done["nominated"], done["inVain"][name]);
  EXPECT_TRUE(contains(result.output, name)) << result.output;
  ASSERT_EQ(done["witnesses"].size(), 1u);
  EXPECT_EQ(done["witnesses"][0]["signature"], name);
  EXPECT_LE(done["witnesses"][0]["nodes"], 3);
  EXPECT_LE(done["witnesses"][0]["pods"], 4);
  const std::string file = (dir_ / "out" / "in-vain").string() + "/*.json";
  const Ran replayed = run("vectors " + file);
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output;
  // What is described is counted, and not shrunk unless that is asked for.
  const Ran brief = run(command + " --out " + (dir_ / "brief").string() + " -- touchstone subject");
  EXPECT_EQ(brief.exit_code, 0) << brief.output;
  EXPECT_EQ(campaign("brief")["inVain"], done["inVain"]);
  EXPECT_TRUE(campaign("brief")["witnesses"].empty());
}

TEST_F(Fuzz, RecordsVectorsThatReplay) {
  const std::string file = (dir_ / "vectors.json").string();
  const Ran result = run("record --release v1.34.4 --subject 'touchstone subject' --cases 300 --out " + file);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const Ran replayed = run("vectors " + file);
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output;
  EXPECT_TRUE(contains(replayed.output, " 0 disagreements")) << replayed.output;
  const Ran again = run("record --release v1.34.4 --subject 'touchstone subject' --question " + file +
                        " --out " + file + "2");
  EXPECT_EQ(again.exit_code, 0) << again.output;
  std::ifstream first(file), second(file + "2");
  EXPECT_EQ(Json::parse(first)["cases"], Json::parse(second)["cases"]);
}

}  // namespace touchstone
