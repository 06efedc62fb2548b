#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/input/config_option.hpp"
#include "cli/input/data.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "kubernetes/configuration/configuration.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::cli {

namespace {

int run(const std::string& engine, const SchedulerOptions& scheduler) {
  oracle::SchedulerDefaults defaults;
  if (!scheduler.file().empty()) {
    Result<kubernetes::Document> read = kubernetes::read_configuration(data_path(scheduler.file()));
    if (!read) return print_error(read.error()), k_exit_bad_input;
    defaults.config = std::move(read).value();
  }
  const Result<FeatureGates> gates = parse_feature_gates(scheduler.feature_gates);
  if (!gates) return print_error(gates.error()), k_exit_bad_input;
  defaults.gates = gates.value();
  std::ios::sync_with_stdio(false);
  oracle::Subject subject(engine_of(engine), oracle::reference_decider(), std::move(defaults));
  oracle::serve(std::cin, std::cout, subject);
  return k_exit_ok;
}

}  // namespace

void add_subject(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "subject", "Answer the subject protocol: one line of JSON for each question and answer");
  describe(*command, context.terminal,
           {.description =
                "Reads standard input until {\"cmd\":\"bye\"} or its end. A line that cannot be read gets an "
                "\"error\" answer, and the session continues. spec/protocol.md describes the protocol. "
                "--config or "
                "--policy, and --feature-gates, count for questions that have none of their own; a release "
                "that refuses them answers these questions with an \"error\".",
            .examples = {{"Show the name and the features of the subject",
                          "echo '{\"cmd\":\"hello\"}' | touchstone subject"},
                         {"Use the optimized engine; it omits statuses, messages and losing candidates",
                          "echo '{\"cmd\":\"hello\"}' | touchstone subject --engine optimized"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone vectors --help", "spec/protocol.md"}});
  const auto engine = std::make_shared<std::string>("reference");
  const auto scheduler = std::make_shared<SchedulerOptions>();
  add_scheduler_options(*command, *scheduler);
  add_engine_option(*command, *engine, false);
  command->callback([engine, scheduler, &context] { context.exit_code = run(*engine, *scheduler); });
}

}  // namespace touchstone::cli
