#include "proofs/prove.hpp"

#include <gtest/gtest.h>

#include <set>

#include "faults/fault.hpp"
#include "proofs/second_solver.hpp"
#include "tests/support/files.hpp"

/// What makes a theorem red, each cause planted here, and what every theorem must have.
namespace touchstone::proofs {

namespace {

using proving::Body;
using proving::Integer;
using proving::Proof;

const std::atomic<bool> k_never = false;

/// A theorem whose builds differ as a test needs. Its broken variant lacks an assumption.
Versions versions_of(const Body& symbolic, const Body& product) {
  const auto theorem = [](const Body& body) {
    return proving::Theorem{.name = "planted",
                            .clauses = {"PRE-NODE-6"},
                            .statement = "Planted.",
                            .without = "x is positive",
                            .body = body};
  };
  return {theorem(symbolic), theorem(symbolic), theorem(product), theorem(product)};
}

template <typename Quantity>
void sound(Proof& proof) {
  const Quantity x = proof.number<Quantity>("x");
  proof.assume("x is positive", x > Quantity(0));
  proof.observe(x > Quantity(5) ? "large" : "small");
  proof.claim("x is not negative", x >= Quantity(0));
  proof.witness("x is 7", x == Quantity(7));
}

std::vector<std::string> red_of(const Versions& versions, const std::filesystem::path& dump = {}) {
  return check(versions, {dump, true, 1}, k_never).red;
}

}  // namespace

TEST(Prove, IsGreenWhereAllIsAsItShouldBe) {
  const Proved proved = check(versions_of(sound<Integer>, sound<std::int64_t>), {{}, false, 1}, k_never);
  EXPECT_EQ(proved.red, std::vector<std::string>{});
  EXPECT_EQ(proved.replayed, 2u);
  ASSERT_EQ(proved.variants.size(), 1u);
  EXPECT_EQ(proved.variants[0].refutation.claim, "x is not negative");
}

TEST(Prove, IsRedWhereTheProductObservesSomethingElse) {
  const Body product = [](Proof& proof) {
    const std::int64_t x = proof.number<std::int64_t>("x");
    proof.observe(x > 6 ? "large" : "small");
    proof.claim("x is not negative", x >= 0);
    proof.witness("x is 7", x == 7);
  };
  const std::vector<std::string> red = red_of(versions_of(sound<Integer>, product));
  ASSERT_EQ(red.size(), 1u);
  EXPECT_EQ(red[0].substr(0, 20), "the product differs:");
}

TEST(Prove, IsRedWhereAClaimIsFalse) {
  const auto body = []<typename Quantity>(Proof& proof, Quantity) {
    sound<Quantity>(proof);
    proof.claim("y is 3", proof.number<Quantity>("y") == Quantity(3));
  };
  const std::vector<std::string> red = red_of(versions_of(
      [&](Proof& proof) { body(proof, Integer()); }, [&](Proof& proof) { body(proof, std::int64_t()); }));
  ASSERT_FALSE(red.empty());
  EXPECT_EQ(red[0].substr(0, 14), "the product re");
}

TEST(Prove, IsRedWithoutAWitness) {
  const auto body = []<typename Quantity>(Proof& proof, Quantity) {
    const Quantity x = proof.number<Quantity>("x");
    proof.assume("x is positive", x > Quantity(0));
    proof.claim("x is not negative", x >= Quantity(0));
  };
  EXPECT_EQ(red_of(versions_of([&](Proof& proof) { body(proof, Integer()); },
                               [&](Proof& proof) { body(proof, std::int64_t()); })),
            std::vector<std::string>{"no witness"});
}

TEST(Prove, IsRedWhereTheBrokenVariantIsNotRefuted) {
  Versions versions = versions_of(sound<Integer>, sound<std::int64_t>);
  versions.symbolic.without = "some other assumption";
  EXPECT_EQ(red_of(versions), std::vector<std::string>{"broken variant is not refuted"});
}

TEST(Prove, IsRedWithoutABrokenVariant) {
  Versions versions = versions_of(sound<Integer>, sound<std::int64_t>);
  versions.symbolic.without.clear();
  EXPECT_EQ(red_of(versions), std::vector<std::string>{"no broken variant"});
}

TEST(Prove, IsRedWhereAnExhibitHolds) {
  Versions versions = versions_of(sound<Integer>, sound<std::int64_t>);
  versions.symbolic.kind = proving::Kind::exhibit;
  EXPECT_EQ(red_of(versions), std::vector<std::string>{"an exhibit that is not there: the claim holds"});
}

TEST(Prove, AsksTheSecondSolverEveryQuestion) {
  if (!has_second_solver()) GTEST_SKIP() << "cvc5 is not installed";
  const tests::TemporaryDirectory dir;
  const Proved proved =
      check(versions_of(sound<Integer>, sound<std::int64_t>), {dir.path(), true, 1}, k_never);
  EXPECT_EQ(proved.red, std::vector<std::string>{});
  EXPECT_EQ(proved.second_solver, proved.findings.unsatisfiable);
  EXPECT_GT(*proved.second_solver, 0u);
}

TEST(Prove, SecondSolverFindsADisagreement) {
  if (!has_second_solver()) GTEST_SKIP() << "cvc5 is not installed";
  const tests::TemporaryDirectory dir;
  const std::string file = dir.write(
      "q.smt2",
      "(set-logic QF_LIA)\n(declare-const x Int)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n");
  EXPECT_EQ(second_opinion(file).disagreed, 1u);
  // Dumps use linear arithmetic only: a product of unknowns cannot come from a proof.
  dir.write("q.smt2", "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (= (* x x) 6))\n(check-sat)\n");
  EXPECT_FALSE(second_opinion(file).failure.empty());
}

TEST(Theorems, HaveNamesOfTheirOwnAndFaultsThatExist) {
  std::set<std::string> names;
  std::set<std::string_view> faults;
  for (const faults::Fault& fault : faults::faults()) faults.insert(fault.id);
  for (const Statement& statement : statements()) {
    EXPECT_TRUE(names.insert(statement.name).second) << statement.name;
    EXPECT_FALSE(statement.clauses.empty()) << statement.name;
    for (const std::string& variant : statement.variants)
      EXPECT_TRUE(faults.contains(variant)) << statement.name;
    const bool has_variant =
        !statement.variants.empty() || !statement.without.empty() || statement.has_broken_claim;
    EXPECT_EQ(has_variant, statement.kind == proving::Kind::holds) << statement.name;
  }
}

}  // namespace touchstone::proofs
