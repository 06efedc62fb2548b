#include "oracle/protocol/parts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "oracle/protocol/protocol.hpp"

/// The controllers beside the scheduler by the protocol: what a line may say, and what is refused.
namespace touchstone::tests::parts_test {

using oracle::Json;

namespace {

constexpr const char* k_election =
    R"({"cmd":"init","part":"leaderElection","release":"v1.37.2","electors":[{"name":"a","now":1000000000000,
    "leaseDurationSeconds":15,"renewDeadlineSeconds":10,"retryPeriodSeconds":2,"jitter":0}]})";
constexpr const char* k_disruption =
    R"({"cmd":"init","part":"disruption","release":"v1.37.2","now":1000000000000,
    "workloads":[{"name":"ReplicaSet/r","replicas":2}],"pdbs":[{"name":"b","app":"x","maxUnavailable":"50%"}],
    "pods":[{"name":"p","app":"x","ready":true,"phase":"Running","owner":"ReplicaSet/r"}]})";

/// A text without line breaks, as the protocol has it.
std::string one_line(std::string text) {
  std::erase(text, '\n');
  return text;
}

class Session {
 public:
  explicit Session(const char* init) { begun_ = (*this)(init); }
  Json operator()(const std::string& line) { return Json::parse(subject_.answer(one_line(line))); }
  const Json& begun() const { return begun_; }

 private:
  oracle::Subject subject_;
  Json begun_;
};

/// A text in which `old` is replaced.
std::string with(std::string text, const std::string& old, const std::string& fresh) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), fresh);
}

}  // namespace

TEST(Parts, PlayAnElection) {
  Session session(k_election);
  ASSERT_TRUE(session.begun().contains("state")) << session.begun();
  EXPECT_EQ(session.begun()["state"]["electors"]["a"]["phase"], "stopped");
  const Json started = session(R"({"cmd":"start","seq":4,"elector":"a"})");
  EXPECT_EQ(started["seq"], 4);
  EXPECT_EQ(started["state"]["electors"]["a"]["phase"], "leading");
  EXPECT_EQ(started["state"]["lease"]["holderIdentity"], "a");
}

TEST(Parts, PlayTheDisruptionController) {
  Session session(k_disruption);
  ASSERT_TRUE(session.begun().contains("state")) << session.begun();
  const Json worked = session(R"({"cmd":"work","queue":"budgets"})");
  EXPECT_EQ(worked["outcome"], "done");
  EXPECT_EQ(worked["state"]["pdbs"]["b"]["expectedPods"], 2);
  EXPECT_EQ(worked["state"]["pdbs"]["b"]["desiredHealthy"], 1);
  EXPECT_EQ(session(R"({"cmd":"cycle"})")["error"]["code"], "unknown-value");
}

TEST(Parts, HaveClausesIfAsked) {
  Session session(with(k_disruption, "\"now\"", "\"trace\":true,\"now\"").c_str());
  const Json worked = session(R"({"cmd":"work","queue":"budgets"})");
  EXPECT_NE(worked["clauses"].dump().find("BUD-SCALE-1"), std::string::npos) << worked["clauses"];
}

TEST(Parts, EndWithTheNextInit) {
  Session session(k_election);
  session(R"({"cmd":"init","release":"v1.37.2","now":"2026-01-01T00:00:00Z"})");
  EXPECT_EQ(session(R"({"cmd":"cycle"})")["outcome"], "idle");
  EXPECT_EQ(session(R"({"cmd":"start","elector":"a"})")["error"]["code"], "unknown-value");
}

TEST(Parts, AreNotModelledInEachRelease) {
  const Json early = Session(with(k_disruption, "v1.37.2", "v1.25.16").c_str()).begun();
  EXPECT_EQ(early["skipped"], "the disruption controller of releases before v1.26");
  EXPECT_TRUE(Session(with(k_election, "v1.37.2", "v1.13.0").c_str()).begun().contains("state"));
}

