#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "spec/result.hpp"

namespace touchstone::cli {

/// Adds `-o, --output text|json` to a command.
void add_output_option(CLI::App& command, std::string& output);

/// Prints an error on one line of standard error: where, what, and what was expected.
void print_error(const Error& error);

/// Rows of cells as aligned columns; the last column is not padded.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace touchstone::cli
