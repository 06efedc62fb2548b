#include "oracle/protocol/schedule_vectors.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/protocol/vectors.hpp"
#include "tests/support/builder.hpp"

/// Tests the comparison with vectors of whole scheduling cycles: it must report each kind of wrong answer.
namespace touchstone::tests::schedule_vectors_test {

namespace {

using oracle::Engine;
using oracle::Json;
using oracle::Scores;
using oracle::VectorFile;
using oracle::VectorReport;

const char* const k_found = R"({"outcome":"scheduled","node":"n1","feasible":["n1","n2"],
  "scores":{"n1":{"A":0,"B":7},"n2":{"A":0,"B":3}},"totals":{"n1":7,"n2":3},"best":["n1"],
  "filter":{"n3":{"code":"Unschedulable","plugin":"NodePorts","reasons":["x"]}}})";

/// The keys of the differences between an expected answer and `found`.
std::vector<std::string> keys_of(const std::string& expected, const std::string& found,
                                 Scores scores = Scores::not_zero) {
  std::vector<std::string> keys;
  for (const oracle::Difference& each :
       oracle::schedule_differences(Json::parse(expected), Json::parse(found), release("v1.36"), scores))
    keys.push_back(each.key);
  return keys;
}

using Keys = std::vector<std::string>;

const char* const k_whole_cycles = R"({
"origin": "made up",
"command": "schedule",
"recorded": true,
"releases": ["v1.35.4", "v1.36.3"],
"cases": [
{"name": "made/a",
 "clauses": ["SCORE-LEAST-1"],
 "question": {
  "nodes": [
   {"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4", "pods": "9"}}},
   {"metadata": {"name": "n2"}, "spec": {"taints": [{"key": "k", "effect": "PreferNoSchedule"}]}, "status": {"allocatable": {"cpu": "4", "pods": "9"}}}],
  "pod": {"metadata": {"name": "p", "namespace": "default"}}},
 "answers": [
  {"releases": ["v1.35.4..v1.36.3"], "answer": {"outcome": "scheduled", "feasible": ["n1", "n2"], "node": "n2"}}]}
]
}
)";

/// Puts the pod on the second of two nodes, which have the totals 3 and 5.
Placement on_second(const Question&, const Release&, Trace&) {
  Placement placement;
  placement.decision.outcome = Outcome::fits;
  placement.feasible = {0, 1};
  placement.totals = {3, 5};
  placement.best = {1};
  placement.host = 1;
  return placement;
}

class ScheduleVectors : public testing::Test {
 protected:
  ScheduleVectors() {
    std::filesystem::create_directories(directory_);
    write_with("", "");
  }
  ~ScheduleVectors() override { std::filesystem::remove_all(directory_); }

  /// Writes the file with the first `from` replaced by `to`.
  void write_with(const std::string& from, const std::string& to) {
    std::string text = k_whole_cycles;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(path_) << text;
  }

  VectorReport check(Engine engine) {
    oracle::Decider decider = oracle::reference_decider();
    decider.schedule = on_second;
    const VectorFile file = oracle::read_vectors(path_).value().at(0);
    return oracle::check_vectors(file, {.engine = engine, .decider = decider}, [] {});
  }

  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("touchstone-schedule-" + std::to_string(::getpid()));
  std::filesystem::path path_ = directory_ / "made.json";
};

}  // namespace

TEST(ScheduleDifferences, AreNoneBetweenEqualAnswers) { EXPECT_EQ(keys_of(k_found, k_found), Keys{}); }

TEST(ScheduleDifferences, CompareOnlyWhatIsExpected) {
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled"})", k_found), Keys{});
  EXPECT_EQ(keys_of(R"({})", k_found), Keys{});
}

TEST(ScheduleDifferences, CompareListsOfNodesAsSets) {
  EXPECT_EQ(keys_of(R"({"feasible":["n2","n1"]})", k_found), Keys{});
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","feasible":["n2"]})", k_found), Keys{"feasible"});
  EXPECT_EQ(keys_of(R"({"best":["n1","n2"]})", k_found), Keys{"best"});
}

TEST(ScheduleDifferences, CompareEveryStatusIfSomeAreExpected) {
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","filter":{}})", k_found), Keys{"filter.n3"});
  const std::string none = R"({"outcome":"scheduled","filter":{}})";
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","filter":{"n1":{"code":"Unschedulable"}}})", none),
            Keys{"filter.n1"});
  // A running release that has no status of a node is asked through a program that shows the code alone.
  EXPECT_EQ(
      keys_of(R"({"outcome":"scheduled","filter":{"n1":{"code":"UnschedulableAndUnresolvable"}}})", none),
      Keys{});
}

