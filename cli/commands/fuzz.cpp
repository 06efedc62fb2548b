#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands/commands.hpp"
#include "cli/commands/fuzz_arguments.hpp"
#include "cli/commands/fuzz_timelines.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/campaign_text.hpp"
#include "fuzz/behaviour/paths_seen.hpp"
#include "fuzz/campaign/campaign.hpp"
#include "fuzz/campaign/difference.hpp"
#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/yaml.hpp"

namespace touchstone::cli {

namespace {

struct FuzzOptions {
  std::string release;
  std::string against;
  std::string against_release;
  std::string time;
  std::uint64_t cases = 0;
  std::size_t jobs = 1;
  std::uint64_t seed = 1;
  std::size_t repeat = fuzz::k_repeat_usual;
  std::size_t timeout_s = 10;
  std::string command = "run";
  std::string config;
  bool random_configurations = false;
  std::vector<std::string> families;
  std::size_t shrink_asks = 4000;
  bool keeps_labels = false;
  std::size_t examples = 3;
  bool witnesses = false;
  std::string shard = "0/1";
  std::string out;
  std::string replay;
  bool timelines = false;
  std::string part = "scheduler";
  std::string output = "text";
  std::vector<std::string> subject;
};

std::set<fuzz::Family> families_of(const std::vector<std::string>& names, oracle::Command command) {
  if (names.empty())
    return command == oracle::Command::run ? fuzz::preemption_families() : fuzz::whole_cycle_families();
  std::set<fuzz::Family> families;
  for (std::size_t i = 0; i < fuzz::k_family_names.size(); ++i) {
    if (std::find(names.begin(), names.end(), fuzz::k_family_names[i]) != names.end())
      families.insert(static_cast<fuzz::Family>(i));
  }
  return families;
}

/// Reads a KubeSchedulerConfiguration as JSON or YAML. Errors: those of read_bytes and yaml_to_json;
/// refused-configuration, if the file has several documents.
Result<fuzz::Json> read_configuration(const std::string& file) {
  const Result<std::string> bytes = kubernetes::read_bytes(data_path(file), {});
  if (!bytes) return bytes.error();
  if (fuzz::Json::accept(bytes.value())) return fuzz::Json::parse(bytes.value());
  const Result<std::vector<std::string>> documents = kubernetes::yaml_to_json(bytes.value(), file);
  if (!documents) return documents.error();
  if (documents.value().size() != 1) return Error{"refused-configuration", file, "expected one document"};
  return fuzz::Json::parse(documents.value().front());
}

/// Sets the command and the configurations of the questions. Errors: those of read_configuration().
std::optional<Error> settle_questions(const FuzzOptions& options, fuzz::CampaignSetup& setup) {
  const bool is_schedule = options.command == oracle::name_of(oracle::Command::schedule);
  setup.questions.command = is_schedule ? oracle::Command::schedule : oracle::Command::run;
  setup.left.asks = setup.questions.command;
  setup.right.asks = setup.questions.command;
  setup.questions.configurations.are_random = options.random_configurations;
  if (options.config.empty()) return std::nullopt;
  Result<fuzz::Json> config = read_configuration(options.config);
  if (!config) return config.error();
  setup.questions.configurations.fixed = std::move(config).value();
  return std::nullopt;
}

Result<fuzz::CampaignSetup> setup_of(const FuzzOptions& options) {
  fuzz::CampaignSetup setup;
  if (options.subject.empty() && !(options.against.empty() && options.against_release.empty()))
    return Error{"missing-subject", "SUBJECT",
                 "expected the command of a subject after --, to compare with another"};
  const std::chrono::seconds timeout(options.timeout_s);
  const oracle::Engine engine =
      options.subject.empty() ? oracle::Engine::optimized : oracle::Engine::reference;
  setup.right = {options.subject, options.release, options.repeat, timeout, engine};
  setup.left = {{}, options.against_release, options.repeat, timeout, oracle::Engine::reference};
  if (!options.against.empty()) setup.left.command = {"/bin/sh", "-c", "exec " + options.against};
  if (options.against_release.empty()) setup.left.release = options.release;
  setup.seed = options.seed;
  if (const std::optional<Error> error = settle_questions(options, setup)) return *error;
  setup.families = families_of(options.families, setup.questions.command);
  setup.jobs = options.jobs;
  setup.shrinking = {options.shrink_asks, options.keeps_labels};
  setup.examples_each = options.examples;
  setup.witness_described = options.witnesses;
  setup.out = options.out;
  for (const std::string& name : options.families) {
    const auto& known = fuzz::k_family_names;
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{"unknown-family", "--families",
                   "no family \"" + name + "\" (touchstone scenarios --help lists them)"};
  }
  const Result<fuzz::Shard> shard = parse_shard(options.shard);
  if (!shard) return shard.error();
  setup.shard = shard.value();
  if (options.cases > 0) setup.cases_most = options.cases;
  if (!options.time.empty()) {
    const Result<std::chrono::milliseconds> time = parse_time(options.time);
    if (!time) return time.error();
    setup.time_most = time.value();
  } else if (options.cases == 0) {
    setup.time_most = std::chrono::seconds(60);
  }
  return setup;
}

/// Sets the release of the reference to that of the subject, unless another one is named.
std::optional<Error> settle_releases(fuzz::CampaignSetup& setup) {
  if (setup.right.command.empty()) {
    const Result<NamedRelease> named =
        find_release(setup.right.release.empty() ? newest_release().text() : setup.right.release);
    return named ? std::nullopt : std::optional(named.error());
  }
  if (!setup.left.command.empty() || !setup.left.release.empty()) return std::nullopt;
  fuzz::Participant right(setup.right, interruption());
  if (std::optional<Error> error = right.begin()) return error;
  setup.left.release = right.release();
  return std::nullopt;
}

/// Checks that the reference takes the configuration of all questions. Errors: those of
/// kubernetes::configured().
std::optional<Error> check_configuration(const fuzz::CampaignSetup& setup) {
  const fuzz::Json& config = setup.questions.configurations.fixed;
  if (config.is_null() || setup.left.release.empty()) return std::nullopt;
  const Result<NamedRelease> named = find_release(setup.left.release);
  if (!named) return named.error();
  const Result<Release> configured =
      kubernetes::configured_by_text(config.dump(), "--config", named.value().release, "");
  return configured ? std::nullopt : std::optional(configured.error());
}

int replay(const FuzzOptions& options, fuzz::CampaignSetup setup) {
  const Result<fuzz::SentQuestion> sent = fuzz::read_question_of_vector(data_path(options.replay));
  if (!sent) return print_error(sent.error()), k_exit_bad_input;
  setup.left.asks = sent.value().command;
  setup.right.asks = sent.value().command;
  fuzz::Participant left(setup.left, interruption());
  fuzz::Participant right(setup.right, interruption());
  for (fuzz::Participant* side : {&left, &right}) {
    if (const std::optional<Error> error = side->begin()) return print_error(*error), k_exit_bad_input;
  }
  fuzz::Participants sides{left, right, find_release(left.release()).value().release};
  const std::optional<fuzz::Exchange> exchange = fuzz::run_both(sides, sent.value().line);
  if (!exchange) return k_exit_interrupted;
  if (exchange->verdict.judgement == fuzz::Judgement::skipped) {
    std::cout << "skipped: " << exchange->verdict.kind << "\n";
    return k_exit_not_modelled;
  }
  if (exchange->verdict.judgement == fuzz::Judgement::agree) {
    std::cout << right.name() << " and " << left.name() << " agree\n";
    return k_exit_ok;
  }
  const oracle::BrokenRule broken = fuzz::rule_of(sides, sent.value(), *exchange);
  std::cout << fuzz::difference_report(sides, fuzz::described(sides, sent.value(), *exchange, broken),
                                       options.replay);
  return k_exit_disagreement;
}

int run_over_time(const FuzzOptions& options, const fuzz::CampaignSetup& setup, const Terminal& terminal) {
  if (options.subject.empty()) {
    print_error({"missing-subject", "SUBJECT", "expected the command of a subject after --"});
    return k_exit_bad_input;
  }
  fuzz::TimelineCampaignSetup over_time;
  over_time.subject = setup.right;
  over_time.seed = setup.seed;
  over_time.shard = setup.shard;
  over_time.timelines_most = setup.cases_most;
  if (options.part != "scheduler") over_time.part = options.part;
  over_time.time_most = setup.time_most;
  over_time.jobs = setup.jobs;
  over_time.out = setup.out;
  over_time.shrink_asks = setup.shrinking.asks;
  over_time.examples_each = setup.examples_each;
  return fuzz_timelines(over_time, options.replay, options.output, terminal);
}

int run(const FuzzOptions& options, const Terminal& terminal) {
  Result<fuzz::CampaignSetup> read = setup_of(options);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  fuzz::CampaignSetup setup = std::move(read).value();
  if (options.timelines) return run_over_time(options, setup, terminal);
  if (const std::optional<Error> error = settle_releases(setup)) return print_error(*error), k_exit_bad_input;
  if (!options.replay.empty()) return replay(options, std::move(setup));
  if (const std::optional<Error> error = check_configuration(setup))
    return print_error(*error), k_exit_bad_input;

  ProgressBar line(terminal);
  line.show("judging the first cases");
  Result<fuzz::Tally> done = fuzz::run_campaign(
      setup, interruption(), [&](const fuzz::Progress& now) { line.show(line_of(now, setup)); });
  line.erase();
  if (!done) return print_error(done.error()), k_exit_bad_input;
  fuzz::Tally tally = std::move(done).value();
  if (const std::optional<Error> error = note_paths(tally, data_path(fuzz::k_paths))) print_error(*error);
  if (tally.cases == 0 && !interruption())
    return print_error({"nothing-judged", "--time", "the subject answered no case in this time"}),
           k_exit_bad_input;
  if (options.output == "json") {
    print_json(json_of(tally));
  } else {
    std::cout << summary_of(tally, options.out, terminal);
    if (interruption())
      std::cout << "interrupted; the same command continues from here"
                << (options.out.empty() ? " only with --out" : "") << "\n";
  }
  if (tally.differ > 0) return k_exit_disagreement;
  if (interruption()) return k_exit_interrupted;
  return tally.agree == 0 ? k_exit_not_modelled : k_exit_ok;  // only skipped cases
}

void add_options(CLI::App& command, FuzzOptions& options) {
  command
      .add_option("--release", options.release,
                  "Release to compare (default: the release of the subject; without a subject: every "
                  "release, one after another)")
      ->type_name("RELEASE");
  command.add_option("--against", options.against, "Compare with this subject (default: the reference)")
      ->type_name("COMMAND");
  command
      .add_option("--against-release", options.against_release,
                  "Release of the other side (default: the same)")
      ->type_name("RELEASE");
  command
      .add_option("--time", options.time,
                  "Duration of this session with shrinking, such as 90s, 5m, 2h (default: 60s, no limit with "
                  "--cases)")
      ->type_name("TIME");
  command
      .add_option("--cases", options.cases,
                  "Number of cases of this shard, in all sessions with this --out; rounded up to blocks of "
                  "64 (default: no limit)")
      ->type_name("N")
      ->check(whole_number(1));
  command.add_option("--jobs", options.jobs, "Number of pairs of sides that run in parallel")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the generator; the same seed gives the same cases")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      .add_option("--repeat", options.repeat,
                  "Number of decisions of a running kube-scheduler for each case, to see its ties")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      .add_option("--timeout", options.timeout_s,
                  "Seconds to wait for an answer, before the subject counts as hung")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command
      .add_option("--command", options.command,
                  "Command of the protocol that asks: run for preemption, schedule for the whole cycle")
      ->type_name("COMMAND")
      ->check(CLI::IsMember(std::vector<std::string>{"run", "schedule"}))
      ->capture_default_str();
  CLI::Option* config =
      command
          .add_option("--config", options.config,
                      "KubeSchedulerConfiguration of every question, as YAML or JSON (default: the release's "
                      "default configuration)")
          ->type_name("FILE");
  command
      .add_flag("--random-configurations", options.random_configurations,
                "Give each question a configuration that is generated: plug-ins, weights, arguments")
      ->excludes(config);
  command
      .add_option("--families", options.families,
                  "What clusters may contain (default: all families for the command)")
      ->delimiter(',')
      ->type_name("FAMILY,...");
  command
      .add_option("--shrink-asks", options.shrink_asks,
                  "Maximum number of runs of both sides to shrink one difference")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command.add_option("--examples", options.examples, "Number of differences of each kind to shrink")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  command.add_flag("--keep-labels", options.keeps_labels,
                   "While a cluster is shrunk, keep the label selectors of its terms and the labels of its "
                   "nodes (use it if several bugs shrink to one cluster)");
  command.add_flag("--witnesses", options.witnesses,
                   "Shrink the first eviction of every class that does not help (default: only of classes "
                   "that spec/divergences.md does not describe)");
  command
      .add_option("--shard", options.shard, "Run only part K of N of the campaign's cases, counted from 0")
      ->type_name("K/N")
      ->capture_default_str();
  command
      .add_option("--out", options.out,
                  "Save the campaign in this directory, or continue the one that is saved there")
      ->type_name("DIR");
  command.add_option("--replay", options.replay, "Run both sides again on the question of this vector")
      ->type_name("FILE");
  CLI::Option* timelines =
      command.add_flag("--timelines", options.timelines,
                       "Play generated timelines instead: a scheduler over time (docs/timelines.md)");
  add_part_option(command, options.part)->needs(timelines);
  for (const char* other : {"--against", "--against-release", "--command", "--config",
                            "--random-configurations", "--families", "--witnesses", "--repeat"})
    timelines->excludes(other);
  add_output_option(command, options.output, {"text", "json"});
  command
      .add_option("subject", options.subject,
                  "Command of a scheduler that speaks spec/protocol.md, after -- (default: the optimized "
                  "engine of this program)")
      ->type_name("SUBJECT");
}

}  // namespace

