#include "cli/text/faults_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "cli/json/faults_json.hpp"
#include "cli/terminal/output.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

/// "12 ms", "1.4 s".
std::string time_of(double seconds) {
  std::array<char, 32> text{};
  if (seconds < 0.001) return "<1 ms";
  if (seconds < 1) {
    std::snprintf(text.data(), text.size(), "%.0f ms", seconds * 1000);
  } else {
    std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  }
  return text.data();
}

/// Median cases and time of a judge, and how many of its trials detected the fault: "21 in 2 ms", "- (3 of
/// 10)".
std::string cell_of(const faults::Judged& judged) {
  if (!judged.not_there.empty()) return judged.not_there;
  if (!judged.failed().empty()) return "failed";
  const std::string share =
      " (" + std::to_string(judged.detected()) + " of " + std::to_string(judged.trials.size()) + ")";
  const std::optional<faults::Median> median = judged.median();
  if (!median) return judged.detected() == 0 ? "-" : "-" + share;
  return std::to_string(median->cases) + " in " + time_of(median->seconds) +
         (judged.detected() < judged.trials.size() ? share : "");
}

std::string upper(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string shortened(const std::vector<std::string>& names) {
  if (names.empty()) return "-";
  return names[0] + (names.size() > 1 ? " +" + std::to_string(names.size() - 1) : "");
}

std::string table_of(const std::vector<faults::FaultResult>& results, const Terminal& terminal) {
  Row head = {"FAULT", "CLAUSE", "SOURCE", "REACHED", "TRIGGERED", "REFUTED BY THEOREM"};
  for (const faults::Judged& judged : results[0].judged) head.push_back(upper(judged.judge));
  std::vector<Row> rows = {heading(terminal, head)};
  const auto yes = [](bool is) { return is ? "yes" : "no"; };
  for (const faults::FaultResult& result : results) {
    const std::string source(result.fault->source);
    rows.push_back({std::string(result.fault->id), std::string(result.fault->clause),
                    source.substr(0, source.find(':')), yes(result.reached()), yes(result.triggered()),
                    shortened(refuted_by(result.fault->id))});
    for (const faults::Judged& judged : result.judged) rows.back().push_back(cell_of(judged));
  }
  return table(terminal, rows);
}

/// The reason in proofs/unproved.toml why no theorem refutes a fault.
std::string_view why_unproved(const faults::Fault& fault) {
  for (const Unproved& reason : unproved()) {
    const auto has = [](RuleNames ids, std::string_view id) {
      return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    if (has(reason.faults, fault.id) || has(reason.clauses, fault.clause)) return reason.reason;
  }
  return "not explained";
}

/// How many faults a theorem refutes, and why no theorem refutes the others.
std::string by_theorem(const std::vector<faults::FaultResult>& results) {
  std::size_t faults = 0;
  std::size_t refuted = 0;
  std::map<std::string_view, std::size_t> reasons;
  for (const faults::FaultResult& result : results) {
    if (!faults::is_fault(result)) continue;
    ++faults;
    if (!refuted_by(result.fault->id).empty()) {
      ++refuted;
    } else {
      ++reasons[why_unproved(*result.fault)];
    }
  }
  std::string text =
      std::to_string(refuted) + " of " + std::to_string(faults) + " faults are refuted by a theorem\n";
  for (const auto& [reason, count] : reasons)
    text +=
        "  " + std::to_string(count) + (count == 1 ? " is not. " : " are not. ") + std::string(reason) + "\n";
  return text;
}

std::string summary_of(const std::vector<faults::FaultResult>& results) {
  std::string text;
  const faults::Soon soon = faults::soon_by_campaign(results);
  const std::size_t all = soon.in_a_second + soon.explained.size() + soon.unexplained.size();
  if (all == 0) return text;
  text += std::to_string(soon.in_a_second) + " of " + std::to_string(all) +
          " faults are detected by the campaign in a median time of less than a second\n";
  for (const faults::FaultResult* result : soon.explained)
    text += "  " + std::string(result->fault->id) + ": " + std::string(result->fault->unseen) + "\n";
  for (const faults::FaultResult* result : soon.unexplained)
    text += "  " + std::string(result->fault->id) + ": not explained\n";
  return text + by_theorem(results);
}

}  // namespace

std::string text_of(const std::vector<faults::FaultResult>& results, const Terminal& terminal) {
  if (results.empty()) return "";
  std::string text = table_of(results, terminal) + "\n" + summary_of(results);
  for (const std::string& failure : faults::failures_of(results))
    text += terminal.styled(Style::bad, failure) + "\n";
  return text;
}

}  // namespace touchstone::cli
