#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/participant.hpp"
#include "fuzz/timelines/timelines.hpp"

/// Plays timelines on a subject of spec/protocol.md, and compares its answers with those of the model.
namespace touchstone::fuzz {

/// The commands of a timeline as lines of the protocol, `init` first. Without `seq`.
std::vector<Json> lines_of(const TimelineScript& script);

/// Reads lines of the protocol as a timeline. Errors: those of oracle::read_beginning() and of
/// oracle::read_command().
Result<TimelineScript> script_of(const std::vector<Json>& lines);

/// The answers of a model to all lines of a timeline, as those of a subject. If the beginning is an error, it
/// is the only answer.
std::vector<Json> model_answers(const TimelineScript& script, MakeModel make, Choices& choices);

/// What a subject answered to the lines of a timeline.
struct TimelineAnswers {
  std::vector<Json> answers;                    ///< to the first lines
  std::optional<oracle::Failure> failure = {};  ///< at line answers.size()
  bool stopped = false;
};

/// A scheduler over time that is compared with the model: a process, or another model in this process.
class TimelineSubject {
 public:
  /// Requires: `stop` outlives the subject. `make` is used if there is no command.
  TimelineSubject(ParticipantSetup setup, MakeModel make, const std::atomic<bool>& stop);

  /// Errors: those of Participant::begin(), and unknown-release for a model.
  std::optional<Error> begin();
  const std::string& release() const { return setup_.release; }
  const std::string& name() const { return name_; }
  const std::vector<std::string>& command() const { return setup_.command; }
  const Json& identity() const { return identity_; }

  /// Sends all lines, and reads the answers.
  TimelineAnswers play(const std::vector<Json>& lines);

 private:
  ParticipantSetup setup_;
  MakeModel make_;
  const std::atomic<bool>& stop_;
  std::string name_;
  Json identity_;
  std::optional<oracle::SubjectProcess> process_;
};

/// The first line to which a subject gives an answer that the model does not allow.
struct StepDifference {
  std::size_t line = 0;  ///< 0: `init`
  std::string key;       ///< the part of the answer, such as "state.active"; or the code of a failure
  std::string given;     ///< by the subject
  std::string ours;
  std::set<std::string> clauses;  ///< those that decide the line in the model
  std::string skipped = {};       ///< why the model has no answer to compare with; empty: it has
};

/// Compares answers with the model. Where the scheduler chooses by chance (QUE-ORDER-1, and nodes that are as
/// good), any choice of the model that gives the subject's answer is accepted. A key of `state` that the
/// subject leaves out is not compared. Requires: `script` has no error in the model's `init`. No value: no
/// answer differs. A difference with `skipped` is none: the subject took a pod, or a group, for which the
/// model says that it does not model what follows.
std::optional<StepDifference> difference_of(const TimelineScript& script, const TimelineAnswers& answers);

/// The clause to which a difference is attributed: among those that decide the line, the one that is closest
/// to the part that differs.
std::string clause_of(const StepDifference& difference);

}  // namespace touchstone::fuzz
