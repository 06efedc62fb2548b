#pragma once

#include <string>
#include <vector>

#include "optimized/search/decide.hpp"
#include "bench/bench.hpp"
#include "bench/subject.hpp"

/// Whether what touchstone bench measured was the right answer, and who says so.
namespace touchstone::oracle {

/// What was asked: all nodes of a size and shape, as the snapshot has them.
struct BenchAsked {
  const optimized::Snapshot& snapshot;
  const Release& release;
  Shape shape;
  Asks asks;
  optimized::Workers& workers;
};

/// How many nodes objection_of_reference() looks at beside the chosen one.
inline constexpr std::size_t k_bench_others = 20;

/// What the reference has against a complete answer on a cluster too large for it: it decides on the chosen
/// node and a few others alone, where the same of them have to win with the same victims. Empty: nothing.
/// Requires: a question where no node depends on what others run, which excludes Asks::spread.
std::string objection_of_reference(const optimized::Answer& answer, const BenchAsked& asked);

/// What is wrong with a scheduler's answer; empty: nothing. A sample that several workers find at the same
/// time is not determined; then its candidates are taken as told, and the answer has to win among them.
/// Requires: `options` has an offset with Asks::nothing alone.
std::string objection_to(const SchedulerAnswer& given, const BenchAsked& asked,
                         const optimized::Options& options, bool is_parallel);

/// Of the rows of one question: if any disagrees all are void, since nobody knows who is right; else each is
/// told who else gave its answer.
void settle(std::vector<BenchRow>& rows);

}  // namespace touchstone::oracle
