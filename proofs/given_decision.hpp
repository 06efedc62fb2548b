#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::proofs {

/// A decision given by any scheduler: the parts of an answer (spec/protocol.md) that a certificate judges. An
/// optional part that the answer leaves out is not judged.
struct GivenDecision {
  Outcome outcome = Outcome::none;
  std::optional<std::vector<NodeIndex>> feasible = {};  ///< only if the outcome is fits
  NodeIndex node = 0;                                   ///< only if nominated, as the fields below
  std::vector<PodIndex> victims = {};                   ///< in the release's order
  std::optional<Quantity> pdb_violations = {};

  bool operator==(const GivenDecision&) const = default;
};

/// The same parts of a decision of the reference: those of its chosen candidate.
GivenDecision given_decision(const Decision& decision);

/// Reads one answer in JSON. Keys of the protocol that no certificate judges are ignored. `name` begins the
/// paths in errors. Errors: those of Document::parse; unknown-field (a key that neither the protocol has nor
/// `touchstone decide` prints); wrong-type, missing-field, out-of-range, duplicate-key; unknown-outcome (also
/// for skipped, which is not a decision); unknown-node, unknown-pod; duplicate-object.
Result<GivenDecision> read_given_decision(std::string_view json, std::string name, const Cluster& cluster);

}  // namespace touchstone::proofs
