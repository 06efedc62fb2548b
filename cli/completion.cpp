#include "cli/completion.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "spec/release.hpp"
#include "spec/rules.hpp"

namespace touchstone::cli {

Words words_for(const CLI::App& app, const CLI::Option& option) {
  const std::string placeholder = placeholder_of(option);
  Words known{.files = placeholder == "FILE" || placeholder == "PATH", .words = choices_of(option)};
  if (placeholder == "CLAUSE") {
    for (const Rule& rule : rules()) known.words.emplace_back(rule.id);
  }
  if (placeholder == "COMMAND") {
    for (const CLI::App* command : commands_of(app)) known.words.push_back(command->get_name());
  }
  if (placeholder == "RELEASE") {
    for (const Version& newest : known_releases())
      known.words.push_back("v1." + std::to_string(newest.minor));
  }
  if (placeholder == "RELEASE" || placeholder == "RECORDED") {
    for (const Version& version : recorded_releases()) known.words.push_back(version.text());
  }
  return known;
}

void add_completion(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script by which a shell completes touchstone");
  describe(
      *command, context.terminal,
      {.description =
           "The script completes commands, options and what they take: files, releases, clauses. It is made "
           "from this very touchstone. To have it in every session, add a line to the file of your shell:\n\n"
           "  ~/.bashrc                   source <(touchstone completion bash)\n"
           "  ~/.zshrc, after compinit    source <(touchstone completion zsh)\n"
           "  ~/.config/fish/config.fish  touchstone completion fish | source",
       .examples = {{"In this session of bash", "source <(touchstone completion bash)"},
                    {"To read the script for fish", "touchstone completion fish"}},
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
