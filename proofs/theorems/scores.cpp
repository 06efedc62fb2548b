#include <array>

#include "proofs/theorems/score_said.hpp"

/// Theorems about NodeResourcesFit and its strategies.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_no_negative_allocatable = "no allocatable amount is negative";

/// How a pod on the node counts.
enum class Counted { bound, terminating, nominated };

/// A pod with any requests for cpu and memory.
Pod scored_pod(Proof& proof, const std::string& name) {
  Pod pod;
  pod.ns = "default";
  pod.name = name;
  pod.uid = name;
  ResourceList requests;
  for (const char* resource : {"cpu", "memory"}) {
    const Quantity amount = proof.number<Quantity>(name + "." + resource);
    proof.assume(k_no_negative_request, amount >= Quantity(0));
    requests[resource] = amount;
  }
  pod.containers.push_back({"c", requests, {}, false});
  return pod;
}

/// Nodes with one pod each and any allocatable amounts of the given resources. The pod to be scheduled
/// requests any amounts.
struct Scored {
  Scored(Proof& proof, std::size_t nodes, const std::vector<std::string>& resources) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      Node& node = add_node(question, name);
      for (const std::string& resource : resources) {
        node.allocatable[resource] = proof.number<Quantity>(name + "." + resource);
        proof.assume(k_no_negative_allocatable, node.allocatable[resource] >= Quantity(0));
      }
      Pod pod = scored_pod(proof, "p" + std::to_string(i));
      pod.node_name = name;
      question.cluster.pods.push_back(pod);
    }
    question.pod = scored_pod(proof, "preemptor");
  }

  std::vector<Quantity> run(const Release& release) const {
    Trace trace = Trace::none();
    const scheduler::Cycle cycle(question, release, trace);
    scheduler::Nodes nodes;
    for (NodeIndex node = 0; node < question.cluster.nodes.size(); ++node) nodes.push_back(node);
    return *scheduler::node_resources(cycle, nodes);
  }

  Quantity& allocatable(std::size_t node, const std::string& resource) {
    return question.cluster.nodes[node].allocatable[resource];
  }

  /// What the pod of the node and the pod to be scheduled request together.
  Quantity requested(std::size_t node, const std::string& resource) const {
    return question.cluster.pods[node].containers[0].requests.at(resource) +
           question.pod.containers[0].requests.at(resource);
  }

  Question question;
};

/// NodeResourcesFit of one node with cpu alone. The pod on it counts unless it is only nominated.
void score_of_cpu(Proof& proof, FitStrategy strategy) {
  Release release = with_highest(k_exact);
  release.fit_strategy = strategy;
  Scored scored(proof, 1, {"cpu"});
  Pod& pod = scored.question.cluster.pods[0];
  const auto counted = static_cast<Counted>(proof.choose<Quantity>("bound, terminating, nominated", 3));
  pod.terminating = counted == Counted::terminating;
  if (counted == Counted::nominated) std::swap(pod.node_name, pod.nominated_node_name);
  const Quantity score = scored.run(release)[0];
  const Quantity allocatable = scored.allocatable(0, "cpu");
  const Quantity own = scored.question.pod.containers[0].requests.at("cpu");
  const Quantity used = counted == Counted::nominated ? own : scored.requested(0, "cpu");
  proof.claim("the score is in its range", in_range(score, k_exact));
  if (allocatable == Quantity(0)) return proof.claim("a node without cpu scores 0", score == Quantity(0));
  if (strategy == FitStrategy::most_allocated) {
    const Quantity part = used < allocatable ? used : allocatable;
    proof.claim("the score is the allocated part of the cpu",
                is_quotient(score, part * Quantity(k_exact), allocatable));
  } else if (used <= allocatable) {
    proof.claim("the score is the free part of the cpu",
                is_quotient(score, (allocatable - used) * Quantity(k_exact), allocatable));
  } else {
    proof.claim("a node whose cpu is exceeded scores 0", score == Quantity(0));
  }
  proof.witness("a score of 7", both(score == Quantity(7), Truth(counted == Counted::terminating)));
}

