#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

/// Runs the commands as a user does: in bash, from the root of the project. `touchstone` is the binary that
/// the environment variable TOUCHSTONE names.
namespace touchstone {

struct Ran {
  int exit_code = 0;
  std::string output;  ///< standard output and standard error
};

/// Runs a script. NO_COLOR is not set, and TERM is xterm.
Ran shell(const std::string& script);

/// Runs `touchstone` with arguments that bash parses. The result has both outputs, or only standard output if
/// the arguments contain "2> /dev/null".
inline Ran run(const std::string& arguments) { return shell("touchstone " + arguments); }

/// Runs a script on a pseudo-terminal with this number of columns, which receives both outputs. Requires: no
/// ' in the script.
Ran on_terminal(const std::string& script, int columns = 80);

/// The content of a file; empty if there is no such file.
std::string text_of(const std::filesystem::path& path);

std::vector<std::string> lines_of(const std::string& text);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace touchstone
