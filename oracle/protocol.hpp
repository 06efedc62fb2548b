#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "spec/choices.hpp"
#include "spec/cluster.hpp"
#include "spec/decision.hpp"
#include "spec/release.hpp"
#include "spec/trace.hpp"

/// The subject protocol of spec/protocol.md: one JSON object a line in, one out.
namespace touchstone::oracle {

using Json = nlohmann::ordered_json;

/// An outcome as an answer names it.
std::string_view name_of(Outcome outcome);

/// A decision as an answer, without `seq`.
Json answer_of(const Cluster& cluster, const Decision& decision);

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

/// What decides: the reference, or what can stand in its place.
struct Engine {
  Decision (*preempt)(const Question&, const Release&, Choices&, Trace&);
  AnyOrder (*any_order)(const Question&, const Release&, std::size_t limit);
  /// Whether the pod passes the filters of a node of this cluster, asked afresh.
  bool (*fits)(const Release&, const Cluster&, const Pod&, NodeIndex);
};
const Engine& reference_engine();

/// An engine as a subject. Requires: the engine outlives it.
class Subject {
 public:
  explicit Subject(const Engine& engine = reference_engine()) : engine_(engine) {}
  /// Answers one line; empty for `bye`. Ensures: never throws; a line that cannot be read gets an `error`.
  std::string answer(std::string_view line);
  bool done() const { return done_; }

 private:
  const Engine& engine_;
  bool done_ = false;
};

/// Answers lines until `bye` or the end of the input; a blank line gets an error like any other bad one.
void serve(std::istream& in, std::ostream& out);

}  // namespace touchstone::oracle
