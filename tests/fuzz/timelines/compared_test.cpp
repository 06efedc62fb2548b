#include "fuzz/timelines/compared.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "tests/support/builder.hpp"

/// How the answers of a subject over time are compared with the model.
namespace touchstone::tests::compared_timelines_test {

namespace {

const std::atomic<bool> k_never = false;

fuzz::TimelineSubject reference_subject() {
  return fuzz::TimelineSubject({{}, "v1.36.3"}, reference::timeline_model, k_never);
}

/// Two pods of equal priority that enter the queue at the same time, and a cycle.
TimelineScript tied() {
  TimelineScript script;
  script.release = release("v1.36.3");
  script.now_ns = 1'767'225'600'000'000'000;
  Node node;
  node.name = "n1";
  node.allocatable = {{"cpu", 4000}, {"memory", 1 << 30}, {"pods", 110}};
  script.objects.nodes = {node};
  for (const char* name : {"a", "b"}) {
    PodObject object;
    object.pod.ns = "default";
    object.pod.name = name;
    object.pod.containers.push_back({"c", {{"cpu", 1000}}, {}, false, ""});
    script.objects.pods.push_back(object);
  }
  script.commands = {CycleCommand{}, CycleCommand{}};
  return script;
}

fuzz::TimelineAnswers answers_to(const TimelineScript& script) {
  fuzz::TimelineSubject subject = reference_subject();
  EXPECT_FALSE(subject.begin());
  EXPECT_EQ(subject.name(), "touchstone-reference v1.36.3");
  return subject.play(fuzz::lines_of(script));
}

/// The same text with the two pods in each other's place.
fuzz::Json swapped(const fuzz::Json& answer) {
  std::string text = answer.dump();
  for (std::size_t i = 0; i + 9 < text.size(); ++i) {
    if (text.compare(i, 8, "default/") == 0) text[i + 8] = text[i + 8] == 'a' ? 'b' : 'a';
  }
  return fuzz::Json::parse(text);
}

}  // namespace

TEST(ComparedTimelines, AgreeWithThemselves) {
  EXPECT_FALSE(fuzz::difference_of(tied(), answers_to(tied())));
}

TEST(ComparedTimelines, TakeEitherPodOfATie) {
  fuzz::TimelineAnswers answers = answers_to(tied());
  ASSERT_EQ(answers.answers[1]["pod"], "default/a");
  fuzz::TimelineAnswers other = answers;
  for (std::size_t i = 1; i < 3; ++i) {
    other.answers[i] = swapped(answers.answers[i]);
    other.answers[i]["state"]["active"] = i == 1 ? fuzz::Json{"default/a"} : fuzz::Json::array();
  }
  EXPECT_FALSE(fuzz::difference_of(tied(), other));
  // But not a pod that is in no tie.
  TimelineScript script = tied();
  script.objects.pods[0].pod.priority = 1;
  const auto difference = fuzz::difference_of(script, other);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->line, 1u);
  EXPECT_TRUE(difference->clauses.contains("QUE-ORDER-1") || !difference->clauses.empty());
  EXPECT_FALSE(fuzz::clause_of(*difference).empty());
}

TEST(ComparedTimelines, NameThePartThatDiffers) {
  const fuzz::TimelineAnswers good = answers_to(tied());
  fuzz::TimelineAnswers bad = good;
  bad.answers[1]["state"]["assumed"] = {{"default/a", "n2"}};
  EXPECT_EQ(fuzz::difference_of(tied(), bad)->key, "state.assumed");
  bad = good;
  bad.answers[0]["state"]["active"] = {"default/a"};
  EXPECT_EQ(fuzz::difference_of(tied(), bad)->key, "state.active");
  EXPECT_EQ(fuzz::difference_of(tied(), bad)->line, 0u);
  bad = good;
  bad.answers[1]["calls"] = fuzz::Json::array();
  EXPECT_EQ(fuzz::difference_of(tied(), bad)->key, "calls");
  bad = good;
  bad.answers[2] = {{"seq", 3}, {"error", {{"message", "no"}}}};
  EXPECT_EQ(fuzz::difference_of(tied(), bad)->key, "error");
  bad = good;
  bad.answers[1]["state"].erase("attempts");
  bad.answers[1]["notes"] = {"a note"};
  EXPECT_FALSE(fuzz::difference_of(tied(), bad));
  bad = good;
  bad.answers.pop_back();
  bad.failure = oracle::Failure{oracle::FailureKind::crashed, oracle::Moment::question, "exit code 7", {}};
  const auto crashed = fuzz::difference_of(tied(), bad);
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->key, "crashed");
  EXPECT_EQ(crashed->line, 2u);
  EXPECT_EQ(fuzz::clause_of(*crashed), "");
}

