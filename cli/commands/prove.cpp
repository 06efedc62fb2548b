#include "proofs/prove.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/input/scratch.hpp"
#include "cli/json/prove_json.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/interruption.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/suggest.hpp"
#include "cli/text/prove_text.hpp"
#include "kubernetes/text/bytes.hpp"

namespace touchstone::cli {

namespace {

struct Options {
  std::vector<std::string> theorems;
  bool quick = false;
  bool all = false;
  bool paths = false;
  std::string dump;
  std::string kept;
  std::size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string output = "text";
};

/// The theorems that the options select; all if they select none. Errors: unknown-theorem.
Result<std::vector<const proofs::Statement*>> wanted(const Options& options) {
  std::vector<const proofs::Statement*> which;
  std::vector<std::string> names;
  for (const proofs::Statement& statement : proofs::statements()) names.push_back(statement.name);
  for (const std::string& name : options.theorems) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string meant = nearest(name, names);
    return Error{"unknown-theorem", "--theorem",
                 "no theorem \"" + name + "\"" + (meant.empty() ? "" : "; did you mean " + meant + "?")};
  }
  for (const proofs::Statement& statement : proofs::statements()) {
    const bool is_named =
        std::find(options.theorems.begin(), options.theorems.end(), statement.name) != options.theorems.end();
    if (options.theorems.empty() ? !options.quick || statement.tier == proving::Tier::quick : is_named)
      which.push_back(&statement);
  }
  return which;
}

void print_list(const std::vector<const proofs::Statement*>& which, const Options& options,
                const Terminal& terminal) {
  if (options.output == "text") {
    std::cout << text_of(which, terminal);
    return;
  }
  oracle::Json json = oracle::Json::array();
  for (const proofs::Statement* statement : which) json.push_back(json_of(*statement));
  print_json(json);
}

void print_results(const std::vector<proofs::Proved>& results, const Options& options,
                   const Terminal& terminal) {
  if (options.output == "json") {
    oracle::Json json = oracle::Json::array();
    for (const proofs::Proved& proved : results) json.push_back(json_of(proved));
    return print_json(json);
  }
  if (options.theorems.empty()) {
    std::cout << text_of(results, terminal);
    return;
  }
  for (const proofs::Proved& proved : results)
    std::cout << (&proved == results.data() ? "" : "\n") << text_of(proved, terminal);
}

/// The exit code for these results.
int code_of(const std::vector<proofs::Proved>& results) {
  const bool is_red = std::any_of(results.begin(), results.end(),
                                  [](const proofs::Proved& proved) { return !proved.red.empty(); });
  return is_red ? k_exit_disagreement : k_exit_ok;
}

int explore_paths(const Options& options, const Terminal& terminal) {
  ProgressBar bar(terminal);
  std::vector<proofs::ScenePaths> results;
  const std::size_t count = proofs::scenes().size();
  for (std::size_t i = 0; i < count && !interruption(); ++i) {
    bar.update("scenes", i, count);
    results.push_back(proofs::paths_of(i, interruption()));
  }
  bar.erase();
  if (options.output == "json") {
    print_json(json_of(results));
  } else {
    std::cout << text_of(results, terminal);
  }
  if (interruption()) return k_exit_interrupted;
  const bool is_red = std::any_of(results.begin(), results.end(),
                                  [](const proofs::ScenePaths& paths) { return !paths.red.empty(); });
  return is_red ? k_exit_disagreement : k_exit_ok;
}

int show(const Options& options, const Terminal& terminal) {
  const Result<std::string> text = kubernetes::read_bytes(data_path(options.kept), kubernetes::Progress());
  if (!text) return print_error(text.error()), k_exit_bad_input;
  const Result<std::vector<proofs::Proved>> kept = read_proved(text.value(), options.kept);
  if (!kept) return print_error(kept.error()), k_exit_bad_input;
  if (options.output == "json") {
    std::cout << text.value();  // the whole file, with witnesses
  } else {
    print_results(kept.value(), options, terminal);
  }
  return code_of(kept.value());
}

int run(const Options& options, const Terminal& terminal) {
  if (options.paths) return explore_paths(options, terminal);
  if (!options.kept.empty()) return show(options, terminal);
  const Result<std::vector<const proofs::Statement*>> which = wanted(options);
  if (!which) return print_error(which.error()), k_exit_bad_input;
  if (options.theorems.empty() && !options.quick && !options.all)
    return print_list(which.value(), options, terminal), k_exit_ok;

  const Scratch scratch("prove");
  const proofs::ProveSettings settings{
      options.dump.empty() ? scratch.path() : std::filesystem::path(options.dump), true, options.jobs};
  std::error_code error;
  std::filesystem::create_directories(settings.dump, error);
  if (error) return print_error({"file-unwritable", options.dump, error.message()}), k_exit_bad_input;
  ProgressBar bar(terminal);
  std::size_t done = 0;
  bar.update("theorems", done, which.value().size());
  const std::vector<proofs::Proved> results =
      proofs::prove(which.value(), settings, interruption(),
                    [&](const proofs::Proved&) { bar.update("theorems", ++done, which.value().size()); });
  bar.erase();
  print_results(results, options, terminal);
  const int code = code_of(results);
  return code == k_exit_ok && interruption() ? k_exit_interrupted : code;
}

}  // namespace

