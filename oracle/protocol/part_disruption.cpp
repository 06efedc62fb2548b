#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/objects/fields.hpp"
#include "oracle/protocol/parts.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/reading.hpp"
#include "reference/controllers/budget_store.hpp"

namespace touchstone::oracle {

namespace {

using namespace reference;
using kubernetes::Value;

constexpr Quantity k_most_pods = std::numeric_limits<std::int32_t>::max();

Quantity time_of(const Value& member) { return member.integer(0, k_latest_ns); }

ControlledPod pod_of(const Value& value) {
  refuse_unknown_keys(value, {"name", "app", "ready", "phase", "terminating", "owner", "disruptionTarget"});
  ControlledPod pod;
  pod.name = kubernetes::name_field(value);
  pod.app = kubernetes::string_field(value, "app");
  pod.ready = kubernetes::bool_field(value, "ready");
  pod.phase = kubernetes::string_field(value, "phase");
  pod.terminating = kubernetes::bool_field(value, "terminating");
  pod.owner = kubernetes::string_field(value, "owner");
  if (const auto target = value.find("disruptionTarget")) {
    refuse_unknown_keys(*target, {"status", "reason", "lastTransitionTime"});
    pod.target = DisruptionTarget{std::string(target->require("status").string()),
                                  std::string(target->require("reason").string()),
                                  time_of(target->require("lastTransitionTime"))};
  }
  return pod;
}

/// A number of pods, or a percentage up to 100%.
std::optional<PodCount> count_of(const Value& object, const char* key) {
  const auto count = object.find(key);
  if (!count) return std::nullopt;
  if (!count->is_text()) return PodCount{count->integer(0, k_most_pods), false};
  const std::string_view text = count->string();
  Quantity percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || std::string_view(end, text.data() + text.size()) != "%" || percent < 0 ||
      percent > 100)
    count->fail("out-of-range", "expected a number of pods, or 0% to 100%, found " + std::string(text));
  return PodCount{percent, true};
}

ControlledBudget budget_of(const Value& value) {
  refuse_unknown_keys(value, {"name", "app", "minAvailable", "maxUnavailable", "disruptedPods"});
  ControlledBudget budget;
  budget.name = kubernetes::name_field(value);
  budget.app = kubernetes::string_field(value, "app");
  budget.min_available = count_of(value, "minAvailable");
  budget.max_unavailable = count_of(value, "maxUnavailable");
  if (budget.min_available && budget.max_unavailable)
    value.fail("contradiction", "expected minAvailable or maxUnavailable, found both");
  if (const auto disrupted = value.find("disruptedPods")) {
    for (const Value each : disrupted->members())
      budget.status.evicted_ns[std::string(each.key())] = time_of(each);
  }
  return budget;
}

Workload workload_of(const Value& value) {
  refuse_unknown_keys(value, {"name", "uid", "replicas", "owner"});
  const std::string name = kubernetes::name_field(value);
  const auto uid = value.find("uid");
  return {name, uid ? std::string(uid->string()) : name, value.require("replicas").integer(0, k_most_pods),
          kubernetes::string_field(value, "owner"), 0};
}

Json json_of(const ControlledBudget& budget) {
  const BudgetStatus& status = budget.status;
  Json json{{"generation", budget.generation},  {"observedGeneration", status.observed},
            {"expectedPods", status.expected},  {"desiredHealthy", status.desired},
            {"currentHealthy", status.healthy}, {"disruptionsAllowed", status.allowed},
            {"disruptedPods", Json::object()}};
  for (const auto& [name, at] : status.evicted_ns) json["disruptedPods"][name] = at;
  if (status.condition)
    json["condition"] = {{"status", status.condition->status},
                         {"reason", status.condition->reason},
                         {"lastTransitionTime", status.condition->since_ns},
                         {"observedGeneration", status.condition->observed}};
  return json;
}

Json json_of(const WorkQueue& queue, const ControlledObjects& stored) {
  Json json{{"ready", queue.ready}, {"processing", queue.processing}, {"again", Json::array()}};
  for (const std::string& key : queue.processing) {
    if (queue.dirty.contains(key)) json["again"].push_back(key);
  }
  for (const auto& [key, count] : queue.failures) {
    const std::string name = key.substr(key.find('/') + 1);
    if (stored.pods.contains(name) || stored.budgets.contains(name)) json["failures"][key] = count;
  }
  return json;
}

Json json_of(const ControlCall& call) {
  Json json{{"call", k_control_call_names[static_cast<std::size_t>(call.kind)]}, {"name", call.name}};
  if (call.held) json["held"] = true;
  if (!call.result.empty()) json["result"] = call.result;
  return json;
}

Json state_of(const BudgetControl& control) {
  Json state{{"now", control.now_ns},    {"pdbs", Json::object()}, {"pods", Json::object()},
             {"queues", Json::object()}, {"held", Json::array()},  {"watch", Json::object()},
             {"version", control.writes}};
  for (const auto& [name, budget] : control.stored.budgets) state["pdbs"][name] = json_of(budget);
  for (const auto& [name, pod] : control.stored.pods) {
    if (pod.target)
      state["pods"][name] = {{"status", pod.target->status},
                             {"reason", pod.target->reason},
                             {"lastTransitionTime", pod.target->since_ns}};
  }
  for (const auto& [kind, queue] : control.queues) {
    Json shown = json_of(queue, control.stored);
    if (kind == WorkKind::rechecks) shown.erase("failures");
    state["queues"][std::string(k_work_names[static_cast<std::size_t>(kind)])] = shown;
  }
  for (const ControlCall& call : control.waiting) state["held"].push_back(json_of(call));
  for (const auto& [kind, events] : control.held_events)
    state["watch"][std::string(k_controlled_kind_names[static_cast<std::size_t>(kind)])] = events.size();
  return state;
}

std::optional<Error> write(BudgetControl& control, const Value& line) {
  static constexpr std::array<std::string_view, 4> k_verbs = {"create", "update", "delete", "remove"};
  const std::string_view verb = k_verbs[choice_of(line.require("verb"), k_verbs)];
  const auto kind = static_cast<ControlledKind>(choice_of(line.require("kind"), k_controlled_kind_names));
  const Value object = line.require("object");
  if (verb == "delete" || verb == "remove")
    return remove(control, kind, kubernetes::name_field(object), verb == "remove");
  const bool creates = verb == "create";
  if (kind == ControlledKind::pod) return create_or_update(control, creates, pod_of(object));
  if (kind == ControlledKind::budget) return create_or_update(control, creates, budget_of(object));
  return create_or_update(control, creates, workload_of(object));
}

ControlledKind kind_of_watch(const Value& line) {
  return static_cast<ControlledKind>(choice_of(line.require("watch"), k_controlled_kind_names));
}

std::optional<Error> hold(BudgetControl& control, const Value& line) {
  refuse_unknown_keys(line, {"cmd", "seq", line.find("watch") ? "watch" : "call"});
  if (line.find("watch")) return hold_events(control, kind_of_watch(line)), std::nullopt;
  const std::size_t call = choice_of(line.require("call"), k_control_call_names);
  return ++control.armed[static_cast<ControlCallKind>(call)], std::nullopt;
}

}  // namespace

