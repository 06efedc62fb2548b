#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "bench/bench.hpp"

/// What touchstone bench measured, for people.
namespace touchstone::cli {

/// Tables: load and memory, decisions, decisions one after another, and how figures grow with the cluster.
std::string text_of(const std::vector<oracle::BenchRow>& rows, const Terminal& terminal);

}  // namespace touchstone::cli
