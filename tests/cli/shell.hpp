#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

/// The commands as a user runs them: by bash, from the root of the project, `touchstone` being the binary
/// that the environment names in TOUCHSTONE.
namespace touchstone {

struct Ran {
  int exit_code = 0;
  std::string output;  ///< standard output and standard error
};

/// Runs a script. NO_COLOR is not set, TERM is xterm.
Ran shell(const std::string& script);

/// Runs `touchstone` with arguments as bash reads them; both outputs, or, with "2> /dev/null" among the
/// arguments, standard output alone.
inline Ran run(const std::string& arguments) { return shell("touchstone " + arguments); }

/// As on a terminal: both outputs reach a pseudo-terminal of so many columns. Requires: no ' in the script.
Ran on_terminal(const std::string& script, int columns = 80);

/// All that a file has; nothing where there is none.
std::string text_of(const std::filesystem::path& path);

std::vector<std::string> lines_of(const std::string& text);

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace touchstone
