#pragma once

#include <cstddef>
#include <functional>

#include "oracle/protocol/protocol.hpp"

/// Makes the smallest question that still shows what was found.
///
/// Every move makes a question smaller by the order of fuzz/shrink/question_size.hpp, or it is not made; so
/// it ends. The moves, from coarse to fine, again until none is left:
/// - drop: nodes with the pods on them; elements of the document's lists; then, level by level, what has the
///   same place in different objects (every pod's labels) and each alone. In halves, quarters, … and singly.
/// - drop a pod together with the room it takes, so that what fits exactly still does.
/// - move pods to another node and drop theirs; make an object like another of its list.
/// - lower numbers: all of a kind (to 0, to 1, to ranks, by their divisor), equal ones together, each alone,
/// and
///   two by as much, so that what fits exactly still does.
/// - make names equal, or the plainest.
/// What an API server serves with every object stays in every object (fuzz/shrink/served.hpp).
/// The moves know no kind of object but by the words that kinds share (metadata.name, nodeName, requests,
/// labels).
namespace touchstone::fuzz {

using oracle::Json;

/// Whether a question still shows what is looked for. Requires: deterministic; takes any JSON object; does
/// not throw.
using StillShows = std::function<bool(const Json& question)>;

struct Shrunk {
  Json question;
  std::size_t asked = 0;  ///< how often `still_shows` was asked, never twice for one text
  bool minimal =
      false;  ///< no single move is left that keeps it; false: the limit, or k_depth_max, came first
};

/// A question that is deeper is none of ours and stays as it is.
inline constexpr std::size_t k_depth_max = 100;

/// Shrinks a question of spec/protocol.md (no cmd, seq) while `still_shows` holds.
/// Requires: still_shows(question), which is not asked again. Ensures: still_shows(result); deterministic;
/// asks at most `limit` times; the result stays as it is when it is shrunk again, if it is minimal.
Shrunk shrink(Json question, const StillShows& still_shows, std::size_t limit);

}  // namespace touchstone::fuzz
