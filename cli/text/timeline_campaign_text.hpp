#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "fuzz/timelines/campaign.hpp"

/// What `fuzz --timelines` and `campaigns` print about campaigns over time.
namespace touchstone::cli {

/// The result of a campaign in a few lines. `dir`: the directory of the campaign; may be empty.
std::string summary_of(const fuzz::TimelineTally& tally, const std::string& dir, const Terminal& terminal);

/// One line a campaign.
std::string table_of(const std::vector<fuzz::TimelineTally>& tallies, const Terminal& terminal);

}  // namespace touchstone::cli
