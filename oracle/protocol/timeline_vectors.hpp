#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/vectors.hpp"
#include "reference/queue/play.hpp"

/// Compares the reference with the timelines of spec/vectors: commands to a scheduler over time, with the
/// answers of a running release.
namespace touchstone::oracle {

/// One timeline.
struct RecordedTimeline {
  std::string name;
  std::string release;
  std::vector<std::string> clauses;
  bool recorded = false;  ///< from a running release; false: a worked example
  std::vector<Json> commands;
  std::vector<Json>
      answers;  ///< one for each command; `state` has the keys that changed since the answer before
};

/// Reads one *.jsonl file, or all such files below a directory in the order of their names.
/// Errors: file-unreadable, vector-malformed; each names the file, and the line if it is known.
Result<std::vector<RecordedTimeline>> read_timelines(const std::filesystem::path& place);

/// The first part in which an answer differs from the expected one. Only keys of the expected answer are
/// compared. Calls for one pod are compared in order, those for different pods as a set; patches that change
/// only a message are left out.
std::optional<Difference> answer_difference(const Json& expected, const Json& found);

/// Plays a timeline on a model. Returns the first difference; its key names the number of the command.
std::optional<Difference> timeline_difference(const RecordedTimeline& timeline,
                                              MakeModel make = reference::timeline_model);

/// The clauses that the reference cites in its answers to a timeline.
std::set<std::string> clauses_cited(const RecordedTimeline& timeline);

/// Plays timelines on the reference. A timeline is compared up to its first difference, and agrees if it has
/// none. `progress` is called once for each. Only the release and the name of `check` are used.
VectorReport check_timelines(const std::vector<RecordedTimeline>& timelines, const VectorCheck& check,
                             const std::function<void()>& progress);

}  // namespace touchstone::oracle
