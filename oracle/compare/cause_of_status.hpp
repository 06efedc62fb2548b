#pragma once

#include <string>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/trace.hpp"

/// The clause that two statuses of one node part by.
namespace touchstone::oracle {

/// The clause by which a status rejects, by its plugin and reasons alone; empty where no filter gives such a
/// status.
std::string clause_of_rejection(const Json& status);

/// Why the reference rejects a node where the answer does not: the nominated pods if they alone are in the
/// way.
std::string clause_against(const Step& step);

/// The clause by which two statuses differ. Requires: `step` is that of our status, which rejects.
std::string clause_between(const Step& step, const Json& given, const Json& ours, const Release& release);

}  // namespace touchstone::oracle
