#include <algorithm>

#include "fuzz/targets/target.hpp"
#include "reference/preemption/preempt.hpp"

namespace {

using namespace touchstone;

constexpr std::size_t k_any_order_limit = 2000;  ///< beyond it the law is not checked
constexpr std::size_t k_ties_limit = 1000;       ///< more than there are nodes

Decision decide(const fuzz::Case& asked, Choices& choices) {
  Trace trace = Trace::none();
  return reference::preempt(asked.question, asked.release, choices, trace);
}

/// Checks that the alternatives of the last tie are the `admissible` answers, and that nothing else depends
/// on a choice.
void check_ties(const fuzz::Case& asked, const Decision& canonical) {
  constexpr std::string_view k_law = "every choice takes one of `admissible`, and each of them is taken once";
  std::vector<std::size_t> chosen;
  const bool all = explore(
      [&](Choices& choices) {
        const Decision decision = decide(asked, choices);
        if (decision.candidates != canonical.candidates || decision.admissible != canonical.admissible)
          fuzz::broken(k_law, "another choice gives other candidates", asked);
        chosen.push_back(decision.chosen);
      },
      k_ties_limit);
  if (!all) fuzz::broken(k_law, "there are more choices than nodes", asked);
  if (chosen.empty() || chosen.front() != canonical.chosen)
    fuzz::broken(k_law, "the canonical choice is not the first", asked);
  if (chosen != canonical.admissible)
    fuzz::broken(k_law,
                 std::to_string(chosen.size()) + " choices for " +
                     std::to_string(canonical.admissible.size()) + " admissible answers",
                 asked);
}

/// Checks that an answer that is admissible in the given list order is an answer of AnyOrder.
void check_any_order(const fuzz::Case& asked, const Decision& canonical) {
  const AnyOrder any_order = reference::any_order(asked.question, asked.release, k_any_order_limit);
  if (!any_order.unknown.empty()) return;
  for (const std::size_t i : canonical.admissible) {
    Candidate answer = canonical.candidates[i];
    std::sort(answer.victims.begin(), answer.victims.end());
    if (std::find(any_order.answers.begin(), any_order.answers.end(), answer) == any_order.answers.end())
      fuzz::broken("`anyOrder` contains what is admissible",
                   "it lacks node " + asked.question.cluster.nodes[answer.node].name, asked);
  }
}

}  // namespace

/// Law: the canonical answer is one of the answers that the last tie allows, and those are among the answers
/// of any list order.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Case asked(data, size);
  CanonicalChoices first;
  const Decision canonical = decide(asked, first);
  if (canonical.outcome != Outcome::nominated) return 0;
  check_ties(asked, canonical);
  check_any_order(asked, canonical);
  return 0;
}
