#include <cstdio>
#include <cstdlib>
#include <map>

#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"

/// A long differential run: `differential_run CASES [SEED]`. Prints what was answered and what was skipped;
/// exit code 1 on a difference.
namespace touchstone::tests {

namespace {

constexpr std::size_t k_bytes_shown = 1500;  ///< of a difference

int run(std::uint64_t cases, std::uint64_t seed) {
  optimized::Workers workers(1);
  std::map<std::string, std::size_t> skipped;
  std::map<int, std::size_t> outcomes;
  std::size_t differences = 0;
  std::vector<fuzz::Scenarios> scenarios;
  for (const std::string& epoch : k_epochs) scenarios.push_back(fuzz::all_scenarios(release(epoch)));
  for (std::uint64_t i = 0; i < cases; ++i) {
    const fuzz::Scenarios& asked = scenarios[i % scenarios.size()];
    Question question = fuzz::numbered_scenario(asked, seed, i);
    SeededChoices choices(seed + i);
    if (i / scenarios.size() % 4 == 0) add_terms(question, choices);
    const optimized::Answer answer = optimized_answer(question, asked.release, workers);
    if (answer.outcome == Outcome::skipped) ++skipped[answer.reason.substr(0, answer.reason.find(':'))];
    const Decision decision = reference_decision(question, asked.release);
    ++outcomes[static_cast<int>(answer.outcome)];
    const std::string found = difference(question, asked.release, answer, decision);
    if (found.empty()) continue;
    if (++differences <= 3)
      std::printf("case %llu\n%s\n", static_cast<unsigned long long>(i),
                  found.substr(0, k_bytes_shown).c_str());
  }
  for (const auto& [reason, count] : skipped) std::printf("skipped %zu %s\n", count, reason.c_str());
  for (const auto& [outcome, count] : outcomes) std::printf("outcome %d: %zu\n", outcome, count);
  std::printf("%zu differences\n", differences);
  return differences == 0 ? 0 : 1;
}

}  // namespace

}  // namespace touchstone::tests

int main(int argc, char** argv) {
  const std::uint64_t cases = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  return touchstone::tests::run(cases, seed);
}
