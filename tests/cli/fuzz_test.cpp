#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
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

/// Has a directory that is removed after the test.
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
  /// Writes a vector file with one case, and returns its path.
  std::string vector_of(const std::string& name, const std::string& question) const {
    const Json entry = {{"name", name},
                        {"clauses", Json::array()},
                        {"answers", Json::array()},
                        {"question", Json::parse(question)}};
    const fs::path file = dir_ / (name + ".json");
    std::ofstream(file) << Json{{"origin", "by hand"}, {"releases", {"v1.34.4"}}, {"cases", {entry}}};
    return file.string();
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
  // The campaign continues where it ended.
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
  const std::string text = text_of(dir_ / "out" / "differences" / (hash + ".txt"));
  EXPECT_TRUE(contains(text, "#   touchstone fuzz --replay " + hash + ".json --release v1.34.4")) << text;
  EXPECT_FALSE(contains(text, dir_.string())) << text;
}

TEST_F(Fuzz, WritesADifferenceThatExplainReads) {
  const Ran result = run(std::string(k_core) + "--cases 64" + out() + perturbed("last-victim"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const std::string file = (dir_ / "out" / "differences" / campaign()["found"][0]["hash"]).string();
  const Ran vector = run("explain -f " + file + ".json");
  EXPECT_EQ(vector.exit_code, 0) << vector.output;
  EXPECT_TRUE(contains(vector.output, "release v1.34.4 ")) << vector.output;
  EXPECT_TRUE(contains(vector.output, "nominated: node n1, evicting 2 pods")) << vector.output;
  const Ran cluster = run("explain -f " + file + ".txt --release v1.34.4");
  EXPECT_EQ(cluster.exit_code, 0) << cluster.output;
  const auto decision_in = [](const Ran& ran) { return ran.output.substr(ran.output.find("nominated:")); };
  EXPECT_EQ(decision_in(cluster), decision_in(vector));
  EXPECT_EQ(run("decide -f " + file + ".json --pod default/other").exit_code, 2);
  const Ran several = run("explain -f spec/vectors/core/start.json");
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_TRUE(contains(several.output, "[unknown-case]")) << several.output;
}

// The naive subject sends no statuses. Every clause that is named is counted, has its title, and is in the
// reasons below it. The first line says which side is wrong.
TEST_F(Fuzz, NamesTheCauseWithItsTitle) {
  const Ran result =
      run("fuzz --release v1.34.4 --families pdbs,starts --cases 64 --jobs 1 --shrink-asks 200" + out() +
          " -- python3 examples/subjects/naive.py");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json done = campaign();
  for (const char* consequence : {"PRE-VICTIM-7", "PRE-OUTCOME-1", "PRE-OUTCOME-4", "PRE-NODE-6"})
    EXPECT_FALSE(done["byClause"].contains(consequence)) << done["byClause"];
  EXPECT_TRUE(contains(result.output, ": PRE-VICTIM-6, reprieve\n")) << result.output;
  std::istringstream lines(result.output);
  std::vector<int> counts;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  differ ")) counts.push_back(std::stoi(line.substr(9)));
  }
  EXPECT_EQ(counts.size(), done["byClause"].size());
  EXPECT_TRUE(std::is_sorted(counts.rbegin(), counts.rend())) << result.output;
  ASSERT_FALSE(done["found"].empty());
  for (const Json& found : done["found"]) {
    const std::string clause = found["clause"];
    EXPECT_TRUE(done["byClause"].contains(clause)) << found;
    std::ifstream in(dir_ / "out" / "differences" / (found["hash"].get<std::string>() + ".txt"));
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_TRUE(text.starts_with("# naive v1.34.4 is wrong (" + clause + ", ")) << text;
    EXPECT_GT(text.find("[" + clause + "]", text.find("\n# Explanation ")), text.find("\n# Explanation "))
        << text;
    EXPECT_NE(text.find("[" + clause + "]"), std::string::npos) << text;
  }
}

// A shrunk difference of the naive subject: two unstarted pods in the order of the list. Once the report
// named a rule that the subject does not break, because it also compared what the answer leaves out.
TEST_F(Fuzz, NamesTheOrderOfUnstartedPods) {
  const std::string file = vector_of("unstarted", R"({
      "nodes": [{"metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "1"}}}],
      "pods": [{"metadata": {"name": "a"}, "spec": {"nodeName": "n1"}},
               {"metadata": {"name": "b"}, "spec": {"nodeName": "n1",
                "containers": [{"resources": {"requests": {"cpu": "1"}}}]}}],
      "pod": {"metadata": {"name": "p"}, "spec": {"priority": 1}}})");
  const Ran result =
      run("fuzz --release v1.34.4 --replay " + file + " -- python3 examples/subjects/naive.py");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(result.output.starts_with(
      "naive v1.34.4 is wrong (PRE-VICTIM-5, unstarted pods): it evicts default/a, "
      "default/b from n1, in this order, but kube-scheduler v1.34.4 evicts default/b, "
      "default/a from n1: the same pods in another order\n"))
      << result.output;
  EXPECT_TRUE(contains(result.output, "\nRule: PRE-VICTIM-5, unstarted pods\n  ")) << result.output;
}

// PRE-PDB-7 is a rule of v1.38. A difference from v1.37 must not read as if v1.37 had it.
TEST_F(Fuzz, SaysThatTheReleaseLacksTheRule) {
  const std::string file = vector_of("empty-selector", R"({
      "nodes": [{"metadata": {"name": "n1"}, "status": {"allocatable": {"pods": "1"}}}],
      "pods": [{"metadata": {"name": "a"}, "spec": {"nodeName": "n1"}}],
      "pdbs": [{"metadata": {"name": "b"}, "spec": {"selector": {}}, "status": {"disruptionsAllowed": 0}}],
      "pod": {"metadata": {"name": "p"}, "spec": {"priority": 1}}})");
  const Ran result = shell("touchstone fuzz --release v1.38 --against-release v1.37.2 --replay " + file +
                           " -- touchstone subject");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "\nkube-scheduler v1.37.2 does not have this rule. ")) << result.output;
  EXPECT_FALSE(contains(result.output, "in another order")) << result.output;
}

