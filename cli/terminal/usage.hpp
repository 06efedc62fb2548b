#pragma once

#include <CLI/CLI.hpp>

#include "spec/vocabulary/result.hpp"

namespace touchstone::cli {

/// What is wrong with a command line that the application could not read: the word, what was expected or most
/// likely meant, and whose help tells more.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

/// That the application has no command of a name.
Error no_command(const CLI::App& app, const std::string& name);

/// Whether the command line holds a word that no command or option took.
bool has_stray_words(const CLI::App& app);

}  // namespace touchstone::cli
