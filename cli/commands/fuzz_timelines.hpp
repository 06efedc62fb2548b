#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/terminal/terminal.hpp"
#include "fuzz/timelines/campaign.hpp"

namespace touchstone::cli {

/// Runs a campaign over time, or replays the timeline of a file. `replay`: the file; empty: none. `output`:
/// text or json. Returns the exit code. Requires: the setup has the command of a subject.
int fuzz_timelines(const fuzz::TimelineCampaignSetup& setup, const std::string& replay,
                   const std::string& output, const Terminal& terminal);

/// Adds `--part` to a command: the scheduler, or a controller beside it.
CLI::Option* add_part_option(CLI::App& command, std::string& part);

}  // namespace touchstone::cli
