#include <algorithm>
#include <utility>

#include "reference/filters/pod_terms.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"

/// InterPodAffinity: nodes near pods that the preemptor prefers, and near pods that prefer the preemptor,
/// score higher.
namespace touchstone::reference {

namespace {

/// The weight of each topology domain. A domain is named by the key and the value of a label.
using DomainWeights = std::map<std::pair<std::string, std::string>, Quantity>;

/// SCORE-AFFINITY-1: adds the weight of a term to the domain of a node. `owner` has the term, `other` is the
/// pod that it may match. Nothing is recorded if it does not match, or if the node has no such label.
void record(DomainWeights& weights, const PodAffinityTerm& term, const Pod& owner, const Pod& other,
            const Node& node, Quantity weight, const Cycle& cycle) {
  const auto label = node.labels.find(term.topology_key);
  if (label == node.labels.end() || !means(term, owner, other, cycle)) return;
  weights[*label] += weight;
}

/// SCORE-AFFINITY-1: the terms of the preemptor, and those of a pod on a node.
void record_pod(DomainWeights& weights, const Pod& other, const Node& node, const Cycle& cycle) {
  const Pod& own = cycle.pod;
  for (const auto& [weight, term] : own.preferred_pod_affinity)
    record(weights, term, own, other, node, weight, cycle);
  for (const auto& [weight, term] : own.preferred_pod_anti_affinity)
    record(weights, term, own, other, node, -weight, cycle);
  const Quantity required_weight = cycle.release.hard_pod_affinity_weight;
  for (const PodAffinityTerm& term : other.pod_affinity) {
    if (required_weight > 0) record(weights, term, other, own, node, required_weight, cycle);
  }
  for (const auto& [weight, term] : other.preferred_pod_affinity)
    record(weights, term, other, own, node, weight, cycle);
  for (const auto& [weight, term] : other.preferred_pod_anti_affinity)
    record(weights, term, other, own, node, -weight, cycle);
}

/// SCORE-AFFINITY-1: what the pods of all nodes add to each domain. Terminating pods count.
DomainWeights recorded_weights(const Cycle& cycle) {
  DomainWeights weights;
  for (const NodeState& node : cycle.nodes) {
    for (const PodOnNode& pod : node.pods) record_pod(weights, *pod.object, *node.node, cycle);
  }
  return weights;
}

/// The sum of the weights of a node's domains.
Quantity weight_of(const NodeState& node, const DomainWeights& weights, const Cycle& cycle) {
  const Labels& labels = node.node->labels;
  Quantity sum = 0;
  for (const auto& [domain, weight] : weights) {
    if (!labels.contains(domain.first) || labels.at(domain.first) != domain.second) continue;
    sum += weight;
    cycle.trace.add({Stage::score_part,
                     "SCORE-AFFINITY-1",
                     true,
                     domain.first + "=" + domain.second,
                     node.index,
                     {},
                     {{Measure::weight, weight}}});
  }
  return sum;
}

/// SCORE-AFFINITY-3: scales the sums so that the least becomes 0 and the largest the highest score. Up to
/// v1.20 the least is at most 0, and the largest at least 0.
std::vector<Quantity> between_extremes(const std::vector<Quantity>& sums, const Release& release) {
  Quantity least = *std::min_element(sums.begin(), sums.end());
  Quantity largest = *std::max_element(sums.begin(), sums.end());
  if (release.affinity_score_from_zero) {
    least = std::min<Quantity>(least, 0);
    largest = std::max<Quantity>(largest, 0);
  }
  std::vector<Quantity> scores(sums.size(), 0);
  if (largest == least) return scores;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double share = go_float(sums[i] - least) / go_float(largest - least);
    scores[i] = go_integer(go_float(release.highest_score) * share);
  }
  return scores;
}

/// SCORE-AFFINITY-1: whether the configuration leaves this pod out.
bool is_left_out(const Cycle& cycle) {
  return cycle.release.ignores_preferred_terms_of_others && cycle.pod.preferred_pod_affinity.empty() &&
         cycle.pod.preferred_pod_anti_affinity.empty();
}

}  // namespace

Scores preferred_pod_affinity(const Cycle& cycle, const Nodes& nodes) {
  if (is_left_out(cycle)) return std::nullopt;
  const DomainWeights weights = recorded_weights(cycle);
  // SCORE-AFFINITY-4
  if (weights.empty() && cycle.release.affinity_score_may_be_skipped) return std::nullopt;
  std::vector<Quantity> sums;
  for (const NodeIndex node : nodes) sums.push_back(weight_of(cycle.nodes[node], weights, cycle));
  return between_extremes(sums, cycle.release);
}

}  // namespace touchstone::reference
