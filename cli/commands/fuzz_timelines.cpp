#include "cli/commands/fuzz_timelines.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/input/data.hpp"
#include "cli/terminal/exit_codes.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/timeline_vectors.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

using Seconds = std::chrono::duration<double>;

std::string clock_of(double seconds) {
  return clock_text(std::chrono::duration_cast<std::chrono::seconds>(Seconds(std::max(seconds, 0.0))));
}

/// The progress line: timelines, elapsed and remaining time, and what was found.
std::string timelines_line(const fuzz::TimelineProgress& now, const fuzz::TimelineCampaignSetup& setup) {
  std::ostringstream line;
  const double elapsed = now.seconds_of_session;
  line << now.timelines << " timelines  " << clock_of(elapsed);
  if (setup.time_most) {
    line << ", " << clock_of(Seconds(*setup.time_most).count() - elapsed) << " left";
  } else if (setup.timelines_most && now.timelines_of_session > 0) {
    const auto left = *setup.timelines_most - std::min(*setup.timelines_most, now.timelines);
    line << ", "
         << clock_of(elapsed * static_cast<double>(left) / static_cast<double>(now.timelines_of_session))
         << " left";
  }
  line << "  " << now.differ << " differ";
  std::string before = " (";
  for (const auto& [clause, count] : now.by_clause) {
    line << before << clause << " " << count;
    before = ", ";
  }
  if (!now.by_clause.empty()) line << ")";
  if (now.shrinking) line << "  shrinking";
  return line.str();
}

std::string list_of(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + printable(name);
  return text;
}

std::string timelines_summary(const fuzz::TimelineTally& tally, const std::string& dir,
                              const Terminal& terminal) {
  std::ostringstream text;
  const fuzz::Json& subject = tally.setup.at("subject");
  const std::string release = tally.setup.at("release").get<std::string>();
  text << printable(subject.contains("name") ? subject["name"].get<std::string>() : "subject") << " "
       << release << " against touchstone-reference " << release << ", over time\n"
       << tally.timelines << " timelines in " << static_cast<std::uint64_t>(tally.seconds)
       << " s: " << tally.agree << " agree, "
       << terminal.styled(tally.differ > 0 ? Style::bad : Style::good,
                          std::to_string(tally.differ) + " differ")
       << "\n"
       << tally.commands << " commands were compared: " << list_of(tally.by_command) << "\n"
       << "outcomes of the cycles: " << list_of(tally.outcomes) << "\n";
  for (const auto& [clause, count] : tally.by_clause) {
    const std::string_view title = title_of(clause);
    text << "  differ " << count << ": " << (clause.empty() ? "no clause" : clause)
         << (title.empty() ? "" : ", ") << title << "\n";
  }
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

int replay_file(const fuzz::TimelineCampaignSetup& setup, const std::string& file) {
  const Result<std::vector<oracle::RecordedTimeline>> read = oracle::read_timelines(data_path(file));
  if (!read) return print_error(read.error()), k_exit_bad_input;
  if (read.value().empty())
    return print_error({"vector-malformed", file, "expected a timeline in a file *.jsonl"}), k_exit_bad_input;
  fuzz::TimelineSubject subject(setup.subject, setup.make, interruption());
  if (const auto error = subject.begin()) return print_error(*error), k_exit_bad_input;
  int exit_code = k_exit_ok;
  for (const oracle::RecordedTimeline& timeline : read.value()) {
    if (timeline.release != subject.release()) continue;
    const Result<TimelineScript> script = fuzz::script_of(timeline.commands);
    if (!script) return print_error(script.error()), k_exit_bad_input;
    const std::optional<fuzz::ShrunkTimeline> differs = fuzz::replay_timeline(subject, script.value());
    if (interruption()) return k_exit_interrupted;
    if (differs) exit_code = k_exit_disagreement;
    std::cout << (differs ? fuzz::report_of(*differs, subject, file)
                          : timeline.name + ": " + printable(subject.name()) +
                                " and touchstone-reference agree\n");
  }
  return exit_code;
}

}  // namespace

int fuzz_timelines(const fuzz::TimelineCampaignSetup& setup, const std::string& replay,
                   const std::string& output, const Terminal& terminal) {
  if (!replay.empty()) return replay_file(setup, replay);
  ProgressBar line(terminal);
  line.show("playing the first timelines");
  const Result<fuzz::TimelineTally> done = fuzz::run_timeline_campaign(
      setup, interruption(),
      [&](const fuzz::TimelineProgress& now) { line.show(timelines_line(now, setup)); });
  line.erase();
  if (!done) return print_error(done.error()), k_exit_bad_input;
  const fuzz::TimelineTally& tally = done.value();
  if (tally.timelines == 0 && !interruption())
    return print_error({"nothing-judged", "--time", "the subject played no timeline in this time"}),
           k_exit_bad_input;
  if (output == "json") {
    print_json(fuzz::json_of(tally));
  } else {
    std::cout << timelines_summary(tally, setup.out.string(), terminal);
    if (interruption())
      std::cout << "interrupted; the same command continues from here"
                << (setup.out.empty() ? " only with --out" : "") << "\n";
  }
  if (tally.differ > 0) return k_exit_disagreement;
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

}  // namespace touchstone::cli
