#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace touchstone::cli {

enum class Style { strong, good, warning, bad, faint };

/// Output that is no terminal has no width that a table must fit.
inline constexpr std::size_t k_unlimited = std::numeric_limits<std::size_t>::max();

/// What standard output and standard error lead to.
struct Terminal {
  std::size_t output_width = 80;  ///< columns of standard output; 80 where it is not a terminal
  std::size_t table_width = k_unlimited;  ///< columns that a table may take
  std::size_t error_width = 80;   ///< columns of standard error
  bool redraws_errors = false;    ///< standard error is a terminal that can erase a line
  bool invites_color = false;     ///< standard output is a terminal, and the environment objects to no colour
  bool colored = false;           ///< what --color made of it

  /// Text of any origin, made printable() and, where output is coloured, shown in a style.
  std::string styled(Style style, std::string_view text) const;
};

/// Asks the process for its terminals, and the environment for NO_COLOR (no-color.org) and TERM.
Terminal find_terminal();

/// Adds `--color auto|always|never` to the application. Requires: the terminal outlives it.
void add_color_option(CLI::App& app, Terminal& terminal);

}  // namespace touchstone::cli
