#pragma once

#include <atomic>
#include <functional>

#include "bench/bench.hpp"

namespace touchstone::bench {

/// Measures whole scheduling cycles on a cluster of one size, whose nodes have room for the pod: with all nodes
/// searched, and as the release samples. For the optimized engine there are two rows: the first pod of its kind,
/// and pods whose like came before; each of these is bound before the next one. Calls `row` with each row; the
/// rows of one question come together.
void measure_cycles(const BenchPlan& plan, std::size_t nodes, const std::atomic<bool>& stop,
                    const std::function<void(const BenchRow&)>& row);

}  // namespace touchstone::bench