// QUE-ENTITY-7: the model does not place a pod with spread constraints by preemption for a group. In a tie a
// subject may take the group where the model takes a pod.
TEST(ComparedTimelines, EndWhereTheModelDoes) {
  const fuzz::Json group_and_pod = fuzz::Json::parse(R"({"cmd": "init", "release": "v1.37.2",
    "now": "2026-01-01T00:00:00Z", "featureGates": {"GenericWorkload": true},
    "nodes": [{"metadata": {"name": "n1", "labels": {"zone": "a"}},
               "status": {"allocatable": {"cpu": "1", "pods": "9"}}}],
    "podGroups": [{"metadata": {"name": "g", "namespace": "default"},
                   "spec": {"schedulingPolicy": {"basic": {}}, "priority": 5}}],
    "pods": [{"metadata": {"name": "v", "namespace": "default"},
              "spec": {"nodeName": "n1", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}},
             {"metadata": {"name": "a", "namespace": "default"},
              "spec": {"priority": 5, "schedulingGroup": {"podGroupName": "g"},
                       "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone",
                         "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}],
                       "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}},
             {"metadata": {"name": "b", "namespace": "default"}, "spec": {"priority": 5,
              "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}]})");
  const TimelineScript script = fuzz::script_of({group_and_pod, {{"cmd", "cycle"}}}).value();
  fuzz::TimelineAnswers answers = answers_to(script);
  ASSERT_EQ(answers.answers[1]["pod"], "default/b");
  answers.answers[1] = {{"podGroup", "default/g"}, {"outcome", "nominated"}, {"state", fuzz::Json::object()}};
  const auto skipped = fuzz::difference_of(script, answers);
  ASSERT_TRUE(skipped);
  EXPECT_NE(skipped->skipped.find("topology spread"), std::string::npos);
  answers.answers[1]["podGroup"] = "default/other";
  const auto difference = fuzz::difference_of(script, answers);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->skipped, "");
}

TEST(ComparedTimelines, AreReadAsTheyAreWritten) {
  const fuzz::TimelinePlan plan = fuzz::campaign_timelines(release("v1.37.2"));
  std::size_t most_nodes = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const TimelineScript script = fuzz::numbered_timeline(plan, 1, number);
    EXPECT_GE(script.objects.nodes.size(), 2u);
    most_nodes = std::max(most_nodes, script.objects.nodes.size());
    const std::vector<fuzz::Json> lines = fuzz::lines_of(script);
    const Result<TimelineScript> read = fuzz::script_of(lines);
    ASSERT_TRUE(read);
    // An empty message is not written again.
    const std::vector<fuzz::Json> again = fuzz::lines_of(read.value());
    ASSERT_EQ(again.size(), lines.size());
    EXPECT_TRUE(fuzz::lines_of(fuzz::script_of(again).value()) == again) << number;
  }
  EXPECT_EQ(most_nodes, 3u);
  EXPECT_FALSE(fuzz::script_of({fuzz::Json{{"cmd", "init"}}}));
  // An update without a status keeps the one that is stored.
  TimelineScript script = tied();
  script.commands = {WriteCommand{Verb::update, script.objects.pods[0], false}};
  EXPECT_FALSE(fuzz::lines_of(script)[1]["object"].contains("status"));
  EXPECT_EQ(fuzz::lines_of(fuzz::script_of(fuzz::lines_of(script)).value()), fuzz::lines_of(script));
}

}  // namespace touchstone::tests::compared_timelines_test
