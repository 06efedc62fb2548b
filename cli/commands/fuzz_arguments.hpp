#pragma once

#include <chrono>
#include <string>

#include "fuzz/campaign/tally.hpp"
#include "spec/vocabulary/result.hpp"

/// The values of options of touchstone fuzz.
namespace touchstone::cli {

/// A duration such as 90s, 5m or 2h. Errors: bad-time.
Result<std::chrono::milliseconds> parse_time(const std::string& text);

/// A part K/N of a campaign, K counted from 0. Errors: bad-shard.
Result<fuzz::Shard> parse_shard(const std::string& text);

}  // namespace touchstone::cli