DisruptionPart::DisruptionPart(const Value& init) {
  refuse_unknown_keys(init, {"cmd", "seq", "part", "release", "now", "pods", "pdbs", "workloads", "trace"});
  control_.now_ns = time_of(init.require("now"));
  for (const Workload& each : kubernetes::list_field(init, "workloads", workload_of)) put(control_, each);
  for (const ControlledBudget& each : kubernetes::list_field(init, "pdbs", budget_of)) put(control_, each);
  for (const ControlledPod& each : kubernetes::list_field(init, "pods", pod_of)) put(control_, each);
}

std::optional<Error> DisruptionPart::step(const Value& line, std::string& outcome) {
  static constexpr std::array<std::string_view, 9> k_commands = {
      "init", "state", "write", "evict", "advance", "work", "hold", "answer", "deliver"};
  switch (choice_of(line.require("cmd"), k_commands)) {
    case 0:
      return std::nullopt;
    case 1:
      refuse_unknown_keys(line, {"cmd", "seq"});
      return std::nullopt;
    case 2:
      refuse_unknown_keys(line, {"cmd", "seq", "verb", "kind", "object"});
      return write(control_, line);
    case 3:
      refuse_unknown_keys(line, {"cmd", "seq", "pod", "pdb"});
      return evict(control_, kubernetes::name_field(line, "pod"), kubernetes::name_field(line, "pdb"));
    case 4:
      refuse_unknown_keys(line, {"cmd", "seq", "nanoseconds"});
      return reference::advance(control_, step_of(line, control_.now_ns)), std::nullopt;
    case 5: {
      refuse_unknown_keys(line, {"cmd", "seq", "queue"});
      const auto kind = static_cast<WorkKind>(choice_of(line.require("queue"), k_work_names));
      outcome = k_work_outcome_names[static_cast<std::size_t>(work(control_, kind))];
      return std::nullopt;
    }
    case 6:
      return hold(control_, line);
    case 7:
      refuse_unknown_keys(line, {"cmd", "seq", "result"});
      return reference::answer(
          control_, static_cast<ControlResult>(choice_of(line.require("result"), k_control_result_names)));
    default: {
      refuse_unknown_keys(line, {"cmd", "seq", "watch", "count"});
      const auto count = line.find("count");
      return deliver(control_, kind_of_watch(line),
                     count ? static_cast<std::size_t>(count->integer(0, k_most_pods)) : 0);
    }
  }
}

Json DisruptionPart::answer(const Value& line) {
  control_.calls.clear();
  control_.clauses.clear();
  std::string outcome;
  throw_if(step(line, outcome));
  Json answer{{"calls", Json::array()}, {"state", state_of(control_)}};
  for (const ControlCall& call : control_.calls) answer["calls"].push_back(json_of(call));
  if (!outcome.empty()) answer["outcome"] = outcome;
  return answer;
}

std::set<std::string> DisruptionPart::clauses() const {
  return {control_.clauses.begin(), control_.clauses.end()};
}

}  // namespace touchstone::oracle
