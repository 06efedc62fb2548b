#include "cli/text/subjects_text.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/text.hpp"
#include "cli/text/campaign_text.hpp"
#include "conformance/reports/report.hpp"
#include "oracle/explain/wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

using oracle::count_of;

bool is_expected(const std::string& clause, const SubjectsView& view) {
  return std::find(view.expected.begin(), view.expected.end(), clause) != view.expected.end();
}

/// The campaigns that ran.
std::vector<const fuzz::Tally*> campaigns_of(const fuzz::SubjectsCompared& compared) {
  std::vector<const fuzz::Tally*> campaigns = {&compared.decisions};
  if (compared.cycles) campaigns.push_back(&*compared.cycles);
  return campaigns;
}

/// The number of cases in words: "12 decisions and 3 whole cycles".
std::string cases_text(std::uint64_t decisions, std::uint64_t cycles) {
  if (cycles == 0) return count_of(decisions, "decision");
  if (decisions == 0) return count_of(cycles, "whole cycle");
  return count_of(decisions, "decision") + " and " + count_of(cycles, "whole cycle");
}

/// The announced clauses by which nothing differs.
std::vector<std::string> missing(const fuzz::SubjectsCompared& compared, const SubjectsView& view) {
  std::vector<std::string> clauses;
  for (const std::string& clause : view.expected) {
    const auto is_it = [&](const fuzz::ChangedClause& each) { return each.clause == clause; };
    if (std::none_of(compared.changed.begin(), compared.changed.end(), is_it)) clauses.push_back(clause);
  }
  return clauses;
}

/// Text as lines that cannot control a terminal, each indented by four spaces.
std::string block_of(const std::string& text) {
  std::string block;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) block += "    " + printable(line) + "\n";
  return block;
}

std::string text_of(const fuzz::ChangedClause& each, const SubjectsView& view, const Terminal& terminal) {
  const std::string title(title_of(each.clause));
  std::string text = "\n" + terminal.styled(Style::strong, each.clause) +
                     (title.empty() ? "" : ", " + title) + ": " + cases_text(each.decisions, each.cycles) +
                     (is_expected(each.clause, view) ? ", announced" : "") + "\n";
  std::string before = "  some of these cases look like ";
  for (const std::string& clause : each.first_seen_as) {
    text += before + printable(clause);
    before = ", ";
  }
  if (!each.first_seen_as.empty()) text += "\n";
  if (!each.smallest) return text;
  const fuzz::SmallestCluster& cluster = *each.smallest;
  text += "  " + printable(cluster.sentence) + "\n  smallest cluster: " + count_of(cluster.nodes, "node") +
          ", " + count_of(cluster.pods, "pod") + (cluster.minimal ? "" : ", not minimal");
  if (view.names_files) return text + ": " + printable(cluster.file.string()) + "\n";
  return text + "\n" + block_of(cluster.objects);
}

}  // namespace

std::vector<std::string> unannounced(const fuzz::SubjectsCompared& compared,
                                     const std::vector<std::string>& expected) {
  std::vector<std::string> clauses;
  for (const fuzz::ChangedClause& each : compared.changed) {
    if (!is_expected(each.clause, {expected})) clauses.push_back(each.clause);
  }
  return clauses;
}

std::string text_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view,
                    const Terminal& terminal) {
  double seconds = 0;
  std::map<std::string, std::uint64_t> skipped;
  for (const fuzz::Tally* each : campaigns_of(compared)) {
    seconds += each->seconds;
    for (const auto& [what, count] : each->skipped) skipped[what] += count;
  }
  const std::size_t changed = compared.changed.size();
  std::string text =
      printable(side_of(compared.decisions, "right")) + " against " +
      printable(side_of(compared.decisions, "left")) + "\n" + count_of(compared.decisions.cases, "decision") +
      (compared.cycles ? " and " + count_of(compared.cycles->cases, "whole cycle") : "") + " in " +
      std::to_string(static_cast<std::uint64_t>(seconds)) + " s: " +
      terminal.styled(changed > 0 ? Style::bad : Style::good,
                      count_of(changed, "behaviour") + (changed == 1 ? " differs" : " differ")) +
      "\n";
  for (const auto& [what, count] : skipped)
    text += "  skipped " + std::to_string(count) + ": " + printable(what) + "\n";
  if (compared.random > 0)
    text +=
        "  " + std::to_string(compared.random) + " answered at random: the release may give both answers\n";
  if (!compared.cycles) text += "  scores and hosts were not compared: a side does not answer \"schedule\"\n";
  for (const fuzz::ChangedClause& each : compared.changed) text += text_of(each, view, terminal);
  for (const std::string& clause : missing(compared, view))
    text += "\n" + printable(clause) + " was announced, but no case shows it\n";
  return text;
}

std::string github_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view) {
  std::string text;
  for (const fuzz::ChangedClause& each : compared.changed) {
    const std::string title(title_of(each.clause));
    const std::string what = each.smallest ? each.smallest->sentence + "\n" + each.smallest->objects
                                           : "no smaller cluster was searched";
    text += conformance::github_annotation(is_expected(each.clause, view) ? "notice" : "error",
                                           each.clause + (title.empty() ? "" : ", " + title), what);
  }
  for (const std::string& clause : missing(compared, view))
    text += conformance::github_annotation("warning", clause, "announced, but no case shows it");
  return text;
}

fuzz::Json json_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view) {
  using fuzz::Json;
  Json json{{"before", side_of(compared.decisions, "left")},
            {"after", side_of(compared.decisions, "right")},
            {"behaviours", Json::array()},
            {"announcedAndNotFound", missing(compared, view)},
            {"random", compared.random},
            {"decisions", fuzz::json_of(compared.decisions)},
            {"cycles", nullptr}};
  if (compared.cycles) json["cycles"] = fuzz::json_of(*compared.cycles);
  for (const fuzz::ChangedClause& each : compared.changed) {
    Json behaviour{{"clause", each.clause},
                   {"title", title_of(each.clause)},
                   {"decisions", each.decisions},
                   {"cycles", each.cycles},
                   {"firstSeenAs", each.first_seen_as},
                   {"announced", is_expected(each.clause, view)},
                   {"smallest", nullptr}};
    if (each.smallest) {
      const fuzz::SmallestCluster& cluster = *each.smallest;
      behaviour["smallest"] = {{"nodes", cluster.nodes},
                               {"pods", cluster.pods},
                               {"minimal", cluster.minimal},
                               {"difference", cluster.sentence},
                               {"objects", cluster.objects}};
      if (view.names_files) behaviour["smallest"]["file"] = cluster.file.string();
    }
    json["behaviours"].push_back(std::move(behaviour));
  }
  return json;
}

}  // namespace touchstone::cli