/// Whether a node of the same size with more requests scores no higher, or with MostAllocated no lower.
void more_requested(Proof& proof, FitStrategy strategy) {
  Release release = with_highest(k_exact);
  release.fit_strategy = strategy;
  Scored scored(proof, 2, {"cpu"});
  scored.allocatable(1, "cpu") = scored.allocatable(0, "cpu");
  const std::vector<Quantity> scores = scored.run(release);
  const Truth more = scored.requested(0, "cpu") <= scored.requested(1, "cpu");
  const Truth follows =
      strategy == FitStrategy::most_allocated ? scores[0] <= scores[1] : scores[0] >= scores[1];
  proof.claim("a node with more requests scores no higher, or with MostAllocated no lower",
              implies(more, follows));
  proof.witness("the scores differ", scores[0] != scores[1]);
}

/// Whether the node with more free cpu scores no lower.
void more_free(Proof& proof, bool equal_size) {
  Scored scored(proof, 2, {"cpu"});
  if (equal_size) scored.allocatable(1, "cpu") = scored.allocatable(0, "cpu");
  const std::vector<Quantity> scores = scored.run(with_highest(k_exact));
  const Quantity first = scored.allocatable(0, "cpu") - scored.requested(0, "cpu");
  const Quantity second = scored.allocatable(1, "cpu") - scored.requested(1, "cpu");
  proof.claim("the node with more free cpu scores higher",
              implies(both(first > second, second >= Quantity(0)),
                      equal_size ? scores[0] > scores[1] : scores[0] >= scores[1]));
}

/// NodeResourcesFit of one node with cpu and memory. `weight`: of memory.
void mean_of_two(Proof& proof) {
  Release release = with_highest(k_exact);
  const std::int64_t weight = chosen(proof, "memory weighs 3") ? 3 : 1;
  Scored scored(proof, 1, {"cpu", "memory"});
  scored.allocatable(0, "example.com/gpu") = 4;
  const auto score_with = [&](const std::vector<ScoredResource>& resources) {
    release.fit_resources = resources;
    return scored.run(release)[0];
  };
  const Quantity cpu = score_with({{"cpu", 1}});
  const Quantity memory = score_with({{"memory", 1}});
  const Quantity score = score_with({{"cpu", 1}, {"memory", weight}, {"example.com/gpu", 1}});
  if (scored.allocatable(0, "memory") == Quantity(0))
    return proof.claim("a resource that the node does not have is left out", score == cpu);
  if (scored.allocatable(0, "cpu") == Quantity(0))
    return proof.claim("a resource that the node does not have is left out", score == memory);
  proof.claim("the score is the weighted mean, rounded down",
              is_quotient(score, cpu + memory * Quantity(weight), Quantity(1 + weight)));
  proof.witness("the weight decides",
                both(Truth(weight == 3), both(cpu == Quantity(10), score == Quantity(2))));
}

/// The highest score is 100. Every number that the scorer computes fits 64 bits, if no amount exceeds 2^56.
void range_and_limits(Proof& proof) {
  Release release = with_highest(100);
  release.fit_strategy =
      chosen(proof, "MostAllocated") ? FitStrategy::most_allocated : FitStrategy::least_allocated;
  release.fit_resources = {{"cpu", 1}, {"memory", 100}};
  Scored scored(proof, 1, {"cpu", "memory"});
  constexpr std::int64_t k_most = std::int64_t{1} << 56;
  for (const char* resource : {"cpu", "memory"}) {
    const Quantity used = scored.question.cluster.pods[0].containers[0].requests.at(resource);
    const Quantity own = scored.question.pod.containers[0].requests.at(resource);
    proof.assume("no amount exceeds 2^56", both(scored.allocatable(0, resource) <= Quantity(k_most),
                                                both(used <= Quantity(k_most), own <= Quantity(k_most))));
  }
  const Quantity score = scored.run(release)[0];
  proof.claim("the score is in its range", in_range(score, 100));
  proof.witness("the highest score", score == Quantity(100));
}

