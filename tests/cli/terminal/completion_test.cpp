#include <gtest/gtest.h>

#include "tests/cli/shell.hpp"

/// The completion scripts, run by the shells themselves.
namespace touchstone {

namespace {

/// What bash offers for the last of the words.
std::string in_bash(const std::string& words) {
  return shell("source <(touchstone completion bash); COMP_WORDS=(touchstone " + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _touchstone; echo \"${COMPREPLY[@]}\"")
      .output;
}

/// What fish offers for a command line, without the descriptions.
std::string in_fish(const std::string& line) {
  const std::string script = "touchstone completion fish | source; complete -C \"" + line + "\"";
  return shell("fish --no-config --command '" + script + "' | cut -f 1 | tr '\\n' ' '").output;
}

/// The command line after zsh has completed it.
std::string in_zsh(const std::string& line) {
  const std::string output = shell("timeout 600 zsh -f tests/cli/complete.zsh '" + line + "'").output;
  return output.substr(0, output.find_first_of("\r\n"));
}

}  // namespace

TEST(Completion, OffersCommandsInBash) {
  EXPECT_EQ(in_bash("de"), "decide\n");
  EXPECT_EQ(in_bash("''"),
            "decide schedule queue simulate explain rules releases vectors scenarios subject extender fuzz "
            "conform diff campaigns faults play replay prove certify record bench completion help\n");
  EXPECT_EQ(in_bash("--color never rel"), "releases\n");
  EXPECT_EQ(in_bash("help de"), "decide\n");
}

TEST(Completion, OffersOptionsInBash) {
  EXPECT_EQ(in_bash("decide --re"), "--release\n");
  EXPECT_EQ(in_bash("releases -"), "-o --output -h --help --color\n");
  EXPECT_EQ(in_bash("releases ''"), "-o --output -h --help --color\n");
  EXPECT_EQ(in_bash("--v"), "--version\n");
}

TEST(Completion, OffersValuesInBash) {
  EXPECT_EQ(in_bash("decide -o ''"), "text json yaml\n");
  EXPECT_EQ(in_bash("decide --output = j"), "json\n");
  EXPECT_EQ(in_bash("decide --output ="), "text json yaml\n");
  EXPECT_EQ(in_bash("completion ''"), "bash zsh fish\n");
  EXPECT_EQ(in_bash("decide --release v1.34"), "v1.34 v1.34.0 v1.34.2 v1.34.3 v1.34.4\n");
  EXPECT_EQ(in_bash("vectors --release v1.36"), "v1.36.1 v1.36.3\n");
  EXPECT_EQ(in_bash("rules PRE-PDB-3"), "PRE-PDB-3\n");
  EXPECT_EQ(in_bash("scenarios --families ta"), "taints\n");
  EXPECT_EQ(in_bash("decide --pod pr"), "\n");
}

TEST(Completion, OffersFilesInBash) {
  EXPECT_EQ(in_bash("decide -f examples/tr"), "examples/training-job.json\n");
  EXPECT_EQ(in_bash("decide --filename READ"), "README.md\n");
  EXPECT_EQ(in_bash("vectors spec/vectors/core/st"), "spec/vectors/core/start.json\n");
}

TEST(Completion, CompletesInFish) {
  EXPECT_EQ(in_fish("touchstone de"), "decide ");
  EXPECT_EQ(in_fish("touchstone decide --re"), "--release ");
  EXPECT_EQ(in_fish("touchstone --color always decide --rel"), "--release ");
  EXPECT_EQ(in_fish("touchstone decide -o "), "json text yaml ");
  EXPECT_EQ(in_fish("touchstone rules PRE-PDB-3"), "PRE-PDB-3 ");
  EXPECT_EQ(in_fish("touchstone decide -f READ"), "README.md ");
}

TEST(Completion, IsReadByItsShell) {
  for (const std::string command : {"bash", "zsh", "fish"}) {
    const Ran result = shell(command + " -n <(touchstone completion " + command + ")");
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_EQ(result.output, "") << command;
  }
}

TEST(Completion, CompletesInZsh) {
  EXPECT_EQ(in_zsh("touchstone de"), "touchstone decide ");
  EXPECT_EQ(in_zsh("touchstone decide --re"), "touchstone decide --release ");
  EXPECT_EQ(in_zsh("touchstone --color always rules PRE-PDB-3"),
            "touchstone --color always rules PRE-PDB-3 ");
  EXPECT_EQ(in_zsh("touchstone decide -o j"), "touchstone decide -o json ");
  EXPECT_EQ(in_zsh("touchstone decide -f READ"), "touchstone decide -f README.md ");
}

}  // namespace touchstone
