#pragma once

#include <set>
#include <string>

#include "proofs/engine/explorer.hpp"

namespace proving {

/// What a body over int64_t does with the numbers of a model.
struct Replayed {
  std::set<std::string> refuted;    ///< claims that do not hold
  std::set<std::string> witnessed;  ///< witnesses that are there
  std::string observed;
  std::string failure;  ///< not empty: an assumption does not hold, or a number is missing
};

Replayed replay(const Body& body, const Model& model);

}  // namespace proving