/// Shapes that rise, fall, and begin or end inside of the utilizations.
const std::array<std::vector<ShapePoint>, 4> k_shapes = {
    {{{0, 0}, {50, 3}, {100, 10}}, {{0, 10}, {100, 0}}, {{20, 0}, {60, 10}}, {{0, 7}, {30, 2}, {70, 9}}}};

void scores_on_shapes(Proof& proof) {
  const std::vector<ShapePoint>& shape = k_shapes[proof.choose<Quantity>("shape", k_shapes.size())];
  const Release release = with_highest(100);
  const Quantity utilization = proof.number<Quantity>("utilization");
  proof.assume("a utilization is a percentage", in_range(utilization, 100));
  const Quantity score = scheduler::score_on_shape(shape, utilization, release);
  proof.claim("the score is in its range", in_range(score, 100));
  proof.claim("up to the first point the function is constant",
              implies(utilization <= shape.front().utilization, score == shape.front().score * Quantity(10)));
  proof.claim("beyond the last point the function is constant",
              implies(utilization >= shape.back().utilization, score == shape.back().score * Quantity(10)));
  for (std::size_t i = 1; i < shape.size(); ++i) {
    const ShapePoint& left = shape[i - 1];
    const ShapePoint& right = shape[i];
    const Quantity width = right.utilization - left.utilization;
    const Quantity rise = (right.score - left.score) * Quantity(10);
    const Quantity exact = rise * (utilization - left.utilization);
    const Quantity off = (score - left.score * Quantity(10)) * width - exact;
    const Truth is_between = both(utilization >= left.utilization, utilization <= right.utilization);
    proof.claim("between two points the score is less than 1 from the straight line",
                implies(is_between, both(off < width, Quantity(0) - off < width)));
    proof.claim("it is rounded towards the left point",
                implies(is_between, rise < Quantity(0) ? off >= Quantity(0) : off <= Quantity(0)));
  }
  proof.witness("a score of 50", score == Quantity(50));
}

/// RequestedToCapacityRatio of a node with 3 milli-CPUs and 7 bytes of memory.
void ratio_of_two(Proof& proof) {
  Release release = with_highest(100);
  release.fit_strategy = FitStrategy::requested_to_capacity;
  release.fit_shape = k_shapes[0];
  Scored scored(proof, 1, {});
  scored.allocatable(0, "cpu") = 3;
  scored.allocatable(0, "memory") = 7;
  const auto score_with = [&](const std::vector<ScoredResource>& resources) {
    release.fit_resources = resources;
    return scored.run(release)[0];
  };
  const Quantity cpu = score_with({{"cpu", 1}});
  const Quantity memory = score_with({{"memory", 1}});
  const Quantity score = score_with({{"cpu", 1}, {"memory", 1}});
  const Truth both_count = both(cpu > Quantity(0), memory > Quantity(0));
  const Quantity doubled = cpu + memory + Quantity(1);
  proof.claim("the score is the mean, rounded to the nearest integer, halves upward",
              implies(both_count,
                      both(score * Quantity(2) <= doubled, doubled < (score + Quantity(1)) * Quantity(2))));
  proof.claim("a resource with the score 0 does not count",
              implies(negation(both_count), score == cpu + memory));
  proof.witness("the mean is rounded upward", both(both_count, score * Quantity(2) == doubled));
}

}  // namespace

