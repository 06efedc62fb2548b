#include <map>

#include "conformance/reports/report.hpp"

namespace touchstone::conformance {

namespace {

/// Text in a workflow command. A property also needs its separators escaped.
std::string escaped_data(const std::string& text, bool is_property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (is_property && c == ':') {
      out += "%3A";
    } else if (is_property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::size_t size_of(const CaseResult& result) { return result.question->question.dump().size(); }

/// The failures of a level with one clause, or with one verdict if there is no clause.
struct Group {
  std::size_t cases = 0;
  const CaseResult* smallest = nullptr;
};

}  // namespace

std::string github_annotation(const std::string& level, const std::string& title, const std::string& text) {
  return "::" + level + " title=" + escaped_data(title, true) + "::" + escaped_data(text, false) + "\n";
}

std::string report_github(const Report& report) {
  std::string text;
  for (const LevelResult& level : report.levels) {
    std::map<std::string, Group> groups;
    for (const CaseResult& each : level.results) {
      if (is_good(each.verdict.kind) || each.known) continue;
      const std::string& clause = each.verdict.clause;
      Group& group = groups[clause.empty() ? std::string(name_of(each.verdict.kind)) : clause];
      ++group.cases;
      if (group.smallest == nullptr || size_of(each) < size_of(*group.smallest)) group.smallest = &each;
    }
    for (const auto& [name, group] : groups) {
      const std::string cases =
          std::to_string(group.cases) + " of " + std::to_string(level.results.size()) + " cases";
      text +=
          github_annotation("error", std::string(level.suite->level->title) + ": " + name + ", " + cases,
                            sentence_of(*group.smallest, report) + "\ncase " +
                                group.smallest->question->name + "\n" + replay_of(*group.smallest, report));
    }
  }
  for (const KnownProblem& each : report.problems)
    text += github_annotation("error", "Known failures", sentence_of(each, report));
  for (const auto& [feature, count] : not_claimed(report))
    text += github_annotation("notice", "Not claimed: " + feature,
                              "cases that need this feature and were not judged: " + std::to_string(count));
  return text;
}

}  // namespace touchstone::conformance
