#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "oracle/subject/subject_process.hpp"
#include "spec/vocabulary/result.hpp"

/// The two sides of a campaign answer alike: a subject as a process, or an engine in this one.
namespace touchstone::fuzz {

using oracle::Json;

/// Decisions asked of a running scheduler for a case, where nothing else is said.
inline constexpr std::size_t k_repeat_usual = 100;

/// What answers, and for which release.
struct ParticipantSetup {
  std::vector<std::string> command;  ///< empty: an engine of this process
  std::string release;               ///< empty: the only one that the subject answers for
  std::size_t repeat = 0;            ///< decisions a question, of a subject that has the feature
  std::chrono::milliseconds answer_timeout{10'000};
  oracle::Engine engine = oracle::Engine::reference;  ///< without a command
};

/// An answer to `run`, or what went wrong instead; neither where the campaign was stopped.
struct Reply {
  Json answer = nullptr;
  std::optional<oracle::Failure> failure = {};
  std::optional<oracle::Failure> passing =
      {};  ///< what went wrong at first, where asked once more it answered
};

class Participant {
 public:
  /// Requires: `stop` outlives this.
  Participant(ParticipantSetup setup, const std::atomic<bool>& stop);

  /// Says hello and settles the release. Errors: subject-failed, unknown-release, release-not-answered.
  std::optional<Error> begin();

  bool is_engine() const { return setup_.command.empty(); }
  bool is_reference() const { return is_engine() && setup_.engine == oracle::Engine::reference; }
  const std::string& release() const { return setup_.release; }
  const std::vector<std::string>& command() const { return setup_.command; }
  /// "kube-scheduler v1.34.4": who answers, and which release.
  std::string name() const;
  /// The answer to hello, without the list of features.
  const Json& identity() const { return identity_; }

  /// Asks questions of spec/protocol.md without cmd, seq and release. A question at which the subject fails
  /// is asked once more alone, of a new process: if it is answered then, the failure is a passing one. Where
  /// the campaign is stopped meanwhile, the first failure counts. Ensures: replies to the first questions, up
  /// to all of them or to the first at which it failed; none where the campaign was stopped before.
  std::vector<Reply> ask(std::span<const Json> questions);

  /// Asks one question so often that a member of a tie is not missed by chance.
  Reply ask_often(const Json& question, std::size_t repeat);

  /// What the subject says in hello that it can.
  const std::set<std::string>& features() const { return features_; }
  const ParticipantSetup& setup() const { return setup_; }

 private:
  std::string line_of(const Json& question, std::size_t repeat);
  Reply reply_of(std::string_view text);

  ParticipantSetup setup_;
  const std::atomic<bool>& stop_;
  std::optional<oracle::SubjectProcess> process_;
  oracle::Subject engine_;
  Json identity_;
  std::set<std::string> features_;
  long long seq_ = 0;
};

}  // namespace touchstone::fuzz
