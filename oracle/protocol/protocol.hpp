#pragma once

#include <exception>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/answers.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "oracle/protocol/timeline.hpp"
#include "oracle/subject/answer_line.hpp"
#include "spec/releases/feature_gates.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// The subject protocol of spec/protocol.md: a subject reads one JSON object per line and writes one per
/// line.
namespace touchstone::oracle {

/// Refuses an object that has a key outside `known` and `more`. Errors: throws kubernetes::InvalidInput
/// (unknown-field).
void refuse_unknown_keys(const kubernetes::Value& object, std::initializer_list<std::string_view> known,
                         std::span<const std::string_view> more = {});

/// Whether the protocol defines this key for an answer to `run` or `schedule`. An unknown key is more likely
/// misspelled than new.
bool is_answer_key(std::string_view key);

/// An error as the value of `error`.
Json error_of(const Error& error);

/// The message of a JSON library error (invalid JSON, or JSON of an unexpected shape), without the library's
/// error number.
std::string complaint_of(const std::exception& broken);

/// Limit for the enumeration of `anyOrder`, in orders, states and answers. Beyond this limit `anyOrder` is
/// skipped.
inline constexpr std::size_t k_any_order_limit = 20000;

/// Optional parts of an answer, requested by the question.
struct Wanted {
  bool any_order = false;
  bool trace = false;
};

/// Runs an engine on a question. Returns the answer without `seq`. With Engine::both, returns an `error` when
/// the engines differ.
Json answer_of(const Question& question, const NamedRelease& named, const Wanted& wanted, Engine engine,
               const Decider& decider);

/// The configuration of the scheduler for questions that have none of their own.
struct SchedulerDefaults {
  std::optional<kubernetes::Document> config = {};
  FeatureGates gates = {};
};

/// Answers protocol lines with one of the engines of this project. Requires: the decider outlives this
/// object.
class Subject {
 public:
  explicit Subject(Engine engine = Engine::reference, const Decider& decider = reference_decider(),
                   SchedulerDefaults defaults = {})
      : engine_(engine), decider_(decider), defaults_(std::move(defaults)) {}

  /// Answers one line. Returns an empty text for `bye`. Ensures: never throws; a line that cannot be read
  /// gets an `error`.
  std::string answer(std::string_view line);
  /// Whether a `bye` was read.
  bool done() const { return done_; }

 private:
  Engine engine_;
  const Decider& decider_;
  SchedulerDefaults defaults_;
  Timeline timeline_;
  bool done_ = false;
};

/// Answers lines until `bye` or the end of the input. A blank line is malformed and gets an `error`.
void serve(std::istream& in, std::ostream& out, Subject& subject);

}  // namespace touchstone::oracle
