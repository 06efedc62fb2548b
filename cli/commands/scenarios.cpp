#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/suggest.hpp"
#include "fuzz/behaviour/paths_seen.hpp"
#include "fuzz/behaviour/quality.hpp"
#include "kubernetes/write/written.hpp"
#include "kubernetes/write/yaml_written.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_cases_most = 1'000'000'000;

struct ScenariosOptions {
  std::string release;
  std::uint64_t seed = 1;
  std::size_t cases = 10000;
  std::optional<std::uint64_t> show;
  std::vector<std::string> families;
  std::string command = "run";
  std::string output = "text";
};

/// The families with these names. Errors: unknown-family, with the name that was most likely meant.
Result<std::set<fuzz::Family>> families_named(const std::vector<std::string>& names) {
  std::set<fuzz::Family> families;
  for (const std::string& name : names) {
    const auto found = std::find(fuzz::k_family_names.begin(), fuzz::k_family_names.end(), name);
    if (found == fuzz::k_family_names.end()) {
      const std::string meant = nearest(name, {fuzz::k_family_names.begin(), fuzz::k_family_names.end()});
      return Error{"unknown-family", "families",
                   "no family \"" + name + "\"" + (meant.empty() ? "" : "; did you mean " + meant + "?") +
                       " (touchstone scenarios --help lists them)"};
    }
    families.insert(static_cast<fuzz::Family>(found - fuzz::k_family_names.begin()));
  }
  return families;
}

oracle::Command command_of(const ScenariosOptions& options) {
  const bool is_schedule = options.command == oracle::name_of(oracle::Command::schedule);
  return is_schedule ? oracle::Command::schedule : oracle::Command::run;
}

std::string share_of(std::size_t part, std::size_t whole) {
  std::array<char, 32> text{};
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  std::snprintf(text.data(), text.size(), "%.2f %%", share);
  return text.data();
}

/// Whether an answer to the command can show a clause. Timelines and configurations show the others.
bool can_show(const ScenariosOptions& options, std::string_view clause) {
  if (clause.starts_with("PRE-")) return true;
  return command_of(options) == oracle::Command::schedule &&
         (clause.starts_with("CYC-") || clause.starts_with("SCORE-") || clause.starts_with("EXT-"));
}

/// The clauses that no scenario shows: no trace cites them, and no behaviour class of theirs occurred.
std::vector<std::string> clauses_not_shown(const fuzz::Quality& quality, const ScenariosOptions& options) {
  std::vector<std::string> missing;
  for (const Rule& rule : rules()) {
    if (!can_show(options, rule.id)) continue;
    bool is_shown = quality.clauses.contains(rule.id);
    for (std::size_t i = 0; i < fuzz::k_classes; ++i)
      is_shown = is_shown || (quality.classes[i] > 0 && fuzz::k_class_infos[i].clause == rule.id);
    if (!is_shown) missing.emplace_back(rule.id);
  }
  return missing;
}

/// The counts as JSON, in the order in which they are printed.
oracle::Json json_of_quality(const fuzz::Quality& quality, const ScenariosOptions& options,
                             const Release& release) {
  oracle::Json json{
      {"release", release.version.text()}, {"seed", options.seed},         {"cases", quality.cases},
      {"answered", quality.answered},      {"preemptionRan", quality.ran}, {"foundCandidates", quality.found},
      {"skipped", quality.skipped}};
  json["behaviours"] = {{"seen", quality.behaviours.seen()},
                        {"singletons", quality.behaviours.singletons()},
                        {"nextNew", quality.behaviours.next_new()}};
  for (std::size_t i = 0; i < fuzz::k_classes; ++i)
    json["classes"][std::string(fuzz::k_class_infos[i].name)] = quality.classes[i];
  for (const auto& [name, cases] : quality.placements) json["placements"][name] = cases;
  for (const auto& [clause, cases] : quality.clauses) json["clauses"][std::string(clause)] = cases;
  for (std::size_t i = 0; i < quality.families.size(); ++i)
    json["families"][std::string(fuzz::k_family_names[i])] = quality.families[i];
  for (std::size_t i = 0; i < fuzz::k_threshold_count; ++i) {
    const fuzz::Threshold& threshold = fuzz::k_thresholds[i];
    const fuzz::Sides& sides = quality.thresholds[i];
    json["thresholds"].push_back({{"size", threshold.size},
                                  {"limit", threshold.limit},
                                  {"below", sides.below},
                                  {"at", sides.at},
                                  {"beyond", sides.beyond},
                                  {"change", threshold.change},
                                  {"unitTests", threshold.tests}});
  }
  json["clausesNotShown"] = clauses_not_shown(quality, options);
  for (const fuzz::NotGenerated& each : fuzz::k_not_generated)
    json["notGenerated"].push_back({{"what", each.what}, {"why", each.why}});
  const Result<std::optional<fuzz::PathsSeen>> paths =
      fuzz::paths_seen(quality.behaviours, release, data_path(fuzz::k_paths));
  if (paths && paths.value())
    json["paths"] = {{"seen", paths.value()->seen},
                     {"feasible", paths.value()->feasible},
                     {"unseen", paths.value()->unseen}};
  return json;
}

