#include "bench/bench.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/check.hpp"
#include "bench/cycles.hpp"
#include "bench/floor.hpp"
#include "bench/in_turn.hpp"
#include "bench/subject.hpp"
#include "optimized/search/decide.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::bench {

namespace {

/// Most nodes with which the reference is measured if the preemptor has requirements on other pods. With more
/// nodes it takes minutes, because it then looks at all pods for each pod that is removed or reprieved.
constexpr std::size_t k_reference_asks_most = 100;

constexpr std::size_t k_slow_nodes = 1000;

constexpr std::size_t k_parallelism_usual = 16;  ///< kube-scheduler's own default

std::string asks_name(Asks asks) { return std::string(k_asks_names[static_cast<std::size_t>(asks)]); }

/// The end of a message about a limit: for which preemptors it holds, such as ", with spread". Empty: for
/// Asks::nothing.
std::string with(Asks asks) { return asks == Asks::nothing ? "" : ", with " + asks_name(asks); }

Quantity median_of(std::vector<Quantity> times) { return times_of(std::move(times)).median; }

/// The measurements on the cluster of one size and shape.
class BenchOfCluster {
 public:
  BenchOfCluster(const BenchPlan& plan, const std::atomic<bool>& stop, std::size_t nodes, Shape shape,
                 const std::function<void(const BenchRow&)>& row)
      : plan_(plan), stop_(stop), nodes_(nodes), shape_(shape), row_(row), snapshot_(plan.release) {}

  void load();
  void decide(Asks asks);
  void decide_in_turn();

 private:
  BenchRow row_of(Figure figure, Timed engine, std::size_t threads, Asks asks) const {
    BenchRow row;
    row.figure = figure;
    row.engine = engine;
    row.threads = threads;
    row.nodes = nodes_;
    row.shape = shape_;
    row.asks = asks;
    return row;
  }
  Runs runs() const { return {.least = 3, .most = 101, .time = plan_.time_a_row}; }
  /// The number of runs for the reference and kube-scheduler, which take seconds for a question about a large
  /// cluster.
  Runs slow_runs() const {
    return {.least = nodes_ > k_slow_nodes ? std::size_t{1} : 3, .most = 101, .time = plan_.time_a_row};
  }
  const Question& question(Asks asks);
  void decide_by_optimized(Asks asks, bool samples, optimized::Workers& workers);
  void decide_by_reference(Asks asks);
  void decide_few_by_reference(Asks asks);
  void decide_by_subject(Asks asks, bool samples, std::size_t parallelism);
  BenchAsked asked(Asks asks) { return {snapshot_, plan_.release, shape_, asks, all_}; }
  void emit(std::vector<BenchRow>& rows);

