#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "faults/judge.hpp"
#include "fuzz/campaign/laws.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "oracle/compare/attribution.hpp"

/// A campaign against a scheduler with one seeded fault names the clause that the fault breaks.
namespace touchstone::faults {

namespace {

/// Faults in every stage of a decision, each of which a campaign detects within a few hundred cases.
constexpr std::array<std::string_view, 20> k_ids = {"one-node-that-fits-is-not-enough",
                                                    "no-node-is-no-error",
                                                    "excluded-nodes-are-dry-run",
                                                    "nominated-pods-are-invisible",
                                                    "never-is-ignored",
                                                    "start-does-not-order-victims",
                                                    "unstarted-pods-keep-their-order",
                                                    "reprieve-ends-at-the-first-victim",
                                                    "victims-in-two-groups",
                                                    "disrupted-pods-are-charged",
                                                    "reprieved-violations-count",
                                                    "violations-do-not-decide",
                                                    "victims-are-not-counted",
                                                    "start-does-not-decide",
                                                    "lower-nominations-stay",
                                                    "nomination-outlives-its-node",
                                                    "message-without-preemption",
                                                    "message-counts-reasons",
                                                    "excluded-nodes-give-reasons",
                                                    "claims-go-unsaid"};

/// The clause that the campaign names for the first case that shows a fault.
std::string named_for(const Fault& fault) {
  const fuzz::Scenarios scenarios = scenarios_of(fault);
  const std::set<std::string> features = {"core", "filter", "dryRun", "nomination", "message"};
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Question drawn = fuzz::numbered_scenario(scenarios, 1, number);
    const Decision ours = fuzz::decide(oracle::reference_decider(), drawn, scenarios.release);
    const FaultOn on(fault);
    const Decision theirs = fuzz::decide(faulty_decider(), drawn, scenarios.release);
    if (theirs == ours || theirs.outcome == Outcome::skipped) continue;
    const Question question =
        kubernetes::read_question_text(kubernetes::written(drawn).dump(), "question").value();
    const oracle::Json given = oracle::answer_of(question.cluster, theirs);
    const fuzz::Verdict verdict = judge({oracle::answer_of(question.cluster, ours)}, {given},
                                        scenarios.release, fuzz::LeftAnswers::wholly, features);
    if (verdict.judgement != fuzz::Judgement::differ) continue;
    return oracle::broken_rule(question, scenarios.release, scenarios.release, given, verdict.differences)
        .clause;
  }
  return "none is found";
}

}  // namespace

TEST(NamedClause, IsThatOfTheSeededFault) {
  std::size_t right = 0;
  std::string others;
  for (const Fault& fault : faults()) {
    if (std::find(k_ids.begin(), k_ids.end(), fault.id) == k_ids.end()) continue;
    const std::string named = named_for(fault);
    if (named == fault.clause) {
      ++right;
    } else {
      others += std::string(fault.id) + ", " + std::string(fault.clause) + ": " + named + "\n";
    }
  }
  // The first case that shows a fault may show it through another clause.
  EXPECT_GE(right, k_ids.size() - 2) << others;
}

}  // namespace touchstone::faults
