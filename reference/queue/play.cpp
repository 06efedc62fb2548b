#include "reference/queue/play.hpp"

#include <algorithm>
#include <array>

#include "reference/preemption/cycle.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/group_queue.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "reference/queue/store.hpp"

namespace touchstone::reference {

namespace {

std::optional<Error> remove(World& world, const PodObject& pod, Verb verb) {
  if (verb == Verb::remove) return remove_pod(world, pod.pod.ns, pod.pod.name);
  return delete_pod(world, pod.pod.ns, pod.pod.name);
}
std::optional<Error> remove(World& world, const Node& node, Verb) {
  return remove_node_object(world, node.name);
}
std::optional<Error> remove(World& world, const PodDisruptionBudget& pdb, Verb) {
  return remove_pdb(world, pdb.ns, pdb.name);
}
std::optional<Error> remove(World& world, const WorkloadGroups& workload, Verb) {
  return remove_workload(world, workload.ns, workload.name);
}
std::optional<Error> remove(World& world, const PodGroupObject& group, Verb) {
  return remove_pod_group(world, group.ns, group.name);
}

/// Runs a command, but not what follows by itself.
class Runner {
 public:
  Runner(World& world, Choices& choices, StepAnswer& answer)
      : world_(world), choices_(choices), answer_(answer) {}

  std::optional<Error> operator()(const WriteCommand& command) {
    return std::visit(
        [&](const auto& object) {
          if (command.verb == Verb::create) return create(world_, object);
          if (command.verb == Verb::update) return update(world_, object, command.with_status);
          return remove(world_, object, command.verb);
        },
        command.object);
  }
  std::optional<Error> operator()(const CycleCommand& command) {
    const Result<CycleResult> result = cycle(world_, command.take, choices_);
    if (!result) return result.error();
    answer_.cycle = result.value();
    return std::nullopt;
  }
  std::optional<Error> operator()(const AdvanceCommand& command) {
    world_.now_ns += command.ns;
    while (reject_late_pod(world_)) settle(world_, choices_);
    return std::nullopt;
  }
  std::optional<Error> operator()(const FlushCommand& command) {
    command.timer == Timer::backoff ? flush_backoff(world_) : flush_leftover(world_);
    return std::nullopt;
  }
  std::optional<Error> operator()(const HoldCallCommand& command) {
    world_.armed.push_back({command.kind, command.pod});
    return std::nullopt;
  }
  std::optional<Error> operator()(const HoldWatchCommand& command) {
    world_.held_kinds.insert(command.kind);
    return std::nullopt;
  }
  std::optional<Error> operator()(const AnswerCommand& command) {
    return answer_call(world_, command.kind, command.pod, command.result);
  }
  std::optional<Error> operator()(const DeliverCommand& command) {
    return deliver(world_, command.kind, command.count, choices_);
  }
  std::optional<Error> operator()(const PermitCommand& command) {
    return answer_permit(world_, command.pod, command.is_allowed);
  }
  std::optional<Error> operator()(const StateCommand&) { return std::nullopt; }

 private:
  World& world_;
  Choices& choices_;
  StepAnswer& answer_;
};

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.object.pod.full_name());
  std::sort(names.begin(), names.end());
  return names;
}

/// The reason of condition PodScheduled, if it is false. Empty: it is not.
std::string unscheduled_reason(const Pod& pod) {
  for (const Condition& condition : pod.conditions) {
    if (condition.type == "PodScheduled" && condition.status == "False") return condition.reason;
  }
  return "";
}

/// The key by which the protocol sorts waiting calls.
std::string held_key(const std::pair<CallKind, std::string>& held) {
  static constexpr std::array<const char*, 3> k_names = {":delete", ":patch", ":bind"};
  return held.second + k_names[static_cast<std::size_t>(held.first)];
}

class Model final : public TimelineModel {
 public:
  std::optional<Error> begin(const Release& release, Quantity now_ns, const Objects& objects) override {
    Result<World> made = world_of(release, now_ns, objects);
    if (!made) return made.error();
    world_ = std::move(made).value();
    return std::nullopt;
  }
  StepAnswer run(const TimelineCommand& command, Choices& choices) override {
    return play(world_, command, choices);
  }
  StepAnswer first() override {
    StepAnswer answer;
    answer.state = observe(world_);
    answer.clauses = world_.cited;
    return answer;
  }

 private:
  World world_;
};

void observe_entry(const Entry& entry, Observation& seen) {
  const std::string name = entry.object.pod.full_name();
  if (!entry.gated_by.empty()) seen.gated[name] = entry.gated_by;
  seen.rejectors[name] = entry.rejectors;
  seen.attempts[name] = entry.attempts;
}

