#include <algorithm>

#include "reference/filters/labels.hpp"
#include "reference/preemption/preempt.hpp"

/// Which potential victims a PodDisruptionBudget protects.
namespace touchstone::reference {

namespace {

std::string_view clause_of(PdbBudget rule) {
  if (rule == PdbBudget::threshold) return "PRE-PDB-3";
  return rule == PdbBudget::consumed_until_violated ? "PRE-PDB-4" : "PRE-PDB-5";
}

}  // namespace

bool pdb_covers(const PodDisruptionBudget& pdb, const Pod& pod, const Release& release) {
  // PRE-PDB-2
  if (pdb.ns != pod.ns || !pdb.selector) return false;
  // PRE-PDB-7
  if (!release.pdb_empty_selector_matches_all && (pod.labels.empty() || is_empty(*pdb.selector)))
    return false;
  if (!matches(*pdb.selector, pod.labels)) return false;
  // PRE-PDB-6
  const std::vector<std::string>& disrupted = pdb.disrupted_pods;
  const bool exempt = std::find(disrupted.begin(), disrupted.end(), pod.name) != disrupted.end();
  return !(exempt && release.pdb_disrupted_pods_exempt);
}

std::vector<bool> covering_pdbs(const Cycle& cycle, const Pod& pod) {
  std::vector<bool> covering;
  for (const PodDisruptionBudget& pdb : cycle.cluster.pdbs)
    covering.push_back(pdb_covers(pdb, pod, cycle.release));
  return covering;
}

std::vector<bool> pdb_violations(const Cycle& cycle, const std::vector<PodOnNode>& pods) {
  const PdbBudget rule = cycle.release.pdb_budget;
  std::vector<Quantity> left;
  for (const PodDisruptionBudget& pdb : cycle.cluster.pdbs) left.push_back(pdb.disruptions_allowed);

  std::vector<bool> violating(pods.size(), false);
  if (rule == PdbBudget::ignored) return violating;  // PRE-PDB-1
  for (std::size_t i = 0; i < pods.size(); ++i) {
    for (std::size_t k = 0; k < left.size(); ++k) {
      if (!pdb_covers(cycle.cluster.pdbs[k], *pods[i].object, cycle.release)) continue;
      const Quantity before = left[k];
      const PodDisruptionBudget& pdb = cycle.cluster.pdbs[k];
      cycle.trace.add({Stage::budget,
                       clause_of(rule),
                       before > 0,
                       pdb.ns + "/" + pdb.name,
                       {},
                       pods[i].pod,
                       {{Measure::left, before}}});
      if (before <= 0) violating[i] = true;
      if (before <= 0 && rule == PdbBudget::consumed_until_violated) break;  // PRE-PDB-4
      // PRE-PDB-3: the threshold consumes nothing. PRE-PDB-4, PRE-PDB-5: a budget is spent pod by pod.
      if (rule != PdbBudget::threshold) left[k] -= 1;
    }
  }
  return violating;
}

}  // namespace touchstone::reference
