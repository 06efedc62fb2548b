#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"
#include "tests/support/files.hpp"

/// --config and --feature-gates of each command that decides.
namespace touchstone {

namespace tests::scheduler_options_test {

namespace {

const std::string k_zones = " -f examples/scores/two-zones.yaml ";
const std::string k_pack = "--config examples/scores/pack.yaml ";

/// The commands that decide for one pod, with the pod.
const std::vector<std::string> k_commands = {"decide" + k_zones + "--pod shop/report-3 ",
                                             "schedule" + k_zones + "--pod shop/report-3 ",
                                             "explain" + k_zones + "--pod shop/report-3 ",
                                             "certify" + k_zones + "--pod shop/report-3 ", "queue" + k_zones};

void expect_refused(const Ran& result, const std::string& code, const std::string& part) {
  EXPECT_EQ(result.exit_code, 2) << result.output;
  EXPECT_TRUE(result.output.ends_with(" [" + code + "]\n")) << result.output;
  EXPECT_EQ(lines_of(result.output).size(), 1u) << result.output;
  EXPECT_TRUE(contains(result.output, part)) << result.output;
}

nlohmann::json json_of(const std::string& arguments) {
  return nlohmann::json::parse(run(arguments + " -o json 2> /dev/null").output, nullptr, false);
}

constexpr const char* k_head =
    "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

}  // namespace

// CYC-PROFILE-1: the same files are refused by every command, each in one line.
TEST(SchedulerOptions, RefuseAWrongConfigurationInEachCommand) {
  TemporaryDirectory scratch;
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "config.yaml"},
      {"[", "config.yaml"},
      {std::string(k_head) + "percentageOfNodesToScore: -1\n",
       "Invalid value: -1: not in valid range [0-100]"},
      {std::string(k_head) + "profiles: [{nonsense: true}]\n", "strict decoding error: unknown field"},
      {std::string(k_head) + "---\n" + k_head, "expected one document"},
      {"apiVersion: kubescheduler.config.k8s.io/v9\nkind: KubeSchedulerConfiguration\n", "is registered for"},
      {std::string(100000, '{'), "config.yaml"}};
  for (const auto& [text, part] : wrong) {
    const std::string file = scratch.write("config.yaml", text);
    for (const std::string& command : k_commands) {
      const Ran result = run(command + "--release v1.34 --config " + file);
      EXPECT_EQ(result.exit_code, 2) << command << "\n" << result.output;
      EXPECT_EQ(lines_of(result.output).size(), 1u) << result.output;
      EXPECT_TRUE(contains(result.output, part)) << command << part << "\n" << result.output;
    }
  }
  for (const std::string& command : k_commands)
    expect_refused(run(command + "--config /no/such/file"), "file-unreadable", "/no/such/file");
  expect_refused(run("subject --config /no/such/file < /dev/null"), "file-unreadable", "/no/such/file");
}

// CYC-GATES-1
TEST(SchedulerOptions, RefuseWrongFeatureGatesInEachCommand) {
  for (const std::string& command : k_commands) {
    const std::string asked = command + "--release v1.36 --feature-gates ";
    expect_refused(run(asked + "NoSuchGate=true"), "refused-feature-gate",
                   "--feature-gates: unrecognized feature gate: NoSuchGate");
    expect_refused(run(asked + "SidecarContainers=false"), "refused-feature-gate",
                   "cannot set feature gate SidecarContainers to false, feature is locked to true");
    expect_refused(run(asked + "AllAlpha"), "refused-feature-gate", "missing bool value for AllAlpha");
    expect_refused(run(asked + "AllAlpha=maybe"), "refused-feature-gate", "invalid value of AllAlpha=maybe");
    EXPECT_EQ(run(asked + "AllAlpha=false").exit_code, 0) << asked;
    const Ran skipped = run(asked + "GenericWorkload=true");
    EXPECT_EQ(skipped.exit_code, 3) << skipped.output;
    EXPECT_TRUE(contains(skipped.output, "feature gate GenericWorkload=true")) << skipped.output;
  }
  expect_refused(run("subject --feature-gates X < /dev/null"), "refused-feature-gate",
                 "missing bool value for X");
}

// CYC-GATES-1, PRE-ELIGIBLE-1: NonPreemptingPriority off in v1.20, where it is on by default.
TEST(SchedulerOptions, ApplyFeatureGates) {
  const std::string cluster =
      "printf '%s\\n' '---' '{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1, pods: 9}}}' "
      "'---' '{kind: Pod, metadata: {name: a}, spec: {nodeName: n1, priority: 0, containers: [{name: c, "
      "resources: {requests: {cpu: 1}}}]}}' '---' '{kind: Pod, metadata: {name: p}, spec: {priority: 9, "
      "preemptionPolicy: Never, containers: [{name: c, resources: {requests: {cpu: 1}}}]}}' | touchstone ";
  for (const std::string command : {"decide", "schedule", "explain"}) {
    const std::string asked = cluster + command + " -f - --pod p --release v1.20 -o json";
    EXPECT_TRUE(contains(shell(asked + " 2> /dev/null").output, "ineligible")) << command;
    const Ran gated = shell(asked + " --feature-gates NonPreemptingPriority=false 2> /dev/null");
    EXPECT_EQ(nlohmann::json::parse(gated.output)["outcome"], "nominated") << command;
  }
  const Ran queue = shell(cluster + "queue -f - --release v1.20 --feature-gates NonPreemptingPriority=false");
  EXPECT_TRUE(contains(queue.output, "1 nominated; 1 pod evicted")) << queue.output;
}

