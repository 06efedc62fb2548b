#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/compare/comparison.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Which rule an answer breaks.
namespace touchstone::oracle {

struct Broken {
  std::string clause;  ///< an id of spec/clauses; "not modelled: ..." where the reference has no answer
  /// The change of behaviour that explains the answer: the reference with this one row of the release table
  /// more or less gives it. None: the clause is that of the step from which the answer departs.
  const Change* change = nullptr;

  bool operator==(const Broken&) const = default;
};

/// "without "victims_sorted_again: yes"": what the reference would have to be, to answer so; empty for none.
std::string explanation_of(const Broken& broken, const Release& release);

/// The rule that an answer breaks. A row of the release table that gives the answer is taken if it lies
/// between `release` and the release that `given` is of, or if its decision departs from the reference's
/// where the answer does. Else the rule is that of the step from which the answer departs. What the answer
/// leaves out is not compared. Requires: at least one difference of `given` from an answer to `question` for
/// `release`.
Broken broken_rule(const Question& question, const Release& release, const Release& given_release,
                   const Json& given, const std::vector<Difference>& differences);

/// Whether an answer breaks this rule, as broken_rule() found it for a larger question, whatever other row
/// may give the answer too. Requires: the same, and a rule that is modelled.
bool breaks(const Broken& broken, const Question& question, const Release& release,
            const Release& given_release, const Json& given, const std::vector<Difference>& differences);

/// Whether a release may give an answer, by what the answer says. None: the question needs what is not
/// modelled.
std::optional<bool> may_give(const Question& question, const Release& release, const Json& given);

}  // namespace touchstone::oracle
