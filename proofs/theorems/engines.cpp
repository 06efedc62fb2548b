#include "optimized/search/bound.hpp"
#include "optimized/search/decide.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/store/snapshot.hpp"
#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

// The types that a Query points to.
#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"

/// The optimized engine decides as the reference does. The nodes that it skips could not have won.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_limits = "numbers are within the limits of Kubernetes";

/// Assumes numbers that are not extreme in the sense of optimized/store/pod_table.hpp.
void within_limits(Proof& proof, const Question& question) {
  const auto keep_within = [&proof](const Pod& pod) {
    proof.assume(k_limits, both(pod.priority >= Quantity(std::numeric_limits<std::int32_t>::min()),
                                pod.priority <= Quantity(std::numeric_limits<std::int32_t>::max())));
    proof.assume(k_limits, cpu_of(pod) < Quantity(std::int64_t{1} << 44));
    if (pod.start_time_ns) proof.assume(k_limits, *pod.start_time_ns < std::numeric_limits<Quantity>::max());
  };
  for (const Node& node : question.cluster.nodes) {
    const Quantity cpu = node.allocatable.at("cpu");
    proof.assume(k_limits, both(cpu >= Quantity(0), cpu < Quantity(std::int64_t{1} << 44)));
  }
  for (const Pod& other : question.cluster.pods) keep_within(other);
  keep_within(question.pod);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
}

/// Nodes with this number of pods on each.
Question several_nodes(Proof& proof, std::size_t nodes, std::size_t pods) {
  Question question;
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::string name = "n" + std::to_string(n);
    question.cluster.nodes.push_back(make_node(proof, name));
    for (std::size_t i = 0; i < pods; ++i) {
      Pod pod = make_pod(proof, name + "-p" + std::to_string(i));
      pod.node_name = name;
      pod.start_time_ns = Quantity(i + 1);
      question.cluster.pods.push_back(pod);
    }
  }
  question.pod = make_pod(proof, "preemptor");
  return question;
}

/// Nodes with one pod each, which would have to be evicted, so only the choice is open.
Question full_nodes(Proof& proof, std::size_t nodes) {
  Question question;
  for (std::size_t n = 0; n < nodes; ++n) {
    Node& node = question.cluster.nodes.emplace_back();
    node.name = "n" + std::to_string(n);
    node.allocatable = {{"cpu", Quantity(1)}, {"pods", Quantity(110)}};
    Pod& pod = question.cluster.pods.emplace_back();
    pod.ns = "default";
    pod.name = "p" + std::to_string(n);
    pod.uid = pod.name;
    pod.node_name = node.name;
    pod.containers.push_back({"c", {{"cpu", Quantity(1)}}, {}, false});
    pod.priority = proof.number<Quantity>(pod.name + ".priority");
    if (proof.choose<Quantity>(pod.name + " has started", 2) == 1)
      pod.start_time_ns = proof.number<Quantity>(pod.name + ".start");
  }
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  question.pod.uid = "preemptor";
  question.pod.containers = question.cluster.pods[0].containers;
  question.pod.priority = proof.number<Quantity>("preemptor.priority");
  return question;
}

void agree(Proof& proof, const Question& question, std::string_view name) {
  within_limits(proof, question);
  const Release release = release_of(name);
  const Decision decision = scheduler::preempt(question, release);
  optimized::Workers workers(1);
  const optimized::Snapshot snapshot(question.cluster, release);
  const optimized::Answer answer = optimized::decide(snapshot, question.pod, {}, workers);

  proof.claim("the same outcome", answer.outcome == decision.outcome);
  proof.claim("the preemptor fits on the same nodes", answer.feasible == decision.feasible);
  if (decision.outcome != Outcome::nominated || answer.outcome != Outcome::nominated) return;
  const Candidate& chosen = decision.candidates[decision.chosen];
  std::vector<NodeIndex> admissible;
  for (const std::size_t i : decision.admissible) admissible.push_back(decision.candidates[i].node);
  proof.observe("admissible:" + text_of(admissible) + ", victims:" + text_of(chosen.victims));
  proof.claim("the same node", answer.node == chosen.node);
  proof.claim("the same ties", answer.admissible == admissible);
  proof.claim("the same victims", answer.victims == chosen.victims);
  proof.claim("the same violations", answer.pdb_violations == chosen.pdb_violations);
  proof.witness("a victim", chosen.victims.size() == 1);
  if (question.cluster.nodes.size() > 1) proof.witness("a tie", admissible.size() > 1);
}

void one_node_alike(Proof& proof, std::size_t pods, std::size_t pdbs, std::string_view release) {
  Question question = one_node(proof, pods);
  for (std::size_t i = 0; i < pdbs; ++i) add_pdb(proof, question, "pdb" + std::to_string(i));
  agree(proof, question, release);
}

