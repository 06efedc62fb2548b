#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/vectors.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/oddities.hpp"
#include "tests/optimized/preferences.hpp"
#include "tests/support/any_question.hpp"

/// Long comparison of the optimized engine with the reference: decisions and whole scheduling cycles.
/// `differential_run CASES [SEED]` compares generated cases, half of them with oddities. `differential_run
/// vectors PLACE` compares all questions of the vectors in PLACE, for all their releases. Prints how many
/// questions had each outcome, and which ones both skipped. Exit code 1 on a difference, for example a
/// question that only one of them skips; 2 if the vectors cannot be read.
namespace touchstone::tests {

namespace {

/// Runs both engines and counts outcomes and differences.
class Run {
 public:
  void ask(const Question& question, const Release& release, const std::string& name) {
    const optimized::Answer answer = optimized_answer(question, release, workers_);
    const Decision decision = reference::preempt(question, release);
    ++outcomes_[oracle::name_of(answer.outcome)];
    if (answer.outcome == Outcome::skipped) ++skipped_[answer.reason.substr(0, answer.reason.find(':'))];
    const std::string found = difference(question, release, answer, decision);
    show(found, name);
  }

  void ask_placement(const Question& question, const Release& release, const std::string& name) {
    const optimized::Snapshot snapshot(question.cluster, release);
    const optimized::Placed placed = oracle::optimized_placed(snapshot, question, workers_);
    const Placement placement = reference::schedule(question, release);
    scored_ += !placement.totals.empty();
    scheduled_ += placement.host.has_value();
    show(difference(question, release, placed, placement), name);
    ask_with_memo(snapshot, question, release, placement, name);
  }

  int report() const {
    for (const auto& [reason, count] : skipped_)
      std::printf("skipped by both: %zu %s\n", count, reason.c_str());
    for (const auto& [outcome, count] : outcomes_)
      std::printf("%.*s: %zu\n", static_cast<int>(outcome.size()), outcome.data(), count);
    std::printf("whole cycles: %zu scheduled, %zu with scores, %zu with a memo\n", scheduled_, scored_,
                reused_);
    std::printf("%zu differences\n", differences_);
    return differences_ == 0 ? 0 : 1;
  }

  /// Asks twice with one memo, which must not change the placement.
  void ask_with_memo(const optimized::Snapshot& snapshot, const Question& question, const Release& release,
                     const Placement& placement, const std::string& name) {
    optimized::Memo memo;
    optimized::Options options;
    options.offset = question.offset;
    options.quota = question.quota;
    options.start = question.start;
    for (int i = 0; i < 2; ++i) {
      CanonicalChoices choices;
      const optimized::Placed placed =
          optimized::schedule(snapshot, question.pod, options, workers_, choices, memo);
      show(difference(question, release, placed, placement), name + " with a memo");
    }
    reused_ += memo.reused();
  }

 private:
  void show(const std::string& found, const std::string& name) {
    constexpr std::size_t k_bytes_shown = 1500;
    constexpr std::size_t k_shown_most = 3;
    if (!found.empty() && ++differences_ <= k_shown_most)
      std::printf("%s\n%s\n", name.c_str(), found.substr(0, k_bytes_shown).c_str());
  }

  optimized::Workers workers_{1};
  std::map<std::string, std::size_t> skipped_;
  std::map<std::string_view, std::size_t> outcomes_;
  std::size_t scheduled_ = 0;
  std::size_t scored_ = 0;
  std::size_t reused_ = 0;
  std::size_t differences_ = 0;
};

int run_cases(std::uint64_t cases, std::uint64_t seed) {
  Run run;
  std::vector<fuzz::Scenarios> scenarios;
  for (const std::string& epoch : k_distinct_releases)
    scenarios.push_back(fuzz::all_scenarios(release(epoch)));
  for (std::uint64_t i = 0; i < cases; ++i) {
    const fuzz::Scenarios& asked = scenarios[i % scenarios.size()];
    Question question = fuzz::numbered_scenario(asked, seed, i);
    SeededChoices choices(seed + i);
    if (i / scenarios.size() % 4 == 0) add_terms(question, choices);
    if (i / scenarios.size() % 2 == 1) Oddities(question, choices).add();
    run.ask(question, asked.release, "case " + std::to_string(i));
    with_preferences(question, choices);
    const bool is_configured = i / scenarios.size() % 3 == 0;
    run.ask_placement(question, is_configured ? with_scores(asked.release, choices) : asked.release,
                      "cycle " + std::to_string(i));
  }
  return run.report();
}

int run_vectors(const char* place) {
  Run run;
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(place);
  if (!files) {
    std::fprintf(stderr, "%s: %s\n", files.error().path.c_str(), files.error().message.c_str());
    return 2;
  }
  for (const oracle::VectorFile& file : files.value()) {
    for (const oracle::VectorCase& each : file.cases) {
      const Question question = kubernetes::read_question_text(each.question.dump(), each.name).value();
      for (const auto& [version, answer] : each.answers) {
        const Result<NamedRelease> named =
            oracle::configured_for(each.question, each.name, question.pod, find_release(version).value());
        if (!named) continue;
        if (file.command == oracle::Command::run) run.ask(question, named.value().release, each.name);
        run.ask_placement(question, named.value().release, each.name);
      }
    }
  }
  return run.report();
}

}  // namespace

}  // namespace touchstone::tests

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "vectors") return touchstone::tests::run_vectors(argv[2]);
  const std::uint64_t cases = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return touchstone::tests::run_cases(cases, seed);
}
