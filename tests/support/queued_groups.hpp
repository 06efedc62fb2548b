#pragma once

#include "spec/releases/feature_gates.hpp"
#include "tests/support/commands.hpp"

/// A scheduler of v1.37 that queues a pod group as one entry.
namespace touchstone::tests::queued_groups {

using namespace commands;

using Names = std::vector<std::string>;

inline Play with_queued_groups() {
  Play play("v1.37.2");
  play.world.release = with_gates_over_time(release("v1.37.2"), {{"GenericWorkload", true}}, "").value();
  return play;
}

inline PodObject member(const std::string& name, Quantity cpu = 1000, const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, 9, cpu);
  object.pod.uid = "u-" + name;
  object.pod_group = group;
  return object;
}

/// A pod of no group.
inline PodObject single(const std::string& name, Quantity priority, Quantity cpu = 1000,
                        const std::string& node = "") {
  PodObject object = member(name, cpu, "");
  object.pod.priority = priority;
  object.pod.node_name = node;
  return object;
}

inline PodObject nominated(const std::string& name, const std::string& node, Quantity cpu = 1000) {
  PodObject object = member(name, cpu);
  object.pod.nominated_node_name = node;
  return object;
}

/// The pod, which its node selector allows on this node alone.
inline PodObject on(const std::string& node, PodObject object) {
  object.pod.node_selector = {{"kubernetes.io/hostname", node}};
  return object;
}

inline PodObject terminating(const std::string& name) {
  PodObject object = member(name);
  object.pod.terminating = true;
  return object;
}

inline PodObject gated(const std::string& name, const std::string& group = "g") {
  PodObject object = member(name, 1000, group);
  object.pod.scheduling_gates = {"x"};
  return object;
}

/// The pod with a resource claim, which the reference does not model.
inline PodObject with_claims(PodObject object) {
  object.pod.resource_claims = {"c"};
  return object;
}

/// Gives a pod a label, by an update without status.
inline StepAnswer gets_a_label(Play& play, PodObject object) {
  object.pod.labels = {{"new", "label"}};
  return does(play, WriteCommand{Verb::update, object, false});
}

inline PodGroupObject group_of(std::optional<Quantity> least, const std::string& name = "g") {
  return {"default", name, least, 9};
}

/// The part of the queue in which the group of a pod is.
inline std::string place_of(const Play& play, const std::string& name) {
  const Observation seen = reference::observe(play.world);
  const auto has = [&name](const std::optional<Names>& part) {
    return part && std::find(part->begin(), part->end(), "default/" + name) != part->end();
  };
  if (has(seen.active)) return "active";
  if (has(seen.backoff)) return "backoff";
  if (has(seen.unschedulable)) return "unschedulable";
  if (has(seen.incomplete)) return "incomplete";
  return has(seen.pending) ? "pending" : "elsewhere";
}

/// A group of a and b, and a node with so many milli-CPU.
inline Play with_group(Quantity cpu, std::optional<Quantity> least = 2) {
  Play play = with_queued_groups();
  play.node("n1", cpu);
  writes(play, group_of(least));
  writes(play, member("a"));
  writes(play, member("b"));
  return play;
}

}  // namespace touchstone::tests::queued_groups
