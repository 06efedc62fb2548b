#include "oracle/protocol/timeline.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/objects.hpp"
#include "oracle/protocol/parts.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/reading.hpp"
#include "oracle/protocol/timeline_state.hpp"
#include "spec/releases/feature_gates.hpp"

namespace touchstone::oracle {

namespace {

using kubernetes::InvalidInput;
using kubernetes::Value;

constexpr std::array<std::string_view, 10> k_commands = {
    "init", "write", "cycle", "advance", "flush", "hold", "answer", "deliver", "permit", "state"};
/// Those that only the controllers beside the scheduler have.
constexpr std::array<std::string_view, 4> k_commands_of_parts = {"start", "stop", "evict", "work"};

bool is_one_of(std::string_view command, std::span<const std::string_view> commands) {
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}
constexpr Quantity k_second_ns = 1'000'000'000;

CallKind call_kind_of(const Value& member) {
  static constexpr std::array<std::string_view, 3> k_names = {"delete", "patch", "bind"};
  return static_cast<CallKind>(choice_of(member, k_names));
}

WatchedKind watched_kind_of(const Value& member) {
  static constexpr std::array<std::string_view, 5> k_names = {"Pod", "Node", "PodDisruptionBudget",
                                                              "Workload", "PodGroup"};
  return static_cast<WatchedKind>(choice_of(member, k_names));
}

/// Reads a pod with what a scheduler over time needs beside the decision.
PodObject read_object(const Value& value) {
  PodObject object;
  object.pod = kubernetes::read_pod(value);
  if (const auto metadata = value.find("metadata")) {
    if (const auto annotations = metadata->find("annotations")) {
      for (const Value each : annotations->members())
        object.annotations[std::string(each.key())] = each.string();
    }
  }
  if (const auto spec = value.find("spec")) {
    if (const auto grace = spec->find("terminationGracePeriodSeconds"))
      object.grace_seconds = grace->integer(0, std::numeric_limits<Quantity>::max());
    if (const auto ref = spec->find("workloadRef"))
      object.workload_ref = {kubernetes::string_field(*ref, "name"),
                             kubernetes::string_field(*ref, "podGroup"),
                             kubernetes::string_field(*ref, "podGroupReplicaKey")};
    if (const auto group = spec->find("schedulingGroup"))
      object.pod_group = kubernetes::string_field(*group, "podGroupName");
  }
  const auto status = value.find("status");
  if (!status) return object;
  kubernetes::list_field(*status, "conditions", [&object](const Value& condition) {
    const std::string message = kubernetes::string_field(condition, "message");
    if (!message.empty()) object.messages[kubernetes::string_field(condition, "type")] = message;
    return true;
  });
  return object;
}

/// The least number of pods by the policy of a group. No value: it is no gang.
std::optional<Quantity> read_policy(const Value& group, std::string_view member) {
  const auto policy = group.find(member);
  const auto gang = policy ? policy->find("gang") : std::nullopt;
  if (!gang) return std::nullopt;
  return gang->require("minCount").integer(0, std::numeric_limits<std::int32_t>::max());
}

WorkloadGroups read_workload(const Value& value) {
  WorkloadGroups workload;
  const Value metadata = value.require("metadata");
  workload.ns = kubernetes::string_field(metadata, "namespace");
  workload.name = kubernetes::string_field(metadata, "name");
  const auto spec = value.find("spec");
  if (!spec) return workload;
  workload.groups = kubernetes::list_field(*spec, "podGroups", [](const Value& group) {
    return PodGroup{kubernetes::string_field(group, "name"), read_policy(group, "policy")};
  });
  return workload;
}

PodGroupObject read_pod_group(const Value& value) {
  PodGroupObject group;
  const Value metadata = value.require("metadata");
  group.ns = kubernetes::string_field(metadata, "namespace");
  group.name = kubernetes::string_field(metadata, "name");
  group.uid = kubernetes::string_field(metadata, "uid");
  const auto spec = value.find("spec");
  if (!spec) return group;
  group.least_pods = read_policy(*spec, "schedulingPolicy");
  if (const auto priority = spec->find("priority")) group.priority = priority->integer(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  const auto mode = spec->find("disruptionMode");
  if (mode && !mode->is_text() && mode->find("all"))
    throw InvalidInput({"not-modelled", "spec.disruptionMode.all", "a pod group that is evicted as a whole"});
  return group;
}

/// Applies `featureGates`. QUE-GANG-1
Release with_gates(const Value& line, const Release& release) {
  const auto gates = line.find("featureGates");
  if (!gates) return release;
  FeatureGates named;
  for (const Value each : gates->members()) named[std::string(each.key())] = each.boolean();
  Result<Release> changed = with_gates_over_time(release, named, "featureGates");
  if (!changed) throw InvalidInput(changed.error());
  return std::move(changed).value();
}

/// Nanoseconds in a number of seconds with at most nine digits behind the point.
Quantity read_seconds(const Value& member) {
  const std::string text = member.number_or_string();
  const std::size_t point = text.find('.');
  std::string digits = point == std::string::npos ? "" : text.substr(point + 1);
  digits.resize(9, '0');
  const std::string all = text.substr(0, point) + digits;
  Quantity nanoseconds = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), nanoseconds);
  if (error != std::errc() || end != all.data() + all.size() || nanoseconds < 0)
    member.fail("out-of-range", "expected a number of seconds, found " + text);
  return nanoseconds;
}

/// Applies `config`. Without a kind, it has only the fields about backoff.
Release configured_release(const Value& line, const Release& release) {
  const auto config = line.find("config");
  if (!config) return release;
  if (config->find("kind")) {
    Result<Release> configured = kubernetes::configured(*config, release, "");
    if (!configured) throw InvalidInput(configured.error());
    return std::move(configured).value();
  }
  refuse_unknown_keys(*config, {"podInitialBackoffSeconds", "podMaxBackoffSeconds"});
  Release changed = release;
  if (const auto first = config->find("podInitialBackoffSeconds"))
    changed.initial_backoff_ns = first->integer(1, kubernetes::k_longest_backoff_s) * k_second_ns;
  if (const auto last = config->find("podMaxBackoffSeconds"))
    changed.longest_backoff_ns = last->integer(1, kubernetes::k_longest_backoff_s) * k_second_ns;
  return changed;
}

WriteCommand read_write(const Value& line) {
  static constexpr std::array<std::string_view, 4> k_verbs = {"create", "update", "delete", "remove"};
  refuse_unknown_keys(line, {"cmd", "seq", "verb", "kind", "object"});
  WriteCommand command;
  command.verb = static_cast<Verb>(choice_of(line.require("verb"), k_verbs));
  const WatchedKind kind = watched_kind_of(line.require("kind"));
  const Value object = line.require("object");
  command.with_status = object.find("status").has_value();
  if (kind == WatchedKind::pod) command.object = read_object(object);
  if (kind == WatchedKind::node) command.object = kubernetes::read_node(object);
  if (kind == WatchedKind::pdb) command.object = kubernetes::read_pdb(object);
  if (kind == WatchedKind::workload) command.object = read_workload(object);
  if (kind == WatchedKind::pod_group) command.object = read_pod_group(object);
  return command;
}

FlushCommand read_flush(const Value& line) {
  static constexpr std::array<std::string_view, 2> k_queues = {"backoff", "leftover"};
  refuse_unknown_keys(line, {"cmd", "seq", "queue"});
  return {static_cast<Timer>(choice_of(line.require("queue"), k_queues))};
}

TimelineCommand read_hold(const Value& line) {
  refuse_unknown_keys(line, {"cmd", "seq", "call", "pod", "watch"});
  if (const auto watch = line.find("watch")) return HoldWatchCommand{watched_kind_of(*watch)};
  return HoldCallCommand{call_kind_of(line.require("call")), std::string(line.require("pod").string())};
}

AnswerCommand read_answer(const Value& line) {
  static constexpr std::array<std::string_view, 4> k_results = {"ok", "notFound", "conflict", "error"};
  static constexpr std::array<CallResult, 4> k_values = {CallResult::ok, CallResult::not_found,
                                                         CallResult::conflict, CallResult::error};
  refuse_unknown_keys(line, {"cmd", "seq", "call", "pod", "result"});
  const CallResult result = k_values[choice_of(line.require("result"), k_results)];
  return {call_kind_of(line.require("call")), std::string(line.require("pod").string()), result};
}

DeliverCommand read_deliver(const Value& line) {
  refuse_unknown_keys(line, {"cmd", "seq", "watch", "count"});
  DeliverCommand command{watched_kind_of(line.require("watch"))};
  if (const auto count = line.find("count"))
    command.count = count->integer(0, std::numeric_limits<Quantity>::max());
  return command;
}

PermitCommand read_permit(const Value& line) {
  static constexpr std::array<std::string_view, 2> k_results = {"reject", "allow"};
  refuse_unknown_keys(line, {"cmd", "seq", "pod", "result"});
  return {std::string(line.require("pod").string()), choice_of(line.require("result"), k_results) == 1};
}

}  // namespace

