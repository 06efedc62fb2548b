#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// The build: where meson install puts the program, paths with blanks, and repeated test runs.
namespace touchstone {

namespace {

namespace fs = std::filesystem;
using tests::TemporaryDirectory;

/// The build directory, which holds the program that TOUCHSTONE names.
std::string build_directory() {
  const char* binary = std::getenv("TOUCHSTONE");
  return binary == nullptr ? "" : fs::path(binary).parent_path().string();
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

/// Installs below a directory whose name has a blank. Returns the directory of the program.
std::string installed_into(const TemporaryDirectory& directory) {
  const std::string destination = directory.path() + "/a place";
  const Ran ran = shell("meson install -C " + quoted(build_directory()) + " --no-rebuild --destdir " +
                        quoted(destination));
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  for (const auto& entry : fs::recursive_directory_iterator(destination)) {
    if (entry.path().filename() == "touchstone" && entry.is_regular_file())
      return entry.path().parent_path().string();
  }
  ADD_FAILURE() << "no program in " << destination;
  return "";
}

}  // namespace

TEST(Install, HasTheDataOfEveryCommandWhereverItIsRun) {
  const TemporaryDirectory directory;
  const std::string elsewhere = "cd " + quoted(directory.path()) +
                                "; PATH=" + quoted(installed_into(directory)) + ":$PATH; touchstone ";
  const Ran vectors = shell(elsewhere + "vectors --release v1.8.15");
  EXPECT_EQ(vectors.exit_code, 0) << vectors.output;
  EXPECT_TRUE(contains(vectors.output, " 0 disagreements")) << vectors.output;
  const Ran campaigns = shell(elsewhere + "campaigns");
  EXPECT_EQ(campaigns.exit_code, 0) << campaigns.output;
  EXPECT_EQ(campaigns.output, run("campaigns").output);
  for (const char* command :
       {"decide -f examples/training-job.json --pod prod/web-0 --release v1.34",
        "decide -f examples/training-job.json --pod-file examples/new-pod.yaml",
        "explain -f examples/situations/budget-on-paper.yaml --node n1 --release v1.34",
        "schedule -f examples/scores/two-zones.yaml --pod shop/web-3", "queue -f examples/training-job.json",
        "vectors spec/vectors/core/start.json", "bench --kept bench/measured/v1.36.3.json",
        "faults --kept faults/measured/all.json", "prove --kept proofs/measured/all.json",
        "fuzz --release v1.34.4 --replay spec/vectors/generated/victims-sorted-again.json -- touchstone "
        "subject",
        "record --release v1.34.4 --question spec/vectors/examples/search.json --subject 'touchstone "
        "subject' "
        "--out vectors.json"}) {
    const Ran ran = shell(elsewhere + command);
    EXPECT_EQ(ran.exit_code, 0) << command << "\n" << ran.output;
  }
}

TEST(Install, PrefersTheFilesOfTheCurrentDirectory) {
  const TemporaryDirectory directory;
  directory.write("examples/training-job.json", "{}");
  directory.write("spec/vectors/none.txt", "");
  const std::string elsewhere = "cd " + quoted(directory.path()) + "; touchstone ";
  EXPECT_NE(shell(elsewhere + "decide -f examples/training-job.json").exit_code, 0);
  EXPECT_NE(shell(elsewhere + "vectors").exit_code, 0);
  const Ran missing = shell(elsewhere + "vectors no/such/file");
  EXPECT_TRUE(contains(missing.output, "touchstone: no/such/file: ")) << missing.output;
}

TEST(Blanks, InThePathOfTheProgramAreNoMatter) {
  const TemporaryDirectory directory;
  const fs::path linked = fs::path(directory.path()) / "a place" / "touchstone";
  fs::create_directory(linked.parent_path());
  const std::string program = build_directory() + "/touchstone";
  fs::create_symlink(program, linked);
  ::setenv("TOUCHSTONE", linked.c_str(), 1);
  const Ran version = run("--version");
  const Ran told = shell("tests/cli/explain/tell examples/situations/tie.yaml");
  const Ran perturbed = shell("echo '{\"cmd\":\"bye\"}' | python3 tests/cli/perturbed.py none v1.34.4");
  ::setenv("TOUCHSTONE", program.c_str(), 1);
  EXPECT_EQ(version.exit_code, 0) << version.output;
  EXPECT_EQ(told.output, text_of("tests/cli/explain/tie.txt"));
  EXPECT_EQ(perturbed.exit_code, 0) << perturbed.output;
}

TEST(Blanks, InThePathOfTheSourcesAreEscapedForNinja) {
  const TemporaryDirectory directory;
  const fs::path tree = fs::path(directory.path()) / "a tree";
  fs::create_directory_symlink(fs::current_path(), tree);
  const std::string output = directory.path() + "/rules.cpp";
  const std::string depfile = directory.path() + "/rules.d";
  const Ran ran =
      shell("python3 spec/rules/rules.py " + quoted(tree.string()) + " " + output + " " + depfile);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(text_of(depfile), "a\\ tree/spec/clauses/preemption.md"))
      << text_of(depfile).substr(0, 500);
  EXPECT_FALSE(contains(text_of(depfile), "a tree/"));
}

TEST(Version, NamesTheCommit) {
  const Ran version = run("--version");
  EXPECT_EQ(version.exit_code, 0);
  const std::regex expected("touchstone [0-9.]+ \\(commit (unknown|[0-9a-f]{12}(-dirty)?)\\)\n");
  EXPECT_TRUE(std::regex_match(version.output, expected)) << version.output;
}

TEST(Repeat, CountsGreenRunsAndNamesWhatIsRed) {
  const std::string repeat = "tests/repeat --build " + quoted(build_directory()) + " ";
  const Ran green = shell(repeat + "--runs 2 --load 1 corpus-quantity");
  EXPECT_EQ(green.exit_code, 0) << green.output;
  EXPECT_TRUE(contains(green.output, "2 runs beside 1 busy loops: 2 green, 0 red\n")) << green.output;
  const Ran red = shell(repeat + "--runs 1 no-such-test");
  EXPECT_EQ(red.exit_code, 1) << red.output;
  EXPECT_TRUE(contains(red.output, "run 1 of 1: red: no test ran, ")) << red.output;
}

}  // namespace touchstone
