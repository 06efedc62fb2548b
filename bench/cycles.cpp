#include "bench/cycles.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/check.hpp"
#include "bench/subject.hpp"
#include "optimized/search/schedule.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/cycle/schedule.hpp"

namespace touchstone::bench {

namespace {

constexpr std::size_t k_slow_cluster = 1000;
constexpr std::size_t k_parallelism_of_cycles = 16;

/// The measurements of one way to search: all nodes, or a sample.
class Cycles {
 public:
  Cycles(const BenchPlan& plan, std::size_t nodes, bool samples, const std::atomic<bool>& stop)
      : plan_(plan), stop_(stop), nodes_(nodes), samples_(samples), release_(plan.release), snapshot_(release_) {
    if (!samples) release_.percentage_of_nodes = 100;
    snapshot_ = optimized::Snapshot(release_);
    for (std::size_t i = 0; i < nodes; ++i) {
      const BenchNode made = bench_node_with_room(i, Shape::varied);
      snapshot_.add_node(made.node);
      for (const Pod& pod : made.pods) snapshot_.add_pod(pod);
    }
    snapshot_.pack();
    options_.start = k_bench_offset;
    options_.wants_scores = false;
  }

  /// The rows of the first pod: of the optimized engine, the reference and kube-scheduler.
  std::vector<BenchRow> first();
  /// The row of pods whose like came before. Changes the cluster.
  std::vector<BenchRow> repeated();

 private:
  BenchRow row_of(Timed engine, std::size_t threads) const {
    BenchRow row;
    row.figure = Figure::cycle;
    row.engine = engine;
    row.threads = threads;
    row.nodes = nodes_;
    row.samples = samples_;
    return row;
  }
  Runs runs() const { return {.least = 3, .most = 101, .time = plan_.time_a_row}; }
  Runs slow_runs() const {
    return {.least = nodes_ > k_slow_cluster ? std::size_t{1} : 3, .most = 101, .time = plan_.time_a_row};
  }
  optimized::Placed place(const Pod& pod, const optimized::Options& options, optimized::Memo& memo) {
    CanonicalChoices choices;
    return optimized::schedule(snapshot_, pod, options, workers_, choices, memo);
  }
  BenchRow first_by_reference(const Question& question, std::string& disagreement);
  BenchRow first_by_subject(const Question& question);

