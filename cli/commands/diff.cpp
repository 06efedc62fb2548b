#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "cli/commands/commands.hpp"
#include "cli/input/config_option.hpp"
#include "cli/input/data.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/input/scratch.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/campaign_text.hpp"
#include "cli/text/diff_text.hpp"
#include "cli/text/release_page.hpp"
#include "cli/text/subjects_text.hpp"
#include "fuzz/campaign/difference.hpp"
#include "fuzz/changes/minor_release.hpp"
#include "fuzz/changes/two_subjects.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/queue.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

struct DiffOptions {
  std::string from;
  std::string to;
  std::vector<std::string> files;
  std::string from_config;
  std::string to_config;
  std::vector<std::string> subjects;
  std::vector<std::string> expected;
  std::uint64_t generated = 2000;
  std::uint64_t cases = 0;
  std::uint64_t seconds = 240;
  std::uint64_t seed = 1;
  std::size_t jobs = 1;
  std::string out;
  std::string pages;
  bool search = false;
  bool github = false;
  std::string output = "text";
};

/// The exit code for differences by these clauses: k_exit_disagreement if --expect does not name one of them.
int exit_code_for(const std::vector<std::string>& clauses, const std::vector<std::string>& expected) {
  const auto is_expected = [&expected](const std::string& clause) {
    return std::find(expected.begin(), expected.end(), clause) != expected.end();
  };
  if (!std::all_of(clauses.begin(), clauses.end(), is_expected)) return k_exit_disagreement;
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

/// Compares two built schedulers by campaigns of decisions and of whole cycles.
int diff_subjects(const DiffOptions& options, const Terminal& terminal) {
  if (options.subjects.size() != 2)
    return print_error({"two-subjects", "--subjects", "expected the commands of two subjects"}),
           k_exit_bad_input;
  for (const std::string& clause : options.expected) {
    if (title_of(clause).empty())
      return print_error({"unknown-clause", "--expect", "no clause \"" + clause + "\" (touchstone rules)"}),
             k_exit_bad_input;
  }
  const Scratch scratch("diff");
  fuzz::TwoSubjects subjects;
  subjects.before = options.subjects[0];
  subjects.after = options.subjects[1];
  subjects.before_release = options.from;
  subjects.after_release = options.to;
  subjects.seed = options.seed;
  subjects.jobs = options.jobs;
  subjects.time = std::chrono::seconds(options.seconds);
  if (options.cases > 0) subjects.cases_most = options.cases;
  subjects.out = options.out.empty() ? scratch.path() : std::filesystem::path(options.out);
  ProgressBar line(terminal);
  line.show("judging the first cases");
  const Result<fuzz::SubjectsCompared> done = fuzz::compare_subjects(
      subjects, interruption(), [&](const fuzz::CampaignSetup& setup, const fuzz::Progress& now) {
        line.show(std::string(oracle::name_of(setup.questions.command)) + ": " + line_of(now, setup));
      });
  line.erase();
  if (!done) {
    Error error = done.error();
    if (error.code == "release-not-answered") error.path = "--from, --to";
    return print_error(error), k_exit_bad_input;
  }
  const fuzz::SubjectsCompared& compared = done.value();
  const bool lacks_cycles = compared.cycles && compared.cycles->cases == 0;
  if ((compared.decisions.cases == 0 || lacks_cycles) && compared.changed.empty() && !interruption())
    return print_error({"nothing-judged", "--seconds",
                        std::string("the subjects answered no ") +
                            (lacks_cycles ? "whole cycle" : "decision") + " in this time"}),
           k_exit_bad_input;
  const SubjectsView view{options.expected, !options.out.empty()};
  if (options.output == "json") {
    print_json(json_of(compared, view));
  } else {
    std::cout << text_of(compared, view, terminal);
  }
  if (options.github) std::cout << github_of(compared, view);
  if (!unannounced(compared, options.expected).empty()) return k_exit_disagreement;
  if (interruption()) return k_exit_interrupted;
  const bool judged = compared.decisions.agree + compared.decisions.differ > 0;
  return judged ? k_exit_ok : k_exit_not_modelled;  // only skipped cases
}

/// Compares two releases, or two configurations, on the pending pods of a cluster.
int diff_cluster(const DiffOptions& options, const NamedRelease& from, const NamedRelease& to,
                 const Terminal& terminal) {
  const Result<ClusterRead> read = read_cluster(options.files, to.release.version.text(), terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  for (const std::string& note : read.value().notes) print_note(note);
  const Cluster& cluster = read.value().dump.cluster;
  std::vector<oracle::Profiles> sides;
  for (const auto& [config, release] :
       {std::pair{&options.from_config, &from.release}, {&options.to_config, &to.release}}) {
    SchedulerOptions scheduler;
    scheduler.config = *config;
    Result<oracle::Profiles> profiles = read_profiles(scheduler, cluster, *release);
    if (!profiles) return print_error(profiles.error()), k_exit_bad_input;
    sides.push_back(std::move(profiles).value());
  }
  const std::size_t pods = oracle::queue_of(cluster, {}, sides[0]).size();
  if (pods == 0)
    return print_error({"nothing-pending", "--filename", "expected a pending pod that kube-scheduler tries"}),
           k_exit_bad_input;
  ProgressBar bar(terminal);
  std::size_t done = 0;
  const oracle::ClusterDifference compared = oracle::compare_cluster(cluster, sides[0], sides[1], [&] {
    bar.update("pods", ++done, pods);
    return !interruption();
  });
  bar.erase();
  const auto name_of = [](const NamedRelease& named, const std::string& config) {
    return named.release.version.text() + (config.empty() ? "" : " with " + config);
  };
  const std::string from_name = name_of(from, options.from_config);
  const std::string to_name = name_of(to, options.to_config);
  if (options.output == "json") {
    print_json(json_of(compared, from_name, to_name));
  } else {
    std::cout << text_of(compared, from_name, to_name, terminal);
  }
  if (!compared.differ.empty()) return k_exit_disagreement;
  if (interruption()) return k_exit_interrupted;
  return compared.skipped.empty() ? k_exit_ok : k_exit_not_modelled;
}

/// Writes the clusters of some steps as vector files: NAME.json, and NAME-schedule.json for whole cycles.
std::optional<Error> write_clusters(const std::filesystem::path& directory, const std::string& name,
                                    const std::vector<fuzz::ReleaseStep>& steps) {
  for (const oracle::Command command : {oracle::Command::run, oracle::Command::schedule}) {
    const oracle::Json vectors = fuzz::vectors_of(steps, command);
    const std::string file = name + (command == oracle::Command::run ? ".json" : "-schedule.json");
    if (vectors.is_null()) continue;
    if (const auto error = fuzz::write_vector(directory / file, vectors)) return error;
  }
  return std::nullopt;
}

/// Finds the clusters of the steps of a minor release, and writes them into a directory.
std::optional<Error> search_clusters(std::vector<fuzz::ReleaseStep>& steps, const std::string& name,
                                     const std::filesystem::path& directory,
                                     const std::vector<oracle::VectorFile>& vectors, ProgressBar& line) {
  for (fuzz::ReleaseStep& step : steps) {
    fuzz::ChangeSearch search{step.from, step.to};
    for (const fuzz::ChangedBehaviour& each : step.behaviours) search.only.push_back(each.change);
    if (search.only.empty()) continue;
    const auto show = [&](const std::string& now) { line.show(name + ": " + now); };
    step.behaviours = fuzz::find_changes(search, vectors, show, interruption()).behaviours;
  }
  return interruption() ? std::nullopt : write_clusters(directory, name, steps);
}

/// Writes a page for each minor release, and a page that lists them.
int write_pages(const DiffOptions& options, const Terminal& terminal) {
  const std::filesystem::path directory = options.pages;
  const std::filesystem::path clusters = directory / "clusters";
  const bool searches = options.search;
  const Result<std::vector<oracle::VectorFile>> vectors =
      oracle::read_vectors(searches ? data_path("spec/vectors") : clusters.string());
  if (!vectors) return print_error(vectors.error()), k_exit_bad_input;
  ProgressBar line(terminal);
  std::vector<MinorRelease> releases;
  for (std::size_t i = 1; i < known_releases().size() && !interruption(); ++i) {
    const int minor = known_releases()[i].minor;
    MinorRelease release{minor, fuzz::steps_of(minor)};
    const std::string name = "v1." + std::to_string(minor);
    if (searches) {
      const auto error = search_clusters(release.steps, name, clusters, vectors.value(), line);
      if (error) return print_error(*error), k_exit_bad_input;
    } else {
      for (const oracle::VectorFile& file : vectors.value()) {
        const std::string stem = file.path.stem().string();
        if (stem == name || stem == name + "-schedule") fuzz::take_witnesses(release.steps, file);
      }
    }
    releases.push_back(std::move(release));
  }
  line.erase();
  if (interruption()) return k_exit_interrupted;
  std::map<std::string, std::string> pages = {{"README.md", page_of_releases(releases)}};
  for (const MinorRelease& each : releases) pages["v1." + std::to_string(each.minor) + ".md"] = page_of(each);
  for (const auto& [name, text] : pages) {
    if (const auto error = kubernetes::write_bytes(directory / name, text))
      return print_error(*error), k_exit_bad_input;
  }
  std::cout << "wrote " << pages.size() << " pages into " << directory.string() << "\n";
  return k_exit_ok;
}

/// Compares two releases by the rows of the release table.
int diff_releases(const DiffOptions& options, const NamedRelease& from, const NamedRelease& to,
                  const Terminal& terminal) {
  const Result<std::vector<oracle::VectorFile>> vectors = oracle::read_vectors(data_path("spec/vectors"));
  if (!vectors) return print_error(vectors.error()), k_exit_bad_input;
  fuzz::ChangeSearch search{from.release, to.release, options.seed, options.generated};
  ProgressBar line(terminal);
  const fuzz::ChangesFound found = fuzz::find_changes(
      search, vectors.value(), [&](const std::string& now) { line.show(now); }, interruption());
  line.erase();
  if (options.output == "json") {
    print_json(json_of(found, search));
  } else {
    std::cout << text_of(found, search, terminal);
  }
  std::vector<std::string> clauses;
  for (const fuzz::ChangedBehaviour& each : found.behaviours) clauses.emplace_back(each.change->clause);
  if (!options.out.empty()) {
    const std::string name = from.release.version.text() + "-" + to.release.version.text();
    const auto error = write_clusters(options.out, name, {{from.release, to.release, found.behaviours}});
    if (error) return print_error(*error), k_exit_bad_input;
  }
  return exit_code_for(clauses, options.expected);
}

int run(const DiffOptions& options, const Terminal& terminal) {
  if (!options.subjects.empty()) return diff_subjects(options, terminal);
  if (!options.pages.empty()) return write_pages(options, terminal);
  if (options.from.empty() || options.to.empty())
    return print_error({"missing-release", "--from, --to", "expected two releases, or --subjects"}),
           k_exit_bad_input;
  const Result<NamedRelease> from = find_release(options.from);
  if (!from) return print_error(from.error()), k_exit_bad_input;
  const Result<NamedRelease> to = find_release(options.to);
  if (!to) return print_error(to.error()), k_exit_bad_input;
  for (const NamedRelease* named : {&from.value(), &to.value()}) {
    for (const std::string& note : named->notes) print_note(note);
  }
  if (!options.files.empty()) return diff_cluster(options, from.value(), to.value(), terminal);
  if (!options.from_config.empty() || !options.to_config.empty())
    return print_error({"config-without-cluster", "--from-config, --to-config",
                        "expected a cluster with -f, to compare two configurations"}),
           k_exit_bad_input;
  return diff_releases(options, from.value(), to.value(), terminal);
}

void add_options(CLI::App& command, DiffOptions& options) {
  command
      .add_option("--from", options.from,
                  "Release to compare from; with --subjects, the release of the first scheduler")
      ->type_name("RELEASE");
  command
      .add_option("--to", options.to,
                  "Release to compare to; with --subjects, the release of the second scheduler")
      ->type_name("RELEASE");
  command
      .add_option("-f,--filename", options.files,
                  "Compare the decisions for the pending pods of this cluster: a file or a directory; may "
                  "be repeated")
      ->type_name("PATH");
  command
      .add_option(
          "--from-config", options.from_config,
          "KubeSchedulerConfiguration of the side --from, with -f (default: the default configuration)")
      ->type_name("FILE");
  command
      .add_option("--to-config", options.to_config, "KubeSchedulerConfiguration of the side --to, with -f")
      ->type_name("FILE");
  command
      .add_option(
          "--subjects", options.subjects,
          "Compare two built schedulers on generated clusters: the one before a change, and the one after it")
      ->expected(2)
      ->type_name("COMMAND");
  command.add_option("--expect", options.expected, "Clauses that are expected to differ: they do not fail")
      ->delimiter(',')
      ->type_name("CLAUSE,...");
  command
      .add_option("--generated", options.generated,
                  "Number of clusters to generate for the changes that no vector shows")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      .add_option("--seconds", options.seconds,
                  "Duration, with --subjects: 3/5 for decisions, 2/5 for whole cycles")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str();
  command
      .add_option("--cases", options.cases,
                  "Maximum number of decisions, and of whole cycles, with --subjects (default: no limit)")
      ->type_name("N")
      ->check(whole_number(1));
  command.add_option("--jobs", options.jobs, "Number of pairs of subjects that run in parallel")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Seed of the generator")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      .add_option("--out", options.out,
                  "Also write the clusters into this directory, as vectors; with --subjects, save both "
                  "campaigns there")
      ->type_name("DIR");
  command
      .add_option("--pages", options.pages,
                  "Write a page for each minor release into this directory, with the clusters that are saved "
                  "in DIR/clusters")
      ->type_name("DIR");
  command.add_flag("--search", options.search, "With --pages: search the clusters again, and save them");
  command.add_flag("--github", options.github, "With --subjects: also print annotations of GitHub Actions");
  add_output_option(command, options.output, {"text", "json"});
}

}  // namespace

