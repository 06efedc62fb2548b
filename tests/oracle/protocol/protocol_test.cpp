#include "oracle/protocol/protocol.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace touchstone::oracle {

namespace {

const char* const k_question =
    R"("nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"10"}}}],)"
    R"("pods":[{"metadata":{"name":"a","namespace":"default"},"spec":{"nodeName":"n1","containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}],)"
    R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"priority":10,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}})";

Json ask(const std::string& line) {
  Subject subject;
  return Json::parse(subject.answer(line));
}

std::string run_line(const std::string& more = "") {
  return R"({"cmd":"run","seq":7,"release":"v1.34.4",)" + more + k_question + "}";
}

/// Two empty nodes of different sizes, and a pod that fits on both.
std::string schedule_line(const std::string& more = "") {
  return R"({"cmd":"schedule","seq":8,"release":"v1.36.3",)" + more +
         R"("nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}},)"
         R"({"metadata":{"name":"n2"},"status":{"allocatable":{"cpu":"2","memory":"4Gi","pods":"10"}}}],)"
         R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"containers":[{"name":"c",)"
         R"("resources":{"requests":{"cpu":"1500m","memory":"3Gi"}}}]}}})";
}

}  // namespace

TEST(Subject, SaysWhoItIs) {
  const Json hello = ask(R"({"cmd":"hello"})");
  EXPECT_EQ(hello["name"], "touchstone-reference");
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_GT(hello["releases"].size(), 40u);
  EXPECT_FALSE(hello["features"].empty());
}

TEST(Subject, IsTheOptimizedEngineToo) {
  Subject subject(Engine::optimized);
  EXPECT_EQ(Json::parse(subject.answer(R"({"cmd":"hello"})"))["name"], "touchstone-optimized");
  EXPECT_EQ(
      Json::parse(subject.answer(run_line(R"("trace":true,"anyOrder":true,)"))),
      Json::parse(R"({"seq":7,"outcome":"nominated","node":"n1","victims":["default/a"],"numPDBViolations":0,
      "admissible":[{"node":"n1","victims":["default/a"],"numPDBViolations":0}],"clears":[],"nomination":"set"})"));
  Subject both(Engine::both);
  EXPECT_EQ(Json::parse(both.answer(run_line())), ask(run_line()));
}

TEST(Subject, AnswersAQuestion) {
  EXPECT_EQ(
      ask(run_line()),
      Json::parse(R"({"seq":7,"outcome":"nominated","node":"n1","victims":["default/a"],"numPDBViolations":0,
      "candidates":{"n1":{"victims":["default/a"],"numPDBViolations":0}},
      "admissible":[{"node":"n1","victims":["default/a"],"numPDBViolations":0}],
      "filter":{"n1":{"code":"Unschedulable","plugin":"NodeResourcesFit","reasons":["Insufficient cpu"]}},
      "dryRun":{},"clears":[],"nomination":"set","message":"0/1 nodes are available: 1 Insufficient cpu."})"));
}

TEST(Subject, GivesAnyOrderAndTraceOnRequest) {
  const Json answer = ask(run_line(R"("anyOrder":true,"trace":true,)"));
  EXPECT_EQ(answer["anyOrder"],
            Json::parse(R"([{"node":"n1","victims":["default/a"],"numPDBViolations":0}])"));
  EXPECT_FALSE(answer["trace"].empty());
  EXPECT_FALSE(ask(run_line(R"("anyOrder":false,"trace":false,)")).contains("trace"));
}

TEST(Subject, TellsWhatItDoesNotModel) {
  std::string line = run_line();
  line.replace(line.rfind("\"containers\""), 0,
               R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}],)");
  line.replace(line.find("v1.3"), 7, "v1.9.11");
  const Json answer = ask(line);
  EXPECT_EQ(answer["skipped"].get<std::string>().substr(0, 7), "volumes");
  EXPECT_FALSE(answer.contains("outcome"));
}

TEST(Subject, AnswersABadLineWithAnErrorAndGoesOn) {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"", "json-malformed"},
      {"{", "json-malformed"},
      {"[1,2", "json-malformed"},
      {"\"\xff\"", "json-malformed"},
      {"[]", "wrong-type"},
      {"7", "wrong-type"},
      {"{}", "unknown-command"},
      {R"({"cmd":"dance"})", "unknown-command"},
      {R"({"cmd":7})", "wrong-type"},
      {R"({"cmd":"run","seq":"x"})", "wrong-type"},
      {R"({"cmd":"run"})", "missing-field"},
      {R"({"cmd":"run","release":"v9"})", "unknown-release"},
      {R"({"cmd":"run","release":"v1.34"})", "missing-field"},
      {R"({"cmd":"run","release":"v1.34","pod":{"metadata":{"name":"p"}},"nodes":{}})", "wrong-type"},
      {R"({"cmd":"run","release":"v1.34","pod":{"metadata":{"name":"p"}},"anyOrder":1})", "wrong-type"},
      {R"({"cmd":"run","release":"v1.34","pod":{"metadata":{"name":"p"}},"quota":-1})", "out-of-range"},
      {R"({"cmd":"run","release":"v1.34","pod":{"metadata":{"name":"p"}},"anyorder":true})", "unknown-field"},
      {R"({"cmd":"hello","name":"me"})", "unknown-field"},
      {R"({"cmd":"hello","protocol":2})", "unknown-field"},
  };
  Subject subject;
  for (const auto& [line, code] : lines) {
    const Json answer = Json::parse(subject.answer(line));
    ASSERT_TRUE(answer.contains("error")) << line;
    EXPECT_EQ(answer["error"]["code"], code) << line;
    EXPECT_TRUE(answer.contains("seq")) << line;
  }
  EXPECT_FALSE(subject.done());
  EXPECT_EQ(Json::parse(subject.answer(run_line()))["outcome"], "nominated");
}

