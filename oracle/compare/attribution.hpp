#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/compare/asked.hpp"
#include "oracle/compare/comparison.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Finds the rule that an answer breaks.
namespace touchstone::oracle {

/// A broken rule.
struct BrokenRule {
  std::string clause;  ///< an id of spec/clauses; "not modelled: ..." if the reference has no answer
  /// The change of behaviour that explains the answer: with this one row of the release table toggled, the
  /// reference gives the answer. Null: `clause` is that of the first step at which the answer differs.
  const Change* change = nullptr;

  bool operator==(const BrokenRule&) const = default;
};

/// The change that lets the reference give the answer, such as "without "victims_sorted_again: yes"". Empty
/// if there is none.
std::string explanation_of(const BrokenRule& broken, const Release& release);

/// The rule that an answer breaks. First looks for a row of the release table that explains the answer. Such
/// a row gives the answer when toggled. It also lies between `release` and `given_release`, or its decision
/// first differs from the reference's where the answer does. If there is no such row, the rule is that of the
/// step at which the answer differs. Parts that the answer leaves out are not compared. `release` is without
/// the configuration of the question; so it is below. Requires: `given` has at least one difference from an
/// answer to the question for `release`.
BrokenRule broken_rule(const Asked& asked, const Release& release, const Release& given_release,
                       const Json& given, const std::vector<Difference>& differences);

/// Other rules that the answer may break instead: each row of the release table that gives the answer when
/// toggled, one for each clause but that of `broken`. The likeliest comes first; there are at most three.
/// Empty if the release itself may give the answer, or if the question is not modelled. Requires: as
/// broken_rule().
std::vector<BrokenRule> other_rules(const BrokenRule& broken, const Asked& asked, const Release& release,
                                    const Release& given_release, const Json& given);

/// Whether an answer breaks this rule, which broken_rule() found for a larger question. Other rows may give
/// the answer too. Requires: as broken_rule(), and the rule is modelled.
bool breaks(const BrokenRule& broken, const Asked& asked, const Release& release,
            const Release& given_release, const Json& given, const std::vector<Difference>& differences);

/// Whether a release may give an answer, judged by the parts that the answer has. None: the question needs a
/// feature that is not modelled, or the answer is no decision, such as verdicts on nodes.
std::optional<bool> may_give(const Asked& asked, const Release& release, const Json& given);

}  // namespace touchstone::oracle
