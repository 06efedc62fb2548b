#pragma once

#include <string>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/trace.hpp"

/// Finds the clause that explains a difference between two statuses of one node.
namespace touchstone::oracle {

/// The position of a plugin among the filters of a release. After all of them if the release has no such
/// filter.
std::size_t turn_of(const std::string& plugin, const Release& release);

/// The clause by which a status rejects, judged by its plugin and reasons. Empty if no filter gives such a
/// status.
std::string clause_of_rejection(const Json& status);

/// Why the reference rejects a node that the answer does not reject. If only nominated pods are in the way,
/// it is their clause.
std::string clause_against(const Step& step);

/// The clause by which two statuses differ. Requires: `step` is the step of our status, and this status
/// rejects.
std::string clause_between(const Step& step, const Json& given, const Json& ours, const Release& release);

}  // namespace touchstone::oracle
