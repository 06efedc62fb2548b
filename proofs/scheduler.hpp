#pragma once

/// What theorems are about: the shipped text of the reference, or, where broken twins are built, the copy of
/// it in which faults can be switched on. Every file of proofs/theorems is built for both, over terms and
/// over int64_t: four builds of one text, told apart by their namespaces.
#ifdef TOUCHSTONE_TWIN
#include "faults/faulty/filters.hpp"
#include "faults/faulty/preempt.hpp"
#define TOUCHSTONE_BUILD of_twin
namespace touchstone::proofs::of_twin {
namespace scheduler = faulty;
}
#else
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#define TOUCHSTONE_BUILD of_reference
namespace touchstone::proofs::of_reference {
namespace scheduler = reference;
}
#endif
