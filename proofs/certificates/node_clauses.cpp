#include "proofs/certificates/node_clauses.hpp"

#include <algorithm>

#include "proofs/certificates/node_facts.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::proofs {

using reference::PodOnNode;

NodeClauses::NodeClauses(const reference::Cycle& cycle, NodeIndex node, Obligations& obligations)
    : cycle_(cycle), node_(node), obligations_(obligations), fixed_(fixed_verdict(cycle, node)) {
  for (const PodOnNode& pod : cycle.nodes[node].pods)
    (pod.object->priority < cycle.pod.priority ? lower_ : others_).push_back(pod);  // PRE-VICTIM-1
  for (const PodOnNode& pod : cycle.nominated[node]) {
    if (cycle.release.nominated_pods_count && pod.object->priority >= cycle.pod.priority)
      nominated_.push_back(pod);
  }
  put_in_order();
  account_for_pdbs();
}

Stays NodeClauses::all(bool stay) const { return Stays(lower_.size(), obligations_.truth(stay)); }

Stays NodeClauses::all_but(const std::vector<PodIndex>& victims) const {
  Stays stays;
  for (const PodOnNode& pod : lower_) {
    const bool goes = std::find(victims.begin(), victims.end(), pod.pod) != victims.end();
    stays.push_back(obligations_.truth(!goes));
  }
  return stays;
}

Stays NodeClauses::declare(const std::string& state) const {
  Stays stays;
  for (const PodOnNode& pod : lower_)
    stays.push_back(obligations_.declare(cycle_.cluster.nodes[node_].name + ": " + pod.object->full_name() +
                                         " " + state));
  return stays;
}

// ---- the conditions for the preemptor to fit ----

/// For each pod, whether it is on the node: a potential victim if it stays, another pod always, and a
/// nominated pod if `with_nominated`.
std::vector<z3::expr> NodeClauses::pods_with(const Stays& stays, bool with_nominated) const {
  std::vector<z3::expr> pods = stays;
  const std::size_t fixed = others_.size() + (with_nominated ? nominated_.size() : 0);
  pods.insert(pods.end(), fixed, obligations_.truth(true));
  return pods;
}

z3::expr NodeClauses::has_space(const Stays& stays, bool with_nominated) const {  // PRE-FIT-1
  std::vector<z3::expr> pods;
  for (const z3::expr& is_there : pods_with(stays, with_nominated))
    pods.push_back(z3::ite(is_there, obligations_.number(1), obligations_.number(0)));
  const ResourceList& allocatable = cycle_.cluster.nodes[node_].allocatable;
  return obligations_.sum_of(pods) + 1 <= obligations_.number(amount(allocatable, "pods"));
}

z3::expr NodeClauses::fits(const Stays& stays, const std::string& resource,
                           bool with_nominated) const {  // PRE-FIT-2
  const std::vector<z3::expr> are_there = pods_with(stays, with_nominated);
  std::vector<PodOnNode> pods = lower_;
  pods.insert(pods.end(), others_.begin(), others_.end());
  pods.insert(pods.end(), nominated_.begin(), nominated_.end());
  std::vector<z3::expr> used;
  for (std::size_t i = 0; i < are_there.size(); ++i) {
    const Quantity request = amount(cycle_.requests[pods[i].pod], resource);
    if (request != 0)
      used.push_back(z3::ite(are_there[i], obligations_.number(request), obligations_.number(0)));
  }
  const ResourceList& allocatable = cycle_.cluster.nodes[node_].allocatable;
  return obligations_.number(amount(cycle_.requested, resource)) + obligations_.sum_of(used) <=
         obligations_.number(amount(allocatable, resource));
}

z3::expr NodeClauses::has_free_ports(const Stays& stays) const {  // PRE-PORTS-1, PRE-PORTS-2
  std::vector<z3::expr> free = {obligations_.truth(!ports_are_taken(cycle_, lower_, others_, nominated_))};
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (ports_conflict(cycle_, *lower_[i].object)) free.push_back(!stays[i]);
  }
  return obligations_.all_of(free);
}

