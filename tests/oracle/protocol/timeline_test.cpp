#include "oracle/protocol/timeline.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/protocol/timeline_vectors.hpp"

namespace touchstone::tests::timeline_test {

using oracle::Json;

constexpr const char* k_node =
    R"({"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"9"}}})";

/// A scheduler over time that answers lines.
class Session {
 public:
  Json operator()(const std::string& line) {
    try {
      const Result<kubernetes::Document> document = kubernetes::Document::parse(line, "line");
      const kubernetes::Value root = document.value().root();
      return timeline_.answer(root, root.require("cmd").string());
    } catch (const kubernetes::InvalidInput& invalid) {
      return Json{{"error", invalid.error.code}};
    }
  }
  Json begin(const std::string& more = "") {
    return (*this)(
        std::string(R"({"cmd":"init","release":"v1.36.3","now":"2026-01-01T00:00:00Z","nodes":[)") + k_node +
        "]" + more + "}");
  }
  Json write(const std::string& verb, const std::string& kind, const std::string& object) {
    return (*this)(R"({"cmd":"write","verb":")" + verb + R"(","kind":")" + kind + R"(","object":)" + object +
                   "}");
  }

 private:
  oracle::Timeline timeline_;
};

std::string pod_json(const std::string& name, int priority, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"priority":)" + std::to_string(priority) +
         R"(,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}])" + more + "}}";
}

TEST(Timeline, PlaysAPreemption) {
  Session session;
  EXPECT_EQ(session.begin()["state"]["active"], Json::array());
  session.write("create", "Pod", pod_json("v", 0, R"(,"nodeName":"n1","terminationGracePeriodSeconds":5)"));
  session.write("create", "Pod", pod_json("p", 10));
  session(R"({"cmd":"hold","call":"delete","pod":"default/v"})");
  const Json cycle = session(R"({"cmd":"cycle"})");
  EXPECT_EQ(cycle["outcome"], "nominated");
  EXPECT_EQ(cycle["victims"], Json::parse(R"(["default/v"])"));
  EXPECT_EQ(cycle["state"]["held"]["calls"][0], Json::parse(R"({"call":"delete","pod":"default/v"})"));
  EXPECT_EQ(cycle["state"]["nominated"]["n1"], Json::parse(R"(["default/p"])"));
  EXPECT_EQ(cycle["calls"][2]["held"], true);
  const Json answered = session(R"({"cmd":"answer","call":"delete","pod":"default/v","result":"ok"})");
  EXPECT_EQ(answered["state"]["pods"]["default/v"]["terminating"], true);
  session.write("remove", "Pod", pod_json("v", 0));
  session(R"({"cmd":"advance","seconds":2.5})");
  EXPECT_EQ(session(R"({"cmd":"flush","queue":"backoff"})")["state"]["active"][0], "default/p");
  EXPECT_EQ(session(R"({"cmd":"cycle","take":"n1"})")["outcome"], "scheduled");
  EXPECT_EQ(session(R"({"cmd":"cycle"})")["outcome"], "idle");
}

TEST(Timeline, ShowsHeldWatchesAndClauses) {
  Session session;
  session.begin(R"(,"trace":true,"config":{"podInitialBackoffSeconds":2,"podMaxBackoffSeconds":5})");
  session(R"({"cmd":"hold","watch":"Pod"})");
  const Json held = session.write("create", "Pod", pod_json("p", 10));
  EXPECT_EQ(held["state"]["held"]["watch"]["Pod"], 1);
  EXPECT_EQ(held["clauses"][0], "EVT-STORE-1");
  EXPECT_EQ(session(R"({"cmd":"deliver","watch":"Pod","count":1})")["state"]["attempts"]["default/p"], 0);
  EXPECT_EQ(session(R"({"cmd":"deliver","watch":"Pod"})")["state"]["held"]["watch"], Json::object());
  EXPECT_EQ(session(R"({"cmd":"flush","queue":"leftover"})")["state"]["active"].size(), 1U);
  EXPECT_TRUE(session(R"({"cmd":"state"})").contains("state"));
}

// QUE-PERMIT-1 to QUE-PERMIT-3
TEST(Timeline, HasPodsWaitInPermit) {
  for (const char* result : {"allow", "reject"}) {
    Session session;
    session.begin(R"(,"pods":[{"metadata":{"name":"w","namespace":"default",
        "annotations":{"touchstone.dev/permit-seconds":"60"}}}])");
    EXPECT_EQ(session(R"({"cmd":"cycle"})")["state"]["waiting"], Json::array({"default/w"}));
    const std::string command =
        R"({"cmd":"permit","pod":"default/w","result":")" + std::string(result) + R"("})";
    EXPECT_TRUE(session(command)["state"]["waiting"].empty());
    EXPECT_EQ(session(command)["error"], "not-waiting");
  }
  Session session;
  session.begin();
  EXPECT_EQ(session(R"({"cmd":"permit","pod":"default/w","result":"ok"})")["error"], "unknown-value");
}

