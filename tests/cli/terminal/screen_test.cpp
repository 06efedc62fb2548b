#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.hpp"

/// What is written to a terminal, a pipe and a full disk.
namespace touchstone {

namespace {

const std::string k_asked =
    "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34 ";

bool colored(const Ran& result) { return contains(result.output, "\x1b["); }

/// Whether the output has a control character that a terminal would obey: any except the line end, also one
/// of C1.
bool steers(const std::string& output) {
  for (std::size_t i = 0; i < output.size(); ++i) {
    const auto byte = static_cast<unsigned char>(output[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return true;
    const bool second_of_c1 = i > 0 && static_cast<unsigned char>(output[i - 1]) == 0xC2 && byte >= 0x80;
    if (second_of_c1 && byte <= 0x9F) return true;
  }
  return false;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// A file in a directory of its own. The destructor removes both.
class Scratch {
 public:
  Scratch(const std::string& name, const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "touchstone-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    path_ = directory_ / name;
    std::ofstream(path_) << text;
  }
  ~Scratch() { std::filesystem::remove_all(directory_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path directory_;
  std::filesystem::path path_;
};

}  // namespace

TEST(Color, IsForTerminalsOnly) {
  EXPECT_TRUE(colored(on_terminal(k_asked)));
  EXPECT_TRUE(colored(on_terminal("touchstone --help")));
  EXPECT_FALSE(colored(shell(k_asked)));
  EXPECT_FALSE(colored(on_terminal(k_asked + "2>&1 | cat")));
}

TEST(Color, HeedsTheEnvironment) {
  EXPECT_FALSE(colored(on_terminal("NO_COLOR=1 " + k_asked)));
  EXPECT_TRUE(colored(on_terminal("NO_COLOR= " + k_asked)));
  EXPECT_FALSE(colored(on_terminal("TERM=dumb " + k_asked)));
}

TEST(Color, HeedsTheOptionBeforeAndAfterTheCommand) {
  EXPECT_FALSE(colored(on_terminal(k_asked + "--color never")));
  EXPECT_FALSE(colored(on_terminal("touchstone --color never rules PRE-PDB-3")));
  EXPECT_TRUE(colored(shell(k_asked + "--color always")));
  EXPECT_TRUE(colored(shell("NO_COLOR=1 touchstone --color always rules PRE-PDB-3")));
  EXPECT_TRUE(colored(shell("touchstone --color always rules --help")));
}

TEST(Color, ChangesNoText) {
  std::string shown = shell(k_asked + "--color always").output;
  for (std::size_t at = 0; (at = shown.find("\x1b[")) != std::string::npos;) {
    shown.erase(at, shown.find('m', at) + 1 - at);
  }
  EXPECT_EQ(shown, shell(k_asked).output);
}

TEST(HostileInput, NeverReachesTheTerminalRaw) {
  std::string dump = text_of("examples/training-job.json");
  const std::string hostile = R"(\u001b]0;title\u0007\u009b31m\u007f\u202e\n)";
  for (const char* name : {"gpu-c", "gpu-a", "notebook-1", "nvidia.com/gpu", "\"web-0"}) {
    replace_all(dump, name, name + hostile);
  }
  const Scratch file("cluster.json", dump);
  const std::string pod = R"($'prod/web-0\e]0;title\a\u009b31m\x7f\u202e\n')";
  for (const std::string output : {"text", "json"}) {
    const Ran result = run("decide -f " + file.path() + " --release v1.34 -o " + output + " --pod " + pod);
    EXPECT_FALSE(steers(result.output)) << result.output;
    EXPECT_TRUE(contains(result.output, "\\u009b31m")) << result.output;
  }
}

TEST(HostileInput, IsOneLineOfAnError) {
  const std::string odd = R"($'a\e[31m\n\xff')";
  for (const std::string& arguments :
       {"decide --pod a/b -f " + odd, "decide -f examples/training-job.json --pod " + odd, "vectors " + odd,
        "rules " + odd, odd, "rules -o " + odd, "rules a " + odd, std::string("rules $'--\\e\\n'")}) {
    const Ran result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_FALSE(steers(result.output)) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

TEST(HostileInput, IsHarmlessAsAVector) {
  std::string vectors = text_of("spec/vectors/core/start.json");
  replace_all(vectors, "{\"name\": \"core/", R"({"name": "\u001b[31m)");
  replace_all(vectors, "\"nominated\"", R"("nominated\u009b31m")");
  const Scratch file("vectors.json", vectors);
  const Ran result = run("vectors " + file.path() + " --release v1.34.4");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.output, "\\x1b[31mstart-")) << result.output;
  EXPECT_TRUE(contains(result.output, "nominated\\u009b31m")) << result.output;
  EXPECT_FALSE(steers(result.output)) << result.output;
}

TEST(StandardOutput, FullIsAnError) {
  for (const char* command :
       {"releases", "rules PRE-PDB-3 -o json", "--help", "--version", "completion zsh"}) {
    const Ran result = run(std::string(command) + " > /dev/full");
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_TRUE(result.output.starts_with("touchstone: standard output: ")) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

TEST(StandardOutput, ClosedByItsReaderEndsQuietly) {
  // The reader is gone before the first write. 141 is the exit code of a shell for SIGPIPE.
  const std::string script = "exec 3> >(true); wait $!; touchstone releases 1>&3";
  EXPECT_EQ(shell(script).exit_code, 141);
  EXPECT_EQ(shell(script).output, "");
  EXPECT_EQ(shell("trap '' PIPE; " + script).exit_code, 141);
}

TEST(Progress, IsSeenWhereNothingMoreIsTold) {
  // The subject ends when it sees on the screen that the first cases are judged.
  const Ran result = shell(
      "dir=$(mktemp -d); trap 'rm -r $dir' EXIT; echo 'until grep -q judging $1; do sleep 0.1; done' > "
      "$dir/subject; "
      "SHELL=/bin/bash script --quiet --flush --command \"touchstone fuzz --release v1.34.4 --cases 64 "
      "--jobs 1 "
      "--timeout 60 -- bash $dir/subject $dir/screen\" $dir/screen < /dev/null");
  EXPECT_TRUE(contains(result.output, "judging the first cases\x1b[K")) << result.output;
}

TEST(Progress, IsSeenOnTerminalsAndLeavesNoTrace) {
  // The bar comes after 300 ms, and each answer takes 400 ms, so the bar is seen however fast the machine is.
  std::string shown = on_terminal(
                          "touchstone record --release v1.34.4 --question spec/vectors/examples/search.json "
                          "--subject \"python3 tests/cli/perturbed.py slow v1.34.4\" --out /dev/null")
                          .output;
  replace_all(shown, "\r\n", "\n");
  EXPECT_TRUE(contains(shown, "\rquestions  [")) << shown;
  EXPECT_TRUE(contains(shown, " left\x1b[K")) << shown;
  const std::string erased = "\r\x1b[K";
  const std::size_t end = shown.rfind(erased);
  ASSERT_NE(end, std::string::npos) << shown;
  EXPECT_TRUE(shown.substr(end + erased.size()).starts_with("4 cases, 1 releases, ")) << shown;
}

}  // namespace touchstone
