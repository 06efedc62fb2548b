#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "fuzz/campaign/campaign.hpp"
#include "fuzz/campaign/tally.hpp"

/// What fuzz and campaigns say about a campaign.
namespace touchstone::cli {

/// "kube-scheduler v1.34.4" of a side's identity and release.
std::string side_of(const fuzz::Tally& tally, const char* side);

/// The line that is seen while a campaign runs: cases, elapsed and remaining time, and what was found.
std::string line_of(const fuzz::Progress& progress, const fuzz::CampaignSetup& setup);

/// The outcome of a campaign in a few lines. `dir`: where the differences were written; may be empty.
std::string summary_of(const fuzz::Tally& tally, const std::string& dir, const Terminal& terminal);

/// "1.2e-03"
std::string probability_text(double probability);

}  // namespace touchstone::cli
