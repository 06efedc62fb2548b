#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "oracle/bench.hpp"
#include "oracle/protocol.hpp"

/// What touchstone bench measured, for people and for programs.
namespace touchstone::cli {

/// Tables: load and memory, decisions, decisions one after another, and how figures grow with the cluster.
std::string text_of(const std::vector<oracle::BenchRow>& rows, const Terminal& terminal);

/// An object a row, in the order in which they were measured.
oracle::Json json_of(const std::vector<oracle::BenchRow>& rows, const std::string& release);

}  // namespace touchstone::cli