  const BenchPlan& plan_;
  const std::atomic<bool>& stop_;
  std::size_t nodes_;
  Shape shape_;
  const std::function<void(const BenchRow&)>& row_;
  std::vector<BenchRow> rows_;  ///< of the current question
  optimized::Snapshot snapshot_;
  optimized::Workers alone_{1};
  optimized::Workers all_;
  std::optional<Question> question_;
  std::string written_;                        ///< question_ as text for kube-scheduler
  std::optional<optimized::Answer> complete_;  ///< the optimized engine's answer by a complete search
};

/// Measures how long loading takes. Keeps the columns of the last load for the other measurements.
void BenchOfCluster::load() {
  BenchRow row = row_of(Figure::load, Timed::optimized, 1, Asks::nothing);
  std::vector<Quantity> times;
  std::vector<Quantity> cpu;
  Quantity total = 0;
  while (times.size() < runs().most && (times.size() < runs().least || total < runs().time.count())) {
    snapshot_ = optimized::Snapshot(plan_.release);
    const bool tells_peak = reset_peak_bytes();
    StopWatch watch;
    StopWatch whole;
    whole.begin();
    const std::vector<PodDisruptionBudget> budgets = bench_budgets(shape_);
    watch.begin();
    for (const PodDisruptionBudget& pdb : budgets) snapshot_.add_pdb(pdb);
    watch.end();
    for (std::size_t i = 0; i < nodes_; ++i) {
      const BenchNode made = bench_node(i, shape_);
      watch.begin();
      snapshot_.add_node(made.node);
      for (const Pod& pod : made.pods) snapshot_.add_pod(pod);
      watch.end();
    }
    watch.begin();
    snapshot_.pack();
    watch.end();
    whole.end();
    // Only the first load: later loads find a fragmented heap.
    if (tells_peak && times.empty()) row.peak_bytes = peak_bytes();
    times.push_back(watch.total_ns());
    cpu.push_back(watch.cpu_ns());
    total += whole.total_ns();
    if (stop_) break;  // another load may take minutes
  }
  row.wall = times_of(std::move(times));
  row.cpu_ns = median_of(std::move(cpu));
  row.bytes = snapshot_.bytes();
  row_(row);
}

const Question& BenchOfCluster::question(Asks asks) {
  if (!question_) question_ = Question{bench_cluster(nodes_, shape_), {}, {}, {}};
  question_->pod = bench_preemptor(asks);
  return *question_;
}

void BenchOfCluster::decide_by_optimized(Asks asks, bool samples, optimized::Workers& workers) {
  const Pod pod = bench_preemptor(asks);
  optimized::Options options;
  if (samples) options.offset = k_bench_offset;
  optimized::Answer answer;
  BenchRow row = row_of(Figure::decision, Timed::optimized, workers.count(), asks);
  row.samples = samples;
  const Measured times =
      measured(runs(), true, [&] { answer = optimized::decide(snapshot_, pod, options, workers); });
  row.wall = times.wall;
  row.cpu_ns = times.cpu_ns;
  row.dry_runs = answer.dry_runs;
  volatile Quantity sum = 0;
  row.floor_ns = measured(runs(), true, [&] { sum = sum + read_floor(snapshot_, workers); }).wall.median;
  if (!samples && !complete_) complete_ = answer;
  if (!samples && *complete_ != answer) row.disagreement = "other threads give another answer";
  if (answer.outcome != Outcome::nominated) row.disagreement = "no node is nominated: " + answer.reason;
  rows_.push_back(row);
}

void BenchOfCluster::decide_by_reference(Asks asks) {
  BenchRow row = row_of(Figure::decision, Timed::reference, 1, asks);
  const std::size_t most =
      asks == Asks::nothing ? plan_.reference_most : std::min(plan_.reference_most, k_reference_asks_most);
  if (nodes_ > most) {
    row.left_out = "the reference is measured up to " + std::to_string(most) + " nodes" + with(asks);
    decide_few_by_reference(asks);
    return rows_.push_back(row);
  }
  Decision decision;
  const Question& asked = question(asks);
  const Measured times =
      measured(slow_runs(), false, [&] { decision = reference::preempt(asked, plan_.release); });
  row.wall = times.wall;
  row.cpu_ns = times.cpu_ns;
  row.dry_runs = decision.candidates.size() + decision.dry_run.size();
  if (!oracle::agree(*complete_, decision))
    row.disagreement = oracle::differences_of(*complete_, decision, asked.cluster).front().key;
  rows_.push_back(row);
}

/// Checks an answer with the reference on a few nodes, because on all nodes it would take too long. Only for
/// questions in which the result on a node does not depend on other nodes.
void BenchOfCluster::decide_few_by_reference(Asks asks) {
  if (asks == Asks::spread || complete_->outcome != Outcome::nominated) return;
  BenchRow& row = rows_.front();
  const std::string objection = objection_of_reference(*complete_, asked(asks));
  if (row.disagreement.empty()) row.disagreement = objection;
  const std::size_t looked_at = std::min(nodes_, k_bench_others + 1);
  row.checked_by.push_back("reference on " + std::to_string(looked_at) + " nodes");
}

void BenchOfCluster::decide_by_subject(Asks asks, bool samples, std::size_t parallelism) {
  if (plan_.subject.empty()) return;
  BenchRow row = row_of(Figure::decision, Timed::kube_scheduler, parallelism, asks);
  row.samples = samples;
  const std::size_t most =
      asks == Asks::nothing ? plan_.subject_most : std::min(plan_.subject_most, plan_.subject_asks_most);
  if (nodes_ > most) {
    row.left_out = "kube-scheduler is measured up to " + std::to_string(most) + " nodes" + with(asks);
    return rows_.push_back(row);
  }
  if (written_.empty()) written_ = BenchSubject::written(question(asks));
  optimized::Options options;
  if (samples) options.offset = k_bench_offset;
  BenchSubject subject(plan_.subject, parallelism, plan_.release, stop_);
  std::vector<Quantity> dry_runs;
  std::vector<Quantity> first_passes;
  Quantity total = 0;  // includes the time to read the question, which is most of it
  const Runs wanted = slow_runs();
  while (dry_runs.size() < wanted.most && (dry_runs.size() < wanted.least || total < wanted.time.count())) {
    StopWatch watch;
    watch.begin();
    const Result<SchedulerAnswer> answer = subject.ask(written_, options.offset);
    watch.end();
    if (stop_) return;
    if (!answer) {
      row.disagreement = answer.error().message;
      return rows_.push_back(row);
    }
    dry_runs.push_back(answer.value().dry_run_ns);
    first_passes.push_back(answer.value().filter_ns);
    total += watch.total_ns();
    row.dry_runs = answer.value().dry_runs;
    row.disagreement = objection_to(answer.value(), asked(asks), options, parallelism > 1);
    if (!row.disagreement.empty()) break;
  }
  row.wall = times_of(std::move(dry_runs));
  row.first_pass_ns = median_of(std::move(first_passes));
  rows_.push_back(row);
}

/// Settles the rows of one question, passes each to row_, and clears them.
void BenchOfCluster::emit(std::vector<BenchRow>& rows) {
  settle(rows);
  for (const BenchRow& row : rows) row_(row);
  rows.clear();
}

void BenchOfCluster::decide(Asks asks) {
  complete_.reset();
  written_.clear();
  decide_by_optimized(asks, false, alone_);
  if (all_.count() > 1) decide_by_optimized(asks, false, all_);
  if (!stop_) decide_by_reference(asks);
  if (!stop_) decide_by_subject(asks, false, k_parallelism_usual);
  emit(rows_);
  if (stop_ || shape_ != Shape::varied || asks != Asks::nothing) return;
  decide_by_optimized(asks, true, alone_);
  for (const std::size_t parallelism : {std::size_t{1}, k_parallelism_usual}) {
    if (!stop_) decide_by_subject(asks, true, parallelism);
  }
  emit(rows_);
}

void BenchOfCluster::decide_in_turn() {
  question_.reset();
  const Runs often{.least = 3, .most = 1000, .time = plan_.time_a_row};
  const DecisionSeries fast = in_turn(snapshot_, all_, often);
  BenchRow row = row_of(Figure::in_turn, Timed::optimized, all_.count(), Asks::nothing);
  row.wall = fast.wall;
  row.cpu_ns = fast.cpu_ns;
  if (fast.decisions.empty()) row.disagreement = "no preemptor is nominated";
  BenchRow slow_row = row_of(Figure::in_turn, Timed::reference, 1, Asks::nothing);
  if (nodes_ > plan_.reference_most) {
    slow_row.left_out = "the reference is measured up to " + std::to_string(plan_.reference_most) + " nodes";
  } else {
    const DecisionSeries slow = in_turn(bench_cluster(nodes_, shape_), plan_.release, slow_runs());
    slow_row.wall = slow.wall;
    slow_row.cpu_ns = slow.cpu_ns;
    if (row.disagreement.empty()) row.disagreement = difference_in_turn(fast, slow);
  }
  std::vector<BenchRow> rows = {row, slow_row};
  emit(rows);
}

}  // namespace

