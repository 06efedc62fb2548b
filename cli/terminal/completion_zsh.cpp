#include "cli/terminal/completion.hpp"
#include "cli/terminal/options.hpp"

namespace touchstone::cli {

namespace {

/// Text for single quotes of the shell. The characters of `special` are escaped, because _arguments
/// interprets them.
std::string escaped(const std::string& text, const std::string& special) {
  std::string quoted;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted;
}

/// ":FILE:_files", ":output:(text json)"; ":NAME: " if nothing is known.
std::string value_of(const CLI::App& app, const CLI::Option& option) {
  const Words known = words_for(app, option);
  std::string words;
  for (const std::string& word : known.words) words += (words.empty() ? "" : " ") + word;
  const std::string action = known.files ? "_files" : words.empty() ? " " : "(" + words + ")";
  return ":" + escaped(placeholder_of(option), ":") + ":" + action;
}

/// The specifications of _arguments for a command, one on each line.
std::string arguments_in_zsh(const CLI::App& app, const CLI::App& command) {
  std::string text;
  int position = 0;
  for (const CLI::Option* option : options_for(command)) {
    if (option->get_positional()) {
      text += " \\\n        '" + std::to_string(++position) + value_of(app, *option) + "'";
      continue;
    }
    const std::vector<std::string> names = names_of(*option);
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    const std::string description = "[" + escaped(option->get_description(), "[]:\\") + "]";
    const std::string value = takes_value(*option) ? value_of(app, *option) : "";
    for (const std::string& name : names)
      text += " \\\n        '(" + all + ")" + name + description + value + "'";
  }
  return text;
}

}  // namespace

std::string zsh_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += "    '" + command->get_name() + ":" + escaped(command->get_description(), "\\") + "'\n";
    cases += "    " + command->get_name() + ")\n      _arguments -s" + arguments_in_zsh(app, *command) +
             "\n      ;;\n";
  }
  return R"(#compdef touchstone
# zsh completion for touchstone, printed by `touchstone completion zsh`
_touchstone() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  local -a commands=(
)" + commands +
         R"(  )
  _arguments -C)" +
         arguments_in_zsh(app, app) + R"( \
        '1: :->command' \
        '*:: :->arguments' && return
  if [[ $state = command ]]; then
    _describe command commands
    return
  fi
  case $line[1] in
)" + cases +
         R"(  esac
}
# Loaded from fpath this file is the function itself; sourced, it registers the function.
if [[ ${funcstack[1]} = _touchstone ]]; then
  _touchstone "$@"
else
  compdef _touchstone touchstone
fi
)";
}

}  // namespace touchstone::cli
