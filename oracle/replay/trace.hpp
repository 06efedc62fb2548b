#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oracle/protocol/answers.hpp"
#include "spec/vocabulary/result.hpp"

/// The recorded run of a scheduler over time.
namespace touchstone::oracle {

/// A command to the scheduler, and its answer. Either may be null: the command is not known, or its answer
/// was not seen.
struct TraceStep {
  std::string place;  ///< such as "trace.jsonl:7"
  Json command;       ///< of spec/protocol.md
  Json answer;        ///< the keys that are known
};

/// Reads a trace: a file of lines, or of a list, as touchstone play prints it with -o json. A line, or an
/// element, is one of these:
///  - {"command": {…}, "answer": {…}}; either may be missing;
///  - a command of spec/protocol.md: an object with "cmd";
///  - an answer alone: its command is not known;
///  - a whole timeline, an object with "commands" and "answers" as in spec/vectors/time. Of several, `name`
///    chooses one; empty: the first.
/// `commands`: another file, of lines of commands; then each line of the trace is the answer to one of them.
/// Empty: none.
/// Errors: those of read_bytes; trace-malformed, with the file and the line; unknown-timeline.
Result<std::vector<TraceStep>> read_trace(const std::string& path, const std::string& commands,
                                          const std::string& name);

}  // namespace touchstone::oracle
