#include <algorithm>

#include "reference/queue/cluster_events.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/hints.hpp"
#include "reference/queue/objects.hpp"

/// The events that each plug-in registered, and what its hints make of them.
namespace touchstone::reference {

namespace {

/// EVT-PORTS-2
bool always(const Pod&, const ClusterEvent&, const Release&) { return true; }
/// EVT-PREEMPTION-1
bool never(const Pod&, const ClusterEvent&, const Release&) { return false; }
bool in_each(const Release&) { return true; }
bool hears_scale_down(const Release& release) { return release.fit_hint_counts_scale_down; }
bool hears_deletions(const Release& release) { return release.preemption_hears_deletions; }

bool has_gangs(const Release& release) { return release.gangs_wait; }
bool queues_groups(const Release& release) { return release.groups_are_queued; }

/// Whose pod events a registration covers. `own`: from the release on that keeps own updates apart, those of
/// the pod itself; before, those of every pending pod.
enum class Whose { assigned, own };

/// One registration of a plug-in.
struct Registration {
  std::string_view plugin;
  std::string_view clause;
  Whose whose;  ///< of pod events; ignored for others
  std::vector<EventType> types;
  HintFunction hint;
  bool (*holds)(const Release&) = in_each;
};

/// Which pod events a plug-in of v1.28 to v1.31 registered.
enum class EarlyPods { none, deletions, all };

/// A registration of v1.28 to v1.31.
struct EarlyRegistration {
  std::string_view plugin;
  EarlyPods pods;
  std::vector<EventType> nodes;
  std::vector<EventType> more_nodes = {};  ///< from v1.30 on
};

using enum EventType;

// EVT-FIT-1 to EVT-PREEMPTION-1
const std::vector<Registration> k_registrations = {
    {"NodeResourcesFit", "EVT-FIT-1", Whose::assigned, {pod_deleted}, fit_hint_of_pod},
    {"NodeResourcesFit", "EVT-FIT-2", Whose::assigned, {pod_scaled_down}, fit_hint_of_pod, hears_scale_down},
    {"NodeResourcesFit", "EVT-FIT-2", Whose::own, {pod_scaled_down}, fit_hint_of_pod, hears_scale_down},
    {"NodeResourcesFit", "EVT-FIT-3", Whose::assigned, {node_added, node_allocatable}, fit_hint_of_node},
    {"NodePorts", "EVT-PORTS-1", Whose::assigned, {pod_deleted}, ports_hint},
    {"NodePorts", "EVT-PORTS-2", Whose::assigned, {node_added}, always},
    {"InterPodAffinity", "EVT-AFFINITY-1", Whose::assigned, {pod_added}, affinity_hint_of_pod},
    {"InterPodAffinity", "EVT-AFFINITY-2", Whose::assigned, {pod_labels}, affinity_hint_of_pod},
    {"InterPodAffinity", "EVT-AFFINITY-2", Whose::own, {pod_labels}, affinity_hint_of_pod},
    {"InterPodAffinity", "EVT-AFFINITY-3", Whose::assigned, {pod_deleted}, affinity_hint_of_pod},
    {"InterPodAffinity", "EVT-AFFINITY-4", Whose::assigned, {node_added, node_labels}, affinity_hint_of_node},
    {"PodTopologySpread", "EVT-SPREAD-1", Whose::assigned, {pod_added, pod_deleted}, spread_hint_of_pod},
    {"PodTopologySpread", "EVT-SPREAD-2", Whose::assigned, {pod_labels}, spread_hint_of_pod},
    {"PodTopologySpread", "EVT-SPREAD-2", Whose::own, {pod_labels, pod_tolerations}, spread_hint_of_pod},
    {"PodTopologySpread",
     "EVT-SPREAD-3",
     Whose::assigned,
     {node_added, node_deleted, node_labels, node_taints},
     spread_hint_of_node},
    {"NodeAffinity", "EVT-NODEAFFINITY-1", Whose::assigned, {node_added, node_labels}, node_affinity_hint},
    {"TaintToleration", "EVT-TAINT-1", Whose::assigned, {node_added, node_taints}, taint_hint_of_node},
    {"TaintToleration", "EVT-TAINT-2", Whose::own, {pod_tolerations}, taint_hint_of_pod},
    {"NodeUnschedulable",
     "EVT-UNSCHEDULABLE-1",
     Whose::assigned,
     {node_added, node_taints},
     unschedulable_hint_of_node},
    {"NodeUnschedulable", "EVT-UNSCHEDULABLE-2", Whose::own, {pod_tolerations}, unschedulable_hint_of_pod},
    {"NodeName", "EVT-PORTS-2", Whose::assigned, {node_added}, always},
    {"SchedulingGates", "EVT-GATES-1", Whose::own, {pod_gates_gone}, gates_hint},
    {"DefaultPreemption", "EVT-PREEMPTION-1", Whose::assigned, {pod_deleted}, never, hears_deletions},
    {k_gang_scheduling, "QUE-GANG-2", Whose::assigned, {pod_added, workload_added}, never, has_gangs},
    {k_gang_scheduling, "QUE-GROUP-1", Whose::assigned, {pod_group_added}, never, has_gangs},
    {k_gang_scheduling, "QUE-ENTITY-9", Whose::assigned, {pod_group_changed}, never, queues_groups},
};

bool is_about_pods(EventType type) { return type <= pod_other; }

const std::vector<EventType> k_node_changes = {node_added, node_allocatable, node_labels, node_taints,
                                               node_conditions};

// EVT-EARLY-1
const std::vector<EarlyRegistration> k_early_registrations = {
    {"NodeResourcesFit", EarlyPods::deletions, k_node_changes},
    {"NodePorts", EarlyPods::deletions, k_node_changes},
    {"InterPodAffinity", EarlyPods::all, {node_added, node_labels}, {node_taints}},
    {"PodTopologySpread", EarlyPods::all, {node_added, node_labels}, {node_taints}},
    {"NodeAffinity", EarlyPods::none, k_node_changes},
    {"NodeName", EarlyPods::none, k_node_changes},
    {"TaintToleration", EarlyPods::none, k_node_changes},
    {"NodeUnschedulable",
     EarlyPods::none,
     {node_added, node_taints},
     {node_allocatable, node_labels, node_conditions}},
};

/// EVT-EARLY-1: whether a plug-in registered an event, in releases without hints.
bool registered_early(std::string_view plugin, EventType type, const Release& release) {
  const auto has = [type](const std::vector<EventType>& types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  return std::any_of(k_early_registrations.begin(), k_early_registrations.end(), [&](const auto& each) {
    if (each.plugin != plugin) return false;
    if (is_about_pods(type))
      return each.pods == EarlyPods::all || (each.pods == EarlyPods::deletions && type == pod_deleted);
    const bool has_more = release.early_events != EarlyEvents::first_change;
    return has(each.nodes) || (has_more && has(each.more_nodes));
  });
}

bool covers(const Registration& registration, const ClusterEvent& event, const Release& release) {
  if (!registration.holds(release)) return false;
  if (std::find(registration.types.begin(), registration.types.end(), event.type) == registration.types.end())
    return false;
  if (!is_about_pods(event.type) || !release.own_updates_apart) return true;
  return (registration.whose == Whose::own) == (event.role == PodRole::target);
}

/// EVT-HINT-3: whether the plug-in hears of changes of taints because it registered the addition of nodes.
bool hears_taints_by_addition(std::string_view plugin, const ClusterEvent& event, const Release& release) {
  if (!release.node_add_implies_taints || event.type != node_taints) return false;
  bool hears_additions = false;
  for (const Registration& each : k_registrations) {
    if (each.plugin != plugin) continue;
    const auto has = [&each](EventType type) {
      return std::find(each.types.begin(), each.types.end(), type) != each.types.end();
    };
    if (has(node_taints)) return false;
    if (has(node_added)) hears_additions = true;
  }
  return hears_additions;
}

/// CYC-PROFILE-1: whether the profile runs the plug-in.
bool is_enabled(std::string_view plugin, const Release& release) {
  if (plugin == "SchedulingGates") return true;
  if (plugin == "DefaultPreemption") return release.preempts;
  if (plugin == k_gang_scheduling) return release.gangs_wait;
  return std::any_of(release.filter_groups.begin(), release.filter_groups.end(), [&](const auto& group) {
    return std::any_of(group.begin(), group.end(),
                       [plugin](Filter filter) { return plugin_of(filter) == plugin; });
  });
}

}  // namespace

/// EVT-HINT-1, EVT-HINT-3
bool registered(std::string_view plugin, const ClusterEvent& event, const Release& release) {
  const auto is_its = [&](const Registration& each) {
    return each.plugin == plugin && covers(each, event, release);
  };
  if (!release.queueing_hints)
    return is_enabled(plugin, release) && registered_early(plugin, event.type, release);
  return is_enabled(plugin, release) &&
         (std::any_of(k_registrations.begin(), k_registrations.end(), is_its) ||
          hears_taints_by_addition(plugin, event, release));
}

/// EVT-HINT-1, EVT-HINT-2
bool is_of_interest(const ClusterEvent& event, const Release& release) {
  const bool is_every =
      !release.queueing_hints && release.early_events == EarlyEvents::first_change;  // EVT-EARLY-1
  return is_wildcard(event.type) || is_every ||
         std::any_of(k_registrations.begin(), k_registrations.end(),
                     [&](const Registration& each) { return registered(each.plugin, event, release); });
}

bool wakes(World& world, const Entry& entry, const ClusterEvent& event) {
  const Release& release = world.release;
  if (entry.rejectors.empty()) {
    world.cite("EVT-HINT-1");
    return true;
  }
  if (is_wildcard(event.type)) {
    world.cite("EVT-HINT-2");
    return !event.new_pod || event.new_pod->pod.uid == entry.object.pod.uid;
  }
  if (!release.queueing_hints) {
    world.cite("EVT-EARLY-1");
    return std::any_of(entry.rejectors.begin(), entry.rejectors.end(),
                       [&](const std::string& plugin) { return registered(plugin, event, release); });
  }
  if (!is_ours(entry.object.pod)) {  // no plug-ins are known for its scheduler
    world.cite("EVT-HINT-1");
    return true;
  }
  for (const std::string& plugin : entry.rejectors) {
    if (!is_enabled(plugin, release)) continue;
    if (hears_taints_by_addition(plugin, event, release)) {
      world.cite("EVT-HINT-3");
      return true;
    }
    for (const Registration& each : k_registrations) {
      if (each.plugin != plugin || !covers(each, event, release)) continue;
      world.cite("EVT-HINT-1");
      world.cite(each.clause);
      if (each.hint(entry.object.pod, event, release)) return true;
      if (plugin == k_gang_scheduling && gang_hint(entry.object, event, release)) return true;
    }
  }
  return false;
}

bool is_own_update(const Pod& pod, const ClusterEvent& event) {
  return event.old_pod && event.new_pod && event.new_pod->pod.uid == pod.uid;
}

}  // namespace touchstone::reference
