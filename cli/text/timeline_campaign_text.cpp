#include "cli/text/timeline_campaign_text.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

std::string list_of(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + printable(name);
  return text;
}

std::uint64_t sum_of(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

std::string subject_of(const fuzz::TimelineTally& tally) {
  const fuzz::Json& subject = tally.setup.at("subject");
  const std::string name = subject.contains("name") ? subject["name"].get<std::string>() : "subject";
  const std::string part = tally.setup.value("part", "");
  if (part.empty()) return name;
  return (part == "disruption" ? "disruption controller of " : "leader election of ") + name;
}

}  // namespace

std::string summary_of(const fuzz::TimelineTally& tally, const std::string& dir,
                       const Terminal& terminal) {
  std::ostringstream text;
  const std::string release = tally.setup.at("release").get<std::string>();
  text << printable(subject_of(tally)) << " " << release << " against touchstone-reference " << release
       << ", over time\n"
       << tally.timelines << " timelines in " << static_cast<std::uint64_t>(tally.seconds)
       << " s: " << tally.agree << " agree, "
       << terminal.styled(tally.differ > 0 ? Style::bad : Style::good,
                          std::to_string(tally.differ) + " differ")
       << "\n"
       << tally.commands << " commands were compared: " << list_of(tally.by_command) << "\n";
  if (!tally.outcomes.empty())
    text << (tally.setup.contains("part") ? "outcomes: " : "outcomes of the cycles: ")
         << list_of(tally.outcomes) << "\n";
  for (const auto& [clause, count] : tally.by_clause) {
    const std::string_view title = title_of(clause);
    text << "  differ " << count << ": " << (clause.empty() ? "no clause" : clause)
         << (title.empty() ? "" : ", ") << title << "\n";
  }
  for (const auto& [reason, count] : tally.skipped)
    text << "  not compared to the end " << count << ": " << printable(reason) << "\n";
  if (tally.differ == 0 && tally.agree > 0)
    text << "with 95 % confidence, less than " << 300.0 / static_cast<double>(tally.agree)
         << " % of the timelines of this generator differ\n";
  std::vector<Row> rows;
  for (const fuzz::TimelineFound& found : tally.found) {
    rows.push_back({found.clause, printable(found.key),
                    oracle::count_of(found.commands, "command") + ", " +
                        oracle::count_of(found.nodes, "node") + ", " + oracle::count_of(found.pods, "pod"),
                    dir.empty() ? found.hash : printable(dir) + "/differences/" + found.hash + ".txt"});
  }
  if (!rows.empty()) text << "\n" << table(terminal, rows);
  return text.str();
}

std::string table_of(const std::vector<fuzz::TimelineTally>& tallies, const Terminal& terminal) {
  std::vector<Row> rows = {heading(
      terminal, {"OVER TIME", "AGAINST", "TIMELINES", "AGREE", "DIFFER", "SKIPPED", "COMMANDS", "CYCLES"})};
  for (const fuzz::TimelineTally& tally : tallies) {
    const std::string release = tally.setup.at("release").get<std::string>();
    const auto cycles = tally.by_command.find("cycle");
    rows.push_back({printable(subject_of(tally) + " " + release),
                    "touchstone-reference " + printable(release), std::to_string(tally.timelines),
                    std::to_string(tally.agree), std::to_string(tally.differ),
                    std::to_string(sum_of(tally.skipped)), std::to_string(tally.commands),
                    std::to_string(cycles == tally.by_command.end() ? 0 : cycles->second)});
  }
  return table(terminal, rows);
}

}  // namespace touchstone::cli
