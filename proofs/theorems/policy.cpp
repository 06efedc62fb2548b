#include <array>

#include "proofs/theorems/score_said.hpp"

/// Theorems about what a Policy adds.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A pod that requests these amounts.
Pod pod_with(const std::string& name, Quantity cpu, Quantity memory) {
  Pod pod;
  pod.ns = "default";
  pod.name = name;
  pod.uid = name;
  pod.containers.push_back({"c", {{"cpu", cpu}, {"memory", memory}}, {}, false});
  return pod;
}

/// Three nodes of the same size, each with a pod. On the first it requests any cpu and any memory, on the
/// second the cpu of both, on the third the memory of both. So the scores of the second and the third are
/// those of one resource.
struct ByResource {
  ByResource(Proof& proof, Quantity size)
      : cpu(proof.number<Quantity>("cpu")), memory(proof.number<Quantity>("memory")) {
    proof.assume(k_no_negative_request, both(cpu >= Quantity(0), memory >= Quantity(0)));
    for (const auto& [name, of_cpu, of_memory] :
         {std::tuple{"n0", cpu, memory}, std::tuple{"n1", cpu, cpu}, std::tuple{"n2", memory, memory}}) {
      add_node(question, name).allocatable = {{"cpu", size}, {"memory", size}, {"pods", 110}};
      question.cluster.pods.push_back(pod_with(std::string("of-") + name, of_cpu, of_memory));
      question.cluster.pods.back().node_name = name;
    }
    question.pod = pod_with("preemptor", 0, 0);
  }

  std::vector<Quantity> run(const WeightedScorer& scorer, const Release& release) const {
    Trace trace = Trace::none();
    const scheduler::Cycle cycle(question, release, trace);
    return *scheduler::run_weighted(scorer, cycle, {0, 1, 2});
  }

  Quantity cpu;
  Quantity memory;
  Question question;
};

void most_requested_is_the_used_part(Proof& proof) {
  const Quantity size = proof.number<Quantity>("size");
  proof.assume("a node has some cpu", size > Quantity(0));
  const ByResource scored(proof, size);
  const std::vector<Quantity> scores =
      scored.run({Scorer::most_requested, "MostRequestedPriority", 1}, release_of("v1.13.0"));
  if (scored.cpu <= size) {
    proof.claim("a resource scores its used part",
                is_quotient(scores[1], scored.cpu * Quantity(k_exact), size));
  } else {
    proof.claim("a resource of which too much is requested scores 0", scores[1] == Quantity(0));
  }
  proof.claim("the score is the mean, rounded down",
              is_quotient(scores[0], scores[1] + scores[2], Quantity(2)));
  proof.witness("the mean is rounded", both(scores[1] == Quantity(2), scores[2] == Quantity(5)));
}

/// The default shape, 0 → 10 and 100 → 0, on nodes with 11 milli-CPUs and 11 bytes.
void ratios_fall_with_utilization(Proof& proof) {
  constexpr std::int64_t k_size = 11;
  const bool is_new = chosen(proof, "v1.16.15, not v1.13.0");
  const ByResource scored(proof, k_size);
  WeightedScorer scorer{Scorer::requested_to_capacity_ratio, "RequestedToCapacityRatioPriority", 1};
  scorer.shape = {{0, 10}, {100, 0}};
  const std::vector<Quantity> scores = scored.run(scorer, release_of(is_new ? "v1.16.15" : "v1.13.0"));
  // The utilization u is 100 · used / 11, rounded up, and the score 10 - u / 10, rounded up.
  for (int tens = 0; tens < 10; ++tens) {
    const Quantity percent = scored.cpu * Quantity(100);
    const Truth is_in_ten =
        both(percent > Quantity((10 * tens - 1) * k_size), percent <= Quantity((10 * tens + 9) * k_size));
    proof.claim("the score falls by 1 for each 10 % of utilization",
                implies(is_in_ten, scores[1] == Quantity(10 - tens)));
  }
  proof.claim("a resource that is used up scores 0",
              implies(scored.cpu >= Quantity(k_size), scores[1] == Quantity(0)));
  const Quantity sum = scores[1] + scores[2];
  const Truth both_count = both(scores[1] > Quantity(0), scores[2] > Quantity(0));
  if (is_new) {
    proof.claim("from v1.16 the score is the mean of scores above 0, rounded to the nearest integer",
                either(both(both_count, is_quotient(scores[0], sum + Quantity(1), Quantity(2))),
                       both(negation(both_count), scores[0] == sum)));
  } else {
    proof.claim("up to v1.15 the score is the mean, rounded down", is_quotient(scores[0], sum, Quantity(2)));
  }
  proof.witness("the mean is rounded", both(scores[1] == Quantity(9), scores[2] == Quantity(6)));
}

