#pragma once

#include "proofs/engine/theorem.hpp"

/// The four builds of proofs/theorems: about the reference or about its faulty copy, over int64_t or over
/// terms.
namespace touchstone::proofs {

namespace of_reference {
proving::Theorems all_theorems();
}
namespace of_twin {
proving::Theorems all_theorems();
void switch_fault(std::size_t number);
}  // namespace of_twin

}  // namespace touchstone::proofs

namespace touchstone_symbolic::proofs {

/// See proofs/paths/scenes.hpp.
std::vector<proving::Body> bodies_of_scenes();

namespace of_reference {
proving::Theorems all_theorems();
}
namespace of_twin {
proving::Theorems all_theorems();
void switch_fault(std::size_t number);
}  // namespace of_twin

}  // namespace touchstone_symbolic::proofs
