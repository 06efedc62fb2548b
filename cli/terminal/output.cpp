#include "cli/terminal/output.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>

#include "cli/terminal/text.hpp"

namespace touchstone::cli {

void add_output_option(CLI::App& command, std::string& output, const std::vector<std::string>& choices) {
  assert(std::find(choices.begin(), choices.end(), output) != choices.end());
  command.add_option("-o,--output", output, "How to print")
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

void print_error(const Error& error) {
  std::cerr << "touchstone: " << printable(error.path) << (error.path.empty() ? "" : ": ")
            << printable(error.message, 500) << " [" << error.code << "]\n";
}

void print_note(std::string_view note) { std::cerr << "note: " << printable(note) << "\n"; }

void print_json(const oracle::Json& json) {
  // The library leaves DEL and U+0080 to U+009F as they are; in strings, where alone they stand, the escapes
  // of printable() are those of JSON.
  std::istringstream lines(json.dump(2, ' ', false, oracle::Json::error_handler_t::replace));
  for (std::string line; std::getline(lines, line);) std::cout << printable(line) << "\n";
}

Row heading(const Terminal& terminal, const Row& names) {
  Row cells;
  for (const std::string& name : names) cells.push_back(terminal.styled(Style::strong, name));
  return cells;
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], displayed_width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - displayed_width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string cut_table(const Row& heading, const std::vector<Row>& rows, std::size_t rows_most,
                      std::string_view hint) {
  std::vector<Row> shown;
  if (!heading.empty()) shown.push_back(heading);
  const std::size_t count = std::min(rows.size(), rows_most);
  shown.insert(shown.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
  if (count == rows.size()) return table(shown);
  return table(shown) + "  and " + std::to_string(rows.size() - count) + " more; " + std::string(hint) + "\n";
}

bool output_was_written() {
  errno = 0;
  std::cout.flush();
  std::fflush(stdout);
  if (std::cout && std::ferror(stdout) == 0) return true;
  print_error({"output-unwritable", "standard output",
               errno == 0 ? "cannot be written" : std::string("cannot be written: ") + std::strerror(errno)});
  return false;
}

}  // namespace touchstone::cli
