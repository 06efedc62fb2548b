#pragma once

#include <cstddef>
#include <functional>

#include "oracle/protocol.hpp"

/// Makes the smallest question that still shows what was found.
namespace touchstone::fuzz {

using oracle::Json;

/// Whether a question still shows what is looked for. Requires: deterministic; takes any JSON object.
using StillShows = std::function<bool(const Json& question)>;

struct Shrunk {
  Json question;
  std::size_t asked = 0;  ///< how often `still_shows` was asked
  bool minimal = false;   ///< no single move is left that keeps it; false: the limit came first
};

/// Shrinks a question of spec/protocol.md (no cmd, seq) while `still_shows` holds.
/// Requires: still_shows(question). Ensures: still_shows(result); deterministic; asks at most `limit` times.
Shrunk shrink(Json question, const StillShows& still_shows, std::size_t limit);

}  // namespace touchstone::fuzz
