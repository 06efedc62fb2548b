#include "reference/queue/store.hpp"

#include <algorithm>

#include "reference/preemption/cycle.hpp"
#include "reference/queue/objects.hpp"

namespace touchstone::reference {

namespace {

Error unknown(const std::string& kind, const std::string& name) {
  return {"not-found", "object", "unknown " + kind + " " + name};
}

Error exists(const std::string& kind, const std::string& name) {
  return {"exists", "object", kind + " " + name + " exists"};
}

PodDisruptionBudget* find_pdb(World& world, const std::string& ns, const std::string& name) {
  for (PodDisruptionBudget& pdb : world.stored.pdbs) {
    if (pdb.ns == ns && pdb.name == name) return &pdb;
  }
  return nullptr;
}

/// EVT-WATCH-2: the watch leaves out pods that have ended. An event about such a pod alone has no object.
void announce_pod(World& world, const PodObject* before, const PodObject* now) {
  if (before != nullptr && now != nullptr && is_finished(now->pod)) world.cite("EVT-WATCH-2");
  WatchEvent event;
  if (before != nullptr && !is_finished(before->pod)) event.old_pod = *before;
  if (now != nullptr && !is_finished(now->pod)) event.new_pod = *now;
  world.events.push_back(event);
}

/// QUE-STATUS-2: numbers a write. QUE-GATE-1: an API server drops gates that its release does not have.
void write(World& world, PodObject& stored, const PodObject& now) {
  stored = now;
  if (!world.release.pods_have_gates) stored.pod.scheduling_gates.clear();
  if (world.release.sends_whole_status) stored.version = ++world.last_version;
}

void replace(World& world, PodObject& stored, const PodObject& now) {
  const PodObject before = stored;
  write(world, stored, now);
  announce_pod(world, &before, &stored);
}

void apply(PodObject& object, const ConditionPatch& patch) {
  std::vector<Condition>& conditions = object.pod.conditions;
  const auto is_same = [&patch](const Condition& each) { return each.type == patch.type; };
  if (patch.removes) {
    object.messages.erase(patch.type);
    std::erase_if(conditions, is_same);
    return;
  }
  auto found = std::find_if(conditions.begin(), conditions.end(), is_same);
  if (found == conditions.end()) found = conditions.insert(conditions.end(), Condition{patch.type, "", ""});
  if (patch.status) found->status = *patch.status;
  if (patch.reason) found->reason = *patch.reason;
  if (patch.message) object.messages[patch.type] = *patch.message;
  std::erase_if(object.messages, [](const auto& each) { return each.second.empty(); });  // none is written
}

CallResult perform_patch(World& world, PodObject& stored, const Call& call) {
  if (world.release.sends_whole_status) {
    world.cite("QUE-STATUS-2");
    if (stored.version != call.version) return CallResult::conflict;
  }
  PodObject now = stored;
  for (const ConditionPatch& patch : call.conditions) apply(now, patch);
  if (call.clears_start_time) now.pod.start_time_ns.reset();
  if (call.nominated_node) now.pod.nominated_node_name = *call.nominated_node;
  replace(world, stored, now);
  return CallResult::ok;
}

CallResult perform_binding(World& world, PodObject& stored, const Call& call) {
  const Pod& pod = stored.pod;
  if (pod.uid != call.uid || pod.terminating || !pod.node_name.empty() || !pod.scheduling_gates.empty())
    return CallResult::conflict;
  PodObject now = stored;
  now.pod.node_name = call.node;
  apply(now, {"PodScheduled", "True", "", ""});
  if (world.release.binding_clears_nomination) now.pod.nominated_node_name.clear();
  replace(world, stored, now);
  return CallResult::ok;
}

}  // namespace

/// EVT-STORE-1
std::optional<Error> create(World& world, PodObject pod) {
  world.cite("EVT-STORE-1");
  if (find_pod(world.stored.pods, pod.pod.ns, pod.pod.name) != nullptr)
    return exists("Pod", pod.pod.full_name());
  if (pod.pod.uid.empty()) pod.pod.uid = "uid-" + std::to_string(world.next_uid++);
  write(world, world.stored.pods.emplace_back(), pod);
  announce_pod(world, nullptr, &world.stored.pods.back());
  return std::nullopt;
}

std::optional<Error> create(World& world, const Node& node) {
  if (find_node(world.stored.nodes, node.name) != nullptr) return exists("Node", node.name);
  world.stored.nodes.push_back(node);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::node;
  event.new_node = node;
  return std::nullopt;
}

std::optional<Error> create(World& world, const PodDisruptionBudget& pdb) {
  if (find_pdb(world, pdb.ns, pdb.name) != nullptr)
    return exists("PodDisruptionBudget", pdb.ns + "/" + pdb.name);
  world.stored.pdbs.push_back(pdb);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::pdb;
  event.new_pdb = pdb;
  return std::nullopt;
}

/// EVT-STORE-1
std::optional<Error> update(World& world, PodObject pod, bool with_status) {
  PodObject* stored = find_pod(world.stored.pods, pod.pod.ns, pod.pod.name);
  if (stored == nullptr) return unknown("Pod", pod.pod.full_name());
  pod.pod.uid = stored->pod.uid;
  pod.pod.terminating = stored->pod.terminating;
  pod.pod.node_name = stored->pod.node_name;
  if (!with_status) copy_status(*stored, pod);
  replace(world, *stored, pod);
  return std::nullopt;
}

std::optional<Error> update(World& world, const Node& node, bool with_status) {
  Node* stored = find_node(world.stored.nodes, node.name);
  if (stored == nullptr) return unknown("Node", node.name);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::node;
  event.old_node = *stored;
  Node now = node;
  if (!with_status) {
    now.allocatable = stored->allocatable;
    now.conditions = stored->conditions;
    now.declared_features = stored->declared_features;
    now.images = stored->images;
  }
  *stored = now;
  event.new_node = now;
  return std::nullopt;
}

std::optional<Error> update(World& world, const PodDisruptionBudget& pdb, bool with_status) {
  PodDisruptionBudget* stored = find_pdb(world, pdb.ns, pdb.name);
  if (stored == nullptr) return unknown("PodDisruptionBudget", pdb.ns + "/" + pdb.name);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::pdb;
  event.old_pdb = *stored;
  PodDisruptionBudget now = pdb;
  if (!with_status) {
    now.disruptions_allowed = stored->disruptions_allowed;
    now.disrupted_pods = stored->disrupted_pods;
  }
  *stored = now;
  event.new_pdb = now;
  return std::nullopt;
}

/// EVT-STORE-2
std::optional<Error> delete_pod(World& world, const std::string& ns, const std::string& name) {
  PodObject* stored = find_pod(world.stored.pods, ns, name);
  if (stored == nullptr) return unknown("Pod", ns + "/" + name);
  world.cite("EVT-STORE-2");
  if (stored->pod.terminating) return std::nullopt;
  if (stored->pod.node_name.empty() || stored->grace_seconds == 0 || is_finished(stored->pod))
    return remove_pod(world, ns, name);
  PodObject now = *stored;
  now.pod.terminating = true;
  replace(world, *stored, now);
  return std::nullopt;
}

/// EVT-STORE-2
std::optional<Error> remove_pod(World& world, const std::string& ns, const std::string& name) {
  const PodObject* stored = find_pod(world.stored.pods, ns, name);
  if (stored == nullptr) return unknown("Pod", ns + "/" + name);
  const PodObject before = *stored;
  std::erase_if(world.stored.pods,
                [&](const PodObject& each) { return each.pod.ns == ns && each.pod.name == name; });
  announce_pod(world, &before, nullptr);
  return std::nullopt;
}

std::optional<Error> remove_node_object(World& world, const std::string& name) {
  const Node* stored = find_node(world.stored.nodes, name);
  if (stored == nullptr) return unknown("Node", name);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::node;
  event.old_node = *stored;
  std::erase_if(world.stored.nodes, [&name](const Node& each) { return each.name == name; });
  return std::nullopt;
}

std::optional<Error> remove_pdb(World& world, const std::string& ns, const std::string& name) {
  const PodDisruptionBudget* stored = find_pdb(world, ns, name);
  if (stored == nullptr) return unknown("PodDisruptionBudget", ns + "/" + name);
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::pdb;
  event.old_pdb = *stored;
  std::erase_if(world.stored.pdbs,
                [&](const PodDisruptionBudget& each) { return each.ns == ns && each.name == name; });
  return std::nullopt;
}

/// EVT-STORE-3
CallResult perform(World& world, const Call& call) {
  world.cite("EVT-STORE-3");
  PodObject* stored = find_pod(world.stored.pods, call.ns, call.name);
  if (stored == nullptr) return CallResult::not_found;
  if (call.kind == CallKind::patch) return perform_patch(world, *stored, call);
  if (call.kind == CallKind::bind) return perform_binding(world, *stored, call);
  delete_pod(world, call.ns, call.name);
  return CallResult::ok;
}

namespace {

void announce(World& world, const std::optional<WorkloadGroups>& before,
              const std::optional<WorkloadGroups>& now) {
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::workload;
  event.old_workload = before;
  event.new_workload = now;
}

void announce(World& world, const std::optional<PodGroupObject>& before,
              const std::optional<PodGroupObject>& now) {
  WatchEvent& event = world.events.emplace_back();
  event.kind = WatchedKind::pod_group;
  event.old_pod_group = before;
  event.new_pod_group = now;
}

}  // namespace

std::optional<Error> create(World& world, const WorkloadGroups& workload) {
  if (find_workload(world.stored.workloads, workload.ns, workload.name) != nullptr)
    return exists("Workload", workload.ns + "/" + workload.name);
  world.stored.workloads.push_back(workload);
  announce(world, std::nullopt, workload);
  return std::nullopt;
}

std::optional<Error> update(World& world, const WorkloadGroups& workload, bool) {
  WorkloadGroups* stored = find_workload(world.stored.workloads, workload.ns, workload.name);
  if (stored == nullptr) return unknown("Workload", workload.ns + "/" + workload.name);
  announce(world, *stored, workload);
  *stored = workload;
  return std::nullopt;
}

std::optional<Error> remove_workload(World& world, const std::string& ns, const std::string& name) {
  const WorkloadGroups* stored = find_workload(world.stored.workloads, ns, name);
  if (stored == nullptr) return unknown("Workload", ns + "/" + name);
  announce(world, *stored, std::nullopt);
  std::erase_if(world.stored.workloads,
                [&](const WorkloadGroups& each) { return each.ns == ns && each.name == name; });
  return std::nullopt;
}

std::optional<Error> create(World& world, const PodGroupObject& group) {
  if (find_pod_group(world.stored.pod_groups, group.ns, group.name) != nullptr)
    return exists("PodGroup", group.ns + "/" + group.name);
  PodGroupObject& stored = world.stored.pod_groups.emplace_back(group);
  if (stored.uid.empty()) stored.uid = "uid-" + std::to_string(world.next_uid++);
  announce(world, std::nullopt, stored);
  return std::nullopt;
}

std::optional<Error> update(World& world, const PodGroupObject& group, bool) {
  PodGroupObject* stored = find_pod_group(world.stored.pod_groups, group.ns, group.name);
  if (stored == nullptr) return unknown("PodGroup", group.ns + "/" + group.name);
  const PodGroupObject before = *stored;
  *stored = group;
  stored->uid = before.uid;
  announce(world, before, *stored);
  return std::nullopt;
}

std::optional<Error> remove_pod_group(World& world, const std::string& ns, const std::string& name) {
  const PodGroupObject* stored = find_pod_group(world.stored.pod_groups, ns, name);
  if (stored == nullptr) return unknown("PodGroup", ns + "/" + name);
  announce(world, *stored, std::nullopt);
  std::erase_if(world.stored.pod_groups,
                [&](const PodGroupObject& each) { return each.ns == ns && each.name == name; });
  return std::nullopt;
}

/// EVT-WATCH-1
std::optional<WatchEvent> next_event(World& world, std::optional<WatchedKind> kind) {
  const auto found = std::find_if(world.events.begin(), world.events.end(), [&](const WatchEvent& event) {
    return kind ? event.kind == *kind : !world.held_kinds.contains(event.kind);
  });
  if (found == world.events.end()) return std::nullopt;
  if (!world.held_kinds.empty()) world.cite("EVT-WATCH-1");
  WatchEvent event = *found;
  world.events.erase(found);
  return event;
}

}  // namespace touchstone::reference
