#pragma once

#include <initializer_list>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "oracle/subject/answer_line.hpp"
#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/engine.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

/// The subject protocol of spec/protocol.md: one JSON object a line in, one out.
namespace touchstone::oracle {

using Json = nlohmann::ordered_json;

/// Refuses members of a question or an answer that the protocol does not have.
/// Errors: throws kubernetes::InvalidInput (unknown-field).
void refuse_unknown_keys(const kubernetes::Value& object, std::initializer_list<std::string_view> known);

/// Whether an answer to `run` may have this key. A key that is none is more likely misspelled than new.
bool is_answer_key(std::string_view key);

/// An outcome as an answer names it.
std::string_view name_of(Outcome outcome);

/// A decision as an answer, without `seq`.
Json answer_of(const Cluster& cluster, const Decision& decision);

/// What the optimized engine decides: without `candidates`, `filter` and `dryRun`, which it does not have.
Json answer_in_part(const Cluster& cluster, const Decision& decision);

/// What may be answered under some order, as the value of `anyOrder`.
Json any_order_of(const Cluster& cluster, const AnyOrder& any_order);

/// The steps of a trace, as the value of `trace`.
Json trace_of(const Cluster& cluster, const Trace& trace);

/// An error as the value of `error`.
Json error_of(const Error& error);

/// What the library says of text that is no JSON, or not the one expected; without the library's own number.
std::string complaint_of(const Json::exception& broken);

/// How many orders, states and answers `anyOrder` may enumerate before it says that it does not know.
inline constexpr std::size_t k_any_order_limit = 20000;

/// What a run may ask for besides the decision.
struct Wanted {
  bool any_order = false;
  bool trace = false;
};

/// What an engine answers, without `seq`; where both are asked and differ, an `error`.
Json answer_of(const Question& question, const NamedRelease& named, const Wanted& wanted, Engine engine,
               const Decider& decider);

/// An engine as a subject. Requires: the decider outlives it.
class Subject {
 public:
  explicit Subject(Engine engine = Engine::reference, const Decider& decider = reference_decider())
      : engine_(engine), decider_(decider) {}

  /// Answers one line; empty for `bye`. Ensures: never throws; a line that cannot be read gets an `error`.
  std::string answer(std::string_view line);
  bool done() const { return done_; }

 private:
  Engine engine_;
  const Decider& decider_;
  bool done_ = false;
};

/// Answers lines until `bye` or the end of the input; a blank line gets an error like any other bad one.
void serve(std::istream& in, std::ostream& out, Engine engine);

}  // namespace touchstone::oracle
