#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/pod_question.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/protocol/engines.hpp"
#include "spec/vocabulary/placement.hpp"
#include "spec/vocabulary/result.hpp"

/// The pages of `decide`, `schedule` and `explain`.
namespace touchstone::cli {

/// Adds `--html FILE` to a command. Requires: `file` outlives the command.
void add_html_option(CLI::App& command, std::string& file);

/// Writes the page of a decision to `file`; does nothing if `file` is empty. `explanation`: what `explain`
/// shows, or nothing. Errors: file-unwritable.
std::optional<Error> write_decision_page(const std::string& file, const std::string& command,
                                         const LoadedQuestion& asked, const oracle::Decided& decided,
                                         const std::vector<oracle::Section>& explanation = {});

/// The same for the placement of a whole cycle.
std::optional<Error> write_placement_page(const std::string& file, const std::string& command,
                                          const LoadedQuestion& asked, const Placement& placement,
                                          const std::vector<oracle::Section>& explanation = {});

}  // namespace touchstone::cli