std::vector<Need> NodeClauses::needs(const Stays& stays) const {
  std::vector<Need> needs;
  if (!fixed_.ok())
    needs.push_back(
        {std::string(fixed_.findings.front().clause), fixed_.reasons.front(), obligations_.truth(false)});
  needs.push_back({"PRE-PORTS-1", "host ports", has_free_ports(stays)});
  for (const bool with_nominated : {true, false}) {  // PRE-NOMINATED-1
    if (with_nominated && nominated_.empty()) continue;
    const std::string suffix = with_nominated ? ", some of it promised to nominated pods" : "";
    needs.push_back({"PRE-FIT-1", "pods" + suffix, has_space(stays, with_nominated)});
    for (const std::string& resource : resources_looked_at(cycle_))
      needs.push_back({"PRE-FIT-2", resource + suffix, fits(stays, resource, with_nominated)});
  }
  for (Need& need : needs) need.is_met = need.is_met.simplify();
  return needs;
}

z3::expr NodeClauses::has_room(const Stays& stays) const {
  std::vector<z3::expr> met;
  for (const Need& need : needs(stays)) met.push_back(need.is_met);
  return obligations_.all_of(met);
}

z3::expr NodeClauses::is_candidate() const {
  // PRE-VICTIM-2: up to v1.18 a node without potential victims is filtered again, with the same result.
  return obligations_.truth(!lower_.empty()) && has_room(all(false));
}

// ---- PDBs ----

void NodeClauses::account_for_pdbs() {
  const Release& release = cycle_.release;
  const std::string prefix = cycle_.cluster.nodes[node_].name + ": ";
  for (const PodOnNode& pod : lower_) {
    covered_.push_back(reference::covering_pdbs(cycle_, *pod.object));
    spends_.emplace_back();
    if (release.pdb_budget != PdbBudget::consumed_until_violated) continue;
    for (const PodDisruptionBudget& pdb : cycle_.cluster.pdbs)
      spends_.back().push_back(
          obligations_.declare(prefix + pod.object->full_name() + " spends " + pdb.ns + "/" + pdb.name));
  }
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    std::vector<z3::expr> exceeded;
    std::vector<z3::expr> has_left;
    for (std::size_t k = 0; k < cycle_.cluster.pdbs.size(); ++k) {
      if (covered_[i][k]) exceeded.push_back((left_of(k, i) <= 0).simplify());
      if (covered_[i][k]) has_left.push_back((left_of(k, i) > 0).simplify());
      if (release.pdb_budget == PdbBudget::consumed_until_violated)  // PRE-PDB-4
        accounts_.push_back(spends_[i][k] ==
                            (obligations_.truth(covered_[i][k]) && obligations_.all_of(has_left)));
    }
    // PRE-PDB-1: v1.8 ignores PDBs.
    if (release.pdb_budget == PdbBudget::ignored) exceeded.clear();
    accounts_.push_back(violates_[i] == obligations_.any_of(exceeded));
  }
}

/// The budget that a PDB has left for a pod: its disruptions less those that more important pods have spent.
z3::expr NodeClauses::left_of(std::size_t pdb, std::size_t before) const {
  std::vector<z3::expr> spent;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (i == before || !covered_[i][pdb]) continue;
    spent.push_back(z3::ite(is_more_important(i, before) && spends(i, pdb), obligations_.number(1),
                            obligations_.number(0)));
  }
  return obligations_.number(cycle_.cluster.pdbs[pdb].disruptions_allowed) - obligations_.sum_of(spent);
}

