#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/cli/shell.hpp"

/// The output of --help and `touchstone help`, and errors about the command line.
namespace touchstone {

namespace {

/// The lines of a section, without its heading.
std::vector<std::string> section(const std::string& help, const std::string& title) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    if (!line.empty() && line[0] != ' ') {
      inside = line == title;
    } else if (inside) {
      lines.push_back(line);
    }
  }
  return lines;
}

bool indented(const std::string& line, std::size_t by) { return line.find_first_not_of(' ') == by; }

/// All commands, as the help of touchstone lists them; "" is touchstone itself.
std::vector<std::string> commands() {
  std::vector<std::string> names = {""};
  for (const std::string& line : section(run("--help").output, "COMMANDS")) {
    if (indented(line, 4)) names.push_back(line.substr(4));
  }
  return names;
}

/// The command lines under EXAMPLES. A command line that is broken with \ is one string.
std::vector<std::string> examples(const std::string& help) {
  std::vector<std::string> found;
  for (const std::string& line : section(help, "EXAMPLES")) {
    if (indented(line, 8)) found.push_back("");
    if (indented(line, 8) || indented(line, 12)) found.back() += line.substr(8) + "\n";
  }
  return found;
}

/// The error line of a wrong command line. Expects its code, and the exit code for bad input.
std::string complaint(const std::string& arguments) {
  const Ran result = run(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output;
  EXPECT_TRUE(result.output.ends_with(" [usage]\n")) << arguments << "\n" << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << arguments << "\n"
                                                                             << result.output;
  return result.output;
}

}  // namespace

TEST(Help, HasTheSectionsOfAManualPageForEveryCommand) {
  EXPECT_GE(commands().size(), 8u);
  for (const std::string& command : commands()) {
    const Ran result = run(command + " --help");
    EXPECT_EQ(result.exit_code, 0) << command;
    for (const char* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"}) {
      EXPECT_FALSE(section(result.output, title).empty()) << command << " " << title << "\n" << result.output;
    }
  }
}

TEST(Help, NamesEveryOptionAndArgumentOnce) {
  const std::vector<std::string> synopsis = section(run("decide --help").output, "SYNOPSIS");
  ASSERT_GE(synopsis.size(), 2u);
  EXPECT_EQ(synopsis[0], "    touchstone decide -f FILE [--release RELEASE] [--pod NAMESPACE/NAME]");
  std::string options;
  for (const std::string& line : section(run("vectors --help").output, "OPTIONS")) {
    if (indented(line, 4)) options += line + "\n";
  }
  EXPECT_EQ(options,
            "    PATH\n    --release RECORDED\n    --case NAME\n    --engine reference|optimized|both\n"
            "    --update\n    --choose N\n    -o, --output text|json\n"
            "    -h, --help\n    --color auto|always|never\n");
}

TEST(Help, ShowsTheExitCodesThatApply) {
  EXPECT_TRUE(contains(run("decide --help").output, "\n    3  "));
  EXPECT_FALSE(contains(run("explain --help").output, "\n    1  "));
  EXPECT_FALSE(contains(run("rules --help").output, "\n    3  "));
}

TEST(Help, FitsTheTerminal) {
  for (const std::string& command : commands()) {
    for (const std::string& line : lines_of(run(command + " --help").output))
      EXPECT_LE(line.size(), 80u) << line;
  }
  std::size_t widest = 0;
  for (const std::string& line : lines_of(on_terminal("touchstone vectors --help", 200).output)) {
    widest = std::max(widest, line.size() - 1);  // a terminal gets \r\n
  }
  EXPECT_GT(widest, 80u);
  EXPECT_LE(widest, 100u);
  for (const std::string& line : lines_of(on_terminal("touchstone rules --help", 60).output)) {
    EXPECT_LE(line.size(), 61u) << line;
  }
}

/// Examples that other tests run: three that take long, and a server, which runs until it is stopped.
const std::set<std::string> k_run_elsewhere = {
    "touchstone prove --quick\n", "touchstone prove --paths\n", "touchstone conform --list --release v1.34\n",
    "touchstone extender --table examples/extenders/table.yaml --port 8888\n"};

/// 1 for the examples that show how a wrong decision, a wrong scheduler, or a difference is reported; 0 for
/// all others.
int expected_exit_code(const std::string& line) {
  for (const char* const found : {"--decision", "naive.py", "diff --from v1.33"}) {
    if (contains(line, found)) return 1;
  }
  return 0;
}