TEST(Subject, TakesEveryKeyOfTheProtocol) {
  const Json answer =
      ask(run_line(R"("anyOrder":true,"trace":false,"repeat":1,"timings":false,"offset":0,"quota":5,
      "pdbs":[],"namespaces":[],"priorityClasses":[],"pvcs":[],"pvs":[],"storageClasses":[],"csiNodes":[],
      "csiDrivers":[],"volumeAttachments":[],"csiStorageCapacities":[],)"));
  EXPECT_EQ(answer["outcome"], "nominated") << answer;
}

TEST(Subject, AnswersAQuestionAboutAWholeCycle) {
  const Json answer = ask(schedule_line());
  EXPECT_EQ(answer["seq"], 8);
  EXPECT_EQ(answer["outcome"], "scheduled") << answer;
  EXPECT_EQ(answer["node"], "n1");
  EXPECT_EQ(answer["feasible"], Json::parse(R"(["n1","n2"])"));
  EXPECT_EQ(answer["scores"]["n2"]["NodeResourcesFit"], 25);
  EXPECT_EQ(answer["best"], Json::parse(R"(["n1"])"));
  for (const auto& [key, value] : answer.items()) EXPECT_TRUE(is_answer_key(key)) << key;
}

TEST(Subject, AnswersAWholeCycleAsRunIfNoNodeFits) {
  std::string line = run_line();
  line.replace(line.find("\"run\""), 5, "\"schedule\"");
  EXPECT_EQ(ask(line), ask(run_line()));
}

TEST(Subject, TakesTheKeysOfAWholeCycle) {
  const std::string lists =
      R"("services":[],"replicationControllers":[],"replicaSets":[],"statefulSets":[],)";
  EXPECT_EQ(ask(schedule_line(lists + R"("start":1,"anyOrder":false,"trace":true,"pdbs":[],)"))["outcome"],
            "scheduled");
  EXPECT_EQ(ask(run_line(lists))["outcome"], "nominated");
  EXPECT_EQ(ask(run_line(R"("extenders":[],)"))["outcome"], "nominated");
  EXPECT_EQ(ask(run_line(R"("start":1,)"))["error"]["code"], "unknown-field");
  EXPECT_EQ(ask(schedule_line(R"("starts":1,)"))["error"]["code"], "unknown-field");
}

TEST(Subject, NamesWhatAWholeCycleDoesNotSupport) {
  const Json error = ask(schedule_line("\"anyOrder\":true,"))["error"];
  EXPECT_EQ(error["code"], "not-supported");
  EXPECT_EQ(error["path"], "line: anyOrder");
}

// CYC-GATES-1
TEST(Subject, AppliesTheFeatureGatesOfAQuestion) {
  EXPECT_EQ(ask(schedule_line(R"("featureGates":{},)"))["outcome"], "scheduled");
  EXPECT_EQ(ask(run_line(R"("featureGates":{"AllAlpha":false},)"))["outcome"], "nominated");
  const Json unknown = ask(run_line(R"("featureGates":{"NoSuchGate":true},)"))["error"];
  EXPECT_EQ(unknown["code"], "refused-feature-gate");
  EXPECT_EQ(unknown["path"], "featureGates");
  EXPECT_EQ(unknown["message"], "unrecognized feature gate: NoSuchGate");
  EXPECT_EQ(ask(run_line(R"("featureGates":{"AllAlpha":"yes"},)"))["error"]["code"], "wrong-type");
  EXPECT_EQ(ask(run_line(R"("featureGates":true,)"))["error"]["code"], "wrong-type");
  EXPECT_EQ(ask(run_line(R"("featureGates":{"DynamicResourceAllocation":true},)"))["outcome"], "nominated");
  const Json skipped = ask(schedule_line(R"("featureGates":{"GenericWorkload":true},)"));
  EXPECT_EQ(skipped["skipped"], "feature gate GenericWorkload=true");
}

// The defaults count for a question that has no configuration of its own.
TEST(Subject, AppliesItsDefaultsToQuestionsWithoutAConfiguration) {
  const auto with = [](const std::string& config, const FeatureGates& gates) {
    SchedulerDefaults defaults{{}, gates};
    if (!config.empty()) defaults.config = kubernetes::Document::parse(config, "defaults").value();
    return Subject(Engine::reference, reference_decider(), std::move(defaults));
  };
  const std::string config = R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
      "kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"postFilter":{"disabled":[{"name":"*"}]}}}]})";
  const std::string own = R"("config":{"apiVersion":"kubescheduler.config.k8s.io/v1",
      "kind":"KubeSchedulerConfiguration"},)";
  EXPECT_EQ(Json::parse(with(config, {}).answer(run_line()))["outcome"], "none");
  EXPECT_EQ(Json::parse(with(config, {}).answer(run_line(own)))["outcome"], "nominated");
  EXPECT_EQ(Json::parse(with("{}", {}).answer(run_line()))["error"]["code"], "refused-configuration");
  const FeatureGates locked = {{"SidecarContainers", false}};
  EXPECT_EQ(Json::parse(with("", locked).answer(run_line()))["error"]["message"],
            "cannot set feature gate SidecarContainers to false, feature is locked to true");
  EXPECT_EQ(Json::parse(with("", locked).answer(run_line(R"("featureGates":{},)")))["outcome"], "nominated");
}

