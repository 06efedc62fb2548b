#pragma once

#include <CLI/CLI.hpp>

#include "spec/vocabulary/result.hpp"

namespace touchstone::cli {

/// The error for a command line that CLI11 rejected: which word is wrong, what was expected or most likely
/// meant, and which help to read.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

/// The error for a command that the application does not have.
Error no_command(const CLI::App& app, const std::string& name);

/// Whether the command line has a word that no command or option took.
bool has_stray_words(const CLI::App& app);

}  // namespace touchstone::cli
