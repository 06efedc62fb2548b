#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "oracle/protocol/answers.hpp"

/// Shows a timeline: what each command changes.
namespace touchstone::cli {

/// A command of spec/protocol.md, and its answer.
struct PlayedCommand {
  oracle::Json command;
  oracle::Json answer;
};

/// What to show of a timeline.
struct TimelineShown {
  std::string pod = "";       ///< only steps that change this pod (full name); empty: all
  bool with_clauses = false;  ///< the clauses that decided something
};

/// The result of a cycle: "default/p nominated on n1, evicts default/v".
std::string result_text(const oracle::Json& result);

/// An API call: "patch default/p (nominatedNodeName n1, reason Unschedulable)".
std::string call_text(const oracle::Json& call);

/// Formats a timeline as text: for each step its number, the time, the command, and what has changed.
std::string text_of(const std::vector<PlayedCommand>& timeline, const TimelineShown& shown,
                    const Terminal& terminal);

}  // namespace touchstone::cli