void add_diff(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("diff", "Show what differs between two releases, configurations or schedulers");
  const auto options = std::make_shared<DiffOptions>();
  options->jobs = std::max(1U, std::thread::hardware_concurrency());
  describe(
      *command, context.terminal,
      {.description =
           "Lists the behaviours that differ between two releases: the rows of the release table that only "
           "one of them has. Each row comes with its evidence, and with the smallest cluster on which the "
           "two releases decide differently because of it, or with the number of clusters that were "
           "searched. With -f, compares the decisions for the pending pods of a cluster, each on the cluster "
           "as it is: "
           "which are decided differently, and which running pods only one side may evict. With --subjects, "
           "compares two built schedulers on generated clusters: their decisions, then whole cycles with "
           "scores. Each clause by which they differ comes with its smallest cluster. The first subject is "
           "the one before the change. Exit code 1 if anything differs that --expect does not name.",
       .examples = {{"Show what changed between two releases", "touchstone diff --from v1.33 --to v1.34"},
                    {"Show what an upgrade changes in a cluster",
                     "touchstone diff --from v1.30 --to v1.34 -f examples/training-job.json"},
                    {"Show what differs between two schedulers; here both are the reference",
                     "touchstone diff --from v1.34 --to v1.34 --cases 64 --subjects 'touchstone subject' "
                     "'touchstone subject'"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                      k_exit_interrupted},
       .see_also = {"docs/changes-between-releases.md", "docs/judge-a-change.md",
                    "touchstone releases --help", "touchstone fuzz --help"}});
  add_options(*command, *options);
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