/// A node with or without two labels, and a Policy that requires or forbids them, or prefers one.
void labels_count_by_presence(Proof& proof) {
  Release release = release_of("v1.13.0");
  const bool presence = chosen(proof, "presence");
  release.filter_groups = {{Filter::node_label}};
  release.required_labels = {{{"a", "b"}, presence}};
  Question question;
  Node& node = add_node(question, "n0");
  node.allocatable["pods"] = 110;
  const bool has_a = chosen(proof, "the node has a");
  const bool has_b = chosen(proof, "the node has b");
  if (has_a) node.labels["a"] = "x";
  if (has_b) node.labels["b"] = "y";
  question.pod = pod_with("preemptor", 0, 0);
  const bool fits = scheduler::schedule(question, release).decision.outcome == Outcome::fits;
  proof.claim("labelsPresence accepts a node with all labels, or with none of them",
              Truth(fits == (has_a == presence && has_b == presence)));
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  WeightedScorer preferred{Scorer::label_preference, "X"};
  (presence ? preferred.labels : preferred.absent_labels).push_back("a");
  proof.claim("labelPreference gives a node with the label 10, or without it",
              (*scheduler::run_weighted(preferred, cycle, {0}))[0] == Quantity(has_a == presence ? 10 : 0));
  const WeightedScorer equal{Scorer::equal, "EqualPriority", 1};
  proof.claim("EqualPriority gives each node 1",
              (*scheduler::run_weighted(equal, cycle, {0}))[0] == Quantity(1));
  proof.witness("a node without labels is accepted", Truth(fits && !has_a));
}

}  // namespace

Theorems theorems_of_policies() {
  return {
      {.name = "most-requested-scores-the-used-part",
       .clauses = {"POL-MOST-1"},
       .statement = "MostRequestedPriority is the mean of the used parts of cpu and memory, rounded down: a "
                    "node of any size, any requests, v1.13.0.",
       .variants = {"most-requested-is-least-requested"},
       .body = most_requested_is_the_used_part},
      {.name = "ratio-priority-falls-with-utilization",
       .clauses = {"POL-RATIO-1"},
       .statement =
           "RequestedToCapacityRatioPriority scores 10 less 1 for each 10 % of utilization, which is "
           "rounded up. The score of the node is the mean: nodes with 11 milli-CPUs and 11 bytes, any "
           "requests, v1.13.0 and v1.16.15.",
       .variants = {"free-part-is-the-utilization", "mean-of-ratios-rounds-down"},
       .body = ratios_fall_with_utilization},
      {.name = "labels-of-a-policy-count-by-presence",
       .clauses = {"POL-LABELS-1", "POL-PREFER-1", "POL-EQUAL-1"},
       .statement =
           "labelsPresence accepts a node that has all labels, or none of them. labelPreference gives "
           "it the highest score or 0, and EqualPriority gives it 1: a node with any of two labels.",
       .variants = {"absent-labels-are-required", "forbidden-labels-are-preferred",
                    "equal-priority-is-nothing"},
       .body = labels_count_by_presence},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
