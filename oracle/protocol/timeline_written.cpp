#include "oracle/protocol/timeline_written.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "kubernetes/write/written.hpp"
#include "oracle/protocol/timeline_state.hpp"

namespace touchstone::oracle {

namespace {

constexpr Quantity k_ns_per_second = 1'000'000'000;
constexpr Quantity k_usual_grace_seconds = 30;

/// One of the lists of a question that has only these objects.
Json list_of(const char* key, const Cluster& cluster) {
  return kubernetes::written(Question{cluster, {}, {}, {}})[key];
}

Json object_of(const PodObject& object) {
  Cluster alone;
  alone.pods = {object.pod};
  Json json = list_of("pods", alone)[0];
  if (object.grace_seconds != k_usual_grace_seconds)
    json["spec"]["terminationGracePeriodSeconds"] = object.grace_seconds;
  if (object.workload_ref) {
    Json& ref = json["spec"]["workloadRef"];
    ref = {{"name", object.workload_ref->workload}, {"podGroup", object.workload_ref->group}};
    if (!object.workload_ref->replica_key.empty())
      ref["podGroupReplicaKey"] = object.workload_ref->replica_key;
  }
  if (!object.pod_group.empty()) json["spec"]["schedulingGroup"] = {{"podGroupName", object.pod_group}};
  for (const auto& [key, text] : object.annotations) json["metadata"]["annotations"][key] = text;
  for (Json& condition : json["status"]["conditions"]) {
    const auto message = object.messages.find(condition.value("type", ""));
    if (message != object.messages.end()) condition["message"] = message->second;
  }
  return json;
}
Json object_of(const Node& node) {
  Cluster alone;
  alone.nodes = {node};
  return list_of("nodes", alone)[0];
}
Json object_of(const PodDisruptionBudget& pdb) {
  Cluster alone;
  alone.pdbs = {pdb};
  return list_of("pdbs", alone)[0];
}

Json policy_of(const std::optional<Quantity>& least_pods) {
  if (!least_pods) return {{"basic", Json::object()}};
  return {{"gang", {{"minCount", *least_pods}}}};
}

Json object_of(const WorkloadGroups& workload) {
  Json groups = Json::array();
  for (const PodGroup& group : workload.groups)
    groups.push_back({{"name", group.name}, {"policy", policy_of(group.least_pods)}});
  return {{"metadata", {{"namespace", workload.ns}, {"name", workload.name}}},
          {"spec", {{"podGroups", groups}}}};
}

Json object_of(const PodGroupObject& group) {
  Json json{{"metadata", {{"namespace", group.ns}, {"name", group.name}}},
            {"spec", {{"schedulingPolicy", policy_of(group.least_pods)}}}};
  if (!group.uid.empty()) json["metadata"]["uid"] = group.uid;
  if (group.priority != 0) json["spec"]["priority"] = group.priority;
  return json;
}

template <typename Object>
Json objects_of(const std::vector<Object>& objects) {
  Json list = Json::array();
  for (const Object& object : objects) list.push_back(object_of(object));
  return list;
}

std::string_view kind_of_object(const WrittenObject& object) {
  return name_of(static_cast<WatchedKind>(object.index()));
}

std::string_view name_of_verb(Verb verb) {
  static constexpr std::array<std::string_view, 4> k_names = {"create", "update", "delete", "remove"};
  return k_names[static_cast<std::size_t>(verb)];
}

std::string_view name_of_result(CallResult result) {
  switch (result) {
    case CallResult::not_found:
      return "notFound";
    case CallResult::conflict:
      return "conflict";
    case CallResult::error:
      return "error";
    default:
      return "ok";
  }
}

struct CommandWriter {
  Json operator()(const WriteCommand& command) const {
    Json object = std::visit([](const auto& each) { return object_of(each); }, command.object);
    if (!command.with_status) object.erase("status");
    return {{"cmd", "write"},
            {"verb", name_of_verb(command.verb)},
            {"kind", kind_of_object(command.object)},
            {"object", std::move(object)}};
  }
  Json operator()(const CycleCommand& command) const {
    Json json{{"cmd", "cycle"}};
    if (!command.take.empty()) json["take"] = command.take;
    return json;
  }
  Json operator()(const AdvanceCommand& command) const {
    return {{"cmd", "advance"},
            {"seconds", static_cast<double>(command.ns) / static_cast<double>(k_ns_per_second)}};
  }
  Json operator()(const FlushCommand& command) const {
    return {{"cmd", "flush"}, {"queue", command.timer == Timer::backoff ? "backoff" : "leftover"}};
  }
  Json operator()(const HoldCallCommand& command) const {
    return {{"cmd", "hold"}, {"call", name_of(command.kind)}, {"pod", command.pod}};
  }
  Json operator()(const HoldWatchCommand& command) const {
    return {{"cmd", "hold"}, {"watch", name_of(command.kind)}};
  }
  Json operator()(const AnswerCommand& command) const {
    return {{"cmd", "answer"},
            {"call", name_of(command.kind)},
            {"pod", command.pod},
            {"result", name_of_result(command.result)}};
  }
  Json operator()(const DeliverCommand& command) const {
    Json json{{"cmd", "deliver"}, {"watch", name_of(command.kind)}};
    if (command.count) json["count"] = *command.count;
    return json;
  }
  Json operator()(const PermitCommand& command) const {
    return {{"cmd", "permit"}, {"pod", command.pod}, {"result", command.is_allowed ? "allow" : "reject"}};
  }
  Json operator()(const StateCommand&) const { return {{"cmd", "state"}}; }
};

}  // namespace

Json written_beginning(const TimelineScript& timeline) {
  Json json{{"cmd", "init"},
            {"release", timeline.release.version.text()},
            {"now", kubernetes::written_time(timeline.now_ns)},
            {"nodes", objects_of(timeline.objects.nodes)},
            {"pods", objects_of(timeline.objects.pods)},
            {"pdbs", objects_of(timeline.objects.pdbs)}};
  if (timeline.release.gangs_wait && !timeline.release.groups_are_queued)
    json["featureGates"]["GangScheduling"] = true;
  if (timeline.release.gangs_wait || timeline.release.groups_are_scheduled)
    json["featureGates"]["GenericWorkload"] = true;
  if (!timeline.objects.workloads.empty()) json["workloads"] = objects_of(timeline.objects.workloads);
  if (!timeline.objects.pod_groups.empty()) json["podGroups"] = objects_of(timeline.objects.pod_groups);
  return json;
}

Json written(const TimelineCommand& command) { return std::visit(CommandWriter{}, command); }

}  // namespace touchstone::oracle
