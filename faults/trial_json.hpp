#pragma once

#include "faults/judge.hpp"
#include "oracle/protocol/protocol.hpp"

/// One run of a judge as JSON, and read again.
namespace touchstone::fuzz {

oracle::Json json_of(const Trial& trial);

/// What json_of() wrote. Throws Json::exception otherwise.
Trial trial_of(const oracle::Json& json);

}  // namespace touchstone::fuzz
