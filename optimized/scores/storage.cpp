#include <cmath>
#include <map>

#include "optimized/filters/volumes.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/scores/shape.hpp"
#include "optimized/store/go_numbers.hpp"

/// The score of VolumeBinding: how much of the storage that a node reaches the preemptor would use.
namespace touchstone::optimized {

namespace {

/// SCORE-CAPACITY-1, for a preemptor with volumes.
class StorageScore final : public NodeScorer {
 public:
  explicit StorageScore(const Query& query) : NodeScorer(query, Scaling::none) {}

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) raw[i] = score_of(nodes[i]);
  }

 private:
  struct ClassUse {
    Quantity requested = 0;
    Quantity capacity = 0;
  };

  Quantity score_of(NodeIndex node) const {
    CanonicalChoices first;
    std::map<std::string, ClassUse> classes;
    const std::vector<StorageUse> uses = query_.volumes->storage_use(node, first);
    for (const StorageUse& use : uses) {
      if (use.is_made != uses.front().is_made) continue;  // existing volumes come first, and count alone
      ClassUse& of_class = classes[use.storage_class];
      of_class.requested = go::sum(of_class.requested, use.requested);
      const Quantity before = use.is_made ? 0 : of_class.capacity;
      of_class.capacity = go::sum(before, use.capacity.value_or(0));
    }
    if (classes.empty()) return 0;
    Quantity sum = 0;
    for (const auto& [name, use] : classes) sum += score_on_class(use);
    return go::integer(std::round(static_cast<double>(sum) / static_cast<double>(classes.size())));
  }

  Quantity score_on_class(const ClassUse& use) const {
    const bool is_full = use.capacity == 0 || use.requested > use.capacity;
    const Quantity utilization = is_full ? 100 : go::product(use.requested, 100) / use.capacity;
    return score_on(query_.release.storage_shape, utilization, query_.release);
  }
};

}  // namespace

MadeScorer storage_capacity(const Query& query) {
  const bool is_scored = query.release.storage_is_scored;
  if (!is_scored && query.release.storage_score_may_be_skipped) return nullptr;
  if (!is_scored || !query.volumes) return equal_scores(query, 0);
  return std::make_unique<StorageScore>(query);
}

}  // namespace touchstone::optimized
