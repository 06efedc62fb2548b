#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace touchstone::cli {

enum class Style { strong, good, warning, bad, faint };

/// The table width of output that is not a terminal: unlimited.
inline constexpr std::size_t k_unlimited = std::numeric_limits<std::size_t>::max();

/// Properties of standard output and standard error.
struct Terminal {
  std::size_t output_width = 80;          ///< columns of standard output; 80 if it is not a terminal
  std::size_t table_width = k_unlimited;  ///< columns that a table may take
  std::size_t error_width = 80;   ///< columns of standard error
  bool redraws_errors = false;    ///< standard error is a terminal that can erase a line
  bool invites_color = false;     ///< standard output is a terminal; NO_COLOR and TERM allow colour
  bool colored = false;           ///< whether output is coloured, according to --color

  /// Makes text of any origin printable() and, if output is coloured, adds the style.
  std::string styled(Style style, std::string_view text) const;
};

/// Detects the terminals of the process. Reads NO_COLOR (no-color.org) and TERM from the environment.
Terminal find_terminal();

/// Adds `--color auto|always|never` to the application. Requires: `terminal` outlives the application.
void add_color_option(CLI::App& app, Terminal& terminal);

}  // namespace touchstone::cli
