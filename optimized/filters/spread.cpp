#include "optimized/filters/spread.hpp"

#include <algorithm>
#include <limits>

namespace touchstone::optimized {

std::unique_ptr<const Spread> Spread::made_for(const Query& query, Workers& workers) {
  if (!query.has_filter(Filter::pod_topology_spread)) return nullptr;
  std::vector<TopologySpreadConstraint> hard = constraints_of(query, "DoNotSchedule");
  if (hard.empty()) return nullptr;
  std::unique_ptr<Spread> spread(new Spread(query, std::move(hard)));
  spread->read_constraints();
  spread->read_classes();
  const NodeIndex nodes = query.tables.nodes.size();
  const std::size_t constraints = spread->constraints_.size();
  spread->moves_.assign(nodes, 0);
  spread->unchanged_.resize(constraints);
  std::vector<Quantity> counted(nodes * constraints, 0);
  for_each_node(workers, nodes, [&](NodeIndex node) {
    if (!query.tables.nodes.is_gone(node)) spread->count_pods_of(node, &counted[node * constraints]);
  });
  for (NodeIndex node = 0; node < nodes; ++node) {
    if (!query.tables.nodes.is_gone(node)) spread->count_node(node, &counted[node * constraints]);
  }
  for (NodeIndex node = 0; query.release.spread_counts_excluded_nodes && node < nodes; ++node) {
    if (!query.tables.nodes.is_gone(node)) spread->count_excluded_node(node, &counted[node * constraints]);
  }
  for (Constraint& constraint : spread->constraints_) spread->find_least(constraint);
  return spread;
}

void Spread::read_constraints() {
  const Release& release = query_.release;
  for (std::uint32_t i = 0; i < hard_.size(); ++i) {
    const TopologySpreadConstraint& stated = hard_[i];
    const Selected selected = selected_by(stated, query_);
    Constraint& constraint = constraints_.emplace_back();
    constraint.topology = topology_by(query_.numbering(stated.topology_key), query_.tables);
    constraint.domains.resize(constraint.topology.domains);
    constraint.max_skew = stated.max_skew;
    constraint.wanted_domains = release.spread_min_domains ? stated.min_domains.value_or(1) : 0;
    constraint.selects_preemptor = selected.holds(query_.labels, query_.tables.symbols);
    constraint.counts_none_at_first = release.spread_empty_selector_counts_none && selected.is_everything();
    constraint.over = spread_over(stated, release);
    constraint.together = counted_together(hard_, i, release);
  }
}

void Spread::read_classes() {
  std::vector<Selected> selected;
  for (const TopologySpreadConstraint& constraint : hard_)
    selected.push_back(selected_by(constraint, query_));
  const PodClasses& classes = query_.tables.classes;
  concerned_.resize(classes.size());
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    if (classes[i].ns != query_.ns || classes[i].pods == 0) continue;
    for (std::uint32_t k = 0; k < selected.size(); ++k) {
      if (selected[k].holds(classes[i].labels, query_.tables.symbols)) concerned_[i].push_back(k);
    }
  }
}

bool Spread::has_all_keys(NodeIndex node) const {
  return std::all_of(constraints_.begin(), constraints_.end(), [node](const Constraint& constraint) {
    return constraint.topology.domain_of[node] != k_no_domain;
  });
}

/// Counts the matching pods of a node before the dry run, for each constraint. Terminating pods are not
/// counted, but removing one in the dry run still subtracts it. Clauses: PRE-SPREAD-4.
void Spread::count_pods_of(NodeIndex node, Quantity* counted) {
  const PodsOfNode pods = query_.pods_of(node);
  for (std::size_t i = 0; i < pods.count; ++i) {
    const std::vector<std::uint32_t>& concerned = concerned_[pods.pod_class[i]];
    if (concerned.empty()) continue;
    moves_[node] = 1;
    if ((pods.flags[i] & k_terminating) != 0) continue;
    for (const std::uint32_t k : concerned) counted[k] += constraints_[k].counts_none_at_first ? 0 : 1;
  }
}

/// Adds the pods of a node to its domain, for each constraint that spreads over the node. Clauses:
/// PRE-SPREAD-3, PRE-SPREAD-5.
void Spread::count_node(NodeIndex node, const Quantity* counted) {
  if (!has_all_keys(node)) return;
  const bool last_counts = query_.release.spread_counts == SpreadCounts::by_key_last;
  for (Constraint& constraint : constraints_) {
    Quantity of_node = 0;
    bool is_included = false;
    for (const std::uint32_t other : constraint.together) {
      if (!constraints_[other].over.includes(node, query_)) continue;
      is_included = true;
      of_node = last_counts ? counted[other] : of_node + counted[other];
    }
    if (!is_included) continue;
    Domain& domain = constraint.domains[constraint.topology.domain_of[node]];
    domain.is_there = true;
    domain.pods += of_node;
  }
}

