#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/commands.hpp"
#include "cli/commands/fuzz_timelines.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/text/timeline_text.hpp"
#include "fuzz/timelines/parts.hpp"
#include "fuzz/timelines/timelines.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/protocol/timeline_written.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

struct PlayOptions {
  std::string file;
  std::string name;
  std::string release;
  std::string part = "scheduler";
  std::uint64_t seed = 1;
  std::uint64_t number = 0;
  std::size_t until = 0;
  bool only_commands = false;
  TimelineShown shown;
  std::string output = "text";
};

bool is_command(const Json& json) {
  return json.is_object() && json.contains("cmd") && json["cmd"].is_string();
}

/// Whether the value is a timeline: an object with a list of commands, which is not empty.
bool is_timeline(const Json& json) {
  if (!json.is_object() || !json.contains("commands")) return false;
  const Json& commands = json["commands"];
  return commands.is_array() && !commands.empty() &&
         std::all_of(commands.begin(), commands.end(), is_command);
}

/// The commands in a file: lines of commands, or the timeline with the given name among lines of timelines.
/// Errors: file-unreadable, timeline-malformed, unknown-timeline.
Result<std::vector<Json>> read_commands(const PlayOptions& options) {
  const Result<std::string> text = kubernetes::read_bytes(data_path(options.file), kubernetes::Progress());
  if (!text) return text.error();
  std::vector<Json> commands;
  std::istringstream lines(text.value());
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const Json json = Json::parse(line, nullptr, false);
    if (!is_timeline(json) && !is_command(json))
      return Error{"timeline-malformed", options.file + ":" + std::to_string(number),
                   "expected a command, an object with \"cmd\", or a timeline, an object with a list "
                   "\"commands\" of commands"};
    if (is_command(json)) {
      commands.push_back(json);
    } else if (options.name.empty() || (json.contains("name") && json["name"] == options.name)) {
      return json["commands"].get<std::vector<Json>>();
    }
  }
  if (commands.empty())
    return Error{"unknown-timeline", "--name", options.file + " has no timeline \"" + options.name + "\""};
  return commands;
}

/// The commands of a generated timeline. Errors: those of find_release(); not-modelled.
Result<std::vector<Json>> generated_commands(const PlayOptions& options) {
  const Result<NamedRelease> named =
      find_release(options.release.empty() ? newest_release().text() : options.release);
  if (!named) return named.error();
  const Release& release = named.value().release;
  const bool is_part = options.part != "scheduler";
  const std::string reason = is_part ? oracle::part_not_modelled(options.part, release.version)
                                     : oracle::not_modelled_over_time(release);
  if (!reason.empty()) return Error{"not-modelled", "--release", reason};
  if (is_part) return fuzz::numbered_part_timeline(options.part, release, options.seed, options.number);
  const TimelineScript script = fuzz::numbered_timeline({release}, options.seed, options.number);
  std::vector<Json> commands = {oracle::written_beginning(script)};
  for (const TimelineCommand& command : script.commands) commands.push_back(oracle::written(command));
  return commands;
}

Json step_answer(Json command, oracle::Timeline& scheduler) {
  if (command.value("cmd", "") == "init") command["trace"] = true;
  try {
    const Result<kubernetes::Document> document = kubernetes::Document::parse(command.dump(), "command");
    if (!document) return {{"error", {{"message", document.error().message}}}};
    const kubernetes::Value line = document.value().root();
    const std::string cmd(line.require("cmd").string());
    if (!oracle::is_timeline_command(cmd))
      return {{"error", {{"message", "expected a command about a scheduler over time"}}}};
    return scheduler.answer(line, cmd);
  } catch (const kubernetes::InvalidInput& invalid) {
    return {{"error", {{"message", invalid.error.path + ": " + invalid.error.message}}}};
  }
}

