#include "cli/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Columns of a terminal; 80 if the file is not a terminal, or does not report its width.
std::size_t width_of(int file) {
  winsize size{};
  const bool known = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// Select Graphic Rendition (ECMA-48, 8.3.117).
std::string_view code_of(Style style) {
  switch (style) {
    case Style::strong:
      return "1";
    case Style::good:
      return "32";
    case Style::warning:
      return "33";
    case Style::bad:
      return "31";
    case Style::faint:
      return "2";
  }
  return "0";
}

}  // namespace

std::string Terminal::styled(Style style, std::string_view text) const {
  if (!colored || text.empty()) return printable(text);
  return "\x1b[" + std::string(code_of(style)) + "m" + printable(text) + "\x1b[0m";
}

Terminal find_terminal() {
  Terminal terminal;
  const bool obeys = variable("TERM") != "dumb";
  terminal.output_width = width_of(STDOUT_FILENO);
  if (isatty(STDOUT_FILENO) != 0) terminal.table_width = terminal.output_width;
  terminal.error_width = width_of(STDERR_FILENO);
  terminal.redraws_errors = obeys && isatty(STDERR_FILENO) != 0;
  terminal.invites_color = obeys && isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty();
  terminal.colored = terminal.invites_color;
  return terminal;
}

void add_color_option(CLI::App& app, Terminal& terminal) {
  const auto choose = [&terminal](const std::string& when) {
    terminal.colored = when == "always" || (when == "auto" && terminal.invites_color);
  };
  app.add_option_function<std::string>(
         "--color", choose,
         "When to colour the output; auto: on a terminal, unless NO_COLOR is set or TERM is dumb")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->default_str("auto");
}

}  // namespace touchstone::cli