std::string not_modelled_over_time(const Release& release) {
  if (!queue_is_modelled(release.version)) return "the queue of releases before v1.28, but for v1.13.0";
  if (!release.unmodelled_gate.empty()) return "the feature gate " + std::string(release.unmodelled_gate);
  if (release.calls_are_queued) return "a queue of API calls: v1.34.0 and v1.34.1";
  return "";
}

Beginning read_beginning(const Value& line) {
  refuse_unknown_keys(line, {"cmd", "seq", "release", "now", "nodes", "pods", "pdbs", "workloads",
                             "podGroups", "config", "featureGates", "trace"});
  const Result<NamedRelease> named = find_release(line.require("release").string());
  if (!named) throw InvalidInput(named.error());
  Beginning beginning;
  beginning.release = configured_release(line, with_gates(line, named.value().release));
  beginning.notes = named.value().notes;
  beginning.now_ns = kubernetes::read_time(line.require("now"));
  beginning.objects.nodes = kubernetes::list_field(line, "nodes", kubernetes::read_node);
  beginning.objects.pods = kubernetes::list_field(line, "pods", read_object);
  beginning.objects.pdbs = kubernetes::list_field(line, "pdbs", kubernetes::read_pdb);
  beginning.objects.workloads = kubernetes::list_field(line, "workloads", read_workload);
  beginning.objects.pod_groups = kubernetes::list_field(line, "podGroups", read_pod_group);
  return beginning;
}

