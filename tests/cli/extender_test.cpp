#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// Extenders on the command line: `touchstone extender`, and commands that ask extenders over HTTP.
namespace touchstone {

namespace tests::extender_test {

namespace {

/// Starts a server in a directory, waits until it listens, and runs a script in which $port is its port and
/// $dir the directory. Then ends the server.
Ran with_server(const std::string& server, const std::string& script) {
  const TemporaryDirectory scratch;
  return shell("dir=" + scratch.path() + "; " + server +
               " > $dir/log & server=$!; trap 'kill $server' EXIT\n"
               "for i in $(seq 300); do grep --quiet listening $dir/log && break; sleep 0.1; done\n"
               "port=$(sed --quiet 's/.*://p' $dir/log)\n"
               "sed \"s/8888/$port/\" examples/extenders/scheduler.yaml > $dir/scheduler.yaml\n" +
               script);
}

const std::string k_table = "touchstone extender --table examples/extenders/table.yaml --port 0";
const std::string k_cluster =
    " -f examples/extenders/cluster.yaml --pod shop/web --config $dir/scheduler.yaml";

}  // namespace

// EXT-FILTER-1, EXT-SCORE-1
TEST(Extender, IsAskedByScheduleAndAnswersFromItsTables) {
  const Ran ran = with_server(k_table, "touchstone schedule" + k_cluster + " --release v1.36");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "scheduled: node c, with the highest total")) << ran.output;
  EXPECT_TRUE(contains(ran.output, "node is about to be maintained")) << ran.output;
}

TEST(Extender, IsAskedByDecide) {
  const Ran ran = with_server(k_table, "touchstone decide" + k_cluster + " --release v1.36 -o json");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "\"fits\"")) << ran.output;
}

// The sixty lines of docs/extenders.md give the same decision as the table.
TEST(Extender, OfThePageDecidesAsItsTable) {
  const Ran ran = with_server(
      "python3 -c 'import sys; sys.path.insert(0, \"examples/extenders\"); import extender as e; "
      "s = e.ThreadingHTTPServer((\"127.0.0.1\", 0), e.Extender); "
      "print(f\"listening on http://127.0.0.1:{s.server_port}\", flush=True); "
      "s.serve_forever()'",
      "touchstone schedule" + k_cluster + " --release v1.36");
  EXPECT_TRUE(contains(ran.output, "scheduled: node c, with the highest total")) << ran.output;
  EXPECT_TRUE(contains(ran.output, "node is about to be maintained")) << ran.output;
}

// EXT-ERROR-1
TEST(Extender, ThatDoesNotAnswerCostsOneNote) {
  const Ran ran = shell(
      "touchstone schedule -f examples/extenders/cluster.yaml --pod shop/web --release v1.36 "
      "--config <(sed 's/127.0.0.1:8888/127.0.0.1:1/' examples/extenders/scheduler.yaml)");
  EXPECT_TRUE(contains(ran.output, "extender 0 (http://127.0.0.1:1), verb filter: no answer")) << ran.output;
}

TEST(Extender, RefusesAFileThatItCannotServe) {
  const TemporaryDirectory scratch;
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"extenders: []", "expected one extender"},
           {"extenders: [{filter: {}}]", "expected filterVerb beside the table filter"},
           {"extenders: [{preemptVerb: preempt}]", "extenders[0].preempt: expected a table"},
           {"extenders: [{filterVerb: filter, filter: {}, prioritizeVerb: p, weight: 1}]",
            "extenders[0].prioritize: expected a table"},
           {"a: 1\n---\nb: 2", "expected one document"}}) {
    const Ran ran = run("extender --table " + scratch.write("table.yaml", text));
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(contains(ran.output, part)) << ran.output;
  }
  EXPECT_TRUE(contains(run("extender --table examples/extenders/scheduler.yaml").output,
                       "extenders[0].filter: expected a table"));
  EXPECT_EQ(run("extender --table /no/such/file").exit_code, 2);
  const Ran elsewhere = run("extender --table examples/extenders/table.yaml --host 192.0.2.1");
  EXPECT_EQ(elsewhere.exit_code, 2) << elsewhere.output;
  EXPECT_TRUE(contains(elsewhere.output, "[cannot-listen]")) << elsewhere.output;
}

// POL-SET-3
TEST(Policy, ChoosesTheScorers) {
  const TemporaryDirectory scratch;
  const std::string policy =
      scratch.write("policy.yaml",
                    "kind: Policy\napiVersion: v1\npriorities: [{name: MostRequestedPriority, weight: 2}]\n");
  const std::string asked = "schedule -f examples/extenders/cluster.yaml --pod shop/web --policy " + policy;
  const Ran ran = run(asked + " --release v1.13");
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "MostRequestedPriority x2")) << ran.output;
  const Ran refused = run(asked + " --release v1.30");
  EXPECT_EQ(refused.exit_code, 2) << refused.output;
  EXPECT_TRUE(contains(refused.output, "reads no Policy; v1.22 is the last release that does"))
      << refused.output;
  EXPECT_EQ(run(asked + " --release v1.13 --config examples/scores/pack.yaml").exit_code, 2);
}

}  // namespace tests::extender_test

}  // namespace touchstone
