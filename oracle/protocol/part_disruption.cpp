#include "oracle/protocol/parts.hpp"
#include "reference/queue/budget_store.hpp"

namespace touchstone::oracle {

namespace {

using namespace reference;

template <typename Names>
std::size_t place_in(const Names& names, const std::string& name) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return i;
  }
  throw std::out_of_range("unknown value " + name);
}

ControlledPod pod_of(const PartJson& json) {
  ControlledPod pod;
  pod.name = json.at("name");
  pod.app = json.value("app", "");
  pod.ready = json.value("ready", false);
  pod.phase = json.value("phase", "");
  pod.terminating = json.value("terminating", false);
  pod.owner = json.value("owner", "");
  if (const auto target = json.find("disruptionTarget"); target != json.end())
    pod.target =
        DisruptionTarget{target->at("status"), target->at("reason"), target->at("lastTransitionTime")};
  return pod;
}

std::optional<PodCount> count_of(const PartJson& json, const char* key) {
  const auto count = json.find(key);
  if (count == json.end()) return std::nullopt;
  if (count->is_number()) return PodCount{count->get<Quantity>(), false};
  return PodCount{std::stoll(count->get<std::string>()), true};
}

ControlledBudget budget_of(const PartJson& json) {
  ControlledBudget budget;
  budget.name = json.at("name");
  budget.app = json.value("app", "");
  budget.min_available = count_of(json, "minAvailable");
  budget.max_unavailable = count_of(json, "maxUnavailable");
  const PartJson disrupted = json.value("disruptedPods", PartJson::object());
  for (const auto& [name, at] : disrupted.items()) budget.status.evicted_ns[name] = at;
  return budget;
}

Workload workload_of(const PartJson& json) {
  const std::string name = json.at("name");
  return {name, json.value("uid", name), json.at("replicas"), json.value("owner", ""), 0};
}

PartJson json_of(const ControlledBudget& budget) {
  const BudgetStatus& status = budget.status;
  PartJson json{{"generation", budget.generation},    {"observedGeneration", status.observed},
                {"expectedPods", status.expected},    {"desiredHealthy", status.desired},
                {"currentHealthy", status.healthy},   {"disruptionsAllowed", status.allowed},
                {"disruptedPods", PartJson::object()}};
  for (const auto& [name, at] : status.evicted_ns) json["disruptedPods"][name] = at;
  if (status.condition)
    json["condition"] = {{"status", status.condition->status},
                         {"reason", status.condition->reason},
                         {"lastTransitionTime", status.condition->since_ns},
                         {"observedGeneration", status.condition->observed}};
  return json;
}

PartJson json_of(const WorkQueue& queue, const ControlledObjects& stored) {
  PartJson json{{"ready", queue.ready}, {"processing", queue.processing}, {"again", PartJson::array()}};
  for (const std::string& key : queue.processing) {
    if (queue.dirty.contains(key)) json["again"].push_back(key);
  }
  for (const auto& [key, count] : queue.failures) {
    const std::string name = key.substr(key.find('/') + 1);
    if (stored.pods.contains(name) || stored.budgets.contains(name)) json["failures"][key] = count;
  }
  return json;
}

PartJson json_of(const ControlCall& call) {
  PartJson json{{"call", k_control_call_names[static_cast<std::size_t>(call.kind)]}, {"name", call.name}};
  if (call.held) json["held"] = true;
  if (!call.result.empty()) json["result"] = call.result;
  return json;
}

PartJson state_of(const BudgetControl& control) {
  PartJson state{{"now", control.now_ns},        {"pdbs", PartJson::object()}, {"pods", PartJson::object()},
                 {"queues", PartJson::object()}, {"held", PartJson::array()},  {"watch", PartJson::object()},
                 {"version", control.writes}};
  for (const auto& [name, budget] : control.stored.budgets) state["pdbs"][name] = json_of(budget);
  for (const auto& [name, pod] : control.stored.pods) {
    if (pod.target)
      state["pods"][name] = {{"status", pod.target->status},
                             {"reason", pod.target->reason},
                             {"lastTransitionTime", pod.target->since_ns}};
  }
  for (const auto& [kind, queue] : control.queues) {
    PartJson shown = json_of(queue, control.stored);
    if (kind == WorkKind::rechecks) shown.erase("failures");
    state["queues"][std::string(k_work_names[static_cast<std::size_t>(kind)])] = shown;
  }
  for (const ControlCall& call : control.waiting) state["held"].push_back(json_of(call));
  for (const auto& [kind, events] : control.held_events)
    state["watch"][std::string(k_controlled_kind_names[static_cast<std::size_t>(kind)])] = events.size();
  return state;
}

