#include "cli/terminal/help.hpp"

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/usage.hpp"

namespace touchstone::cli {

void add_help(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("help", "Show the help of touchstone or of one of its commands");
  describe(*command, context.terminal,
           {.description = "touchstone help COMMAND shows what touchstone COMMAND --help shows.",
            .examples = {{"Show the help of decide", "touchstone help decide"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone --help"}});
  const auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "The command; without it, the help of touchstone itself")
      ->type_name("COMMAND");
  command->callback([name, &app, &context] {
    const CLI::App* about = name->empty() ? &app : nullptr;
    for (const CLI::App* each : commands_of(app)) {
      if (each->get_name() == *name) about = each;
    }
    if (about == nullptr) {
      print_error(no_command(app, *name));
      context.exit_code = k_exit_bad_input;
      return;
    }
    const std::string title = (about == &app ? "" : app.get_name() + " ") + about->get_name();
    std::cout << about->get_formatter()->make_help(about, title, CLI::AppFormatMode::Normal);
  });
}

}  // namespace touchstone::cli
