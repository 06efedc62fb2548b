#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/result.hpp"

/// What the commands print, and how. Text from a user's file or command line goes through printable() or
/// Terminal::styled before it becomes a cell or part of a line.
namespace touchstone::cli {

/// Adds `-o, --output` to a command. Requires: the present value of `output` is one of the choices.
void add_output_option(CLI::App& command, std::string& output, const std::vector<std::string>& choices);

/// Prints an error on one line of standard error, whatever it holds: where, what, and what was expected.
void print_error(const Error& error);

/// Prints a note on one line of standard error.
void print_note(std::string_view note);

/// Prints indented JSON, in which no control character is left.
void print_json(const oracle::Json& json);

using Row = std::vector<std::string>;

/// A row of headings, in the style of all headings.
Row heading(const Terminal& terminal, const Row& names);

/// Rows of cells as aligned columns, by their displayed width; the last column is not padded. On a terminal
/// that is too narrow for all columns, a row continues on further lines, which are indented. A cell breaks at
/// spaces, and only where it is the last one of its line. No text is cut.
std::string table(const Terminal& terminal, const std::vector<Row>& rows);

/// As table(), of a heading (none if empty) and the first `rows_most` rows; what is left out is counted on a
/// last line: "  and 37 more; HINT".
std::string cut_table(const Terminal& terminal, const Row& heading, const std::vector<Row>& rows,
                      std::size_t rows_most, std::string_view hint);

/// Whether all that was printed reached standard output; prints an error if not.
bool output_was_written();

}  // namespace touchstone::cli
