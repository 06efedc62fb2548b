#include "proofs/paths/scenes.hpp"

#include <limits>

#include "proofs/scene.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::proofs {

namespace {

using proving::both;
using proving::Proof;

constexpr std::string_view k_objects = "numbers are those of Kubernetes objects";

void keep_between(Proof& proof, Quantity number, std::int64_t least, std::int64_t most) {
  proof.assume(k_objects, both(number >= Quantity(least), number <= Quantity(most)));
}

/// Limits the numbers so that every question can be written as objects. Removes what no decision depends on.
Question as_objects(Proof& proof, Question question) {
  constexpr std::int64_t k_amount_most = 1'000'000'000'000;
  const auto keep_pod = [&proof](Pod& pod) {
    pod.uid.clear();  // names are unique already
    keep_between(proof, pod.priority, std::numeric_limits<std::int32_t>::min(), 2'000'000'000);
    keep_between(proof, cpu_of(pod), 0, k_amount_most);
  };
  for (Node& node : question.cluster.nodes) {
    node.labels.clear();
    keep_between(proof, node.allocatable.at("cpu"), 0, k_amount_most);
    keep_between(proof, node.allocatable.at("pods"), 0, 1000);
  }
  for (Pod& pod : question.cluster.pods) keep_pod(pod);
  for (const PodDisruptionBudget& pdb : question.cluster.pdbs)
    keep_between(proof, pdb.disruptions_allowed, 0, 1000);
  keep_pod(question.pod);
  return question;
}

Quantity time_after(Quantity seconds) {
  return Quantity(1'500'000'000'000'000'000) + Quantity(1'000'000'000) * seconds;
}

/// Gives the pod a start at any second, or none.
void start_sometime(Proof& proof, Pod& pod) {
  pod.start_time_ns.reset();
  if (proof.choose<Quantity>(pod.name + " has started", 2) == 0) return;
  const Quantity seconds = proof.number<Quantity>(pod.name + ".start");
  keep_between(proof, seconds, 0, 1'000'000);
  pod.start_time_ns = time_after(seconds);
}

Pod& add_pod(Proof& proof, Question& question, const std::string& name, const std::string& node) {
  Pod& pod = question.cluster.pods.emplace_back(make_pod(proof, name));
  pod.node_name = node;
  pod.start_time_ns = time_after(Quantity(question.cluster.pods.size()));
  return pod;
}

/// Nodes with these numbers of pods. The pods started one after the other.
Question nodes_with(Proof& proof, const std::vector<std::size_t>& pods, Places places) {
  Question question;
  for (std::size_t n = 0; n < pods.size(); ++n) {
    const std::string node = "n" + std::to_string(n);
    question.cluster.nodes.push_back(make_node(proof, node, places));
    for (std::size_t i = 0; i < pods[n]; ++i) add_pod(proof, question, node + "-p" + std::to_string(i), node);
  }
  question.pod = make_pod(proof, "preemptor");
  return question;
}

Question a_node(Proof& proof) { return as_objects(proof, nodes_with(proof, {3}, Places::enough)); }
Question places(Proof& proof) { return as_objects(proof, nodes_with(proof, {2}, Places::any)); }

Question budgets(Proof& proof) {
  Question question = nodes_with(proof, {2}, Places::enough);
  add_pdb(proof, question, "pdb0");
  add_pdb(proof, question, "pdb1");
  return as_objects(proof, std::move(question));
}

Question starts(Proof& proof) {
  Question question = nodes_with(proof, {3}, Places::enough);
  for (Pod& pod : question.cluster.pods) {
    pod.priority = question.cluster.pods[0].priority;
    start_sometime(proof, pod);
  }
  return as_objects(proof, std::move(question));
}

Question nominations(Proof& proof) {
  Question question = nodes_with(proof, {1}, Places::any);
  Pod promised = make_pod(proof, "promised");
  promised.nominated_node_name = "n0";
  question.cluster.pods.push_back(std::move(promised));
  return as_objects(proof, std::move(question));
}

/// A preemptor that may be nominated and whose policy may be Never, beside a pod that may be terminating.
Question eligibility(Proof& proof) {
  Question question = nodes_with(proof, {1}, Places::enough);
  if (proof.choose<Quantity>("policy is Never", 2) == 1) question.pod.preemption_policy = "Never";
  if (proof.choose<Quantity>("is nominated", 2) == 1) question.pod.nominated_node_name = "n0";
  Pod& pod = question.cluster.pods[0];
  const std::size_t end = proof.choose<Quantity>("ends", 4);
  pod.terminating = end > 0;
  if (end > 1) {
    pod.conditions.push_back(
        {"DisruptionTarget", "True", end == 2 ? "PreemptionByScheduler" : "EvictionByEvictionAPI"});
  }
  return as_objects(proof, std::move(question));
}

/// Three nodes. One pod fills each of them and would have to be evicted, so only the choice is open.
Question choice(Proof& proof) {
  Question question = nodes_with(proof, {1, 1, 1}, Places::enough);
  for (Node& node : question.cluster.nodes) node.allocatable["cpu"] = 1000;
  for (Pod& pod : question.cluster.pods) {
    pod.containers[0].requests["cpu"] = 1000;
    start_sometime(proof, pod);
  }
  question.pod.containers[0].requests["cpu"] = 1000;
  return as_objects(proof, std::move(question));
}

/// Two full nodes, one with one pod and one with two. A PDB may cover any of the pods.
Question choice_with_budget(Proof& proof) {
  Question question = nodes_with(proof, {1, 2}, Places::enough);
  for (Node& node : question.cluster.nodes) node.allocatable["cpu"] = 1000;
  for (Pod& pod : question.cluster.pods) pod.containers[0].requests["cpu"] = 1000;
  for (const std::size_t i : {1u, 2u}) question.cluster.pods[i].containers[0].requests["cpu"] = 500;
  question.pod.containers[0].requests["cpu"] = 1000;
  add_pdb(proof, question, "pdb");
  return as_objects(proof, std::move(question));
}

Question two_nodes(Proof& proof) { return as_objects(proof, nodes_with(proof, {2, 1}, Places::enough)); }

/// The node, the victims and the number of PDB violations: "n0: 1 2/1".
std::string text_of_candidate(const Candidate& candidate, const Cluster& cluster) {
  std::string text = cluster.nodes[candidate.node].name + ":" + text_of(candidate.victims);
  const Quantity violations = candidate.pdb_violations;
  return text + "/" + std::to_string(static_cast<std::int64_t>(violations));
}

void decide(Proof& proof, const Question& question) {
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question, release_of_scenes(), trace);
  std::string observed = std::to_string(static_cast<int>(decision.outcome)) + ";";
  for (const Candidate& candidate : decision.candidates)
    observed += " " + text_of_candidate(candidate, question.cluster);
  observed += "; ties:" + text_of(decision.admissible) + "; clears:" + text_of(decision.clears) + ";";
  for (const Step& step : trace.steps()) {
    observed += " " + std::string(step.clause) + (step.passed ? "+" : "-");
    for (const Finding& finding : step.findings) observed += "," + std::string(finding.clause);
  }
  proof.observe(observed);
}

}  // namespace

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> k_scenes = {
      {"a-node", "one node, 3 pods, cpu", a_node},
      {"places", "one node, 2 pods, cpu and the number of pods", places},
      {"starts", "one node, 3 pods of equal priority, started or not", starts},
      {"budgets", "one node, 2 pods, 2 PDBs over any of them", budgets},
      {"nominations", "one node, a pod, and another pod nominated to the node", nominations},
      {"eligibility",
       "one node, a pod that may be terminating, a preemptor that may be nominated or have policy Never",
       eligibility},
      {"choice", "3 full nodes with one pod each, started or not", choice},
      {"choice-with-budget", "2 full nodes with one pod and 2 pods, a PDB over any of them",
       choice_with_budget},
      {"two-nodes", "2 nodes with 2 pods and one pod, cpu", two_nodes},
  };
  return k_scenes;
}

Release release_of_scenes() { return release_of("v1.37.2"); }

std::string deciding_clause(const Trace& trace) {
  std::string deciding = "PRE-CYCLE-1";
  for (const Step& step : trace.steps()) {
    if (step.stage == Stage::choice && step.passed) return std::string(step.clause);
    if (step.stage == Stage::eligibility && !step.passed) return std::string(step.clause);
    if (step.stage == Stage::reprieve || step.stage == Stage::outcome) {
      const bool is_nominated = step.stage == Stage::outcome && step.clause == "PRE-OUTCOME-1";
      if (!is_nominated) deciding = step.clause;
    }
  }
  return deciding;
}

std::vector<proving::Body> bodies_of_scenes() {
  std::vector<proving::Body> bodies;
  for (const Scene& scene : scenes())
    bodies.push_back([&scene](Proof& proof) { decide(proof, scene.question(proof)); });
  return bodies;
}

}  // namespace touchstone::proofs
