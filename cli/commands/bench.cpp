#include "bench/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/timelines.hpp"
#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/json/bench_json.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/text/bench_text.hpp"
#include "fuzz/timelines/timelines.hpp"
#include "oracle/protocol/timeline.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_nodes_most = 1'000'000;
constexpr std::size_t k_timelines_most = 1'000'000;
constexpr std::size_t k_time_ms_most = 3'600'000;
const std::vector<std::size_t> k_usual_sizes = {500, 5000, 15000, 100000};

struct BenchOptions {
  std::string release = newest_release().text();
  std::vector<std::size_t> nodes;  ///< empty: the usual sizes, or all that were saved
  std::vector<std::string> clusters;
  std::vector<std::string> preemptors;
  std::string scheduler;
  std::size_t reference_most = 5000;
  std::size_t time_ms = 250;
  std::string kept;
  std::size_t timelines = 0;
  std::string output = "text";
};

bool is_wanted(const auto& wanted, const auto& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

/// The values with one of the wanted names, in the order of `names`; all values if no name is wanted.
template <typename T, typename Names>
std::vector<T> named_of(const std::vector<std::string>& wanted, const Names& names) {
  std::vector<T> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_wanted(wanted, names[i])) values.push_back(static_cast<T>(i));
  }
  return values;
}

/// The path at which upstream/build puts the kube-scheduler of a release.
std::string built_scheduler(const Release& release) {
  return data_path("build/upstream/" + release.version.text() + "/scheduler");
}

Result<bench::BenchPlan> plan_of(const BenchOptions& options) {
  const Result<NamedRelease> named = find_release(options.release);
  if (!named) return named.error();
  bench::BenchPlan plan{.release = named.value().release,
                        .sizes = options.nodes.empty() ? k_usual_sizes : options.nodes,
                        .shapes = named_of<bench::Shape>(options.clusters, bench::k_shape_names),
                        .asks = named_of<bench::Asks>(options.preemptors, bench::k_asks_names)};
  std::sort(plan.sizes.begin(), plan.sizes.end());
  plan.sizes.erase(std::unique(plan.sizes.begin(), plan.sizes.end()), plan.sizes.end());
  plan.reference_most = options.reference_most;
  if (!options.preemptors.empty()) plan.subject_asks_most = plan.subject_most;
  plan.time_a_row = std::chrono::milliseconds(options.time_ms);
  const std::string scheduler = options.scheduler.empty() ? built_scheduler(plan.release) : options.scheduler;
  if (std::filesystem::exists(scheduler)) {
    plan.subject = {std::filesystem::absolute(scheduler).string()};
  } else if (!options.scheduler.empty()) {
    return Error{"file-unreadable", options.scheduler, "no such program"};
  }
  return plan;
}

void print_text(const std::string& release, const std::vector<bench::BenchRow>& rows,
                const Terminal& terminal) {
  std::cout << "Release " << release << "; " << bench::k_bench_pods << " pods a node, " << bench::k_bench_pdbs
            << " PDBs; medians and quartiles. touchstone bench --help describes the figures.\n"
            << text_of(rows, terminal);
}

/// Shows saved results.
int show(const BenchOptions& options, const Terminal& terminal) {
  const Result<KeptBench> kept = read_bench(data_path(options.kept));
  if (!kept) return print_error(kept.error()), k_exit_bad_input;
  std::vector<bench::BenchRow> rows = kept.value().rows;
  std::erase_if(rows, [&options](const bench::BenchRow& row) {
    return !is_wanted(options.nodes, row.nodes) ||
           !is_wanted(options.clusters, bench::k_shape_names[static_cast<std::size_t>(row.shape)]) ||
           (row.figure == bench::Figure::decision &&
            !is_wanted(options.preemptors, bench::k_asks_names[static_cast<std::size_t>(row.asks)]));
  });
  if (options.output == "json") {
    print_json(json_of(rows, kept.value().release));
  } else {
    print_text(kept.value().release, rows, terminal);
  }
  const auto is_void = [](const bench::BenchRow& row) { return !row.disagreement.empty(); };
  return std::any_of(rows.begin(), rows.end(), is_void) ? k_exit_disagreement : k_exit_ok;
}

/// Measures the model of a scheduler over time.
int run_timelines(const BenchOptions& options) {
  const Result<NamedRelease> named = find_release(options.release);
  if (!named) return print_error(named.error()), k_exit_bad_input;
  const Release& release = named.value().release;
  if (const std::string reason = oracle::not_modelled_over_time(release); !reason.empty())
    return print_error({"not-modelled", "--release", reason}), k_exit_not_modelled;
  std::vector<TimelineScript> scripts;
  for (std::size_t i = 0; i < options.timelines; ++i)
    scripts.push_back(fuzz::numbered_timeline({release}, 1, i));
  const bench::TimelineSpeed speed = bench::measure_timelines(scripts);
  if (options.output == "json") {
    print_json({{"release", release.version.text()},
                {"timelines", speed.timelines},
                {"commands", speed.commands},
                {"cycles", speed.cycles},
                {"steps", speed.steps},
                {"cpuNs", speed.cpu_ns},
                {"commandsPerSecond", speed.commands_per_second()},
                {"stepsPerSecond", speed.steps_per_second()}});
  } else {
    std::cout << "Release " << release.version.text() << "; " << speed.timelines << " generated timelines, "
              << speed.commands << " commands, of which " << speed.cycles << " ran a cycle of a pod\n"
              << speed.commands_per_second() << " commands a second of processor time\n"
              << speed.steps_per_second()
              << " steps a second of processor time: commands, and what the scheduler does after each\n";
  }
  return k_exit_ok;
}

