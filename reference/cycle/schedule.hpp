#pragma once

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/placement.hpp"
#include "spec/vocabulary/trace.hpp"

/// The whole scheduling cycle: filters, scores, totals, host; preemption if no node fits.
namespace touchstone::reference {

/// The placement of the question's pod by one release. Without question.start every node is filtered.
/// Ensures: if no node is feasible, `decision` is that of preempt(). Clauses: CYC-ORDER-1 to CYC-HOST-4.
Placement schedule(const Question& question, const Release& release, Choices& choices, Trace& trace);

/// The canonical placement: the first of the nodes that the release may choose.
Placement schedule(const Question& question, const Release& release, Trace& trace);
Placement schedule(const Question& question, const Release& release);

}  // namespace touchstone::reference