TEST(ScheduleDifferences, CompareEachScorerOfEachNode) {
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"B":8},"n2":{"B":3}}})", k_found), Keys{"scores.n1.B"});
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"B":7},"n2":{"B":3,"C":1}}})", k_found), Keys{"scores.n2.C"});
  EXPECT_EQ(keys_of(R"({"scores":{"n3":{"B":7}}})", k_found), (Keys{"scores", "scores.n3.B"}));
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"B":7}}})", R"({"outcome":"scheduled"})"),
            (Keys{"scores", "scores.n1.B"}));
}

TEST(ScheduleDifferences, TakeAScorerThatIsAbsentInARecordingForZero) {
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"B":7,"D":0},"n2":{"B":3}}})", k_found), Keys{});
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{},"n2":{"B":3}}})", k_found), Keys{"scores.n1.B"});
}

TEST(ScheduleDifferences, DemandOfASubjectTheScorersThatAreNotSkipped) {
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"A":0,"B":7},"n2":{"A":0,"B":3}}})", k_found, Scores::all), Keys{});
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"B":7},"n2":{"A":0,"B":3,"D":0}}})", k_found, Scores::all),
            (Keys{"scores.n1.A", "scores.n2.D"}));
}

// A status without reasons may stand for no status, but not on a node that is feasible.
TEST(ScheduleDifferences, SeeABareStatusOfAFeasibleNode) {
  const auto bare = [](const std::string& node) {
    return R"({"outcome":"scheduled","filter":{")" + node +
           R"(":{"code":"UnschedulableAndUnresolvable"},"n3":{"code":"Unschedulable","plugin":"NodePorts",)" +
           R"("reasons":["x"]}}})";
  };
  EXPECT_EQ(keys_of(bare("n9"), k_found), Keys{});
  EXPECT_EQ(keys_of(bare("n1"), k_found), Keys{"filter.n1"});
}

TEST(ScheduleDifferences, CompareTheNextStartIfBothAreKnown) {
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled"})", R"({"outcome":"scheduled","nextStart":1})"), Keys{});
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","nextStart":0})", R"({"outcome":"scheduled","nextStart":1})"),
            Keys{"nextStart"});
}

TEST(ScheduleDifferences, CompareOnlyNamedScorersOfAWorkedExample) {
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"A":0}}})", k_found, Scores::named), Keys{});
  EXPECT_EQ(keys_of(R"({"scores":{"n1":{"A":1}}})", k_found, Scores::named), Keys{"scores.n1.A"});
}

TEST(ScheduleDifferences, CompareTotals) {
  EXPECT_EQ(keys_of(R"({"totals":{"n1":7,"n2":4}})", k_found), Keys{"totals.n2"});
  EXPECT_EQ(keys_of(R"({"totals":{"n1":7}})", k_found), (Keys{"totals", "totals.n2"}));
  EXPECT_EQ(keys_of(R"({"totals":{"n1":7}})", k_found, Scores::named), Keys{});
}

TEST(ScheduleDifferences, DemandThatEachChosenNodeIsOneOfTheBest) {
  EXPECT_EQ(keys_of(R"({"node":"n2"})", k_found), Keys{"node"});
  EXPECT_EQ(keys_of(R"({"chosen":{"n1":20}})", k_found), Keys{});
  EXPECT_EQ(keys_of(R"({"chosen":{"n1":19,"n2":1}})", k_found), Keys{"chosen"});
}

TEST(ScheduleDifferences, CompareStatusesThatAreGiven) {
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","filter":{"n3":{"code":"Error"}}})", k_found),
            Keys{"filter.n3"});
}

TEST(ScheduleDifferences, CompareOutcomes) {
  EXPECT_EQ(keys_of(R"({"outcome":"none"})", k_found), Keys{"outcome"});
  EXPECT_EQ(keys_of(R"({"outcome":"scheduled","best":["n1"]})", R"({"outcome":"none"})"), Keys{"outcome"});
}

TEST(ScheduleDifferences, CompareTheDecisionIfNoNodeFits) {
  const char* const found =
      R"({"outcome":"nominated","node":"n1","victims":["default/a"],"numPDBViolations":0,
    "admissible":[{"node":"n1","victims":["default/a"],"numPDBViolations":0}]})";
  EXPECT_EQ(keys_of(R"({"outcome":"nominated","node":"n1","feasible":[]})", found), Keys{});
  EXPECT_EQ(keys_of(R"({"outcome":"nominated","node":"n2"})", found), Keys{"node"});
  EXPECT_EQ(keys_of(R"({"feasible":[]})", found), Keys{});
  EXPECT_EQ(keys_of(R"({"feasible":["n1"]})", found), Keys{"feasible"});
}

