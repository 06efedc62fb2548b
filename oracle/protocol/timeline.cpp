#include "oracle/protocol/timeline.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/objects.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/timeline_state.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "reference/queue/store.hpp"

namespace touchstone::oracle {

namespace {

using kubernetes::InvalidInput;
using kubernetes::Value;
using reference::CallKind;
using reference::CallResult;
using reference::PodObject;
using reference::WatchedKind;
using reference::World;

constexpr std::array<std::string_view, 9> k_commands = {"init", "write",  "cycle",   "advance", "flush",
                                                        "hold", "answer", "deliver", "state"};
constexpr Quantity k_second_ns = 1'000'000'000;

void throw_if(const std::optional<Error>& error) {
  if (error) throw InvalidInput(*error);
}

/// The element of a list of names that a member has.
template <std::size_t N>
std::size_t choice_of(const Value& member, const std::array<std::string_view, N>& names) {
  const auto found = std::find(names.begin(), names.end(), member.string());
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string expected;
  for (const std::string_view name : names)
    expected += (expected.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  member.fail("unknown-value",
              "expected one of " + expected + ", found \"" + std::string(member.string()) + "\"");
}

CallKind call_kind_of(const Value& member) {
  static constexpr std::array<std::string_view, 3> k_names = {"delete", "patch", "bind"};
  return static_cast<CallKind>(choice_of(member, k_names));
}

WatchedKind watched_kind_of(const Value& member) {
  static constexpr std::array<std::string_view, 3> k_names = {"Pod", "Node", "PodDisruptionBudget"};
  return static_cast<WatchedKind>(choice_of(member, k_names));
}

/// Reads a pod with what a scheduler over time needs beside the decision.
PodObject read_object(const Value& value) {
  PodObject object;
  object.pod = kubernetes::read_pod(value);
  if (const auto spec = value.find("spec")) {
    if (const auto grace = spec->find("terminationGracePeriodSeconds"))
      object.grace_seconds = grace->integer(0, std::numeric_limits<Quantity>::max());
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
  constexpr Quantity k_most = 1'000'000;
  Release changed = release;
  if (const auto first = config->find("podInitialBackoffSeconds"))
    changed.initial_backoff_ns = first->integer(1, k_most) * k_second_ns;
  if (const auto last = config->find("podMaxBackoffSeconds"))
    changed.longest_backoff_ns = last->integer(1, k_most) * k_second_ns;
  return changed;
}

/// The reason for which a release is not modelled over time. Empty: it is.
std::string not_modelled_over_time(const Release& release) {
  if (!release.queueing_hints) return "a queue without queueing hints: releases before v1.32";
  if (release.calls_are_queued) return "a queue of API calls: v1.34.0 and v1.34.1";
  return "";
}

Json init(const Value& line, std::optional<World>& world) {
  refuse_unknown_keys(
      line, {"cmd", "seq", "release", "now", "nodes", "pods", "pdbs", "config", "featureGates", "trace"});
  if (const auto gates = line.find("featureGates"))
    gates->fail("not-supported", "feature gates are not supported");
  const Result<NamedRelease> named = find_release(line.require("release").string());
  if (!named) throw InvalidInput(named.error());
  const Release release = configured_release(line, named.value().release);
  if (const std::string reason = not_modelled_over_time(release); !reason.empty())
    return {{"skipped", reason}};
  const Quantity now_ns = kubernetes::read_time(line.require("now"));
  reference::Objects objects;
  objects.nodes = kubernetes::list_field(line, "nodes", kubernetes::read_node);
  objects.pods = kubernetes::list_field(line, "pods", read_object);
  objects.pdbs = kubernetes::list_field(line, "pdbs", kubernetes::read_pdb);
  Result<World> made = reference::world_of(release, now_ns, objects);
  if (!made) throw InvalidInput(made.error());
  world = std::move(made).value();
  Json answer;
  if (!named.value().notes.empty()) answer["notes"] = named.value().notes;
  return answer;
}

/// The verbs of `write`.
enum class Verb { create, update, remove_with_grace, remove };

void write_pod(World& world, Verb verb, const Value& object) {
  const PodObject pod = read_object(object);
  const std::string& ns = pod.pod.ns;
  const std::string& name = pod.pod.name;
  switch (verb) {
    case Verb::create:
      return throw_if(reference::create(world, pod));
    case Verb::update:
      return throw_if(reference::update(world, pod, object.find("status").has_value()));
    case Verb::remove_with_grace:
      return throw_if(reference::delete_pod(world, ns, name));
    case Verb::remove:
      return throw_if(reference::remove_pod(world, ns, name));
  }
}

void write_node(World& world, Verb verb, const Value& object) {
  const Node node = kubernetes::read_node(object);
  if (verb == Verb::create) return throw_if(reference::create(world, node));
  if (verb == Verb::update)
    return throw_if(reference::update(world, node, object.find("status").has_value()));
  throw_if(reference::remove_node_object(world, node.name));
}

void write_pdb(World& world, Verb verb, const Value& object) {
  const PodDisruptionBudget pdb = kubernetes::read_pdb(object);
  if (verb == Verb::create) return throw_if(reference::create(world, pdb));
  if (verb == Verb::update) return throw_if(reference::update(world, pdb, object.find("status").has_value()));
  throw_if(reference::remove_pdb(world, pdb.ns, pdb.name));
}

void write(const Value& line, World& world) {
  static constexpr std::array<std::string_view, 4> k_verbs = {"create", "update", "delete", "remove"};
  refuse_unknown_keys(line, {"cmd", "seq", "verb", "kind", "object"});
  const Verb verb = static_cast<Verb>(choice_of(line.require("verb"), k_verbs));
  const WatchedKind kind = watched_kind_of(line.require("kind"));
  const Value object = line.require("object");
  if (kind == WatchedKind::pod) return write_pod(world, verb, object);
  if (kind == WatchedKind::node) return write_node(world, verb, object);
  write_pdb(world, verb, object);
}

Json run_cycle(const Value& line, World& world, Choices& choices) {
  refuse_unknown_keys(line, {"cmd", "seq", "take"});
  const Result<reference::CycleResult> result =
      reference::cycle(world, kubernetes::string_field(line, "take"), choices);
  if (!result) throw InvalidInput(result.error());
  Json answer = result_of(result.value());
  if (!answer.contains("skipped")) answer["calls"] = calls_of(world);
  return answer;
}

void flush(const Value& line, World& world) {
  static constexpr std::array<std::string_view, 2> k_queues = {"backoff", "leftover"};
  refuse_unknown_keys(line, {"cmd", "seq", "queue"});
  if (choice_of(line.require("queue"), k_queues) == 0) {
    reference::flush_backoff(world);
  } else {
    reference::flush_leftover(world);
  }
}

void hold(const Value& line, World& world) {
  refuse_unknown_keys(line, {"cmd", "seq", "call", "pod", "watch"});
  if (const auto watch = line.find("watch")) {
    world.held_kinds.insert(watched_kind_of(*watch));
    return;
  }
  world.armed.push_back({call_kind_of(line.require("call")), std::string(line.require("pod").string())});
}

void answer_call(const Value& line, World& world) {
  static constexpr std::array<std::string_view, 4> k_results = {"ok", "notFound", "conflict", "error"};
  static constexpr std::array<CallResult, 4> k_values = {CallResult::ok, CallResult::not_found,
                                                         CallResult::conflict, CallResult::error};
  refuse_unknown_keys(line, {"cmd", "seq", "call", "pod", "result"});
  const CallResult result = k_values[choice_of(line.require("result"), k_results)];
  throw_if(reference::answer_call(world, call_kind_of(line.require("call")),
                                  std::string(line.require("pod").string()), result));
}

void deliver(const Value& line, World& world, Choices& choices) {
  refuse_unknown_keys(line, {"cmd", "seq", "watch", "count"});
  const auto count = line.find("count");
  std::optional<Quantity> number;
  if (count) number = count->integer(0, std::numeric_limits<Quantity>::max());
  throw_if(reference::deliver(world, watched_kind_of(line.require("watch")), number, choices));
}

/// Runs a command other than `init` and `cycle`.
void run_command(const Value& line, std::string_view command, World& world, Choices& choices) {
  if (command == "write") return write(line, world);
  if (command == "flush") return flush(line, world);
  if (command == "hold") return hold(line, world);
  if (command == "answer") return answer_call(line, world);
  if (command == "deliver") return deliver(line, world, choices);
  if (command == "advance") {
    refuse_unknown_keys(line, {"cmd", "seq", "seconds"});
    world.now_ns += read_seconds(line.require("seconds"));
    return;
  }
  refuse_unknown_keys(line, {"cmd", "seq"});
}

}  // namespace

bool is_timeline_command(std::string_view command) {
  return std::find(k_commands.begin(), k_commands.end(), command) != k_commands.end();
}

Json Timeline::answer(const Value& line, std::string_view command) {
  CanonicalChoices choices;
  Json answer = Json::object();
  if (command == "init") {
    world_.reset();
    answer = init(line, world_);
    const auto trace = line.find("trace");
    is_traced_ = trace && trace->boolean();
    if (!world_) return answer;
  } else if (!world_) {
    throw InvalidInput({"no-world", "cmd", "expected \"init\" before \"" + std::string(command) + "\""});
  } else {
    world_->made.clear();
    world_->cited.clear();
    world_->ended.reset();
    if (command == "cycle") {
      answer = run_cycle(line, *world_, choices);
    } else {
      run_command(line, command, *world_, choices);
      reference::settle(*world_, choices);
      if (!world_->made.empty()) answer["calls"] = calls_of(*world_);
      if (world_->ended) answer["ended"] = result_of(*world_->ended);
    }
  }
  answer["state"] = state_of(*world_);
  if (is_traced_) answer["clauses"] = world_->cited;
  return answer;
}

}  // namespace touchstone::oracle
