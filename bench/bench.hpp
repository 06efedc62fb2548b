#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cluster.hpp"
#include "bench/times.hpp"
#include "spec/releases/release.hpp"

/// Benchmark of decisions. One run measures the optimized engine, the reference and, if it is built, the real
/// kube-scheduler on the same questions. A figure counts only if all answers to its question agree
/// (check.hpp).
namespace touchstone::bench {

/// The engine that is measured.
enum class Timed { optimized, reference, kube_scheduler };
inline constexpr std::array<std::string_view, 3> k_timed_names = {"optimized", "reference", "kube-scheduler"};

/// What is measured.
enum class Figure {
  decision,  ///< one decision: a complete search, or one that samples as the release does
  in_turn,   ///< decisions one after another: each evicts its victims and binds its preemptor
  cycle,     ///< one whole scheduling cycle of a pod that fits: filters, scores and the choice of the host
  load,      ///< loading a cluster, object by object, into the optimized engine's columns
};
inline constexpr std::array<std::string_view, 4> k_figure_names = {"decision", "in turn", "cycle", "load"};

/// The number of the potential node at which sampling searches start.
inline constexpr Quantity k_bench_offset = 17;

/// One row of the results: one figure of one engine on one cluster.
struct BenchRow {
  Figure figure = Figure::decision;
  Timed engine = Timed::optimized;
  std::size_t threads = 1;  ///< with kube-scheduler: how many nodes it dry-runs in parallel
  std::size_t nodes = 0;
  Shape shape = Shape::varied;
  Asks asks = Asks::nothing;
  bool samples = false;  ///< sample as the release does, from k_bench_offset on; false: search all nodes
  bool is_repeated = false;  ///< with cycle: a pod of the same kind was scheduled before
  /// Wall time. With kube-scheduler the time that it reports: of the dry run, or with cycle of SchedulePod.
  Times wall = {};
  std::optional<Quantity> first_pass_ns = {};  ///< kube-scheduler's first pass, one node at a time (median)
  std::optional<Quantity> cpu_ns = {};         ///< CPU time of all threads together (median)
  std::optional<Quantity> floor_ns = {};       ///< read_floor() with as many threads (median)
  std::optional<std::size_t> dry_runs = {};    ///< number of nodes that were dry-run
  std::optional<std::size_t> bytes = {};       ///< with load: size of the columns
  std::optional<std::size_t> peak_bytes = {};  ///< with load: peak memory of the process
  std::string left_out = {};                   ///< not empty: why the row was not measured
  std::string disagreement = {};               ///< not empty: the row is void; which answers differ
  std::vector<std::string> checked_by = {};    ///< others that gave the same answer; empty: unchecked

  std::size_t pods() const { return nodes * k_bench_pods; }
  /// Whether the row was measured and is not void.
  bool counts() const { return wall.runs > 0 && disagreement.empty(); }
  /// Whether other work disturbed a row of one thread: its wall time exceeded 1.2 times its CPU time.
  bool disturbed() const { return threads == 1 && cpu_ns && wall.median * 5 > *cpu_ns * 6; }
};

/// What to measure.
struct BenchPlan {
  Release release;
  std::vector<std::size_t> sizes;  ///< sizes of clusters, in nodes
  std::vector<Shape> shapes = {Shape::varied, Shape::alike, Shape::near_ties};
  std::vector<Asks> asks = {Asks::nothing, Asks::anti_affinity, Asks::spread};
  std::size_t reference_most = 5000;      ///< most nodes with which the reference is measured
  std::size_t subject_most = 5000;        ///< most nodes with which kube-scheduler is measured
  std::size_t subject_asks_most = 1000;   ///< the same, if the preemptor has requirements on other pods
  std::vector<std::string> subject = {};  ///< command that takes --parallelism; empty: no kube-scheduler
  std::chrono::milliseconds time_a_row{250};
};

/// Runs the benchmark. Calls `row` with each row; the rows of one question come together, after all engines
/// have answered it. Calls `step` before each step, with its name, the number of steps done, and the number
/// of all steps. Ensures: if `stop` is set, returns after the row that is being measured.
void run_bench(const BenchPlan& plan, const std::atomic<bool>& stop,
               const std::function<void(const BenchRow&)>& row,
               const std::function<void(std::string_view what, std::size_t done, std::size_t of)>& step);

}  // namespace touchstone::bench
