#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// Conformance, as a user judges a scheduler.
namespace touchstone {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Has a directory that is removed after the test.
class Conform : public testing::Test {
 protected:
  Conform() {
    std::string name = (fs::temp_directory_path() / "touchstone-conform-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~Conform() override { fs::remove_all(dir_); }

  std::string file(const std::string& name) const { return (dir_ / name).string(); }
  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(dir_ / name) << text;
    return file(name);
  }

  fs::path dir_;
};

std::string perturbed(const std::string& fault) {
  return " -- python3 tests/cli/perturbed.py " + fault + " v1.34.4";
}

/// A few of the vectors: to read all takes seconds in a build with sanitizers.
const std::string k_few = " --vectors spec/vectors/paths ";

Json judged(const std::string& options, int exit_code, const std::string& vectors = k_few) {
  const Ran result = run("conform --release v1.34.4 -o json " + vectors + options + " 2> /dev/null");
  EXPECT_EQ(result.exit_code, exit_code) << result.output.substr(0, 2000);
  return Json::parse(result.output, nullptr, false);
}

}  // namespace

TEST_F(Conform, JudgesThePythonExample) {
  const Ran result =
      run("conform --release v1.34.4 --levels ties,pdb" + k_few + "-- python3 examples/subjects/naive.py");
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, "PRE-NODE-5")) << result.output;
  EXPECT_TRUE(contains(result.output, "Not claimed by the subject, and not judged: pdbs")) << result.output;
  EXPECT_TRUE(contains(result.output, "replay: touchstone conform --release v1.34.4 --case"))
      << result.output;
}

TEST_F(Conform, ShrinksTheSmallestCaseOfEachViolatedClause) {
  const Json report = judged(
      "--levels core --case clauses/PRE-VICTIM-5 --repeats 1 --shrink -- python3 examples/subjects/naive.py",
      1, " --vectors spec/vectors/examples ");
  ASSERT_EQ(report.at("smallest").size(), 1U);
  const Json& smallest = report.at("smallest").at("PRE-VICTIM-6");
  EXPECT_EQ(smallest.at("case"), "clauses/PRE-VICTIM-5");
  EXPECT_LT(smallest.at("question").dump().size(), report.at("failures")[0].at("question").dump().size());
  EXPECT_TRUE(contains(smallest.at("cluster"), "kind: Node")) << smallest;
  EXPECT_TRUE(contains(smallest.at("sentence"), "PRE-VICTIM-6, reprieve")) << smallest;
}

TEST_F(Conform, ListsTheCasesWithTheFeaturesThatTheyNeed) {
  const Ran listed = run("conform --list --cases --release v1.34.4 --levels pdb -o json");
  const Json level = Json::parse(listed.output).at("levels").at("pdb");
  EXPECT_EQ(level.at("needs").size(), level.at("cases"));
  EXPECT_EQ(level.at("needs").at("clauses/PRE-PDB-1"), Json({"core", "pdbs"}));
}

TEST_F(Conform, TheReferencePasses) {
  const Json report = judged("--levels ties,sampling --repeats 1 -- touchstone subject", 0, "");
  EXPECT_TRUE(report.at("conforms"));
  ASSERT_EQ(report.at("levels").size(), 2U);
  for (const Json& level : report.at("levels")) {
    EXPECT_EQ(level.at("outcome"), "passes");
    EXPECT_GT(level.at("cases"), 20);
  }
  EXPECT_GT(report.at("levels")[0].at("verdicts").at("conformsAsOneOf"), 20);
}

TEST_F(Conform, ABadSubjectGetsAVerdictForEachCase) {
  for (const auto& [fault, verdict] : {std::pair<const char*, const char*>{"crash", "crashed"},
                                       {"garbage", "malformed"},
                                       {"flood", "malformed"},
                                       {"talks", "malformed"},
                                       {"order", "malformed"},
                                       {"error", "malformed"},
                                       {"skip", "unsupported"}}) {
    const Json report =
        judged("--levels core --repeats 1" + perturbed(fault), 1, "--vectors spec/vectors/core ");
    const Json level = report.at("levels")[0];
    EXPECT_GT(level.at("verdicts").at(verdict), 0) << fault;
    EXPECT_EQ(level.at("results").size(), level.at("cases")) << fault;
  }
}

TEST_F(Conform, ASubjectThatChangesItsMindViolatesAClause) {
  const Json level = judged("--levels ties" + perturbed("changes"), 1).at("levels")[0];
  EXPECT_EQ(level.at("results").size(), level.at("cases"));
  EXPECT_EQ(level.at("verdicts").at("violates"), level.at("cases"));
  EXPECT_EQ(judged("--levels ties --repeats 1" + perturbed("changes"), 0).at("levels")[0].at("outcome"),
            "passes");
}

TEST_F(Conform, ASubjectThatHangsIsNotAskedForever) {
  const Json report = judged("--levels ties --repeats 1 --timeout 1" + perturbed("hang-always"), 1);
  const Json level = report.at("levels")[0];
  EXPECT_EQ(level.at("verdicts").at("hung"), 5);
  EXPECT_EQ(level.at("verdicts").at("skipped"), level.at("cases").get<int>() - 5);
}

