#include "cli/terminal/completion.hpp"

#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/terminal/help.hpp"
namespace touchstone::cli {

void add_completion(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("completion", "Print a shell completion script for touchstone");
  describe(*command, context.terminal,
           {.description = "The script completes commands, options and their values: files, releases, "
                           "clauses. It is generated from this build of touchstone. To load it in every "
                           "session, add a line to the file of your shell:\n\n"
                           "  ~/.bashrc                   source <(touchstone completion bash)\n"
                           "  ~/.zshrc, after compinit    source <(touchstone completion zsh)\n"
                           "  ~/.config/fish/config.fish  touchstone completion fish | source",
            .examples = {{"Load the script in this session of bash", "source <(touchstone completion bash)"},
                         {"Print the script for fish", "touchstone completion fish"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input}});
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app, &context] {
    if (*shell == "bash") std::cout << bash_completion(app);
    if (*shell == "zsh") std::cout << zsh_completion(app);
    if (*shell == "fish") std::cout << fish_completion(app);
    context.exit_code = k_exit_ok;
  });
}

}  // namespace touchstone::cli
