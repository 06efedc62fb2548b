#include <algorithm>
#include <map>

#include "optimized/filters/own_selectors.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/store/go_numbers.hpp"

/// SelectorSpread: nodes and zones with fewer pods of the preemptor's Services and controllers.
namespace touchstone::optimized {

namespace {

/// SCORE-SELECTOR-1, SCORE-SELECTOR-3. Its raw scores are final, since zones are scaled apart from nodes.
class SelectorSpread final : public NodeScorer {
 public:
  SelectorSpread(const Query& query, Nodes feasible) : NodeScorer(query, Scaling::none) {
    read_classes(own_selectors(query));
    in_zone_.resize(query.tables.zones.count(), 0);
    for (const NodeIndex node : feasible) {
      const Quantity pods = pods_on(node);
      most_on_node_ = std::max(most_on_node_, pods);
      in_zone_[query.tables.nodes.zones[node]] += pods;
    }
    for (std::size_t zone = 1; zone < in_zone_.size(); ++zone)
      most_in_zone_ = std::max(most_in_zone_, in_zone_[zone]);
  }

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) raw[i] = score_of(nodes[i]);
  }

 private:
  void read_classes(const std::vector<LabelSelector>& selectors);
  Quantity pods_on(NodeIndex node) const;
  double part_left(Quantity pods, Quantity most) const;
  Quantity score_of(NodeIndex node) const;

  bool has_selectors_ = false;
  std::vector<std::uint8_t> counts_;  ///< by class: whether its pods count
  std::vector<Quantity> in_zone_;     ///< by zone: pods on its feasible nodes
  Quantity most_on_node_ = 0;
  Quantity most_in_zone_ = 0;
};

void SelectorSpread::read_classes(const std::vector<LabelSelector>& stated) {
  has_selectors_ = !stated.empty();
  if (!has_selectors_) return;
  std::vector<Selector> selectors;
  for (const LabelSelector& each : stated) selectors.push_back(Selector::of_labels(each, query_.numbering));
  const PodClasses& classes = query_.tables.classes;
  const bool any = query_.release.several_selectors == SeveralSelectors::any_matches;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const auto matches = [&](const Selector& selector) {
      return selector.matches(classes[i].labels, query_.tables.symbols);
    };
    const bool are_selected = any ? std::any_of(selectors.begin(), selectors.end(), matches)
                                  : std::all_of(selectors.begin(), selectors.end(), matches);
    counts_.push_back(classes[i].ns == query_.ns && are_selected);
  }
}

Quantity SelectorSpread::pods_on(NodeIndex node) const {
  if (!has_selectors_) return 0;
  const PodsOfNode pods = query_.pods_of(node);
  Quantity count = 0;
  for (std::size_t i = 0; i < pods.count; ++i)
    count += counts_[pods.pod_class[i]] != 0 && (pods.flags[i] & k_terminating) == 0 ? 1 : 0;
  return count;
}

double SelectorSpread::part_left(Quantity pods, Quantity most) const {
  const double part = static_cast<double>(most - pods) / static_cast<double>(most);
  return static_cast<double>(query_.release.highest_score) * part;
}

Quantity SelectorSpread::score_of(NodeIndex node) const {
  constexpr double k_zone_weight = 2.0 / 3.0;
  const double highest = static_cast<double>(query_.release.highest_score);
  const std::uint32_t zone = query_.tables.nodes.zones[node];
  const double of_node = most_on_node_ == 0 ? highest : part_left(pods_on(node), most_on_node_);
  if (zone == Zones::k_none) return go::integer(of_node);
  // v1.8 does not ask whether a pod counts in some zone.
  const bool divides = most_in_zone_ != 0 || (query_.release.zones_without_pods_break && has_selectors_);
  const double of_zone = divides ? part_left(in_zone_[zone], most_in_zone_) : highest;
  const double part_of_node = of_node * (1.0 - k_zone_weight);
  const double part_of_zone = k_zone_weight * of_zone;
  return go::integer(part_of_node + part_of_zone);
}

}  // namespace

bool selector_spread_is_local(const Query& query) { return own_selectors(query).empty(); }

MadeScorer selector_spread(const Query& query, Nodes feasible) {
  if (query.release.selector_spread_without_constraints && !query.pod.topology_spread.empty())
    return equal_scores(query, 0);
  return std::make_unique<SelectorSpread>(query, feasible);
}

}  // namespace touchstone::optimized
