#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "oracle/protocol/protocol.hpp"

/// Reads numbers that earlier runs saved in files: campaigns, theorems, seeded faults, benchmarks. The JSON
/// library reads -1 as 2^64 - 1 and 0.5 as 0; these functions reject both. All throw Json::exception, which
/// names the key, if the number is missing or not allowed.
namespace touchstone::oracle {

/// A whole number from 0 to 2^53. Every JSON reader represents this range exactly, and sums of a few such
/// numbers fit into 64 bits.
std::uint64_t count_at(const Json& json, const std::string& key);

/// An object of counts, by name.
std::map<std::string, std::uint64_t> counts_at(const Json& json, const std::string& key);

/// A list of whole numbers without repetition.
std::set<std::uint64_t> numbers_at(const Json& json, const std::string& key);

/// Seconds from 0 to 10^9 (about 30 years).
double seconds_at(const Json& json, const std::string& key);

}  // namespace touchstone::oracle
