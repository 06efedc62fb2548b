#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// Tests the main function that runs fuzz targets without a fuzzing engine. replay_planted has a defect: it
/// reads 7 wrongly.
namespace touchstone {

namespace {

using tests::TemporaryDirectory;

/// The unpacked files of fuzz/corpus/quantity.zip.
std::string corpus_of_quantity() {
  const char* corpora = std::getenv("TOUCHSTONE_CORPORA");
  return std::string(corpora == nullptr ? "" : corpora) + "/quantity";
}

void expect(const Ran& ran, int exit_code, const std::string& part) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.output;
  EXPECT_TRUE(contains(ran.output, part)) << ran.output;
}

}  // namespace

TEST(Replay, RunsEveryFile) {
  const auto files = std::distance(std::filesystem::directory_iterator(corpus_of_quantity()), {});
  expect(shell("replay_quantity '" + corpus_of_quantity() + "'"), 0,
         std::to_string(files) + " files, 0 failed\n");
  const TemporaryDirectory directory;
  const std::string file = directory.write("a", "1");
  directory.write("b", "");
  expect(shell("replay_quantity " + file), 0, "1 files, 0 failed\n");
  expect(shell("replay_quantity " + directory.path() + " " + file), 0, "3 files, 0 failed\n");
}

TEST(Replay, TellsEachFileThatBreaksTheLaw) {
  const TemporaryDirectory directory;
  const std::string seven = directory.write("a", "7");
  directory.write("b", "8");
  const std::string again = directory.write("c", "07");
  const Ran ran = shell("replay_planted " + directory.path());
  expect(ran, 1, "broken: whole units are thousandths rounded up\n'7', not '1'\n7\n");
  expect(ran, 1, "FAILED: replay_planted --mutation 0 " + seven + "\n");
  expect(ran, 1, "FAILED: replay_planted --mutation 0 " + again + "\n");
  expect(ran, 1, "3 files, 2 failed\n");
}

TEST(Replay, MutatesFilesTheSameWayEveryTime) {
  const TemporaryDirectory directory;
  directory.write("a", "77");
  expect(shell("replay_planted " + directory.path()), 0, "1 files, 0 failed\n");
  const Ran ran = shell("replay_planted --mutations 1000 " + directory.path());
  expect(ran, 1, "1 files, 1 failed\n");
  const std::size_t at = ran.output.find("replay_planted --mutation ");
  ASSERT_NE(at, std::string::npos) << ran.output;
  expect(shell(ran.output.substr(at, ran.output.find('\n', at) - at)), 1, "1 files, 1 failed\n");
}

TEST(Replay, RefusesToPassWhereThereIsNothingToRun) {
  const TemporaryDirectory directory;
  expect(shell("replay_quantity"), 2, "no files to run\n");
  expect(shell("replay_quantity " + directory.path()), 2, "no files to run\n");
  const std::string missing = directory.path() + "/missing";
  expect(shell("replay_quantity " + missing), 2, missing + ": no such file or directory\n");
  directory.write("a", "1");
  expect(shell("replay_quantity " + directory.path() + " " + missing), 2, "no such file or directory\n");
}

TEST(Replay, TellsHowItIsUsed) {
  expect(shell("replay_quantity --help"), 0, "Example: ");
  for (const char* wrong : {"--mutations", "--mutations x", "--mutations 1x", "--unknown 1"})
    expect(shell("replay_quantity " + std::string(wrong) + " '" + corpus_of_quantity() + "'"), 2,
           "Example: ");
}

}  // namespace touchstone
