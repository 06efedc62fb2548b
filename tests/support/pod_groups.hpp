#pragma once

#include "spec/releases/feature_gates.hpp"
#include "tests/support/commands.hpp"

/// A scheduler of v1.36 that schedules the pods of a pod group in one cycle.
namespace touchstone::tests::pod_groups {

using namespace commands;

using Names = std::vector<std::string>;

inline Play with_groups(const FeatureGates& gates = {{"GenericWorkload", true}, {"GangScheduling", true}}) {
  Play play("v1.36.3");
  play.world.release = with_gates_over_time(release("v1.36.3"), gates, "").value();
  return play;
}

inline PodObject member(const std::string& name, Quantity priority, Quantity cpu = 1000,
                        const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, priority, cpu);
  object.pod.uid = "u-" + name;
  object.pod_group = group;
  return object;
}

inline PodGroupObject group_of(std::optional<Quantity> least, const std::string& name = "g") {
  return {"default", name, least};
}

/// A group of a and b on a node with so many milli-CPU.
inline Play with_group(Quantity cpu, std::optional<Quantity> least = 2) {
  Play play = with_groups();
  play.node("n1", cpu);
  writes(play, group_of(least));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  return play;
}

}  // namespace touchstone::tests::pod_groups
