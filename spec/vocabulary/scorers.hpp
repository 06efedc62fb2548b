#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

/// The scorers of kube-scheduler: score plug-ins, called priority functions up to v1.17.
namespace touchstone {

enum class Scorer {
  selector_spread,
  inter_pod_affinity,
  node_resources,  ///< LeastRequested, later a strategy of NodeResourcesFit
  balanced_allocation,
  node_prefer_avoid_pods,
  node_affinity,
  taint_toleration,
  image_locality,
  pod_topology_spread,
  volume_capacity,  ///< the score of VolumeBinding
  dynamic_resources,
  service_spread,  ///< of a Policy alone, like the next ones
  equal,
  most_requested,
  requested_to_capacity_ratio,
  label_preference,
  service_anti_affinity,
  end,  ///< not a scorer: the number of scorers
};

/// How NodeResourcesFit scores a resource. SCORE-LEAST-1, SCORE-STRATEGY-2, SCORE-STRATEGY-3.
enum class FitStrategy { least_allocated, most_allocated, requested_to_capacity };

/// A resource that a scorer looks at, with its weight. SCORE-STRATEGY-1.
struct ScoredResource {
  std::string name;
  Quantity weight = 1;

  bool operator==(const ScoredResource&) const = default;
};

/// A point of a function from utilization (0 to 100) to score. The score is on the scale 0 to 10 of a
/// configuration. SCORE-STRATEGY-3, SCORE-CAPACITY-1.
struct ShapePoint {
  Quantity utilization = 0;
  Quantity score = 0;

  bool operator==(const ShapePoint&) const = default;
};

/// A scorer that a release or a configuration runs. SCORE-SET-1.
struct WeightedScorer {
  Scorer scorer;
  std::string name;  ///< as the release or the configuration names it
  Quantity weight = 1;
  std::vector<std::string> labels = {};         ///< of label_preference and service_anti_affinity
  std::vector<std::string> absent_labels = {};  ///< of label_preference: that nodes should not have
  std::vector<ShapePoint> shape = {};           ///< of requested_to_capacity_ratio, like the next
  std::vector<ScoredResource> resources = {{"cpu", 1}, {"memory", 1}};

  bool operator==(const WeightedScorer&) const = default;
};

/// The error of a scorer whose PreScore did not run. Requires: the scorer needs what its PreScore stores.
/// CYC-PROFILE-1.
inline std::string error_without_prescore(const WeightedScorer& scorer) {
  const std::string verb = scorer.scorer == Scorer::pod_topology_spread ? "error reading" : "failed to read";
  return "running Score plugins: plugin \"" + scorer.name + "\" failed with: " + verb + " \"PreScore" +
         scorer.name + "\" from cycleState: not found";
}

}  // namespace touchstone
