#pragma once

#include "spec/releases/feature_gates.hpp"
#include "tests/support/commands.hpp"

/// A scheduler of v1.35 whose gangs are groups of a Workload.
namespace touchstone::tests::gangs {

using namespace commands;

using Names = std::vector<std::string>;

inline const FeatureGates k_gates = {{"GenericWorkload", true}, {"GangScheduling", true}};

inline Play with_gangs() {
  Play play("v1.35.4");
  play.world.release = with_gates_over_time(release("v1.35.4"), k_gates, "").value();
  return play;
}

inline PodObject member(const std::string& name, Quantity priority, const std::string& workload = "w",
                        const std::string& group = "g") {
  PodObject object;
  object.pod = pod(name, priority, 1000);
  object.pod.uid = "u-" + name;
  object.workload_ref = WorkloadRef{workload, group, ""};
  return object;
}

inline WorkloadGroups gang_of(std::optional<Quantity> least) { return {"default", "w", {{"g", least}}}; }

/// Pods a and b of a gang that needs `least` pods, or of a group that is no gang, and n1 with 4 CPU.
inline Play with_gang(std::optional<Quantity> least = 2) {
  Play play = with_gangs();
  play.node("n1", 4000);
  writes(play, gang_of(least));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  return play;
}

}  // namespace touchstone::tests::gangs
