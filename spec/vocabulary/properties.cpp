#include "spec/vocabulary/properties.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace touchstone {

namespace {

/// A decision, the input that it is checked against, and the laws that it breaks.
struct Trial {
  const Question& question;
  const Release& release;
  const Decision& decision;
  const FitsOnNode& fits;
  std::vector<BrokenLaw> broken;

  const Pod& pod(PodIndex index) const { return question.cluster.pods[index]; }
  const Node& node(NodeIndex index) const { return question.cluster.nodes[index]; }

  void demand(bool holds, std::string_view clause, const std::string& text) {
    if (!holds) broken.push_back({clause, text});
  }
};

/// PRE-CYCLE-1: either the pod fits on a node, or preemption runs; never both.
void check_outcome(Trial& trial) {
  const Decision& decision = trial.decision;
  const bool fits = decision.outcome == Outcome::fits;
  trial.demand(fits == !decision.feasible.empty(), "PRE-CYCLE-1",
               "fits, and no node is feasible, or the reverse");
  trial.demand(!fits || decision.candidates.empty(), "PRE-CYCLE-1", "preemption ran although the pod fits");
  const bool nominated = decision.outcome == Outcome::nominated;
  trial.demand(nominated == !decision.candidates.empty(), "PRE-OUTCOME-1",
               "nominated without a candidate, or the reverse");
  const bool never = trial.release.preemption_policy && trial.question.pod.preemption_policy == "Never";
  trial.demand(!(never && nominated), "PRE-ELIGIBLE-1", "a pod that never preempts was nominated");
}

/// PRE-POTENTIAL-1, PRE-VICTIM-1, PRE-PDB-8: which pods may be victims, and how PDB violations are counted.
void check_victims(Trial& trial, const Candidate& candidate) {
  const std::string& name = trial.node(candidate.node).name;
  const auto status = trial.decision.filter.find(candidate.node);
  const bool unresolvable =
      status != trial.decision.filter.end() && status->second.code == Code::unschedulable_and_unresolvable;
  trial.demand(!unresolvable, "PRE-POTENTIAL-1", "candidate " + name + " cannot be cured by eviction");

  const std::set<PodIndex> distinct(candidate.victims.begin(), candidate.victims.end());
  trial.demand(distinct.size() == candidate.victims.size(), "PRE-VICTIM-6",
               "a victim of " + name + " is listed twice");
  for (const PodIndex victim : candidate.victims) {
    trial.demand(trial.pod(victim).node_name == name, "PRE-VICTIM-1",
                 trial.pod(victim).full_name() + " is not on " + name);
    trial.demand(trial.pod(victim).priority < trial.question.pod.priority, "PRE-VICTIM-1",
                 trial.pod(victim).full_name() + " does not have a lower priority");
  }
  trial.demand(candidate.pdb_violations >= 0, "PRE-PDB-8", "negative violations on " + name);
  trial.demand(candidate.pdb_violations <= static_cast<Quantity>(candidate.victims.size()), "PRE-PDB-8",
               "more violations than victims on " + name);
  trial.demand(candidate.pdb_violations == 0 || !trial.question.cluster.pdbs.empty(), "PRE-PDB-8",
               "violations on " + name + " without a PDB");
}

/// Whether the release may miscount the preemptor's topology spread while the dry run removes and reprieves
/// pods of the node.
bool spread_may_err(const Question& question, NodeIndex node, const Release& release) {
  std::multiset<std::string> keys;
  bool counts_none = false;
  for (const TopologySpreadConstraint& constraint : question.pod.topology_spread) {
    if (constraint.when_unsatisfiable != "DoNotSchedule") continue;
    keys.insert(constraint.topology_key);
    const auto& selector = constraint.label_selector;
    counts_none = counts_none || (release.spread_empty_selector_counts_none && selector &&
                                  selector->match_labels.empty() && selector->match_expressions.empty());
  }
  const bool one_key =
      std::any_of(keys.begin(), keys.end(), [&keys](const std::string& key) { return keys.count(key) > 1; });
  const bool one_is_terminating = std::any_of(
      question.cluster.pods.begin(), question.cluster.pods.end(),
      [&](const Pod& pod) { return pod.terminating && pod.node_name == question.cluster.nodes[node].name; });
  return counts_none || (one_key && release.spread_counts != SpreadCounts::by_constraint) ||
         (one_is_terminating && !keys.empty());
}

/// Whether a filter's own state may become wrong in the dry run of the node. spec/divergences.md lists the
/// known ways, under "Evictions that do not help".
bool account_may_err(const Question& question, NodeIndex node, const Release& release) {
  const bool several_terms = question.pod.pod_anti_affinity.size() > 1;
  const bool has_claim =
      std::any_of(question.pod.volumes.begin(), question.pod.volumes.end(),
                  [](const Volume& volume) { return volume.source.kind == "persistentVolumeClaim"; });
  return holds_port_twice(question.cluster, node, release) || spread_may_err(question, node, release) ||
         release.affinity_counts_by_preemptor_ns || has_claim ||
         (release.affinity_bookkeeping == AffinityBookkeeping::sets_of_pods && several_terms);
}

/// PRE-VICTIM-3, PRE-VICTIM-6: the pod fits after the eviction, and would not fit if any one victim stayed.
void check_fit(Trial& trial, const Candidate& candidate) {
  if (account_may_err(trial.question, candidate.node, trial.release)) return;
  const Cluster after = without_pods(trial.question.cluster, candidate.victims);
  const std::string& name = trial.node(candidate.node).name;
  trial.demand(trial.fits(after, trial.question.pod, candidate.node), "PRE-VICTIM-3",
               "the pod does not fit " + name + " after the eviction");
  for (const PodIndex spared : candidate.victims) {
    std::vector<PodIndex> fewer = candidate.victims;
    std::erase(fewer, spared);
    const Cluster with_one_back = without_pods(trial.question.cluster, fewer);
    trial.demand(!trial.fits(with_one_back, trial.question.pod, candidate.node), "PRE-VICTIM-6",
                 trial.pod(spared).full_name() + " could stay on " + name);
  }
}

/// PRE-NODE-1, PRE-NODE-3, PRE-NODE-4: the values of a candidate for three criteria. They do not depend on
/// the order of the victims.
std::tuple<Quantity, Quantity, Quantity> cost(const Trial& trial, const Candidate& candidate) {
  Quantity sum = 0;
  for (const PodIndex victim : candidate.victims) sum += trial.pod(victim).priority + 2147483648;
  return {candidate.pdb_violations, sum, static_cast<Quantity>(candidate.victims.size())};
}

/// PRE-NODE-1, PRE-NODE-6: every admissible candidate ties with the chosen one, and no candidate has fewer
/// PDB violations.
void check_choice(Trial& trial) {
  const Decision& decision = trial.decision;
  const std::vector<std::size_t>& admissible = decision.admissible;
  trial.demand(std::find(admissible.begin(), admissible.end(), decision.chosen) != admissible.end(),
               "PRE-NODE-6", "the chosen candidate is not admissible");
  const Candidate& chosen = decision.candidates[decision.chosen];
  for (const std::size_t other : admissible) {
    trial.demand(cost(trial, decision.candidates[other]) == cost(trial, chosen), "PRE-NODE-6",
                 "admissible candidates differ in a criterion");
  }
  for (const Candidate& other : decision.candidates) {
    trial.demand(other.pdb_violations >= chosen.pdb_violations, "PRE-NODE-1",
                 trial.node(other.node).name + " violates fewer PDBs than the chosen node");
  }
  // PRE-OUTCOME-1
  for (const PodIndex cleared : decision.clears) {
    const bool right = trial.pod(cleared).priority < trial.question.pod.priority &&
                       trial.pod(cleared).nominated_node_name == trial.node(chosen.node).name;
    trial.demand(right, "PRE-OUTCOME-1", trial.pod(cleared).full_name() + " must keep its nomination");
  }
}

}  // namespace

