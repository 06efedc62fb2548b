#include "oracle/attribution.hpp"

#include <gtest/gtest.h>

#include "oracle/engines.hpp"
#include "tests/support/any_question.hpp"

/// Attribution asks releases that never were: one row of the table more, or one less.
namespace touchstone::oracle {

TEST(Attribution, AsksReleasesThatNeverWereWithoutACrash) {
  constexpr std::uint64_t k_cases = 4;
  std::size_t changed = 0;
  for (const std::string& epoch : tests::k_epochs) {
    const Release asked = tests::release(epoch);
    const fuzz::Scenarios scenarios = tests::small_scenarios(asked, 3, 3);
    for (std::uint64_t i = 0; i < k_cases; ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, 17, i);
      const Decision decision = reference_decision(question, asked);
      for (const Change& change : release_table())
        changed += reference_decision(question, with_toggled(asked, change)) != decision;
    }
  }
  EXPECT_GT(changed, 300u);  // a row decides something
}

}  // namespace touchstone::oracle
