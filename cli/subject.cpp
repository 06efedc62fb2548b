#include <iostream>

#include "cli/commands.hpp"
#include "oracle/protocol.hpp"

namespace touchstone::cli {

void add_subject(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "subject", "Answer the subject protocol: a JSON question a line, a JSON answer a line");
  command->footer(
      "Reads standard input until {\"cmd\":\"bye\"} or its end. A line that cannot be read gets an \"error\" "
      "and never ends\n"
      "the session. The protocol is spec/protocol.md.\n\n"
      "Example: echo '{\"cmd\":\"hello\"}' | touchstone subject");
  command->callback([&exit_code] {
    std::ios::sync_with_stdio(false);
    oracle::serve(std::cin, std::cout);
    exit_code = k_exit_ok;
  });
}

}  // namespace touchstone::cli
