#include "cli/terminal/usage.hpp"

#include <algorithm>

#include "cli/terminal/options.hpp"
#include "cli/terminal/suggest.hpp"

namespace touchstone::cli {

namespace {

/// Words that no command or option took, in their order.
std::vector<std::string> stray_words(const CLI::App& app) {
  std::vector<std::string> words = app.remaining(true);
  std::erase(words, "--");
  return words;
}

std::string did_you_mean(const std::string& name) {
  return name.empty() ? " " : "; did you mean " + name + "? ";
}

std::string help_of(const CLI::App& command) {
  return (command.get_parent() == nullptr ? "" : "touchstone ") + command.get_name() + " --help";
}

/// The message about a word that the command did not take.
std::string complaint_of_stray(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("-"))
    return "unexpected argument \"" + word + "\" (" + help_of(command) + " shows how)";
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : options_for(command)) {
    for (const std::string& each : names_of(*option)) {
      if (each.starts_with("--")) names.push_back(each);
    }
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return "option " + name + " belongs after the command (" + help_of(command) + " shows how)";
  }
  return "no option " + name + did_you_mean(nearest(name, names)) + "(" + help_of(command) + " lists them)";
}

/// The option or argument that a message of CLI11 is about. A message begins with the name, or with
/// `conversion` and the name.
const CLI::Option* option_of(const CLI::App& command, std::string message) {
  constexpr std::string_view conversion = "Could not convert: ";
  if (message.starts_with(conversion)) message.erase(0, conversion.size());
  for (const CLI::Option* option : options_for(command)) {
    const std::string name = option->get_name();
    if (message.starts_with(name + ":") || message.starts_with(name + " ")) return option;
  }
  return nullptr;
}

/// The message about an option whose value is missing, repeated or wrong, or that another option excludes.
std::string complaint_of_option(const CLI::Option& option, const CLI::ParseError& error) {
  const std::string what = (option.get_positional() ? "argument " : "option ") + option.get_name();
  const std::string expected = placeholder_of(option);
  const bool is_of_value = error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExcludesError) &&
                           error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiresError);
  if (is_of_value && !takes_value(option)) return what + " takes no value";
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::RequiredError:
      return (option.get_positional() ? "argument " : what + " ") + expected + " is missing";
    case CLI::ExitCodes::ArgumentMismatch:
      return option.count() > 1 ? what + " is given more than once" : what + " needs a value, " + expected;
    case CLI::ExitCodes::ValidationError:
    case CLI::ExitCodes::ConversionError:
      if (option.count() == 0) return error.what();
      return what + " takes " + expected + ", not \"" + option.results().back() + "\"";
    default:
      return error.what();
  }
}

}  // namespace

bool has_stray_words(const CLI::App& app) { return !stray_words(app).empty(); }

Error no_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) names.push_back(command->get_name());
  return {"usage", "",
          "no command \"" + name + "\"" + did_you_mean(nearest(name, names)) + "(" + help_of(app) +
              " lists them)"};
}

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> stray = stray_words(app);
  if (!stray.empty()) {
    if (chosen.empty() && !stray.front().starts_with("-")) return no_command(app, stray.front());
    return {"usage", "", complaint_of_stray(command, stray.front())};
  }
  if (chosen.empty() && error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) {
    return {"usage", "", "no command given (" + help_of(app) + " lists them)"};
  }
  const CLI::Option* option = option_of(command, error.what());
  const std::string complaint = option == nullptr ? error.what() : complaint_of_option(*option, error);
  return {"usage", "", complaint + " (" + help_of(command) + " shows how)"};
}

}  // namespace touchstone::cli
