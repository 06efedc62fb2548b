#pragma once

#include <filesystem>

#include "fuzz/timelines/campaign.hpp"

namespace touchstone::fuzz {

/// Reads a tally that was saved as json_of() gives it. Errors: file-unreadable; campaign-malformed, naming
/// the file.
Result<TimelineTally> read_timeline_tally(const std::filesystem::path& file);

/// True if the file has a tally of a campaign over time. Other files, also unreadable ones, have none.
bool has_timeline_tally(const std::filesystem::path& file);

}  // namespace touchstone::fuzz