TEST_F(Fuzz, NamesTheFileOfAQuestionThatCannotBeRead) {
  const std::string file = vector_of("no-pod", R"({"nodes": []})");
  const Ran result =
      run("fuzz --release v1.34.4 --replay " + file + " -- python3 examples/subjects/naive.py");
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_TRUE(contains(result.output, file + ": question: pod: expected this field")) << result.output;
}

// Each of two subjects is compared with the reference of its own release.
TEST_F(Fuzz, SaysWhichOfTwoSubjectsIsWrong) {
  const std::string families = "fuzz --release v1.34.4 --families pdbs,starts --seed 7 --jobs 1 --cases 64";
  const auto first_line = [&](const std::string& name) {
    const std::string hash = campaign(name)["found"].at(0)["hash"];
    std::ifstream in(dir_ / name / "differences" / (hash + ".txt"));
    std::string line;
    std::getline(in, line);
    return line;
  };
  const auto to = [this](const std::string& name) {
    return " --shrink-asks 40 --out " + (dir_ / name).string();
  };
  run(families + to("left") +
      " --against 'python3 tests/cli/perturbed.py last-victim v1.34.4' -- touchstone subject");
  EXPECT_TRUE(contains(first_line("left"), " is wrong (PRE-VICTIM-6, reprieve): ")) << first_line("left");
  run("fuzz --release v1.31.3 --against-release v1.31.2 --families pdbs --seed 7 --jobs 1 --cases 512" +
      to("releases") + " --against 'touchstone subject' -- touchstone subject");
  EXPECT_TRUE(contains(first_line("releases"), " differ (PRE-VICTIM-7, the order of victims): "))
      << first_line("releases");
  EXPECT_TRUE(first_line("releases").ends_with("; each is right for its release")) << first_line("releases");
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

// Verdicts on nodes are no decision, and are shrunk and reported all the same.
TEST_F(Fuzz, ReportsAWrongVerdictOnANode) {
  const Ran result = run(std::string(k_core) + "--cases 32 --shrink-asks 40" + out() +
                         " -- python3 tests/cli/fits_everywhere.py");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json all = campaign()["found"];
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0]["signature"], "answers accepted");
  EXPECT_EQ(all[0]["nodes"], 1);
  std::ifstream in(dir_ / "out" / "differences" / (all[0]["hash"].get<std::string>() + ".txt"));
  std::string sentence;
  std::getline(in, sentence);
  EXPECT_TRUE(sentence.starts_with("# fits everywhere v1.34.4 is wrong (PRE-FIT-")) << sentence;
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
  // The timeout of an answer is an hour: the end of --time must end this wait, too.
  const Ran nothing = run(std::string(k_core) + "--time 1s --timeout 3600" + perturbed("hang-always"));
  EXPECT_EQ(nothing.exit_code, 2) << nothing.output;
  EXPECT_TRUE(contains(nothing.output, "[nothing-judged]")) << nothing.output;
  // The end of --time ends shrinking, too: so many questions would take days.
  const Ran result = run(std::string(k_core) + "--time 12s --timeout 1 --shrink-asks 200000" + out() +
                         perturbed("hang-always"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_GE(campaign()["cases"], 1);
  EXPECT_EQ(campaign()["found"][0]["clause"], "hung");
}

TEST_F(Fuzz, CountsWhatWasJudgedBeforeAnInterruption) {
  const std::string line = std::string(k_core) + "--cases 64" + out();
  // The extra argument `right` makes the answers of the subject right.
  const Ran first = run(line + perturbed("interrupts") + " 5 right");
  EXPECT_EQ(first.exit_code, 130) << first.output;
  EXPECT_EQ(campaign()["agree"], 4);
  EXPECT_EQ(campaign()["begun"], Json::parse(R"([{"block":0,"cases":4}])"));
  const Ran second = run(line + perturbed("interrupts") + " 99 right");
  EXPECT_EQ(second.exit_code, 0) << second.output;
  EXPECT_EQ(campaign()["agree"], 64);
  const std::string whole = " --out " + (dir_ / "whole").string();
  EXPECT_EQ(run(std::string(k_core) + "--cases 64" + whole + perturbed("none")).exit_code, 0);
  EXPECT_EQ(campaign("whole")["behaviours"], campaign()["behaviours"]) << "no case is lost or counted twice";
}

TEST_F(Fuzz, CountsACaseBeforeItsDifferenceIsShrunk) {
  // The first block has 64 questions, and the first difference is run once more. Then it is shrunk.
  const Ran result = run(std::string(k_core) + "--cases 64" + out() + perturbed("interrupts") + " 70");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_GE(campaign()["differ"], 1);
  EXPECT_EQ(campaign()["found"].size(), 1u);
  EXPECT_FALSE(campaign()["found"][0]["minimal"]);
  EXPECT_FALSE(contains(result.output, " 0 differ")) << result.output;
}

TEST_F(Fuzz, SparesASubjectWhatNoApiServerServes) {
  // Unlike naive.py, this subject reads some fields without checking that they exist. Every pod and node of a
  // served cluster has these fields.
  const std::string careless = (dir_ / "careless.py").string();
  const Ran written = shell(
      "sed -e 's/get(pod, \"spec\", \"containers\", default=\\[\\])/pod[\"spec\"][\"containers\"]/' "
      "-e 's/get(pod, \"spec\", \"priority\", default=0)/pod[\"spec\"][\"priority\"]/' "
      "-e 's/get(node, \"status\", \"allocatable\", \"cpu\", default=\"0\")/"
      "node[\"status\"][\"allocatable\"].get(\"cpu\", \"0\")/' "
      "-e 's/.get(\"namespace\", \"default\")/[\"namespace\"]/' examples/subjects/naive.py > " +
      careless + "; diff examples/subjects/naive.py " + careless + " | grep -c '^>'");
  EXPECT_EQ(written.output, "4\n");
  const std::string line = std::string(k_core) + "--cases 64 --shrink-asks 40 --out " + dir_.string();
  const Ran result = run(line + "/careless -- python3 " + careless);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_EQ(run(line + "/careful -- python3 examples/subjects/naive.py").exit_code, 1);
  EXPECT_EQ(campaign("careless")["shrinkFailures"], nullptr) << result.output;
  EXPECT_EQ(campaign("careless")["byClause"], campaign("careful")["byClause"]);
  EXPECT_EQ(campaign("careless")["found"], campaign("careful")["found"]);
}

TEST_F(Fuzz, CountsCrashesWhileShrinkingAndShowsOne) {
  const Ran result = run(std::string(k_core) + "--cases 64" + out() + perturbed("needs-uid"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Json done = campaign();
  EXPECT_GT(done["shrinkFailures"]["crashed"], 0);
  EXPECT_TRUE(contains(result.output, " while differences were shrunk\n")) << result.output;
  EXPECT_TRUE(contains(result.output, "standard error of the subject ended with\n  the pod has\n  no uid\n"))
      << result.output;
  std::size_t crashes = 0;
  for (const Json& found : done["found"]) {
    if (found["clause"] != "crashed") continue;
    ++crashes;
    EXPECT_EQ(found["failure"], "ended with exit code 1");
    EXPECT_EQ(found["standardError"], "the pod has\nno uid\n");
    EXPECT_TRUE(fs::exists(dir_ / "out" / "differences" / (found["hash"].get<std::string>() + ".txt")));
  }
  EXPECT_EQ(crashes, 1u);
  EXPECT_FALSE(done["byClause"].contains("crashed")) << "these are no cases of the campaign";
}

TEST_F(Fuzz, KeepsTheLastLinesOfASubjectThatDiesAtTheStart) {
  const Ran at_start = run(std::string(k_core) + "--cases 64" + perturbed("dies-at-start"));
  EXPECT_EQ(at_start.exit_code, 2);
  EXPECT_TRUE(
      contains(at_start.output,
               "ended with exit code 1; its standard error ended with: no | license [subject-failed]"))
      << at_start.output;
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
  EXPECT_EQ(campaign("whole")["behaviours"], campaign()["behaviours"])
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
  EXPECT_EQ(Json::parse(sum.output)[0]["behaviours"], campaign("whole")["behaviours"]);
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
      {"fuzz --timelines --release v1.34.4 --cases 1 --out /dev/null/x -- touchstone subject",
       "file-unwritable"},
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
  EXPECT_GT(done["ineffectiveEvictions"][name], 0);
  EXPECT_GT(done["nominated"], done["ineffectiveEvictions"][name]);
  EXPECT_TRUE(contains(result.output, name)) << result.output;
  ASSERT_EQ(done["witnesses"].size(), 1u);
  EXPECT_EQ(done["witnesses"][0]["signature"], name);
  EXPECT_LE(done["witnesses"][0]["nodes"], 3);
  EXPECT_LE(done["witnesses"][0]["pods"], 4);
  const std::string file = (dir_ / "out" / "in-vain").string() + "/*.json";
  const Ran replayed = run("vectors " + file);
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output;
  // A class that is described is counted. It is shrunk only if the user asks for that.
  const Ran brief = run(command + " --out " + (dir_ / "brief").string() + " -- touchstone subject");
  EXPECT_EQ(brief.exit_code, 0) << brief.output;
  EXPECT_EQ(campaign("brief")["ineffectiveEvictions"], done["ineffectiveEvictions"]);
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

// Schedulers over time.
TEST_F(Fuzz, PlaysTimelines) {
  const Ran good =
      run("fuzz --timelines --release v1.36.3 --cases 4 --jobs 1" + out() + " -- touchstone subject");
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_TRUE(contains(good.output, "4 timelines")) << good.output;
  EXPECT_EQ(campaign()["agree"], 4);
  const Ran bad = run("fuzz --timelines --release v1.36.3 --cases 4 --jobs 1 --shrink-asks 60 --out " +
                      (dir_ / "bad").string() + perturbed("no-rejectors", "v1.36.3"));
  EXPECT_EQ(bad.exit_code, 1) << bad.output;
  const Json found = campaign("bad")["found"];
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0]["key"], "state.rejectors");
  const std::string file =
      (dir_ / "bad" / "differences" / found[0]["hash"].get<std::string>()).string() + ".jsonl";
  const Ran again =
      run("fuzz --timelines --release v1.36.3 --replay " + file + perturbed("no-rejectors", "v1.36.3"));
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_TRUE(contains(again.output, "differs from touchstone-reference in state.rejectors")) << again.output;
  EXPECT_EQ(run("fuzz --timelines --release v1.36.3 --replay " + file + " -- touchstone subject").exit_code,
            0);
  EXPECT_EQ(run("play " + file).exit_code, 0);
  EXPECT_EQ(run("fuzz --timelines --cases 1").exit_code, 2);
}

TEST_F(Fuzz, PlaysTheControllersBesideTheScheduler) {
  const std::string campaign_of =
      "fuzz --timelines --part disruption --release v1.37.2 --cases 4 --jobs 1 --out ";
  const Ran good = run(campaign_of + (dir_ / "good").string() + " -- touchstone subject");
  EXPECT_EQ(good.exit_code, 0) << good.output;
  EXPECT_EQ(campaign("good")["agree"], 4);
  const Ran bad = run(campaign_of + (dir_ / "bad").string() + perturbed("one-more-healthy", "v1.37.2"));
  EXPECT_EQ(bad.exit_code, 1) << bad.output;
  const Json found = campaign("bad")["found"];
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0]["key"].get<std::string>().ends_with(".currentHealthy")) << found;
  const std::string file =
      (dir_ / "bad" / "differences" / found[0]["hash"].get<std::string>()).string() + ".jsonl";
  const Ran again =
      run("fuzz --timelines --release v1.37.2 --replay " + file + perturbed("one-more-healthy", "v1.37.2"));
  EXPECT_EQ(again.exit_code, 1) << again.output;
  EXPECT_EQ(run("fuzz --timelines --release v1.37.2 --replay " + file + " -- touchstone subject").exit_code,
            0);
  EXPECT_EQ(run("fuzz --part disruption --cases 1 -- touchstone subject").exit_code, 2);
}

