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

/// What a decision costs, in one run: the optimized engine, the reference, and the real kube-scheduler where
/// it is built, asked the same questions; and whether their answers are the same, without which no figure
/// counts (bench_check.hpp). With subject_process.hpp, the one place outside main() files that looks at a
/// clock.
namespace touchstone::oracle {

/// Whose decision is timed.
enum class Timed { optimized, reference, kube_scheduler };
inline constexpr std::array<std::string_view, 3> k_timed_names = {"optimized", "reference", "kube-scheduler"};

/// What is timed.
enum class Figure {
  decision,  ///< of a complete search, or one that samples as the release does
  in_turn,   ///< a decision, its victims taken from the cluster and the preemptor bound, one after another
  load,      ///< of a cluster, object by object, into the optimized engine's columns
};
inline constexpr std::array<std::string_view, 3> k_figure_names = {"decision", "in turn", "load"};

/// The node from which sampling searches start.
inline constexpr Quantity k_bench_offset = 17;

struct BenchRow {
  Figure figure = Figure::decision;
  Timed engine = Timed::optimized;
  std::size_t threads = 1;  ///< of kube-scheduler: how many nodes it dry-runs at the same time
  std::size_t nodes = 0;
  Shape shape = Shape::varied;
  Asks asks = Asks::nothing;
  bool samples = false;  ///< as the release samples, from k_bench_offset on; otherwise all nodes are searched
  Times wall = {};       ///< of kube-scheduler: of the dry run alone, as it tells itself
  std::optional<Quantity> first_pass_ns = {};  ///< median of kube-scheduler's first pass, one node at a time
  std::optional<Quantity> cpu_ns = {};         ///< the median of what all threads computed
  std::optional<Quantity> floor_ns = {};       ///< of read_floor() with as many threads
  std::optional<std::size_t> dry_runs = {};    ///< how many nodes were dry-run
  std::optional<std::size_t> bytes = {};       ///< of the columns, with load
  std::optional<std::size_t> peak_bytes = {};  ///< of the process while it loaded
  std::string left_out = {};                   ///< not empty: not measured, and why
  std::string disagreement = {};               ///< not empty: void, and what answers differ
  std::vector<std::string> checked_by = {};    ///< who else gave this answer; empty: nobody was asked

  std::size_t pods() const { return nodes * k_bench_pods; }
  /// Whether there are figures, and they count.
  bool counts() const { return wall.runs > 0 && disagreement.empty(); }
  /// Whether one thread took that much longer than it computed: something else ran in its place.
  bool disturbed() const { return threads == 1 && cpu_ns && wall.median * 5 > *cpu_ns * 6; }
};

struct BenchPlan {
  Release release;
  std::vector<std::size_t> sizes;  ///< in nodes
  std::vector<Shape> shapes = {Shape::varied, Shape::alike, Shape::near_ties};
  std::vector<Asks> asks = {Asks::nothing, Asks::anti_affinity, Asks::spread};
  std::size_t reference_most = 5000;      ///< up to so many nodes the reference is measured
  std::size_t subject_most = 5000;        ///< and kube-scheduler
  std::size_t subject_asks_most = 1000;   ///< and kube-scheduler where the preemptor asks something of others
  std::vector<std::string> subject = {};  ///< its command, which takes --parallelism; empty: none
  std::chrono::milliseconds time_a_row{250};
};

/// Calls `row` with each row, those of one question when all that answer it have. `step` hears before each
/// what comes, and how many of how many are done. Ensures: with `stop` set, returns after the row that is
/// being measured.
void run_bench(const BenchPlan& plan, const std::atomic<bool>& stop,
               const std::function<void(const BenchRow&)>& row,
               const std::function<void(std::string_view what, std::size_t done, std::size_t of)>& step);

}  // namespace touchstone::oracle
