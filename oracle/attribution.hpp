#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/comparison.hpp"
#include "spec/cluster.hpp"

/// Which rule an answer breaks.
namespace touchstone::oracle {

struct Broken {
  std::string clause;  ///< an id of spec/preemption.md; "not modelled: ..." where the reference has no answer
  /// The change of behaviour that explains the answer wholly: the reference with this one row of the release
  /// table more or less gives it. None: no single row does.
  const Change* change = nullptr;
};

/// "without "victims_sorted_again: yes"": what the reference would have to be, to answer so; empty for none.
std::string explanation_of(const Broken& broken, const Release& release);

/// Whether the reference with that row more or less gives an answer.
bool explains(const Change& change, const Question& question, const Release& release, const Json& given);

/// The clause that a difference is about, by what it shows and by the trace of the reference's answer,
/// whatever change may explain it. Requires: the question is modelled.
std::string clause_shown(const Question& question, const Release& release, const Difference& difference);

/// What of a question the reference does not model; empty: nothing.
std::string not_modelled_of(const Question& question, const Release& release);

/// The clause that an answer breaks. Of several rows of the release table that would explain it, one that
/// lies between `release` and the release that `given` is of is named before others. Requires: at least one
/// difference of `given` from an answer to `question` for `release`.
Broken broken_rule(const Question& question, const Release& release, const Release& given_release,
                   const Json& given, const std::vector<Difference>& differences);

}  // namespace touchstone::oracle