/// Adds the pods of an excluded node to its domain, if the domain exists. From v1.19 to v1.23. Clauses:
/// PRE-SPREAD-4.
void Spread::count_excluded_node(NodeIndex node, const Quantity* counted) {
  for (Constraint& constraint : constraints_) {
    // A node without the label counts as a node whose value is empty.
    std::uint32_t number = constraint.topology.domain_of[node];
    if (number == k_no_domain) number = constraint.topology.of_empty_value;
    if (number == k_no_domain || !constraint.domains[number].is_there) continue;
    if (has_all_keys(node) && constraints_[constraint.together.front()].over.includes(node, query_)) continue;
    for (const std::uint32_t other : constraint.together) constraint.domains[number].pods += counted[other];
  }
}

void Spread::find_least(Constraint& constraint) const {
  constexpr Quantity k_most = std::numeric_limits<std::int32_t>::max();
  constraint.least = k_most;
  constraint.least_but_one = k_most;
  for (std::uint32_t i = 0; i < constraint.domains.size(); ++i) {
    const Domain& domain = constraint.domains[i];
    if (!domain.is_there) continue;
    constraint.domains_there += 1;
    if (domain.pods < constraint.least) {
      constraint.least_but_one = constraint.least;
      constraint.least = domain.pods;
      constraint.least_domain = i;
    } else {
      constraint.least_but_one = std::min(constraint.least_but_one, domain.pods);
    }
  }
}

void Spread::apply(std::uint32_t pod_class, Move move, Changes& changes) const {
  for (const std::uint32_t k : concerned_[pod_class]) changes[k] += move == Move::is_taken_away ? -1 : 1;
}

/// What the changes add to the count of the node's domain. Clauses: PRE-SPREAD-5, PRE-SPREAD-6.
Quantity Spread::change_of(const Constraint& constraint, NodeIndex node, const Changes& changes) const {
  Quantity change = 0;
  for (const std::uint32_t other : constraint.together) {
    if (changes[other] != 0 && constraints_[other].over.includes(node, query_)) change += changes[other];
  }
  return change;
}

/// The smallest count of all domains, if `domain` has `pods` pods now. Complexity: constant, because only
/// this domain can differ from the count before the dry run.
Quantity Spread::least_with(const Constraint& constraint, std::uint32_t domain, Quantity pods) const {
  if (!constraint.domains[domain].is_there) return constraint.least;
  const Quantity others = domain == constraint.least_domain ? constraint.least_but_one : constraint.least;
  return std::min(others, pods);
}

Code Spread::code_of(NodeIndex node, const Changes& changes) const {
  const Release& release = query_.release;
  const bool changes_count = has_all_keys(node);  // PRE-SPREAD-6
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& constraint = constraints_[i];
    const std::uint32_t number = constraint.topology.domain_of[node];
    if (constraint.domains_there == 0 && release.spread_passes_without_domains) return Code::success;
    if (number == k_no_domain)  // PRE-SPREAD-1
      return release.spread_key_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable;
    const bool is_there = constraint.domains[number].is_there;
    const Quantity pods = (is_there ? constraint.domains[number].pods : 0) +
                          (changes_count ? change_of(constraint, node, changes) : 0);
    const bool too_few = release.spread_min_domains && constraint.domains_there < constraint.wanted_domains;
    const Quantity least = too_few ? 0 : least_with(constraint, number, pods);
    const Quantity self = constraint.selects_preemptor ? 1 : 0;
    if (pods + self - least > constraint.max_skew) return Code::unschedulable;  // PRE-SPREAD-7
  }
  return Code::success;
}

bool Spread::crashes(NodeIndex node, const std::vector<std::uint32_t>& pod_classes) const {
  if (!query_.release.spread_excluded_crashes || !has_all_keys(node)) return false;
  return std::any_of(pod_classes.begin(), pod_classes.end(), [&](std::uint32_t pod_class) {
    const std::vector<std::uint32_t>& concerned = concerned_[pod_class];
    return std::any_of(concerned.begin(), concerned.end(), [&](std::uint32_t k) {
      const Constraint& constraint = constraints_[k];
      return !constraint.domains[constraint.topology.domain_of[node]].is_there;
    });
  });
}

}  // namespace touchstone::optimized