TEST(Parts, RefuseAnInitThatCannotBe) {
  const std::vector<std::array<std::string, 4>> cases = {
      {k_election, "leaderElection", "cron", "unknown-value"},
      {k_election, "v1.37.2", "v9", "unknown-release"},
      {k_election, "\"name\":\"a\",", "", "missing-field"},
      {k_election, "\"name\":\"a\"", "\"name\":\"a\",\"size\":1", "unknown-field"},
      {k_election, "1000000000000", "-1", "out-of-range"},
      {k_election, "1000000000000", "9000000000000000000", "out-of-range"},
      {k_election, "\"renewDeadlineSeconds\":10", "\"renewDeadlineSeconds\":15", "out-of-range"},
      {k_election, "\"retryPeriodSeconds\":2", "\"retryPeriodSeconds\":9", "out-of-range"},
      {k_election, "\"retryPeriodSeconds\":2", "\"retryPeriodSeconds\":0", "out-of-range"},
      {k_election, "\"jitter\":0", "\"jitter\":4", "out-of-range"},
      {k_election, "\"electors\":[", "\"lease\":{},\"electors\":[", "missing-field"},
      {k_disruption, "\"now\":1000000000000,", "", "missing-field"},
      {k_disruption, "\"replicas\":2", "\"replicas\":-2", "out-of-range"},
      {k_disruption, "50%", "101%", "out-of-range"},
      {k_disruption, "50%", "99999999999999999999%", "out-of-range"},
      {k_disruption, "50%", "5", "out-of-range"},
      {k_disruption, "\"maxUnavailable\"", "\"minAvailable\":1,\"maxUnavailable\"", "contradiction"},
      {k_disruption, "\"ready\":true", "\"ready\":1", "wrong-type"},
      {k_disruption, "\"app\":\"x\",\"max", "\"app\":\"x\",\"disruptedPods\":{\"p\":\"now\"},\"max",
       "wrong-type"},
  };
  for (const auto& [init, old, fresh, code] : cases) {
    Session session(with(init, old, fresh).c_str());
    ASSERT_TRUE(session.begun().contains("error")) << fresh << session.begun();
    EXPECT_EQ(session.begun()["error"]["code"], code) << fresh << session.begun();
    EXPECT_EQ(session(R"({"cmd":"state"})")["error"]["code"], "no-world");
  }
}

TEST(Parts, RefuseALineThatCannotBeAndAreUnchanged) {
  const std::vector<std::array<std::string, 3>> cases = {
      {k_election, R"({"cmd":"start","elector":"b"})", "not-found"},
      {k_election, R"({"cmd":"start"})", "missing-field"},
      {k_election, R"({"cmd":"stop","elector":"a"})", "not-running"},
      {k_election, R"({"cmd":"work","queue":"budgets"})", "unknown-value"},
      {k_election, R"({"cmd":"advance","elector":"a","nanoseconds":86400000000001})", "out-of-range"},
      {k_election, R"({"cmd":"advance","elector":"a","seconds":1})", "unknown-field"},
      {k_election, R"({"cmd":"hold","elector":"a","call":"get"})", "not-running"},
      {k_election, R"({"cmd":"answer","elector":"a","result":"ok"})", "not-waiting"},
      {k_election, R"({"cmd":"write","lease":7})", "wrong-type"},
      {k_disruption, R"({"cmd":"start","elector":"a"})", "unknown-value"},
      {k_disruption, R"({"cmd":"work","queue":"pods"})", "unknown-value"},
      {k_disruption, R"({"cmd":"work"})", "missing-field"},
      {k_disruption, R"({"cmd":"evict","pod":"p","pdb":"b"})", "refused"},
      {k_disruption, R"({"cmd":"answer","result":"ok"})", "not-waiting"},
      {k_disruption, R"({"cmd":"deliver","watch":"Pod"})", "not-held"},
      {k_disruption, R"({"cmd":"deliver","watch":"Node"})", "unknown-value"},
      {k_disruption, R"({"cmd":"hold"})", "missing-field"},
      {k_disruption, R"({"cmd":"write","verb":"create","kind":"Pod","object":{"name":"p"}})", "not-found"},
      {k_disruption, R"({"cmd":"write","verb":"update","kind":"Pod","object":{"name":"q"}})", "not-found"},
      {k_disruption, R"({"cmd":"write","verb":"remove","kind":"Workload","object":{"name":"q"}})",
       "not-found"},
      {k_disruption, R"({"cmd":"write","verb":"burn","kind":"Pod","object":{"name":"p"}})", "unknown-value"},
      {k_disruption, R"({"cmd":"advance","nanoseconds":-1})", "out-of-range"},
  };
  for (const auto& [init, line, code] : cases) {
    Session session(init.c_str());
    const Json before = session(R"({"cmd":"state"})");
    const Json refused = session(line);
    ASSERT_TRUE(refused.contains("error")) << line << refused;
    EXPECT_EQ(refused["error"]["code"], code) << line << refused;
    EXPECT_EQ(session(R"({"cmd":"state"})"), before) << line;
  }
}

TEST(Parts, ClocksEnd) {
  Session session(with(k_disruption, "1000000000000", "3999999999999999999").c_str());
  EXPECT_TRUE(session(R"({"cmd":"advance","nanoseconds":1})").contains("state"));
  EXPECT_EQ(session(R"({"cmd":"advance","nanoseconds":1})")["error"]["code"], "out-of-range");
}

}  // namespace touchstone::tests::parts_test
