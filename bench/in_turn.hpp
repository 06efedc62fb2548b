#pragma once

#include <string>
#include <vector>

#include "bench/times.hpp"
#include "optimized/search/workers.hpp"
#include "optimized/store/snapshot.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::bench {

/// Decisions for preemptors one after another. Each decision sees the cluster that the previous one left: its
/// victims are gone, and its preemptor is bound to their node. The series ends when a preemptor is not
/// nominated.
struct DecisionSeries {
  Times wall;                          ///< wall time of a decision and the updates after it
  Quantity cpu_ns = 0;                 ///< CPU time of all threads together (median)
  std::vector<std::string> decisions;  ///< for each decision, the names of the node and the victims
  bool ended = false;                  ///< a preemptor was not nominated
};

/// Runs the series with the optimized engine, which updates the snapshot. Ensures: the snapshot is the
/// cluster after the last decision.
DecisionSeries in_turn(optimized::Snapshot& snapshot, optimized::Workers& workers, const Runs& runs);

/// Runs the series with the reference, on objects.
DecisionSeries in_turn(Cluster cluster, const Release& release, const Runs& runs);

/// The first difference of two series, up to the end of the shorter one. There is also a difference if one
/// series ended because a preemptor was not nominated, while the other went on. And there is one if no
/// preemptor was nominated at all, because then there is nothing to measure. Empty: no difference.
std::string difference_in_turn(const DecisionSeries& given, const DecisionSeries& expected);

}  // namespace touchstone::bench
