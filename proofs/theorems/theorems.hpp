#pragma once

#include "proofs/engine/theorem.hpp"
#include "proofs/scheduler.hpp"

namespace touchstone::proofs::TOUCHSTONE_BUILD {

using proving::both;
using proving::either;
using proving::implies;
using proving::Kind;
using proving::negation;
using proving::Proof;
using proving::Theorems;
using proving::Tier;
using proving::Truth;

// One function for each file.
Theorems theorems_of_node_filters();
Theorems theorems_of_requests();
Theorems theorems_of_attempts();
Theorems theorems_of_filters();
Theorems theorems_of_nominated_pods();
Theorems theorems_of_volumes();
Theorems theorems_of_volume_limits();
Theorems theorems_of_volume_binding();
Theorems theorems_of_affinity();
Theorems theorems_of_spreading();
Theorems theorems_of_eligibility();
Theorems theorems_of_sampling();
Theorems theorems_of_victims();
Theorems theorems_of_what_is_not_guaranteed();
Theorems theorems_of_budgets();
Theorems theorems_of_choice();
Theorems theorems_of_outcomes();
Theorems theorems_of_any_order();
Theorems theorems_of_engines();
Theorems theorems_of_accounts();
Theorems theorems_of_laws();
Theorems theorems_of_node_search();
Theorems theorems_of_scored_requests();
Theorems theorems_of_normalised_scores();
Theorems theorems_of_scores();
Theorems theorems_of_totals();
Theorems theorems_of_extenders();
Theorems theorems_of_policies();

/// All theorems, in the order of the clauses.
Theorems all_theorems();

/// Switches this fault of the faulty copy on for this thread; 0 switches it off.
void switch_fault(std::size_t number);

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
