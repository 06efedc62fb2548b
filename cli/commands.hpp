#pragma once

#include <CLI/CLI.hpp>

/// The subcommands of `touchstone`, a file each. Each adds itself to the application and, when it ran, sets
/// the exit code.
namespace touchstone::cli {

/// What scripts can rely on; also in `touchstone --help`.
inline constexpr int k_exit_ok = 0;            ///< answered
inline constexpr int k_exit_disagreement = 1;  ///< a check failed: vectors disagree
inline constexpr int k_exit_bad_input = 2;  ///< wrong usage or input, one line on standard error says which
inline constexpr int k_exit_not_modelled = 3;  ///< the question needs what is not modelled yet

void add_decide(CLI::App& app, int& exit_code);
void add_releases(CLI::App& app, int& exit_code);
void add_rules(CLI::App& app, int& exit_code);
void add_subject(CLI::App& app, int& exit_code);
void add_vectors(CLI::App& app, int& exit_code);

}  // namespace touchstone::cli
