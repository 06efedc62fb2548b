#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/comparison.hpp"

/// Compares verdicts on nodes with the reference's answer: the answer `fits` of spec/protocol.md. A program
/// that does not preempt, such as an autoscaler, gives such an answer.
namespace touchstone::oracle {

/// The result of compare_verdicts(). Each node is counted once.
struct NodeVerdicts {
  std::uint64_t agree = 0;
  std::vector<Difference> differences = {};           ///< one for each node that differs: "filter.n1"
  std::map<std::string, std::uint64_t> skipped = {};  ///< number of nodes by reason

  bool operator==(const NodeVerdicts&) const = default;
};

/// Whether the value of `fits` has the expected types.
bool are_verdicts(const Json& fits);

/// The feature of a subject that claims the verdicts of one filter plug-in: "fits.NodePorts".
inline constexpr std::string_view k_fits_feature = "fits.";

/// Compares the verdict on each node. `ours`: the reference's answer to the same question, for the release
/// with its default configuration. `features`: those that the subject claims. The pod fits on a node if no
/// claimed filter of the release rejects it there. A node is skipped if the subject skips it, if one side has
/// no verdict on it, or if a filter that is not claimed rejects it before the claimed ones had their turn.
/// Requires: are_verdicts(), and `ours` has an `outcome`.
NodeVerdicts compare_verdicts(const Json& fits, const Json& ours, const std::set<std::string>& features,
                              const Release& release);

}  // namespace touchstone::oracle
