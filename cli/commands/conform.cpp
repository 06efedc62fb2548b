#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/conform_suites.hpp"
#include "cli/html/conformance_page.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/conform_text.hpp"
#include "fuzz/campaign/participant.hpp"
#include "kubernetes/text/bytes.hpp"

namespace touchstone::cli {

namespace {

using namespace conformance;

struct ConformOptions {
  std::string release;
  std::vector<std::string> levels;
  std::string name;
  std::string vectors;
  std::string known;
  std::size_t repeats = 2;
  std::size_t timeout_s = 10;
  std::string output = "text";
  std::string junit;
  std::string sarif;
  std::string html;
  std::string badges;
  bool github = false;
  bool shrink = false;
  bool list = false;
  bool cases = false;
  std::string faults;
  bool update = false;
  std::vector<std::string> subject;
};

/// Writes a file of a report. Prints the error if it cannot be written.
bool write_file(const std::filesystem::path& file, const std::string& text) {
  const std::optional<Error> error = kubernetes::write_bytes(file, text);
  if (error) print_error(*error);
  return !error;
}

std::string text_of_json(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool write_badges(const std::filesystem::path& dir, const Report& report) {
  std::error_code failure;
  std::filesystem::create_directories(dir, failure);
  bool written = write_file(dir / "all.json", text_of_json(badge_of_all(report)));
  for (const LevelResult& level : report.levels) {
    const std::string name = std::string(level.suite->level->name) + ".json";
    written = written && write_file(dir / name, text_of_json(badge_of(level, report)));
  }
  return written;
}

/// Keeps only the cases of one name, or all if the name is empty, and only suites with cases.
void keep_only(std::vector<Suite>& suites, const std::string& name) {
  for (Suite& suite : suites)
    std::erase_if(suite.cases, [&name](const Case& one) { return !name.empty() && one.name != name; });
  std::erase_if(suites, [](const Suite& suite) { return suite.cases.empty(); });
}

int list(const ConformOptions& options, const NamedRelease& release, const std::vector<Suite>& suites,
         const Terminal& terminal) {
  const std::string version = release.release.version.text();
  if (options.output == "text") {
    const std::string title = judged_on(options.vectors) + " for kube-scheduler " + version;
    std::cout << (options.cases ? table_of_cases(suites, terminal)
                                : title + "\n\n" + table_of(suites, terminal));
    return k_exit_ok;
  }
  Json json{{"suiteVersion", k_suite_version}, {"release", version}, {"levels", Json::object()}};
  for (const auto& [level, suite] : published_of(suites))
    json["levels"][level] = {{"cases", suite.cases}, {"hash", suite.hash}};
  for (const Suite& suite : suites) {
    Json& level = json["levels"][std::string(suite.level->name)];
    if (options.cases) level["needs"] = Json::object();
    for (const Case& one : suite.cases) {
      if (options.cases) level["needs"][one.name] = one.needed;
    }
  }
  print_json(json);
  return k_exit_ok;
}

/// Judges subjects with a seeded fault, each on the suites of the fault's release. Goes release by release,
/// so that the suites of each release are built once.
Result<std::vector<faults::FaultLevel>> measure_faults(ProgressBar& bar) {
  std::vector<const faults::Fault*> all;
  for (const std::vector<faults::Fault>* table : {&faults::faults(), &faults::timeline_faults()}) {
    for (const faults::Fault& fault : *table) {
      if (!faults::is_identity(fault)) all.push_back(&fault);
    }
  }
  std::set<std::string_view> releases;
  for (const faults::Fault* fault : all) releases.insert(fault->release);
  std::map<std::string_view, faults::FaultLevel> measured;
  for (const std::string_view name : releases) {
    const Result<std::vector<Suite>> suites =
        build_suites(find_release(name).value(), levels_wanted({}).value(), bar, {});
    if (!suites) return suites.error();
    for (const faults::Fault* fault : all) {
      if (fault->release != name) continue;
      bar.update("faults", measured.size(), all.size());
      measured.emplace(fault->id, faults::level_of(*fault, suites.value(), interruption()));
    }
  }
  std::vector<faults::FaultLevel> levels;
  for (const faults::Fault* fault : all) levels.push_back(measured.at(fault->id));
  return levels;
}

/// Shows the saved levels of the seeded faults. With `--update`, measures and saves them first.
int show_faults(const ConformOptions& options, const Terminal& terminal) {
  if (options.update) {
    ProgressBar bar(terminal);
    const Result<std::vector<faults::FaultLevel>> measured = measure_faults(bar);
    bar.erase();
    if (!measured) return print_error(measured.error()), k_exit_bad_input;
    if (interruption()) return k_exit_interrupted;
    if (!write_file(options.faults, faults::json_of(measured.value()).dump(1) + "\n"))
      return k_exit_bad_input;
  }
  const Result<std::vector<faults::FaultLevel>> saved = faults::read_fault_levels(data_path(options.faults));
  if (!saved) return print_error(saved.error()), k_exit_bad_input;
  if (options.output == "json") {
    print_json(faults::json_of(saved.value()));
  } else {
    std::cout << text_of(saved.value(), terminal);
  }
  const auto violates = [](const faults::FaultLevel& each) { return !each.level.empty(); };
  return std::all_of(saved.value().begin(), saved.value().end(), violates) ? k_exit_ok : k_exit_disagreement;
}

int print_report(const ConformOptions& options, const Report& report, const Terminal& terminal) {
  if (options.output == "json") {
    print_json(report_json(report));
  } else {
    std::cout << text_of(report, terminal);
  }
  if (options.github) std::cout << report_github(report);
  bool written = true;
  if (!options.junit.empty()) written = written && write_file(options.junit, report_junit(report));
  if (!options.sarif.empty())
    written = written && write_file(options.sarif, text_of_json(report_sarif(report)));
  if (const auto error = write_conformance_page(options.html, report)) {
    print_error(*error);
    written = false;
  }
  if (!options.badges.empty()) written = written && write_badges(options.badges, report);
  if (!written) return k_exit_bad_input;

  std::size_t judged = 0;
  bool all_claimed = true;
  for (const LevelResult& level : report.levels) {
    judged += level.results.size();
    all_claimed = all_claimed && outcome_of(level) != LevelOutcome::not_claimed;
  }
  const auto is_failing = [](const LevelResult& level) { return outcome_of(level) == LevelOutcome::fails; };
  const bool fails =
      !report.problems.empty() || std::any_of(report.levels.begin(), report.levels.end(), is_failing);
  if (fails) return k_exit_disagreement;
  if (report.interrupted) return k_exit_interrupted;
  // A level that the command line names must be judged.
  if (!options.levels.empty() && !all_claimed) return k_exit_disagreement;
  return judged == 0 ? k_exit_not_modelled : k_exit_ok;
}

int judge(const ConformOptions& options, const Terminal& terminal) {
  const Result<std::set<LevelId>> wanted = levels_wanted(options.levels);
  if (!wanted) return print_error(wanted.error()), k_exit_bad_input;
  Report report;
  report.known_file = options.known;
  if (!options.known.empty()) {
    Result<std::vector<KnownFailure>> known = read_known_failures(options.known);
    if (!known) return print_error(known.error()), k_exit_bad_input;
    report.known = std::move(known).value();
  }
  // A participant finds the release of the subject, and its features.
  fuzz::Participant participant(
      {options.subject, options.release, 0, std::chrono::seconds(options.timeout_s)}, interruption());
  if (const auto error = participant.begin()) return print_error(*error), k_exit_bad_input;
  RunSetup setup{find_release(participant.release()).value(), participant.features(), options.repeats};

  ProgressBar bar(terminal);
  Result<std::vector<Suite>> built =
      build_suites(setup.release, wanted.value(), bar, {options.vectors, options.name});
  if (!built) return print_error(built.error()), k_exit_bad_input;
  std::vector<Suite> suites = std::move(built).value();
  keep_only(suites, options.name);
  if (suites.empty() && !interruption()) {
    const std::string wanted_case = options.name.empty() ? "no case" : "no case \"" + options.name + "\"";
    const std::string place = options.vectors.empty() ? "the suites" : options.vectors;
    return print_error({"no-case", options.name.empty() ? "--levels" : "--case",
                        wanted_case + " of these levels in " + place + " for " + participant.release()}),
           k_exit_bad_input;
  }
  std::size_t cases = 0;
  for (const Suite& suite : suites) cases += suite.cases.size();

  oracle::SubjectLimits limits;
  limits.answer_timeout = std::chrono::seconds(options.timeout_s);
  oracle::SubjectProcess process(options.subject, limits, &interruption());
  const Ask ask = [&](const std::string& line) { return process.ask(line); };
  report.levels = run_suites(
      suites, setup, ask, [&](std::size_t done) { bar.update("cases", done, cases); }, interruption());
  if (options.shrink) shrink_smallest(report.levels, setup, ask, interruption());
  bar.erase();
  report.release = participant.release();
  report.notes = setup.release.notes;
  report.subject = participant.identity();
  report.command = options.subject;
  report.claimed = participant.features();
  report.repeats = options.repeats;
  report.vectors = options.vectors;
  report.interrupted = interruption();
  const Json version = report.subject.value("version", Json());
  report.problems =
      mark_known(report.levels, report.known, version.is_string() ? version.get<std::string>() : "");
  return print_report(options, report, terminal);
}

int run(const ConformOptions& options, const Terminal& terminal) {
  if (!options.faults.empty()) return show_faults(options, terminal);
  if (options.update) return update_published_suites(terminal);
  if (!options.list && options.subject.empty())
    return print_error({"missing-subject", "SUBJECT", "expected the command of a subject after --"}),
           k_exit_bad_input;
  if (!options.list) return judge(options, terminal);
  const Result<std::set<LevelId>> wanted = levels_wanted(options.levels);
  if (!wanted) return print_error(wanted.error()), k_exit_bad_input;
  const Result<NamedRelease> release =
      find_release(options.release.empty() ? newest_release().text() : options.release);
  if (!release) return print_error(release.error()), k_exit_bad_input;
  ProgressBar bar(terminal);
  const Result<std::vector<Suite>> suites =
      build_suites(release.value(), wanted.value(), bar, {options.vectors, options.name});
  bar.erase();
  if (!suites) return print_error(suites.error()), k_exit_bad_input;
  if (interruption()) return k_exit_interrupted;
  return list(options, release.value(), suites.value(), terminal);
}

void add_options(CLI::App& command, ConformOptions& options) {
  command
      .add_option("--release", options.release,
                  "Release that the subject must conform to (default: the release of the subject)")
      ->type_name("RELEASE");
  command.add_option("--levels", options.levels, "Levels to judge (default: all)")
      ->delimiter(',')
      ->type_name("LEVEL,...");
  CLI::Option* name = command.add_option("--case", options.name, "Judge only this case")->type_name("NAME");
  command
      .add_option("--vectors", options.vectors,
                  "Judge the vectors of this file or directory, in place of the suites")
      ->type_name("PLACE");
  command
      .add_option("--known", options.known,
                  "File of known failures (JSON or YAML), each with a reason; see docs/conformance.md")
      ->type_name("FILE");
  command
      .add_option("--repeats", options.repeats, "How often each question is asked; the worst answer counts")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--timeout", options.timeout_s,
                  "Seconds to wait for an answer, before the subject counts as hung")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command.add_option("--junit", options.junit, "Also write JUnit XML to this file")->type_name("FILE");
  command.add_option("--sarif", options.sarif, "Also write SARIF 2.1.0 to this file")->type_name("FILE");
  command.add_option("--html", options.html, "Also write one page with a picture of each case to this file")
      ->type_name("FILE");
  command.add_flag("--github", options.github, "Also print annotations of GitHub Actions");
  command
      .add_option("--badges", options.badges,
                  "Also write a badge for each level into this directory, as endpoints of shields.io")
      ->type_name("DIR");
  command.add_flag("--shrink", options.shrink, "Show the smallest cluster for each violated clause");
  command.add_flag("--cases", options.cases,
                   "With --list: also list the cases, with the features that they need");
  command
      .add_flag("--list", options.list, "List the suites of a release, with sizes and hashes; run nothing")
      ->excludes(name);
  command
      .add_option("--faults", options.faults,
                  "Show the level at which each seeded fault violates its clause, as saved in this file")
      ->type_name("FILE");
  command.add_flag("--update", options.update,
                   "Write the sizes and hashes of all suites into conformance/suites.json; with --faults, "
                   "judge all seeded faults and write that file");
  add_output_option(command, options.output, {"text", "json"});
  command
      .add_option("subject", options.subject, "Command of a scheduler that speaks spec/protocol.md, after --")
      ->type_name("SUBJECT");
}

}  // namespace

void add_conform(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("conform", "Judge a scheduler by levels: fixed suites of cases for a release");
  describe(*command, context.terminal,
           {.description =
                "Asks a subject (a scheduler that speaks spec/protocol.md) the questions of each level, and "
                "judges every answer. Each case gets one verdict: conforms, conforms as one of several "
                "admissible answers, violates a clause, crashed, hung, malformed, unsupported, or skipped. "
                "A level passes if every case conforms. A case that needs a feature which the subject does "
                "not claim in hello is not judged, and the report names the feature. After five hangs in a "
                "row, the rest of a level is skipped. A suite is fixed for a release and a version; --list "
                "shows its size and its hash.",
            .examples = {{"Judge a scheduler in sixty lines of Python",
                          "touchstone conform --release v1.34 --levels ties -- python3 "
                          "examples/subjects/naive.py"},
                         {"Show the suites of a release", "touchstone conform --list --release v1.34"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                           k_exit_interrupted},
            .see_also = {"docs/conformance.md", "touchstone fuzz --help", "spec/protocol.md",
                         "spec/schema/conformance.schema.json"}});
  const auto options = std::make_shared<ConformOptions>();
  add_options(*command, *options);
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
