#include <csignal>
#include <iostream>

#include "cli/commands/commands.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/usage.hpp"
#include "cli/version.hpp"

namespace {

using namespace touchstone::cli;

void describe_application(CLI::App& app, const Terminal& terminal) {
  describe(
      app, terminal,
      {.description =
           "Input: a cluster, a pending pod and a release of kube-scheduler. touchstone computes every "
           "decision that the release may take, and names the rule of each step.\n\n"
           "touchstone COMMAND --help describes a command. If the current directory does not have an input "
           "file, touchstone looks for it among its own files, such as examples/training-job.json.",
       .examples = {{"Show where a pending pod would preempt, and which pods it would evict",
                     "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"Show a clause (a rule of the specification) with its tests",
                     "touchstone rules PRE-PDB-5"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"README.md", "spec/clauses/README.md"}});
}

/// Reads the command line and runs the command. Returns the exit code.
int run(CLI::App& app, Context& context, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    // CLI11 answers --help before it rejects words that name no command.
    if (!has_stray_words(app)) return app.exit(asked);
    return print_error(usage_error(app, asked)), k_exit_bad_input;
  } catch (const CLI::ParseError& error) {
    return print_error(usage_error(app, error)), k_exit_bad_input;
  }
  return context.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // a reader that closes the pipe (head) ends the process quietly
  Context context{.terminal = find_terminal()};
  CLI::App app{"Reference implementation of Kubernetes pod priority and preemption (kube-scheduler)",
               "touchstone"};
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag("--version", std::string("touchstone ") + k_version, "Show the version");
  add_color_option(app, context.terminal);
  app.fallthrough();
  app.require_subcommand(1);
  describe_application(app, context.terminal);
  add_decide(app, context);
  add_schedule(app, context);
  add_queue(app, context);
  add_simulate(app, context);
  add_explain(app, context);
  add_rules(app, context);
  add_releases(app, context);
  add_vectors(app, context);
  add_scenarios(app, context);
  add_subject(app, context);
  add_extender(app, context);
  add_fuzz(app, context);
  add_conform(app, context);
  add_diff(app, context);
  add_campaigns(app, context);
  add_faults(app, context);
  add_play(app, context);
  add_replay(app, context);
  add_prove(app, context);
  add_certify(app, context);
  add_record(app, context);
  add_bench(app, context);
  add_completion(app, context);
  add_help(app, context);
  const int exit_code = run(app, context, argc, argv);
  return output_was_written() ? exit_code : k_exit_bad_input;
}
