#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict.hpp"
#include "fuzz/timelines/compared.hpp"

/// The cases of level Time: timelines, whose commands a subject answers one after another.
namespace touchstone::conformance {

/// Reads the smallest timelines of seeded faults, faults/timelines.jsonl. Ensures: the timelines are named
/// "mistakes/FAULT", and have one clause and no answers. Errors: file-unreadable, vector-malformed.
Result<std::vector<oracle::RecordedTimeline>> read_mistaken_timelines(const std::string& file);

/// Writes such a file. Errors: file-unwritable.
std::optional<Error> write_mistaken_timelines(const std::string& file,
                                              const std::vector<oracle::RecordedTimeline>& timelines);

/// A case from the lines of a timeline (`init` first), played for this release whatever `init` says. Nothing if
/// the release is not modelled over time, if a line is malformed, or if the model answers a line with an error.
std::optional<Case> timeline_case(const std::string& name, const std::string& source,
                                  std::vector<Json> lines, const Release& release);

/// The timeline of a case. Requires: the case is one of timeline_case() for this release.
TimelineScript script_of(const Case& one, const Release& release);

/// The verdict on the answers to a timeline, which have the key `answers`. The first answer that the release may
/// not give decides. Requires: as for script_of().
CaseVerdict judge_timeline(const Case& one, const Release& release, const Json& given);

}  // namespace touchstone::conformance
