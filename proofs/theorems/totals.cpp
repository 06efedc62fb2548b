#include <array>

#include "proofs/theorems/said.hpp"

/// Totals, and the choice of the host among the nodes with the highest total.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Nodes 0 to n - 1 with any totals.
struct Totals {
  Totals(Proof& proof, std::size_t n) {
    for (NodeIndex node = 0; node < n; ++node) {
      nodes.push_back(node);
      totals.push_back(proof.number<Quantity>("total" + std::to_string(node)));
    }
  }

  Truth is_highest(NodeIndex node) const {
    Truth highest = true;
    for (const Quantity& other : totals) highest = both(highest, other <= totals[node]);
    return highest;
  }

  /// The first node with the highest total.
  NodeIndex first_best() const {
    NodeIndex best = 0;
    for (NodeIndex node = 1; node < nodes.size(); ++node) {
      if (totals[node] > totals[best]) best = node;
    }
    return best;
  }

  scheduler::Nodes nodes;
  std::vector<Quantity> totals;
};

void best_are_highest(Proof& proof, std::size_t n) {
  const Totals scored(proof, n);
  const scheduler::Nodes best = scheduler::best_nodes(scored.nodes, scored.totals);
  proof.observe("best:" + text_of(best));
  for (const NodeIndex node : scored.nodes) {
    const bool is_best = std::find(best.begin(), best.end(), node) != best.end();
    proof.claim("a node is one of the best if and only if no total is higher",
                exactly(is_best, scored.is_highest(node)));
  }
  proof.witness("all nodes are equal", Truth(best.size() == n));
}

void root_is_highest(Proof& proof, std::size_t n) {
  const Totals scored(proof, n);
  const NodeIndex root = scheduler::heap_root(scored.nodes, scored.totals);
  proof.observe("root " + std::to_string(root));
  proof.claim("the root has the highest total", scored.is_highest(root));
  Truth equal = true;
  for (const Quantity& total : scored.totals) equal = both(equal, total == scored.totals[0]);
  proof.claim("if all totals are equal, the first node is the root", implies(equal, Truth(root == 0)));
  proof.witness("the last node is the root", Truth(root == n - 1));
}

/// CYC-HOST-4 for five nodes: node 1 has the children 3 and 4, and node 0 the children 1 and 2.
void root_of_five(Proof& proof) {
  const Totals scored(proof, 5);
  const auto greater = [&scored](NodeIndex one, NodeIndex other) {
    return scored.totals[other] > scored.totals[one] ? other : one;
  };
  const NodeIndex root = scheduler::heap_root(scored.nodes, scored.totals);
  proof.observe("root " + std::to_string(root));
  const NodeIndex left = greater(1, greater(3, 4));
  proof.claim("of equal totals the parent stays, and the left child is the greater one",
              Truth(root == greater(0, greater(left, 2))));
  proof.witness("a tie of the second and the third node, and the fourth sinks to the root",
                both(scored.totals[1] == scored.totals[2], Truth(root == 3)));
}

/// Whether the root is the first node with the highest total.
void root_is_first(Proof& proof, std::size_t n) {
  const Totals scored(proof, n);
  const NodeIndex root = scheduler::heap_root(scored.nodes, scored.totals);
  proof.claim("the root is the first of the best nodes", Truth(root == scored.first_best()));
  proof.witness("the last node is the root", Truth(root == n - 1));
}

/// A node that may have a taint PreferNoSchedule, and a label that the pod prefers.
struct ScoredNode {
  bool is_tainted;
  bool is_preferred;
};