z3::expr NodeClauses::spends(std::size_t victim, std::size_t pdb) const {
  if (cycle_.release.pdb_budget == PdbBudget::consumed_until_violated)  // PRE-PDB-4
    return spends_[victim][pdb];
  // PRE-PDB-3: no budget is consumed. PRE-PDB-5: every matching budget is consumed.
  return obligations_.truth(cycle_.release.pdb_budget == PdbBudget::consumed_all && covered_[victim][pdb]);
}

z3::expr NodeClauses::pdb_violations(const Stays& stays) const {
  std::vector<z3::expr> terms;
  for (std::size_t i = 0; i < lower_.size(); ++i)
    terms.push_back(z3::ite(violates_[i] && !stays[i], obligations_.number(1), obligations_.number(0)));
  return obligations_.sum_of(terms);
}

// ---- order ----

void NodeClauses::put_in_order() {
  for (const PodOnNode& pod : lower_)
    violates_.push_back(obligations_.declare(cycle_.cluster.nodes[node_].name + ": " +
                                             pod.object->full_name() + " violates a PDB"));
  for (std::size_t a = 0; a < lower_.size(); ++a) {
    more_important_.emplace_back();
    tried_before_.emplace_back();
    for (std::size_t b = 0; b < lower_.size(); ++b) {
      const z3::expr& is_first = more_important_[a].emplace_back(importance(a, b).simplify());
      const z3::expr tried = (violates_[a] && !violates_[b]) || (violates_[a] == violates_[b] && is_first);
      tried_before_[a].push_back(tried.simplify());
    }
  }
}

z3::expr NodeClauses::importance(std::size_t a, std::size_t b) const {
  const Release& release = cycle_.release;
  const Pod& one = *lower_[a].object;
  const Pod& other = *lower_[b].object;
  const bool unstarted = !one.start_time_ns && !other.start_time_ns;
  const bool reversed = unstarted && release.unstarted_order == UnstartedOrder::reversed;  // PRE-VICTIM-5
  z3::expr is_first = obligations_.truth(reversed ? b < a : a < b);
  if (release.importance_by_uid && one.uid != other.uid) is_first = obligations_.truth(one.uid < other.uid);
  if (release.importance_by_start_time && !unstarted) {
    if (one.start_time_ns && other.start_time_ns) {
      const z3::expr start = obligations_.number(*one.start_time_ns);
      const z3::expr other_start = obligations_.number(*other.start_time_ns);
      is_first = start < other_start || (start == other_start && is_first);
    } else {
      is_first = obligations_.truth(one.start_time_ns.has_value());
    }
  }
  const z3::expr priority = obligations_.number(one.priority);
  const z3::expr other_priority = obligations_.number(other.priority);
  return priority > other_priority || (priority == other_priority && is_first);
}

z3::expr NodeClauses::is_listed_before(std::size_t a, std::size_t b) const {
  if (!cycle_.release.victims_sorted_again) return is_tried_before(a, b);
  const z3::expr both_groups = obligations_.any_of(violates_) && !obligations_.all_of(violates_);
  return z3::ite(both_groups, is_more_important(a, b), is_tried_before(a, b));
}

z3::expr NodeClauses::are_reprieved(const Stays& stays) const {
  std::vector<z3::expr> reprieved;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    Stays when_tried;
    for (std::size_t j = 0; j < lower_.size(); ++j)
      when_tried.push_back(i == j ? obligations_.truth(true) : stays[j] && is_tried_before(j, i));
    reprieved.push_back(stays[i] == has_room(when_tried));
  }
  return obligations_.all_of(reprieved);
}

z3::expr NodeClauses::is_greater(const Stays& a, const Stays& b) const {
  std::vector<z3::expr> cases;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    std::vector<z3::expr> parts = {a[i], !b[i]};
    for (std::size_t j = 0; j < lower_.size(); ++j) {
      if (i != j) parts.push_back(z3::implies(is_tried_before(j, i), a[j] == b[j]));
    }
    cases.push_back(obligations_.all_of(parts));
  }
  return obligations_.any_of(cases);
}

}  // namespace touchstone::proofs
