#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spec/vocabulary/extenders.hpp"

namespace touchstone::kubernetes {

/// Writes an extender in the format of a question: its configuration, and its answers as tables.
/// Ensures: read_extenders_of_question() reads the same extender.
nlohmann::ordered_json written_extender(const Extender& extender);

}  // namespace touchstone::kubernetes