// QUE-GANG-1
TEST(Timeline, HasWorkloadsWithTheirGates) {
  Session session;
  const std::string workload =
      R"({"metadata":{"name":"w","namespace":"default"},"spec":{"podGroups":[{"name":"g","policy":{"gang":{"minCount":1}}},{"name":"h"}]}})";
  const Json begun = session(
      R"({"cmd":"init","release":"v1.35.4","now":"2026-01-01T00:00:00Z","featureGates":{"GenericWorkload":true,"GangScheduling":true},"pods":[{"metadata":{"name":"a","namespace":"default"},"spec":{"workloadRef":{"name":"w","podGroup":"g"}}}]})");
  EXPECT_EQ(begun["state"]["gated"]["default/a"], "GangScheduling");
  EXPECT_EQ(session.write("create", "Workload", workload)["state"]["active"], Json::array({"default/a"}));
}

TEST(Timeline, RefusesWhatItCannotDo) {
  Session session;
  EXPECT_EQ(session(R"({"cmd":"cycle"})")["error"], "no-world");
  EXPECT_TRUE(
      session(R"({"cmd":"init","release":"v1.27.16","now":"2026-01-01T00:00:00Z"})").contains("skipped"));
  EXPECT_TRUE(
      session(R"({"cmd":"init","release":"v1.34.0","now":"2026-01-01T00:00:00Z"})").contains("skipped"));
  EXPECT_EQ(session(R"({"cmd":"init","release":"v9","now":"2026-01-01T00:00:00Z"})")["error"],
            "unknown-release");
  EXPECT_EQ(session.begin(R"(,"featureGates":{"NoSuchGate":true})")["error"], "refused-feature-gate");
  EXPECT_TRUE(session.begin(R"(,"featureGates":{"SchedulerAsyncPreemption":false})").contains("skipped"));
  EXPECT_EQ(session.begin(R"(,"config":{"kind":"KubeSchedulerConfiguration"})")["error"],
            "refused-configuration");
  EXPECT_EQ(session.begin(R"(,"config":{"profiles":[]})")["error"], "unknown-field");
  EXPECT_EQ(session.begin(R"(,"pods":[)" + pod_json("a", 0) + "," + pod_json("a", 0) + "]")["error"],
            "exists");
  session.begin();
  EXPECT_EQ(session.write("create", "Service", "{}")["error"], "unknown-value");
  EXPECT_EQ(session.write("update", "Pod", pod_json("x", 0))["error"], "not-found");
  EXPECT_EQ(session.write("delete", "Pod", pod_json("x", 0))["error"], "not-found");
  EXPECT_EQ(session.write("remove", "Node", R"({"metadata":{"name":"x"}})")["error"], "not-found");
  EXPECT_EQ(session.write("update", "Node", R"({"metadata":{"name":"x"}})")["error"], "not-found");
  EXPECT_EQ(session.write("create", "Node", k_node)["error"], "exists");
  const std::string pdb =
      R"({"metadata":{"name":"b","namespace":"default"},"spec":{},"status":{"disruptionsAllowed":1}})";
  EXPECT_EQ(session.write("update", "PodDisruptionBudget", pdb)["error"], "not-found");
  EXPECT_TRUE(session.write("create", "PodDisruptionBudget", pdb).contains("state"));
  EXPECT_TRUE(session.write("delete", "PodDisruptionBudget", pdb).contains("state"));
  EXPECT_EQ(session(R"({"cmd":"advance","seconds":-1})")["error"], "out-of-range");
  EXPECT_EQ(session(R"({"cmd":"advance","seconds":1e3})")["error"], "out-of-range");
  EXPECT_EQ(session(R"({"cmd":"answer","call":"bind","pod":"default/p","result":"ok"})")["error"],
            "not-waiting");
  EXPECT_EQ(session(R"({"cmd":"deliver","watch":"Pod"})")["error"], "not-held");
  EXPECT_EQ(session(R"({"cmd":"state","more":1})")["error"], "unknown-field");
  session.write("create", "Pod", pod_json("p", 10));
  EXPECT_EQ(session(R"({"cmd":"cycle","take":"n9"})")["error"], "not-admissible");
  EXPECT_FALSE(oracle::is_timeline_command("run"));
}

