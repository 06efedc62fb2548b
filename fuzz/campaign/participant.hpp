#pragma once

#include <atomic>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "oracle/protocol/command.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/subject/subject_process.hpp"
#include "spec/vocabulary/result.hpp"

/// The two sides of a campaign. A side is a subject process or an engine of this process.
namespace touchstone::fuzz {

using oracle::Json;

/// The default number of decisions that a running scheduler makes for a case.
inline constexpr std::size_t k_repeat_usual = 100;

/// What a side runs, and for which release.
struct ParticipantSetup {
  std::vector<std::string> command;  ///< empty: an engine of this process
  std::string release;               ///< empty: the only release that the subject supports
  std::size_t repeat = 0;            ///< decisions for each question, if the subject has the feature `repeat`
  std::chrono::milliseconds answer_timeout{10'000};
  oracle::Engine engine = oracle::Engine::reference;  ///< used if there is no command
  oracle::Command asks = oracle::Command::run;        ///< the command of the protocol for each question
};

/// A reply to a question: an answer or a failure. Neither if the campaign was stopped.
struct Reply {
  Json answer = nullptr;
  std::optional<oracle::Failure> failure = {};
  std::optional<oracle::Failure> passing =
      {};  ///< the failure of the first attempt, if the second attempt answered
};

/// One side of a campaign.
class Participant {
 public:
  /// Requires: `stop` outlives the participant.
  Participant(ParticipantSetup setup, const std::atomic<bool>& stop);

  /// Sends hello and determines the release. Errors: subject-failed, unknown-release, release-not-answered,
  /// command-not-answered, stopped.
  std::optional<Error> begin();

  bool is_engine() const { return setup_.command.empty(); }
  bool is_reference() const { return is_engine() && setup_.engine == oracle::Engine::reference; }
  const std::string& release() const { return setup_.release; }
  const std::vector<std::string>& command() const { return setup_.command; }
  /// Name and release of the side, such as "kube-scheduler v1.34.4".
  std::string name() const;
  /// The answer to hello, without the lists of features and releases.
  const Json& identity() const { return identity_; }

  /// Runs questions of spec/protocol.md, given as JSON without cmd, seq, release and repeat. If the subject
  /// fails on a question, a new process gets that question alone, once more. If it answers then, the failure
  /// is recorded as passing. If a stop prevents the second attempt, the first failure counts. Ensures:
  /// replies to the first questions, in their order. They end with the last question, or with the first one
  /// on which the subject failed. If the campaign was stopped, there are fewer replies, or none.
  std::vector<Reply> ask(std::span<const std::string> questions);

  /// Runs one question with `repeat` decisions, so that chance does not hide a member of a tie. The reply is
  /// empty if the campaign was stopped.
  Reply ask_often(const std::string& question, std::size_t repeat);

  /// The features that the subject announced in hello.
  const std::set<std::string>& features() const { return features_; }
  const ParticipantSetup& setup() const { return setup_; }

 private:
  std::string line_of(std::string_view question, std::size_t repeat);
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