TEST_F(ScheduleVectors, AreReadWithTheirCommand) {
  EXPECT_EQ(oracle::read_vectors(path_).value().at(0).command, oracle::Command::schedule);
  write_with("\"command\": \"schedule\",", "");
  EXPECT_EQ(oracle::read_vectors(path_).value().at(0).command, oracle::Command::run);
  write_with("\"schedule\"", "\"dance\"");
  EXPECT_EQ(oracle::read_vectors(path_).error().code, "vector-malformed");
}

TEST_F(ScheduleVectors, AreNotReadForRun) {
  EXPECT_TRUE(oracle::read_run_vectors(path_).value().empty());
  write_with("\"schedule\"", "\"run\"");
  EXPECT_EQ(oracle::read_run_vectors(path_).value().size(), 1u);
  EXPECT_EQ(oracle::read_run_vectors(directory_ / "none.json").error().code, "file-unreadable");
}

TEST_F(ScheduleVectors, CountAgreementByRelease) {
  const VectorReport report = check(Engine::reference);
  EXPECT_EQ(report.agreed, (std::map<std::string, std::size_t>{{"v1.35.4", 1}, {"v1.36.3", 1}}));
  EXPECT_TRUE(report.disagreements.empty());
}

TEST_F(ScheduleVectors, ShowAWrongAnswer) {
  write_with("\"node\": \"n2\"", "\"node\": \"n1\"");
  const VectorReport report = check(Engine::reference);
  ASSERT_EQ(report.disagreements.size(), 2u);
  EXPECT_EQ(report.disagreements[0].key, "node");
  EXPECT_TRUE(report.agreed.empty());
}

TEST_F(ScheduleVectors, CompareTheAnswerOfTheOptimizedEngine) {
  // The second node has a taint, so this engine places the pod on the first one.
  EXPECT_EQ(check(Engine::optimized).disagreements.at(0).key, "node");
  write_with("\"node\": \"n2\"", "\"node\": \"n1\"");
  EXPECT_EQ(check(Engine::optimized).agreed.size(), 2u);
}

TEST_F(ScheduleVectors, CompareBothEngines) {
  const VectorReport report = check(Engine::both);
  ASSERT_EQ(report.disagreements.size(), 2u);
  EXPECT_EQ(report.disagreements[0].key, "error");
  EXPECT_NE(report.disagreements[0].found.find("engines-differ"), std::string::npos);
}

TEST_F(ScheduleVectors, NameAllTotalsIfTheyAreRecorded) {
  write_with("\"node\": \"n2\"", "\"totals\": {\"n2\": 5}");
  EXPECT_EQ(check(Engine::reference).disagreements.at(0).key, "totals");
}

TEST_F(ScheduleVectors, NameSomeTotalsInAWorkedExample) {
  std::string text = k_whole_cycles;
  text.replace(text.find("\"node\": \"n2\""), 12, "\"totals\": {\"n2\": 5}");
  text.replace(text.find("\"recorded\": true"), 16, "\"recorded\": false");
  std::ofstream(path_) << text;
  EXPECT_TRUE(check(Engine::reference).disagreements.empty());
}

TEST_F(ScheduleVectors, ApplyTheConfigurationOfTheQuestion) {
  write_with("\"pod\": ", R"("config": {"apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration", "percentageOfNodesToScore": 40}, "pod": )");
  oracle::Decider decider = oracle::reference_decider();
  decider.schedule = [](const Question& question, const Release& release, Trace& trace) {
    EXPECT_EQ(release.percentage_of_nodes, 40);
    return on_second(question, release, trace);
  };
  const VectorFile file = oracle::read_vectors(path_).value().at(0);
  EXPECT_TRUE(oracle::check_vectors(file, {.engine = Engine::reference, .decider = decider}, [] {
              }).disagreements.empty());
  write_with("\"pod\": ", R"("config": {}, "pod": )");
  const VectorReport refused = check(Engine::reference);
  ASSERT_EQ(refused.disagreements.size(), 2u);
  EXPECT_EQ(refused.disagreements[0].key, "error");
}

TEST_F(ScheduleVectors, KeepTheirClauses) {
  EXPECT_FALSE(oracle::update_clauses(oracle::read_vectors(path_).value().at(0), [] {}).value());
}

// The reference agrees with the recorded whole cycles.
TEST_F(ScheduleVectors, OfTheSpecificationAgreeWithTheReference) {
  for (const char* path : {"spec/vectors/scores/edgetaints.json", "spec/vectors/scores/few.json",
                           "spec/vectors/config/preempt.json"}) {
    const VectorFile file = oracle::read_vectors(path).value().at(0);
    const VectorReport report = oracle::check_vectors(file, {}, [] {});
    EXPECT_TRUE(report.disagreements.empty()) << path << " " << report.disagreements.front().case_name;
    EXPECT_GE(report.agreed.size(), 7u) << path;
  }
}

}  // namespace touchstone::tests::schedule_vectors_test