/// QUE-ENTITY-2: the pods of groups are shown as others are.
void observe_groups(const World& world, Observation& seen) {
  const SchedulingQueue& queue = world.queue;
  for (const GroupEntry& group : queue.groups) {
    std::vector<std::string>& part = group.part == QueuePart::active    ? seen.active
                                     : group.part == QueuePart::backoff ? seen.backoff
                                                                        : seen.unschedulable;
    for (const Entry& member : group.members) {
      part.push_back(member.object.pod.full_name());
      observe_entry(member, seen);
      if (group.part == QueuePart::backoff)
        seen.backoff_ends_ns[member.object.pod.full_name()] = backoff_end_ns(group, world.release);
    }
  }
  for (auto* part : {&seen.active, &seen.backoff, &seen.unschedulable}) std::sort(part->begin(), part->end());
  seen.incomplete = names_of(queue.incomplete);
  seen.pending = names_of(queue.pending);
  for (const auto* members : {&queue.incomplete, &queue.pending}) {
    for (const Entry& member : *members) observe_entry(member, seen);
  }
}

void observe_queue(const World& world, Observation& seen) {
  const SchedulingQueue& queue = world.queue;
  seen.active = names_of(queue.active);
  seen.backoff = names_of(queue.backoff);
  seen.unschedulable = names_of(queue.unschedulable);
  for (const InFlight& each : queue.in_flight) {
    const bool is_listed = !each.uid.empty() && !world.release.attempts_are_numbered;  // QUE-NUMBER-1
    if (is_listed) seen.in_flight.push_back(each.full_name);
  }
  std::sort(seen.in_flight.begin(), seen.in_flight.end());
  for (const auto* part : {&queue.active, &queue.backoff, &queue.unschedulable}) {
    for (const Entry& entry : *part) {
      const std::string name = entry.object.pod.full_name();
      if (!entry.gated_by.empty()) seen.gated[name] = entry.gated_by;
      if (world.release.puts_back_beside_loop) continue;  // QUE-LIMBO-1: entries are pods alone
      seen.rejectors[name] = entry.rejectors;
      seen.attempts[name] = entry.attempts;
    }
  }
  for (const Entry& entry : queue.backoff)
    seen.backoff_ends_ns[entry.object.pod.full_name()] = backoff_end_ns(entry, world.release);
  if (world.release.groups_are_queued) observe_groups(world, seen);
}

StepAnswer run(World& world, const TimelineCommand& command, Choices& choices) {
  world.made.clear();
  world.cited.clear();
  world.wakes.clear();
  world.ended.reset();
  StepAnswer answer;
  answer.error = std::visit(Runner(world, choices, answer), command);
  if (!answer.error) settle(world, choices);
  answer.calls = world.made;
  answer.ended = world.ended;
  answer.state = observe(world);
  answer.clauses = world.cited;
  answer.wakes = world.wakes;
  return answer;
}

}  // namespace

/// QUE-GATE-1: which of several plug-ins gates a pod first is chance only with GangScheduling.
StepAnswer play(World& world, const TimelineCommand& command, Choices& choices) {
  world.gates = {};
  const std::optional<World> before = world.release.gangs_wait ? std::optional(world) : std::nullopt;
  StepAnswer answer = run(world, command, choices);
  if (before && world.gates.any_is_chosen && choices.pick(2, "QUE-GATE-1") == 1) {
    world = *before;
    world.gates.last_first = true;
    answer = run(world, command, choices);
  }
  return answer;
}

Observation observe(const World& world) {
  Observation seen;
  seen.now_ns = world.now_ns;
  observe_queue(world, seen);
  for (const auto& [node, pods] : world.nominations) {
    std::vector<std::string>& names = seen.nominated[node];
    for (const NominatedPod& pod : pods) names.push_back(pod.ns + "/" + pod.name);
    std::sort(names.begin(), names.end());
  }
  for (const auto& [node, pods] : world.cache.pods) {
    for (const PodObject& pod : pods) {
      if (world.cache.assumed.contains(pod.pod.uid)) seen.assumed[pod.pod.full_name()] = node;
    }
  }
  for (const BindingRun& each : world.bindings) {
    if (waits_in_permit(each)) seen.waiting.push_back(each.entry.object.pod.full_name());
  }
  std::sort(seen.waiting.begin(), seen.waiting.end());
  seen.waiting.erase(std::unique(seen.waiting.begin(), seen.waiting.end()), seen.waiting.end());
  for (const PodObject& object : world.stored.pods) {
    const Pod& pod = object.pod;
    const bool is_pending = pod.node_name.empty() && is_ours(pod) && !is_finished(pod);
    seen.pods[pod.full_name()] = {pod.node_name, pod.nominated_node_name, pod.terminating,
                                  unscheduled_reason(pod), is_pending};
  }
  for (const auto& [id, call] : world.calls) {
    if (call.result == CallResult::waits) seen.held_calls.emplace_back(call.kind, call.full_name());
  }
  std::stable_sort(seen.held_calls.begin(), seen.held_calls.end(),
                   [](const auto& a, const auto& b) { return held_key(a) < held_key(b); });
  for (const WatchedKind kind : world.held_kinds) {
    seen.held_events[kind] = static_cast<std::size_t>(
        std::count_if(world.events.begin(), world.events.end(),
                      [kind](const WatchEvent& event) { return event.kind == kind; }));
  }
  return seen;
}

std::unique_ptr<TimelineModel> timeline_model() { return std::make_unique<Model>(); }

}  // namespace touchstone::reference
