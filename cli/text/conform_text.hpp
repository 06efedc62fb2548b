#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "conformance/reports/report.hpp"
#include "faults/fault_levels.hpp"

namespace touchstone::cli {

/// A report of conformance as text: a table of the levels, the features that are not claimed, the violated
/// clauses with the smallest case of each, the other failures, and what is wrong with the known failures.
std::string text_of(const conformance::Report& report, const Terminal& terminal);

/// The level at which each seeded fault violates its clause, as a table. Faults without a level come first.
std::string text_of(const std::vector<faults::FaultLevel>& levels, const Terminal& terminal);

/// The cases of suites as a table, with the features that they need.
std::string table_of_cases(const std::vector<conformance::Suite>& suites, const Terminal& terminal);

/// The suites of a release as a table of sizes and hashes.
std::string table_of(const std::vector<conformance::Suite>& suites, const Terminal& terminal);

}  // namespace touchstone::cli
