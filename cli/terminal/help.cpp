#include "cli/terminal/help.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "cli/terminal/exit_codes.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_indent = 4;

/// One way to give an option or argument: "-f FILE", "[--update]", "[CLAUSE]".
std::string usage_of(const CLI::Option& option) {
  const std::vector<std::string> names = names_of(option);
  std::string text = names.empty() ? "" : names.front();
  if (takes_value(option)) text += (names.empty() ? "" : " ") + placeholder_of(option);
  return option.get_required() ? text : "[" + text + "]";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Formats the help of one command.
class Page : public CLI::Formatter {
 public:
  Page(const Terminal& terminal, Manual manual) : terminal_(terminal), manual_(std::move(manual)) {}

  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode) const override {
    return section("NAME", paragraph(name + " - " + command->get_description())) +
           section("SYNOPSIS", synopsis(*command, name)) +
           section("DESCRIPTION", paragraph(manual_.description)) + section("COMMANDS", commands(*command)) +
           section("OPTIONS", options(*command)) + section("EXAMPLES", examples()) +
           section("EXIT STATUS", exit_status()) + section("SEE ALSO", see_also(), true);
  }

 private:
  std::size_t width() const { return std::clamp<std::size_t>(terminal_.output_width, 40, 100); }

  std::string paragraph(std::string_view text, std::size_t indent = k_indent) const {
    return wrapped(text, width(), indent);
  }

  std::string section(std::string_view title, const std::string& body, bool last = false) const {
    if (body.empty()) return "";
    return terminal_.styled(Style::strong, title) + "\n" + body + (last ? "" : "\n");
  }

  /// A head and the parts that follow it. Lines after the first are indented further.
  std::string hanging(const std::string& head, const std::vector<std::string>& parts) const {
    std::string text;
    std::string line = std::string(k_indent, ' ') + head;
    const std::size_t indent = std::min(line.size() + 1, 2 * k_indent);
    for (const std::string& part : parts) {
      if (line.size() + 1 + part.size() > width() && line.size() > indent) {
        text += line + "\n";
        line = std::string(indent, ' ') + part;
      } else {
        line += " " + part;
      }
    }
    return text + line + "\n";
  }

  std::string synopsis(const CLI::App& command, const std::string& name) const {
    std::vector<std::string> parts;
    for (const CLI::Option* option : command.get_options()) {
      if (option != command.get_help_ptr() && option->nonpositional()) parts.push_back(usage_of(*option));
    }
    std::stable_partition(parts.begin(), parts.end(), [](const std::string& part) { return part[0] != '['; });
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional()) parts.push_back(usage_of(*option));
    }
    if (!commands_of(command).empty()) parts.push_back("COMMAND [ARGUMENT...]");
    return hanging(name, parts);
  }

  std::string commands(const CLI::App& command) const {
    std::string text;
    for (const CLI::App* each : commands_of(command)) {
      text += std::string(k_indent, ' ') + each->get_name() + "\n" +
              paragraph(each->get_description(), 2 * k_indent);
    }
    return text;
  }

  std::string options(const CLI::App& command) const {
    std::string text;
    for (const CLI::Option* option : options_for(command)) {
      std::string head;
      for (const std::string& name : names_of(*option)) head += (head.empty() ? "" : ", ") + name;
      if (takes_value(*option)) head += (head.empty() ? "" : " ") + placeholder_of(*option);
      std::string body = option->get_description();
      if (!option->get_default_str().empty()) body += " (default: " + option->get_default_str() + ")";
      text += std::string(k_indent, ' ') + head + "\n" + paragraph(body, 2 * k_indent);
    }
    return text;
  }

  /// Long command lines break before an option, with a backslash, so that they can still be pasted.
  std::string examples() const {
    std::string text;
    for (const Example& example : manual_.examples) {
      text += (text.empty() ? "" : "\n") + paragraph(std::string(example.what) + ":");
      std::string line(2 * k_indent, ' ');
      std::string_view left = example.command;
      while (!left.empty()) {
        const std::size_t end = std::min(left.find(" -", 1), left.size());
        if (line.size() + end + 2 > width()) {
          text += line + " \\\n";
          line = std::string(3 * k_indent - 1, ' ');
        }
        line += left.substr(0, end);
        left.remove_prefix(end);
      }
      text += line + "\n";
    }
    return text;
  }

  std::string exit_status() const {
    std::string text;
    for (const ExitCode& each : k_exit_codes) {
      const bool applies = std::find(manual_.exit_codes.begin(), manual_.exit_codes.end(), each.code) !=
                           manual_.exit_codes.end();
      if (applies) text += hanging(std::to_string(each.code) + " ", words_of(each.meaning));
    }
    return text;
  }

  std::string see_also() const {
    std::string text;
    for (const std::string_view each : manual_.see_also)
      text += (text.empty() ? "" : ", ") + std::string(each);
    return text.empty() ? "" : paragraph(text);
  }

  const Terminal& terminal_;
  Manual manual_;
};

}  // namespace

void describe(CLI::App& command, const Terminal& terminal, Manual manual) {
  command.formatter(std::make_shared<Page>(terminal, std::move(manual)));
}

}  // namespace touchstone::cli