/// Pods on the node, and one pod that is nominated to it.
void promise_alike(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  Pod promised = make_pod(proof, "promised");
  promised.nominated_node_name = "node";
  question.cluster.pods.push_back(promised);
  agree(proof, question, "v1.37");
}

/// Two nodes, each in its own zone, with two pods and one pod. Each pod may be of the preemptor's app.
Question two_zones(Proof& proof) {
  Question question = several_nodes(proof, 2, 1);
  Pod more = make_pod(proof, "n0-p1");
  more.node_name = "n0";
  more.start_time_ns = Quantity(2);
  question.cluster.pods.push_back(more);
  for (Node& node : question.cluster.nodes) node.labels["zone"] = node.name;
  for (Pod& pod : question.cluster.pods) {
    if (proof.choose<Quantity>(pod.name + " is of the app", 2) == 1) pod.labels["app"] = "x";
  }
  question.pod.labels["app"] = "x";
  return question;
}

void spread_alike(Proof& proof) {
  Question question = two_zones(proof);
  TopologySpreadConstraint& constraint = question.pod.topology_spread.emplace_back();
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = proof.number<Quantity>("maxSkew");
  proof.assume(k_limits, both(constraint.max_skew >= Quantity(1),
                              constraint.max_skew <= Quantity(std::numeric_limits<std::int32_t>::max())));
  constraint.label_selector = LabelSelector{{{"app", "x"}}, {}};
  agree(proof, question, "v1.37");
}

/// Anti-affinity of the preemptor, or of one pod.
void anti_affinity_alike(Proof& proof) {
  Question question = two_zones(proof);
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "zone";
  const bool is_of_pod = proof.choose<Quantity>("it is of a pod", 2) == 1;
  (is_of_pod ? question.cluster.pods[0] : question.pod).pod_anti_affinity.push_back(term);
  agree(proof, question, "v1.37");
}

/// One node as the optimized engine sees it.
struct Looked {
  Looked(Proof& proof, Question asked) : question(std::move(asked)) { within_limits(proof, question); }

  Question question;
  Release release = release_of("v1.37");
  optimized::Workers workers{1};
  optimized::Snapshot snapshot{question.cluster, release};
  optimized::Query query{snapshot.tables(), question.pod, workers};
};

/// `above`: what the broken variant adds to the bound.
void bound_holds(Proof& proof, std::size_t pods, std::int64_t above) {
  Looked node(proof, one_node(proof, pods));
  optimized::Bound bound = optimized::bound_of(node.query, optimized::UnchangedNode(node.query, 0));
  const bool is_hopeless = bound == optimized::k_hopeless;
  optimized::DryRun dry_run(node.query);
  const optimized::DryRunResult found = dry_run.run(0, nullptr);
  const bool is_candidate = found == optimized::DryRunResult::candidate;
  proof.observe(is_candidate ? "a candidate" : is_hopeless ? "unresolvable" : "no candidate");
  proof.claim("an unresolvable node is not a candidate", !is_hopeless || !is_candidate);
  if (is_hopeless || !is_candidate) return;
  bound.victims += Quantity(above);
  bound.priority_sum += Quantity(above);
  const optimized::Rank key = dry_run.rank();
  proof.claim("a candidate does not beat the bound of its node", !(key < bound));
  proof.witness("a candidate equals the bound of its node", key == bound);
  proof.witness("a candidate is worse than the bound of its node", bound < key);
}

/// A dry run that ends early, and its result if it does not end early. `by`: what the broken variant
/// subtracts from the violations of the best candidate, so that too many nodes are given up.
void early_end(Proof& proof, std::size_t pods, std::int64_t by) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  Looked node(proof, std::move(question));
  optimized::Rank best;
  best.pdb_violations = proof.number<Quantity>("best.violations");
  best.first_priority = proof.number<Quantity>("best.first");
  best.priority_sum = proof.number<Quantity>("best.sum");
  best.victims = proof.number<Quantity>("best.victims");
  if (optimized::bound_of(node.query, optimized::UnchangedNode(node.query, 0)) == optimized::k_hopeless)
    return;
  optimized::DryRun dry_run(node.query);
  optimized::Rank beats = best;
  beats.pdb_violations -= Quantity(by);
  const bool is_given_up = dry_run.run(0, &beats) == optimized::DryRunResult::beaten;
  const optimized::DryRunResult found = dry_run.run(0, nullptr);
  const bool is_candidate = found == optimized::DryRunResult::candidate;
  proof.observe(is_given_up ? "abandoned" : "searched");
  if (is_given_up && is_candidate)
    proof.claim("an abandoned node loses to the best candidate", best < dry_run.rank());
  proof.witness("abandoned", is_given_up);
}

}  // namespace

