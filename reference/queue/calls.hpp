#pragma once

#include <optional>
#include <string_view>

#include "reference/queue/world.hpp"
#include "spec/vocabulary/result.hpp"

/// The API calls of the scheduler.
namespace touchstone::reference {

/// Makes a call. It is performed at once, unless a hold is armed for it. Clauses: QUE-CALL-1.
CallId make_call(World& world, Call call);

/// Whether the result of a call is known.
bool is_answered(const World& world, CallId id);

/// Takes the result of a call, which the world then forgets. Requires: `call` has a value, and is_answered().
/// Ensures: it has none.
CallResult take_result(World& world, std::optional<CallId>& call);

/// The reason that the API gives for a failed call: "Conflict". It is part of the condition's message.
std::string_view reason_of(CallResult failure);

/// Ends a call that waits, without writing anything. Does nothing if it does not wait. Clauses: QUE-CALL-2.
void cancel(World& world, CallId id);

/// Answers the first call of a kind for a pod that waits. `ok` performs it; another result writes nothing.
/// Errors: not-waiting. Clauses: QUE-CALL-1.
std::optional<Error> answer_call(World& world, CallKind kind, const std::string& pod, CallResult result);

/// The change of a pod's condition. No value: the condition is like this already. Clauses: QUE-CALL-3.
std::optional<ConditionPatch> condition_patch(const PodObject& known, const std::string& type,
                                              const std::string& status, const std::string& reason,
                                              const std::string& message);

/// A call that names a pod, and nothing else yet.
Call call_for(CallKind kind, const Pod& pod);

/// The patch that clears the nomination in a pod's object.
Call clearing_patch(const Pod& pod);

}  // namespace touchstone::reference