/// The example with fewer cases, and without the file that it writes.
std::string shortened(std::string line) {
  for (const auto& [whole, shorter] : {std::pair("--out vectors.json", "--out /dev/null"),
                                       {"(diff --from v1.33 --to v1.34)\n", "$1 --generated 20\n"},
                                       {"--levels ties", "--levels ties --repeats 1"},
                                       {"--seeds 3", "--seeds 1"},
                                       {"--cases (\\d+)0\\b", "--cases $1"}})
    line = std::regex_replace(line, std::regex(whole), shorter);
  return line;
}

TEST(Help, ShowsExamplesThatWork) {
  for (const std::string& command : commands()) {
    const std::vector<std::string> lines = examples(run(command + " --help").output);
    EXPECT_FALSE(lines.empty()) << command;
    for (const std::string& line : lines) {
      if (k_run_elsewhere.contains(line)) continue;
      const Ran result = shell(shortened(line));
      EXPECT_EQ(result.exit_code, expected_exit_code(line)) << line << result.output;
    }
  }
}

TEST(Help, IsTheSameByEitherName) {
  for (const std::string& command : commands()) {
    EXPECT_EQ(run("help " + command).output, run(command + " --help").output);
  }
}

TEST(Usage, SuggestsTheCommandThatWasMeant) {
  EXPECT_EQ(
      complaint("dicide"),
      "touchstone: no command \"dicide\"; did you mean decide? (touchstone --help lists them) [usage]\n");
  EXPECT_TRUE(contains(complaint("dicide --help"), "did you mean decide?"));
  EXPECT_TRUE(contains(complaint("help vector"), "did you mean vectors?"));
  EXPECT_FALSE(contains(complaint("dance"), "did you mean"));
  EXPECT_TRUE(contains(complaint(""), "no command given"));
}

TEST(Usage, SuggestsTheOptionThatWasMeant) {
  const std::string all = "-f examples/training-job.json --pod prod/web-0 ";
  EXPECT_EQ(complaint("decide --relase v1.34 " + all),
            "touchstone: no option --relase; did you mean --release? (touchstone decide --help lists them) "
            "[usage]\n");
  EXPECT_TRUE(contains(complaint("decide --fliename=x"), "did you mean --filename?"));
  EXPECT_TRUE(contains(complaint("decide -x " + all), "no option -x (touchstone decide --help"));
  EXPECT_TRUE(contains(complaint("--release v1.34 decide " + all), "belongs after the command"));
  EXPECT_TRUE(contains(complaint("rules PRE-PDB-3 PRE-PDB-4"), "unexpected argument \"PRE-PDB-4\""));
}

TEST(Usage, NamesTheOptionAndWhatItTakes) {
  const std::string file = "decide -f examples/training-job.json ";
  EXPECT_TRUE(contains(complaint("decide"), "option --filename FILE is missing (touchstone decide --help"));
  EXPECT_TRUE(contains(complaint(file + "--pod"), "option --pod needs a value, NAMESPACE/NAME"));
  EXPECT_TRUE(contains(complaint(file + "--pod a/b --pod c/d"), "option --pod is given more than once"));
  EXPECT_TRUE(
      contains(complaint(file + "--pod a/b -o xml"), "option --output takes text|json|yaml, not \"xml\""));
  EXPECT_TRUE(
      contains(complaint("rules --color red"), "option --color takes auto|always|never, not \"red\""));
  EXPECT_TRUE(contains(complaint("vectors --update=maybe"), "option --update takes no value"));
  EXPECT_TRUE(contains(complaint("completion"), "argument bash|zsh|fish is missing"));
  EXPECT_TRUE(contains(complaint("fuzz --cases 0"), "option --cases takes N, not \"0\""));
  EXPECT_TRUE(contains(complaint("record --each 0"), "option --each takes N, not \"0\""));
  for (const char* option :
       {"fuzz --cases ", "fuzz --seed ", "record --seed ", "bench --time ", "scenarios --seed "}) {
    for (const char* number : {"-1", "010", "0x10", "1e3", "99999999999999999999"})
      EXPECT_TRUE(contains(complaint(option + std::string(number)), "not \"" + std::string(number) + "\""))
          << option << number;
  }
}

TEST(Usage, NamesOptionsThatExcludeEachOther) {
  EXPECT_TRUE(contains(complaint("prove --quick --all"), "--quick excludes --all (touchstone prove --help"));
  EXPECT_TRUE(contains(complaint("prove --kept x --quick"), "--quick excludes --kept"));
}

}  // namespace touchstone
