#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// `touchstone replay`.
namespace touchstone {

namespace {

using tests::TemporaryDirectory;

const std::string k_recorded =
    "replay --trace spec/vectors/time/v1.36.3.jsonl --name time/v1.36.3/scene-three-victims-first-fails ";

}  // namespace

TEST(Replay, AcceptsARecordedRun) {
  const Ran ran = run(k_recorded);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "accepted: ")) << ran.output;
  const nlohmann::json json = nlohmann::json::parse(run(k_recorded + "-o json").output);
  EXPECT_EQ(json["verdict"], "accepted");
  EXPECT_EQ(json["hidden"], 0);
}

TEST(Replay, NamesTheFirstStepThatNoPathExplains) {
  const Ran ran = run(k_recorded + "--release v1.32.2");
  EXPECT_EQ(ran.exit_code, 1) << ran.output;
  EXPECT_TRUE(contains(ran.output, "no path of the model explains")) << ran.output;
  EXPECT_TRUE(contains(ran.output, "admissible: ")) << ran.output;
  const nlohmann::json json = nlohmann::json::parse(run(k_recorded + "--release v1.32.2 -o json").output);
  EXPECT_EQ(json["verdict"], "rejected");
  EXPECT_FALSE(json["unexplained"]["admissible"].empty());
}

TEST(Replay, FindsStepsThatTheTraceLeavesOut) {
  const TemporaryDirectory scratch;
  const std::string node =
      R"({"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","memory":"1Gi","pods":"10"}}})";
  const std::string pod =
      R"({"metadata":{"name":"p","namespace":"default","uid":"u-p"},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}})";
  const std::string start = R"({"cmd":"init","release":"v1.36.3","now":"2026-01-01T00:00:00Z","nodes":[)" +
                            node + R"(],"pods":[)" + pod + "]}\n";
  const std::string bound = R"({"state":{"pods":{"default/p":{"nodeName":"n1"}}}})";
  const std::string trace = scratch.write("trace.jsonl", start + bound + "\n");
  const Ran ran = run("replay --trace " + trace);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "with at most 1 hidden step before a step")) << ran.output;
  EXPECT_EQ(run("replay --hidden 0 --trace " + trace).exit_code, 1);
  const std::string wrong =
      scratch.write("wrong.jsonl", start + R"({"state":{"pods":{"default/p":{"nodeName":"n2"}}}})" + "\n");
  const Ran rejected = run("replay --trace " + wrong);
  EXPECT_EQ(rejected.exit_code, 1) << rejected.output;
  EXPECT_TRUE(contains(rejected.output, "wrong.jsonl:2")) << rejected.output;
}

TEST(Replay, NamesWhatIsWrong) {
  const TemporaryDirectory scratch;
  for (const char* text :
       {"5\n", R"({"cmd":"cycle"})", R"({"command":5})", R"({"commands":[],"answers":[5]})",
        R"({"cmd":"what"})", R"({"cmd":"init","release":"v9"})"}) {
    const Ran ran = run("replay --trace " + scratch.write("trace.jsonl", text));
    EXPECT_EQ(ran.exit_code, 2) << text << ran.output;
    EXPECT_TRUE(contains(ran.output, "trace.jsonl:1")) << text << ran.output;
  }
  EXPECT_EQ(run("replay --trace no-such-file").exit_code, 2);
  EXPECT_EQ(run("replay --trace spec/vectors/time/examples.jsonl --name none").exit_code, 2);
  const std::string old = R"({"cmd":"init","release":"v1.20.0","now":"2026-01-01T00:00:00Z"})";
  EXPECT_EQ(run("replay --trace " + scratch.write("old.jsonl", old)).exit_code, 3);
}

}  // namespace touchstone
