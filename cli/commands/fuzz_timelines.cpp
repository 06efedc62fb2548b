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
#include "cli/text/timeline_campaign_text.hpp"
#include "fuzz/timelines/parts.hpp"
#include "oracle/protocol/timeline_vectors.hpp"

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
    if (fuzz::part_of_lines(timeline.commands).empty()) {
      const Result<TimelineScript> script = fuzz::script_of(timeline.commands);
      if (!script) return print_error(script.error()), k_exit_bad_input;
    }
    const std::optional<fuzz::ShrunkTimeline> differs = fuzz::replay_timeline(subject, timeline.commands);
    if (interruption()) return k_exit_interrupted;
    if (differs && !differs->difference.skipped.empty()) {
      std::cout << timeline.name << ": not compared after command " << differs->difference.line - 1 << ": "
                << printable(differs->difference.skipped) << "\n";
      continue;
    }
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
    std::cout << summary_of(tally, setup.out.string(), terminal);
    if (interruption())
      std::cout << "interrupted; the same command continues from here"
                << (setup.out.empty() ? " only with --out" : "") << "\n";
  }
  if (tally.differ > 0) return k_exit_disagreement;
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

CLI::Option* add_part_option(CLI::App& command, std::string& part) {
  return command
      .add_option(
          "--part", part,
          "What the generated timelines are about: scheduler, disruption (the disruption controller) or "
          "leaderElection")
      ->type_name("PART")
      ->check(CLI::IsMember({"scheduler", "disruption", "leaderElection"}))
      ->capture_default_str();
}

}  // namespace touchstone::cli
