#pragma once

#include <string>

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// What a question needs that no engine of this project answers, since a release decides it by what is not
/// modelled, by chance, or not at all; empty: nothing.
std::string not_handled(const Query& query);

}  // namespace touchstone::optimized
