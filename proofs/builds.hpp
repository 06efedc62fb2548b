#pragma once

#include "proofs/engine/theorem.hpp"

/// The four builds of proofs/theorems. A build is about the reference (of_reference) or about its copy with
/// switchable faults (of_variant). It computes with int64_t (touchstone) or with symbolic integers
/// (touchstone_symbolic).
namespace touchstone::proofs {

namespace of_reference {
proving::Theorems all_theorems();
}
namespace of_variant {
proving::Theorems all_theorems();
void switch_fault(std::size_t number);
}  // namespace of_variant

}  // namespace touchstone::proofs

namespace touchstone_symbolic::proofs {

/// See proofs/paths/scenes.hpp.
std::vector<proving::Body> bodies_of_scenes();

namespace of_reference {
proving::Theorems all_theorems();
}
namespace of_variant {
proving::Theorems all_theorems();
void switch_fault(std::size_t number);
}  // namespace of_variant

}  // namespace touchstone_symbolic::proofs
