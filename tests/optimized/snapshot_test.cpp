#include <gtest/gtest.h>

#include "fuzz/followed.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"

/// A snapshot that is changed step by step answers as one that is built of the changed cluster.
namespace touchstone::tests {

TEST(Snapshot, ChangedStepByStepAnswersAsOneBuiltAnew) {
  constexpr int k_questions = 40;
  constexpr int k_changes = 25;
  optimized::Workers workers(1);
  std::map<std::string, std::size_t> nominated_after;
  for (const std::string& epoch : k_epochs) {
    const Release asked = release(epoch);
    for (int i = 0; i < k_questions; ++i) {
      SeededChoices choices(static_cast<std::uint64_t>(i));
      const Question question = fuzz::scenario(choices, small_scenarios(asked, 5, 5));
      fuzz::Followed followed(question.cluster, asked);
      for (int step = 0; step < k_changes; ++step) {
        const std::string change = followed.change(choices);
        const auto [changed, rebuilt] = followed.ask(question.pod, workers);
        ASSERT_EQ(changed, rebuilt) << epoch << " " << i << " " << step << ": " << change << ": '"
                                    << changed.reason << "' and '" << rebuilt.reason << "'";
        if (changed.outcome == Outcome::nominated) ++nominated_after[change];
      }
    }
  }
  for (const char* change :
       {"pod removed", "pod added", "pod changed", "node removed", "node changed", "node removed and added",
        "PDB changed", "PDB removed and added", "storage changed"})
    EXPECT_GT(nominated_after[change], 20u) << change;
}

}  // namespace touchstone::tests
