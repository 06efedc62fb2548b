#pragma once

#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"

namespace proving {

/// Whether every ./check checks a theorem, or only a check of all theorems does.
enum class Tier { quick, full };

/// The expected result: all claims of the body hold, or (exhibit) some numbers refute one.
enum class Kind { holds, exhibit };

struct Theorem {
  std::string name;                       ///< "victims-have-lower-priority"
  std::vector<std::string> clauses = {};  ///< the first is its main subject
  std::string statement = {};             ///< with the sizes for which it is proved
  /// Seeded faults, with each of which the theorem must be refuted. An exhibit has none.
  std::vector<std::string> variants = {};
  /// Instead of faults: the label of an assumption without which the theorem must be refuted.
  std::string without = {};
  Body body = nullptr;
  /// Instead of both: a body whose claim is too strong, which must be refuted.
  Body broken = nullptr;
  Tier tier = Tier::quick;
  Kind kind = Kind::holds;
  bool checks_overflow = false;
};

using Theorems = std::vector<Theorem>;

}  // namespace proving
