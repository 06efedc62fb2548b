#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "faults/faults.hpp"

/// Results of `touchstone faults` as text.
namespace touchstone::cli {

std::string text_of(const std::vector<faults::FaultResult>& results, const Terminal& terminal);

}  // namespace touchstone::cli