int run(const BenchOptions& options, const Terminal& terminal) {
  if (options.timelines > 0) return run_timelines(options);
  if (!options.kept.empty()) return show(options, terminal);
  const Result<bench::BenchPlan> plan = plan_of(options);
  if (!plan) return print_error(plan.error()), k_exit_bad_input;
  std::vector<bench::BenchRow> rows;
  ProgressBar bar(terminal);
  bench::run_bench(
      plan.value(), interruption(), [&rows](const bench::BenchRow& row) { rows.push_back(row); },
      [&bar](std::string_view what, std::size_t done, std::size_t of) { bar.update(what, done, of); });
  bar.erase();
  if (options.output == "json") {
    print_json(json_of(rows, plan.value().release.version.text()));
  } else {
    print_text(plan.value().release.version.text(), rows, terminal);
    if (plan.value().subject.empty())
      std::cout << "\nThe real kube-scheduler is not built (upstream/build "
                << plan.value().release.version.text() << "), so nothing is compared with it.\n";
  }
  if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.disagreement.empty(); }))
    return k_exit_disagreement;
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure how long decisions take: both engines and the real kube-scheduler");
  const auto options = std::make_shared<BenchOptions>();
  describe(
      *command, context.terminal,
      {.description =
           "Generates clusters of several sizes. All nodes are full, with 30 pods a node, under 20 PDBs. "
           "Every node is a candidate for the preemptor; with a spread constraint, every node of the zones "
           "that are not too full. Clusters: varied (five priorities, two sizes, 40 apps); alike (all pods "
           "are equal, so all nodes tie); near-ties (start times decide). Preemptors: alone (no constraint "
           "on other pods), anti-affinity (required), spread (a topology spread constraint).\n\n"
           "A decision is complete and exact: the first pass over all nodes, and the choice among all "
           "candidates. \"sample\": the search of a tenth of the nodes, as in a release. For kube-scheduler "
           "only the dry run counts, as kube-scheduler measures it, with 16 nodes in parallel (its default), "
           "and for a sample also with one. kube-scheduler needs seconds to read a question of 5000 nodes. "
           "So beyond 1000 nodes it decides only for the preemptor \"alone\", unless --preemptor names "
           "another one.\n\nAll answers to one question must agree. If one differs, all rows of the question "
           "are void and have no figures. CHECKED BY: implementations that gave the same answer in this run "
           "(\"unchecked\": none). Preemptors in turn are compared up to the last one that both decided. "
           "Beyond --reference-most nodes, and beyond 100 nodes if the preemptor has a constraint on other "
           "pods, the reference decides on a smaller cluster, if nodes do not depend on each other: the "
           "chosen node and 20 others. A row of one thread is disturbed if its wall time exceeded 1.2 times "
           "its CPU time.\n\n"
           "FLOOR: the time to read once, with the same number of threads, the columns that the first pass "
           "may read. For each node: allocatable and used amounts, flags and taints. For each priority level "
           "of a node: the priority, the start of its pods, and the cpu and memory above it. CPU: the CPU "
           "time of all threads. Preemptors in turn: each decision changes the cluster for the next one; the "
           "victims are removed and the preemptor is bound. Ctrl-C prints the finished rows.\n\n"
           "A whole cycle: filters, scores and the choice of the host, for a pod that fits, on nodes with "
           "twice the cpu and memory; from the same node on, with all nodes searched "
           "(percentageOfNodesToScore 100) and as the release samples. \"like came before\": each pod "
           "differs "
           "from the one before in its name only, which is bound by then. For kube-scheduler the time of "
           "SchedulePod counts, with 16 nodes in parallel, and with one for a sample.",
       .examples = {{"Measure one small cluster, and print JSON",
                     "touchstone bench --nodes 10 --time 5 --output json"},
                    {"Measure the model of a scheduler over time", "touchstone bench --timelines 200"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled,
                      k_exit_interrupted},
       .see_also = {"upstream/README.md", "optimized/search/decide.hpp"}});
  command->add_option("--release", options->release, "Release to measure")
      ->type_name("RELEASE")
      ->capture_default_str();
  command->add_option("--nodes", options->nodes, "Sizes of clusters, in nodes")
      ->delimiter(',')
      ->type_name("N,...")
      ->check(whole_number(1, k_nodes_most))
      ->default_str("500,5000,15000,100000");
  const auto one_of = [](const auto& names) {
    return CLI::IsMember(std::vector<std::string>(names.begin(), names.end())).description("");
  };
  command->add_option("--cluster", options->clusters, "Only these clusters (default: all)")
      ->delimiter(',')
      ->type_name("varied|alike|near-ties,...")
      ->check(one_of(bench::k_shape_names));
  command->add_option("--preemptor", options->preemptors, "Only these preemptors (default: all)")
      ->delimiter(',')
      ->type_name("alone|anti-affinity|spread,...")
      ->check(one_of(bench::k_asks_names));
  command
      ->add_option(
          "--scheduler", options->scheduler,
          "The kube-scheduler that upstream/build made (default: the one of the release, in build/upstream)")
      ->type_name("FILE");
  command
      ->add_option("--reference-most", options->reference_most,
                   "Measure the reference on clusters of at most N nodes")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      ->add_option("--time", options->time_ms,
                   "Milliseconds for each figure: at most 101 runs, and at least 3 (beyond 1000 nodes at "
                   "least 1 for the reference and kube-scheduler)")
      ->type_name("MS")
      ->check(whole_number(0, k_time_ms_most))
      ->capture_default_str();
  command
      ->add_option("--kept", options->kept,
                   "Show the results that --output json saved in this file; measure nothing")
      ->type_name("FILE");
  command
      ->add_option("--timelines", options->timelines,
                   "Measure the model of a scheduler over time on N generated timelines, and nothing else")
      ->type_name("N")
      ->check(whole_number(0, k_timelines_most));
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
