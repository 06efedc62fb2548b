#include <numeric>
#include <set>
#include <tuple>

#include "proofs/theorems/said.hpp"

/// Which decisions are possible if the order of lists is not known.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A node, its victims, and how many of them violate a PDB. Names do not depend on the order of lists.
using NamedAnswer = std::tuple<std::string, std::vector<std::string>, std::size_t>;

NamedAnswer named(const Question& question, const Candidate& candidate) {
  std::vector<std::string> victims;
  for (const PodIndex victim : candidate.victims) victims.push_back(question.cluster.pods[victim].name);
  std::sort(victims.begin(), victims.end());
  return {question.cluster.nodes[candidate.node].name, victims,
          static_cast<std::size_t>(candidate.pdb_violations)};
}

/// Every answer that is decided for some order of the pods.
std::set<NamedAnswer> decided_in_some_order(const Question& question, const Release& release) {
  std::set<NamedAnswer> answers;
  std::vector<std::size_t> order(question.cluster.pods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    Question ordered = question;
    for (std::size_t i = 0; i < order.size(); ++i) ordered.cluster.pods[i] = question.cluster.pods[order[i]];
    const Decision decision = scheduler::preempt(ordered, release);
    if (decision.outcome != Outcome::nominated) continue;
    for (const std::size_t each : decision.admissible)
      answers.insert(named(ordered, decision.candidates[each]));
  } while (std::next_permutation(order.begin(), order.end()));
  return answers;
}

void any_order_answers(Proof& proof, const Question& question) {
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const Release release = release_of(k_newest);
  const std::set<NamedAnswer> decided = decided_in_some_order(question, release);
  if (decided.empty()) return proof.observe("none");
  const AnyOrder found = scheduler::any_order(question, release, 1'000);
  std::set<NamedAnswer> answers;
  for (const Candidate& each : found.answers) answers.insert(named(question, each));
  proof.observe(std::to_string(decided.size()) + " and " + std::to_string(answers.size()) + found.unknown);
  proof.claim("some order of the list leads to each answer",
              std::includes(decided.begin(), decided.end(), answers.begin(), answers.end()));
  proof.claim("the decision for each order of the list is an answer",
              std::includes(answers.begin(), answers.end(), decided.begin(), decided.end()));
  proof.witness("one answer", answers.size() == 1);
  proof.witness("two answers", answers.size() == 2);
}

/// One node whose pods have the same start.
void any_order_of_equals(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  for (Pod& pod : question.cluster.pods) pod.start_time_ns = Quantity(1);
  any_order_answers(proof, question);
}

/// Two nodes, one with two pods and one with one pod. All have the same start.
void any_order_of_rivals(Proof& proof) {
  Question question;
  question.cluster.nodes = {make_node(proof, "n0"), make_node(proof, "n1")};
  for (const std::string name : {"p0", "p1", "p2"}) {
    Pod pod = make_pod(proof, name);
    pod.node_name = name == "p2" ? "n1" : "n0";
    pod.start_time_ns = Quantity(1);
    question.cluster.pods.push_back(pod);
  }
  question.pod = make_pod(proof, "preemptor");
  any_order_answers(proof, question);
}

}  // namespace

Theorems theorems_of_any_order() {
  return {
      {.name = "any-order-of-equal-pods",
       .clauses = {"PRE-ANYORDER-1", "PRE-VICTIM-4"},
       .statement = "The any-order answers for a node are exactly the decisions over all orders of the list: "
                    "v1.37, one node, 3 pods of one start, cpu.",
       .variants = {"equals-keep-their-order"},
       .body = [](Proof& proof) { any_order_of_equals(proof, 3); },
       .tier = Tier::full},
      {.name = "any-order-of-rivals",
       .clauses = {"PRE-ANYORDER-2", "PRE-NODE-6"},
       .statement = "The any-order answers are exactly the decisions over all orders of the list, also if "
                    "nodes compete: v1.37, 2 nodes with 2 pods and one, of one start, cpu.",
       .variants = {"every-candidate-wins"},
       .body = any_order_of_rivals,
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
