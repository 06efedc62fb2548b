#include "reference/queue/cycle_run.hpp"

#include <algorithm>

#include "reference/cycle/schedule.hpp"
#include "reference/queue/attempt.hpp"
#include "reference/queue/binding_run.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/early_cycle.hpp"
#include "reference/queue/failure.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/group_cycle.hpp"
#include "reference/queue/group_queue.hpp"
#include "reference/queue/group_run.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/preemption_run.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

/// Picks one index for the host or the candidate. A world has no volumes, so a cycle picks nothing else.
class OnePick final : public Choices {
 public:
  explicit OnePick(std::size_t index) : index_(index) {}
  std::size_t pick(std::size_t, std::string_view) override { return index_; }

 private:
  std::size_t index_;
};

/// The nodes among which the release may choose.
std::vector<std::string> admissible_nodes(const Question& question, const Placement& placement) {
  std::vector<std::string> names;
  for (const NodeIndex node : placement.best) names.push_back(question.cluster.nodes[node].name);
  const Decision& decision = placement.decision;
  for (const std::size_t candidate : decision.admissible)
    names.push_back(question.cluster.nodes[decision.candidates[candidate].node].name);
  return names;
}

/// QUE-CYCLE-2: the placement with the node that `take` names.
Result<Placement> placement_with(const Question& question, const Release& release, const std::string& take,
                                 Choices& choices) {
  Trace trace = Trace::none();
  if (take.empty()) return schedule(question, release, choices, trace);
  const std::vector<std::string> names = admissible_nodes(question, schedule(question, release));
  const auto found = std::find(names.begin(), names.end(), take);
  if (found == names.end()) return not_admissible(take);
  OnePick pick(static_cast<std::size_t>(found - names.begin()));
  return schedule(question, release, pick, trace);
}

/// NOM-PATCH-1: whether preemption itself clears the pod's own nomination: no node is a potential one.
bool clears_own_nomination(const World& world, const Decision& decision, const Pod& pod) {
  return world.release.own_nomination_cleared_twice && decision.outcome == Outcome::none &&
         decision.nomination == Nomination::cleared && decision.dry_run.empty() &&
         !pod.nominated_node_name.empty();
}

/// QUE-FAIL-1: the failure handler's part of the loop.
void handle_loop_failure(World& world) {
  Loop& loop = world.loop;
  const Handled handled = handle_failure(world, loop.entry, loop.failure);
  loop.phase = Loop::Phase::patches;
  loop.keeps_flight = handled.is_in_flight;
  world.cite(handled.patch ? "QUE-FAIL-1" : "QUE-CALL-3");
  if (handled.patch) loop.call = make_call(world, *handled.patch);
  if (!handled.patch) end_loop(world);
}

/// The pod fits on no node: begins what preemption does, and ends the cycle if that needs no call.
void begin_failure(World& world, const Question& question, const Decision& decision) {
  Loop& loop = world.loop;
  loop.failure = failure_of(question, world.release, decision);
  loop.result.outcome = outcome_of(question, decision);
  world.cite("QUE-CYCLE-3");
  if (clears_own_nomination(world, decision, question.pod)) {
    world.cite("NOM-PATCH-1");
    loop.phase = Loop::Phase::clears_own_nomination;
    loop.call = make_call(world, clearing_patch(question.pod));
    return;
  }
  if (decision.outcome == Outcome::nominated) {
    const std::vector<PodObject> victims = victims_of(world, question, decision);
    loop.result.node = *loop.failure.nominated_node;
    for (const PodObject& victim : victims) loop.result.victims.push_back(victim.pod.full_name());
    const auto terminates = [](const PodObject& victim) { return victim.pod.terminating; };
    if (std::any_of(victims.begin(), victims.end(), terminates)) world.cite("QUE-PREEMPT-3");
    std::optional<Preemption> preemption =
        preemption_of(loop.entry.object, loop.result.node, victims, world.release);
    if (preemption && !preemption->asynchronous) {
      loop.phase = Loop::Phase::preempts;
      loop.preemption = std::move(preemption);
      return;
    }
    if (preemption) world.preemptions.push_back(std::move(*preemption));
  }
  handle_loop_failure(world);
}

/// The pod fits on a node. QUE-GANG-4, QUE-GANG-5
void begin_permit(World& world, const std::string& node) {
  Loop& loop = world.loop;
  const PodObject& pod = loop.entry.object;
  const GangPermit said = gang_permit(world, pod);
  if (said == GangPermit::crashes) {
    world.cite("QUE-GANG-5");
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = "the release crashes: a pod of the gang was deleted while it was assumed";
    return;
  }
  if (said == GangPermit::errs) {
    world.cite("QUE-GANG-4");
    loop.result.outcome = CycleOutcome::error;
    loop.failure = {{}, std::string(world.release.reason_of_error), gang_error(world, pod), ""};
    PodObject assumed = pod;
    assumed.pod.node_name = node;
    assume(world, assumed);
    remove_from_cache(world, pod.pod.uid);  // QUE-CACHE-2
    return handle_loop_failure(world);
  }
  if (permit_wait_ns(pod) > 0 && said == GangPermit::waits) {
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = "two plug-ins that have one pod wait in Permit";
    return;
  }
  loop.result.outcome = CycleOutcome::scheduled;
  loop.result.node = node;
  begin_binding(world, loop.entry, node);
}

}  // namespace

