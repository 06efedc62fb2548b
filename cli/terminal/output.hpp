#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// Printing of the commands. Text from a user's file or command line must pass through printable() or
/// Terminal::styled before it becomes a cell or part of a line.
namespace touchstone::cli {

/// Adds `-o, --output` to a command. Requires: the current value of `output` is one of the choices.
void add_output_option(CLI::App& command, std::string& output, const std::vector<std::string>& choices);

/// Prints an error on one line of standard error: where, what, and what was expected. Control characters are
/// escaped, and the message is cut after 500 bytes.
void print_error(const Error& error);

/// Prints a note on one line of standard error.
void print_note(std::string_view note);

/// Prints indented JSON. Control characters are escaped.
void print_json(const oracle::Json& json);

using Row = std::vector<std::string>;

/// A row of headings, in their style.
Row heading(const Terminal& terminal, const Row& names);

/// Formats rows of cells as aligned columns, by their displayed width. The last column is not padded. If a
/// terminal is too narrow for all columns, a row continues on further lines, which are indented. Only the
/// last cell of a line is broken, at spaces. No text is cut.
std::string table(const Terminal& terminal, const std::vector<Row>& rows);

/// As table(), with a heading (none if empty) and the first `rows_most` rows. If rows are left out, a last
/// line counts them: "  and 37 more; HINT".
std::string cut_table(const Terminal& terminal, const Row& heading, const std::vector<Row>& rows,
                      std::size_t rows_most, std::string_view hint);

/// Whether everything that was printed reached standard output. Prints an error if not.
bool output_was_written();

}  // namespace touchstone::cli
