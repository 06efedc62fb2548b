#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "cli/terminal/terminal.hpp"

/// Results of `touchstone bench` as text.
namespace touchstone::cli {

/// Tables: load and memory, decisions, decisions one after another, and how figures grow with the cluster.
std::string text_of(const std::vector<bench::BenchRow>& rows, const Terminal& terminal);

}  // namespace touchstone::cli
