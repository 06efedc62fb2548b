#include "proofs/scene.hpp"
#include "proofs/theorems/searched.hpp"

/// What the search for victims on one node guarantees if only resources decide.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

void lower_priority(Proof& proof, std::size_t pods) {
  const Searched node(proof, one_node(proof, pods), release_of(k_newest));
  for (const PodIndex victim : node.victims())
    proof.claim("every victim has a lower priority",
                node.question.cluster.pods[victim].priority < node.question.pod.priority);
  proof.witness("all but one are victims", node.victims().size() + 1 == pods);
}

void fits_after(Proof& proof, std::size_t pods) {
  const Searched node(proof, one_node(proof, pods, Places::any), release_of(k_newest));
  if (!node.is_candidate()) return;
  proof.claim("the preemptor fits", finds_room(node.question, node.stays));
  proof.witness("exactly one victim", node.victims().size() == 1);
}

/// A node is a candidate exactly if an eviction is needed and helps.
void candidate(Proof& proof, std::size_t pods) {
  const Searched node(proof, one_node(proof, pods), release_of(k_newest));
  std::vector<bool> all(pods, true);
  std::vector<bool> higher(pods, true);
  for (const PodIndex i : node.lower) higher[i] = false;
  const Truth needed = both(!node.lower.empty(), negation(finds_room(node.question, all)));
  const Truth helps = finds_room(node.question, higher);
  proof.claim("a node is a candidate if an eviction is needed and helps",
              implies(both(needed, helps), node.is_candidate()));
  proof.claim("no other node is a candidate", implies(node.is_candidate(), both(needed, helps)));
  if (node.lower.empty())
    proof.claim("without a pod of lower priority the node is unresolvable",
                node.found.status.code == Code::unschedulable_and_unresolvable);
  proof.witness("a candidate", node.is_candidate());
  proof.witness("no candidate, although some pod has a lower priority",
                !node.is_candidate() && !node.lower.empty());
}

void minimal(Proof& proof, std::size_t pods) {
  const Searched node(proof, one_node(proof, pods), release_of(k_newest));
  for (const PodIndex victim : node.victims()) {
    std::vector<bool> one_back = node.stays;
    one_back[victim] = true;
    proof.claim("no victim could have stayed", negation(finds_room(node.question, one_back)));
  }
  proof.witness("two victims", node.victims().size() == 2);
}

/// Of all sets of pods that leave room for the preemptor, the pods that stay are the lexicographically
/// greatest set in the order of reprieve.
void lexicographic(Proof& proof, std::size_t pods, bool with_pdb) {
  Question question = one_node(proof, pods);
  if (with_pdb) add_pdb(proof, question, "pdb");
  const Searched node(proof, std::move(question), release_of(k_newest));
  if (!node.is_candidate()) return;
  const std::vector<PodIndex> order = node.order_of_reprieve();
  const auto bits_of = [&order](const std::vector<bool>& stays) {
    std::size_t bits = 0;
    for (const PodIndex i : order) bits = bits * 2 + (stays[i] ? 1 : 0);
    return bits;
  };
  const std::size_t chosen = bits_of(node.stays);
  for (std::size_t greater = chosen + 1; greater < std::size_t{1} << order.size(); ++greater) {
    std::vector<bool> stays(pods, true);
    for (std::size_t at = 0; at < order.size(); ++at)
      stays[order[at]] = (greater >> (order.size() - 1 - at) & 1) != 0;
    proof.claim("the preemptor does not fit beside any greater set",
                negation(finds_room(node.question, stays)));
  }
  proof.witness("two victims among at least three potential victims",
                node.victims().size() == 2 && order.size() > 2);
  if (with_pdb) proof.witness("a violation", node.found.candidate.pdb_violations > Quantity(0));
}

void violations_of_victims(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  const Searched node(proof, std::move(question), release_of(k_newest));
  if (!node.is_candidate()) return;
  std::vector<scheduler::PodOnNode> sorted = scheduler::potential_victims(node.cycle, 0);
  scheduler::sort_by_importance(sorted, node.release);
  const std::vector<bool> violating = scheduler::pdb_violations(node.cycle, sorted);
  Quantity expected = 0;
  bool some_violator_stays = false;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (violating[i] && !node.stays[sorted[i].pod]) expected += Quantity(1);
    some_violator_stays = some_violator_stays || (violating[i] && node.stays[sorted[i].pod]);
  }
  proof.claim("the violations are as many as the victims that violate",
              node.found.candidate.pdb_violations == expected);
  proof.witness("a violation, and a violating pod that stays",
                both(some_violator_stays, expected == Quantity(1)));
}

/// PRE-VICTIM-4, in one expression.
Truth is_more_important(const Pod& a, const Pod& b) {
  Truth earlier = false;
  if (a.start_time_ns && b.start_time_ns) {
    earlier = *a.start_time_ns < *b.start_time_ns;
  } else {
    earlier = a.start_time_ns.has_value() && !b.start_time_ns;
  }
  return either(a.priority > b.priority, both(a.priority == b.priority, earlier));
}

