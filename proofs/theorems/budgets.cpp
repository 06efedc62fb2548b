#include <array>

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Which evictions violate a PDB, for each way in which releases have counted violations.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Potential victims in the order of importance, and PDBs. Each PDB covers any subset of the victims.
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
    const scheduler::Cycle cycle(question, release, trace);
    std::vector<scheduler::PodOnNode> victims;
    for (PodIndex i = 0; i < question.cluster.pods.size(); ++i)
      victims.push_back({i, &question.cluster.pods[i]});
    return scheduler::pdb_violations(cycle, victims);
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
  proof.claim("the reversed list of PDBs gives the same violations", first == second);
  if (pods == 1) return proof.witness("the pod violates a PDB", first.front());
  proof.witness("the first pod violates a PDB and the last does not, or the reverse",
                first.front() != first.back());
}

void who_is_covered(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 4);
  const Release release = release_of(std::array{"v1.18", "v1.19", "v1.37", "v1.38"}[which]);
  Question question;
  Pod& pod = question.cluster.pods.emplace_back();
  pod.ns = proof.choose<Quantity>("of another namespace", 2) == 1 ? "other" : "default";
  pod.name = "p";
  const std::size_t label = proof.choose<Quantity>("label", 3);
  if (label > 0) pod.labels["app"] = label == 1 ? "x" : "y";
  PodDisruptionBudget& pdb = question.cluster.pdbs.emplace_back();
  pdb.ns = "default";
  pdb.name = "pdb";
  pdb.disruptions_allowed = proof.number<Quantity>("allowed");
  const std::size_t selector = proof.choose<Quantity>("selector", 4);  // none, empty, app = x, app NotIn (y)
  if (selector > 0) pdb.selector.emplace();
  if (selector == 2) pdb.selector->match_labels["app"] = "x";
  if (selector == 3) pdb.selector->match_expressions.push_back({"app", "NotIn", {"y"}});
  const std::size_t disrupted = proof.choose<Quantity>("disrupted", 3);
  if (disrupted > 0) pdb.disrupted_pods.push_back(disrupted == 1 ? "p" : "q");

  const bool counts_empty = which == 3;
  bool matches = selector == 1 && counts_empty;
  if (selector == 2) matches = label == 1;
  if (selector == 3) matches = label == 1 || (label == 0 && counts_empty);
  const bool is_exempt = disrupted == 1 && which > 0;
  const bool is_covered = pod.ns == "default" && matches && !is_exempt;

  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const bool violates = scheduler::pdb_violations(cycle, {{0, &pod}})[0];
  proof.observe(violates ? "violates" : "does not violate");
  const Truth should = both(Truth(is_covered), pdb.disruptions_allowed <= Quantity(0));
  proof.claim("the pod violates a PDB that covers it and has no disruption left",
              violates ? should : negation(should));
  proof.witness("the pod violates a PDB", Truth(violates));
  proof.witness("no PDB covers the pod", both(Truth(!violates), pdb.disruptions_allowed <= Quantity(0)));
}

/// Claims which pods violate a PDB. `spends`: whether the pods before a pod have spent budgets.
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
    proof.claim("a pod violates if and only if a PDB that covers it is used up",
                violating[i] ? is_used_up : negation(is_used_up));
  }
  proof.witness("only the last pod violates",
                violating.back() && std::count(violating.begin(), violating.end(), true) == 1);
}

}  // namespace

Theorems theorems_of_budgets() {
  return {
      {.name = "threshold-is-held-against-each",
       .clauses = {"PRE-PDB-3"},
       .statement = "A pod violates if a PDB that covers it has no disruption left, whichever other pods are "
                    "evicted: v1.16.6, 3 pods, 2 PDBs over any of them.",
       .variants = {"budget-is-spent-as-it-was-not-yet"},
       .body = [](Proof& proof) { account(proof, 3, 2, "v1.16.6", false); },
       .tier = Tier::full},
      {.name = "budget-is-spent-in-order",
       .clauses = {"PRE-PDB-5"},
       .statement = "A pod violates if the more important pods have used up a PDB that covers it: v1.36, 3 "
                    "pods, 2 PDBs over any of them.",
       .variants = {"budget-is-a-threshold", "budget-below-zero-is-none", "pdbs-are-ignored"},
       .body = [](Proof& proof) { account(proof, 3, 2, "v1.36", true); },
       .tier = Tier::full},
      {.name = "order-of-pdbs-does-not-matter",
       .clauses = {"PRE-PDB-5"},
       .statement =
           "A reversed list of PDBs gives the same violations: v1.36, 3 pods, 2 PDBs over any of them.",
       .variants = {"violated-pdb-spares-the-next"},
       .body = [](Proof& proof) { any_order_of_pdbs(proof, 3, 2, "v1.36"); },
       .tier = Tier::full},
      {.name = "order-of-thresholds-does-not-matter",
       .clauses = {"PRE-PDB-3"},
       .statement =
           "A reversed list of PDBs gives the same violations: v1.16.6, 2 pods, 3 PDBs over any of them.",
       .body = [](Proof& proof) { any_order_of_pdbs(proof, 2, 3, "v1.16.6"); },
       .broken = [](Proof& proof) { any_order_of_pdbs(proof, 2, 3, "v1.18"); },
       .tier = Tier::full},
      {.name = "who-is-covered",
       .clauses = {"PRE-PDB-2", "PRE-PDB-6", "PRE-PDB-7"},
       .statement = "A PDB covers the pods of its namespace that its selector matches, from v1.19 on except "
                    "those that it lists as disrupted. An empty selector, and pods without labels, match "
                    "from v1.38 on: a pod, a PDB of any budget, v1.18, v1.19, v1.37 and v1.38.",
       .variants = {"pdbs-of-every-namespace", "empty-selector-matches-all", "empty-selector-matches-no-pod",
                    "disrupted-pods-are-charged"},
       .body = who_is_covered,
       .tier = Tier::full},
      {.name = "order-of-pdbs-matters-up-to-1.18",
       .clauses = {"PRE-PDB-4"},
       .statement = "If a violated PDB keeps the next PDB from being consumed, the order of PDBs decides "
                    "which pod violates: v1.18, 2 pods, 2 PDBs.",
       .body = [](Proof& proof) { any_order_of_pdbs(proof, 2, 2, "v1.18"); },
       .kind = Kind::exhibit},
      {.name = "order-of-pdbs-matters-from-1.37-on",
       .clauses = {"PRE-PDB-4"},
       .statement = "In v1.37 the order of PDBs also decides which pod violates: 2 pods, 2 PDBs.",
       .body = [](Proof& proof) { any_order_of_pdbs(proof, 2, 2, "v1.37"); },
       .kind = Kind::exhibit},
      {.name = "one-pod-needs-no-order-of-pdbs",
       .clauses = {"PRE-PDB-4"},
       .statement = "With one pod the order of 3 PDBs does not matter: v1.37.",
       .variants = {"budget-below-zero-is-none"},
       .body = [](Proof& proof) { any_order_of_pdbs(proof, 1, 3, "v1.37"); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
