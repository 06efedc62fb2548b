#pragma once

#include "oracle/protocol/answers.hpp"
#include "spec/vocabulary/timeline.hpp"

/// Writes what can be seen of a scheduler over time.
namespace touchstone::oracle {

/// The value of `state`.
Json state_of(const Observation& seen);

/// The value of `calls`.
Json calls_of(const std::vector<Call>& calls);

/// The result of a cycle: its outcome, pod, node and victims.
Json result_of(const CycleResult& result);

/// The answer to a command that is no error. `with_clauses`: it has `clauses`.
Json json_of(const StepAnswer& answer, bool with_clauses);

/// The name of an outcome, of a kind of call, and of a kind of watched object.
std::string_view name_of(CycleOutcome outcome);
std::string_view name_of(CallKind kind);
std::string_view name_of(WatchedKind kind);

}  // namespace touchstone::oracle
