#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/subject.hpp"
#include "optimized/search/decide.hpp"

/// Checks of the answers that touchstone bench measures.
namespace touchstone::bench {

/// The question of a measurement: all nodes of a cluster, as the snapshot has them, and what the preemptor
/// requires of other pods.
struct BenchAsked {
  const optimized::Snapshot& snapshot;
  const Release& release;
  Shape shape;
  Asks asks;
  optimized::Workers& workers;
};

/// The number of nodes that objection_of_reference() checks besides the chosen node.
inline constexpr std::size_t k_bench_others = 20;

/// Checks a complete answer on a cluster that is too large for the reference. The reference decides on a
/// smaller cluster: the chosen node and k_bench_others other nodes. The same of these nodes must win there,
/// and the chosen node must have the same victims and PDB violations. Returns what differs. Empty: nothing.
/// Requires: the answer nominates a node, and the result on a node does not depend on pods of other nodes,
/// which excludes Asks::spread.
std::string objection_of_reference(const optimized::Answer& answer, const BenchAsked& asked);

/// Checks an answer of kube-scheduler. Returns what is wrong. Empty: nothing. If several workers search a
/// sample in parallel (`is_parallel`), the sample is not deterministic. Then the candidates are taken from
/// the answer, and the chosen node has to win among them. Requires: `options` has an offset only with
/// Asks::nothing.
std::string objection_to(const SchedulerAnswer& given, const BenchAsked& asked,
                         const optimized::Options& options, bool is_parallel);

/// Compares the rows of one question. If one row has a disagreement, all rows are void, because it is not
/// known which answer is right. Otherwise sets `checked_by` of each row to the other engines that gave its
/// answer.
void settle(std::vector<BenchRow>& rows);

}  // namespace touchstone::bench
