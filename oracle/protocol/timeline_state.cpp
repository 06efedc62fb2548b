#include "oracle/protocol/timeline_state.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

Json json_of(const StoredPod& pod) {
  Json json = Json::object();
  if (!pod.node_name.empty()) json["nodeName"] = pod.node_name;
  if (!pod.nominated_node_name.empty()) json["nominatedNodeName"] = pod.nominated_node_name;
  if (pod.terminating) json["terminating"] = true;
  if (!pod.reason.empty()) json["reason"] = pod.reason;
  return json;
}

/// A call as `calls` and `held` name it.
Json named_call(CallKind kind, const std::string& pod) { return {{"call", name_of(kind)}, {"pod", pod}}; }

template <typename Value>
Json json_of_map(const std::map<std::string, Value>& values) {
  Json json = Json::object();
  for (const auto& [key, value] : values) json[key] = value;
  return json;
}

}  // namespace

std::string_view name_of(CycleOutcome outcome) {
  static constexpr std::array<std::string_view, 10> k_names = {
      "scheduled", "nominated", "none", "ineligible", "error", "dropped", "idle", "busy", "open", "skipped"};
  return k_names[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(CallKind kind) {
  static constexpr std::array<std::string_view, 3> k_names = {"delete", "patch", "bind"};
  return k_names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(WatchedKind kind) {
  static constexpr std::array<std::string_view, 5> k_names = {"Pod", "Node", "PodDisruptionBudget",
                                                              "Workload", "PodGroup"};
  return k_names[static_cast<std::size_t>(kind)];
}

Json state_of(const Observation& seen) {
  Json state{{"active", seen.active},
             {"backoff", seen.backoff},
             {"unschedulable", seen.unschedulable},
             {"inFlight", seen.in_flight},
             {"gated", json_of_map(seen.gated)},
             {"rejectors", json_of_map(seen.rejectors)},
             {"attempts", json_of_map(seen.attempts)},
             {"nominated", json_of_map(seen.nominated)},
             {"assumed", json_of_map(seen.assumed)},
             {"waiting", seen.waiting},
             {"pods", Json::object()},
             {"held", {{"calls", Json::array()}, {"watch", Json::object()}}}};
  if (seen.incomplete) state["incompletePodGroupPods"] = *seen.incomplete;
  if (seen.pending) state["pendingPodGroupPods"] = *seen.pending;
  for (const auto& [name, pod] : seen.pods) state["pods"][name] = json_of(pod);
  for (const auto& [kind, pod] : seen.held_calls) state["held"]["calls"].push_back(named_call(kind, pod));
  for (const auto& [kind, count] : seen.held_events)
    state["held"]["watch"][std::string(name_of(kind))] = count;
  return state;
}

Json calls_of(const std::vector<Call>& calls) {
  Json all = Json::array();
  for (const Call& call : calls) {
    Json json = named_call(call.kind, call.full_name());
    if (call.nominated_node) json["nominatedNodeName"] = *call.nominated_node;
    const auto with_reason = std::find_if(call.conditions.begin(), call.conditions.end(),
                                          [](const ConditionPatch& each) { return each.reason.has_value(); });
    const bool has_reason = with_reason != call.conditions.end();
    if (has_reason) json["reason"] = *with_reason->reason;
    if (call.kind == CallKind::patch && !call.nominated_node && !has_reason) json["messageOnly"] = true;
    if (call.was_held) json["held"] = true;
    all.push_back(std::move(json));
  }
  return all;
}

Json result_of(const CycleResult& result) {
  if (result.outcome == CycleOutcome::skipped) return {{"skipped", result.skipped}};
  Json json;
  if (!result.pod.empty()) json["pod"] = result.pod;
  if (!result.pod_group.empty()) json["podGroup"] = result.pod_group;
  json["outcome"] = name_of(result.outcome);
  if (!result.node.empty()) json["node"] = result.node;
  if (!result.victims.empty()) json["victims"] = result.victims;
  return json;
}

Json json_of(const StepAnswer& answer, bool with_clauses) {
  Json json = Json::object();
  if (answer.cycle) json = result_of(*answer.cycle);
  const bool has_calls = answer.cycle ? !json.contains("skipped") : !answer.calls.empty();
  if (has_calls) json["calls"] = calls_of(answer.calls);
  // The answer of a cycle that ends at once has no `ended`.
  if (answer.ended && !answer.cycle) json["ended"] = result_of(*answer.ended);
  json["state"] = state_of(answer.state);
  if (with_clauses) json["clauses"] = answer.clauses;
  return json;
}

}  // namespace touchstone::oracle
