#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

#include "cli/terminal.hpp"

/// The subcommands of `touchstone`, a file each. Each adds itself to the application with its help (describe)
/// and, when it ran, sets the exit code.
namespace touchstone::cli {

/// What scripts can rely on.
inline constexpr int k_exit_ok = 0;
inline constexpr int k_exit_disagreement = 1;
inline constexpr int k_exit_bad_input = 2;
inline constexpr int k_exit_not_modelled = 3;

/// What the process ends with, as every help shows it.
struct ExitCode {
  int code = k_exit_ok;
  std::string_view meaning;
};

inline constexpr std::array<ExitCode, 4> k_exit_codes = {{
    {k_exit_ok, "answered"},
    {k_exit_disagreement, "a check failed"},
    {k_exit_bad_input,
     "wrong usage or input, or output that cannot be written; one line on standard error says what"},
    {k_exit_not_modelled, "the answer needs what is not modelled; it is not guessed"},
}};

/// What a command gets from the application and gives back to it.
struct Context {
  Terminal terminal;
  int exit_code = k_exit_ok;
};

/// Requires of all: the context outlives the application.
void add_completion(CLI::App& app, Context& context);
void add_decide(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);
void add_releases(CLI::App& app, Context& context);
void add_rules(CLI::App& app, Context& context);
void add_subject(CLI::App& app, Context& context);
void add_vectors(CLI::App& app, Context& context);

}  // namespace touchstone::cli