void add_prove(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "prove", "Prove theorems about the shipped code for all integers, and refute false claims");
  describe(*command, context.terminal,
           {.description =
                "Runs the unchanged reference and optimized engine on symbolic integers. At a comparison of "
                "two terms, prove follows both results, if Z3 finds that both are possible. Each theorem is "
                "checked on every path, for all integers at once. Three more checks guard each theorem. "
                "Witnesses: numbers that satisfy its assumptions. A broken variant: the same theorem about a "
                "copy with a seeded fault, or without one of its assumptions; it must be refuted by numbers "
                "that the product confirms. Replay: on every path, the product runs on numbers that lead "
                "there. Exhibits are claims that do not hold, with the smallest cluster that refutes each. "
                "If cvc5 is installed, it also checks every obligation. A question that a solver leaves open "
                "is red (a failure).\n\nWithout --quick, --all or --theorem, prove lists the theorems.",
            .examples = {{"List all theorems and exhibits", "touchstone prove"},
                         {"Check the theorems that take seconds", "touchstone prove --quick"},
                         {"Check one theorem, and show its witnesses and the refutation of its variant",
                          "touchstone prove --theorem fits-after-eviction"},
                         {"Count all paths in small clusters", "touchstone prove --paths"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_interrupted},
            .see_also = {"touchstone faults --help", "touchstone rules --help"}});
  const auto options = std::make_shared<Options>();
  CLI::Option* quick = command->add_flag("--quick", options->quick, "Check the theorems of the quick tier");
  CLI::Option* all = command->add_flag("--all", options->all, "Check all theorems");
  CLI::Option* named = command->add_option("--theorem", options->theorems, "Check only these theorems")
                           ->delimiter(',')
                           ->type_name("NAME,...");
  CLI::Option* paths = command->add_flag("--paths", options->paths,
                                         "Count the paths that the reference can take in small clusters; "
                                         "touchstone record --paths records a question of each");
  quick->excludes(all)->excludes(named);
  all->excludes(named);
  paths->excludes(quick)->excludes(all)->excludes(named);
  command
      ->add_option("--dump", options->dump,
                   "Save the queries to the solvers, in SMT-LIB 2, in this directory")
      ->type_name("DIR");
  command
      ->add_option("--kept", options->kept,
                   "Show the results that --output json saved in this file; prove nothing")
      ->type_name("FILE")
      ->excludes(quick)
      ->excludes(all)
      ->excludes(named)
      ->excludes(paths);
  command->add_option("--jobs", options->jobs, "Number of theorems to check in parallel")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