std::optional<Error> write(BudgetControl& control, const PartJson& line) {
  const std::string verb = line.at("verb");
  const PartJson& object = line.at("object");
  const auto kind = static_cast<ControlledKind>(place_in(k_controlled_kind_names, line.at("kind")));
  if (verb == "delete" || verb == "remove") return remove(control, kind, object.at("name"), verb == "remove");
  const bool creates = verb == "create";
  if (kind == ControlledKind::pod) return create_or_update(control, creates, pod_of(object));
  if (kind == ControlledKind::budget) return create_or_update(control, creates, budget_of(object));
  return create_or_update(control, creates, workload_of(object));
}

}  // namespace

DisruptionPart::DisruptionPart(const PartJson& init) {
  control_.now_ns = init.at("now");
  for (const PartJson& each : init.value("workloads", PartJson::array())) put(control_, workload_of(each));
  for (const PartJson& each : init.value("pdbs", PartJson::array())) put(control_, budget_of(each));
  for (const PartJson& each : init.value("pods", PartJson::array())) put(control_, pod_of(each));
}

std::optional<Error> DisruptionPart::step(const PartJson& line, std::string& outcome) {
  const std::string cmd = line.at("cmd");
  if (cmd == "write") return write(control_, line);
  if (cmd == "evict") return evict(control_, line.at("pod"), line.at("pdb"));
  if (cmd == "advance") return reference::advance(control_, line.at("nanoseconds")), std::nullopt;
  if (cmd == "work") {
    const auto kind = static_cast<WorkKind>(place_in(k_work_names, line.at("queue")));
    outcome = k_work_outcome_names[static_cast<std::size_t>(work(control_, kind))];
    return std::nullopt;
  }
  if (cmd == "hold" && line.contains("watch"))
    return hold_events(control_,
                       static_cast<ControlledKind>(place_in(k_controlled_kind_names, line.at("watch")))),
           std::nullopt;
  if (cmd == "hold")
    return ++control_.armed[static_cast<ControlCallKind>(place_in(k_control_call_names, line.at("call")))],
           std::nullopt;
  if (cmd == "answer")
    return reference::answer(control_,
                             static_cast<ControlResult>(place_in(k_control_result_names, line.at("result"))));
  if (cmd == "deliver")
    return deliver(control_, static_cast<ControlledKind>(place_in(k_controlled_kind_names, line.at("watch"))),
                   line.value("count", std::size_t{0}));
  return std::nullopt;
}

PartJson DisruptionPart::answer(const PartJson& line) {
  control_.calls.clear();
  control_.clauses.clear();
  std::string outcome;
  if (const std::optional<Error> error = step(line, outcome))
    return {{"error", {{"code", error->code}, {"path", error->path}, {"message", error->message}}}};
  PartJson answer{{"calls", PartJson::array()}, {"state", state_of(control_)}};
  for (const ControlCall& call : control_.calls) answer["calls"].push_back(json_of(call));
  if (!outcome.empty()) answer["outcome"] = outcome;
  return answer;
}

std::set<std::string> DisruptionPart::clauses() const {
  return {control_.clauses.begin(), control_.clauses.end()};
}

bool is_part(const std::string& name) { return name == "disruption" || name == "leaderElection"; }

std::unique_ptr<Part> part_of(const PartJson& init) {
  const std::string name = init.value("part", "");
  if (!is_part(name) || !find_release(init.value("release", ""))) return nullptr;
  if (name == "disruption") return std::make_unique<DisruptionPart>(init);
  return std::make_unique<ElectionPart>(init);
}

}  // namespace touchstone::oracle
