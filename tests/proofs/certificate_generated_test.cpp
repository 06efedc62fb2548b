#include <gtest/gtest.h>

#include <map>

#include "proofs/certificate.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// Certificates of generated clusters, for every epoch of releases. Certificates share only facts with the
/// reference, and must agree with it on every decision.
namespace touchstone::proofs {

namespace {

constexpr std::uint64_t k_seed = 20261122;

/// Scenarios of every family whose filters look at no other pod, except for resources and host ports.
fuzz::Scenarios scenarios_in_reach(const Release& release) {
  fuzz::Scenarios scenarios = tests::small_scenarios(release, 5, 4);
  using enum fuzz::Family;
  for (const fuzz::Family family :
       {affinity, anti_affinity, spread, rwop, disks, attach_limits, volume_zones, volume_binding})
    scenarios.families.erase(family);
  return scenarios;
}

std::string said(const Certificate& certificate) {
  std::string text = certificate.detail + certificate.reason;
  if (!certificate.obligations.empty())
    text += " " + certificate.obligations.back().clause + ": " + certificate.obligations.back().what;
  return text;
}

/// The decision that chooses this candidate.
GivenDecision taken(const Decision& decision, std::size_t candidate) {
  Decision other = decision;
  other.chosen = candidate;
  return given_decision(other);
}

}  // namespace

TEST(GeneratedCertificates, AreGivenWhereTheReferenceDecides) {
  std::map<Outcome, std::size_t> outcomes;
  for (const std::string& epoch : tests::k_distinct_releases) {
    const fuzz::Scenarios scenarios = scenarios_in_reach(tests::release(epoch));
    for (std::uint64_t i = 0; i < tests::scaled(8); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed + 3, i);
      const Decision decision = tests::decide(question, scenarios.release);
      const Certificate certificate = certify(question, scenarios.release, given_decision(decision), nullptr);
      const bool errs_before = decision.outcome == Outcome::error && !question.cluster.nodes.empty();
      if (errs_before) continue;  // pins that no node has
      ASSERT_EQ(certificate.verdict, Verdict::certified) << said(certificate) << "\n"
                                                         << tests::text_of(question, scenarios.release);
      ++outcomes[decision.outcome];
    }
  }
  EXPECT_GT(outcomes[Outcome::nominated], 50u);
  EXPECT_GT(outcomes[Outcome::none], 15u);
  EXPECT_GT(outcomes[Outcome::ineligible], 0u);
  EXPECT_GT(outcomes[Outcome::fits], 0u);
}

TEST(GeneratedCertificates, AreGivenToNoCandidateThatLoses) {
  std::size_t ties = 0;
  std::map<std::string, std::size_t> refuting;
  for (const std::string& epoch : tests::k_distinct_releases) {
    const fuzz::Scenarios scenarios = scenarios_in_reach(tests::release(epoch));
    for (std::uint64_t i = 0; i < tests::scaled(4); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed + 1, i);
      const Decision decision = tests::decide(question, scenarios.release);
      if (decision.outcome != Outcome::nominated) continue;
      for (std::size_t k = 0; k < decision.candidates.size(); ++k) {
        const std::vector<std::size_t>& best = decision.admissible;
        const bool is_best = std::find(best.begin(), best.end(), k) != best.end();
        const Certificate certificate = certify(question, scenarios.release, taken(decision, k), nullptr);
        ASSERT_EQ(certificate.verdict, is_best ? Verdict::certified : Verdict::refuted)
            << said(certificate) << "\n"
            << tests::text_of(question, scenarios.release);
        ties += is_best && best.size() > 1;
        if (is_best) continue;
        ++refuting[certificate.obligations.back().clause];
        const auto is_the_better = [&](std::size_t each) {
          return taken(decision, each) == *certificate.better;
        };
        EXPECT_TRUE(std::any_of(best.begin(), best.end(), is_the_better)) << said(certificate);
      }
    }
  }
  EXPECT_GT(ties, 0u);
  for (const auto& [clause, count] : refuting) EXPECT_TRUE(clause.starts_with("PRE-NODE-")) << clause;
  EXPECT_GT(refuting.size(), 2u);
}

/// One victim less, one victim more, and the victims in another order.
TEST(GeneratedCertificates, AreGivenToNoOtherVictims) {
  std::map<std::string, std::size_t> refuting;
  for (const std::string& epoch : tests::k_distinct_releases) {
    const fuzz::Scenarios scenarios = scenarios_in_reach(tests::release(epoch));
    for (std::uint64_t i = 0; i < tests::scaled(2); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed + 2, i);
      const Decision decision = tests::decide(question, scenarios.release);
      if (decision.outcome != Outcome::nominated) continue;
      const GivenDecision right = given_decision(decision);
      std::vector<GivenDecision> wrong(1, right);
      wrong[0].victims.pop_back();
      if (right.victims.size() > 1) {
        wrong.push_back(right);
        std::swap(wrong.back().victims.front(), wrong.back().victims.back());
      }
      for (PodIndex k = 0; k < question.cluster.pods.size(); ++k) {
        const auto& victims = right.victims;
        if (std::find(victims.begin(), victims.end(), k) != victims.end()) continue;
        wrong.push_back(right);
        wrong.back().victims.push_back(k);
      }
      for (const GivenDecision& given : wrong) {
        const Certificate certificate = certify(question, scenarios.release, given, nullptr);
        ASSERT_EQ(certificate.verdict, Verdict::refuted) << tests::text_of(question, scenarios.release);
        ++refuting[certificate.obligations.back().clause];
      }
    }
  }
  for (const char* clause : {"PRE-VICTIM-1", "PRE-VICTIM-3", "PRE-VICTIM-6", "PRE-VICTIM-7"})
    EXPECT_GT(refuting[clause], 2u) << clause;
}

}  // namespace touchstone::proofs
