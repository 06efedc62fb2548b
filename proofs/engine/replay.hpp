#pragma once

#include <set>
#include <string>
#include <string_view>

#include "proofs/engine/explorer.hpp"

namespace proving {

/// What a body over int64_t does with the numbers of a model.
struct Replayed {
  std::set<std::string> refuted;    ///< claims that do not hold
  std::set<std::string> witnessed;  ///< witnesses that are there
  std::string observed;
  std::string failure;  ///< not empty: an assumption does not hold, or a number is missing
};

/// `without`: the label of an assumption that need not hold.
Replayed replay(const Body& body, const Model& model, std::string_view without = "");

}  // namespace proving
