#include "reference/queue/preemption_run.hpp"

#include <algorithm>

#include "reference/queue/calls.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

using Phase = Preemption::Phase;

bool is_ready(const World& world, const std::optional<CallId>& call) {
  return !call || is_answered(world, *call);
}

bool all_done(const std::vector<VictimRun>& runs) {
  return std::all_of(runs.begin(), runs.end(),
                     [](const VictimRun& run) { return run.phase == VictimRun::Phase::done; });
}

/// QUE-GATE-3: the preemptor is gated no longer, by this and every other preemption for it.
void unmark(World& world, const Preemption& preemption) {
  for (Preemption& each : world.preemptions) {
    if (each.preemptor.pod.uid == preemption.preemptor.pod.uid) each.marked = false;
  }
}

/// QUE-PREEMPT-5: the patches that clear the nominations of lower pods on the node.
std::vector<Call> lower_nominations(const World& world, const Preemption& preemption) {
  std::vector<Call> calls;
  for (const PodObject& other : nominated_pods(world, preemption.node)) {
    const bool is_lower = other.pod.priority < preemption.preemptor.pod.priority;
    if (is_lower && !other.pod.nominated_node_name.empty()) calls.push_back(clearing_patch(other.pod));
  }
  return calls;
}

void begin_clearing(World& world, Preemption& preemption) {
  preemption.phase = Phase::clears;
  preemption.clearing = lower_nominations(world, preemption);
  if (!preemption.clearing.empty()) world.cite("QUE-PREEMPT-5");
}

/// QUE-PREEMPT-2: ends an asynchronous preemption.
void end(World& world, Preemption& preemption) {
  preemption.phase = Phase::done;
  if (!preemption.asynchronous) return;
  world.cite("QUE-PREEMPT-2");
  unmark(world, preemption);
  if (!preemption.failed && !preemption.activates) return;
  if (preemption.group_pods.empty()) return activate(world, preemption.preemptor);
  for (const PodObject& each : preemption.group_pods) activate(world, each);  // QUE-ENTITY-8
}

/// QUE-PREEMPT-2, QUE-PERMIT-4, QUE-PERMIT-7
void begin_last_victim(World& world, Preemption& preemption) {
  const PodObject& last = preemption.victims.back();
  if (preemption.cancelled && world.release.last_victim_is_spared) return end(world, preemption);
  if (!world.release.gate_until_last_delete) unmark(world, preemption);
  if (preempt_waiting(world, last.pod.uid)) {
    preemption.activates = world.release.rejection_activates;
    if (preemption.activates) world.cite("QUE-PERMIT-7");
    return end(world, preemption);
  }
  if (preemption.cancelled) return end(world, preemption);
  preemption.phase = Phase::last_victim;
  preemption.running = {{last}};
}

/// The victims beside each other are evicted.
void go_on_after_victims(World& world, Preemption& preemption) {
  if (preemption.asynchronous) return begin_last_victim(world, preemption);
  if (preemption.failed) return end(world, preemption);
  begin_clearing(world, preemption);
}

/// QUE-PERMIT-4: victims that wait in Permit need no call.
void begin_evicting(World& world, Preemption& preemption) {
  preemption.phase = Phase::evicts;
  const std::size_t beside = preemption.victims.size() - (preemption.asynchronous ? 1 : 0);
  for (std::size_t i = 0; i < beside; ++i) {
    const PodObject& victim = preemption.victims[i];
    if (!preempt_waiting(world, victim.pod.uid)) preemption.running.push_back({victim});
  }
  if (preemption.running.empty()) go_on_after_victims(world, preemption);
}

/// QUE-CALL-2: a victim's call failed.
void fail(World& world, Preemption& preemption, CallResult failure) {
  preemption.failed = true;
  preemption.failure = failure;
  preemption.cancelled = true;
  for (const VictimRun& run : preemption.running) {
    if (run.call) cancel(world, *run.call);
  }
}

void evict(World& world, VictimRun& run) {
  run.phase = VictimRun::Phase::deleted;
  run.call = make_call(world, call_for(CallKind::remove, run.victim.pod));
}

constexpr const char* k_disruption = "DisruptionTarget";

bool has_condition(const Pod& pod, const std::string& type) {
  return std::any_of(pod.conditions.begin(), pod.conditions.end(),
                     [&type](const Condition& each) { return each.type == type; });
}

