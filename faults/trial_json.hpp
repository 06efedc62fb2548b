#pragma once

#include "faults/judge.hpp"
#include "oracle/protocol/protocol.hpp"

/// Writes one run of a judge as JSON, and reads it again.
namespace touchstone::faults {

oracle::Json json_of(const Trial& trial);

/// Reads what json_of() wrote. Throws Json::exception for other JSON.
Trial trial_of(const oracle::Json& json);

}  // namespace touchstone::faults
