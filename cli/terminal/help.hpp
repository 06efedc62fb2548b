#pragma once

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.hpp"

namespace touchstone::cli {

/// A command line that works from the root of the project, and what it is for.
struct Example {
  std::string_view what;
  std::string_view command;
};

/// What the help of a command says beyond its options. Text breaks as in wrapped().
struct Manual {
  std::string description;
  std::vector<Example> examples = {};
  std::vector<int> exit_codes = {};  ///< of k_exit_codes
  std::vector<std::string_view> see_also = {};
};

/// Gives a command, or the application, its help: the sections of a manual page, from the manual and from
/// what CLI11 knows of options and subcommands. Requires: the terminal outlives the command.
void describe(CLI::App& command, const Terminal& terminal, Manual manual);

}  // namespace touchstone::cli
