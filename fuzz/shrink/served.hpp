#pragma once

#include <cstddef>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// The members that an API server serves with every object of a kind, such as a pod's containers. Subjects
/// may rely on them.
namespace touchstone::fuzz {

using oracle::Json;

/// The members that every object of a question has and that smaller questions must keep.
class RequiredMembers {
 public:
  explicit RequiredMembers(const Json& question);

  /// Whether every object of the smaller question still has these members.
  bool allows(const Json& smaller) const;

 private:
  std::vector<std::size_t> kept_;  ///< indices of the members in the table of served.cpp
};

/// Whether a smaller question still has what its terms need: each required affinity term and each spread
/// constraint has a label selector that is not empty, and each node has the labels of their topology keys.
/// Where the question itself lacks one of the two, the smaller one may.
bool keeps_labels(const Json& question, const Json& smaller);

}  // namespace touchstone::fuzz
