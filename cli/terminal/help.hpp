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

/// The parts of a command's help that are not in its options. Text is wrapped as by wrapped().
struct Manual {
  std::string description;
  std::vector<Example> examples = {};
  std::vector<int> exit_codes = {};  ///< from k_exit_codes
  std::vector<std::string_view> see_also = {};
};

/// Gives a command, or the application, its help, with the sections of a manual page. The content comes from
/// the manual and from what CLI11 knows of options and subcommands. Requires: the terminal outlives the
/// command.
void describe(CLI::App& command, const Terminal& terminal, Manual manual);

}  // namespace touchstone::cli
