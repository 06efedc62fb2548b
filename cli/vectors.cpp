#include "oracle/vectors.hpp"

#include <unistd.h>

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace touchstone::cli {

namespace {

struct Options {
  std::string place = "spec/vectors";
  std::string release;
  std::string name;
  std::string output = "text";
  bool update = false;
};

void add_up(oracle::VectorReport& total, const oracle::VectorReport& part) {
  total.unseen += part.unseen;
  for (const auto& [release, count] : part.agreed) total.agreed[release] += count;
  for (const auto& [what, count] : part.skipped) total.skipped[what] += count;
  total.disagreements.insert(total.disagreements.end(), part.disagreements.begin(), part.disagreements.end());
}

std::size_t sum(const std::map<std::string, std::size_t>& counts) {
  std::size_t total = 0;
  for (const auto& [key, count] : counts) total += count;
  return total;
}

/// One kind of vectors: recorded decisions, or worked examples.
struct Tally {
  std::size_t cases = 0;
  oracle::VectorReport report;
};

void print_text(const std::string& what, const Tally& tally) {
  const oracle::VectorReport& report = tally.report;
  for (const oracle::Disagreement& difference : report.disagreements) {
    std::cout << difference.case_name << " " << difference.release << " " << difference.key << "\n  expected "
              << difference.expected << "\n  found    " << difference.found
              << "\n  replay   touchstone vectors --case " << difference.case_name << " --release "
              << difference.release << "\n";
  }
  if (tally.cases == 0) return;
  std::cout << tally.cases << " " << what << ", " << report.agreed.size()
            << " releases: " << sum(report.agreed) << " answers agree, " << report.disagreements.size()
            << " disagreements, " << sum(report.skipped) << " skipped\n";
  if (report.unseen > 0) {
    std::cout << "  " << report.unseen
              << " members of ties were never chosen in the few runs recorded of them\n";
  }
  for (const auto& [filter, count] : report.skipped)
    std::cout << "  skipped " << count << ": " << filter << "\n";
}

oracle::Json json_of(const Tally& tally) {
  const oracle::VectorReport& report = tally.report;
  oracle::Json json{{"cases", tally.cases},
                    {"agreed", report.agreed},
                    {"unseen", report.unseen},
                    {"skipped", report.skipped}};
  json["disagreements"] = oracle::Json::array();
  for (const oracle::Disagreement& difference : report.disagreements) {
    json["disagreements"].push_back({{"case", difference.case_name},
                                     {"release", difference.release},
                                     {"key", difference.key},
                                     {"expected", difference.expected},
                                     {"found", difference.found}});
  }
  return json;
}

int run(const Options& options) {
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(options.place);
  if (!files) return print_error(files.error()), k_exit_bad_input;
  std::size_t cases = 0;
  for (const oracle::VectorFile& file : files.value()) cases += file.cases.size();

  const bool show_progress = isatty(STDERR_FILENO) != 0;
  std::size_t done = 0;
  const auto progress = [&] {
    if (show_progress && ++done % 50 == 0) std::cerr << "\r" << done << " of " << cases << " cases\r";
  };
  Tally recorded;
  Tally examples;
  for (const oracle::VectorFile& file : files.value()) {
    if (options.update) {
      const Result<bool> updated = oracle::update_clauses(file, progress);
      if (!updated) return print_error(updated.error()), k_exit_bad_input;
      if (updated.value()) std::cout << "updated " << file.path.string() << "\n";
    } else {
      Tally& tally = file.recorded ? recorded : examples;
      tally.cases += file.cases.size();
      add_up(tally.report, oracle::check_vectors(file, options.release, options.name, progress));
    }
  }
  if (options.update) return k_exit_ok;
  const auto looked_at = [](const oracle::VectorReport& report) {
    return sum(report.agreed) + sum(report.skipped) + report.disagreements.size();
  };
  if (looked_at(recorded.report) + looked_at(examples.report) == 0) {
    return print_error({"nothing-checked", options.place, "no case of that name and release"}),
           k_exit_bad_input;
  }
  if (options.output == "json") {
    std::cout << oracle::Json{{"recorded", json_of(recorded)}, {"examples", json_of(examples)}}.dump(2)
              << "\n";
  } else {
    print_text("recorded cases", recorded);
    print_text("worked examples", examples);
  }
  const bool agree = recorded.report.disagreements.empty() && examples.report.disagreements.empty();
  return agree ? k_exit_ok : k_exit_disagreement;
}

}  // namespace

void add_vectors(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("vectors", "Hold the reference against the recorded decisions of running releases");
  command->footer(
      "Exit code 1 when an answer disagrees. A question that needs what is not modelled counts as "
      "skipped.\n\n"
      "Example: touchstone vectors spec/vectors/core --release v1.34.4");
  const auto options = std::make_shared<Options>();
  command->add_option("place", options->place, "A vector file, or a directory of them")
      ->capture_default_str();
  command->add_option("--release", options->release, "Only this release, as the vectors name it");
  command->add_option("--case", options->name, "Only this case");
  command->add_flag("--update", options->update,
                    "Write the clauses that each recorded case shows into its file");
  add_output_option(*command, options->output);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace touchstone::cli