  const BenchPlan& plan_;
  const std::atomic<bool>& stop_;
  std::size_t nodes_;
  bool samples_;
  Release release_;
  optimized::Snapshot snapshot_;
  optimized::Workers workers_{1};
  optimized::Options options_;
};

std::vector<BenchRow> Cycles::first() {
  const Pod pod = bench_preemptor(Asks::nothing);
  std::vector<BenchRow> rows = {row_of(Timed::optimized, 1)};
  // Each run begins with a memo that knows the nodes, and no kind of pod.
  std::vector<Quantity> wall;
  std::vector<Quantity> cpu;
  Quantity total = 0;
  optimized::Placed placed;
  while (wall.size() < runs().most && (wall.size() < runs().least || total < runs().time.count())) {
    optimized::Memo memo;
    memo.table_of(snapshot_.tables());
    StopWatch watch;
    watch.begin();
    placed = place(pod, options_, memo);
    watch.end();
    wall.push_back(watch.total_ns());
    cpu.push_back(watch.cpu_ns());
    total += wall.back();
  }
  rows[0].wall = times_of(std::move(wall));
  rows[0].cpu_ns = times_of(std::move(cpu)).median;
  if (!placed.host) rows[0].disagreement = "the pod is not scheduled: " + placed.answer.reason;
  const bool asks_reference = nodes_ <= plan_.reference_most;
  const bool asks_subject = !plan_.subject.empty() && nodes_ <= plan_.subject_most;
  if (!asks_reference && !asks_subject) return rows;
  Question question{bench_cluster_with_room(nodes_, Shape::varied), pod, {}, {}};
  question.start = k_bench_offset;
  if (asks_reference && !stop_) rows.push_back(first_by_reference(question, rows[0].disagreement));
  if (asks_subject && !stop_) rows.push_back(first_by_subject(question));
  return rows;
}

/// Compares every score, total and best node too.
BenchRow Cycles::first_by_reference(const Question& question, std::string& disagreement) {
  BenchRow row = row_of(Timed::reference, 1);
  Placement placement;
  const Measured times =
      measured(slow_runs(), false, [&] { placement = reference::schedule(question, release_); });
  row.wall = times.wall;
  row.cpu_ns = times.cpu_ns;
  optimized::Memo memo;
  optimized::Options whole = options_;
  whole.wants_scores = true;
  const optimized::Placed placed = place(question.pod, whole, memo);
  const std::vector<oracle::Difference> differences =
      oracle::differences_of(placed, placement, question.cluster);
  if (!differences.empty() && disagreement.empty()) disagreement = differences.front().key;
  return row;
}

/// With several workers, kube-scheduler does not find nodes in the order of the search. Then each node with the
/// highest total is right.
BenchRow Cycles::first_by_subject(const Question& question) {
  const std::size_t parallelism = samples_ ? 1 : k_parallelism_of_cycles;
  BenchRow row = row_of(Timed::kube_scheduler, parallelism);
  const std::string written = BenchSubject::written(question);
  BenchSubject subject(plan_.subject, parallelism, release_, stop_);
  optimized::Memo memo;
  optimized::Options options = options_;
  if (!samples_) options.start.reset();
  const std::vector<NodeIndex> best = place(question.pod, options, memo).best;
  std::vector<Quantity> times;
  Quantity total = 0;
  const Runs wanted = slow_runs();
  while (times.size() < wanted.most && (times.size() < wanted.least || total < wanted.time.count())) {
    StopWatch watch;
    watch.begin();
    const Result<SchedulerAnswer> answer =
        subject.ask_cycle(written, release_.percentage_of_nodes.value_or(0));
    watch.end();
    if (stop_) return row;
    if (!answer) {
      row.disagreement = answer.error().message;
      return row;
    }
    const std::optional<NodeIndex> node = snapshot_.find_node(answer.value().node);
    if (!node || std::find(best.begin(), best.end(), *node) == best.end()) {
      row.disagreement = "node " + answer.value().node + " is not one of the best";
      return row;
    }
    times.push_back(answer.value().schedule_ns);
    total += watch.total_ns();
  }
  row.wall = times_of(std::move(times));
  return row;
}

std::vector<BenchRow> Cycles::repeated() {
  constexpr std::size_t k_checks = 20;
  BenchRow row = row_of(Timed::optimized, 1);
  row.is_repeated = true;
  row.checked_by = {"optimized without a memo"};
  optimized::Memo memo;
  place(bench_preemptor(Asks::nothing), options_, memo);
  std::vector<Quantity> wall;
  std::vector<Quantity> cpu;
  Quantity total = 0;
  while (wall.size() < runs().most && (wall.size() < runs().least || total < runs().time.count())) {
    Pod pod = bench_preemptor(Asks::nothing, 1 + wall.size());
    StopWatch watch;
    watch.begin();
    const optimized::Placed placed = place(pod, options_, memo);
    watch.end();
    if (!placed.host && wall.size() >= runs().least) break;  // the nodes are full
    wall.push_back(watch.total_ns());
    cpu.push_back(watch.cpu_ns());
    total += wall.back();
    if (!placed.host) row.disagreement = "the pod is not scheduled: " + placed.answer.reason;
    if (wall.size() <= k_checks && placed.host &&
        optimized::schedule(snapshot_, pod, options_, workers_).host != placed.host)
      row.disagreement = "another node without a memo";
    if (!row.disagreement.empty()) break;
    const optimized::Tables& tables = snapshot_.tables();
    pod.node_name = tables.symbols.text(tables.nodes.facts[*placed.host].name);
    snapshot_.add_pod(pod);
  }
  row.wall = times_of(std::move(wall));
  row.cpu_ns = times_of(std::move(cpu)).median;
  return {row};
}

}  // namespace

void measure_cycles(const BenchPlan& plan, std::size_t nodes, const std::atomic<bool>& stop,
                    const std::function<void(const BenchRow&)>& row) {
  for (const bool samples : {false, true}) {
    Cycles cycles(plan, nodes, samples, stop);
    for (const auto measure : {&Cycles::first, &Cycles::repeated}) {
      if (stop) return;
      std::vector<BenchRow> rows = (cycles.*measure)();
      settle(rows);
      for (const BenchRow& each : rows) row(each);
    }
  }
}

}  // namespace touchstone::bench
