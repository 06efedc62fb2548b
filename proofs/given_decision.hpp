#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::proofs {

/// A decision as somebody gives it: the parts of an answer of spec/protocol.md that a certificate is about.
/// What may be left out of an answer, and is, is not judged.
struct GivenDecision {
  Outcome outcome = Outcome::none;
  std::optional<std::vector<NodeIndex>> feasible = {};  ///< with fits
  NodeIndex node = 0;                                   ///< with nominated, as all that follows
  std::vector<PodIndex> victims = {};                   ///< in the order of the release
  std::optional<Quantity> pdb_violations = {};

  bool operator==(const GivenDecision&) const = default;
};

/// The canonical decision.
GivenDecision given_decision(const Decision& decision);

/// Reads one answer as JSON; members of the protocol that no certificate is about are ignored. `name` heads
/// the paths of errors. Errors: those of Document::parse; unknown-field (a key that the protocol does not
/// have); wrong-type, missing-field, out-of-range, duplicate-key;
/// unknown-outcome (also: skipped, which is no decision); unknown-node, unknown-pod; duplicate-object.
Result<GivenDecision> read_given_decision(std::string_view json, std::string name, const Cluster& cluster);

}  // namespace touchstone::proofs
