#pragma once

#include "oracle/protocol/answers.hpp"
#include "reference/queue/world.hpp"

/// Writes what can be seen of a scheduler over time.
namespace touchstone::oracle {

/// The value of `state`.
Json state_of(const reference::World& world);

/// The calls that were made since the last command, as the value of `calls`.
Json calls_of(const reference::World& world);

/// The result of a cycle: its outcome, pod, node and victims.
Json result_of(const reference::CycleResult& result);

/// The name of a kind of call, and of a kind of watched object.
std::string_view name_of(reference::CallKind kind);
std::string_view name_of(reference::WatchedKind kind);

}  // namespace touchstone::oracle