void run_bench(const BenchPlan& plan, const std::atomic<bool>& stop,
               const std::function<void(const BenchRow&)>& row,
               const std::function<void(std::string_view what, std::size_t done, std::size_t of)>& step) {
  const std::size_t of = plan.sizes.size() * (1 + plan.shapes.size() * (1 + plan.asks.size()));
  std::size_t done = 0;
  for (const std::size_t nodes : plan.sizes) {
    for (const Shape shape : plan.shapes) {
      const std::string what =
          std::to_string(nodes) + " nodes, " + std::string(k_shape_names[static_cast<std::size_t>(shape)]);
      BenchOfCluster bench(plan, stop, nodes, shape, row);
      step(what + ", load", done++, of);
      bench.load();
      for (const Asks asks : plan.asks) {
        if (stop) return;
        step(what + ", " + asks_name(asks), done++, of);
        bench.decide(asks);
      }
      if (stop) return;
      if (shape == Shape::varied) bench.decide_in_turn();
    }
    const bool is_varied = std::find(plan.shapes.begin(), plan.shapes.end(), Shape::varied) != plan.shapes.end();
    step(std::to_string(nodes) + " nodes, whole cycles", done++, of);
    if (is_varied && !stop) measure_cycles(plan, nodes, stop, row);
  }
}

}  // namespace touchstone::bench
