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

void print_text(const oracle::VectorReport& report, std::size_t cases) {
  std::size_t agreed = 0;
  std::size_t skipped = 0;
  for (const auto& [release, count] : report.agreed) agreed += count;
  for (const auto& [what, count] : report.skipped) skipped += count;
  for (const oracle::Disagreement& difference : report.disagreements) {
    std::cout << difference.case_name << " " << difference.release << " " << difference.key << "\n  expected "
              << difference.expected << "\n  found    " << difference.found << "\n  replay   touchstone vectors --case "
              << difference.case_name << " --release " << difference.release << "\n";
  }
  std::cout << cases << " cases, " << report.agreed.size() << " releases: " << agreed << " answers agree, "
            << report.disagreements.size() << " disagreements, " << skipped << " skipped\n";
  if (report.unseen > 0) {
    std::cout << "  " << report.unseen << " members of ties were never chosen in the few runs recorded of them\n";
  }
  for (const auto& [what, count] : report.skipped) std::cout << "  skipped " << count << ": " << what << "\n";
}

void print_json(const oracle::VectorReport& report, std::size_t cases) {
  oracle::Json json{{"cases", cases}, {"agreed", report.agreed}, {"unseen", report.unseen}, {"skipped", report.skipped}};
  json["disagreements"] = oracle::Json::array();
  for (const oracle::Disagreement& difference : report.disagreements) {
    json["disagreements"].push_back({{"case", difference.case_name},
                                     {"release", difference.release},
                                     {"key", difference.key},
                                     {"expected", difference.expected},
                                     {"found", difference.found}});
  }
  std::cout << json.dump(2) << "\n";
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
  oracle::VectorReport total;
  for (const oracle::VectorFile& file : files.value()) {
    if (options.update) {
      const Result<bool> updated = oracle::update_clauses(file, progress);
      if (!updated) return print_error(updated.error()), k_exit_bad_input;
      if (updated.value()) std::cout << "updated " << file.path.string() << "\n";
    } else {
      add_up(total, oracle::check_vectors(file, options.release, options.name, progress));
    }
  }
  if (options.update) return k_exit_ok;
  if (total.agreed.empty() && total.skipped.empty() && total.disagreements.empty()) {
    return print_error({"nothing-checked", options.place, "no case of that name and release"}), k_exit_bad_input;
  }
  options.output == "json" ? print_json(total, cases) : print_text(total, cases);
  return total.disagreements.empty() ? k_exit_ok : k_exit_disagreement;
}

}  // namespace

void add_vectors(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("vectors", "Hold the reference against the recorded decisions of running releases");
  command->footer(
      "Exit code 1 when an answer disagrees. A question that needs what is not modelled counts as skipped.\n\n"
      "Example: touchstone vectors spec/vectors/core --release v1.34.4");
  const auto options = std::make_shared<Options>();
  command->add_option("place", options->place, "A vector file, or a directory of them")->capture_default_str();
  command->add_option("--release", options->release, "Only this release, as the vectors name it");
  command->add_option("--case", options->name, "Only this case");
  command->add_flag("--update", options->update, "Write the clauses that each recorded case shows into its file");
  add_output_option(*command, options->output);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace touchstone::cli
