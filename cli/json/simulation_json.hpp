#pragma once

#include <string>

#include "oracle/protocol/answers.hpp"
#include "oracle/simulation/simulation.hpp"

namespace touchstone::cli {

/// A simulation as JSON, with the keys of spec/schema/simulation.schema.json. With a pod (full name), only
/// the steps that changed it.
oracle::Json json_of(const oracle::Simulation& simulation, const std::string& pod);

}  // namespace touchstone::cli
