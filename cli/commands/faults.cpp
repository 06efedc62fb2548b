#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/json/faults_json.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/suggest.hpp"
#include "cli/text/faults_text.hpp"
#include "conformance/timelines.hpp"
#include "faults/cluster.hpp"
#include "faults/timeline_judges.hpp"

namespace touchstone::cli {

namespace {

struct FaultsOptions {
  std::string fault;
  bool over_time = false;
  std::vector<std::string> judges;
  std::size_t seeds = 10;
  std::size_t jobs = 1;
  std::string libfuzzer;
  bool update = false;
  std::string out;
  std::string kept;
  std::string output = "text";
};

constexpr const char* k_vectors = "spec/vectors";
constexpr const char* k_timelines = "spec/vectors/time";
constexpr const char* k_clusters = "faults/clusters";
constexpr const char* k_fault_timelines = "faults/timelines.jsonl";

/// The fault with this id; all faults if it is empty. Errors: unknown-fault, with the id that was most likely
/// meant.
Result<std::vector<const faults::Fault*>> faults_named(const std::string& id, bool over_time) {
  std::vector<const faults::Fault*> faults;
  std::vector<std::string> ids;
  for (const faults::Fault& fault : over_time ? faults::timeline_faults() : faults::faults()) {
    ids.emplace_back(fault.id);
    if (id.empty() || fault.id == id) faults.push_back(&fault);
  }
  if (!faults.empty()) return faults;
  const std::string meant = nearest(id, ids);
  return Error{"unknown-fault", "--fault",
               "no fault \"" + id + "\"" + (meant.empty() ? "" : "; did you mean " + meant + "?")};
}

/// The judges that the options name, or all. Errors: unknown-judge.
Result<std::vector<faults::Judge>> judges_named(const FaultsOptions& options,
                                                std::vector<faults::Judge> judges) {
  const auto is_named = [&options](std::string_view name) {
    return std::find(options.judges.begin(), options.judges.end(), name) != options.judges.end();
  };
  std::vector<std::string> known;
  for (const faults::Judge& judge : judges) known.emplace_back(judge.name);
  for (const std::string& name : options.judges) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string meant = nearest(name, known);
    return Error{"unknown-judge", "--judge",
                 "no judge \"" + name + "\"" + (meant.empty() ? "" : "; did you mean " + meant + "?")};
  }
  if (!options.judges.empty())
    std::erase_if(judges, [&](const faults::Judge& judge) { return !is_named(judge.name); });
  return judges;
}

/// An error if none of the judges is available. Errors: judge-not-there.
std::optional<Error> no_judge_available(const std::vector<faults::Judge>& judges) {
  std::string why;
  for (const faults::Judge& judge : judges) {
    if (judge.not_there.empty()) return std::nullopt;
    why += (why.empty() ? "" : "; ") + std::string(judge.name) + ": " + std::string(judge.not_there);
    if (judge.name == "libfuzzer") why += " (expected --libfuzzer FILE)";
  }
  return Error{"judge-not-there", "--judge", why};
}

/// Writes the smallest cluster that shows each fault.
int update(const std::vector<const faults::Fault*>& faults, const std::vector<oracle::VectorFile>& vectors,
           const Terminal& terminal) {
  ProgressBar bar(terminal);
  std::size_t done = 0;
  std::size_t written = 0;
  for (const faults::Fault* fault : faults) {
    bar.update(fault->id, done++, faults.size());
    if (fault->id == faults::k_identity) continue;
    const auto cluster = faults::smallest_cluster(*fault, vectors, interruption());
    if (interruption()) break;
    if (!cluster) {
      print_note("no cluster shows " + std::string(fault->id));
      continue;
    }
    if (const auto error = faults::write_cluster(faults::cluster_file(k_clusters, *fault), *cluster))
      return print_error(*error), k_exit_bad_input;
    ++written;
  }
  bar.erase();
  std::cout << written << " clusters written to " << k_clusters << "\n";
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

/// Writes the smallest timeline that shows each fault of the scheduler over time. Keeps the saved timelines
/// of the other faults, and of all that are left if the user interrupts.
int update_timelines(const std::vector<const faults::Fault*>& faults,
                     const std::vector<oracle::RecordedTimeline>& recorded, const Terminal& terminal) {
  constexpr std::uint64_t k_generated_most = 2000;
  const std::string file = data_path(k_fault_timelines);
  const Result<std::vector<oracle::RecordedTimeline>> saved = conformance::read_mistaken_timelines(file);
  if (!saved) return print_error(saved.error()), k_exit_bad_input;
  std::map<std::string, oracle::RecordedTimeline> timelines;
  for (const oracle::RecordedTimeline& each : saved.value()) timelines[each.name] = each;
  ProgressBar bar(terminal);
  std::size_t done = 0;
  for (const faults::Fault* fault : faults) {
    bar.update(fault->id, done++, faults.size());
    if (faults::is_identity(*fault)) continue;
    const auto script = faults::smallest_timeline(*fault, k_generated_most, recorded, interruption());
    if (interruption()) break;
    const std::string name = faults::name_of_mistake(*fault);
    timelines.erase(name);
    if (script) timelines[name] = faults::mistaken_timeline(*fault, *script);
    if (!script) print_note("no timeline shows " + std::string(fault->id));
  }
  bar.erase();
  std::vector<oracle::RecordedTimeline> ordered;
  for (const faults::Fault& fault : faults::timeline_faults()) {
    const auto found = timelines.find(faults::name_of_mistake(fault));
    if (found != timelines.end()) ordered.push_back(found->second);
  }
  if (const auto error = conformance::write_mistaken_timelines(file, ordered))
    return print_error(*error), k_exit_bad_input;
  std::cout << ordered.size() << " timelines in " << k_fault_timelines << "\n";
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

int show(const std::vector<faults::FaultResult>& results, const FaultsOptions& options,
         const Terminal& terminal) {
  if (options.output == "json") {
    print_json(json_of(results));
  } else {
    std::cout << text_of(results, terminal);
  }
  return faults::failures_of(results).empty() ? k_exit_ok : k_exit_disagreement;
}

int run(const FaultsOptions& options, const Terminal& terminal) {
  if (!options.kept.empty()) {
    const Result<std::vector<faults::FaultResult>> kept = read_faults(data_path(options.kept));
    if (!kept) return print_error(kept.error()), k_exit_bad_input;
    return show(kept.value(), options, terminal);
  }
  const Result<std::vector<const faults::Fault*>> faults = faults_named(options.fault, options.over_time);
  if (!faults) return print_error(faults.error()), k_exit_bad_input;
  faults::JudgeSetup setup{{}, options.libfuzzer};
  std::vector<faults::Judge> known;
  if (options.over_time) {
    const Result<std::vector<oracle::RecordedTimeline>> timelines =
        oracle::read_timelines(data_path(k_timelines));
    if (!timelines) return print_error(timelines.error()), k_exit_bad_input;
    if (options.update) return update_timelines(faults.value(), timelines.value(), terminal);
    known = faults::timeline_judges(timelines.value());
  }
  const bool reads_vectors = !options.over_time && (options.update || options.judges.empty() ||
                                                    std::find(options.judges.begin(), options.judges.end(),
                                                              "vectors") != options.judges.end());
  if (reads_vectors) {
    Result<std::vector<oracle::VectorFile>> read = oracle::read_vectors(data_path(k_vectors));
    if (!read) return print_error(read.error()), k_exit_bad_input;
    setup.vectors = std::move(read).value();
  }
  if (options.update) return update(faults.value(), setup.vectors, terminal);

  if (!options.over_time) known = faults::judges(setup);
  const Result<std::vector<faults::Judge>> judges = judges_named(options, std::move(known));
  if (!judges) return print_error(judges.error()), k_exit_bad_input;
  if (const auto error = no_judge_available(judges.value())) return print_error(*error), k_exit_bad_input;
  const faults::BenchSetup bench{faults.value(), judges.value(), options.seeds, options.jobs, 2};
  ProgressBar bar(terminal);
  std::atomic<bool> stop = false;
  std::optional<Error> unwritten;
  std::size_t written = 0;
  const auto show_progress = [&](const std::vector<faults::FaultResult>& done) {
    bar.update("faults", done.size(), bench.faults.size());
    if (!options.out.empty() && done.size() > written) unwritten = write_faults(options.out, done);
    written = done.size();
    stop = interruption() || unwritten;
  };
  const std::vector<faults::FaultResult> results = faults::run_bench(bench, stop, show_progress);
  bar.erase();
  if (unwritten) return print_error(*unwritten), k_exit_bad_input;
  const int code = show(results, options, terminal);
  if (!interruption()) return code;
  if (options.output == "text") std::cout << "interrupted after " << results.size() << " faults\n";
  return code == k_exit_ok ? k_exit_interrupted : code;
}

/// The judges, for the help: " vectors: every answer …; enumeration: …".
std::string all_judges() {
  std::string text;
  std::vector<faults::Judge> all = faults::judges({});
  for (const faults::Judge& judge : faults::timeline_judges({})) {
    if (judge.name == "campaign") continue;
    all.push_back(judge);
  }
  for (const faults::Judge& judge : all)
    text += (text.empty() ? " " : "; ") + std::string(judge.name) + ": " + std::string(judge.what) +
            (judge.not_there == "not built" ? " (not built)" : "");
  return text;
}

void add_options(CLI::App& command, FaultsOptions& options) {
  command.add_option("--fault", options.fault, "Only this fault (default: all)")->type_name("FAULT");
  command.add_flag("--over-time", options.over_time,
                   "The faults of the scheduler over time, with judges of their own");
  command.add_option("--judge", options.judges, "Only these judges (default: all)")
      ->delimiter(',')
      ->type_name("JUDGE,...");
  command.add_option("--seeds", options.seeds, "Number of seeds for judges with generated cases")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--jobs", options.jobs, "Number of faults to judge in parallel")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      .add_option("--libfuzzer", options.libfuzzer,
                  "The built fuzz target of fuzz/targets/faults.cpp: run fuzz/run-targets, then ninja -C "
                  "build/fuzzers/meson fuzz/targets/fuzz_faults")
      ->type_name("FILE")
      ->check(CLI::Validator(CLI::ExistingFile).description(""));
  command.add_flag(
      "--update", options.update,
      "Write the smallest cluster that shows each fault to faults/clusters; with --over-time, the "
      "smallest timelines to faults/timelines.jsonl");
  command.add_option("--out", options.out, "Write the results to this file after each fault")
      ->type_name("FILE");
  command
      .add_option("--kept", options.kept,
                  "Show the results that --out or --output json saved in this file; judge nothing")
      ->type_name("FILE");
  add_output_option(command, options.output, {"text", "json"});
}

}  // namespace

void add_faults(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "faults",
      "Seed known bugs and plausible mistakes into the reference, and measure which checks find them");
  const auto options = std::make_shared<FaultsOptions>();
  options->jobs = std::max(1U, std::thread::hardware_concurrency());
  describe(
      *command, context.terminal,
      {.description =
           "A fault is one expression in a copy of the reference that gives a wrong value: a bug that "
           "Kubernetes had, or a mistake in one clause. For each fault the table shows whether its "
           "expression was reached, whether it was triggered (gave a wrong value), and which theorem it "
           "breaks (touchstone prove). It also shows how many cases and how much processor time each judge "
           "needed to detect it, as medians over seeds. A judge with generated cases has two seconds a seed; "
           "vectors runs once, with 40 seconds; enumeration runs to its end. \"-\": not detected in the "
           "median; a number in brackets: the number of seeds that detected it. Every judge must find the "
           "canary. No judge may find the identity, which is no fault. Exit code 1: a judge missed the "
           "canary or found the identity, no judge that ran detected a fault, or a judge did not finish. "
           "Each judge works on each fault in its own process, so a crash costs no other result. Exit code "
           "2: none of the judges is available.\n\nThe judges:" +
           all_judges() + ".",
       .examples =
           {{"Measure how soon a campaign finds one fault",
             "touchstone faults --fault equals-are-victims --judge campaign --seeds 1"},
            {"Measure one fault with two judges, as JSON",
             "touchstone faults --fault victims-in-two-groups --judge campaign,rapidcheck --seeds 3 "
             "-o json"},
            {"Measure the faults of the scheduler over time with one seed",
             "touchstone faults --over-time --fault later-pods-first --seeds 1 --judge timelines,laws"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_interrupted},
       .see_also = {"touchstone fuzz --help", "touchstone rules --help", "faults"}});
  add_options(*command, *options);
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