Theorems theorems_of_scores() {
  return {
      {.name = "least-allocated-scores-the-free-part",
       .clauses = {"SCORE-LEAST-1", "CYC-SEES-1"},
       .statement = "The score is the free part of the cpu. Terminating pods count, and nominated pods do "
                    "not: one node with any cpu, a pod, highest score 10.",
       .variants = {"least-is-most", "least-rounds-the-used-part", "own-request-is-not-added",
                    "overfull-resources-score-below-zero", "scores-see-nominated-pods",
                    "scores-do-not-see-terminating-pods"},
       .body = [](Proof& proof) { score_of_cpu(proof, FitStrategy::least_allocated); }},
      {.name = "most-allocated-scores-the-used-part",
       .clauses = {"SCORE-STRATEGY-2", "CYC-SEES-1"},
       .statement = "With MostAllocated the score is the allocated part of the cpu: one node with any cpu, a "
                    "pod, highest score 10.",
       .variants = {"most-is-least", "most-exceeds-the-highest"},
       .body = [](Proof& proof) { score_of_cpu(proof, FitStrategy::most_allocated); }},
      {.name = "more-requests-score-no-higher",
       .clauses = {"SCORE-LEAST-1"},
       .statement = "Of two nodes of the same size, the one with more requests scores no higher: any cpu, a "
                    "pod on each node, highest score 10.",
       .variants = {"least-is-most"},
       .body = [](Proof& proof) { more_requested(proof, FitStrategy::least_allocated); }},
      {.name = "more-requests-score-no-lower-with-most-allocated",
       .clauses = {"SCORE-STRATEGY-2"},
       .statement = "With MostAllocated the node with more requests scores no lower: 2 nodes of the same "
                    "size, any cpu, a pod on each node, highest score 10.",
       .variants = {"most-is-least"},
       .body = [](Proof& proof) { more_requested(proof, FitStrategy::most_allocated); }},
      {.name = "freer-node-scores-less",
       .clauses = {"SCORE-LEAST-1"},
       .statement = "A node with more free cpu may score less than a smaller node.",
       .body = [](Proof& proof) { more_free(proof, false); },
       .kind = Kind::exhibit},
      {.name = "freer-node-of-the-same-size-scores-the-same",
       .clauses = {"SCORE-LEAST-1"},
       .statement = "Of two nodes of the same size, the one with more free cpu may score the same, because "
                    "scores are rounded.",
       .body = [](Proof& proof) { more_free(proof, true); },
       .kind = Kind::exhibit},
      {.name = "mean-of-resources-is-weighted",
       .clauses = {"SCORE-STRATEGY-1", "SCORE-LEAST-1"},
       .statement = "The score is the weighted mean of the scores of the resources, rounded down. A resource "
                    "that the node lacks, or that the pod does not request, is left out: any cpu and memory, "
                    "a pod, weights 1 and 3, highest score 10.",
       .variants = {"weights-of-resources-are-equal", "mean-is-rounded", "absent-resources-weigh",
                    "unrequested-resources-score"},
       .body = mean_of_two},
      {.name = "fit-score-is-in-its-range",
       .clauses = {"SCORE-SET-2", "SCORE-LEAST-1", "SCORE-STRATEGY-2"},
       .statement = "The score of NodeResourcesFit is 0 to 100, and every number that it computes fits 64 "
                    "bits: any cpu and memory up to 2^56, a pod on the node, LeastAllocated and "
                    "MostAllocated.",
       .without = "no amount exceeds 2^56",
       .body = range_and_limits,
       .checks_overflow = true},
      {.name = "shape-is-a-line-between-points",
       .clauses = {"SCORE-STRATEGY-3"},
       .statement = "The function from utilization to score is constant outside of its points, and a "
                    "straight line between two points, rounded towards the left one: 4 shapes, any "
                    "utilization.",
       .variants = {"slope-is-divided-first", "last-point-goes-on"},
       .body = scores_on_shapes},
      {.name = "ratio-is-the-mean-of-positive-scores",
       .clauses = {"SCORE-STRATEGY-3"},
       .statement = "With RequestedToCapacityRatio the score is the mean of the scores above 0, rounded to "
                    "the nearest integer: a node with 3 milli-CPUs and 7 bytes, any requests.",
       .variants = {"scores-of-zero-weigh", "ratio-is-not-rounded"},
       .body = ratio_of_two},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
