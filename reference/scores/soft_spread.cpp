#include <algorithm>
#include <cmath>

#include "reference/filters/constraints.hpp"
#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scores.hpp"

/// PodTopologySpread: the preemptor's ScheduleAnyway constraints. Nodes in domains with fewer of the counted
/// pods score higher.
namespace touchstone::reference {

namespace {

/// The raw score of each feasible node. None: the node is not valid (SCORE-SPREAD-3).
using RawScores = std::vector<std::optional<Quantity>>;

/// A soft constraint, with the number of counted pods in each domain and the weight of a pod.
struct CountedConstraint {
  Constraint constraint;
  bool on_the_node_alone;
  std::map<std::string, Quantity> pods;
  double weight;
};

/// SCORE-SPREAD-3: whether nodes without all keys are left out. They are, unless the constraints are the
/// system's own.
bool all_keys_are_needed(const Cycle& cycle) {
  const bool are_of_system = cycle.pod.topology_spread.empty() && cycle.release.system_constraints;
  return !are_of_system || cycle.release.system_constraints_need_all_keys;
}

/// SCORE-SPREAD-3: whether a node may have a domain.
bool is_in_a_domain(const Node& node, const std::vector<Constraint>& constraints, const Cycle& cycle) {
  return !all_keys_are_needed(cycle) || has_all_keys(node, constraints);
}

/// SCORE-SPREAD-3: the feasible nodes that are valid.
Nodes valid_nodes(const Nodes& nodes, const std::vector<Constraint>& constraints, const Cycle& cycle) {
  Nodes valid;
  std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(valid),
               [&](NodeIndex node) { return is_in_a_domain(*cycle.nodes[node].node, constraints, cycle); });
  return valid;
}

/// SCORE-SPREAD-4: the number of counted pods in each domain of constraint number `which`. Pods of all nodes
/// count, but only domains of valid nodes exist.
std::map<std::string, Quantity> pods_in_domains(const std::vector<Constraint>& constraints, std::size_t which,
                                                const Nodes& valid, const Cycle& cycle) {
  const std::string& key = constraints[which].topology_key;
  std::map<std::string, Quantity> pods;
  for (const NodeIndex node : valid) pods[domain_of(*cycle.nodes[node].node, key)] = 0;
  for (const NodeState& node : cycle.nodes) {
    const std::string domain = domain_of(*node.node, key);
    if (!pods.contains(domain) || !is_in_a_domain(*node.node, constraints, cycle)) continue;
    for (const Constraint& constraint : counted_together(constraints, which, cycle.release)) {
      if (includes(constraint, node, cycle)) pods.at(domain) += counted_pods(constraint, node, cycle);
    }
  }
  return pods;
}

/// SCORE-SPREAD-6: the weight of one pod, by the number of domains.
double weight_by_domains(std::size_t domains) { return std::log(static_cast<double>(domains + 2)); }

/// SCORE-SPREAD-6: where constraints of one key count together, only the first of them has domains.
bool has_own_domains(const std::vector<Constraint>& constraints, std::size_t which, const Release& release) {
  if (release.spread_counts == SpreadCounts::by_constraint) return true;
  const auto end = constraints.begin() + static_cast<std::ptrdiff_t>(which);
  return std::none_of(constraints.begin(), end, [&](const Constraint& earlier) {
    return earlier.topology_key == constraints[which].topology_key;
  });
}

CountedConstraint counted_constraint(const std::vector<Constraint>& constraints, std::size_t which,
                                     const Nodes& valid, const Cycle& cycle) {
  const Constraint& constraint = constraints[which];
  if (cycle.release.spread_score_by_domains && constraint.topology_key == "kubernetes.io/hostname")
    return {constraint, true, {}, weight_by_domains(valid.size())};
  std::map<std::string, Quantity> pods = pods_in_domains(constraints, which, valid, cycle);
  const std::size_t domains = has_own_domains(constraints, which, cycle.release) ? pods.size() : 0;
  return {constraint, false, std::move(pods), weight_by_domains(domains)};
}

/// The number of counted pods in the node's domain. From v1.19, every node is a domain of its own by
/// kubernetes.io/hostname (SCORE-SPREAD-6).
Quantity pods_near(const NodeState& node, const CountedConstraint& counted, const Cycle& cycle) {
  if (counted.on_the_node_alone && cycle.bare.contains(node.index)) return 0;  // EXT-RECORD-1
  if (counted.on_the_node_alone) return counted_pods(counted.constraint, node, cycle);
  return counted.pods.at(domain_of(*node.node, counted.constraint.topology_key));
}

/// The number of counted pods of a constraint near a node, for the trace.
Step step_of(const NodeState& node, const CountedConstraint& counted, Quantity pods, const Cycle& cycle) {
  return {Stage::score_part,
          cycle.release.spread_score_by_domains ? "SCORE-SPREAD-6" : "SCORE-SPREAD-5",
          true,
          counted.constraint.topology_key,
          node.index,
          {},
          {{Measure::counted, pods}, {Measure::max_skew, counted.constraint.max_skew}}};
}

/// SCORE-SPREAD-5
Quantity sum_of_pods(const NodeState& node, const std::vector<CountedConstraint>& constraints,
                     const Cycle& cycle) {
  Quantity sum = 0;
  for (const CountedConstraint& counted : constraints) {
    const Quantity pods = pods_near(node, counted, cycle);
    cycle.trace.add(step_of(node, counted, pods, cycle));
    sum += pods;
  }
  return sum;
}

/// SCORE-SPREAD-6
Quantity weighted_sum_of_pods(const NodeState& node, const std::vector<CountedConstraint>& constraints,
                              const Cycle& cycle) {
  double sum = 0.0;
  for (const CountedConstraint& counted : constraints) {
    if (!node.node->labels.contains(counted.constraint.topology_key)) continue;
    const Quantity count = pods_near(node, counted, cycle);
    cycle.trace.add(step_of(node, counted, count, cycle));
    const double pods = go_float(count) * counted.weight;
    sum += pods + go_float(counted.constraint.max_skew - 1);
  }
  return go_integer(cycle.release.spread_score_rounded ? std::round(sum) : sum);
}

/// SCORE-SPREAD-5: the normalisation up to v1.18. If no domain differs from the sum of all, every node gets
/// the highest score, even one that is not valid.
std::vector<Quantity> scores_of_rest(const RawScores& raw, const Release& release) {
  Quantity total = 0;
  std::optional<Quantity> least;
  for (const std::optional<Quantity>& score : raw) {
    if (!score) continue;
    total += *score;
    least = std::min(least.value_or(*score), *score);
  }
  if (!least) return std::vector<Quantity>(raw.size(), 0);
  const Quantity fewest = least.value();
  if (total == fewest) return std::vector<Quantity>(raw.size(), release.highest_score);
  std::vector<Quantity> scores;
  for (const std::optional<Quantity>& score : raw) {
    const double rest = go_float(total - score.value_or(total));
    const double share = rest / go_float(total - fewest);
    scores.push_back(go_integer(go_float(release.highest_score) * share));
  }
  return scores;
}

/// SCORE-SPREAD-6: the normalisation from v1.19.
std::vector<Quantity> scores_between_extremes(const RawScores& raw, const Release& release) {
  std::optional<Quantity> least;
  Quantity largest = 0;
  for (const std::optional<Quantity>& score : raw) {
    if (!score) continue;
    least = std::min(least.value_or(*score), *score);
    largest = std::max(largest, *score);
  }
  std::vector<Quantity> scores;
  for (const std::optional<Quantity>& score : raw) {
    if (!score)
      scores.push_back(0);
    else if (largest == 0)
      scores.push_back(release.highest_score);
    else
      scores.push_back(release.highest_score * (largest + *least - *score) / largest);
  }
  return scores;
}

/// SCORE-SPREAD-7: the scores of a pod without soft constraints.
Scores scores_without_constraints(const Nodes& nodes, const Release& release) {
  if (release.spread_score_may_be_skipped) return std::nullopt;
  return std::vector<Quantity>(nodes.size(), release.spread_score_by_domains ? release.highest_score : 0);
}

}  // namespace

Scores soft_spread(const Cycle& cycle, const Nodes& nodes) {
  const std::vector<Constraint> constraints = constraints_of(cycle, "ScheduleAnyway");
  const Release& release = cycle.release;
  if (constraints.empty()) return scores_without_constraints(nodes, release);
  const Nodes valid = valid_nodes(nodes, constraints, cycle);
  std::vector<CountedConstraint> counted;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    counted.push_back(counted_constraint(constraints, i, valid, cycle));
  RawScores raw;
  for (const NodeIndex index : nodes) {
    const NodeState& node = cycle.nodes[index];
    if (!is_in_a_domain(*node.node, constraints, cycle))
      raw.emplace_back();
    else if (release.spread_score_by_domains)
      raw.push_back(weighted_sum_of_pods(node, counted, cycle));
    else
      raw.push_back(sum_of_pods(node, counted, cycle));
  }
  return release.spread_score_by_domains ? scores_between_extremes(raw, release)
                                         : scores_of_rest(raw, release);
}

}  // namespace touchstone::reference
