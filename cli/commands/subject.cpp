#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::cli {

void add_subject(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "subject", "Answer the subject protocol: a JSON question a line, a JSON answer a line");
  describe(
      *command, context.terminal,
      {.description =
           "Reads standard input until {\"cmd\":\"bye\"} or its end. A line that cannot be read gets an "
           "\"error\" and never ends the session. The protocol is in spec/protocol.md.",
       .examples = {{"What the subject is", "echo '{\"cmd\":\"hello\"}' | touchstone subject"},
                    {"The optimized engine, which leaves out statuses, messages and candidates that lose",
                     "echo '{\"cmd\":\"hello\"}' | touchstone subject --engine optimized"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input},
       .see_also = {"touchstone vectors --help", "spec/protocol.md"}});
  const auto engine = std::make_shared<std::string>("reference");
  add_engine_option(*command, *engine, false);
  command->callback([engine, &context] {
    std::ios::sync_with_stdio(false);
    oracle::serve(std::cin, std::cout, engine_of(*engine));
    context.exit_code = k_exit_ok;
  });
}

}  // namespace touchstone::cli
