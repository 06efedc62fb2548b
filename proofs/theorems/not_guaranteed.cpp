#include "proofs/scene.hpp"
#include "proofs/theorems/searched.hpp"

/// Properties that the search for victims does not guarantee. Each has a smallest cluster without the
/// property, and a proof that there is no smaller one.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Calls `visit` with every subset of the potential victims, as pods that could stay instead.
template <typename Visit>
void for_each_other_choice(const Searched& node, const Visit& visit) {
  const std::size_t n = node.lower.size();
  for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits) {
    std::vector<bool> stays(node.stays.size(), true);
    std::vector<PodIndex> gone;
    for (std::size_t at = 0; at < n; ++at) {
      if ((bits >> at & 1) != 0) continue;
      stays[node.lower[at]] = false;
      gone.push_back(node.lower[at]);
    }
    visit(stays, gone);
  }
}

void fewest(Proof& proof, std::size_t pods) {
  const Searched node(proof, one_node(proof, pods), release_of(k_newest));
  if (!node.is_candidate()) return;
  for_each_other_choice(node, [&](const std::vector<bool>& stays, const std::vector<PodIndex>& gone) {
    if (gone.size() < node.victims().size())
      proof.claim("no smaller number of victims is enough", negation(finds_room(node.question, stays)));
  });
  proof.witness("all pods but one are victims", node.victims().size() + 1 == pods);
}

/// How many of the evicted pods violate the PDB if no other pod is evicted: those beyond its budget.
Quantity violations(const Question& question, const std::vector<PodIndex>& gone) {
  Quantity left = question.cluster.pdbs[0].disruptions_allowed;
  Quantity violations = 0;
  for (const PodIndex pod : gone) {
    if (question.cluster.pods[pod].labels.empty()) continue;
    if (left <= Quantity(0)) violations += Quantity(1);
    left -= Quantity(1);
  }
  return violations;
}

void fewest_violations(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  const Searched node(proof, std::move(question), release_of(k_newest));
  if (!node.is_candidate()) return;
  const Quantity own = violations(node.question, node.victims());
  for_each_other_choice(node, [&](const std::vector<bool>& stays, const std::vector<PodIndex>& gone) {
    const Quantity other = violations(node.question, gone);
    proof.claim("no smaller number of violations is enough",
                implies(finds_room(node.question, stays), own <= other));
  });
  proof.witness("a violation", own > Quantity(0));
}

/// Compares the violations that the choice of a node counts with those that the eviction causes. `more`: how
/// many more the broken variant claims.
void counted_violations(Proof& proof, std::size_t pods, std::int64_t more = 0) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  const Searched node(proof, std::move(question), release_of(k_newest));
  if (!node.is_candidate()) return;
  const Quantity own = violations(node.question, node.victims());
  proof.claim("the evictions cause every violation that is counted",
              node.found.candidate.pdb_violations + Quantity(more) <= own);
  proof.witness("a violation", own > Quantity(0));
}

/// A node with more cpu may have more victims. `fewer`: how many fewer the broken variant claims.
void more_room(Proof& proof, std::size_t pods, std::size_t fewer = 0) {
  const Searched node(proof, one_node(proof, pods), release_of(k_newest));
  Question larger = node.question;
  const Quantity more = proof.number<Quantity>("more cpu");
  proof.assume("cpu is added", more > Quantity(0));
  larger.cluster.nodes[0].allocatable["cpu"] += more;
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(larger, node.release, trace);
  const scheduler::DryRun found = scheduler::select_victims(cycle, 0, {});
  proof.observe("with more cpu:" + text_of(found.candidate.victims));
  if (!node.is_candidate() || !found.status.ok()) return;
  proof.claim("no more victims than before", found.candidate.victims.size() + fewer <= node.victims().size());
  proof.witness("fewer victims than before", found.candidate.victims.size() < node.victims().size());
}

}  // namespace

Theorems theorems_of_what_is_not_guaranteed() {
  return {
      {.name = "fewest-victims-of-two",
       .clauses = {"PRE-VICTIM-6"},
       .statement = "With 2 pods no smaller number of victims is enough: one node, cpu.",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { fewest(proof, 2); }},
      {.name = "not-the-fewest-victims",
       .clauses = {"PRE-VICTIM-6"},
       .statement = "With 3 pods a smaller number of victims may be enough, if the most important pod is "
                    "large: one node, cpu.",
       .body = [](Proof& proof) { fewest(proof, 3); },
       .kind = Kind::exhibit},
      {.name = "no-violation-on-paper-of-one",
       .clauses = {"PRE-PDB-4", "PRE-PDB-8"},
       .statement = "With one pod the eviction causes every violation that is counted: one node, a PDB over "
                    "the pod or not, cpu.",
       .body = [](Proof& proof) { counted_violations(proof, 1); },
       .broken = [](Proof& proof) { counted_violations(proof, 1, 1); }},
      {.name = "fewest-violations-of-two",
       .clauses = {"PRE-VICTIM-6", "PRE-PDB-4"},
       .statement = "With 2 pods no other choice of victims has fewer violations: one node, a PDB over any "
                    "of them, cpu.",
       .variants = {"protected-pods-go-first"},
       .body = [](Proof& proof) { fewest_violations(proof, 2); }},
      {.name = "not-the-fewest-violations",
       .clauses = {"PRE-VICTIM-6", "PRE-PDB-4"},
       .statement = "With 3 pods another choice of victims may have fewer violations: one node, a PDB over "
                    "any of them, cpu.",
       .body = [](Proof& proof) { fewest_violations(proof, 3); },
       .kind = Kind::exhibit},
      {.name = "violations-on-paper",
       .clauses = {"PRE-PDB-4", "PRE-PDB-8"},
       .statement = "The scheduler may count a violation that the evictions do not cause, because pods that "
                    "stay have consumed the budget: 2 pods, one node, a PDB over any of them.",
       .body = [](Proof& proof) { counted_violations(proof, 2); },
       .kind = Kind::exhibit},
      {.name = "more-room-for-two",
       .clauses = {"PRE-VICTIM-6"},
       .statement = "With 2 pods a larger node never has more victims: one node, cpu.",
       .body = [](Proof& proof) { more_room(proof, 2); },
       .broken = [](Proof& proof) { more_room(proof, 2, 1); }},
      {.name = "more-room-more-victims",
       .clauses = {"PRE-VICTIM-6"},
       .statement = "With 3 pods a larger node may have more victims: one node, cpu.",
       .body = [](Proof& proof) { more_room(proof, 3); },
       .kind = Kind::exhibit},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