TEST_F(Conform, KnownFailuresMakeTheRunPassAndUnexpectedPassesFail) {
  const std::string known = written("known.yaml", "- level: ties\n  reason: it cannot\n");
  EXPECT_EQ(judged("--levels ties --known " + known + perturbed("skip"), 0).at("levels")[0].at("outcome"),
            "knownFailures");
  const Json passing = judged("--levels ties --known " + known + " -- touchstone subject", 1);
  EXPECT_EQ(passing.at("known")[0].at("problem"), "unexpectedPass");
  const std::string bad = written("bad.yaml", "- level: ties\n");
  const Ran result = run("conform --release v1.34.4 --levels ties --known " + bad + perturbed("skip"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.output, "bad.yaml")) << result.output;
}

TEST_F(Conform, WritesReportsThatTheirFormatsAccept) {
  const Ran result = run("conform --release v1.34.4 --levels ties,pdb --repeats 1 -o json" + k_few +
                         "--junit " + file("junit.xml") + " --sarif " + file("report.sarif") + " --badges " +
                         file("badges") + " -- python3 examples/subjects/naive.py > " + file("report.json"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  const Ran valid = shell("python3 tests/conformance/formats.py " + dir_.string());
  EXPECT_EQ(valid.exit_code, 0) << valid.output;
  EXPECT_TRUE(fs::exists(dir_ / "badges" / "ties.json"));
  EXPECT_EQ(Json::parse(text_of(dir_ / "badges" / "pdb.json")).at("message"), "not claimed");
  const Ran again =
      run("conform --release v1.34.4 --levels ties" + k_few + "--junit /no/such/place -- touchstone subject");
  EXPECT_EQ(again.exit_code, 2);
}

TEST_F(Conform, ReplaysOneCase) {
  const Json report = judged("--levels ties --repeats 1 -- python3 examples/subjects/naive.py", 1);
  const std::string replay = report.at("failures")[0].at("replay");
  const Ran result = shell(replay);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_TRUE(contains(result.output, report.at("failures")[0].at("case"))) << result.output;
  EXPECT_EQ(run("conform --release v1.34.4" + k_few + "--case no-such-case -- touchstone subject").exit_code,
            2);
}

TEST_F(Conform, JudgesVectorsOfAnyPlace) {
  const Ran result =
      run("conform --release v1.34.4 --levels core --vectors spec/vectors/core -- touchstone subject");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_TRUE(contains(result.output, "v1.34.4, vectors of spec/vectors/core")) << result.output;
  EXPECT_FALSE(contains(result.output, "conformance suite")) << result.output;
  const Ran none =
      run("conform --release v1.34.4 --levels cycle --vectors spec/vectors/core -- touchstone subject");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.output, "--levels: no case of these levels in spec/vectors/core")) << none.output;
  const Ran wrong = run("conform --list --release v1.34.4 --vectors " + written("list.json", "[1]"));
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.output, "list.json: expected an object, found array")) << wrong.output;
}

TEST_F(Conform, PrintsAnnotationsForGithub) {
  const Ran result = run("conform --release v1.34.4 --levels ties" + k_few +
                         "--github -- python3 examples/subjects/naive.py 2> /dev/null");
  EXPECT_TRUE(contains(result.output, "\n::error title=Ties%3A PRE-")) << result.output;
}

TEST_F(Conform, ListsSuitesWithSizesAndHashes) {
  const Ran result = run("conform --list --release v1.34.4 --levels ties -o json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const Json listed = Json::parse(result.output);
  const Json published = Json::parse(text_of("conformance/suites.json"));
  EXPECT_EQ(listed.at("levels").at("ties"), published.at("releases").at("v1.34.4").at("ties"));
  EXPECT_TRUE(contains(run("conform --list --release v1.34.4 --levels ties").output, "HASH"));
}

TEST_F(Conform, RefusesWrongUsage) {
  EXPECT_EQ(run("conform --release v1.34.4").exit_code, 2);
  EXPECT_EQ(run("conform --list --case clauses/PRE-PDB-1").exit_code, 2);
  EXPECT_EQ(run("conform --release v9.1 -- touchstone subject").exit_code, 2);
  EXPECT_EQ(run("conform --release v1.34.4 --levels cores -- touchstone subject").exit_code, 2);
  EXPECT_EQ(run("conform --release v1.34.4 --known no-such.yaml -- touchstone subject").exit_code, 2);
  EXPECT_EQ(run("conform --release v1.34.4 -- no-such-program").exit_code, 2);
}

// A level that the command line names must be judged.
TEST_F(Conform, ALevelThatIsNamedButNotClaimedFails) {
  const Json report = judged("--levels pdb -- python3 examples/subjects/naive.py", 1);
  EXPECT_EQ(report.at("levels")[0].at("outcome"), "notClaimed");
}

}  // namespace touchstone
