#pragma once

#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"

namespace proving {

/// Whether a theorem is checked by every ./check, or only where all are.
enum class Tier { quick, full };

/// What is expected of the claims of a body: that they hold, or, of an exhibit, that numbers refute them.
enum class Kind { holds, exhibit };

struct Theorem {
  std::string name;                  ///< "victims-have-lower-priority"
  std::vector<std::string> clauses;  ///< the first is the one that it is about
  std::string statement;             ///< with its bound
  std::vector<std::string>
      twins;            ///< seeded faults, with each of which it must be refuted; of an exhibit none
  std::string without;  ///< instead of a fault: the label of an assumption without which it must be
  Body body;
  Body broken = nullptr;  ///< instead of these: a claim that says too much
  Tier tier = Tier::quick;
  Kind kind = Kind::holds;
  bool checks_overflow = false;
};

using Theorems = std::vector<Theorem>;

}  // namespace proving
