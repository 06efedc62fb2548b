#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "optimized/filters/constraints.hpp"
#include "optimized/scores/scorer.hpp"
#include "optimized/store/go_numbers.hpp"

/// PodTopologySpread: nodes in domains with fewer of the pods that the soft constraints select.
namespace touchstone::optimized {

namespace {

/// SCORE-SPREAD-1 to SCORE-SPREAD-6, for a preemptor with soft constraints.
class SoftSpread final : public NodeScorer {
 public:
  SoftSpread(const Query& query, const std::vector<TopologySpreadConstraint>& soft, Nodes feasible,
             Workers& workers);

  void rate(Nodes nodes, Quantity* raw) const override {
    std::vector<Quantity> own(constraints_.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      raw[i] = is_valid(nodes[i]) ? raw_score(nodes[i], own) : k_not_valid;
  }

 private:
  struct Constraint {
    Symbol label = 0;
    Quantity max_skew = 0;
    SpreadOver over;
    bool counts_none = false;        ///< SCORE-SPREAD-4: an empty selector
    bool on_the_node_alone = false;  ///< SCORE-SPREAD-6: over kubernetes.io/hostname
    std::vector<std::uint32_t> together;
    std::unordered_map<Symbol, Quantity> domains;  ///< pods that count, by value
    double weight = 0;                             ///< of a pod
  };

  void read(const std::vector<TopologySpreadConstraint>& soft);
  void read_classes(const std::vector<TopologySpreadConstraint>& soft);
  /// The value of a topology key. A node without the label is in the domain of the empty value.
  Symbol domain_of(const Constraint& constraint, NodeIndex node) const;
  bool has_all_keys(NodeIndex node) const;
  bool is_valid(NodeIndex node) const { return !needs_all_keys_ || has_all_keys(node); }
  bool count_on(NodeIndex node, Quantity* counted) const;
  void find_domains(Nodes feasible);
  void count_pods(Workers& workers);
  void find_weights(std::size_t valid);
  Quantity raw_score(NodeIndex node, std::vector<Quantity>& own) const;

  std::vector<Constraint> constraints_;
  std::vector<std::vector<std::uint32_t>> selecting_;  ///< by class: constraints that count its pods
  bool needs_all_keys_ = true;
  bool counts_on_node_ = false;
};

SoftSpread::SoftSpread(const Query& query, const std::vector<TopologySpreadConstraint>& soft, Nodes feasible,
                       Workers& workers)
    : NodeScorer(query, query.release.spread_score_by_domains ? Scaling::rest_of_largest : Scaling::rest),
      selecting_(query.tables.classes.size()) {
  const bool are_of_system = query.pod.topology_spread.empty() && query.release.system_constraints;
  needs_all_keys_ = !are_of_system || query.release.system_constraints_need_all_keys;
  read(soft);
  read_classes(soft);
  find_domains(feasible);
  count_pods(workers);
}

void SoftSpread::read(const std::vector<TopologySpreadConstraint>& soft) {
  const Release& release = query_.release;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    Constraint& constraint = constraints_.emplace_back();
    constraint.label = query_.numbering(soft[i].topology_key);
    constraint.max_skew = soft[i].max_skew;
    constraint.over = spread_over(soft[i], release);
    constraint.counts_none =
        release.spread_empty_selector_counts_none && selected_by(soft[i], query_).is_everything();
    constraint.on_the_node_alone =
        release.spread_score_by_domains && soft[i].topology_key == "kubernetes.io/hostname";
    constraint.together = counted_together(soft, i, release);
    counts_on_node_ = counts_on_node_ || constraint.on_the_node_alone;
  }
}

void SoftSpread::read_classes(const std::vector<TopologySpreadConstraint>& soft) {
  const PodClasses& classes = query_.tables.classes;
  for (std::uint32_t k = 0; k < soft.size(); ++k) {
    const Selected selected = selected_by(soft[k], query_);
    for (std::uint32_t i = 0; i < classes.size() && !constraints_[k].counts_none; ++i) {
      if (classes[i].ns != query_.ns || classes[i].pods == 0) continue;
      if (selected.holds(classes[i].labels, query_.tables.symbols)) selecting_[i].push_back(k);
    }
  }
}

Symbol SoftSpread::domain_of(const Constraint& constraint, NodeIndex node) const {
  const Symbol value = value_of(query_.tables.nodes.facts[node].labels, constraint.label);
  if (value == k_unknown_symbol || query_.tables.symbols.text(value).empty()) return k_unknown_symbol;
  return value;
}

bool SoftSpread::has_all_keys(NodeIndex node) const {
  const std::vector<Label>& labels = query_.tables.nodes.facts[node].labels;
  return std::all_of(constraints_.begin(), constraints_.end(), [&labels](const Constraint& constraint) {
    return value_of(labels, constraint.label) != k_unknown_symbol;
  });
}

/// Adds the pods of a node that each constraint counts. Returns whether some pod counts. SCORE-SPREAD-4.
bool SoftSpread::count_on(NodeIndex node, Quantity* counted) const {
  const PodsOfNode pods = query_.pods_of(node);
  bool counts = false;
  for (std::size_t i = 0; i < pods.count; ++i) {
    const std::vector<std::uint32_t>& selecting = selecting_[pods.pod_class[i]];
    if (selecting.empty() || (pods.flags[i] & k_terminating) != 0) continue;
    for (const std::uint32_t k : selecting) counted[k] += 1;
    counts = true;
  }
  return counts;
}

/// SCORE-SPREAD-3: only domains of valid feasible nodes exist.
void SoftSpread::find_domains(Nodes feasible) {
  std::size_t valid = 0;
  for (const NodeIndex node : feasible) {
    if (!is_valid(node)) continue;
    ++valid;
    for (Constraint& constraint : constraints_) {
      if (!constraint.on_the_node_alone) constraint.domains.emplace(domain_of(constraint, node), 0);
    }
  }
  find_weights(valid);
}

/// SCORE-SPREAD-6: the weight of a pod, by the number of domains. Where constraints of one key count
/// together, only the first of them has domains.
void SoftSpread::find_weights(std::size_t valid) {
  for (std::uint32_t i = 0; i < constraints_.size(); ++i) {
    Constraint& constraint = constraints_[i];
    const std::size_t own = constraint.together.front() == i ? constraint.domains.size() : 0;
    const std::size_t domains = constraint.on_the_node_alone ? valid : own;
    constraint.weight = std::log(static_cast<double>(domains + 2));
  }
}

/// SCORE-SPREAD-4: pods of all nodes count that have all keys, if that is needed, and that a constraint
/// spreads over.
void SoftSpread::count_pods(Workers& workers) {
  const NodeTable& nodes = query_.tables.nodes;
  const std::size_t count = constraints_.size();
  if (std::all_of(selecting_.begin(), selecting_.end(), [](const auto& each) { return each.empty(); }))
    return;
  if (std::all_of(constraints_.begin(), constraints_.end(),
                  [](const Constraint& constraint) { return constraint.on_the_node_alone; }))
    return;
  std::vector<Quantity> counted(nodes.size() * count, 0);
  std::vector<std::uint8_t> has_some(nodes.size(), 0);
  for_each_node(workers, nodes.size(), [&](NodeIndex node) {
    if (!nodes.is_gone(node)) has_some[node] = count_on(node, &counted[node * count]);
  });
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (has_some[node] == 0 || !is_valid(node)) continue;
    for (Constraint& constraint : constraints_) {
      const auto domain = constraint.domains.find(domain_of(constraint, node));
      if (domain == constraint.domains.end()) continue;
      for (const std::uint32_t other : constraint.together) {
        if (constraints_[other].over.includes(node, query_)) domain->second += counted[node * count + other];
      }
    }
  }
}

/// SCORE-SPREAD-5, SCORE-SPREAD-6. Requires: the node is valid, and feasible. `own`: room for a count by
/// constraint.
Quantity SoftSpread::raw_score(NodeIndex node, std::vector<Quantity>& own) const {
  const Release& release = query_.release;
  std::fill(own.begin(), own.end(), 0);
  if (counts_on_node_ && !query_.nodes_are_bare) count_on(node, own.data());
  Quantity pods_in_all = 0;
  double sum = 0.0;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = constraints_[i];
    const bool has_label =
        value_of(query_.tables.nodes.facts[node].labels, constraint.label) != k_unknown_symbol;
    if (release.spread_score_by_domains && !has_label) continue;
    const Quantity pods =
        constraint.on_the_node_alone ? own[i] : constraint.domains.at(domain_of(constraint, node));
    pods_in_all += pods;
    const double weighted = static_cast<double>(pods) * constraint.weight;
    sum += weighted + static_cast<double>(constraint.max_skew - 1);
  }
  if (!release.spread_score_by_domains) return pods_in_all;
  return go::integer(release.spread_score_rounded ? std::round(sum) : sum);
}

}  // namespace

bool soft_spread_is_local(const Query& query) { return constraints_of(query, "ScheduleAnyway").empty(); }

MadeScorer soft_spread(const Query& query, Nodes feasible, Workers& workers) {
  const std::vector<TopologySpreadConstraint> soft = constraints_of(query, "ScheduleAnyway");
  if (!soft.empty()) return std::make_unique<SoftSpread>(query, soft, feasible, workers);
  // SCORE-SPREAD-7
  if (query.release.spread_score_may_be_skipped) return nullptr;
  return equal_scores(query, query.release.spread_score_by_domains ? query.release.highest_score : 0);
}

}  // namespace touchstone::optimized
