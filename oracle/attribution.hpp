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
  /// What change of behaviour explains the answer wholly: the reference with this one row of the release
  /// table more or less gives it. Empty: none does.
  std::string explained_by = {};
};

/// The clause that an answer breaks. Requires: at least one difference of `given` from an answer to
/// `question` for `release`.
Broken broken_rule(const Question& question, const Release& release, const Json& given,
                   const std::vector<Difference>& differences);

}  // namespace touchstone::oracle
