#include "reference/queue/binding_run.hpp"

#include "reference/queue/calls.hpp"
#include "reference/queue/cluster_events.hpp"
#include "reference/queue/early_cycle.hpp"
#include "reference/queue/failure.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

using BindingPhase = BindingRun::Phase;

/// QUE-PERMIT-1: the call that nominates a waiting pod to its node. No value: its object names the node.
std::optional<Call> nomination_of(const PodObject& pod) {
  if (pod.pod.nominated_node_name == pod.pod.node_name) return std::nullopt;
  Call call = call_for(CallKind::patch, pod.pod);
  call.nominated_node = pod.pod.node_name;
  return call;
}

Call binding_call(const Pod& pod) {
  Call call = call_for(CallKind::bind, pod);
  call.uid = pod.uid;
  call.node = pod.node_name;
  return call;
}

/// Takes a pod whose binding fails out of the cache. Returns whether that counts as a pod that is gone.
/// QUE-BIND-2
bool forget(World& world, const PodObject& pod) {
  const std::string& uid = pod.pod.uid;
  forget_in_gang(world, pod);
  if (world.cache.assumed.contains(uid)) {
    remove_from_cache(world, uid);
    return world.release.forgotten_pod_is_event;
  }
  return cached_pod(world.cache, uid) == nullptr && world.release.missing_pod_is_forgotten;
}

/// Wakes pods, but not the one of the binding. QUE-PERMIT-3
void wake_others(World& world, const PodObject& gone) {
  move_all(world, assigned_pod_gone(gone),
           [&gone](const Entry& entry) { return entry.object.pod.uid != gone.pod.uid; });
}

void end(World& world, BindingRun& binding) {
  const PodObject& pod = binding.entry.object;
  if (binding.keeps_flight) end_flight(world, pod.pod.uid);
  if (binding.wakes_in_the_end) wake_others(world, pod);
  binding.phase = BindingPhase::done;
}

/// Runs the failure handler. Its patch is made in a step of its own.
void fail(World& world, BindingRun& binding, const Failure& failure) {
  const Handled handled = handle_failure(world, binding.entry, failure);
  binding.keeps_flight = handled.is_in_flight;
  binding.phase = BindingPhase::fails;
  binding.patch = handled.patch;
}

/// QUE-BIND-2
void fail_binding(World& world, BindingRun& binding, const std::string& message) {
  world.cite("QUE-BIND-2");
  const PodObject& pod = binding.entry.object;
  if (forget(world, pod)) move_all(world, assigned_pod_gone(pod));
  if (world.release.puts_back_beside_loop) return fail_early_binding(world, binding);
  fail(world, binding, {{}, std::string(world.release.reason_of_failed_binding), message, ""});
}

/// QUE-PERMIT-3: the pod was rejected while it waited.
void fail_wait(World& world, BindingRun& binding) {
  world.cite("QUE-PERMIT-3");
  const PermitVerdict& verdict = *binding.verdict;
  binding.wakes_in_the_end = forget(world, binding.entry.object);
  Failure failure{{}, "Unschedulable", verdict.message, ""};
  if (world.release.rejection_names_plugin) {
    failure.rejectors = {verdict.plugin};
    failure.message = "0/1 nodes are available: 1 " + verdict.message + ".";
  }
  fail(world, binding, failure);
}

/// QUE-PERMIT-2 to QUE-PERMIT-4
void end_wait(World& world, BindingRun& binding) {
  const PermitVerdict& verdict = *binding.verdict;
  if (verdict.is_allowed) {
    world.cite("QUE-PERMIT-2");
    end_flight(world, binding.entry.object.pod.uid);
    binding.phase = BindingPhase::binds;
  } else if (verdict.is_error) {
    fail_binding(world, binding, "waiting on permit for pod: " + verdict.message);
  } else {
    fail_wait(world, binding);
  }
}

/// The step of a phase that has made no call yet.
void make_next_call(World& world, BindingRun& binding) {
  switch (binding.phase) {
    case BindingPhase::nominates:
      if (const auto call = nomination_of(binding.entry.object)) {
        binding.call = make_call(world, *call);
      } else {
        binding.phase = BindingPhase::waits;
      }
      return;
    case BindingPhase::waits:
      return end_wait(world, binding);
    case BindingPhase::fails:
      if (!binding.patch) return end(world, binding);
      binding.phase = BindingPhase::patches;
      binding.call = make_call(world, *binding.patch);
      return;
    default:
      binding.call = make_call(world, binding_call(binding.entry.object.pod));
  }
}

}  // namespace

/// QUE-BIND-1
void begin_binding(World& world, Entry entry, const std::string& node) {
  const std::string uid = entry.object.pod.uid;
  entry.object.pod.node_name = node;
  assume(world, entry.object);
  end_nomination(world, entry.object);
  world.cite("NOM-ASSUME-1");
  BindingRun& binding = world.bindings.emplace_back();
  const Quantity wait_ns = permit_wait_ns(entry.object);
  binding.entry = std::move(entry);
  const GangPermit said = gang_permit(world, binding.entry.object);
  binding.waits_for_gang = said == GangPermit::waits;
  if (binding.waits_for_gang) {
    world.cite("QUE-GANG-3");
    activate_gang(world, binding.entry.object);
  } else if (said == GangPermit::completes) {
    allow_gang(world, binding.entry.object);
  }
  if (wait_ns == 0 && !binding.waits_for_gang) {
    world.cite("QUE-BIND-1");
    return end_flight(world, uid);
  }
  world.cite("QUE-PERMIT-1");
  binding.wait_end_ns = world.now_ns + wait_ns;
  binding.phase = world.release.waiting_pod_is_nominated ? BindingPhase::nominates : BindingPhase::waits;
}

bool has_step(const World& world, const BindingRun& binding) {
  if (binding.phase == BindingPhase::waits) return is_judged(binding);
  return !binding.call || is_answered(world, *binding.call);
}

bool is_judged(const BindingRun& binding) {
  return binding.phase == BindingPhase::waits && binding.verdict.has_value();
}

void take_step(World& world, BindingRun& binding) {
  if (!binding.call) return make_next_call(world, binding);
  const CallResult result = take_result(world, binding.call);
  if (binding.phase == BindingPhase::nominates) {
    binding.phase = BindingPhase::waits;
  } else if (binding.phase == BindingPhase::patches || result == CallResult::ok) {
    end(world, binding);
  } else {
    fail_binding(world, binding, "running Bind plugin \"DefaultBinder\": " + std::string(reason_of(result)));
  }
}

}  // namespace touchstone::reference