void importance(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  for (std::size_t i = 0; i < pods; ++i) {
    const std::string name = "p" + std::to_string(i);
    Pod& pod = question.cluster.pods[i];
    pod.start_time_ns.reset();
    if (proof.choose<Quantity>(name + " has started", 2) == 1)
      pod.start_time_ns = proof.number<Quantity>(name + ".start");
  }
  const bool listed = proof.choose<Quantity>("release", 2) == 1;
  const Release release = release_of(listed ? "v1.37" : "v1.36");
  std::vector<scheduler::PodOnNode> sorted;
  for (PodIndex i = 0; i < pods; ++i) sorted.push_back({i, &question.cluster.pods[i]});
  // Victims that are sorted again start in the order in which they became victims.
  if (listed && proof.choose<Quantity>("turned round", 2) == 1) std::reverse(sorted.begin(), sorted.end());
  scheduler::sort_by_importance(sorted, release);
  std::vector<std::size_t> order;
  for (const scheduler::PodOnNode& pod : sorted) order.push_back(pod.pod);
  proof.observe("order:" + text_of(order));
  for (std::size_t i = 1; i < pods; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      proof.claim("no pod is behind a less important one",
                  negation(is_more_important(*sorted[i].object, *sorted[j].object)));
    // PRE-VICTIM-5
    const Pod& before = *sorted[i - 1].object;
    const Pod& after = *sorted[i].object;
    const bool is_list_order = sorted[i - 1].pod < sorted[i].pod;
    if (!before.start_time_ns && !after.start_time_ns && is_list_order != listed)
      proof.claim("unstarted pods of one priority are in reverse, or from v1.37 on in the order of the list",
                  before.priority != after.priority);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < pods; ++i) proof.claim("each pod is in the list once", order[i] == i);
  proof.witness("the sorted list is the reversed input",
                sorted[0].pod == pods - 1 && sorted[pods - 1].pod == 0);
}

}  // namespace

Theorems theorems_of_victims() {
  return {
      {.name = "victims-have-lower-priority",
       .clauses = {"PRE-VICTIM-1"},
       .statement = "Every victim has a strictly lower priority than the preemptor: one node, 4 pods.",
       .variants = {"equals-are-victims", "canary"},
       .body = [](Proof& proof) { lower_priority(proof, 4); },
       .tier = Tier::full},
      {.name = "candidate-where-eviction-helps",
       .clauses = {"PRE-VICTIM-2", "PRE-VICTIM-3", "PRE-VICTIM-8", "PRE-FIT-2"},
       .statement =
           "A node is a candidate if and only if some pod has a lower priority, the preemptor does not fit "
           "beside all pods, and it fits without the pods of lower priority: one node, 3 pods, cpu.",
       .variants = {"exact-fit-is-too-much", "nodes-without-victims-are-filtered", "no-victim-is-left"},
       .body = [](Proof& proof) { candidate(proof, 3); }},
      {.name = "fits-after-eviction",
       .clauses = {"PRE-VICTIM-3", "PRE-FIT-1", "PRE-FIT-2"},
       .statement = "Without the victims the preemptor fits: one node, 3 pods, any cpu and any allowed "
                    "number of pods.",
       .variants = {"one-pod-too-many"},
       .body = [](Proof& proof) { fits_after(proof, 3); }},
      {.name = "importance-orders-by-priority-then-start",
       .clauses = {"PRE-VICTIM-4", "PRE-VICTIM-5", "PRE-VICTIM-7"},
       .statement = "After sorting by importance no pod is behind a less important one, and each pod is in "
                    "the list once: 3 pods, started or not, v1.36 and v1.37.",
       .variants = {"younger-pods-stay", "least-important-stay", "start-does-not-order-victims",
                    "unstarted-pods-are-the-oldest", "unstarted-pods-keep-their-order",
                    "list-is-forgotten-when-sorted-again"},
       .body = [](Proof& proof) { importance(proof, 3); }},
      {.name = "victims-are-minimal",
       .clauses = {"PRE-VICTIM-6"},
       .statement = "No victim could have stayed: one node, 4 pods, cpu.",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { minimal(proof, 4); },
       .tier = Tier::full},
      {.name = "most-important-stay",
       .clauses = {"PRE-VICTIM-6", "PRE-VICTIM-4"},
       .statement = "The pods that stay are the lexicographically greatest set, in the order of importance, "
                    "beside which the preemptor fits: one node, 4 pods, cpu.",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { lexicographic(proof, 4, false); },
       .tier = Tier::full},
      {.name = "victims-that-violate-are-counted",
       .clauses = {"PRE-PDB-8"},
       .statement = "A candidate has as many violations as it has violating victims. Violating pods that "
                    "stay do not count: one node, 3 pods, a PDB over any of them, cpu.",
       .variants = {"reprieved-violations-count", "violations-are-lost"},
       .body = [](Proof& proof) { violations_of_victims(proof, 3); },
       .tier = Tier::full},
      {.name = "protected-stay-first",
       .clauses = {"PRE-VICTIM-6", "PRE-PDB-1"},
       .statement =
           "The pods that stay are the lexicographically greatest set in the order of reprieve, in which "
           "pods that would violate a PDB come first: one node, 3 pods, a PDB over any of them, cpu.",
       .variants = {"protected-pods-go-first"},
       .body = [](Proof& proof) { lexicographic(proof, 3, true); },
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
