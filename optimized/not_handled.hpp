#pragma once

#include <string>

#include "optimized/tables.hpp"

namespace touchstone::optimized {

/// What a question needs and this engine does not answer, by name; empty: nothing.
std::string not_handled(const Tables& tables, const Pod& preemptor);

}  // namespace touchstone::optimized
