#include "oracle/vectors.hpp"

#include <gtest/gtest.h>

#include "kubernetes/question.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/builder.hpp"

/// The optimized engine gives the answers of running releases, and of worked examples, with which the
/// reference agrees.
namespace touchstone::tests {

TEST(OptimizedVectors, AreAnsweredAsByTheReferenceAndNoneIsSkipped) {
  constexpr std::size_t k_answers_least = 36'000;
  optimized::Workers workers(1);
  std::size_t answers = 0;
  const std::vector<oracle::VectorFile> files = oracle::read_vectors("spec/vectors").value();
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      const Question question = kubernetes::read_question_text(each.question.dump(), each.name).value();
      for (const auto& [version, recorded] : each.answers) {
        const Release asked = release(version);
        const optimized::Answer answer = optimized_answer(question, asked, workers);
        ASSERT_NE(answer.outcome, Outcome::skipped) << each.name << " " << version << ": " << answer.reason;
        ASSERT_EQ(difference(question, asked, answer, reference_decision(question, asked)), "") << each.name;
        ++answers;
      }
    }
  }
  EXPECT_GT(answers, k_answers_least);
}

}  // namespace touchstone::tests
