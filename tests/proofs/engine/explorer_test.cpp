#include "proofs/engine/explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "proofs/engine/replay.hpp"

/// The exploration engine: what it visits, what it leaves out, and that it never takes an unproved claim for
/// proved.
namespace proving {

namespace {

Findings explored(const Body& body, Settings settings = {}) {
  settings.is_exhaustive = true;
  return explore(body, settings);
}

/// Sorts three numbers from 0 to 2 by comparisons, and observes their order.
template <typename Quantity>
void sort_three(Proof& proof) {
  std::vector<std::pair<Quantity, int>> numbers;
  for (int i = 0; i < 3; ++i) {
    const Quantity number = proof.number<Quantity>("x" + std::to_string(i));
    proof.assume("small", both(number >= Quantity(0), number <= Quantity(2)));
    numbers.emplace_back(number, i);
  }
  std::stable_sort(numbers.begin(), numbers.end(),
                   [](const auto& a, const auto& b) -> bool { return a.first < b.first; });
  std::string order;
  for (const auto& [number, i] : numbers) order += std::to_string(i);
  proof.observe(order);
  for (std::size_t i = 1; i < 3; ++i) proof.claim("sorted", numbers[i - 1].first <= numbers[i].first);
}

}  // namespace

TEST(Explorer, VisitsExactlyThePathsOfBruteForce) {
  std::set<std::string> found;
  Settings settings;
  settings.on_path = [&found](const Model&, const std::string& observed) { found.insert(observed); };
  const Findings findings = explored(sort_three<Integer>, settings);
  EXPECT_TRUE(findings.holds()) << findings.failure;

  std::set<std::string> truth;
  for (std::int64_t n = 0; n < 27; ++n)
    truth.insert(
        replay(sort_three<std::int64_t>, {{{"x0", n % 3}, {"x1", n / 3 % 3}, {"x2", n / 9}}}).observed);
  EXPECT_EQ(found, truth);
  EXPECT_EQ(findings.paths, 6u);  // stable: one path for each order
}

TEST(Explorer, CountsAKnownNumberOfPaths) {
  const Findings findings = explored([](Proof& proof) {
    for (int i = 0; i < 5; ++i) {
      if (proof.number<Integer>(std::to_string(i)) < Integer(0)) continue;
    }
  });
  EXPECT_EQ(findings.paths, 32u);
  EXPECT_EQ(findings.prunings, 0u);
}

TEST(Explorer, DoesNotTakeAnInfeasibleBranch) {
  bool was_there = false;
  const Findings findings = explored([&was_there](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    const Integer y = proof.number<Integer>("y");
    if (x < y && y < x) was_there = true;
  });
  EXPECT_FALSE(was_there);
  EXPECT_EQ(findings.paths, 2u);
  EXPECT_EQ(findings.prunings, 1u);
}

TEST(Explorer, FindsAPlantedBugWithTheSmallestNumbers) {
  const auto body = []<typename Quantity>(Proof& proof, Quantity) {
    const Quantity x = proof.number<Quantity>("x");
    const Quantity y = proof.number<Quantity>("y");
    const Quantity larger = x > y + Quantity(40) ? x : y;  // planted: + 40
    proof.claim("at least as large as x", larger >= x);
  };
  const Findings findings = explored([&](Proof& proof) { body(proof, Integer()); });
  ASSERT_EQ(findings.refutations.size(), 1u);
  const Model& model = findings.refutations[0].model;
  EXPECT_EQ(model.numbers, (std::vector<std::pair<std::string, std::int64_t>>{{"x", 0}, {"y", -1}}));
  const Replayed replayed = replay([&](Proof& proof) { body(proof, std::int64_t()); }, model);
  EXPECT_EQ(replayed.refuted.count("at least as large as x"), 1u);
}

TEST(Explorer, HoldsAClaimForAllIntegersNotOnlyThoseOf64Bits) {
  const Findings findings = explored([](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    proof.claim("a successor is larger", x + Integer(1) > x);
    proof.claim("it fits 64 bits", x <= std::numeric_limits<Integer>::max());
  });
  ASSERT_EQ(findings.refutations.size(), 1u);
  EXPECT_EQ(findings.refutations[0].claim, "it fits 64 bits");
  EXPECT_FALSE(findings.refutations[0].model.is_exact);
}

TEST(Explorer, TellsWhichAssumptionsWereUsed) {
  const Findings findings = explored([](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    const Integer y = proof.number<Integer>("y");
    proof.assume("x is positive", x > Integer(0));
    proof.assume("y is positive", y > Integer(0));
    proof.claim("x is not 0", x != Integer(0));
  });
  EXPECT_TRUE(findings.holds());
  EXPECT_EQ(findings.assumptions.size(), 2u);
  EXPECT_EQ(findings.used, std::set<std::string>{"x is positive"});
}

TEST(Explorer, IsRedWhereAWitnessIsMissing) {
  const Findings findings = explored([](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    proof.claim("at least itself", x >= x);
    proof.witness("it is not itself", x + Integer(1) == x);
  });
  EXPECT_EQ(findings.missing, std::set<std::string>{"it is not itself"});
  EXPECT_FALSE(findings.holds());
}

TEST(Explorer, IsRedWhereAssumptionsContradictEachOther) {
  const Findings findings = explored([](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    proof.assume("positive", x > Integer(0));
    proof.assume("below 1", x < Integer(1));
    proof.claim("whatever", x == Integer(7));
  });
  EXPECT_EQ(findings.failure, "no path meets the assumptions");
}

// Ten pigeons in nine holes: too much for this cost limit.
TEST(Explorer, IsRedWhereTheSolverGivesUp) {
  Settings settings;
  settings.rlimit = 10'000;
  const Findings findings = explore(
      [](Proof& proof) {
        std::vector<Integer> pigeons;
        Truth all_apart = true;
        for (int i = 0; i < 10; ++i) {
          const Integer hole = proof.number<Integer>(std::to_string(i));
          proof.assume("a hole", both(hole >= Integer(0), hole < Integer(9)));
          for (const Integer other : pigeons) all_apart = both(all_apart, hole != other);
          pigeons.push_back(hole);
        }
        proof.claim("two share a hole", negation(all_apart));
      },
      settings);
  EXPECT_FALSE(findings.holds());
  EXPECT_EQ(findings.failure, "unknown: two share a hole: canceled");
}

TEST(Explorer, IsRedWhereTheBodyIsNotDeterministic) {
  int runs = 0;
  const Findings findings = explored([&runs](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    if (x < Integer(++runs)) return;
  });
  EXPECT_EQ(findings.failure, "two runs of the body differ");
}

TEST(Explorer, IsRedBeyondTheLimitOfPaths) {
  Settings settings;
  settings.paths_most = 3;
  const Findings findings = explored(sort_three<Integer>, settings);
  EXPECT_FALSE(findings.holds());
}

TEST(Explorer, FindsNumbersThatDoNotFit64Bits) {
  Settings settings;
  settings.checks_overflow = true;
  const auto sum_of_two = [](std::int64_t most) {
    return [most](Proof& proof) {
      const Integer x = proof.number<Integer>("x");
      const Integer y = proof.number<Integer>("y");
      for (const Integer n : {x, y}) proof.assume("limits", both(n >= Integer(0), n <= Integer(most)));
      proof.witness("a sum", x + y > Integer(1));
    };
  };
  EXPECT_TRUE(explored(sum_of_two(std::int64_t{1} << 62), settings).refutations.size() == 1);
  EXPECT_TRUE(explored(sum_of_two((std::int64_t{1} << 62) - 1), settings).holds());
}

TEST(Explorer, EnumeratesANumberThatCodeWantsConcrete) {
  std::set<std::size_t> seen;
  const Findings findings = explored([&seen](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    proof.assume("few", both(x >= Integer(3), x <= Integer(5)));
    seen.insert(static_cast<std::size_t>(x));
  });
  EXPECT_EQ(seen, (std::set<std::size_t>{3, 4, 5}));
  EXPECT_EQ(findings.paths, 3u);
}

TEST(Explorer, WritesDownWhatAnotherSolverCanCheck) {
  std::ostringstream dump;
  Settings settings;
  settings.dump = &dump;
  const Findings findings = explored(sort_three<Integer>, settings);
  const std::string text = dump.str();
  std::size_t questions = 0;
  for (std::size_t at = 0; (at = text.find("(check-sat)", at)) != std::string::npos; ++at) ++questions;
  EXPECT_EQ(questions, findings.obligations + findings.prunings + 1);  // + 1: the paths are exhaustive
}

TEST(Integer, DividesAsCppDoes) {
  const Findings findings = explored([](Proof& proof) {
    const Integer x = proof.number<Integer>("x");
    const std::size_t which = proof.choose<Integer>("which", 2);
    proof.assume("seven", x == Integer(which == 0 ? 7 : -7));
    proof.claim("towards 0", x / Integer(2) == Integer(which == 0 ? 3 : -3));
  });
  EXPECT_TRUE(findings.holds()) << findings.failure;
}

// A quotient by any number is known exactly where scores end: up to 10, and at 99 and 100.
TEST(Integer, KnowsQuotientsByTermsUpTo10AndAround100) {
  const Findings findings = explore(
      [](Proof& proof) {
        const Integer a = proof.number<Integer>("a");
        const Integer b = proof.number<Integer>("b");
        proof.assume("a positive divisor", b > Integer(0));
        const Integer quotient = a / b;
        for (const int k : {0, 7, 10, 100}) {
          const Truth is_at_least = a >= b * Integer(k);
          proof.claim("exact", either(a < Integer(0), implies(quotient >= Integer(k), is_at_least)));
          proof.claim("exact, too", implies(is_at_least, quotient >= Integer(k)));
        }
        proof.claim("towards 0", implies(both(a < Integer(0), Integer(0) - a < b), quotient == Integer(0)));
        proof.claim("below 0", implies(a < Integer(0), quotient <= Integer(0)));
        proof.witness("a negative quotient", quotient == Integer(-3));
      },
      {});
  EXPECT_TRUE(findings.holds()) << findings.failure;
}

TEST(Integer, HasTheLimitsOfTheProduct) {
  EXPECT_TRUE(std::numeric_limits<Integer>::max() == Integer(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(std::numeric_limits<Integer>::min() == Integer(std::numeric_limits<std::int64_t>::min()));
  static_assert(std::is_trivially_copyable_v<Integer>);
}

}  // namespace proving
