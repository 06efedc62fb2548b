#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/shell.hpp"

/// What an answer leaves out is noted beside it, in text and in JSON.
namespace touchstone {

namespace {

const std::string k_container = "containers: [{name: c}]";

/// Runs a command for pod p of a cluster with one node. `spec`: of the pod; `other`: one more object, or
/// empty.
Ran asked(const std::string& command, const std::string& spec, const std::string& other,
          const std::string& arguments) {
  return shell(
      "printf '%s\\n' '---' '{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1, pods: 9}}}'" +
      (other.empty() ? "" : " '---' '" + other + "'") + " '---' '{kind: Pod, metadata: {name: p}, spec: {" +
      spec + "}}' | touchstone " + command + " -f - --pod default/p " + arguments);
}

bool is_noted(const std::string& command, const std::string& note, const std::string& spec,
              const std::string& other = "", const std::string& release = "v1.34") {
  const Ran text = asked(command, spec, other, "--release " + release);
  const Ran json = asked(command, spec, other, "--release " + release + " -o json 2> /dev/null");
  EXPECT_EQ(text.exit_code, json.exit_code);
  bool in_json = false;
  const nlohmann::json answer = nlohmann::json::parse(json.output);
  for (const nlohmann::json& told : answer.value("notes", nlohmann::json::array()))
    in_json = in_json || contains(told.get<std::string>(), note);
  EXPECT_EQ(contains(text.output, note), in_json) << text.output << json.output;
  return in_json;
}

}  // namespace

TEST(Caveats, NameClaimsThatAReleaseIgnores) {
  const std::string claims = "resourceClaims: [{name: gpu, resourceClaimName: g}], " + k_container;
  EXPECT_TRUE(is_noted("decide", "the pod has resource claims (gpu), which this release ignores", claims, "",
                       "v1.33"));
  EXPECT_FALSE(is_noted("decide", "resource claims", k_container, "", "v1.33"));
  const Ran skipped = asked("decide", claims, "", "--release v1.34");
  EXPECT_EQ(skipped.exit_code, 3);
  EXPECT_TRUE(contains(skipped.output, "DynamicResources: the pod has resource claims")) << skipped.output;
  EXPECT_TRUE(contains(skipped.output, "touchstone gives no answer")) << skipped.output;
}

TEST(Caveats, NameNominationsOfAnotherScheduler) {
  const auto nominated = [](const std::string& scheduler) {
    return "{kind: Pod, metadata: {name: q}, spec: {schedulerName: " + scheduler + ", " + k_container +
           "}, status: {nominatedNodeName: n1}}";
  };
  const std::string note = "pods nominated by another scheduler: default/q";
  EXPECT_TRUE(is_noted("decide", note, k_container, nominated("volcano")));
  EXPECT_FALSE(is_noted("decide", note, k_container, nominated("default-scheduler")));
  EXPECT_FALSE(is_noted("decide", note, "schedulerName: volcano, " + k_container, nominated("volcano")));
}

TEST(Caveats, NameWhatAnExtenderMayManageWhereTheAnswerIsExplained) {
  const std::string spec = "containers: [{name: c, resources: {requests: {example.com/gpu: 1}}}]";
  const std::string note = "if an extender manages this resource";
  EXPECT_TRUE(is_noted("explain", note, spec));
  EXPECT_FALSE(is_noted("decide", note, spec));
  EXPECT_FALSE(
      is_noted("explain", note, "containers: [{name: c, resources: {requests: {hugepages-2Mi: 2Mi}}}]"));
}

TEST(Caveats, SayThatSoftConstraintsRejectNoNode) {
  const auto spread = [](const std::string& when) {
    return "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " + when +
           ", labelSelector: {}}], " + k_container;
  };
  const std::string note = "say ScheduleAnyway: they rank nodes, and reject none";
  EXPECT_TRUE(is_noted("explain", note, spread("ScheduleAnyway")));
  EXPECT_FALSE(is_noted("explain", note, spread("DoNotSchedule")));
  EXPECT_FALSE(is_noted("explain", note, k_container));
}

TEST(Aftermath, IsPartOfTheAnswersInTextAndJson) {
  const std::string file =
      " -f examples/situations/evictions-in-vain.yaml --pod default/web-3 --release v1.34";
  for (const std::string command : {"decide", "explain"}) {
    EXPECT_TRUE(contains(run(command + file).output, "futile: after the evictions n1 still")) << command;
    const nlohmann::json json = nlohmann::json::parse(run(command + file + " -o json 2> /dev/null").output);
    EXPECT_EQ(json["aftermath"]["futile"]["plugin"], "PodTopologySpread") << command;
    EXPECT_EQ(json["aftermath"]["futile"]["divergence"], "Terminating pods that were never counted");
    EXPECT_TRUE(json["aftermath"]["needless"].empty());
  }
  const std::string good = "decide -f examples/training-job.json --pod prod/web-0 --release v1.34";
  EXPECT_FALSE(contains(run(good).output, "futile:"));
  const nlohmann::json json = nlohmann::json::parse(run(good + " -o json 2> /dev/null").output);
  EXPECT_FALSE(json["aftermath"].contains("futile"));
}

TEST(Caveats, OfAQueueNameThePodsThatAreLeftOut) {
  const std::string cluster =
      "printf '%s\\n' '---' '{kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1, pods: 9}}}' "
      "'---' "
      "'{kind: Pod, metadata: {name: gated}, spec: {schedulingGates: [{name: g}], " +
      k_container + "}}' '---' '{kind: Pod, metadata: {name: foreign}, spec: {schedulerName: volcano, " +
      k_container + "}, status: {nominatedNodeName: n1}}' '---' '{kind: Pod, metadata: {name: own}, spec: {" +
      k_container + "}}' | touchstone queue -f - --release v1.34 ";
  const nlohmann::json answer = nlohmann::json::parse(shell(cluster + "-o json 2> /dev/null").output);
  EXPECT_EQ(answer["results"].size(), 1u) << answer;
  EXPECT_EQ(answer["results"][0]["pod"], "default/own");
  const Ran text = shell(cluster);
  for (const std::string note :
       {"1 pending pod is gated, and left out, because kube-scheduler does not try it: default/gated",
        "1 pending pod names another scheduler, and left out",
        "pods nominated by another scheduler: default/foreign"}) {
    EXPECT_TRUE(contains(text.output, note)) << note << "\n" << text.output;
    EXPECT_TRUE(contains(answer["notes"].dump(), note)) << note << "\n" << answer;
  }
}

}  // namespace touchstone
