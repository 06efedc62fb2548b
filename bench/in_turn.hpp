#pragma once

#include <string>
#include <vector>

#include "optimized/store/snapshot.hpp"
#include "optimized/search/workers.hpp"
#include "bench/times.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::oracle {

/// Preemptors one after another, each decided on what the one before left: its victims are gone, and it is
/// bound where they were. Ends where one is not nominated any more.
struct InTurn {
  Times wall;                          ///< of a decision with the updates after it
  Quantity cpu_ns = 0;                 ///< the median of what all threads computed
  std::vector<std::string> decisions;  ///< node and victims by name
  bool ended = false;                  ///< a preemptor was not nominated
};

/// By the optimized engine, whose snapshot follows. Ensures: the snapshot is the cluster as it is then.
InTurn in_turn(optimized::Snapshot& snapshot, optimized::Workers& workers, const Runs& runs);

/// By the reference, on objects.
InTurn in_turn(Cluster cluster, const Release& release, const Runs& runs);

/// Where two differ as far as both went, one that ended before the other included; empty: nowhere. Nobody
/// nominated at all is a difference, too: of such an answer there is no figure.
std::string difference_in_turn(const InTurn& given, const InTurn& expected);

}  // namespace touchstone::oracle
