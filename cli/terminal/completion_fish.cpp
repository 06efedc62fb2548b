#include "cli/terminal/completion.hpp"
#include "cli/terminal/options.hpp"

namespace touchstone::cli {

namespace {

std::string in_quotes(const std::string& text) {
  std::string inside;
  for (const char c : text) inside += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return "'" + inside + "'";
}

/// " --force-files", or " --arguments 'text json'"; empty if nothing is known.
std::string offered_in_fish(const Words& known) {
  if (known.files) return " --force-files";
  std::string words;
  for (const std::string& word : known.words) words += (words.empty() ? "" : " ") + word;
  return words.empty() ? "" : " --arguments " + in_quotes(words);
}

/// One line for each option and argument of a command.
std::string arguments_in_fish(const CLI::App& app, const CLI::App& command) {
  const std::string name = &command == &app ? "" : command.get_name();
  const std::string start = "complete --command touchstone --condition \"__touchstone_in '" + name + "'\"";
  std::string text;
  for (const CLI::Option* option : options_for(command)) {
    text += start;
    for (const std::string& short_name : option->get_snames()) text += " --short-option " + short_name;
    for (const std::string& long_name : option->get_lnames()) text += " --long-option " + long_name;
    const Words known = words_for(app, *option);
    const bool has_value = takes_value(*option) && !option->get_positional();
    if (has_value) text += known.files ? " --require-parameter" : " --exclusive";
    text += offered_in_fish(known);
    text += " --description " + in_quotes(option->get_description()) + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const CLI::App& app) {
  std::string names;
  std::string commands;
  std::string all = arguments_in_fish(app, app);
  for (const CLI::App* command : commands_of(app)) {
    names += " " + command->get_name();
    commands += "complete --command touchstone --condition \"__touchstone_in ''\" --arguments " +
                command->get_name() + " --description " + in_quotes(command->get_description()) + "\n";
    all += arguments_in_fish(app, *command);
  }
  return R"(# fish completion for touchstone, printed by `touchstone completion fish`
# Whether the command before the cursor is the one named; '' is none.
function __touchstone_in
    set --local command ''
    for word in (commandline --tokenize --cut-at-cursor --current-process)[2..]
        if contains -- $word)" +
         names + R"(
            set command $word
            break
        end
    end
    test "$command" = "$argv[1]"
end
complete --command touchstone --no-files
)" + commands +
         all;
}

}  // namespace touchstone::cli