bool is_dropped(const World& world, const Pod& pod) {
  return pod.terminating || (world.release.assumed_pod_is_dropped && world.cache.assumed.contains(pod.uid));
}

Error not_admissible(const std::string& node) {
  return {"not-admissible", "take", "the release may not choose node " + node + " here"};
}

void end_loop(World& world) {
  Loop& loop = world.loop;
  loop.phase = Loop::Phase::idle;
  if (loop.keeps_flight) end_flight(world, loop.entry.object.pod.uid);
  if (loop.is_open) world.ended = loop.result;
  loop.is_open = false;
}

/// QUE-ENTITY-7
Pod seen_as_victim(const World& world, const PodObject& pod) {
  Pod seen = pod.pod;
  if (!is_of_queued_group(world.release, pod)) return seen;
  const PodGroupObject* group = find_pod_group(world.seen.pod_groups, pod.pod.ns, pod.pod_group);
  seen.group_priority = group == nullptr ? seen.priority : group->priority;
  return seen;
}

Question question_of(const World& world, const PodObject& pod) {
  Question question;
  question.pod = pod.pod;
  Cluster& cluster = question.cluster;
  cluster.nodes = world.cache.nodes;
  cluster.pdbs = world.seen.pdbs;
  cluster.forgotten_ports = world.cache.forgotten_ports;
  for (const auto& [node, ports] : world.cache.trial_ports)
    cluster.forgotten_ports[node].insert(ports.begin(), ports.end());
  for (const auto& [node, pods] : world.cache.pods) {
    for (const PodObject& each : pods) {
      Pod& other = cluster.pods.emplace_back(seen_as_victim(world, each));
      if (!world.release.assumed_pod_is_dropped && other.uid == pod.pod.uid)
        other.uid += "/assumed";  // QUE-ASSUME-1
    }
  }
  for (const auto& [node, pods] : world.nominations) {
    for (PodObject& each : nominated_pods(world, node)) {
      each.pod.nominated_node_name = node;
      cluster.pods.push_back(each.pod);
    }
  }
  return question;
}

Result<CycleResult> begin_cycle(World& world, const std::string& take, Choices& choices) {
  Loop& loop = world.loop;
  if (loop.phase != Loop::Phase::idle) return CycleResult{CycleOutcome::busy, "", "", {}, ""};
  const std::optional<World> before = take.empty() ? std::nullopt : std::optional(world);
  std::optional<Entry> popped;
  while (!popped) {
    if (const GroupEntry* group = next_group_to_pop(world, choices)) {
      if (!take.empty()) return not_admissible(take);
      if (const auto popped_group = pop_group(world, GroupEntry(*group)))
        return begin_queued_group_cycle(world, *popped_group, choices);
      continue;
    }
    const Entry* next = next_to_pop(world, choices);
    if (next == nullptr) return CycleResult{};
    popped = pop(world, *next);
  }
  loop = Loop{};
  loop.entry = *popped;
  const Pod& pod = loop.entry.object.pod;
  loop.result.pod = pod.full_name();
  if (is_of_group(world.release, loop.entry.object)) {
    if (take.empty()) return begin_group_cycle(world, choices);
    world = *before;
    return not_admissible(take);
  }
  if (is_dropped(world, pod)) {
    world.cite("QUE-POP-3");
    end_flight(world, pod.uid);
    loop.result.outcome = CycleOutcome::dropped;
    return loop.result;
  }
  world.cite(take.empty() ? "QUE-CYCLE-1" : "QUE-CYCLE-2");
  if (world.release.preempts_after_status) return begin_early_cycle(world, take, choices);
  const Question question = question_of(world, loop.entry.object);
  if (!world.nominations.empty()) world.cite("NOM-COUNT-1");
  const Result<Placement> placed = placement_with(question, world.release, take, choices);
  if (!placed) {
    world = *before;
    return placed.error();
  }
  const Placement& placement = placed.value();
  if (placement.decision.outcome == Outcome::skipped) {
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = placement.decision.reason;
  } else if (placement.host) {
    begin_permit(world, question.cluster.nodes[*placement.host].name);
  } else {
    begin_failure(world, question, placement.decision);
  }
  return loop.result;
}

bool loop_has_step(const World& world) {
  const Loop& loop = world.loop;
  if (loop.phase == Loop::Phase::idle) return false;
  if (loop.phase == Loop::Phase::preempts) return loop.preemption->phase == Preemption::Phase::done;
  return is_answered(world, *loop.call);
}

void take_loop_step(World& world) {
  Loop& loop = world.loop;
  if (loop.phase == Loop::Phase::preempts) {
    world.cite("QUE-PREEMPT-1");
    if (loop.preemption->failed) {
      loop.result = {CycleOutcome::error, loop.result.pod, "", {}, ""};
      loop.failure.nominated_node.reset();
      loop.failure.message += " preemption: " + std::string(reason_of(loop.preemption->failure));
    }
    loop.preemption.reset();
    return handle_loop_failure(world);
  }
  take_result(world, loop.call);
  if (loop.popped_group) return go_on_with_queued_group(world);
  if (loop.phase == Loop::Phase::submits) return go_on_with_group(world);
  if (loop.phase == Loop::Phase::clears_own_nomination) return handle_loop_failure(world);  // NOM-PATCH-1
  end_loop(world);
}

}  // namespace touchstone::reference
