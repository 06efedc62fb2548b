#include "reference/queue/failure.hpp"

#include "reference/queue/calls.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

/// QUE-FAIL-1: the patch of the status, by what the scheduler knows of the pod. No value: nothing changes.
std::optional<Call> status_patch(const PodObject& known, const Failure& failure) {
  Call call = call_for(CallKind::patch, known.pod);
  if (const auto patch = condition_patch(known, "PodScheduled", "False", failure.reason, failure.message))
    call.conditions.push_back(*patch);
  if (failure.nominated_node != known.pod.nominated_node_name) call.nominated_node = failure.nominated_node;
  if (call.conditions.empty() && !call.nominated_node) return std::nullopt;
  return call;
}

}  // namespace

Handled handle_failure(World& world, Entry entry, const Failure& failure) {
  const Release& release = world.release;
  entry.rejectors = failure.rejectors;
  PodObject known = entry.object;
  Handled handled;
  handled.is_in_flight = true;
  const PodObject* seen = find_pod(world.seen.pods, known.pod.ns, known.pod.name);
  if (seen != nullptr && seen->pod.node_name.empty()) {
    if (seen->pod.uid != known.pod.uid) world.cite("QUE-FAIL-2");
    if (release.put_back_compares_uid && seen->pod.uid != known.pod.uid) return handled;
    entry.object = *seen;
    if (release.put_back_compares_uid) known = *seen;
    put_back(world, entry);
    handled.is_in_flight = false;
  }
  world.cite("NOM-FAIL-1");
  nominate(world, entry.object, failure.nominated_node);
  handled.patch = status_patch(known, failure);
  return handled;
}

}  // namespace touchstone::reference
