#include "cli/terminal/options.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace touchstone::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](const std::string& text) -> std::string {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool is_plain =
                error == std::errc() && end == text.data() + text.size() && text == std::to_string(number);
            return is_plain && number >= least && number <= most ? "" : "no such number: " + text;
          },
          ""};
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> choices_of(const CLI::Option& option) {
  // CLI11 shows the members only in the description of the type: "TEXT:{text,json}".
  const std::string type = option.get_type_name();
  const std::size_t open = type.find(":{");
  if (open == std::string::npos || type.back() != '}') return {};
  std::vector<std::string> choices;
  std::istringstream members(type.substr(open + 2, type.size() - open - 3));
  for (std::string member; std::getline(members, member, ',');) choices.push_back(member);
  return choices;
}

std::string placeholder_of(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  std::string joined;
  for (const std::string& choice : choices_of(option)) joined += (joined.empty() ? "" : "|") + choice;
  return joined.empty() ? option.get_type_name() : joined;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::Option*> options_for(const CLI::App& command) {
  std::vector<const CLI::Option*> options = command.get_options();
  const auto rank = [&](const CLI::Option* option) {
    return option->get_positional() ? 0 : option == command.get_help_ptr() ? 2 : 1;
  };
  std::stable_sort(options.begin(), options.end(),
                   [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  if (command.get_parent() == nullptr) return options;
  for (const CLI::Option* option : command.get_parent()->get_options()) {
    const bool hidden = command.get_option_no_throw(option->get_name()) != nullptr;
    if (!hidden && takes_value(*option)) options.push_back(option);
  }
  return options;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace touchstone::cli
