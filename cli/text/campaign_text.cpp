#include "cli/text/campaign_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "fuzz/campaign/engines.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/subject/subject_process.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

std::string rate_text(std::uint64_t cases, double seconds) {
  if (seconds <= 0) return "0 cases/s";
  return std::to_string(static_cast<std::uint64_t>(static_cast<double>(cases) / seconds)) + " cases/s";
}

std::uint64_t sum(const std::map<std::string, std::uint64_t>& counts) {
  std::uint64_t total = 0;
  for (const auto& [key, count] : counts) total += count;
  return total;
}

/// The clauses of differences, the most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> most_frequent(
    const std::map<std::string, std::uint64_t>& by_clause) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(by_clause.begin(), by_clause.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

/// How a subject failed, and the last lines that it wrote to standard error.
std::string standard_error_of(const fuzz::Found& found) {
  constexpr std::size_t k_lines_most = 5;
  if (found.standard_error.empty()) return "";
  std::string text =
      found.hash + ": " + printable(found.failure) + "; standard error of the subject ended with\n";
  for (const std::string& line : oracle::last_lines(found.standard_error, k_lines_most))
    text += "  " + printable(line) + "\n";
  return text;
}

/// Elapsed and remaining time: "0:12, 0:48 left". The campaign ends at --time or --cases, whichever comes
/// first.
std::string times_of(const fuzz::Progress& progress, const fuzz::CampaignSetup& setup) {
  using Seconds = std::chrono::duration<double>;
  const Seconds elapsed(progress.seconds_of_session);
  Seconds left = Seconds::max();
  if (setup.time_most) left = *setup.time_most - elapsed;
  if (setup.cases_most && progress.cases_of_session > 0) {
    const std::uint64_t cases_left = *setup.cases_most - std::min(*setup.cases_most, progress.cases);
    left = std::min(
        left, elapsed * (static_cast<double>(cases_left) / static_cast<double>(progress.cases_of_session)));
  }
  const auto text = [](Seconds seconds) {
    return clock_text(std::chrono::duration_cast<std::chrono::seconds>(std::max(seconds, Seconds(0))));
  };
  return text(elapsed) + (left == Seconds::max() ? "" : ", " + text(left) + " left");
}

}  // namespace

std::string probability_text(double probability) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1e", probability);
  return text.data();
}

std::string side_of(const fuzz::Tally& tally, const char* side) {
  const fuzz::Json& identity = tally.setup.at(side);
  const auto name = identity.find("name");
  const std::string text = name != identity.end() && name->is_string() ? name->get<std::string>() : "subject";
  const fuzz::Json& release = tally.setup.at(std::string(side) + "Release");
  return text + " " + (release.is_string() ? release.get<std::string>() : "");
}

std::string line_of(const fuzz::Progress& progress, const fuzz::CampaignSetup& setup) {
  std::ostringstream line;
  line << progress.cases << " cases  " << times_of(progress, setup) << "  "
       << rate_text(progress.cases_of_session, progress.seconds_of_session) << "  " << progress.behaviours
       << " behaviours, next new " << probability_text(progress.next_new) << "  " << progress.differ
       << " differ";
  std::string before = " (";
  for (const auto& [clause, count] : most_frequent(progress.by_clause)) {
    line << before << clause << " " << count;
    before = ", ";
  }
  if (!progress.by_clause.empty()) line << ")";
  if (progress.shrinking) line << "  shrinking";
  return line.str();
}

