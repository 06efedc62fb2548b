#include <gtest/gtest.h>

#include "fuzz/generate/changing.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"

/// A snapshot that is changed step by step gives the same answers as one that is built from the changed
/// cluster.
namespace touchstone::tests {

TEST(Snapshot, ChangedStepByStepAnswersAsOneBuiltAnew) {
  constexpr int k_questions = 70;
  constexpr int k_changes = 25;
  optimized::Workers workers(1);
  std::map<std::string, std::size_t> nominated_after;
  for (const std::string& epoch : k_distinct_releases) {
    const Release asked = release(epoch);
    for (int i = 0; i < k_questions; ++i) {
      SeededChoices choices(static_cast<std::uint64_t>(i));
      fuzz::MutableCluster changing(fuzz::scenario(choices, small_scenarios(asked, 5, 5)), asked);
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

// Pods with different labels have different classes. bytes() counts each class and its key.
TEST(Snapshot, SaysWhatClassesOfPodsTake) {
  constexpr std::size_t k_pods = 200;
  const auto bytes_with = [](bool alike) {
    QuestionBuilder builder;
    builder.node("n1", 1000);
    for (std::size_t i = 0; i < k_pods; ++i) {
      Pod made = pod("a" + std::to_string(100 + i), 0, 1);
      made.labels["app"] = alike ? "app-100" : "app-" + std::to_string(100 + i);
      builder.has(made);
    }
    return optimized::Snapshot(builder.asks(pod("p", 10, 1)).cluster, release("v1.34")).bytes();
  };
  constexpr std::size_t k_key_least = 64;
  EXPECT_GT(bytes_with(false), bytes_with(true) + (k_pods - 1) * (sizeof(optimized::PodClass) + k_key_least));
}

}  // namespace touchstone::tests
