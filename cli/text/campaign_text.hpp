#pragma once

#include <string>

#include "cli/terminal/terminal.hpp"
#include "fuzz/campaign/campaign.hpp"
#include "fuzz/campaign/tally.hpp"

/// What `fuzz` and `campaigns` print about a campaign.
namespace touchstone::cli {

/// The identity and release of a side, which is "left" or "right": "kube-scheduler v1.34.4".
std::string side_of(const fuzz::Tally& tally, const char* side);

/// The progress line of a campaign: cases, elapsed and remaining time, and what was found.
std::string line_of(const fuzz::Progress& progress, const fuzz::CampaignSetup& setup);

/// The result of a campaign in a few lines. `dir`: the directory of the campaign; may be empty.
std::string summary_of(const fuzz::Tally& tally, const std::string& dir, const Terminal& terminal);

/// A probability as text: "1.2e-03".
std::string probability_text(double probability);

}  // namespace touchstone::cli