void add_fuzz(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "fuzz", "Compare a scheduler, or the optimized engine, with the reference on generated clusters");
  const auto options = std::make_shared<FuzzOptions>();
  options->jobs = std::max(1U, std::thread::hardware_concurrency());
  describe(
      *command, context.terminal,
      {.description =
           "Generates clusters, sends each to both sides, and checks the subject's answer: the release must "
           "allow it. The sides are a subject (a scheduler that speaks spec/protocol.md) and the reference, "
           "or two subjects (--against). The first differences of each kind and clause are shrunk to the "
           "smallest cluster that shows the difference. --out saves each one, named by its hash, as a vector "
           "and as a text with both answers, the rule, and the command that replays it. A subject that "
           "crashes, hangs or gives a malformed answer counts as a difference, and the campaign continues. "
           "Evictions of the reference's own release that do not help are counted by class; the first one of "
           "a class that spec/divergences.md does not describe is shrunk. Ctrl-C stops the campaign; the "
           "same command with the same --out continues it. The cases of a seed are independent and "
           "identically distributed, so shards of one campaign can be merged (touchstone campaigns).\n\n"
           "--command run, the default, asks for preemption alone, which every subject answers; its clusters "
           "are mostly full. --command schedule asks for the whole cycle: the feasible nodes, the score of "
           "each scorer on each node, the totals, the host, and preemption where no node fits. Its clusters "
           "are those of run with more in them: room on the nodes, images, preferences, Services.\n\n"
           "--timelines compares schedulers over time. Each timeline is a sequence of commands to one "
           "scheduler: objects that are written, cycles, timers, the clock, API calls and watch events that "
           "wait. After each command the parts of the queue, nominations, API calls, the cache and the "
           "stored pods are compared. Differences are shrunk to the shortest timeline. --cases, --shard and "
           "--shrink-asks then count timelines.",
       .examples = {{"Compare the two engines of this program, for every release",
                     "touchstone fuzz --cases 2000"},
                    {"Compare a program with the reference; here the program is the reference itself",
                     "touchstone fuzz --release v1.34.4 --cases 200 -- touchstone subject"},
                    {"Compare whole cycles, each with another configuration",
                     "touchstone fuzz --command schedule --random-configurations --release v1.34.4 --cases "
                     "200 -- touchstone subject"},
                    {"Compare schedulers over time",
                     "touchstone fuzz --timelines --release v1.36.3 --cases 100 -- touchstone subject"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                      k_exit_interrupted},
       .see_also = {"touchstone campaigns --help", "touchstone scenarios --help", "touchstone play --help",
                    "spec/protocol.md", "upstream/README.md"}});
  add_options(*command, *options);
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
