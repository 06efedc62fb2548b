#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Which evictions violate a PDB, in each of the ways in which releases have counted that.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Potential victims in the order of their importance, and PDBs over any of them.
struct Protected {
  Protected(Proof& proof, std::size_t pods, std::size_t pdbs, std::string_view name)
      : release(release_of(name)) {
    for (std::size_t i = 0; i < pods; ++i) {
      Pod& pod = question.cluster.pods.emplace_back();
      pod.ns = "default";
      pod.name = "p" + std::to_string(i);
      pod.labels["app"] = pod.name;
    }
    for (std::size_t k = 0; k < pdbs; ++k) add_pdb(proof, question, "pdb" + std::to_string(k));
  }

  /// For each pod, whether its eviction violates a PDB.
  std::vector<bool> violations() const {
    Trace trace = Trace::none();
    const subject::Cycle cycle(question, release, trace);
    std::vector<subject::PodOnNode> victims;
    for (PodIndex i = 0; i < question.cluster.pods.size(); ++i)
      victims.push_back({i, &question.cluster.pods[i]});
    return subject::pdb_violations(cycle, victims);
  }

  bool covers(std::size_t k, std::size_t i) const {
    return question.cluster.pods[i].labels.contains(question.cluster.pdbs[k].name);
  }

  Question question;
  Release release;
};

std::string text_of_flags(const std::vector<bool>& flags) {
  std::string text;
  for (const bool flag : flags) text += flag ? "1" : "0";
  return text;
}

void any_order_of_pdbs(Proof& proof, std::size_t pods, std::size_t pdbs, std::string_view release) {
  Protected scene(proof, pods, pdbs, release);
  const std::vector<bool> first = scene.violations();
  std::reverse(scene.question.cluster.pdbs.begin(), scene.question.cluster.pdbs.end());
  const std::vector<bool> second = scene.violations();
  proof.observe(text_of_flags(first) + " " + text_of_flags(second));
  proof.claim("the PDBs turned round say the same", first == second);
  if (pods == 1) return proof.witness("it violates", first.front());
  proof.witness("one violates and one does not", first.front() != first.back());
}

/// Each PDB is held against the pods before: `spends` says whether those used it up.
void account(Proof& proof, std::size_t pods, std::size_t pdbs, std::string_view release, bool spends) {
  const Protected scene(proof, pods, pdbs, release);
  const std::vector<bool> violating = scene.violations();
  proof.observe(text_of_flags(violating));
  for (std::size_t i = 0; i < pods; ++i) {
    Truth is_used_up = false;
    for (std::size_t k = 0; k < pdbs; ++k) {
      if (!scene.covers(k, i)) continue;
      Quantity before = 0;
      for (std::size_t j = 0; spends && j < i; ++j) before += Quantity(scene.covers(k, j) ? 1 : 0);
      is_used_up = either(is_used_up, scene.question.cluster.pdbs[k].disruptions_allowed <= before);
    }
    proof.claim("a pod violates where a PDB over it is used up",
                violating[i] ? is_used_up : negation(is_used_up));
  }
  proof.witness("the last one violates alone",
                violating.back() && std::count(violating.begin(), violating.end(), true) == 1);
}

}  // namespace

Theorems theorems_of_budgets() {
  return {
      {"threshold-is-held-against-each",
       {"PRE-PDB-3"},
       "A pod violates where a PDB over it has no disruption left, whoever goes with it: v1.16.6, 3 pods, 2 "
       "PDBs over any "
       "of them.",
       {"budget-is-spent-as-it-was-not-yet"},
       "",
       [](Proof& proof) { account(proof, 3, 2, "v1.16.6", false); },
       nullptr,
       Tier::full},
      {"budget-is-spent-in-order",
       {"PRE-PDB-5"},
       "A pod violates where the more important ones under a PDB over it have used it up: v1.36, 3 pods, 2 "
       "PDBs over any "
       "of them.",
       {"budget-is-a-threshold", "budget-below-zero-is-none", "pdbs-are-ignored"},
       "",
       [](Proof& proof) { account(proof, 3, 2, "v1.36", true); },
       nullptr,
       Tier::full},
      {"order-of-pdbs-does-not-matter",
       {"PRE-PDB-5"},
       "Turned round, the list of PDBs says the same: v1.36, 3 pods, 2 PDBs over any of them.",
       {"violated-pdb-spares-the-next"},
       "",
       [](Proof& proof) { any_order_of_pdbs(proof, 3, 2, "v1.36"); },
       nullptr,
       Tier::full},
      {"order-of-thresholds-does-not-matter",
       {"PRE-PDB-3"},
       "Turned round, the list of PDBs says the same: v1.16.6, 2 pods, 3 PDBs over any of them.",
       {"budget-below-zero-is-none"},
       "",
       [](Proof& proof) { any_order_of_pdbs(proof, 2, 3, "v1.16.6"); },
       nullptr,
       Tier::full},
      {"order-of-pdbs-matters-up-to-1.18",
       {"PRE-PDB-4"},
       "Where a violated PDB keeps the next from being spent, their order decides who violates: v1.18, 2 "
       "pods, 2 PDBs.",
       {},
       "",
       [](Proof& proof) { any_order_of_pdbs(proof, 2, 2, "v1.18"); },
       nullptr,
       Tier::quick,
       Kind::exhibit},
      {"order-of-pdbs-matters-from-1.37-on",
       {"PRE-PDB-4"},
       "The same in v1.37, 2 pods, 2 PDBs.",
       {},
       "",
       [](Proof& proof) { any_order_of_pdbs(proof, 2, 2, "v1.37"); },
       nullptr,
       Tier::quick,
       Kind::exhibit},
      {"one-pod-needs-no-order-of-pdbs",
       {"PRE-PDB-4"},
       "It takes two pods: with one, the order of 3 PDBs says nothing, v1.37.",
       {"budget-below-zero-is-none"},
       "",
       [](Proof& proof) { any_order_of_pdbs(proof, 1, 3, "v1.37"); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
