#pragma once

#include "proofs/engine/integer.hpp"

namespace touchstone {

/// The quantity of the proof build. Its include path has this header before that of spec/, which says what a
/// quantity is.
using Quantity = proving::Integer;

}  // namespace touchstone
