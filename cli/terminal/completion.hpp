#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Completion scripts, generated from the application: its commands and options, and the values that options
/// and arguments take according to their placeholders.
namespace touchstone::cli {

/// The values that a placeholder stands for.
struct Words {
  bool files = false;
  std::vector<std::string> words;
};

/// The values that the placeholder of an option stands for. FILE and PATH are files. CLAUSE, RELEASE,
/// RECORDED, FAMILY and COMMAND are clause ids, releases, recorded releases, families of scenarios, and
/// commands. "a|b" is a or b. For any other placeholder nothing is known.
Words words_for(const CLI::App& app, const CLI::Option& option);

std::string bash_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace touchstone::cli