bool is_timeline_command(std::string_view command) {
  return is_one_of(command, k_commands) || is_one_of(command, k_commands_of_parts);
}

TimelineCommand read_command(const Value& line, std::string_view command) {
  if (command == "write") return read_write(line);
  if (command == "flush") return read_flush(line);
  if (command == "hold") return read_hold(line);
  if (command == "answer") return read_answer(line);
  if (command == "deliver") return read_deliver(line);
  if (command == "permit") return read_permit(line);
  if (command == "cycle") {
    refuse_unknown_keys(line, {"cmd", "seq", "take"});
    return CycleCommand{kubernetes::string_field(line, "take")};
  }
  if (command == "advance") {
    refuse_unknown_keys(line, {"cmd", "seq", "seconds"});
    return AdvanceCommand{read_seconds(line.require("seconds"))};
  }
  refuse_unknown_keys(line, {"cmd", "seq"});
  return StateCommand{};
}

Json Timeline::answer(const Value& line, std::string_view command) {
  if (command == "init") return begin(line);
  if (part_) return answer_of_part(line);
  if (!model_)
    throw InvalidInput({"no-world", "cmd", "expected \"init\" before \"" + std::string(command) + "\""});
  if (is_one_of(command, k_commands_of_parts))
    throw InvalidInput(
        {"unknown-value", "cmd", "a scheduler has no command \"" + std::string(command) + "\""});
  CanonicalChoices choices;
  const StepAnswer answer = model_->run(read_command(line, command), choices);
  throw_if(answer.error);
  return json_of(answer, is_traced_);
}

Json Timeline::answer_of_part(const Value& line) {
  Json answer = part_->answer(line);
  if (is_traced_) answer["clauses"] = part_->clauses();
  return answer;
}

Json Timeline::begin(const Value& line) {
  model_.reset();
  part_.reset();
  const auto trace = line.find("trace");
  is_traced_ = trace && trace->boolean();
  if (const auto part = line.find("part")) {
    std::unique_ptr<Part> begun = begin_part(line);
    const Version version = find_release(line.require("release").string()).value().release.version;
    if (const std::string reason = part_not_modelled(std::string(part->string()), version); !reason.empty())
      return {{"skipped", reason}};
    part_ = std::move(begun);
    return answer_of_part(line);
  }
  Beginning beginning = read_beginning(line);
  if (const std::string reason = not_modelled_over_time(beginning.release); !reason.empty())
    return {{"skipped", reason}};
  std::unique_ptr<TimelineModel> model = make_();
  throw_if(model->begin(beginning.release, beginning.now_ns, beginning.objects));
  model_ = std::move(model);
  Json answer = json_of(model_->first(), is_traced_);
  if (!beginning.notes.empty()) answer["notes"] = beginning.notes;
  return answer;
}

}  // namespace touchstone::oracle
