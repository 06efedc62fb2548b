#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "oracle/protocol/protocol.hpp"

/// Figures that files keep of earlier runs: campaigns, theorems, seeded faults, benchmarks. The library that
/// reads JSON takes -1 for 2^64 - 1 and 0.5 for 0; these do not. All throw Json::exception, which names the
/// figure, where it is not there or not such a number.
namespace touchstone::oracle {

/// A whole number from 0 to 2^53: so many are exact for any reader of JSON, and no few of them add up to more
/// than 64 bits hold.
std::uint64_t count_at(const Json& json, const std::string& key);

/// Counts by name.
std::map<std::string, std::uint64_t> counts_at(const Json& json, const std::string& key);

/// Counts that are numbers of something, each once.
std::set<std::uint64_t> numbers_at(const Json& json, const std::string& key);

/// Seconds from 0 to 10^9, which are thirty years.
double seconds_at(const Json& json, const std::string& key);

}  // namespace touchstone::oracle
