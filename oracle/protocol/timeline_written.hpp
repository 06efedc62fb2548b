#pragma once

#include "oracle/protocol/answers.hpp"
#include "spec/vocabulary/timeline.hpp"

/// Writes timelines as commands of spec/protocol.md: the inverse of the readers in timeline.hpp.
namespace touchstone::oracle {

/// Writes `init`.
Json written_beginning(const TimelineScript& timeline);

/// Writes a command.
Json written(const TimelineCommand& command);

}  // namespace touchstone::oracle