std::vector<BrokenLaw> broken_laws(const Question& question, const Release& release, const Decision& decision,
                                   const FitsOnNode& fits) {
  if (decision.outcome == Outcome::skipped || decision.outcome == Outcome::error) return {};
  Trial trial{question, release, decision, fits, {}};
  check_outcome(trial);
  for (const Candidate& candidate : decision.candidates) {
    check_victims(trial, candidate);
    check_fit(trial, candidate);
  }
  if (decision.outcome == Outcome::nominated) check_choice(trial);
  return trial.broken;
}

bool holds_port_twice(const Cluster& cluster, NodeIndex node, const Release& release) {
  const bool by_number = release.ports_by_number_alone;  // PRE-PORTS-1
  std::set<std::tuple<std::string, Quantity, std::string>> seen;
  for (const Pod& pod : cluster.pods) {
    if (pod.node_name != cluster.nodes[node].name) continue;
    for (const std::vector<Container>* containers : {&pod.containers, &pod.init_containers}) {
      for (const Container& container : *containers) {
        for (const ContainerPort& port : container.ports) {
          if (port.host_port == 0) continue;
          const std::string protocol = port.protocol.empty() || by_number ? "TCP" : port.protocol;
          const std::string address = port.host_ip.empty() || by_number ? "0.0.0.0" : port.host_ip;
          if (!seen.insert({protocol, port.host_port, address}).second) return true;
        }
      }
    }
  }
  return false;
}

Cluster without_pods(const Cluster& cluster, const std::vector<PodIndex>& gone) {
  Cluster rest{cluster.nodes, {}, cluster.pdbs, cluster.namespaces, cluster.storage};
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    if (std::find(gone.begin(), gone.end(), i) == gone.end()) rest.pods.push_back(cluster.pods[i]);
  }
  return rest;
}

}  // namespace touchstone
