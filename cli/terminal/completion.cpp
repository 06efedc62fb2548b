#include "cli/terminal/completion.hpp"

#include "cli/terminal/options.hpp"
#include "fuzz/generate/scenario.hpp"
#include "spec/releases/release.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

Words words_for(const CLI::App& app, const CLI::Option& option) {
  const std::string placeholder = placeholder_of(option);
  Words known{.files = placeholder == "FILE" || placeholder == "PATH", .words = choices_of(option)};
  if (placeholder == "CLAUSE") {
    for (const Rule& rule : rules()) known.words.emplace_back(rule.id);
  }
  if (placeholder == "FAMILY") known.words.assign(fuzz::k_family_names.begin(), fuzz::k_family_names.end());
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

}  // namespace touchstone::cli
