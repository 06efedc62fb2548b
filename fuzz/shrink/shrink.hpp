#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>

#include "oracle/protocol/protocol.hpp"

/// Shrinks a question to the smallest one that still shows what was found.
///
/// A move is taken only if it makes the question smaller in the order of fuzz/shrink/question_size.hpp.
/// Therefore shrinking ends. The moves go from coarse to fine, and repeat until none is taken:
/// - Drop nodes with the pods on them; elements of the document's lists; then, level by level, the same
///   member of all objects (every pod's labels) and of each alone. Sets are dropped whole, in halves, in
///   quarters, … and singly.
/// - Drop a pod together with what it uses on its node, so that what fits exactly still does.
/// - Move pods to another node and drop their own node; make an object like another one of its list.
/// - Lower numbers: all of a kind (to 0, to 1, to ranks, by their divisor), equal ones together, each alone,
///   and two by the same amount, so that what fits exactly still does.
/// - Make names equal, or the plainest.
/// Every object keeps what an API server serves with every object (fuzz/shrink/served.hpp). The moves do not
/// distinguish kinds of objects. They know only fields that kinds share (metadata.name, nodeName, requests,
/// labels).
namespace touchstone::fuzz {

using oracle::Json;

/// Whether a question still shows what was found. Requires: deterministic; accepts any JSON object; does not
/// throw.
using StillShows = std::function<bool(const Json& question)>;

/// Whether there is no time left. Once true, it stays true.
using GivesUp = std::function<bool()>;

/// How a campaign shrinks its differences.
struct Shrinking {
  std::size_t asks = 4000;    ///< most questions to run; fewer are run if the subject hangs or fails
  bool keeps_labels = false;  ///< fuzz/shrink/served.hpp; several differences may have one smallest cluster
};

struct Shrunk {
  Json question;
  std::size_t asked = 0;  ///< calls of `still_shows`, never two for one text
  bool minimal =
      false;  ///< no single move can be taken; false: the limit, gives_up or k_depth_max came first
};

/// A question with deeper nesting is returned unchanged.
inline constexpr std::size_t k_depth_max = 100;

/// Shrinks a question of spec/protocol.md (no cmd, seq) while `still_shows` holds. Requires:
/// still_shows(question), which is not checked. Ensures: still_shows(result); deterministic; at most `limit`
/// calls, and none once `gives_up` holds, which is looked at before every candidate; a minimal result does
/// not change when it is shrunk again.
Shrunk shrink(Json question, const StillShows& still_shows, std::size_t limit, const GivesUp& gives_up = {});

}  // namespace touchstone::fuzz
