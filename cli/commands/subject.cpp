#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::cli {

void add_subject(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "subject", "Answer the subject protocol: one line of JSON for each question and answer");
  describe(*command, context.terminal,
           {.description =
                "Reads standard input until {\"cmd\":\"bye\"} or its end. A line that cannot be read gets an "
                "\"error\" answer, and the session continues. spec/protocol.md describes the protocol.",
            .examples = {{"Show the name and the features of the subject",
                          "echo '{\"cmd\":\"hello\"}' | touchstone subject"},
                         {"Use the optimized engine; it omits statuses, messages and losing candidates",
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
