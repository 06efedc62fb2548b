#pragma once

#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/extenders.hpp"

/// Reads extenders: their configuration, and their answers as tables.
namespace touchstone::kubernetes {

/// Reads the configuration of an extender: an element of `extenders` in a KubeSchedulerConfiguration or in a
/// Policy. Does not check it. Errors: throws InvalidInput (those of fields; duration-malformed).
Extender read_extender(const Value& value);

/// Reads the extenders of a question (spec/protocol.md): configuration and tables.
/// Errors: throws InvalidInput: those of read_extender; unknown-field; wrong-table, for a table that has no
/// verb, and for an entry that cannot be read. Clauses: EXT-ANSWER-1.
std::vector<Extender> read_extenders_of_question(const Value& question);

}  // namespace touchstone::kubernetes
