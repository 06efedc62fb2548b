#include "cli/terminal/completion.hpp"
#include "cli/terminal/options.hpp"

namespace touchstone::cli {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// A shell assignment to `words` or `files`.
std::string offered_in_bash(const Words& words) {
  return words.files ? "files=yes" : "words='" + joined(words.words) + "'";
}

/// Shell cases: what can follow each option of a command that takes a value. The application itself has the
/// name "".
std::string values(const CLI::App& app, const CLI::App& command) {
  const std::string prefix = &command == &app ? "" : command.get_name();
  std::string text;
  for (const CLI::Option* option : options_for(command)) {
    if (!takes_value(*option) || option->get_positional()) continue;
    std::string patterns;
    for (const std::string& name : names_of(*option)) {
      patterns += (patterns.empty() ? "'" : " | '") + prefix + " " + name + "'";
    }
    text += "    " + patterns + ") " + offered_in_bash(words_for(app, *option)) + " ;;\n";
  }
  return text;
}

/// Shell cases: what else a command takes. After a dash these are its options; otherwise the values of its
/// argument or its subcommands, and its options if it has neither.
std::string arguments_in_bash(const CLI::App& app, const CLI::App& command) {
  Words options;
  Words other;
  for (const CLI::Option* option : options_for(command)) {
    if (option->get_positional()) {
      other = words_for(app, *option);
    } else {
      for (const std::string& name : names_of(*option)) options.words.push_back(name);
    }
  }
  for (const CLI::App* each : commands_of(command)) other.words.push_back(each->get_name());
  if (!other.files && other.words.empty()) other = options;
  const std::string name = &command == &app ? "" : command.get_name();
  return "        '" + name + " -'*) " + offered_in_bash(options) + " ;;\n        '" + name + " '*) " +
         offered_in_bash(other) + " ;;\n";
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string commands;
  std::string after_option = values(app, app);
  std::string elsewhere = arguments_in_bash(app, app);
  for (const CLI::App* command : commands_of(app)) {
    commands += (commands.empty() ? "" : " | ") + command->get_name();
    after_option += values(app, *command);
    elsewhere += arguments_in_bash(app, *command);
  }
  return R"(# bash completion for touchstone, printed by `touchstone completion bash`
_touchstone() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' word words='' files=''
  # "--option=value" reaches us as three words.
  if [ "$current" = '=' ]; then
    current=''
  elif [ "$previous" = '=' ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      )" +
         commands + R"()
        command=$word
        break
        ;;
    esac
  done
  case "$command $previous" in
)" + after_option +
         R"(    *)
      case "$command $current" in
)" + elsewhere +
         R"(      esac
      ;;
  esac
  if [ -n "$files" ]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  fi
}
complete -F _touchstone touchstone
)";
}

}  // namespace touchstone::cli
