#pragma once

#include <string>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// Why no engine of this project answers the question; empty: the engines answer it. A release may decide by
/// something that is not modelled, by chance, or not at all.
std::string not_handled(const Query& query);

}  // namespace touchstone::optimized
