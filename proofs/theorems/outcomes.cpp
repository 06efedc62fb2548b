#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Which pods of the cluster count, and what a decision changes besides its victims.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

Decision decided(const Question& question, const Release& release) {
  return scheduler::preempt(question, release);
}

void ended_pods(Proof& proof) {
  Question question = one_node(proof, 2);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  question.cluster.pods[1].phase = proof.choose<Quantity>("p1 has failed", 2) == 1 ? "Failed" : "Succeeded";
  const Release release = release_of(k_newest);
  const Decision with = decided(question, release);
  question.cluster.pods.pop_back();
  const Decision without = decided(question, release);
  proof.observe(std::to_string(with.candidates.size()) + " " + std::to_string(without.candidates.size()));
  proof.claim("the same outcome", with.outcome == without.outcome);
  proof.claim("the same candidates", with.candidates == without.candidates);
  proof.witness("an eviction", with.outcome == Outcome::nominated);
}

/// One bound pod, and another pod that is nominated to the node.
void nominations(Proof& proof, std::string_view name, bool terminating_clear_nothing) {
  Question question = one_node(proof, 1);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const bool is_terminating = proof.choose<Quantity>("p0 terminates", 2) == 1;
  question.cluster.pods[0].terminating = is_terminating;
  Pod other = make_pod(proof, "nominated");
  other.nominated_node_name = "node";
  question.cluster.pods.push_back(other);
  const Decision decision = decided(question, release_of(name));
  proof.observe("clears:" + text_of(decision.clears));
  if (decision.outcome != Outcome::nominated) return;
  const bool clears_nothing = terminating_clear_nothing && is_terminating;
  const Truth is_lower = other.priority < question.pod.priority;
  const Truth falls = both(!clears_nothing, is_lower);
  proof.claim("nominations of lower priority are cleared", decision.clears.empty() ? negation(falls) : falls);
  proof.witness("a nomination is cleared", !decision.clears.empty());
  proof.witness("a nomination stays", decision.clears.empty());
}

/// What happens to the preemptor's own nomination if there is no candidate.
void own_nomination(Proof& proof) {
  Question question = one_node(proof, 1);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  question.pod.nominated_node_name = "node";
  const Decision decision = decided(question, release_of(k_newest));
  proof.observe(decision.candidates.empty() ? "no candidate" : "a candidate");
  if (decision.outcome == Outcome::none)
    proof.claim("a preemptor without a candidate loses its nomination",
                decision.nomination == Nomination::cleared);
  proof.witness("no node is potential", decision.outcome == Outcome::none && decision.dry_run.empty());
  proof.witness("no node is a candidate", decision.outcome == Outcome::none && !decision.dry_run.empty());
}

}  // namespace

Theorems theorems_of_outcomes() {
  return {
      {.name = "ended-pods-take-nothing",
       .clauses = {"PRE-INPUT-1"},
       .statement = "A pod that has succeeded or failed changes nothing: v1.37, one node, 2 pods, one of "
                    "them ended, cpu.",
       .variants = {"ended-pods-take-room"},
       .body = ended_pods},
      {.name = "lower-nominations-fall",
       .clauses = {"PRE-OUTCOME-1"},
       .statement = "A nomination to the chosen node is cleared if and only if its pod has a lower priority "
                    "than the preemptor: v1.33, one node, a bound and a nominated pod, cpu.",
       .variants = {"equal-nominations-are-cleared", "lower-nominations-stay"},
       .body = [](Proof& proof) { nominations(proof, "v1.33", false); }},
      {.name = "lower-nominations-fall-from-1.34-on",
       .clauses = {"PRE-OUTCOME-1"},
       .statement = "In v1.37 a nomination of lower priority is cleared unless the only victim is already "
                    "terminating: one node, a bound and a nominated pod, cpu.",
       .variants = {"terminating-victims-clear-nominations", "equal-nominations-are-cleared"},
       .body = [](Proof& proof) { nominations(proof, "v1.37", true); }},
      {.name = "own-nomination-ends-with-hope",
       .clauses = {"PRE-OUTCOME-2", "PRE-OUTCOME-3"},
       .statement = "If no eviction helps a nominated preemptor, it loses its nomination: v1.37, one node, a "
                    "pod, cpu.",
       .variants = {"nomination-outlives-its-node", "nomination-outlives-its-room"},
       .body = own_nomination},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