std::string summary_of(const fuzz::Tally& tally, const std::string& dir, const Terminal& terminal) {
  std::ostringstream text;
  text << printable(side_of(tally, "right")) << " against " << printable(side_of(tally, "left")) << "\n"
       << tally.cases << " cases in " << static_cast<std::uint64_t>(tally.seconds) << " s ("
       << rate_text(tally.cases, tally.seconds) << "): " << tally.agree << " agree, " << sum(tally.skipped)
       << " skipped, "
       << terminal.styled(tally.differ > 0 ? Style::bad : Style::good,
                          std::to_string(tally.differ) + " differ")
       << "\n";
  for (const auto& [what, count] : tally.skipped)
    text << "  skipped " << count << ": " << printable(what) << "\n";
  for (const auto& [clause, count] : most_frequent(tally.by_clause)) {
    const std::string_view title = title_of(clause);
    text << "  differ " << count << ": " << printable(clause) << (title.empty() ? "" : ", ") << title << "\n";
  }
  if (!tally.nodes.empty()) text << "verdicts on nodes:\n";
  for (const auto& [what, count] : tally.nodes) text << "  " << count << " " << printable(what) << "\n";
  for (const auto& [kind, count] : tally.shrink_failures)
    text << "  " << printable(kind) << " " << count << (count == 1 ? " time" : " times")
         << " while differences were shrunk\n";
  text << tally.behaviours.seen() << " behaviours seen"
       << (tally.behaviours.cases() < tally.cases
               ? " in the " + std::to_string(tally.behaviours.cases()) + " cases that were examined"
               : "")
       << "; the next case shows a new one with a probability of about "
       << probability_text(tally.behaviours.next_new()) << " (Good-Turing)\n";
  if (tally.paths) {
    text << tally.paths->seen << " of the " << tally.paths->feasible
         << " behaviours on proved paths of small clusters were seen (touchstone prove --paths)\n";
    for (const std::string& name : tally.paths->unseen)
      text << "  not seen: the behaviour of " << name << "\n";
  }
  if (tally.differ == 0 && tally.agree > 0) {
    // Cases that differ by one change are not independent of each other.
    const std::uint64_t alike =
        tally.setup.contains(fuzz::k_cases_a_behaviour) ? fuzz::k_cases_of_a_scenario : 1;
    const double independent = static_cast<double>(tally.agree) / static_cast<double>(alike);
    text << "with 95 % confidence, the share of cases of this generator that differ is below "
         << probability_text(3.0 / independent) << "\n";
  }
  std::string before = "time: ";
  for (const auto& [what, spent] : tally.spent_ns) {
    text << before << printable(what) << " " << spent * 100 / std::max<std::uint64_t>(1, sum(tally.spent_ns))
         << " %";
    before = ", ";
  }
  if (!tally.spent_ns.empty()) text << "\n";
  if (!tally.ineffective_eviction.empty()) {
    text << "among " << tally.nominated << " decisions to evict, evictions that do not help (by "
         << printable(tally.setup.at("leftRelease").get<std::string>())
         << "'s own filters after the eviction):\n";
  }
  for (const auto& [what, count] : tally.ineffective_eviction)
    text << "  " << count << " " << printable(what) << "\n";
  for (const fuzz::Found& found : tally.witnesses) {
    text << "  smallest cluster for " << printable(found.signature) << ": "
         << oracle::count_of(found.nodes, "node") << ", " << oracle::count_of(found.pods, "pod") << ": "
         << (dir.empty() ? found.hash : printable(dir) + "/in-vain/" + found.hash + ".json") << "\n";
  }
  const auto count_of = [&tally](const fuzz::Found& found) {
    const auto count = tally.by_clause.find(found.clause);
    return count == tally.by_clause.end() ? 0 : count->second;
  };
  std::vector<fuzz::Found> sorted = tally.found;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const fuzz::Found& a, const fuzz::Found& b) {
    return std::pair(count_of(b), a.clause) < std::pair(count_of(a), b.clause);
  });
  std::vector<Row> rows;
  for (const fuzz::Found& found : sorted) {
    rows.push_back({printable(found.clause), std::string(title_of(found.clause)), printable(found.signature),
                    oracle::count_of(found.nodes, "node") + ", " + oracle::count_of(found.pods, "pod") +
                        (found.minimal ? "" : ", not minimal"),
                    dir.empty() ? found.hash : printable(dir) + "/differences/" + found.hash + ".txt"});
  }
  if (!rows.empty()) text << "\n" << table(terminal, rows);
  for (const fuzz::Found& found : tally.found) text << standard_error_of(found);
  return text.str();
}

}  // namespace touchstone::cli
