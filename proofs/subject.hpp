#pragma once

/// What theorems are about: the shipped text of the reference, or, where broken twins are built, the copy of
/// it in which faults can be switched on. Every file of proofs/theorems is built for both, over terms and
/// over int64_t: four builds of one text, told apart by their namespaces.
#ifdef TOUCHSTONE_TWIN
#include "fuzz/faults/faulty/filters.hpp"
#include "fuzz/faults/faulty/preempt.hpp"
#define TOUCHSTONE_BUILD of_twin
namespace touchstone::proofs::of_twin {
namespace subject = faulty;
}
#else
#include "reference/filters.hpp"
#include "reference/preempt.hpp"
#define TOUCHSTONE_BUILD of_reference
namespace touchstone::proofs::of_reference {
namespace subject = reference;
}
#endif
