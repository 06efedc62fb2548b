#include <cmath>
#include <map>

#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"
#include "reference/scores/shape.hpp"
#include "reference/volumes/volumes.hpp"

namespace touchstone::reference {

namespace {

/// SCORE-CAPACITY-1: what the preemptor requests of a storage class on a node, and how much there is.
struct ClassUse {
  Quantity requested = 0;
  Quantity capacity = 0;
};

/// SCORE-CAPACITY-1: the storage that the preemptor would use on a node, by storage class. If it takes at
/// least one existing volume, only such volumes count.
std::map<std::string, ClassUse> use_by_class(const Cycle& cycle, const NodeState& node) {
  CanonicalChoices first;
  const std::vector<StorageUse> uses = storage_use(cycle, node, first);
  std::map<std::string, ClassUse> classes;
  for (const StorageUse& use : uses) {
    if (use.is_made != uses.front().is_made) continue;  // volumes that are taken come first
    ClassUse& of_class = classes[use.storage_class];
    const Quantity capacity = use.capacity.value_or(0);
    of_class.requested = go_sum(of_class.requested, use.requested);
    // The volumes that are made share one capacity.
    of_class.capacity = use.is_made ? capacity : go_sum(of_class.capacity, capacity);
  }
  return classes;
}

/// SCORE-CAPACITY-1: the score of a storage class: a function of the share of the capacity that is used.
Quantity class_score(const ClassUse& use, const Release& release) {
  constexpr Quantity k_utilization_max = 100;
  const bool is_full = use.capacity == 0 || use.requested > use.capacity;
  const Quantity utilization =
      is_full ? k_utilization_max : go_product(use.requested, k_utilization_max) / use.capacity;
  return score_on_shape(release.storage_shape, utilization, release);
}

/// SCORE-CAPACITY-1: the mean score of the storage classes, rounded; 0 without any.
Quantity mean_of_classes(const std::map<std::string, ClassUse>& classes, NodeIndex node, const Cycle& cycle) {
  if (classes.empty()) return 0;
  Quantity sum = 0;
  for (const auto& [name, use] : classes) {
    const Quantity score = class_score(use, cycle.release);
    sum += score;
    cycle.trace.add({Stage::score_part,
                     "SCORE-CAPACITY-1",
                     true,
                     name,
                     node,
                     {},
                     {{Measure::requested, use.requested},
                      {Measure::allocatable, use.capacity},
                      {Measure::score, score}}});
  }
  return go_integer(std::round(go_float(sum) / static_cast<double>(classes.size())));
}

}  // namespace

/// SCORE-CAPACITY-1: the less of the storage that a node reaches would be used, the higher its score. A
/// configuration can turn this round. Not normalised. Before v1.37 the scorer is skipped, or each node has 0.
Scores volume_capacity(const Cycle& cycle, const Nodes& nodes) {
  const Release& release = cycle.release;
  if (!release.storage_is_scored && release.storage_score_may_be_skipped) return {};
  if (!release.storage_is_scored) return std::vector<Quantity>(nodes.size(), 0);
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes)
    scores.push_back(mean_of_classes(use_by_class(cycle, cycle.nodes[node]), node, cycle));
  return scores;
}

}  // namespace touchstone::reference
