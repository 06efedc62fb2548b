#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/data.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "fuzz/behaviour/coverage_selection.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/timeline_vectors.hpp"

namespace touchstone::cli {

namespace {

struct VectorsOptions {
  std::string place = "spec/vectors";
  std::string release;
  std::string name;
  std::string engine = "reference";
  std::string output = "text";
  bool update = false;
  std::size_t choose = 0;
};

void add_up(oracle::VectorReport& total, const oracle::VectorReport& part) {
  total.unseen += part.unseen;
  for (const auto& [release, count] : part.agreed) total.agreed[release] += count;
  for (const auto& [what, count] : part.skipped) total.skipped[what] += count;
  total.disagreements.insert(total.disagreements.end(), part.disagreements.begin(), part.disagreements.end());
}

std::size_t sum_of(const std::map<std::string, std::size_t>& counts) {
  std::size_t total = 0;
  for (const auto& [key, count] : counts) total += count;
  return total;
}

/// The result for one kind of vectors: recorded decisions, or worked examples.
struct Tally {
  std::size_t cases = 0;
  oracle::VectorReport report;
};

void print_text(const std::string& what, const Tally& tally, const Terminal& terminal) {
  const oracle::VectorReport& report = tally.report;
  for (const oracle::Disagreement& difference : report.disagreements) {
    const std::string name = printable(difference.case_name);
    const std::string release = printable(difference.release);
    std::cout << terminal.styled(Style::bad, name) << " " << release << " " << printable(difference.key)
              << "\n  expected " << printable(difference.expected) << "\n  found    "
              << printable(difference.found) << "\n  replay   touchstone vectors --case " << name
              << " --release " << release << "\n";
  }
  if (tally.cases == 0) return;
  std::cout << tally.cases << " " << what << ", " << report.agreed.size()
            << " releases: " << sum_of(report.agreed) << " answers agree, " << report.disagreements.size()
            << " disagreements, " << sum_of(report.skipped) << " skipped\n";
  if (report.unseen > 0) {
    std::cout << "  " << report.unseen << " members of ties were never chosen in the few recorded runs\n";
  }
  for (const auto& [filter, count] : report.skipped)
    std::cout << "  skipped " << count << ": " << filter << "\n";
}

oracle::Json json_of_tally(const Tally& tally) {
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

/// Prints the names of a few cases that together show everything that all cases show. Cases of `schedule` are
/// left out.
int choose(const VectorsOptions& options, const std::vector<oracle::VectorFile>& files, ProgressBar& bar,
           std::size_t cases) {
  std::vector<fuzz::Choosable> all;
  std::vector<std::string> names;
  for (const oracle::VectorFile& file : files) {
    if (file.command != oracle::Command::run) continue;
    for (const oracle::VectorCase& each : file.cases) {
      bar.update("cases", names.size(), cases);
      const Result<Question> question = kubernetes::read_question_text(each.question.dump(), each.name);
      if (!question) return print_error(question.error()), k_exit_bad_input;
      std::vector<Release> releases;
      std::size_t size = each.question.dump().size();
      std::set<std::string> answers;
      for (const auto& [release, answer] : each.answers) {
        releases.push_back(find_release(release).value().release);
        answers.insert(answer.dump());
      }
      for (const std::string& answer : answers) size += answer.size();
      std::set<std::string> shown = fuzz::shown_by(question.value(), releases);
      shown.merge(fuzz::shown_by_answers(each));
      all.push_back({size, std::move(shown)});
      names.push_back(each.name);
    }
  }
  bar.erase();
  for (const std::size_t i : fuzz::chosen(all, options.choose)) std::cout << printable(names[i]) << "\n";
  return k_exit_ok;
}

int run(const VectorsOptions& options, const Terminal& terminal) {
  const std::filesystem::path place = data_path(options.place);
  const Result<std::vector<oracle::RecordedTimeline>> timelines = oracle::read_timelines(place);
  if (!timelines) return print_error(timelines.error()), k_exit_bad_input;
  const bool are_all_timelines = place.extension() == ".jsonl";
  const Result<std::vector<oracle::VectorFile>> files =
      are_all_timelines ? std::vector<oracle::VectorFile>{} : oracle::read_vectors(place);
  if (!files) return print_error(files.error()), k_exit_bad_input;
  std::size_t cases = timelines.value().size();
  for (const oracle::VectorFile& file : files.value()) cases += file.cases.size();

  ProgressBar bar(terminal);
  if (options.choose > 0) return choose(options, files.value(), bar, cases);
  std::size_t done = 0;
  const auto progress = [&] { bar.update("cases", ++done, cases); };
  Tally recorded;
  Tally examples;
  for (const oracle::VectorFile& file : files.value()) {
    if (options.update) {
      const Result<bool> updated = oracle::update_clauses(file, progress);
      if (!updated) return print_error(updated.error()), k_exit_bad_input;
      if (updated.value()) {
        bar.erase();
        std::cout << "updated " << printable(file.path.string()) << "\n";
      }
    } else {
      Tally& tally = file.recorded ? recorded : examples;
      tally.cases += file.cases.size();
      add_up(tally.report, oracle::check_vectors(
                               file, {engine_of(options.engine), options.release, options.name}, progress));
    }
  }
  if (!options.update && options.engine != "optimized") {
    for (const bool is_recorded : {true, false}) {
      std::vector<oracle::RecordedTimeline> some;
      for (const oracle::RecordedTimeline& each : timelines.value()) {
        if (each.recorded == is_recorded) some.push_back(each);
      }
      Tally& tally = is_recorded ? recorded : examples;
      tally.cases += some.size();
      add_up(tally.report, oracle::check_timelines(
                               some, {engine_of(options.engine), options.release, options.name}, progress));
    }
  }
  bar.erase();
  if (options.update) return k_exit_ok;
  const auto looked_at = [](const oracle::VectorReport& report) {
    return sum_of(report.agreed) + sum_of(report.skipped) + report.disagreements.size();
  };
  if (looked_at(recorded.report) + looked_at(examples.report) == 0) {
    return print_error({"nothing-checked", options.place, "no case of that name and release"}),
           k_exit_bad_input;
  }
  if (options.output == "json") {
    print_json({{"recorded", json_of_tally(recorded)}, {"examples", json_of_tally(examples)}});
  } else {
    print_text("recorded cases", recorded, terminal);
    print_text("worked examples", examples, terminal);
  }
  const bool agree = recorded.report.disagreements.empty() && examples.report.disagreements.empty();
  return agree ? k_exit_ok : k_exit_disagreement;
}

}  // namespace

void add_vectors(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("vectors", "Compare an engine with the recorded decisions of running releases");
  describe(
      *command, context.terminal,
      {.description = "Runs an engine on the questions that running releases have answered, and compares "
                      "every answer. Each disagreement shows the command that replays it. A question that "
                      "needs a feature that is not modelled counts as skipped. A file *.jsonl has timelines: "
                      "commands to a scheduler over time. Only the reference plays them.",
       .examples = {{"Check the decisions of one release on the smallest clusters",
                     "touchstone vectors spec/vectors/core --release v1.34.4"},
                    {"Check the optimized engine", "touchstone vectors spec/vectors/core --engine optimized"},
                    {"Play the timelines of one release",
                     "touchstone vectors spec/vectors/time/v1.36.3.jsonl"},
                    {"Check one file, and print JSON",
                     "touchstone vectors spec/vectors/core/start.json --release v1.34.4 -o json"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input},
       .see_also = {"touchstone subject --help", "spec/vectors/README.md"}});
  const auto options = std::make_shared<VectorsOptions>();
  command->add_option("place", options->place, "A vector file, or a directory of them")
      ->type_name("PATH")
      ->capture_default_str();
  command->add_option("--release", options->release, "Only this release, as the vectors name it")
      ->type_name("RECORDED");
  command->add_option("--case", options->name, "Only this case")->type_name("NAME");
  add_engine_option(*command, options->engine, false);
  command->add_flag("--update", options->update,
                    "Write the clauses that each recorded case shows into its file");
  command
      ->add_option(
          "--choose", options->choose,
          "Print the names of a few small cases that show, N times, each behaviour that all cases show")
      ->type_name("N");
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
