#pragma once

#include <string>
#include <vector>

#include "optimized/snapshot.hpp"
#include "optimized/workers.hpp"
#include "oracle/bench_times.hpp"
#include "spec/cluster.hpp"

namespace touchstone::oracle {

/// Preemptors one after another, each decided on what the one before left: its victims are gone, and it is
/// bound where they were. Ends where one is not nominated any more.
struct InTurn {
  Times wall;                          ///< of a decision with the updates after it
  std::vector<std::string> decisions;  ///< node and victims by name
};

/// By the optimized engine, whose snapshot follows. Ensures: the snapshot is the cluster as it is then.
InTurn in_turn(optimized::Snapshot& snapshot, optimized::Workers& workers, const Runs& runs);

/// By the reference, on objects.
InTurn in_turn(Cluster cluster, const Release& release, const Runs& runs);

}  // namespace touchstone::oracle
