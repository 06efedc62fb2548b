#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reference/queue/handlers.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "reference/queue/store.hpp"
#include "tests/support/builder.hpp"

/// A scheduler over time that a test drives, one command after the other.
namespace touchstone::tests {

using reference::CallKind;
using reference::CallResult;
using reference::CycleOutcome;
using reference::CycleResult;
using reference::Entry;
using reference::PodObject;
using reference::WatchedKind;
using reference::World;

/// A node with this many milli-CPU.
inline Node node_with(const std::string& name, Quantity cpu) {
  Node node;
  node.name = name;
  node.labels = {{"kubernetes.io/hostname", name}};
  node.allocatable = {{"cpu", cpu}, {"memory", 1 << 30}, {"pods", 110}};
  return node;
}

inline Pod placed(Pod pod, const std::string& node) {
  pod.node_name = node;
  return pod;
}

class Play {
 public:
  explicit Play(std::string_view name) : world(reference::world_of(release(name), 0, {}).value()) {}

  World world;

  Play& node(const std::string& name, Quantity cpu) { return creates(node_with(name, cpu)); }
  Play& creates(const Node& node) { return after(reference::create(world, node)); }
  Play& creates(const PodDisruptionBudget& pdb) { return after(reference::create(world, pdb)); }
  Play& creates(Pod pod, Quantity grace_seconds = 30) {
    if (pod.uid.empty()) pod.uid = "u-" + pod.name;
    return after(reference::create(world, PodObject{pod, grace_seconds, {}}));
  }
  Play& updates(const Node& node) { return after(reference::update(world, node, true)); }
  Play& updates(const Pod& pod, bool with_status = false) {
    return after(reference::update(world, PodObject{pod, 30, {}}, with_status));
  }
  Play& deletes(const std::string& name) { return after(reference::delete_pod(world, "default", name)); }
  Play& removes(const std::string& name) { return after(reference::remove_pod(world, "default", name)); }
  Play& removes_node(const std::string& name) { return after(reference::remove_node_object(world, name)); }

  CycleResult cycle(const std::string& take = "") {
    world.made.clear();
    world.ended.reset();
    return reference::cycle(world, take, choices_).value();
  }
  Play& advances(Quantity milliseconds) {
    world.now_ns += milliseconds * 1'000'000;
    return *this;
  }
  /// The scheduler handles a watch event, whatever the API has.
  void handles(const reference::WatchEvent& event) { reference::handle(world, event, choices_); }
  Play& flushes_backoff() { return reference::flush_backoff(world), settled(); }
  Play& flushes_leftover() { return reference::flush_leftover(world), settled(); }
  Play& holds(CallKind kind, const std::string& name) {
    world.armed.push_back({kind, "default/" + name});
    return *this;
  }
  Play& holds(WatchedKind kind) {
    world.held_kinds.insert(kind);
    return *this;
  }
  Play& delivers(WatchedKind kind, std::optional<Quantity> count = {}) {
    return after(reference::deliver(world, kind, count, choices_));
  }
  Play& answers(CallKind kind, const std::string& name, CallResult result) {
    world.made.clear();
    return after(reference::answer_call(world, kind, "default/" + name, result));
  }

  /// The part of the queue in which a pod is; empty: in none.
  std::string place(const std::string& name) const {
    const auto is = [&name](const Entry& entry) { return entry.object.pod.name == name; };
    const auto has = [&is](const std::vector<Entry>& part) {
      return std::any_of(part.begin(), part.end(), is);
    };
    if (has(world.queue.active)) return "active";
    if (has(world.queue.backoff)) return "backoff";
    if (has(world.queue.unschedulable)) return "unschedulable";
    for (const auto& each : world.queue.in_flight) {
      if (each.full_name == "default/" + name) return "in flight";
    }
    return "";
  }
  const Entry& entry(const std::string& name) const {
    return *reference::find_entry(world.queue, "default", name);
  }
  std::string nominated(const std::string& name) const {
    return reference::nominated_node_of(world.nominations, "u-" + name);
  }
  /// The pod as the API has it.
  const Pod& stored(const std::string& name) const {
    return std::find_if(world.stored.pods.begin(), world.stored.pods.end(),
                        [&name](const PodObject& each) { return each.pod.name == name; })
        ->pod;
  }
  /// The message of condition PodScheduled as the API has it.
  std::string message(const std::string& name) const {
    const PodObject* pod = reference::find_pod(world.stored.pods, "default", name);
    const auto found = pod->messages.find("PodScheduled");
    return found == pod->messages.end() ? "" : found->second;
  }
  /// The calls since the last command: "patch p n1", "delete v waits".
  std::vector<std::string> calls() const {
    std::vector<std::string> calls;
    for (const reference::Call& call : world.made) {
      const char* kind = call.kind == CallKind::patch  ? "patch "
                         : call.kind == CallKind::bind ? "bind "
                                                       : "delete ";
      calls.push_back(kind + call.name + (call.nominated_node ? " " + *call.nominated_node : "") +
                      (call.was_held ? " waits" : ""));
    }
    return calls;
  }
  std::optional<Error> error;  ///< of the last command

 private:
  Play& settled() { return reference::settle(world, choices_), *this; }
  Play& after(std::optional<Error> what) {
    error = std::move(what);
    return settled();
  }
  CanonicalChoices choices_;
};

}  // namespace touchstone::tests
