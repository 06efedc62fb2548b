#pragma once

/// Selects the code that theorems are about: the shipped code of the reference or, if TOUCHSTONE_VARIANT is
/// defined, the copy of it in which faults can be switched on. Every file of proofs/theorems is built for
/// both, over symbolic integers and over int64_t. The namespaces of the four builds differ.
#ifdef TOUCHSTONE_VARIANT
#include "faults/faulty/filters.hpp"
#include "faults/faulty/host.hpp"
#include "faults/faulty/node_search.hpp"
#include "faults/faulty/policy_scores.hpp"
#include "faults/faulty/preempt.hpp"
#include "faults/faulty/schedule.hpp"
#include "faults/faulty/scored_requests.hpp"
#include "faults/faulty/scores.hpp"
#include "faults/faulty/shape.hpp"
#define TOUCHSTONE_BUILD of_variant
namespace touchstone::proofs::of_variant {
namespace scheduler = faulty;
}
#else
#include "reference/cycle/host.hpp"
#include "reference/cycle/node_search.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/scores/policy_scores.hpp"
#include "reference/scores/scored_requests.hpp"
#include "reference/scores/scores.hpp"
#include "reference/scores/shape.hpp"
#define TOUCHSTONE_BUILD of_reference
namespace touchstone::proofs::of_reference {
namespace scheduler = reference;
}
#endif
