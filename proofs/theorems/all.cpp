#include "proofs/theorems/theorems.hpp"
#ifdef TOUCHSTONE_VARIANT
#include "faults/seeded.hpp"
#endif

namespace touchstone::proofs::TOUCHSTONE_BUILD {

Theorems all_theorems() {
  Theorems all;
  for (const auto& chapter : {theorems_of_attempts,
                              theorems_of_filters,
                              theorems_of_node_filters,
                              theorems_of_requests,
                              theorems_of_nominated_pods,
                              theorems_of_volumes,
                              theorems_of_volume_limits,
                              theorems_of_volume_binding,
                              theorems_of_affinity,
                              theorems_of_spreading,
                              theorems_of_eligibility,
                              theorems_of_sampling,
                              theorems_of_victims,
                              theorems_of_what_is_not_guaranteed,
                              theorems_of_budgets,
                              theorems_of_choice,
                              theorems_of_outcomes,
                              theorems_of_any_order,
                              theorems_of_engines,
                              theorems_of_accounts,
                              theorems_of_laws,
                              theorems_of_node_search,
                              theorems_of_totals,
                              theorems_of_scored_requests,
                              theorems_of_normalised_scores,
                              theorems_of_scores,
                              theorems_of_extenders,
                              theorems_of_policies}) {
    for (proving::Theorem& theorem : chapter()) all.push_back(std::move(theorem));
  }
  return all;
}

void switch_fault([[maybe_unused]] std::size_t number) {
#ifdef TOUCHSTONE_VARIANT
#ifdef TOUCHSTONE_SYMBOLIC
  faults::fault_on = number;
#else
  faults::fault_switch = {number, 0, 0};
#endif
#endif
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
