#pragma once

#include "proofs/engine/integer.hpp"

namespace touchstone {

/// Quantity in the proof build: a symbolic integer. The include path of that build has this header before the
/// one of spec/, which documents Quantity.
using Quantity = proving::Integer;

}  // namespace touchstone