Theorems theorems_of_engines() {
  return {
      {.name = "engines-agree-on-a-node",
       .clauses = {"PRE-VICTIM-6", "PRE-FIT-2"},
       .statement = "The optimized engine decides as the reference does: v1.37, one node, 4 pods, cpu (lemma "
                    "whole levels).",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { one_node_alike(proof, 4, 0, "v1.37"); },
       .tier = Tier::full},
      {.name = "engines-agree-on-a-budget",
       .clauses = {"PRE-PDB-4"},
       .statement = "The optimized engine decides as the reference does: v1.37, one node, 2 pods, a PDB over "
                    "any of them.",
       .variants = {"budget-is-a-threshold", "pdbs-are-ignored"},
       .body = [](Proof& proof) { one_node_alike(proof, 2, 1, "v1.37"); }},
      {.name = "engines-agree-on-budgets",
       .clauses = {"PRE-PDB-5", "PRE-VICTIM-7"},
       .statement = "The optimized engine decides as the reference does: v1.36, one node, 2 pods, 2 PDBs "
                    "over any of them.",
       .variants = {"violated-pdb-spares-the-next", "one-node-that-fits-is-not-enough"},
       .body = [](Proof& proof) { one_node_alike(proof, 2, 2, "v1.36"); },
       .tier = Tier::full},
      {.name = "engines-agree-on-budgets-of-1.37",
       .clauses = {"PRE-PDB-4"},
       .statement = "The optimized engine decides as the reference does: v1.37, one node, 2 pods, 2 PDBs "
                    "over any of them.",
       .variants = {"violated-pdb-is-not-the-last"},
       .body = [](Proof& proof) { one_node_alike(proof, 2, 2, "v1.37"); },
       .tier = Tier::full},
      {.name = "engines-agree-on-the-choice",
       .clauses = {"PRE-NODE-6", "PRE-NODE-2", "PRE-NODE-5"},
       .statement = "Both engines choose the same node and report the same ties: v1.37, 4 full nodes with a "
                    "pod each, started or not (lemma lower bounds decide).",
       .variants = {"earliest-start-wins"},
       .body = [](Proof& proof) { agree(proof, full_nodes(proof, 4), "v1.37"); },
       .tier = Tier::full},
      {.name = "engines-agree-end-to-end",
       .clauses = {"PRE-OUTCOME-1", "PRE-NODE-6", "PRE-VICTIM-6"},
       .statement = "Both engines decide alike: v1.37, 2 nodes with 2 pods each, cpu.",
       .variants = {"ties-have-one-member"},
       .body = [](Proof& proof) { agree(proof, several_nodes(proof, 2, 2), "v1.37"); },
       .tier = Tier::full},
      {.name = "engines-agree-beside-a-promise",
       .clauses = {"PRE-NOMINATED-1", "PRE-VICTIM-6"},
       .statement = "Both engines decide alike on one node with 2 pods and one pod nominated to the node: "
                    "v1.37, cpu (lemma promised first).",
       .variants = {"nominated-pods-are-invisible"},
       .body = [](Proof& proof) { promise_alike(proof, 2); },
       .tier = Tier::full},
      {.name = "engines-agree-under-spread",
       .clauses = {"PRE-SPREAD-7", "PRE-SPREAD-4", "PRE-VICTIM-6"},
       .statement = "Both engines decide alike for a preemptor with a spread constraint of any maxSkew: "
                    "v1.37, 2 zones with 2 pods and one, any of its app, cpu (lemmas nothing moves, no "
                    "concern and refused again).",
       .variants = {"full-skew-is-too-much"},
       .body = spread_alike,
       .tier = Tier::full},
      {.name = "engines-agree-under-anti-affinity",
       .clauses = {"PRE-AFFINITY-4", "PRE-AFFINITY-7", "PRE-VICTIM-6"},
       .statement = "Both engines decide alike if the preemptor or a pod has anti-affinity to the app in its "
                    "zone: v1.37, 2 zones with 2 pods and one, any of the app, cpu (lemmas nothing moves, no "
                    "concern and refused again).",
       .variants = {"anti-affinity-is-not-symmetric"},
       .body = anti_affinity_alike,
       .tier = Tier::full},
      {.name = "bound-is-never-above-the-key",
       .clauses = {"PRE-NODE-6"},
       .statement = "No candidate on a node beats the bound of the node, and an unresolvable node is not a "
                    "candidate: v1.37, one node, 3 pods, cpu (lemmas bound and key).",
       .body = [](Proof& proof) { bound_holds(proof, 3, 0); },
       .broken = [](Proof& proof) { bound_holds(proof, 3, 1); },
       .tier = Tier::full},
      {.name = "given-up-nodes-lose",
       .clauses = {"PRE-NODE-6"},
       .statement = "A node whose dry run is abandoned early would have lost: v1.37, one node, 2 pods, a PDB "
                    "over any of them, any best candidate (lemma victims only add up).",
       .body = [](Proof& proof) { early_end(proof, 2, 0); },
       .broken = [](Proof& proof) { early_end(proof, 2, 1); },
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
