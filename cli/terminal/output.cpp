#include "cli/terminal/output.hpp"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_gap = 2;         ///< between columns
constexpr std::size_t k_continued = 4;   ///< indentation of the lines on which a row continues
constexpr std::size_t k_narrowest = 24;  ///< narrowest column for sentences

/// The place of a column in a table.
struct Column {
  std::size_t line = 0;  ///< line of the row, counted from 0
  std::size_t begin = 0;
  std::size_t width = 0;  ///< longer cells break at spaces
  std::size_t word = 0;   ///< width of the longest word
};

/// Places columns side by side while they fit the width, and then on the next line.
std::vector<Column> columns_of(const std::vector<Row>& rows, std::size_t width) {
  std::vector<Column> columns;
  for (const Row& row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns[i].width = std::max(columns[i].width, displayed_width(row[i]));
      std::istringstream words(row[i]);
      for (std::string word; words >> word;)
        columns[i].word = std::max(columns[i].word, displayed_width(word));
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Column& column = columns[i];
    if (i > 0) {
      const Column& left = columns[i - 1];
      column.line = left.line;
      column.begin = left.begin + left.width + k_gap;
      const std::size_t needed = std::max(column.word, std::min(column.width, k_narrowest));
      if (column.begin + needed > width) {
        ++column.line;
        column.begin = k_continued;
      }
    }
    if (column.begin + column.width > width && column.begin + k_narrowest <= width)
      column.width = width - column.begin;
  }
  return columns;
}

/// The cells `first` to `end` - 1 of a row as one line, or as several if the last cell breaks. Ensures: empty
/// if a row would continue with empty cells only.
std::string line_of(const std::vector<Column>& columns, const Row& row, std::size_t first, std::size_t end) {
  std::string line;
  for (std::size_t i = first; i < end; ++i) {
    const std::size_t begin = columns[i].begin;
    const std::size_t used = displayed_width(line);
    if (used < begin) line.append(begin - used, ' ');
    const bool breaks = i + 1 == end && displayed_width(row[i]) > columns[i].width;
    const std::size_t indent = begin + row[i].find_first_not_of(' ');
    line += breaks ? wrapped(row[i].substr(indent - begin), begin + columns[i].width, indent).substr(begin)
                   : row[i];
  }
  line.erase(line.find_last_not_of(" \n") + 1);
  return line.empty() && first > 0 ? "" : line + "\n";
}

}  // namespace

void add_output_option(CLI::App& command, std::string& output, const std::vector<std::string>& choices) {
  assert(std::find(choices.begin(), choices.end(), output) != choices.end());
  command.add_option("-o,--output", output, "Output format")
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

void print_error(const Error& error) {
  std::cerr << "touchstone: " << printable(error.path) << (error.path.empty() ? "" : ": ")
            << printable(error.message, 500) << " [" << error.code << "]\n";
}

void print_note(std::string_view note) { std::cerr << "note: " << printable(note) << "\n"; }

void print_json(const oracle::Json& json) {
  // The library does not escape DEL and U+0080 to U+009F. They stand only in strings, where the escapes of
  // printable() are valid JSON.
  std::istringstream lines(json.dump(2, ' ', false, oracle::Json::error_handler_t::replace));
  for (std::string line; std::getline(lines, line);) std::cout << printable(line) << "\n";
}

Row heading(const Terminal& terminal, const Row& names) {
  Row cells;
  for (const std::string& name : names) cells.push_back(terminal.styled(Style::strong, name));
  return cells;
}

std::string table(const Terminal& terminal, const std::vector<Row>& rows) {
  const std::vector<Column> columns = columns_of(rows, terminal.table_width);
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size();) {
      std::size_t end = i + 1;
      while (end < row.size() && columns[end].line == columns[i].line) ++end;
      text += line_of(columns, row, i, end);
      i = end;
    }
  }
  return text;
}

std::string cut_table(const Terminal& terminal, const Row& heading, const std::vector<Row>& rows,
                      std::size_t rows_most, std::string_view hint) {
  std::vector<Row> shown;
  if (!heading.empty()) shown.push_back(heading);
  const std::size_t count = std::min(rows.size(), rows_most);
  shown.insert(shown.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
  if (count == rows.size()) return table(terminal, shown);
  return table(terminal, shown) + "  and " + std::to_string(rows.size() - count) + " more; " +
         std::string(hint) + "\n";
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