TEST(Timelines, AgreeWithTheRunningReleases) {
  const auto timelines = oracle::read_timelines("spec/vectors/time");
  ASSERT_TRUE(timelines);
  EXPECT_GT(timelines.value().size(), 100U);
  const oracle::VectorReport report = oracle::check_timelines(timelines.value(), {}, [] {});
  for (const oracle::Disagreement& each : report.disagreements)
    ADD_FAILURE() << each.case_name << " " << each.key << ": expected " << each.expected << ", found "
                  << each.found;
  EXPECT_EQ(report.agreed.size(), 11U);  // recorded: 10; worked: one more
  const auto one = oracle::check_timelines(timelines.value(), {.release = "v1.36.3", .name = "none"}, [] {});
  EXPECT_TRUE(one.agreed.empty());
}

// A recorded timeline names the clauses that the reference cites. A worked example names those that it shows.
TEST(Timelines, NameTheClausesTheyShow) {
  for (const char* place : {"spec/vectors/time", "spec/vectors/controllers"}) {
    const auto timelines = oracle::read_timelines(place).value();
    for (const oracle::RecordedTimeline& each : timelines) {
      if (!each.recorded) continue;
      const std::set<std::string> named(each.clauses.begin(), each.clauses.end());
      EXPECT_EQ(oracle::clauses_cited(each), named) << each.name;
    }
  }
}

TEST(Timelines, OfControllersAgreeWithTheRunningReleases) {
  auto timelines = oracle::read_timelines("spec/vectors/controllers").value();
  const oracle::VectorReport report = oracle::check_timelines(timelines, {}, [] {});
  for (const oracle::Disagreement& each : report.disagreements)
    ADD_FAILURE() << each.case_name << " " << each.key << ": expected " << each.expected << ", found "
                  << each.found;
  EXPECT_EQ(report.agreed.size(), 4U);
  // Answers are compared whole.
  timelines.resize(1);
  timelines[0].answers[1]["state"]["more"] = 1;
  const oracle::VectorReport wrong = oracle::check_timelines(timelines, {}, [] {});
  ASSERT_EQ(wrong.disagreements.size(), 1U);
  EXPECT_EQ(wrong.disagreements[0].key, "commands[1].state");
}

TEST(Timelines, ThatAreWrongDisagree) {
  auto timelines = oracle::read_timelines("spec/vectors/time/examples.jsonl").value();
  timelines.resize(1);
  timelines[0].answers[2]["state"]["backoff"] = Json::array();
  const oracle::VectorReport report = oracle::check_timelines(timelines, {}, [] {});
  ASSERT_EQ(report.disagreements.size(), 1U);
  EXPECT_EQ(report.disagreements[0].key, "commands[2].state.backoff");
}

TEST(Timelines, CompareCallsOfOnePodInOrder) {
  const auto differ = [](const char* expected, const char* found) {
    const auto difference = oracle::answer_difference(Json::parse(expected), Json::parse(found));
    return difference ? difference->key : "";
  };
  const char* two = R"({"calls":[{"call":"delete","pod":"a"},{"call":"bind","pod":"b"}]})";
  EXPECT_EQ(differ(two, R"({"calls":[{"call":"bind","pod":"b"},{"call":"delete","pod":"a"}]})"), "");
  EXPECT_EQ(differ(two, R"({"calls":[{"call":"bind","pod":"b"}]})"), "calls");
  EXPECT_EQ(differ("{}", R"({"calls":[{"call":"patch","pod":"b","messageOnly":true}]})"), "");
  EXPECT_EQ(differ(R"({"outcome":"idle"})", R"({"outcome":"busy"})"), "outcome");
  EXPECT_EQ(differ(R"({"error":"x"})", "{}"), "error");
  EXPECT_EQ(differ("{}", R"({"error":"x"})"), "error");
  EXPECT_EQ(differ(R"({"error":"x"})", R"({"error":"y"})"), "");
  EXPECT_EQ(differ(R"({"state":{"pods":{"a":{},"b":{}}}})", R"({"state":{"pods":{"b":{},"a":{}}}})"), "");
}

TEST(Timelines, ThatCannotBeReadNameTheLine) {
  EXPECT_FALSE(oracle::read_timelines("spec/vectors/time/none.jsonl"));
  const std::string path = testing::TempDir() + "broken.jsonl";
  std::ofstream(path) << R"({"name":"a","release":"v1.36.3","clauses":[],"commands":[],"answers":[]})" << "\n"
                      << R"({"name":"b","release":"v1.36.3","clauses":[],"commands":[],"answers":[{}]})"
                      << "\n";
  const auto read = oracle::read_timelines(path);
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().path.ends_with(":2"));
}

}  // namespace touchstone::tests::timeline_test