TEST_F(Fuzz, ShowsCampaignsOverTime) {
  for (const char* release : {"v1.37.2", "v1.36.3"}) {
    const Ran ran = run("fuzz --timelines --release " + std::string(release) + " --cases 3 --jobs 1 --out " +
                        (dir_ / release).string() + " -- touchstone subject");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
  }
  const std::string newer = (dir_ / "v1.37.2").string(), older = (dir_ / "v1.36.3").string();
  const Ran one = run("campaigns " + newer);
  EXPECT_EQ(one.exit_code, 0) << one.output;
  EXPECT_TRUE(contains(one.output, "3 timelines in ")) << one.output;
  const Ran two = run("campaigns " + newer + " " + older);
  EXPECT_EQ(two.exit_code, 0) << two.output;
  EXPECT_TRUE(contains(two.output, "TIMELINES")) << two.output;
  EXPECT_LT(two.output.find("touchstone-reference v1.36.3"), two.output.find("touchstone-reference v1.37.2"));
  const Ran with_decisions = run("campaigns " + newer + " fuzz/campaigns/v1.37.2.json");
  EXPECT_TRUE(contains(with_decisions.output, "BEHAVIOURS")) << with_decisions.output;
  EXPECT_TRUE(contains(with_decisions.output, "TIMELINES")) << with_decisions.output;
  EXPECT_EQ(Json::parse(run("campaigns -o json " + newer + " " + older).output)[1]["agree"], 3);
  EXPECT_EQ(run("campaigns --out " + (dir_ / "sum").string() + " " + newer).exit_code, 2);
  Json differs = campaign("v1.37.2");
  differs["agree"] = 2;
  differs["differ"] = 1;
  differs["byClause"] = {{"QUE-POP-1", 1}};
  std::ofstream(dir_ / "v1.37.2" / "campaign.json") << differs;
  EXPECT_EQ(run("campaigns " + newer + " " + older).exit_code, 1);
  std::ofstream(dir_ / "v1.37.2" / "campaign.json") << R"({"timelines": 1})";
  const Ran broken = run("campaigns " + newer);
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_TRUE(contains(broken.output, "[campaign-malformed]")) << broken.output;
}

}  // namespace touchstone