// The trace of a whole cycle has the scores, what enters them, and the host.
TEST(Subject, GivesTheTraceOfAWholeCycle) {
  EXPECT_FALSE(ask(schedule_line()).contains("trace"));
  const Json trace = ask(schedule_line(R"("trace":true,)"))["trace"];
  std::map<std::string, int> stages;
  for (const Json& step : trace) ++stages[step["stage"]];
  EXPECT_GT(stages["scorePart"], 0);
  EXPECT_GT(stages["score"], 0);
  EXPECT_EQ(stages["host"], 1);
  EXPECT_EQ(trace.back()["node"], ask(schedule_line())["node"]);
}

TEST(Subject, AppliesTheConfigurationOfAQuestion) {
  const std::string profile = R"("config":{"apiVersion":"kubescheduler.config.k8s.io/v1",
      "kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{)";
  const std::string no_preemption =
      profile + R"("postFilter":{"disabled":[{"name":"DefaultPreemption"}]}}}]},)";
  EXPECT_EQ(ask(run_line(no_preemption))["outcome"], "none");
  const Json answer =
      ask(schedule_line(profile + R"("score":{"disabled":[{"name":"NodeResourcesFit"}]}}}]},)"));
  EXPECT_EQ(answer["outcome"], "scheduled") << answer;
  EXPECT_FALSE(answer["scores"]["n2"].contains("NodeResourcesFit"));
  EXPECT_TRUE(answer["scores"]["n2"].contains("NodeResourcesBalancedAllocation"));
  for (const std::string& line : {run_line(R"("config":{},)"), schedule_line(R"("config":{},)")}) {
    const Json error = ask(line)["error"];
    EXPECT_EQ(error["code"], "refused-configuration");
    EXPECT_EQ(error["path"], "line: config");
  }
}

TEST(Subject, AnswersABadQuestionAboutAWholeCycleWithAnError) {
  EXPECT_EQ(ask(R"({"cmd":"schedule"})")["error"]["code"], "missing-field");
  EXPECT_EQ(ask(R"({"cmd":"schedule","release":"v9"})")["error"]["code"], "unknown-release");
  EXPECT_EQ(ask(R"({"cmd":"schedule","release":"v1.34"})")["error"]["code"], "missing-field");
}

TEST(Subject, SchedulesWithEachEngine) {
  for (const Engine engine : {Engine::reference, Engine::optimized, Engine::both}) {
    Subject subject(engine);
    const Json features = Json::parse(subject.answer(R"({"cmd":"hello"})"))["features"];
    EXPECT_NE(std::find(features.begin(), features.end(), "schedule"), features.end());
    const Json answer = Json::parse(subject.answer(schedule_line()));
    EXPECT_EQ(answer["outcome"], "scheduled") << answer;
    EXPECT_EQ(answer["totals"], ask(schedule_line())["totals"]);
  }
}

TEST(Subject, EchoesTheNumberOfABadQuestion) {
  EXPECT_EQ(ask(R"({"cmd":"run","seq":41,"release":"v9"})")["seq"], 41);
}

TEST(Subject, NotesAReleaseItHasToGuess) {
  std::string line = run_line();
  line.replace(line.find("v1.34.4"), 7, "v1.34.99");
  EXPECT_FALSE(ask(line)["notes"].empty());
}

TEST(Subject, KeepsItsErrorsShort) {
  const std::string huge = R"({"cmd":"run","release":")" + std::string(100000, 'v') + R"("})";
  EXPECT_LT(ask(huge).dump().size(), 2000u);
  std::string cut = R"({"cmd":"run","release":")";
  for (int i = 0; i < 1000; ++i) cut += "\u00e9";
  EXPECT_EQ(ask(cut + "\"}")["error"]["code"], "unknown-release");
}

TEST(Serve, AnswersEveryLineAndEndsWithBye) {
  std::istringstream in("\n{\"cmd\":\"hello\"}\n  \n{\"cmd\":\"bye\"}\n{\"cmd\":\"hello\"}\n");
  std::ostringstream out;
  Subject subject;
  serve(in, out, subject);
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

}  // namespace touchstone::oracle