/// QUE-PREEMPT-4: adds to the patch of a victim what gives it the status of its preemptor.
void add_status(const PodObject& preemptor, const PodObject& victim, Call& patch) {
  for (const Condition& each : preemptor.pod.conditions) {
    const std::string message = message_of(preemptor, each.type);
    if (const auto change = condition_patch(victim, each.type, each.status, each.reason, message))
      patch.conditions.push_back(*change);
  }
  for (const Condition& each : victim.pod.conditions) {
    if (each.type == k_disruption || has_condition(preemptor.pod, each.type)) continue;
    patch.conditions.push_back({each.type, {}, {}, {}, true});
  }
  if (victim.pod.nominated_node_name != preemptor.pod.nominated_node_name)
    patch.nominated_node = preemptor.pod.nominated_node_name;
  patch.clears_start_time = victim.pod.start_time_ns.has_value();
}

/// QUE-PREEMPT-4: marks the victim as preempted, or evicts it at once if it is marked already.
void mark(World& world, const Preemption& preemption, VictimRun& run) {
  const std::string message = std::string("default-scheduler: preempting to accommodate a higher priority ") +
                              (preemption.group_pods.empty() ? "pod" : "podgroup");
  Call call = call_for(CallKind::patch, run.victim.pod);
  if (world.release.victim_gets_preemptor_status) add_status(preemption.preemptor, run.victim, call);
  if (const auto change =
          condition_patch(run.victim, k_disruption, "True", "PreemptionByScheduler", message))
    call.conditions.push_back(*change);
  const bool is_marked = call.conditions.empty() && !world.release.victim_gets_preemptor_status;
  if (is_marked) return evict(world, run);
  run.phase = VictimRun::Phase::patched;
  run.call = make_call(world, call);
}

}  // namespace

std::optional<Preemption> preemption_of(const PodObject& preemptor, const std::string& node,
                                        std::vector<PodObject> victims, const Release& release) {
  // QUE-PREEMPT-3
  if (release.terminating_victims_left_out)
    std::erase_if(victims, [](const PodObject& victim) { return victim.pod.terminating; });
  if (victims.empty()) return std::nullopt;
  Preemption preemption;
  preemption.preemptor = preemptor;
  preemption.node = node;
  preemption.victims = std::move(victims);
  preemption.asynchronous = release.preempts_asynchronously;
  preemption.marked = release.preempts_asynchronously;
  return preemption;
}

bool has_step(const World& world, const Preemption& preemption) {
  if (preemption.phase == Phase::done) return false;
  if (preemption.phase == Phase::clears) return is_ready(world, preemption.call);
  return all_done(preemption.running);
}

void take_step(World& world, Preemption& preemption) {
  switch (preemption.phase) {
    case Phase::begins:  // QUE-PREEMPT-1, QUE-PREEMPT-2
      if (preemption.asynchronous) return begin_clearing(world, preemption);
      return begin_evicting(world, preemption);
    case Phase::clears:  // QUE-PREEMPT-5
      if (preemption.call && take_result(world, preemption.call) != CallResult::ok) preemption.failed = true;
      if (!preemption.clearing.empty()) {
        const Call next = preemption.clearing.front();
        preemption.clearing.erase(preemption.clearing.begin());
        preemption.call = make_call(world, next);
        return;
      }
      if (preemption.asynchronous) return begin_evicting(world, preemption);
      preemption.failed = false;  // such a failure is only logged
      return end(world, preemption);
    case Phase::evicts:
      return go_on_after_victims(world, preemption);
    default:
      return end(world, preemption);
  }
}

/// QUE-GROUP-3
void begin_early(World& world, Preemption& preemption) {
  begin_clearing(world, preemption);
  if (preemption.clearing.empty()) begin_evicting(world, preemption);
}

bool has_step(const World& world, const VictimRun& run) {
  return run.phase != VictimRun::Phase::done && is_ready(world, run.call);
}

void take_step(World& world, Preemption& preemption, VictimRun& run) {
  if (run.phase == VictimRun::Phase::begins && !preemption.cancelled) return mark(world, preemption, run);
  const CallResult result = run.call ? take_result(world, run.call) : CallResult::cancelled;
  world.cite("QUE-PREEMPT-4");
  const bool is_patch = run.phase == VictimRun::Phase::patched;
  if (is_patch && result == CallResult::ok && !preemption.cancelled) return evict(world, run);
  run.phase = VictimRun::Phase::done;
  // QUE-PREEMPT-4
  const bool may_be_missing =
      is_patch ? world.release.missing_victim_is_success : world.release.gone_victim_is_success;
  if (result == CallResult::not_found && may_be_missing) return;
  if (result != CallResult::ok && !preemption.cancelled) fail(world, preemption, result);
}

}  // namespace touchstone::reference
