#include "reference/scores/policy_scores.hpp"

#include <algorithm>
#include <functional>

#include "reference/filters/labels.hpp"
#include "reference/filters/policy_services.hpp"
#include "reference/scores/fit_score.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scored_requests.hpp"
#include "reference/scores/shape.hpp"

namespace touchstone::reference {

namespace {

/// The score of a node by what one resource of it requests.
using ResourceScore = Quantity (*)(const ScoredLoad& load, const WeightedScorer& scorer,
                                   const Release& release);

/// POL-MOST-1
Quantity most_requested(const ScoredLoad& load, const WeightedScorer&, const Release& release) {
  return most_allocated(load, release);
}

/// POL-RATIO-1
Quantity requested_to_capacity_ratio(const ScoredLoad& load, const WeightedScorer& scorer,
                                     const Release& release) {
  if (load.allocatable == 0 || load.with > load.allocatable)
    return score_on_shape(scorer.shape, 100, release);
  const Quantity free = go_difference(load.allocatable, load.with);
  return score_on_shape(scorer.shape,
                        release.ratio_of_used_part ? go_product(load.with, 100) / load.allocatable
                                                   : 100 - go_product(free, 100) / load.allocatable,
                        release);
}

/// POL-MOST-1, POL-RATIO-1: the mean score of the resources. `only_positive`: resources that score 0 do not
/// count.
std::vector<Quantity> by_resources(const WeightedScorer& scorer, const Cycle& cycle, const Nodes& nodes,
                                   ResourceScore score_of, bool only_positive) {
  const Release& release = cycle.release;
  const ResourceList own = requests_with_defaults_of_preemptor(cycle.pod, release);
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    Quantity sum = 0;
    Quantity weights = 0;
    for (const ScoredLoad& load :
         scored_loads(cycle, cycle.nodes[node], scorer.resources, own, MissingRequests::count_by_default)) {
      const Quantity score = score_of(load, scorer, release);
      if (only_positive && score == 0) continue;
      sum = go_sum(sum, go_product(score, load.weight));
      weights = go_sum(weights, load.weight);
    }
    const Quantity rounding = only_positive ? weights : 0;  // to the nearest integer, and up in the middle
    scores.push_back(weights == 0 ? 0 : (2 * sum + rounding) / (2 * weights));
  }
  return scores;
}

/// POL-PREFER-1: the share of the labels that a node has or lacks as it should.
std::vector<Quantity> by_label(const WeightedScorer& scorer, const Cycle& cycle, const Nodes& nodes) {
  const auto count = static_cast<Quantity>(scorer.labels.size() + scorer.absent_labels.size());
  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    const Labels& labels = cycle.nodes[node].node->labels;
    const auto has = [&labels](const std::string& label) { return labels.contains(label); };
    const auto present = std::count_if(scorer.labels.begin(), scorer.labels.end(), has);
    const auto lacking =
        std::count_if(scorer.absent_labels.begin(), scorer.absent_labels.end(), std::not_fn(has));
    scores.push_back(static_cast<Quantity>(present + lacking) * cycle.release.highest_score / count);
  }
  return scores;
}

/// POL-APART-1: the pods on a node that the preemptor's first Service selects.
Quantity pods_of_service(const NodeState& node, const LabelSelector& service, const Cycle& cycle) {
  const auto counts = [&](const PodOnNode& pod) {
    const bool is_counted = cycle.release.pods_of_all_nodes_apart || !pod.object->terminating;
    return is_counted && pod.object->ns == cycle.pod.ns && matches(service, pod.object->labels);
  };
  return static_cast<Quantity>(std::count_if(node.pods.begin(), node.pods.end(), counts));
}

/// POL-APART-1: the pods of the first Service: all of them, and by the value of a label.
struct ServicePods {
  Quantity all = 0;
  std::map<std::string, Quantity> by_value;
};

ServicePods count_pods(const std::string& label, const Cycle& cycle, const Nodes& nodes) {
  ServicePods pods;
  const std::vector<LabelSelector> services = services_of_preemptor(cycle);
  if (services.empty()) return pods;
  for (const NodeState& node : cycle.nodes) {
    const bool is_feasible = std::find(nodes.begin(), nodes.end(), node.index) != nodes.end();
    if (!is_feasible && !cycle.release.pods_of_all_nodes_apart) continue;
    const Quantity count = pods_of_service(node, services.front(), cycle);
    pods.all += count;
    const auto found = node.node->labels.find(label);
    if (is_feasible && found != node.node->labels.end()) pods.by_value[found->second] += count;
  }
  return pods;
}

/// POL-APART-1: the mean over the labels, in floats.
std::vector<Quantity> by_service(const WeightedScorer& scorer, const Cycle& cycle, const Nodes& nodes) {
  const double highest = go_float(cycle.release.highest_score);
  const auto count = static_cast<double>(scorer.labels.size());
  std::vector<double> means(nodes.size(), 0.0);
  for (const std::string& label : scorer.labels) {
    ServicePods pods = count_pods(label, cycle, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Labels& labels = cycle.nodes[nodes[i]].node->labels;
      const auto found = labels.find(label);
      if (found == labels.end()) continue;
      const Quantity others = pods.all - pods.by_value[found->second];
      const double share = pods.all == 0 ? 1.0 : go_float(others) / go_float(pods.all);
      means[i] += highest * share / count;
    }
  }
  std::vector<Quantity> scores;
  for (const double mean : means) scores.push_back(go_integer(mean));
  return scores;
}

}  // namespace

bool service_is_unclear(const Cycle& cycle) {
  const std::vector<WeightedScorer>& scorers = cycle.release.scorers;
  const bool spreads = std::any_of(scorers.begin(), scorers.end(), [](const WeightedScorer& each) {
    return each.scorer == Scorer::service_anti_affinity;
  });
  return spreads && services_of_preemptor(cycle).size() > 1;
}

Scores run_weighted(const WeightedScorer& scorer, const Cycle& cycle, const Nodes& nodes) {
  switch (scorer.scorer) {
    case Scorer::equal:
      return std::vector<Quantity>(nodes.size(), 1);  // POL-EQUAL-1
    case Scorer::most_requested:
      return by_resources(scorer, cycle, nodes, most_requested, false);
    case Scorer::requested_to_capacity_ratio:
      return by_resources(scorer, cycle, nodes, requested_to_capacity_ratio,
                          cycle.release.ratio_of_positive_scores);
    case Scorer::label_preference:
      return by_label(scorer, cycle, nodes);
    case Scorer::service_anti_affinity:
      return by_service(scorer, cycle, nodes);
    default:
      return run_scorer(scorer.scorer, cycle, nodes);
  }
}

}  // namespace touchstone::reference