void totals_are_sums(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 5);
  Release release = release_of(std::array{"v1.10", "v1.13.0", "v1.29.6", "v1.34.4", "v1.35.4"}[which]);
  const Quantity highest = which < 2 ? 10 : 100;
  const bool has_scorers = which != 2 || chosen(proof, "the configuration has scorers");
  const bool has_start = chosen(proof, "the start is known");
  release.scorers.clear();
  const Quantity of_taints = proof.number<Quantity>("weight of TaintToleration");
  const Quantity of_affinity = proof.number<Quantity>("weight of NodeAffinity");
  proof.assume("weights are positive", both(of_taints > Quantity(0), of_affinity > Quantity(0)));
  if (has_scorers) {
    release.scorers = {{Scorer::taint_toleration, "TaintToleration", of_taints},
                       {Scorer::node_affinity, "NodeAffinity", of_affinity}};
  }
  Question question;
  std::array<ScoredNode, 2> nodes{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = "n" + std::to_string(i);
    Node& node = add_node(question, name);
    node.allocatable["pods"] = 110;
    nodes[i].is_tainted = chosen(proof, name + " has a taint");
    if (nodes[i].is_tainted) node.taints.push_back({"key", "", "PreferNoSchedule"});
    node.taints.push_back({"tolerated", "", "PreferNoSchedule"});
    nodes[i].is_preferred = chosen(proof, name + " is preferred");
    if (nodes[i].is_preferred) node.labels["disk"] = "ssd";
  }
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  question.pod.tolerations.push_back({"tolerated", "Exists", "", ""});
  question.pod.preferred_node_affinity.push_back({1, {{{"disk", "In", {"ssd"}}}, {}}});
  if (has_start) question.start = Quantity(0);

  const Placement placement = scheduler::schedule(question, release);
  proof.claim("two feasible nodes have totals", Truth(placement.totals.size() == 2));
  if (placement.totals.size() != 2) return;
  for (NodeIndex node = 0; node < 2; ++node) {
    Quantity sum = 0;
    if (!nodes[node].is_tainted) sum += highest * of_taints;
    if (nodes[node].is_preferred) sum += highest * of_affinity;
    proof.claim("a total is the sum of scores times weights, or 1 without scorers",
                placement.totals[node] == (has_scorers ? sum : Quantity(1)));
    const bool is_best =
        std::find(placement.best.begin(), placement.best.end(), node) != placement.best.end();
    const Truth is_highest = placement.totals[1 - node] <= placement.totals[node];
    const bool is_one = which == 4 && has_start && node == 1;  // CYC-HOST-4: the first node wins a tie
    proof.claim("the best nodes have the highest total",
                exactly(is_best, is_one ? Truth(placement.totals[0] < placement.totals[1]) : is_highest));
  }
  proof.claim("the host is one of the best nodes",
              Truth(std::find(placement.best.begin(), placement.best.end(), *placement.host) !=
                    placement.best.end()));
  proof.witness("the weights decide",
                both(Truth(!nodes[0].is_tainted && nodes[1].is_preferred && has_scorers),
                     placement.totals[0] < placement.totals[1]));
}

}  // namespace

Theorems theorems_of_totals() {
  return {
      {.name = "totals-are-sums-of-weighted-scores",
       .clauses = {"CYC-TOTAL-1", "SCORE-SET-1", "SCORE-TAINT-1", "CYC-HOST-1", "CYC-HOST-2", "CYC-HOST-3",
                   "CYC-HOST-4"},
       .statement = "A total is the sum of scores times weights, and 1 without scorers. The host is a node "
                    "with the highest total: 2 nodes, each with a taint that the pod does not tolerate or "
                    "without, preferred or not, 2 scorers with any weights, v1.10 to v1.35.4, with and "
                    "without a start.",
       .variants = {"the-last-scorer-decides", "no-scorers-give-nothing", "weights-are-forgotten",
                    "tolerated-taints-score", "the-last-name-always-wins", "no-turns-are-taken",
                    "heap-before-its-time", "heap-without-an-order"},
       .body = totals_are_sums,
       .tier = Tier::full},
      {.name = "best-nodes-have-the-highest-total",
       .clauses = {"CYC-HOST-1", "CYC-HOST-2", "CYC-HOST-3"},
       .statement = "The best nodes are exactly those with the highest total: 4 nodes with any totals.",
       .variants = {"second-best-may-win"},
       .body = [](Proof& proof) { best_are_highest(proof, 4); }},
      {.name = "heap-root-has-the-highest-total",
       .clauses = {"CYC-HOST-4"},
       .statement = "The root of the heap has the highest total. If all totals are equal it is the first "
                    "node: 5 nodes with any totals.",
       .variants = {"equals-sink"},
       .body = [](Proof& proof) { root_is_highest(proof, 5); }},
      {.name = "heap-of-five",
       .clauses = {"CYC-HOST-4"},
       .statement = "Which of several nodes with the highest total is the root of the heap: 5 nodes with any "
                    "totals.",
       .variants = {"root-is-the-first-of-the-best", "right-child-wins-ties"},
       .body = root_of_five},
      {.name = "heap-root-of-three-is-the-first-best",
       .clauses = {"CYC-HOST-4"},
       .statement = "With 3 nodes the root of the heap is the first node with the highest total.",
       .variants = {"right-child-wins-ties"},
       .body = [](Proof& proof) { root_is_first(proof, 3); }},
      {.name = "heap-root-is-not-the-first-best",
       .clauses = {"CYC-HOST-4"},
       .statement = "With 4 nodes the root of the heap may be another node with the highest total than the "
                    "first one.",
       .body = [](Proof& proof) { root_is_first(proof, 4); },
       .kind = Kind::exhibit},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
