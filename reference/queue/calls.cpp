#include "reference/queue/calls.hpp"

#include <algorithm>
#include <array>

#include "reference/queue/objects.hpp"
#include "reference/queue/store.hpp"

namespace touchstone::reference {

namespace {

constexpr Quantity k_most_tries = 4;

void issue(World& world, Call& call);

/// QUE-CALL-1: ends a call, or repeats it: a patch that meets a conflict.
void finish(World& world, Call& call, CallResult result) {
  const bool may_repeat = world.release.patch_conflict_repeats && call.kind == CallKind::patch;
  if (result == CallResult::conflict && may_repeat && call.tries < k_most_tries) {
    world.cite("QUE-CALL-1");
    ++call.tries;
    issue(world, call);
    return;
  }
  call.result = result;
}

void issue(World& world, Call& call) {
  const auto hold = std::find_if(world.armed.begin(), world.armed.end(), [&call](const ArmedHold& each) {
    return each.kind == call.kind && each.pod == call.full_name();
  });
  call.was_held = hold != world.armed.end();
  world.made.push_back(call);
  if (call.was_held) {
    world.armed.erase(hold);
    return;
  }
  finish(world, call, perform(world, call));
}

}  // namespace

CallId make_call(World& world, Call call) {
  const CallId id = world.next_call++;
  issue(world, world.calls[id] = std::move(call));
  return id;
}

bool is_answered(const World& world, CallId id) { return world.calls.at(id).result != CallResult::waits; }

CallResult take_result(World& world, std::optional<CallId>& call) {
  const CallResult result = world.calls.at(*call).result;
  world.calls.erase(*call);
  call.reset();
  return result;
}

std::string_view reason_of(CallResult failure) {
  // in the order of CallResult
  static constexpr std::array<std::string_view, 6> k_reasons = {"",         "",          "NotFound",
                                                                "Conflict", "Forbidden", "Canceled"};
  return k_reasons[static_cast<std::size_t>(failure)];
}

/// QUE-CALL-2
void cancel(World& world, CallId id) {
  Call& call = world.calls.at(id);
  if (call.result != CallResult::waits) return;
  world.cite("QUE-CALL-2");
  call.result = CallResult::cancelled;
}

std::optional<Error> answer_call(World& world, CallKind kind, const std::string& pod, CallResult result) {
  for (auto& [id, call] : world.calls) {
    if (call.result != CallResult::waits || call.kind != kind || call.full_name() != pod) continue;
    finish(world, call, result == CallResult::ok ? perform(world, call) : result);
    return std::nullopt;
  }
  return Error{"not-waiting", "call", "no such call of " + pod + " waits"};
}

/// QUE-CALL-3
std::optional<ConditionPatch> condition_patch(const PodObject& known, const std::string& type,
                                              const std::string& status, const std::string& reason,
                                              const std::string& message) {
  const std::vector<Condition>& conditions = known.pod.conditions;
  const auto found = std::find_if(conditions.begin(), conditions.end(),
                                  [&type](const Condition& each) { return each.type == type; });
  if (found == conditions.end()) return ConditionPatch{type, status, reason, message};
  ConditionPatch patch{type, {}, {}, {}};
  if (found->status != status) patch.status = status;
  if (found->reason != reason) patch.reason = reason;
  if (message_of(known, type) != message) patch.message = message;
  if (!patch.status && !patch.reason && !patch.message) return std::nullopt;
  return patch;
}

Call call_for(CallKind kind, const Pod& pod) {
  Call call;
  call.kind = kind;
  call.ns = pod.ns;
  call.name = pod.name;
  return call;
}

Call clearing_patch(const Pod& pod) {
  Call call = call_for(CallKind::patch, pod);
  call.nominated_node = "";
  return call;
}

}  // namespace touchstone::reference
