#include "oracle/replay/replay.hpp"

#include <iostream>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

struct ReplayOptions {
  std::string trace;
  std::string timeline;
  std::string name;
  std::string release;
  oracle::ReplayLimits limits;
  std::string output = "text";
};

constexpr std::size_t k_admissible_most = 10;

std::string_view verdict_of(const oracle::Replayed& replayed) {
  if (!replayed.skipped.empty()) return "not modelled";
  if (!replayed.unexplained) return "accepted";
  return replayed.is_cut ? "not explained within the limits" : "rejected";
}

oracle::Json replayed_json(const oracle::Replayed& replayed, std::size_t steps) {
  oracle::Json json{{"verdict", verdict_of(replayed)}, {"steps", steps}};
  if (!replayed.skipped.empty()) {
    json["skipped"] = replayed.skipped;
  } else if (const auto& step = replayed.unexplained) {
    json["unexplained"] = {{"step", step->step + 1},
                           {"place", step->place},
                           {"key", step->key},
                           {"recorded", oracle::Json::parse(step->recorded, nullptr, false)}};
    json["unexplained"]["admissible"] = oracle::Json::array();
    for (const std::string& value : step->admissible)
      json["unexplained"]["admissible"].push_back(oracle::Json::parse(value, nullptr, false));
  } else {
    json["hidden"] = replayed.hidden;
    json["states"] = replayed.worlds;
  }
  return json;
}

void print_text(const oracle::Replayed& replayed, std::size_t steps) {
  if (!replayed.skipped.empty()) {
    std::cout << "not modelled over time: " << printable(replayed.skipped) << "\n";
    return;
  }
  if (!replayed.unexplained) {
    std::cout << "accepted: " << oracle::count_of(steps, "step") << ", explained by "
              << oracle::count_of(replayed.worlds, "state") << " of the model";
    if (replayed.hidden > 0)
      std::cout << ", with at most " << oracle::count_of(replayed.hidden, "hidden step") << " before a step";
    std::cout << "\n";
    return;
  }
  const oracle::Unexplained& step = *replayed.unexplained;
  std::cout << verdict_of(replayed) << ": step " << step.step + 1 << " of " << steps << ", "
            << printable(step.place) << ": no path of the model explains " << printable(step.key) << "\n"
            << "  recorded:   " << printable(step.recorded) << "\n";
  for (std::size_t i = 0; i < step.admissible.size() && i < k_admissible_most; ++i)
    std::cout << (i == 0 ? "  admissible: " : "              ") << printable(step.admissible[i]) << "\n";
  if (step.admissible.size() > k_admissible_most)
    std::cout << "              and " << step.admissible.size() - k_admissible_most << " more; -o json\n";
}

int run(const ReplayOptions& options) {
  const std::string timeline = options.timeline.empty() ? "" : data_path(options.timeline);
  Result<std::vector<oracle::TraceStep>> read =
      oracle::read_trace(data_path(options.trace), timeline, options.name);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  std::vector<oracle::TraceStep> trace = std::move(read).value();
  if (!options.release.empty() && trace.front().command.is_object())
    trace.front().command["release"] = options.release;
  const Result<oracle::Replayed> done = oracle::replay(trace, options.limits);
  if (!done) return print_error(done.error()), k_exit_bad_input;
  const oracle::Replayed& replayed = done.value();
  if (options.output == "json") {
    print_json(replayed_json(replayed, trace.size()));
  } else {
    print_text(replayed, trace.size());
  }
  if (!replayed.skipped.empty()) return k_exit_not_modelled;
  return replayed.unexplained ? k_exit_disagreement : k_exit_ok;
}

}  // namespace

void add_replay(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "replay", "Check a recorded run of a scheduler: is it one that the release may take?");
  const auto options = std::make_shared<ReplayOptions>();
  command
      ->add_option("--trace", options->trace,
                   "The recorded run: lines of JSON, each a command of spec/protocol.md with its answer, or "
                   "one of the two; or timelines as in spec/vectors/time")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--timeline", options->timeline,
                   "The commands, one a line, if the trace has only their answers (default: they are in the "
                   "trace)")
      ->type_name("FILE");
  command->add_option("--name", options->name, "The timeline of the trace to check (default: the first)")
      ->type_name("NAME");
  command
      ->add_option("--release", options->release,
                   "Judge as this release decides (default: the release that the trace names)")
      ->type_name("RELEASE");
  command
      ->add_option("--hidden", options->limits.hidden,
                   "Most steps that the trace may leave out before each of its steps")
      ->type_name("N")
      ->check(whole_number(0, 20))
      ->capture_default_str();
  command->add_option("--paths", options->limits.paths, "Most orders of one command to try")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--states", options->limits.worlds, "Most states of the model to keep after a step")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  add_output_option(*command, options->output, {"text", "json"});
  describe(
      *command, context.terminal,
      {.description =
           "Searches the paths of the model over time for one that explains a recorded run: every order of "
           "concurrent steps, and every choice among equals. Only the keys that an answer of the trace has "
           "are compared. If no path explains the run, steps that the trace leaves out are tried before each "
           "of its steps: cycles, the timers of the queue, and deliveries of events that wait. Accepts the "
           "run, or names the first step that no path explains, with what was recorded and what was "
           "admissible. If a limit cut the search, the run is not explained within the limits, and may be "
           "admissible.",
       .examples =
           {{"Check a recorded run of v1.36.3",
             "touchstone replay --trace spec/vectors/time/v1.36.3.jsonl --name "
             "time/v1.36.3/scene-three-victims-first-fails"},
            {"Print the verdict as JSON; --release asks whether another release may run like this, too",
             "touchstone replay --trace spec/vectors/time/v1.36.3.jsonl --name "
             "time/v1.36.3/scene-three-victims-first-fails -o json"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone play", "touchstone simulate", "docs/timelines.md", "spec/protocol.md",
                    "spec/schema/replay.schema.json"}});
  command->callback([options, &context] { context.exit_code = run(*options); });
}

}  // namespace touchstone::cli
