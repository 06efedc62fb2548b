#pragma once

#include <string>

#include "tests/support/storage.hpp"

/// Clusters, pods, claims and volumes that several tests of filters use.
namespace touchstone::tests {

inline QuestionBuilder one_node() { return QuestionBuilder().node("n1", 1000); }

inline Pod with_memory_of(Pod pod, Quantity bytes) {
  pod.containers[0].requests["memory"] = bytes;
  return pod;
}

/// The pod, terminating because of a preemption. A preemptor of a higher priority that is nominated to its
/// node waits for it, unless the node is unresolvable (PRE-ELIGIBLE-2, PRE-ELIGIBLE-3).
inline Pod leaving(Pod pod) {
  pod.terminating = true;
  pod.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  return pod;
}

/// A claim for an ephemeral volume of a pod. The claim was not made for this pod, so NodeVolumeLimits returns
/// an error (PRE-ATTACH-6).
inline PersistentVolumeClaim foreign_claim(const std::string& pod_name, const std::string& volume_name) {
  PersistentVolumeClaim made = claim(pod_name + "-" + volume_name, "v");
  made.controller = "somebody";
  return made;
}

/// The claim, which takes only volumes with the label tier=a.
inline PersistentVolumeClaim picky(PersistentVolumeClaim claim) {
  claim.selector = LabelSelector{{{"tier", "a"}}, {}};
  return claim;
}

inline PersistentVolume in_tier_a(PersistentVolume volume) {
  volume.labels["tier"] = "a";
  return volume;
}

}  // namespace touchstone::tests
