#pragma once

#include <string>

#include "reference/preemption/cycle.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::proofs {

/// Why a certificate cannot judge a question, beginning with the filter; empty: it can. It cannot judge:
/// questions that the reference skips; filters that look at other pods, except for resources and host ports;
/// the pod's volumes; pinned node names that contradict each other or that no node has; names that SMT-LIB
/// cannot quote; a quota; sizes beyond the limits.
std::string beyond_reach(const reference::Cycle& cycle, const Question& question);

}  // namespace touchstone::proofs
