#include "oracle/protocol/timeline_state.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

using reference::Call;
using reference::CallResult;
using reference::CycleOutcome;
using reference::Entry;
using reference::PodObject;
using reference::World;

Json sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

Json names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.object.pod.full_name());
  return sorted(names);
}

/// The reason of condition PodScheduled, if it is false. Empty: it is not.
std::string unscheduled_reason(const PodObject& pod) {
  for (const Condition& condition : pod.pod.conditions) {
    if (condition.type == "PodScheduled" && condition.status == "False") return condition.reason;
  }
  return "";
}

Json stored_pods(const World& world) {
  std::map<std::string, Json> pods;
  for (const PodObject& object : world.stored.pods) {
    Json& json = pods[object.pod.full_name()] = Json::object();
    if (!object.pod.node_name.empty()) json["nodeName"] = object.pod.node_name;
    if (!object.pod.nominated_node_name.empty()) json["nominatedNodeName"] = object.pod.nominated_node_name;
    if (object.pod.terminating) json["terminating"] = true;
    if (const std::string reason = unscheduled_reason(object); !reason.empty()) json["reason"] = reason;
  }
  Json json = Json::object();
  for (auto& [name, pod] : pods) json[name] = std::move(pod);
  return json;
}

/// A call as `calls` and `held` name it.
Json named_call(const Call& call) { return {{"call", name_of(call.kind)}, {"pod", call.full_name()}}; }

Json held_of(const World& world) {
  Json held{{"calls", Json::array()}, {"watch", Json::object()}};
  std::map<std::string, Json> calls;
  for (const auto& [id, call] : world.calls) {
    const std::string key = call.full_name() + ":" + std::string(name_of(call.kind));
    if (call.result == CallResult::waits) calls[key].push_back(named_call(call));
  }
  for (const auto& [key, same] : calls) held["calls"].insert(held["calls"].end(), same.begin(), same.end());
  for (const reference::WatchedKind kind : world.held_kinds) {
    const auto count = std::count_if(world.events.begin(), world.events.end(),
                                     [kind](const auto& event) { return event.kind == kind; });
    held["watch"][std::string(name_of(kind))] = count;
  }
  return held;
}

}  // namespace

std::string_view name_of(reference::CallKind kind) {
  static constexpr std::array<std::string_view, 3> k_names = {"delete", "patch", "bind"};
  return k_names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(reference::WatchedKind kind) {
  static constexpr std::array<std::string_view, 3> k_names = {"Pod", "Node", "PodDisruptionBudget"};
  return k_names[static_cast<std::size_t>(kind)];
}

Json state_of(const World& world) {
  Json state;
  state["active"] = names_of(world.queue.active);
  state["backoff"] = names_of(world.queue.backoff);
  state["unschedulable"] = names_of(world.queue.unschedulable);
  std::vector<std::string> in_flight;
  for (const reference::InFlight& each : world.queue.in_flight) {
    if (!each.uid.empty()) in_flight.push_back(each.full_name);
  }
  state["inFlight"] = sorted(in_flight);
  for (const char* key : {"gated", "rejectors", "attempts", "nominated", "assumed"})
    state[key] = Json::object();
  for (const auto* part : {&world.queue.active, &world.queue.backoff, &world.queue.unschedulable}) {
    for (const Entry& entry : *part) {
      const std::string name = entry.object.pod.full_name();
      if (!entry.gated_by.empty()) state["gated"][name] = entry.gated_by;
      state["rejectors"][name] = entry.rejectors;
      state["attempts"][name] = entry.attempts;
    }
  }
  for (const auto& [node, pods] : world.nominations) {
    std::vector<std::string> names;
    for (const reference::NominatedPod& pod : pods) names.push_back(pod.ns + "/" + pod.name);
    state["nominated"][node] = sorted(names);
  }
  for (const auto& [node, pods] : world.cache.pods) {
    for (const PodObject& pod : pods) {
      if (world.cache.assumed.contains(pod.pod.uid)) state["assumed"][pod.pod.full_name()] = node;
    }
  }
  state["pods"] = stored_pods(world);
  state["held"] = held_of(world);
  return state;
}

Json calls_of(const World& world) {
  Json calls = Json::array();
  for (const Call& call : world.made) {
    Json json = named_call(call);
    if (call.nominated_node) json["nominatedNodeName"] = *call.nominated_node;
    const bool has_reason = call.condition && call.condition->reason;
    if (has_reason) json["reason"] = *call.condition->reason;
    if (call.kind == reference::CallKind::patch && !call.nominated_node && !has_reason)
      json["messageOnly"] = true;
    if (call.was_held) json["held"] = true;
    calls.push_back(std::move(json));
  }
  return calls;
}

Json result_of(const reference::CycleResult& result) {
  static constexpr std::array<std::string_view, 10> k_names = {
      "scheduled", "nominated", "none", "ineligible", "error", "dropped", "idle", "busy", "open", "skipped"};
  Json json;
  if (result.outcome == CycleOutcome::skipped) return {{"skipped", result.skipped}};
  if (!result.pod.empty()) json["pod"] = result.pod;
  json["outcome"] = k_names[static_cast<std::size_t>(result.outcome)];
  if (!result.node.empty()) json["node"] = result.node;
  if (!result.victims.empty()) json["victims"] = result.victims;
  return json;
}

}  // namespace touchstone::oracle