/// Prints how many cases go beyond each threshold. If none does, names the unit tests that do.
void print_thresholds(const fuzz::Quality& quality, const Terminal& terminal) {
  std::vector<Row> rows = {
      heading(terminal, {"THRESHOLD", "UP TO IT", "BEYOND IT", "TESTED BY", "WHAT CHANGES"})};
  for (std::size_t i = 0; i < fuzz::k_threshold_count; ++i) {
    const fuzz::Threshold& threshold = fuzz::k_thresholds[i];
    const fuzz::Sides& sides = quality.thresholds[i];
    const std::string by = sides.beyond > 0          ? "these scenarios"
                           : threshold.tests.empty() ? "nothing here"
                                                     : "unit tests " + std::string(threshold.tests);
    rows.push_back({std::to_string(threshold.limit) + " " + std::string(threshold.size),
                    std::to_string(sides.below + sides.at), std::to_string(sides.beyond), by,
                    std::string(threshold.change)});
  }
  std::cout << "\n" << table(terminal, rows);
}

/// Prints what the scenarios lack: clauses, behaviours of proved paths, and what is never generated.
void print_missing(const oracle::Json& json, const Terminal& terminal) {
  if (json.contains("paths")) {
    std::cout << "\n"
              << json["paths"]["seen"] << " of the " << json["paths"]["feasible"]
              << " behaviours on proved paths of small clusters were seen (touchstone prove --paths)\n";
    for (const oracle::Json& name : json["paths"].value("unseen", oracle::Json::array()))
      std::cout << "  not seen: the behaviour of " << name.get<std::string>() << "\n";
  }
  std::cout << "\nClauses that no scenario of this release shows:";
  for (const oracle::Json& clause : json["clausesNotShown"]) std::cout << " " << clause.get<std::string>();
  std::cout << "\n\n";
  std::vector<Row> rows = {heading(terminal, {"NEVER GENERATED", "WHY"})};
  for (const fuzz::NotGenerated& each : fuzz::k_not_generated)
    rows.push_back({std::string(each.what), std::string(each.why)});
  std::cout << table(terminal, rows);
}

void print_text(const oracle::Json& json, const fuzz::Quality& quality, const Terminal& terminal) {
  std::cout << quality.cases << " scenarios of seed " << json["seed"] << ", release "
            << json["release"].get<std::string>() << "\n"
            << "  answered " << quality.answered << " (" << share_of(quality.answered, quality.cases) << ")";
  for (const auto& [filter, cases] : quality.skipped) std::cout << ", skipped " << cases << " for " << filter;
  std::cout << "\n  of the answered scenarios, preemption ran in " << share_of(quality.ran, quality.answered)
            << " and found candidates in " << share_of(quality.found, quality.answered) << "\n  "
            << quality.behaviours.seen() << " behaviours; the next case shows a new one with probability "
            << share_of(quality.behaviours.singletons(), quality.cases) << "\n";
  for (const auto& [section, title] : {std::pair<std::string, std::string>("classes", "CASES THAT SHOW"),
                                       {"placements", "PLACEMENTS THAT SHOW"},
                                       {"clauses", "CLAUSE"},
                                       {"families", "FAMILY"}}) {
    if (!json.contains(section)) continue;
    std::vector<Row> rows = {heading(terminal, {title, "CASES", "SHARE"})};
    for (const auto& [name, cases] : json[section].items()) {
      const auto count = cases.get<std::size_t>();
      rows.push_back({name, std::to_string(count), share_of(count, quality.cases)});
    }
    std::cout << "\n" << table(terminal, rows);
  }
  print_thresholds(quality, terminal);
  print_missing(json, terminal);
}

