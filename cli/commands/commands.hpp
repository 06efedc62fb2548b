#pragma once

#include <CLI/CLI.hpp>

#include "cli/terminal/exit_codes.hpp"
#include "cli/terminal/terminal.hpp"

/// The subcommands of `touchstone`, one file for each. Each function adds a command and its help (describe)
/// to the application. A command that runs sets the exit code.
namespace touchstone::cli {

/// What a command receives from the application and returns to it.
struct Context {
  Terminal terminal;
  int exit_code = k_exit_ok;
};

/// Requires, for all of them: the context outlives the application.
void add_bench(CLI::App& app, Context& context);
void add_campaigns(CLI::App& app, Context& context);
void add_certify(CLI::App& app, Context& context);
void add_conform(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);
void add_decide(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_extender(CLI::App& app, Context& context);
void add_faults(CLI::App& app, Context& context);
void add_fuzz(CLI::App& app, Context& context);
void add_help(CLI::App& app, Context& context);
void add_play(CLI::App& app, Context& context);
void add_prove(CLI::App& app, Context& context);
void add_queue(CLI::App& app, Context& context);
void add_record(CLI::App& app, Context& context);
void add_releases(CLI::App& app, Context& context);
void add_replay(CLI::App& app, Context& context);
void add_rules(CLI::App& app, Context& context);
void add_scenarios(CLI::App& app, Context& context);
void add_schedule(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);
void add_subject(CLI::App& app, Context& context);
void add_vectors(CLI::App& app, Context& context);

}  // namespace touchstone::cli