// CYC-PROFILE-1, SCORE-STRATEGY-2
TEST(SchedulerOptions, ConfigureQueueAndExplain) {
  const auto node_of = [](const std::string& more) {
    std::string node;
    const nlohmann::json answer = json_of("queue" + k_zones + "--release v1.34 " + more);
    for (const nlohmann::json& step : answer["results"]) {
      if (step["pod"] == "shop/report-3") node = step["node"];
    }
    return node;
  };
  EXPECT_NE(node_of(""), "b1");
  EXPECT_EQ(node_of(k_pack), "b1");
  const std::string explain = "explain" + k_zones + "--pod shop/report-3 --release v1.34 ";
  EXPECT_TRUE(contains(run(explain).output, "[SCORE-LEAST-1]"));
  const Ran packed = run(explain + k_pack);
  EXPECT_EQ(packed.exit_code, 0) << packed.output;
  EXPECT_TRUE(contains(packed.output, "[SCORE-STRATEGY-2]")) << packed.output;
  EXPECT_TRUE(contains(packed.output, "b1 has the highest total")) << packed.output;
}

// CYC-PROFILE-1: every profile counts for its own pods, and a pod without a profile is left out and listed.
TEST(SchedulerOptions, GiveEachPodOfAQueueItsProfile) {
  TemporaryDirectory scratch;
  const std::string config = scratch.write(
      "config.yaml",
      std::string(k_head) + "profiles: [{schedulerName: default-scheduler}, {schedulerName: own}]\n");
  const auto pod = [](const std::string& name, const std::string& scheduler) {
    return "'---' '{kind: Pod, metadata: {name: " + name + "}, spec: {schedulerName: " + scheduler +
           ", containers: [{name: c}]}}' ";
  };
  const std::string cluster =
      "printf '%s\\n' '---' '{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1, pods: 9}}}' " +
      pod("a", "own") + pod("b", "default-scheduler") + pod("c", "volcano") +
      "| touchstone queue -f - --release v1.34 ";
  const nlohmann::json alone = nlohmann::json::parse(shell(cluster + "-o json 2> /dev/null").output);
  EXPECT_EQ(alone["results"].size(), 1u) << alone;
  const Ran both = shell(cluster + "--config " + config);
  EXPECT_EQ(both.exit_code, 0) << both.output;
  EXPECT_TRUE(contains(both.output, "2 pods decided, 2 scheduled")) << both.output;
  EXPECT_TRUE(contains(both.output, "1 pending pod names another scheduler, and left out")) << both.output;
  EXPECT_TRUE(contains(both.output, "default/c")) << both.output;
}

// What the certificates do not state is beyond reach; what changes scores alone is certified.
TEST(SchedulerOptions, CertifyOnlyWhatIsSound) {
  TemporaryDirectory scratch;
  const std::string certify =
      "certify -f examples/training-job.json --pod prod/web-0 --release v1.34 --config ";
  const auto with_profile = [&](const std::string& profile) {
    return run(certify + scratch.write("config.yaml", std::string(k_head) + "profiles: [" + profile + "]\n"));
  };
  EXPECT_EQ(run(certify + "examples/scores/pack.yaml").exit_code, 0);
  for (const auto& [profile, reason] : std::vector<std::pair<std::string, std::string>>{
           {"{plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}}",
            "NodeResourcesFit does not filter"},
           {"{plugins: {preFilter: {disabled: [{name: NodePorts}]}}}", "a filter runs without its PreFilter"},
           {"{plugins: {postFilter: {disabled: [{name: \"*\"}]}}}", "the profile does not preempt"},
           {"{pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [nvidia.com/gpu]}}]}",
            "NodeResourcesFit ignores resources"},
           {"{pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, defaultConstraints: "
            "[{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}}]}",
            "PodTopologySpread has default constraints"}}) {
    const Ran result = with_profile(profile);
    EXPECT_EQ(result.exit_code, 3) << profile << "\n" << result.output;
    EXPECT_TRUE(contains(result.output, "configuration: " + reason)) << result.output;
  }
  TemporaryDirectory other;
  const std::string sampling = other.write(
      "config.yaml",
      std::string(k_head) +
          "profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesAbsolute: 1}}]}]\n");
  EXPECT_EQ(run(certify + sampling).exit_code, 0);
  EXPECT_TRUE(contains(run(certify + sampling + " --offset 0").output, "another number of candidates"));
}

// A subject applies them to questions that have none of their own.
TEST(SchedulerOptions, AreTheDefaultsOfASubject) {
  const std::string question =
      R"({"cmd":"run","seq":1,"release":"v1.34.4","nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":)"
      R"({"cpu":"1","pods":"9"}}}],"pods":[],"pod":{"metadata":{"name":"p","namespace":"default"},"spec":)"
      R"({"containers":[{"name":"c"}]}}})";
  const auto answered = [&](const std::string& options) {
    return shell("echo '" + question + "' | touchstone subject " + options).output;
  };
  EXPECT_TRUE(contains(answered(""), "\"fits\""));
  EXPECT_TRUE(contains(answered(k_pack), "\"fits\""));
  EXPECT_TRUE(
      contains(answered("--feature-gates GangScheduling=true"), "unrecognized feature gate: GangScheduling"));
  EXPECT_TRUE(contains(answered("--feature-gates StorageCapacityScoring=true"), "\"fits\""));
}

}  // namespace tests::scheduler_options_test

}  // namespace touchstone
