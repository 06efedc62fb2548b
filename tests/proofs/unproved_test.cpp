#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "faults/fault.hpp"
#include "proofs/prove.hpp"
#include "spec/rules/rules.hpp"

/// Every clause has a theorem, a property, or a reason why it has neither. Every seeded fault refutes a
/// theorem, or has a reason why it does not.
namespace touchstone::proofs {

namespace {

std::set<std::string_view> refuted_faults() {
  std::set<std::string_view> refuted;
  for (const Statement& statement : statements())
    refuted.insert(statement.variants.begin(), statement.variants.end());
  return refuted;
}

std::set<std::string_view> excused_faults() {
  std::set<std::string_view> excused;
  for (const Unproved& reason : unproved()) excused.insert(reason.faults.begin(), reason.faults.end());
  return excused;
}

const Rule& rule_of(std::string_view clause) {
  return *std::find_if(rules().begin(), rules().end(),
                       [clause](const Rule& rule) { return rule.id == clause; });
}

}  // namespace

TEST(Clauses, HaveATheoremOrAPropertyOrAReason) {
  for (const Rule& rule : rules()) {
    const bool is_shown = !rule.theorems.empty() || !rule.properties.empty();
    EXPECT_NE(is_shown, !rule.unproved.empty()) << rule.id;
  }
}

TEST(Clauses, OfReasonsAreThere) {
  std::set<std::string_view> names;
  for (const Unproved& reason : unproved()) {
    EXPECT_TRUE(names.insert(reason.name).second) << reason.name;
    EXPECT_GT(reason.reason.size(), 40u) << reason.name;
    for (const std::string_view clause : reason.clauses)
      EXPECT_TRUE(std::any_of(rules().begin(), rules().end(), [&](const Rule& rule) {
        return rule.id == clause;
      })) << clause;
  }
}

TEST(SeededFaults, AreRefutedByATheoremOrExcused) {
  const std::set<std::string_view> refuted = refuted_faults();
  const std::set<std::string_view> excused = excused_faults();
  for (const faults::Fault& fault : faults::faults()) {
    if (fault.id == faults::k_identity || fault.id == faults::k_canary) continue;
    const bool is_excused = excused.contains(fault.id) || !rule_of(fault.clause).unproved.empty();
    EXPECT_NE(refuted.contains(fault.id), is_excused) << fault.id << " of " << fault.clause;
  }
}

TEST(SeededFaults, ThatAreExcusedAreThere) {
  for (const std::string_view id : excused_faults()) {
    EXPECT_TRUE(std::any_of(faults::faults().begin(), faults::faults().end(),
                            [id](const faults::Fault& fault) { return fault.id == id; }))
        << id;
  }
}

}  // namespace touchstone::proofs
