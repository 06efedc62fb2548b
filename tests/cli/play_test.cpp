#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// `touchstone play`: recorded, written and generated timelines.
namespace touchstone {

TEST(Play, ShowsWhatEachCommandChanges) {
  const Ran ran = run("play spec/vectors/time/examples.jsonl --name time/examples/node-is-deleted-v1.36.3");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "the scheduler starts: v1.36.3")) << ran.output;
  EXPECT_TRUE(
      contains(ran.output, "unschedulable, attempts 1, rejected by PodTopologySpread, TaintToleration"))
      << ran.output;
  EXPECT_TRUE(contains(ran.output, "write delete Node n2")) << ran.output;
}

TEST(Play, GeneratesTheSameTimelineAgain) {
  const std::string arguments = "play --release v1.36.3 --seed 1 --number 7 --clauses";
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_EQ(ran.output, run(arguments).output);
  EXPECT_TRUE(contains(ran.output, "by QUE-START-1") || contains(ran.output, "QUE-START-1")) << ran.output;
  const Ran commands = run("play --release v1.36.3 --seed 1 --number 7 --commands");
  const std::vector<std::string> lines = lines_of(commands.output);
  ASSERT_GT(lines.size(), 4u);
  EXPECT_EQ(nlohmann::json::parse(lines[0])["cmd"], "init");
}

TEST(Play, PrintsCommandsAndAnswersAsJson) {
  const Ran ran = run("play --release v1.37.2 --number 3 --until 2 -o json");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const nlohmann::json json = nlohmann::json::parse(ran.output);
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["command"]["release"], "v1.37.2");
  EXPECT_TRUE(json[0]["answer"].contains("state"));
}

TEST(Play, PlaysTheControllersBesideTheScheduler) {
  for (const std::string part : {"disruption", "leaderElection"}) {
    const Ran ran = run("play --part " + part + " --release v1.37.2 --number 3 --clauses");
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    EXPECT_TRUE(contains(ran.output, part == "disruption" ? "BUD-" : "LEA-")) << ran.output;
    EXPECT_FALSE(contains(run("play --part " + part + " --release v1.37.2 --number 3").output, "clauses"));
    const Ran commands = run("play --part " + part + " --release v1.37.2 --number 3 --commands");
    const TemporaryDirectory scratch;
    EXPECT_EQ(run("play " + scratch.write("lines.jsonl", commands.output) + " --clauses").output, ran.output);
  }
  EXPECT_EQ(run("play --part disruption --release v1.25.16").exit_code, 2);
  EXPECT_EQ(run("play --part kubelet").exit_code, 2);
}

TEST(Play, FollowsOnePod) {
  const Ran ran =
      run("play spec/vectors/time/v1.36.3.jsonl --name time/v1.36.3/scene-three-victims-first-fails --pod "
          "default/p");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "default/p")) << ran.output;
}

TEST(Play, RefusesWhatIsNoTimeline) {
  EXPECT_EQ(run("play README.md").exit_code, 2);
  EXPECT_EQ(run("play no-such-file").exit_code, 2);
  EXPECT_EQ(run("play spec/vectors/time/examples.jsonl --name none").exit_code, 2);
  EXPECT_EQ(run("play --release v1.20.0").exit_code, 2);
  const TemporaryDirectory scratch;
  const auto played = [&](const std::string& text) {
    return run("play --release v1.36.3 " + scratch.write("timeline.jsonl", text));
  };
  const Ran error = played(R"({"cmd":"cycle"})");
  EXPECT_EQ(error.exit_code, 2) << error.output;
  EXPECT_TRUE(contains(error.output, "error: ")) << error.output;
  const char* start = R"({"cmd":"init"})"
                      "\n";
  for (const std::string text :
       {R"({"cmd":5})", R"({"commands":[]})", R"({"commands":[5,[]]})", R"({"commands":{"cmd":"init"}})", "5",
        R"({"name":5,"commands":[{"cmd":"init","nodes":5}]})", R"({"cmd":"init","re)"}) {
    const Ran ran = played(text);
    EXPECT_EQ(ran.exit_code, 2) << text << ran.output;
    EXPECT_TRUE(contains(ran.output, "timeline-malformed") || contains(ran.output, "error: ")) << ran.output;
  }
  for (const char* text : {R"({"cmd":"write","object":5})", R"({"cmd":"write","object":{}})",
                           R"({"cmd":"advance","seconds":"5"})",
                           R"({"cmd":"write","verb":"create","kind":"Pod","object":{"metadata":5}})",
                           R"({"cmd":"deliver","watch":5})", R"({"cmd":"cycle","take":[]})"}) {
    const Ran ran = played(start + std::string(text));
    EXPECT_EQ(ran.exit_code, 2) << text << ran.output;
    EXPECT_TRUE(contains(ran.output, "error: ")) << text << ran.output;
  }
}

}  // namespace touchstone
