#include "bench/bench.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/json/bench_json.hpp"
#include "cli/text/bench_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_nodes_most = 1'000'000;
constexpr std::size_t k_time_ms_most = 3'600'000;
const std::vector<std::size_t> k_usual_sizes = {500, 5000, 15000, 100000};

struct BenchOptions {
  std::string release = newest_release().text();
  std::vector<std::size_t> nodes;  ///< empty: the usual ones, or all that were kept
  std::vector<std::string> clusters;
  std::vector<std::string> preemptors;
  std::string scheduler;
  std::size_t reference_most = 5000;
  std::size_t time_ms = 250;
  std::string kept;
  std::string output = "text";
};

bool is_wanted(const auto& wanted, const auto& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

/// What has one of these names, in the order of all; all of it, where none is named.
template <typename T, typename Names>
std::vector<T> named_of(const std::vector<std::string>& wanted, const Names& names) {
  std::vector<T> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_wanted(wanted, names[i])) values.push_back(static_cast<T>(i));
  }
  return values;
}

/// Where upstream/build puts the kube-scheduler of a release.
std::string built_scheduler(const Release& release) {
  return data_path("build/upstream/" + release.version.text() + "/scheduler");
}

Result<oracle::BenchPlan> plan_of(const BenchOptions& options) {
  const Result<NamedRelease> named = find_release(options.release);
  if (!named) return named.error();
  oracle::BenchPlan plan{.release = named.value().release,
                         .sizes = options.nodes.empty() ? k_usual_sizes : options.nodes,
                         .shapes = named_of<oracle::Shape>(options.clusters, oracle::k_shape_names),
                         .asks = named_of<oracle::Asks>(options.preemptors, oracle::k_asks_names)};
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

void print_text(const std::string& release, const std::vector<oracle::BenchRow>& rows,
                const Terminal& terminal) {
  std::cout << "Release " << release << "; " << oracle::k_bench_pods << " pods a node, "
            << oracle::k_bench_pdbs
            << " PDBs; medians and quartiles. touchstone bench --help tells what is measured.\n"
            << text_of(rows, terminal);
}

/// What was measured before.
int show(const BenchOptions& options, const Terminal& terminal) {
  const Result<KeptBench> kept = read_bench(data_path(options.kept));
  if (!kept) return print_error(kept.error()), k_exit_bad_input;
  std::vector<oracle::BenchRow> rows = kept.value().rows;
  std::erase_if(rows, [&options](const oracle::BenchRow& row) {
    return !is_wanted(options.nodes, row.nodes) ||
           !is_wanted(options.clusters, oracle::k_shape_names[static_cast<std::size_t>(row.shape)]) ||
           (row.figure == oracle::Figure::decision &&
            !is_wanted(options.preemptors, oracle::k_asks_names[static_cast<std::size_t>(row.asks)]));
  });
  if (options.output == "json") {
    print_json(json_of(rows, kept.value().release));
  } else {
    print_text(kept.value().release, rows, terminal);
  }
  const auto is_void = [](const oracle::BenchRow& row) { return !row.disagreement.empty(); };
  return std::any_of(rows.begin(), rows.end(), is_void) ? k_exit_disagreement : k_exit_ok;
}

int run(const BenchOptions& options, const Terminal& terminal) {
  if (!options.kept.empty()) return show(options, terminal);
  const Result<oracle::BenchPlan> plan = plan_of(options);
  if (!plan) return print_error(plan.error()), k_exit_bad_input;
  std::vector<oracle::BenchRow> rows;
  ProgressBar bar(terminal);
  oracle::run_bench(
      plan.value(), interruption(), [&rows](const oracle::BenchRow& row) { rows.push_back(row); },
      [&bar](std::string_view what, std::size_t done, std::size_t of) { bar.update(what, done, of); });
  bar.erase();
  if (options.output == "json") {
    print_json(json_of(rows, plan.value().release.version.text()));
  } else {
    print_text(plan.value().release.version.text(), rows, terminal);
    if (plan.value().subject.empty())
      std::cout << "\nThe real kube-scheduler is not built (upstream/build "
                << plan.value().release.version.text() << "), so nothing is held against it.\n";
  }
  if (std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.disagreement.empty(); }))
    return k_exit_disagreement;
  return interruption() ? k_exit_interrupted : k_exit_ok;
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "bench", "Measure what decisions cost: both engines and the real kube-scheduler, side by side");
  const auto options = std::make_shared<BenchOptions>();
  describe(
      *command, context.terminal,
      {.description =
           "Clusters of several sizes, whose nodes are full, each with 30 pods, under 20 PDBs, and a "
           "preemptor for which every node is a candidate, or with a spread constraint every one of the "
           "zones "
           "that are not too full. Clusters: varied (five priorities, two sizes, 40 "
           "apps); alike (every pod as every other, so that all nodes tie); near-ties (the start of pods "
           "decides). The preemptor asks nothing of other pods, or has required anti-affinity, or a "
           "topology spread constraint.\n\n"
           "A decision is complete and exact: the first pass over all nodes, and the choice among all of "
           "them; \"sample\" is the search of a tenth that a release does. Of kube-scheduler the dry run "
           "alone is counted, as it tells itself, with 16 nodes at a time, its own default, and of a sample "
           "also with one. "
           "It needs seconds to read a question of 5000 nodes. So beyond 1000 nodes it is asked about the "
           "preemptor \"alone\", and about another one only if --preemptor names it. "
           "In the same run all answers to one question have to agree; where one does not all are void, and "
           "have no figures. CHECKED BY is who else gave the answer, of preemptors in turn as far as both "
           "went: beyond --reference-most, and beyond 100 nodes where the preemptor asks something of other "
           "pods, the reference decides on the chosen node and 20 others alone, where none depends on the "
           "others; \"unchecked\" is nobody. A row of one thread is disturbed "
           "where it took more than 1.2 times what it computed.\n\n"
           "FLOOR is the time to read once the columns that the first pass may read, with as many threads: "
           "of "
           "each node the "
           "allocatable and used amounts, flags and taints, and of each level of priority on it the "
           "priority, where its pods begin, and the cpu and memory above. CPU is what all threads "
           "computed. Preemptors in turn: each is decided on what the one before left, its victims gone and "
           "itself bound. Ctrl-C prints the rows that are done.",
       .examples = {{"One small cluster, for scripts", "touchstone bench --nodes 10 --time 5 --output json"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_interrupted},
       .see_also = {"upstream/README.md", "optimized/search/decide.hpp"}});
  command->add_option("--release", options->release, "The release that decides")
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
  command->add_option("--cluster", options->clusters, "These clusters alone")
      ->delimiter(',')
      ->type_name("varied|alike|near-ties,...")
      ->check(one_of(oracle::k_shape_names));
  command->add_option("--preemptor", options->preemptors, "These preemptors alone")
      ->delimiter(',')
      ->type_name("alone|anti-affinity|spread,...")
      ->check(one_of(oracle::k_asks_names));
  command
      ->add_option("--scheduler", options->scheduler,
                   "The kube-scheduler that upstream/build made (default: that of the release, in "
                   "build/upstream)")
      ->type_name("FILE");
  command
      ->add_option("--reference-most", options->reference_most,
                   "Up to how many nodes the reference is measured")
      ->type_name("N")
      ->check(whole_number(0))
      ->capture_default_str();
  command
      ->add_option(
          "--time", options->time_ms,
          "For how many milliseconds a figure is measured again, at most 101 times, and at least 3, or "
          "once for the reference and kube-scheduler beyond 1000 nodes")
      ->type_name("MS")
      ->check(whole_number(0, k_time_ms_most))
      ->capture_default_str();
  command->add_option("--kept", options->kept, "Show what --output json kept in a file, and measure nothing")
      ->type_name("FILE");
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
