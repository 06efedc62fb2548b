#include <gtest/gtest.h>

#include "fuzz/changing.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"

/// A snapshot that is changed step by step answers as one that is built of the changed cluster.
namespace touchstone::tests {

TEST(Snapshot, ChangedStepByStepAnswersAsOneBuiltAnew) {
  constexpr int k_questions = 70;
  constexpr int k_changes = 25;
  optimized::Workers workers(1);
  std::map<std::string, std::size_t> nominated_after;
  for (const std::string& epoch : k_epochs) {
    const Release asked = release(epoch);
    for (int i = 0; i < k_questions; ++i) {
      SeededChoices choices(static_cast<std::uint64_t>(i));
      fuzz::Changing changing(fuzz::scenario(choices, small_scenarios(asked, 5, 5)), asked);
      for (int step = 0; step < k_changes; ++step) {
        const std::string change = changing.change(choices);
        const optimized::Answer changed = changing.in_list_order(
            oracle::optimized_answer(changing.snapshot(), changing.question(), workers));
        const optimized::Answer rebuilt = oracle::optimized_answer(changing.question(), asked, workers);
        ASSERT_EQ(changed, rebuilt) << epoch << " " << i << " " << step << ": " << change << ": '"
                                    << changed.reason << "' and '" << rebuilt.reason << "'";
        if (changed.outcome == Outcome::nominated) ++nominated_after[change];
      }
    }
  }
  for (const char* change : {"preemptor changed", "pod removed", "pod removed and added", "pod changed",
                             "node removed", "node changed", "node removed and added", "PDB changed",
                             "PDB removed", "PDB removed and added", "namespace changed", "storage changed"})
    EXPECT_GT(nominated_after[change], 20u) << change;
}

}  // namespace touchstone::tests
