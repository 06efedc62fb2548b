#include "fuzz/campaign/record.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/write/written.hpp"
#include "proofs/paths/paths.hpp"

namespace touchstone::cli {

namespace {

struct RecordOptions {
  std::vector<std::string> subjects;
  std::string release;
  std::string file;
  std::string command = "run";
  bool random_configurations = false;
  bool paths = false;
  std::uint64_t seed = 1;
  std::uint64_t cases = 2000;
  std::size_t each = 1;
  std::string name = "generated";
  std::string out;
};

std::string today() {
  const std::chrono::year_month_day date{
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  const auto two = [](unsigned number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return std::to_string(static_cast<int>(date.year())) + "-" + two(static_cast<unsigned>(date.month())) +
         "-" + two(static_cast<unsigned>(date.day()));
}

oracle::Command command_of(const RecordOptions& options) {
  const bool is_schedule = options.command == oracle::name_of(oracle::Command::schedule);
  return is_schedule ? oracle::Command::schedule : oracle::Command::run;
}

/// Starts the subjects. Returns them by release, the oldest first. Errors: those of Participant::begin;
/// release-twice.
Result<std::vector<std::unique_ptr<fuzz::Participant>>> begun(const RecordOptions& options) {
  std::vector<std::unique_ptr<fuzz::Participant>> sides;
  for (const std::string& command : options.subjects) {
    fuzz::ParticipantSetup setup;
    setup.command = {"/bin/sh", "-c", "exec " + command};
    setup.release = options.release;
    setup.repeat = 200;
    setup.asks = command_of(options);
    sides.push_back(std::make_unique<fuzz::Participant>(setup, interruption()));
    if (std::optional<Error> error = sides.back()->begin()) return *error;
  }
  const auto version = [](const std::unique_ptr<fuzz::Participant>& side) {
    return find_release(side->release()).value().release.version;
  };
  std::sort(sides.begin(), sides.end(),
            [&](const auto& a, const auto& b) { return version(a) < version(b); });
  for (std::size_t i = 1; i < sides.size(); ++i) {
    if (sides[i]->release() == sides[i - 1]->release())
      return Error{"release-twice", "--subject",
                   "expected subjects of different releases, found two of " + sides[i]->release()};
  }
  return sides;
}

/// One question for each path that the reference can take in small clusters. Errors: paths-incomplete.
Result<std::vector<fuzz::NamedQuestion>> questions_of_paths(ProgressBar& bar) {
  std::vector<fuzz::NamedQuestion> questions;
  const std::size_t scenes = proofs::scenes().size();
  for (std::size_t i = 0; i < scenes; ++i) {
    bar.update("scenes", i, scenes);
    const proofs::ScenePaths found = proofs::paths_of(i, interruption());
    if (!found.red.empty()) return Error{"paths-incomplete", proofs::scenes()[i].name, found.red.front()};
    for (const proofs::Path& path : found.paths)
      questions.push_back({"paths/" + path.name, kubernetes::written(path.question)});
  }
  return questions;
}

int run(const RecordOptions& options, const Terminal& terminal) {
  Result<std::vector<std::unique_ptr<fuzz::Participant>>> made = begun(options);
  if (!made) return print_error(made.error()), k_exit_bad_input;
  std::vector<std::unique_ptr<fuzz::Participant>> sides = std::move(made).value();
  std::vector<Release> releases;
  for (const std::unique_ptr<fuzz::Participant>& side : sides)
    releases.push_back(find_release(side->release()).value().release);

  ProgressBar bar(terminal);
  std::vector<fuzz::NamedQuestion> questions;
  if (options.paths) {
    Result<std::vector<fuzz::NamedQuestion>> made_of_paths = questions_of_paths(bar);
    if (interruption()) return k_exit_interrupted;
    if (!made_of_paths) return print_error(made_of_paths.error()), k_exit_bad_input;
    questions = std::move(made_of_paths).value();
  } else if (!options.file.empty()) {
    Result<std::vector<fuzz::NamedQuestion>> read =
        fuzz::read_asked(data_path(options.file), command_of(options));
    if (!read) return print_error(read.error()), k_exit_bad_input;
    questions = std::move(read).value();
  } else {
    const bool is_run = command_of(options) == oracle::Command::run;
    const fuzz::Scenarios scenarios =
        is_run ? fuzz::all_scenarios(releases.front()) : fuzz::whole_cycle_scenarios(releases.front());
    questions = fuzz::chosen_questions(
        {command_of(options), {nullptr, options.random_configurations}}, scenarios, releases, options.seed,
        options.cases, options.each, options.name,
        [&](std::uint64_t done) { bar.update("choosing", done, options.cases); }, interruption());
  }
  std::vector<std::string> left_out;
  const Result<std::string> text = fuzz::recorded(
      sides, questions, today(), [&](std::size_t done) { bar.update("questions", done, questions.size()); },
      [&](const std::string& name) { left_out.push_back(name); }, interruption());
  bar.erase();
  if (!text) return k_exit_interrupted;
  for (const std::string& name : left_out)
    print_note("left out, because a subject did not decide it: " + name);
  if (left_out.size() == questions.size())
    return print_error({"nothing-recorded", "--subject", "the subjects decided none of the questions"}),
           k_exit_bad_input;
  if (const auto error = kubernetes::write_bytes(options.out, text.value()))
    return print_error(*error), k_exit_bad_input;
  std::cout << questions.size() - left_out.size() << " cases, " << sides.size() << " releases, "
            << text.value().size() << " bytes: " << printable(options.out) << "\n"
            << "touchstone vectors --update adds the clauses that the cases show.\n";
  return k_exit_ok;
}

}  // namespace

void add_record(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("record", "Record the answers of running schedulers as vectors");
  const auto options = std::make_shared<RecordOptions>();
  describe(
      *command, context.terminal,
      {.description = "Sends the same questions to the schedulers of several releases, and writes their "
                      "answers as a vector file, with module, version and date. The questions come from a "
                      "vector file (--question), from all paths that the reference can take in small "
                      "clusters (--paths; see touchstone prove --paths), or from generated clusters. Of the "
                      "generated clusters, record chooses the smallest ones that show each clause and each "
                      "behaviour in each release, and both sides of each change between releases.",
       .examples = {{"Record the reference; for the real v1.34.4 use build/upstream/v1.34.4/scheduler "
                     "(upstream/build)",
                     "touchstone record --subject \"touchstone subject\" --release v1.34.4 --cases 500 --out "
                     "vectors.json"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_interrupted},
       .see_also = {"touchstone vectors --help", "upstream/README.md", "spec/vectors/README.md"}});
  command
      ->add_option("--subject", options->subjects,
                   "Command of a scheduler that speaks spec/protocol.md, for one release")
      ->type_name("COMMAND")
      ->required();
  command->add_option("--release", options->release, "Release to request, if a subject answers for several")
      ->type_name("RELEASE");
  CLI::Option* file =
      command->add_option("--question", options->file, "Use the questions of this vector file")
          ->type_name("FILE");
  command
      ->add_option("--command", options->command,
                   "Command of the protocol that asks: run for preemption, schedule for the whole cycle")
      ->type_name("COMMAND")
      ->check(CLI::IsMember(std::vector<std::string>{"run", "schedule"}))
      ->capture_default_str();
  command
      ->add_flag("--random-configurations", options->random_configurations,
                 "Give each generated question a configuration that is generated, too")
      ->excludes(file);
  command->add_flag("--paths", options->paths, "Use one question for each path in small clusters")
      ->excludes(file);
  command->add_option("--seed", options->seed, "Seed of the generated clusters")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command->add_option("--cases", options->cases, "Number of clusters to choose from")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--each", options->each, "Number of cases for each clause, behaviour and change")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  command->add_option("--name", options->name, "Name of the cases, before their number")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--out", options->out, "The vector file to write")->type_name("FILE")->required();
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
