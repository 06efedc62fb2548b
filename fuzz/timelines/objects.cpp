#include "fuzz/timelines/objects.hpp"

namespace touchstone::fuzz {

namespace {

constexpr const char* k_zone_label = "zone";

std::string one_app(Draw& draw) { return draw.one_of({"a", "b"}); }

PodAffinityTerm draw_term(Draw& draw) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", one_app(draw)}}, {}};
  term.topology_key = draw.one_of({"kubernetes.io/hostname", k_zone_label});
  return term;
}

void draw_constraints(TimelineDraw& timeline, Pod& pod) {
  Draw& draw = timeline.draw;
  switch (draw.below(4)) {
    case 0:
      pod.pod_anti_affinity.push_back(draw_term(draw));
      return;
    case 1:
      pod.pod_affinity.push_back(draw_term(draw));
      return;
    case 2: {
      TopologySpreadConstraint spread;
      spread.topology_key = k_zone_label;
      spread.when_unsatisfiable = "DoNotSchedule";
      spread.max_skew = 1;
      spread.label_selector = LabelSelector{{{"app", one_app(draw)}}, {}};
      if (draw.once_in(4)) spread.node_taints_policy = "Honor";
      pod.topology_spread.push_back(spread);
      return;
    }
    default:
      return;
  }
}

void draw_rare_parts(TimelineDraw& timeline, Pod& pod) {
  Draw& draw = timeline.draw;
  if (draw.once_in(8)) pod.containers[0].ports.push_back({"", "", 80});
  if (draw.once_in(8)) pod.tolerations.push_back({"dedicated", "Exists", "", ""});
  if (draw.once_in(8)) pod.node_selector = {{k_zone_label, draw.one_of({"z1", "z2"})}};
  if (draw.once_in(12)) pod.preemption_policy = "Never";
  if (draw.once_in(16)) pod.scheduler_name = "another-scheduler";
}

}  // namespace

QueuedGroups draw_queued_groups(TimelineDraw& timeline) {
  Draw& draw = timeline.draw;
  QueuedGroups groups;
  for (const char* name : {"g1", "g2", "other"}) groups.priorities[name] = draw.one_of({10, 0, 20, 5});
  groups.has_gated_pods = timeline.has(TimelineFamily::gates) && draw.once_in(3);
  return groups;
}

void fit_into_group(const QueuedGroups& groups, PodObject& object) {
  object.pod.priority = groups.priorities.at(object.pod_group);
  object.pod.preemption_policy.clear();
  object.pod.scheduler_name.clear();
}

void join_queued_group(TimelineDraw& timeline, const QueuedGroups& groups, bool may_be_gated,
                       PodObject& object) {
  Draw& draw = timeline.draw;
  const Pod before = object.pod;
  object.pod_group = draw.below(8) == 0 ? "other" : draw.one_of({"g1", "g2"});
  fit_into_group(groups, object);
  if (draw.once_in(16)) object.pod.priority = before.priority;
  if (draw.once_in(4)) object.pod.preemption_policy = before.preemption_policy;
  if (!groups.has_gated_pods || !may_be_gated) object.pod.scheduling_gates.clear();
}

Node draw_timeline_node(TimelineDraw& timeline) {
  Draw& draw = timeline.draw;
  Node node;
  node.name = "n" + std::to_string(++timeline.nodes_made);
  node.labels = {{"kubernetes.io/hostname", node.name}, {k_zone_label, draw.one_of({"z1", "z2"})}};
  node.allocatable = {{"cpu", 1000 * draw.one_of({2, 1, 3})}, {"memory", 1 << 30}, {"pods", 110}};
  if (timeline.has(TimelineFamily::nodes) && draw.once_in(4)) change_node(timeline, node);
  return node;
}

void change_node(TimelineDraw& timeline, Node& node) {
  Draw& draw = timeline.draw;
  switch (draw.below(5)) {
    case 0:
      node.allocatable["cpu"] += draw.one_of({1000, -1000});
      if (node.allocatable["cpu"] < 0) node.allocatable["cpu"] = 0;
      return;
    case 1:
      if (node.taints.empty()) {
        node.taints.push_back({"dedicated", "", "NoSchedule"});
      } else {
        node.taints.clear();
      }
      return;
    case 2:
      node.unschedulable = !node.unschedulable;
      return;
    case 3:
      node.labels[k_zone_label] = draw.one_of({"z1", "z2"});
      return;
    default:
      node.labels.erase(k_zone_label);
  }
}

PodObject draw_timeline_pod(TimelineDraw& timeline, const std::string& name) {
  Draw& draw = timeline.draw;
  PodObject object;
  Pod& pod = object.pod;
  pod.ns = "default";
  pod.name = name;
  pod.labels = {{"app", one_app(draw)}};
  pod.priority = draw.one_of({0, 10, 20, 5});
  pod.containers.push_back({"c", {{"cpu", 1000 * draw.one_of({1, 2})}}, {}, false, ""});
  if (timeline.has(TimelineFamily::affinity)) draw_constraints(timeline, pod);
  if (timeline.has(TimelineFamily::gates) && draw.once_in(3)) pod.scheduling_gates = {"example.com/gate"};
  if (draw.once_in(4)) object.grace_seconds = 0;
  if (timeline.has(TimelineFamily::permit) && draw.once_in(2))
    object.annotations["touchstone.dev/permit-seconds"] = draw.one_of({"60", "5", "900"});
  draw_rare_parts(timeline, pod);
  return object;
}

void change_pending_pod(TimelineDraw& timeline, Pod& pod) {
  Draw& draw = timeline.draw;
  switch (draw.below(5)) {
    case 0:
      pod.labels["app"] = one_app(draw);
      return;
    case 1:
      pod.labels["note"] = draw.one_of({"x", "y"});
      return;
    case 2:
      pod.scheduling_gates.clear();
      return;
    case 3:
      pod.tolerations.push_back({"dedicated", "Exists", "", ""});
      return;
    default:
      pod.nominated_node_name = "n" + std::to_string(draw.below(timeline.nodes_made + 1));
      if (pod.nominated_node_name == "n0") pod.nominated_node_name.clear();
  }
}

void change_running_pod(TimelineDraw& timeline, Pod& pod) {
  Draw& draw = timeline.draw;
  if (draw.once_in(3)) {
    pod.phase = "Succeeded";
  } else if (draw.once_in(3)) {
    pod.containers[0].requests["cpu"] = 500;
  } else {
    pod.labels["app"] = one_app(draw);
  }
}

PodDisruptionBudget draw_timeline_pdb(TimelineDraw& timeline) {
  Draw& draw = timeline.draw;
  PodDisruptionBudget pdb;
  pdb.ns = "default";
  pdb.name = draw.one_of({"pdb-1", "pdb-2"});
  pdb.selector = LabelSelector{{{"app", one_app(draw)}}, {}};
  pdb.disruptions_allowed = draw.one_of({0, 1});
  return pdb;
}

}  // namespace touchstone::fuzz
