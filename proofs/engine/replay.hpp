#pragma once

#include <set>
#include <string>
#include <string_view>

#include "proofs/engine/explorer.hpp"

namespace proving {

/// The result of a body that ran over int64_t with the numbers of a model.
struct Replayed {
  std::set<std::string> refuted;    ///< claims that do not hold
  std::set<std::string> witnessed;  ///< witnesses that hold
  std::string observed;
  std::string failure;  ///< not empty: an assumption does not hold, or the body threw
};

/// Runs a body over int64_t with the numbers of a model. A number that the model lacks is 0. The assumption
/// whose label is `without` is not checked.
Replayed replay(const Body& body, const Model& model, std::string_view without = "");

}  // namespace proving