void show(const ScenariosOptions& options, const fuzz::Scenarios& scenarios) {
  const Question question = fuzz::numbered_scenario(scenarios, options.seed, *options.show);
  const std::string release = scenarios.release.version.text();
  if (options.output == "json") {
    oracle::Json json{{"cmd", options.command}, {"seq", *options.show}, {"release", release}};
    json.update(kubernetes::written(question));
    std::cout << json.dump() << "\n";
    return;
  }
  const bool is_schedule = command_of(options) == oracle::Command::schedule;
  std::cout << "# touchstone " << (is_schedule ? "schedule" : "decide") << " -f FILE --pod "
            << question.pod.full_name() << " --release " << release;
  if (question.offset) std::cout << " --offset " << *question.offset;
  if (question.start) std::cout << " --start " << *question.start;
  if (question.quota) std::cout << ", with quota " << *question.quota;
  std::cout << "\n" << kubernetes::yaml_of(kubernetes::written_list(question));
}

int run(const ScenariosOptions& options, const Terminal& terminal) {
  const Result<NamedRelease> named =
      find_release(options.release.empty() ? newest_release().text() : options.release);
  if (!named) return print_error(named.error()), k_exit_bad_input;
  const Result<std::set<fuzz::Family>> families = families_named(options.families);
  if (!families) return print_error(families.error()), k_exit_bad_input;
  for (const std::string& note : named.value().notes) print_note(note);

  fuzz::Scenarios scenarios = fuzz::all_scenarios(named.value().release);
  if (command_of(options) == oracle::Command::schedule)
    scenarios = fuzz::whole_cycle_scenarios(named.value().release);
  if (!options.families.empty()) scenarios.families = families.value();
  if (options.show) return show(options, scenarios), k_exit_ok;

  ProgressBar bar(terminal);
  std::size_t done = 0;
  const fuzz::Quality quality = fuzz::measure(
      scenarios, options.seed, options.cases, [&] { bar.update("scenarios", ++done, options.cases); },
      command_of(options));
  bar.erase();
  const oracle::Json json = json_of_quality(quality, options, scenarios.release);
  if (options.output == "text") print_text(json, quality, terminal);
  if (options.output == "json") print_json(json);
  if (options.output == "yaml") std::cout << kubernetes::yaml_of(json);
  return k_exit_ok;
}

/// The names of the families, for the help: " pdbs starts ...".
std::string all_families() {
  std::string text;
  for (const std::string_view name : fuzz::k_family_names) text += " " + std::string(name);
  return text;
}

}  // namespace

void add_scenarios(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("scenarios", "Generate clusters as campaigns do, and count what they show");
  describe(*command, context.terminal,
           {.description =
                "Generates scenarios, decides each with the reference, and counts what they show: outcomes, "
                "kinds of behaviour, clauses. A question that needs a feature that is not modelled counts as "
                "skipped. --show prints one scenario as a question: with -o json a line of the protocol, "
                "else a List of objects in YAML. The same seed and number give the same scenario on every "
                "machine.\n\nThe families (each scenario has some of them):" +
                all_families() + ".",
            .examples = {{"Count what the scenarios of a release show",
                          "touchstone scenarios --release v1.34.4 --cases 1000"},
                         {"Send one scenario to a subject",
                          "touchstone scenarios --show 7 -o json | touchstone subject"},
                         {"Count what whole cycles show: scorers, ties, searches",
                          "touchstone scenarios --command schedule --cases 1000"},
                         {"Generate only clusters with PDBs and taints, and print JSON",
                          "touchstone scenarios --families pdbs,taints --cases 1000 -o json"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone decide --help", "spec/protocol.md"}});
  const auto options = std::make_shared<ScenariosOptions>();
  command
      ->add_option("--release", options->release,
                   "Release that decides, and whose API the objects use (default: latest)")
      ->type_name("RELEASE");
  command->add_option("--seed", options->seed, "Seed of the generator")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command->add_option("--cases", options->cases, "Number of scenarios")
      ->type_name("N")
      ->check(whole_number(1, k_cases_most))
      ->capture_default_str();
  command->add_option("--show", options->show, "Print only the scenario with this number")
      ->type_name("N")
      ->check(whole_number(0));
  command
      ->add_option("--command", options->command,
                   "Command that the questions are for: run for preemption, schedule for the whole cycle")
      ->type_name("COMMAND")
      ->check(CLI::IsMember(std::vector<std::string>{"run", "schedule"}))
      ->capture_default_str();
  command
      ->add_option("--families", options->families,
                   "Only these families, separated by commas (default: all for the command)")
      ->delimiter(',')
      ->type_name("FAMILY");
  add_output_option(*command, options->output, {"text", "json", "yaml"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
