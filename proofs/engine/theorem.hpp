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
  std::string name;                  ///< "victims-have-lower-priority"
  std::vector<std::string> clauses;  ///< the first is its main subject
  std::string statement;             ///< with the sizes for which it is proved
  std::vector<std::string>
      variants;            ///< seeded faults, with each of which the theorem must be refuted (exhibit: none)
  std::string without;  ///< instead of faults: the label of an assumption without which it must be refuted
  Body body;
  Body broken = nullptr;  ///< instead of both: a body whose claim is too strong, which must be refuted
  Tier tier = Tier::quick;
  Kind kind = Kind::holds;
  bool checks_overflow = false;
};

using Theorems = std::vector<Theorem>;

}  // namespace proving
