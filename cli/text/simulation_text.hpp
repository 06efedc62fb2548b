#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "oracle/simulation/simulation.hpp"

/// Shows a simulation as text.
namespace touchstone::cli {

/// What to show of a simulation.
struct SimulationShown {
  std::string pod;        ///< only this pod (full name); empty: all
  bool is_brief = false;  ///< without clauses and API calls
};

/// Formats a simulation: for each step the time, the actor, what it did, and where the pods are that it
/// changed. With a pod, only the steps that changed it, and a sentence about it at the end.
std::string text_of(const oracle::Simulation& simulation, const SimulationShown& shown,
                    const Terminal& terminal);

}  // namespace touchstone::cli
