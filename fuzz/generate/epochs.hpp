#pragma once

#include <string>
#include <vector>

namespace touchstone::fuzz {

/// One release of every epoch. Releases of different epochs decide differently.
inline const std::vector<std::string> k_distinct_releases = {
    "v1.8",  "v1.9",  "v1.10",   "v1.12",   "v1.15",   "v1.18", "v1.19", "v1.20", "v1.22", "v1.24", "v1.26.5",
    "v1.27", "v1.28", "v1.29.5", "v1.29.6", "v1.31.3", "v1.33", "v1.34", "v1.36", "v1.37", "v1.38"};

}  // namespace touchstone::fuzz
