#include "bench/bench.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bench/check.hpp"
#include "bench/floor.hpp"
#include "bench/in_turn.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/files.hpp"

/// Tests the measurements of touchstone bench, and that it reports answers that differ. No test depends on
/// time.
namespace touchstone::bench {

namespace {

const Release& bench_release() {
  static const Release k_release = find_release("v1.36.3").value().release;
  return k_release;
}

BenchPlan tiny_plan() {
  return {
      .release = bench_release(), .sizes = {3, 6}, .subject = {}, .time_a_row = std::chrono::milliseconds(0)};
}

std::vector<BenchRow> rows_of(const BenchPlan& plan, const std::atomic<bool>& stop = false) {
  std::vector<BenchRow> rows;
  run_bench(plan, stop, [&rows](const BenchRow& row) { rows.push_back(row); }, [](auto...) {});
  return rows;
}

/// The rows of one figure for one engine.
std::vector<BenchRow> rows_of(const std::vector<BenchRow>& rows, Figure figure, Timed engine) {
  std::vector<BenchRow> found;
  for (const BenchRow& row : rows) {
    if (row.figure == figure && row.engine == engine) found.push_back(row);
  }
  return found;
}

optimized::Answer answer_of(Shape shape, Asks asks, std::size_t nodes) {
  optimized::Workers workers(2);
  return oracle::optimized_answer({bench_cluster(nodes, shape), bench_preemptor(asks), {}, {}},
                                  bench_release(), workers);
}

}  // namespace

TEST(BenchCluster, HasNoFitAndACandidateOnEveryNode) {
  for (const Shape shape : {Shape::varied, Shape::alike, Shape::near_ties}) {
    for (const Asks asks : {Asks::nothing, Asks::anti_affinity}) {
      const Question question{bench_cluster(7, shape), bench_preemptor(asks), {}, {}};
      EXPECT_EQ(question.cluster.pods.size(), 7 * k_bench_pods);
      EXPECT_EQ(question.cluster.pdbs.size(), k_bench_pdbs);
      const Decision decision = reference::preempt(question, bench_release());
      ASSERT_EQ(decision.outcome, Outcome::nominated);
      EXPECT_EQ(decision.candidates.size(), 7u);
    }
  }
}

TEST(BenchCluster, HasNoCandidateInZonesThatAreTooFullToSpread) {
  constexpr std::size_t k_zones = 10;
  const optimized::Snapshot snapshot(bench_cluster(100, Shape::varied), bench_release());
  optimized::Workers workers(1);
  std::set<std::size_t> zones;
  for (Quantity i = 0; i < 100; ++i) {
    // The search stops at the first candidate from node i on.
    const optimized::Options options{.offset = i, .quota = 1, .prunes = true};
    const optimized::Answer answer =
        optimized::decide(snapshot, bench_preemptor(Asks::spread), options, workers);
    ASSERT_EQ(answer.outcome, Outcome::nominated);
    zones.insert(answer.node % k_zones);
  }
  EXPECT_GT(zones.size(), 1u);
  EXPECT_LT(zones.size(), k_zones);
}

TEST(BenchCluster, TiesWhereItSaysSo) {
  EXPECT_EQ(answer_of(Shape::alike, Asks::nothing, 9).admissible.size(), 9u);
  EXPECT_EQ(answer_of(Shape::near_ties, Asks::nothing, 200).admissible.size(), 1u);
}

TEST(BenchCluster, ShowsWhatPruningSaves) {
  const std::size_t nodes = 400;
  for (const Shape shape : {Shape::varied, Shape::near_ties})
    EXPECT_LT(answer_of(shape, Asks::nothing, nodes).dry_runs, nodes / 2);
  EXPECT_EQ(answer_of(Shape::alike, Asks::nothing, nodes).dry_runs, nodes);
}

TEST(BenchCluster, IsDecidedAlikeWithAndWithoutPruning) {
  optimized::Workers workers(1);
  for (const Shape shape : {Shape::varied, Shape::alike, Shape::near_ties}) {
    const optimized::Snapshot snapshot(bench_cluster(600, shape), bench_release());
    for (const Asks asks : {Asks::nothing, Asks::anti_affinity, Asks::spread}) {
      const auto answer = [&](bool prunes) {
        optimized::Answer given = optimized::decide(snapshot, bench_preemptor(asks),
                                                    {.offset = {}, .quota = {}, .prunes = prunes}, workers);
        given.dry_runs = 0;
        return given;
      };
      EXPECT_EQ(answer(true), answer(false));
    }
  }
}

TEST(Bench, HasARowForEachEngineAndQuestion) {
  const std::vector<BenchRow> rows = rows_of(tiny_plan());
  EXPECT_EQ(rows_of(rows, Figure::load, Timed::optimized).size(), 2u * 3);
  const std::size_t questions = 2 * 3 * 3;
  EXPECT_EQ(rows_of(rows, Figure::decision, Timed::reference).size(), questions);
  EXPECT_GE(rows_of(rows, Figure::decision, Timed::optimized).size(), questions + 2);
  EXPECT_EQ(rows_of(rows, Figure::in_turn, Timed::optimized).size(), 2u);
  EXPECT_EQ(rows_of(rows, Figure::in_turn, Timed::reference).size(), 2u);
  for (const BenchRow& row : rows) {
    EXPECT_GE(row.wall.runs, 3u);
    EXPECT_EQ(row.disagreement, "");
    const bool is_asked_of_both = row.figure == Figure::cycle || (row.figure != Figure::load && !row.samples);
    EXPECT_EQ(row.checked_by.empty(), !is_asked_of_both);
    EXPECT_EQ(row.left_out, "");
    EXPECT_EQ(row.floor_ns.has_value(), row.figure == Figure::decision && row.engine == Timed::optimized);
  }
}

TEST(Bench, HasRowsForWholeCycles) {
  const std::vector<BenchRow> rows = rows_of(tiny_plan());
  EXPECT_EQ(rows_of(rows, Figure::cycle, Timed::reference).size(), 2u * 2);
  std::size_t repeated = 0;
  for (const BenchRow& row : rows_of(rows, Figure::cycle, Timed::optimized)) {
    repeated += row.is_repeated;
    EXPECT_EQ(row.checked_by, std::vector<std::string>{row.is_repeated ? "optimized without a memo" : "reference"});
  }
  EXPECT_EQ(repeated, 2u * 2);
}

TEST(BenchCluster, HasRoomForThePodOfACycle) {
  Question question{bench_cluster_with_room(7, Shape::varied), bench_preemptor(Asks::nothing), {}, {}};
  EXPECT_EQ(reference::preempt(question, bench_release()).feasible.size(), 7u);
}

TEST(Bench, SaysWhatItLeavesOut) {
  BenchPlan plan = tiny_plan();
  plan.sizes = {4};
  plan.reference_most = 3;
  std::size_t left_out = 0;
  for (const BenchRow& row : rows_of(plan)) {
    EXPECT_EQ(row.left_out.empty(), row.engine != Timed::reference) << row.left_out;
    EXPECT_EQ(row.wall.runs == 0, row.engine == Timed::reference);
    left_out += row.left_out.empty() ? 0 : 1;
  }
  EXPECT_EQ(left_out, 3u * 3 + 1);  // each shape with each preemptor, and preemptors in turn
}

TEST(Bench, AsksKubeSchedulerOfLargeClustersAboutThePreemptorAlone) {
  BenchPlan plan = tiny_plan();
  plan.sizes = {4};
  plan.shapes = {Shape::alike};
  plan.subject = {"cat"};  // gives no valid answer
  plan.subject_asks_most = 3;
  std::set<std::string> left_out;
  for (const BenchRow& row : rows_of(rows_of(plan), Figure::decision, Timed::kube_scheduler))
    left_out.insert(row.left_out);
  EXPECT_EQ(left_out,
            (std::set<std::string>{"", "kube-scheduler is measured up to 3 nodes, with anti-affinity",
                                   "kube-scheduler is measured up to 3 nodes, with spread"}));
}

TEST(Bench, SaysOfWhichPreemptorTheReferenceIsLeftOut) {
  BenchPlan plan = tiny_plan();
  plan.sizes = {101};
  plan.shapes = {Shape::near_ties};
  std::set<std::string> left_out;
  for (const BenchRow& row : rows_of(plan)) left_out.insert(row.left_out);
  EXPECT_EQ(left_out,
            (std::set<std::string>{"", "the reference is measured up to 100 nodes, with anti-affinity",
                                   "the reference is measured up to 100 nodes, with spread"}));
}

TEST(Bench, StopsWhenTold) { EXPECT_LE(rows_of(tiny_plan(), true).size(), 1u); }

TEST(Bench, FindsASubjectThatAnswersAnotherNode) {
  const tests::TemporaryDirectory scratch;
  const auto answers_by = [&scratch](const std::string& answer) {
    const std::string program = scratch.write(
        "scheduler",
        "#!/usr/bin/env python3\nimport json, sys\nfor line in sys.stdin:\n    asked = json.loads(line)\n"
        "    if asked['cmd'] == 'hello':\n        answer = {'protocol': 1}\n"
        "    elif asked['cmd'] == 'bye':\n        break\n    else:\n        answer = " +
            answer + "\n        answer['seq'] = asked['seq']\n    print(json.dumps(answer), flush=True)\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    BenchPlan plan = tiny_plan();
    plan.sizes = {2};
    plan.shapes = {Shape::varied};
    plan.asks = {Asks::nothing};
    plan.subject = {program};
    std::set<std::string> found;
    for (const BenchRow& row : rows_of(rows_of(plan), Figure::decision, Timed::kube_scheduler))
      found.insert(row.disagreement);
    return found;
  };
  EXPECT_EQ(answers_by("{'outcome': 'none'}"), std::set<std::string>{"kube-scheduler: outcome none"});
  EXPECT_EQ(answers_by("{'outcome': 'nominated', 'node': 'x', 'victims': [], 'numPDBViolations': 0}"),
            std::set<std::string>{"kube-scheduler: node x, which does not exist"});
  EXPECT_EQ(answers_by("{'error': {'code': 'panic'}}"),
            std::set<std::string>{R"(kube-scheduler: {"code":"panic"})"});
  EXPECT_TRUE(answers_by("{'outcome': 'nominated', 'node': 'node-0', 'victims': [], 'numPDBViolations': 2}")
                  .contains("kube-scheduler: victims on node-0"));
}

TEST(Bench, VoidsEveryRowOfAQuestionThatSomebodyAnswersOtherwise) {
  const auto row = [](Timed engine, const std::string& disagreement, const std::string& left_out) {
    BenchRow made;
    made.engine = engine;
    made.wall = times_of({5});
    made.disagreement = disagreement;
    made.left_out = left_out;
    return made;
  };
  std::vector<BenchRow> rows = {row(Timed::optimized, "", ""), row(Timed::reference, "node", ""),
                                row(Timed::kube_scheduler, "", "too large")};
  rows.back().wall = {};
  settle(rows);
  EXPECT_EQ(rows[0].disagreement, "reference: node");
  EXPECT_FALSE(rows[0].counts());
  EXPECT_EQ(rows[1].disagreement, "reference: node");
  EXPECT_EQ(rows[2].disagreement, "");
  EXPECT_TRUE(rows[0].checked_by.empty());
}

TEST(Bench, TellsWhoElseGaveAnAnswer) {
  BenchRow optimized;
  optimized.checked_by = {"reference on 21 nodes"};
  BenchRow reference;
  reference.engine = Timed::reference;
  reference.left_out = "too large";
  BenchRow scheduler;
  scheduler.engine = Timed::kube_scheduler;
  std::vector<BenchRow> rows = {optimized, optimized, reference, scheduler};
  settle(rows);
  EXPECT_EQ(rows[0].checked_by, (std::vector<std::string>{"kube-scheduler", "reference on 21 nodes"}));
  EXPECT_EQ(rows[1].checked_by, rows[0].checked_by);
  EXPECT_TRUE(rows[2].checked_by.empty());
  EXPECT_EQ(rows[3].checked_by, (std::vector<std::string>{"optimized", "reference on 21 nodes"}));
  std::vector<BenchRow> alone = {BenchRow{}, BenchRow{}};
  settle(alone);
  EXPECT_TRUE(alone[0].checked_by.empty());
}

TEST(Bench, HoldsLargeClustersAgainstTheReferenceOnSomeNodes) {
  BenchPlan plan = tiny_plan();
  plan.sizes = {40};
  plan.reference_most = 30;
  const std::vector<BenchRow> rows = rows_of(plan);
  const std::vector<BenchRow> decisions = rows_of(rows, Figure::decision, Timed::optimized);
  EXPECT_GE(decisions.size(), 3u * 3 + 1);  // each shape with each preemptor, and a sample
  for (const BenchRow& row : decisions) {
    EXPECT_EQ(row.disagreement, "");
    const bool is_checked = row.asks != Asks::spread && !row.samples;
    EXPECT_EQ(row.checked_by,
              is_checked ? std::vector<std::string>{"reference on 21 nodes"} : std::vector<std::string>{});
  }
}

TEST(Bench, SeesAnAnswerThatTheReferenceWouldNotGiveOnSomeNodes) {
  optimized::Workers workers(1);
  for (const Shape shape : {Shape::varied, Shape::alike}) {
    const optimized::Snapshot snapshot(bench_cluster(60, shape), bench_release());
    const BenchAsked asked{snapshot, bench_release(), shape, Asks::anti_affinity, workers};
    const optimized::Answer right = answer_of(shape, Asks::anti_affinity, 60);
    EXPECT_EQ(objection_of_reference(right, asked), "");
    optimized::Answer fewer = right;
    fewer.victims.pop_back();
    EXPECT_NE(objection_of_reference(fewer, asked), "");
    optimized::Answer violating = right;
    violating.pdb_violations += 1;
    EXPECT_NE(objection_of_reference(violating, asked), "");
    optimized::Answer other = right;
    other.node = (right.node + 1) % 60;
    other.admissible = {other.node};
    EXPECT_NE(objection_of_reference(other, asked), "");
  }
}

TEST(Bench, HoldsAParallelSampleAgainstItsOtherCandidates) {
  const std::size_t nodes = 130;
  optimized::Workers workers(1);
  const optimized::Snapshot snapshot(bench_cluster(nodes, Shape::varied), bench_release());
  const BenchAsked asked{snapshot, bench_release(), Shape::varied, Asks::nothing, workers};
  // The best node of the first 105, and another of them, each with its own victims.
  const Question question{bench_cluster(105, Shape::varied), bench_preemptor(Asks::nothing), {}, {}};
  const Decision decision = reference::preempt(question, bench_release());
  const auto answer = [&](const Candidate& candidate) {
    SchedulerAnswer given;
    given.outcome = "nominated";
    given.node = question.cluster.nodes[candidate.node].name;
    for (const PodIndex victim : candidate.victims)
      given.victims.push_back(question.cluster.pods[victim].full_name());
    given.pdb_violations = candidate.pdb_violations;
    for (const Candidate& each : decision.candidates)
      given.candidates.push_back(question.cluster.nodes[each.node].name);
    return given;
  };
  optimized::Options sample;
  sample.offset = k_bench_offset;
  const Candidate& best = decision.candidates[decision.chosen];
  EXPECT_EQ(objection_to(answer(best), asked, sample, true), "");
  const Candidate& other = decision.candidates[decision.chosen == 0 ? 1 : 0];
  EXPECT_EQ(objection_to(answer(other), asked, sample, true),
            "node " + question.cluster.nodes[other.node].name + " is not admissible");
  SchedulerAnswer few = answer(best);
  few.candidates.resize(99);
  EXPECT_EQ(objection_to(few, asked, sample, true), "fewer candidates than the quota");
}

TEST(Bench, TellsWhereDecisionsInTurnDiffer) {
  const auto turn = [](std::vector<std::string> decisions, bool ended) {
    return DecisionSeries{.wall = {}, .cpu_ns = 0, .decisions = std::move(decisions), .ended = ended};
  };
  EXPECT_EQ(difference_in_turn(turn({"a", "b"}, false), turn({"a"}, false)), "");
  EXPECT_EQ(difference_in_turn(turn({"a"}, true), turn({"a"}, true)), "");
  EXPECT_EQ(difference_in_turn(turn({"a", "c"}, false), turn({"a", "b"}, false)),
            "preemptor 1: c instead of b");
  EXPECT_EQ(difference_in_turn(turn({"a"}, true), turn({"a", "b"}, false)),
            "preemptor 1: not nominated instead of b");
  EXPECT_EQ(difference_in_turn(turn({"a", "b"}, false), turn({"a"}, true)),
            "preemptor 1: b instead of not nominated");
  EXPECT_EQ(difference_in_turn(turn({}, true), turn({}, true)), "no preemptor is nominated");
}

TEST(Bench, MarksARowThatTookLongerThanItComputed) {
  BenchRow row;
  row.wall = times_of({120});
  EXPECT_FALSE(row.disturbed());
  row.cpu_ns = 100;
  EXPECT_FALSE(row.disturbed());
  row.cpu_ns = 99;
  EXPECT_TRUE(row.disturbed());
  row.threads = 2;
  EXPECT_FALSE(row.disturbed());
}

TEST(Bench, DecidesPreemptorsInTurnAsTheReferenceDoes) {
  const Cluster cluster = bench_cluster(3, Shape::varied);
  const Runs all{.least = 1000, .most = 1000, .time = {}};
  optimized::Snapshot snapshot(cluster, bench_release());
  optimized::Workers workers(2);
  const DecisionSeries fast = in_turn(snapshot, workers, all);
  const DecisionSeries slow = in_turn(cluster, bench_release(), all);
  EXPECT_EQ(fast.decisions, slow.decisions);
  // Three nodes take at most ten preemptors each.
  EXPECT_GT(fast.decisions.size(), 10u);
  EXPECT_LE(fast.decisions.size(), 30u);
}

TEST(Bench, ReadsTheFloorOnceWhateverTheThreads) {
  const optimized::Snapshot snapshot(bench_cluster(5, Shape::alike), bench_release());
  // 5 nodes of 45 bytes, each with one level of 28 bytes.
  EXPECT_EQ(floor_bytes(snapshot), 5u * (45 + 28));
  optimized::Workers one(1);
  optimized::Workers three(3);
  EXPECT_EQ(read_floor(snapshot, one), read_floor(snapshot, three));
  EXPECT_GT(read_floor(snapshot, one), 5 * 30 * (Quantity{1} << 30));  // more than their memory alone
}

TEST(BenchTimes, AreMedianAndQuartiles) {
  const Times times = times_of({50, 10, 30, 20, 40});
  EXPECT_EQ(times.runs, 5u);
  EXPECT_EQ(times.least, 10);
  EXPECT_EQ(times.lower_quartile, 20);
  EXPECT_EQ(times.median, 30);
  EXPECT_EQ(times.upper_quartile, 40);
  EXPECT_EQ(times.most, 50);
  EXPECT_EQ(times_of({7}).upper_quartile, 7);
  EXPECT_EQ(times_of({}).runs, 0u);
}

TEST(BenchTimes, RunAsOftenAsTold) {
  std::size_t count = 0;
  const Measured three = measured({.least = 3, .most = 9, .time = {}}, true, [&count] { ++count; });
  EXPECT_EQ(three.wall.runs, 3u);
  EXPECT_EQ(count, 4u);
  count = 0;
  measured({.least = 1, .most = 2, .time = std::chrono::hours(1)}, false, [&count] { ++count; });
  EXPECT_EQ(count, 2u);
}

}  // namespace touchstone::bench