/// The steps of a controller beside the scheduler: each command, and its answer below.
std::string text_of_part(const std::vector<PlayedCommand>& played, bool with_clauses) {
  std::string text;
  for (std::size_t i = 0; i < played.size(); ++i) {
    Json answer = played[i].answer;
    if (!with_clauses) answer.erase("clauses");
    text += std::to_string(i) + "  " + played[i].command.dump() + "\n   " + answer.dump() + "\n";
  }
  return text;
}

int run(const PlayOptions& options, const Terminal& terminal) {
  Result<std::vector<Json>> read =
      options.file.empty() ? generated_commands(options) : read_commands(options);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  std::vector<Json> commands = std::move(read).value();
  if (!options.release.empty() && !options.file.empty()) commands.front()["release"] = options.release;
  if (options.until > 0 && options.until < commands.size()) commands.resize(options.until);
  if (options.only_commands) {
    for (const Json& command : commands) std::cout << command.dump() << "\n";
    return k_exit_ok;
  }
  oracle::Timeline scheduler;
  std::vector<PlayedCommand> played;
  bool errs = false;
  bool is_skipped = false;
  for (const Json& command : commands) {
    played.push_back({command, step_answer(command, scheduler)});
    errs = errs || played.back().answer.contains("error");
    is_skipped = is_skipped || played.back().answer.contains("skipped");
    if (is_skipped) break;
  }
  if (options.output == "json") {
    Json json = Json::array();
    for (const PlayedCommand& step : played)
      json.push_back({{"command", step.command}, {"answer", step.answer}});
    print_json(json);
  } else if (commands.front().contains("part")) {
    std::cout << text_of_part(played, options.shown.with_clauses);
  } else {
    std::cout << text_of(played, options.shown, terminal);
  }
  if (is_skipped) return k_exit_not_modelled;
  return errs ? k_exit_bad_input : k_exit_ok;
}

}  // namespace

void add_play(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("play", "Play a timeline: what a scheduler does over time, step by step");
  const auto options = std::make_shared<PlayOptions>();
  command
      ->add_option("file", options->file,
                   "Commands of spec/protocol.md, one a line, or timelines as in spec/vectors/time (default: "
                   "generate a timeline)")
      ->type_name("FILE");
  command->add_option("--name", options->name, "The timeline of the file to play (default: the first)")
      ->type_name("NAME");
  command
      ->add_option(
          "--release", options->release,
          "Play as this release does (default: the one that the file names; of a generated timeline: "
          "the newest)")
      ->type_name("RELEASE");
  add_part_option(*command, options->part);
  command->add_option("--seed", options->seed, "Seed of the generated timeline")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--number", options->number, "Number of the generated timeline")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--until", options->until, "Stop after this step (default: play all)")->type_name("N");
  command->add_option("--pod", options->shown.pod, "Only steps that change this pod (default: all steps)")
      ->type_name("NAMESPACE/NAME");
  command->add_flag("--clauses", options->shown.with_clauses, "Show the clauses that decided each step");
  command->add_flag("--commands", options->only_commands, "Print the commands, and play nothing");
  add_output_option(*command, options->output, {"text", "json"});
  describe(
      *command, context.terminal,
      {.description =
           "Plays commands to a scheduler over time: objects that users, controllers and kubelets write, "
           "scheduling cycles, timers, the clock, and API calls and watch events that wait. Shows after each "
           "step where each pod is: active, in backoff, unschedulable, in flight, assumed, on a node, or "
           "nominated. Nothing happens unless a command sets it off. JSON prints each command with its whole "
           "answer.",
       .examples = {{"Play a recorded timeline",
                     "touchstone play spec/vectors/time/v1.36.3.jsonl --name "
                     "time/v1.36.3/scene-finalizer-terminating-while-pending"},
                    {"Play a generated timeline, and show why each step happened",
                     "touchstone play --release v1.36.3 --seed 1 --number 7 --clauses"},
                    {"Follow one pod",
                     "touchstone play spec/vectors/time/v1.36.3.jsonl --name "
                     "time/v1.36.3/scene-three-victims-first-fails --pod default/p"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone vectors", "touchstone subject", "docs/timelines.md", "spec/protocol.md"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
