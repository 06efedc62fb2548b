#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Completion scripts, made from the application: its commands and options, and the words that options and
/// arguments take by their placeholder.
namespace touchstone::cli {

/// What can stand where a placeholder does.
struct Words {
  bool files = false;
  std::vector<std::string> words;
};

/// FILE and PATH are files; CLAUSE, RELEASE, RECORDED, FAMILY and COMMAND the ids, releases, families of
/// scenarios and commands; "a|b" a and b; of others nothing is known.
Words words_for(const CLI::App& app, const CLI::Option& option);

std::string bash_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace touchstone::cli
