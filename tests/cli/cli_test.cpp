#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/shell.hpp"

/// The answers of the commands.
namespace touchstone {

namespace {

/// Expects one line of error with this code in brackets, and the exit code for bad input.
void expect_error(const std::string& arguments, const std::string& code) {
  const Ran result = run(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.output;
  EXPECT_NE(result.output.find("[" + code + "]"), std::string::npos) << arguments << "\n" << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << arguments << "\n"
                                                                             << result.output;
}

const std::string k_decide = "decide -f examples/training-job.json ";

}  // namespace

TEST(Cli, DecidesTheExampleCluster) {
  const Ran text = run(k_decide + "--pod prod/web-0 --release v1.34");
  EXPECT_EQ(text.exit_code, 0) << text.output;
  EXPECT_NE(text.output.find("nominated: node "), std::string::npos) << text.output;
  const Ran json = run(k_decide + "--pod prod/web-0 --release v1.34 -o json 2> /dev/null");
  const nlohmann::json answer = nlohmann::json::parse(json.output);
  EXPECT_EQ(answer["outcome"], "nominated");
  EXPECT_EQ(answer["release"], "v1.34.13");
  EXPECT_EQ(answer["anyOrder"][0]["node"], answer["node"]);
}

TEST(Cli, DecidesByEitherEngine) {
  const std::string asked = k_decide + "--pod prod/web-0 --release v1.34 -o json ";
  const auto by = [&](const std::string& engine) {
    return nlohmann::json::parse(run(asked + "--engine " + engine + " 2> /dev/null").output);
  };
  nlohmann::json whole = by("reference");
  const nlohmann::json part = by("optimized");
  EXPECT_EQ(by("both"), whole);
  EXPECT_EQ(by("auto"), whole);
  EXPECT_EQ(part["engine"], "optimized");
  for (const char* key :
       {"outcome", "node", "victims", "numPDBViolations", "admissible", "clears", "nomination"})
    EXPECT_EQ(part[key], whole[key]) << key;
  for (const char* key : {"filter", "dryRun", "candidates", "message", "anyOrder"})
    EXPECT_FALSE(part.contains(key)) << key;
  const Ran text = run(k_decide + "--pod prod/web-0 --release v1.34 --engine optimized");
  EXPECT_NE(text.output.find("Decided by the optimized engine"), std::string::npos) << text.output;
  expect_error(k_decide + "--engine fast", "usage");
}

TEST(Cli, DecidesAllThatWait) {
  const std::string asked = "queue -f examples/training-job.json --release v1.34 ";
  const Ran text = run(asked + "--engine both");
  EXPECT_EQ(text.exit_code, 0) << text.output;
  EXPECT_NE(text.output.find("prod/web-0"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("1 pod decided, 1 nominated; 1 pod evicted with 0 PDB violations"),
            std::string::npos)
      << text.output;
  const nlohmann::json json = nlohmann::json::parse(run(asked + "-o json 2> /dev/null").output);
  EXPECT_EQ(json["release"], "v1.34.13");
  EXPECT_EQ(json["results"].at(0)["victims"].size(), 1u);
  const std::string read_alone = "queue -f examples/training-job.json --release v1.12 -o json 2> /dev/null";
  EXPECT_TRUE(contains(run(read_alone).output, "v1.12 is known by reading its source"));
  expect_error(asked + "--priority 2000", "nothing-pending");
  EXPECT_EQ(run(asked + "-n prod").output, run(asked).output);
  expect_error(asked + "-n dev", "nothing-pending");
  expect_error("queue -f missing.json", "file-unreadable");
}

TEST(Cli, HoldsTheOptimizedEngineAgainstVectors) {
  const Ran vectors = run("vectors spec/vectors/core --engine optimized --release v1.34.4");
  EXPECT_EQ(vectors.exit_code, 0) << vectors.output;
  EXPECT_NE(vectors.output.find(" 0 disagreements, 0 skipped"), std::string::npos) << vectors.output;
  // The running scheduler reports an error of one dry run here, but still nominates another node.
  const Ran error = run("vectors spec/vectors/volumes --engine optimized --case volumes/unbound-329");
  EXPECT_EQ(error.exit_code, 0) << error.output;
  EXPECT_TRUE(contains(error.output, "9 answers agree, 0 disagreements, 0 skipped")) << error.output;
}

TEST(Cli, ReadsDirectoriesAndSeveralSources) {
  const Ran directory = shell(
      "d=$(mktemp -d); mkdir $d/deep; cp examples/training-job.json $d/deep; touchstone decide -f $d; "
      "code=$?; "
      "rm -r $d; exit $code");
  EXPECT_EQ(directory.exit_code, 0) << directory.output;
  const Ran twice = run(k_decide + "-f examples/training-job.json");
  EXPECT_EQ(twice.exit_code, 0);
  EXPECT_NE(twice.output.find("[duplicate-objects]"), std::string::npos) << twice.output;
}

TEST(Cli, TakesTheOnlyPodThatWaits) {
  EXPECT_NE(run(k_decide).output.find("Pod prod/web-0 "), std::string::npos);
  expect_error("decide -f examples/situations/nominated-pod-in-the-way.yaml", "unknown-pod");
}

TEST(Cli, TakesAPodOfTheNamespaceThatIsNamed) {
  EXPECT_TRUE(contains(run(k_decide + "-n prod --pod web-0").output, "Pod prod/web-0 "));
  EXPECT_TRUE(contains(run(k_decide + "--namespace prod").output, "Pod prod/web-0 "));
  EXPECT_TRUE(contains(run(k_decide + "-n prod --pod prod/web-0").output, "Pod prod/web-0 "));
  expect_error(k_decide + "-n batch --pod prod/web-0", "contradictory-namespace");
  expect_error(k_decide + "-n batch", "unknown-pod");
  const std::string plain =
      "printf '%s\\n' '{kind: Node, metadata: {name: n1}}' '---' '{kind: Pod, metadata: "
      "{name: web-0}}' '---' '{kind: Pod, metadata: {name: web-1}}' | touchstone ";
  EXPECT_TRUE(contains(shell(plain + "decide -f - --pod web-0").output, "Pod default/web-0 "));
}

TEST(Cli, AdmitsThePodOfAWorkload) {
  const std::string workload =
      "printf '%s\\n' '{kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, selector: "
      "{matchLabels: "
      "{app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}}}' | "
      "touchstone " +
      k_decide + "--pod-file - ";
  const Ran admitted = shell(workload + "-n prod");
  EXPECT_EQ(admitted.exit_code, 0) << admitted.output;
  EXPECT_TRUE(contains(admitted.output, "Pod prod/db-0 ")) << admitted.output;
  EXPECT_TRUE(contains(admitted.output, "manifest: pod db-0 of StatefulSet default/db")) << admitted.output;
}

TEST(Cli, AdmitsAManifest) {
  const Ran admitted = run(k_decide + "--pod-file examples/new-pod.yaml");
  EXPECT_EQ(admitted.exit_code, 0) << admitted.output;
  EXPECT_NE(admitted.output.find("Pod prod/web-1 (priority 1000)"), std::string::npos) << admitted.output;
  EXPECT_NE(admitted.output.find("priority 1000 from PriorityClass production"), std::string::npos);
  expect_error(k_decide + "--pod-file examples/new-pod.yaml --pod prod/web-0", "usage");
  expect_error(k_decide + "--pod-file examples/training-job.json", "not-one-pod");
}

TEST(Cli, SaysTheSameInJsonAndYaml) {
  for (const std::string command : {"decide", "explain --all"}) {
    const std::string ask = command + " -f examples/situations/five-rungs.yaml -o ";
    const Ran json = run(ask + "json 2> /dev/null");
    ASSERT_EQ(json.exit_code, 0) << json.output;
    const Ran read_again = shell("touchstone " + ask +
                                 "yaml | python3 -c 'import json, sys, yaml; "
                                 "json.dump(yaml.safe_load(sys.stdin), sys.stdout)'");
    EXPECT_EQ(nlohmann::json::parse(read_again.output, nullptr, false), nlohmann::json::parse(json.output));
  }
}

TEST(Cli, ExplainsOneNodeOrAll) {
  const std::string ask = "explain -f examples/situations/five-rungs.yaml --release v1.34 ";
  const Ran one = run(ask + "--node n3");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_NE(one.output.find("\nNode n3: evicting 2 pods"), std::string::npos) << one.output;
  EXPECT_EQ(one.output.find("\nNode n6"), std::string::npos);
  EXPECT_EQ(run(ask).output.find("\nNode n3"), std::string::npos);
  EXPECT_NE(run(ask + "--all").output.find("\nNode n3"), std::string::npos);
  const nlohmann::json all = nlohmann::json::parse(run(ask + "--all -o json 2> /dev/null").output);
  EXPECT_FALSE(all["trace"].empty());
  EXPECT_FALSE(all["explanation"].empty());
  expect_error(ask + "--node n9", "unknown-node");
}

TEST(Cli, TellsWhatKeepsAPodFromBeingTried) {
  const auto noted = [](const std::string& change, const std::string& note) {
    const Ran result = shell(
        "sed 's/\"schedulerName\": \"[a-z-]*\",//' examples/training-job.json | python3 -c '"
        "import json, sys; d = json.load(sys.stdin); p = [i for i in d[\"items\"] if "
        "i[\"metadata\"][\"name\"] == \"web-0\"][0]; " +
        change + "; json.dump(d, sys.stdout)' | touchstone decide -f -");
    return result.exit_code == 0 && contains(result.output, note);
  };
  EXPECT_TRUE(
      noted("p[\"spec\"][\"schedulingGates\"] = [{\"name\": \"quota\"}]", "note: the pod is gated (quota)"));
  EXPECT_TRUE(noted("p[\"spec\"][\"schedulerName\"] = \"volcano\"", "the scheduler volcano"));
  EXPECT_TRUE(
      noted("p[\"metadata\"][\"deletionTimestamp\"] = \"2026-11-21T00:00:00Z\"", "the pod is terminating"));
}

TEST(Cli, CountsReasonsThatNameTheNode) {
  const std::string cluster =
      "printf '%s\\n' '---' '{kind: Node, metadata: {name: cpu}, status: {allocatable: {cpu: 1, pods: 9}}}' "
      "'---' "
      "'{kind: Pod, metadata: {name: a}, spec: {nodeName: cpu, priority: 9, containers: [{name: c, "
      "resources: "
      "{requests: {cpu: 1}}}]}}' '---' '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, "
      "resources: "
      "{requests: {cpu: 1}}}]}}' | touchstone decide -f - --release ";
  EXPECT_TRUE(contains(shell(cluster + "v1.34").output, "1 node  Insufficient cpu\n"));
  EXPECT_TRUE(
      contains(shell(cluster + "v1.22").output, "No victims found on node <node> for preemptor pod p"));
}

TEST(Cli, AnswersForTheReleaseOfTheDump) {
  const std::string version = "echo '{\"serverVersion\": {\"gitVersion\": \"v1.30.4\"}}' | touchstone ";
  EXPECT_TRUE(contains(shell(version + k_decide + "-f -").output,
                       "release v1.30.4 (recorded from the running release)"));
  EXPECT_TRUE(contains(shell(version + k_decide + "-f - --release v1.29.6").output, "release v1.29.6 "));
  EXPECT_TRUE(contains(run(k_decide).output, "release v1.37.2 (recorded from the running release)"));
}

TEST(Cli, SaysWhatIsNotModelledInsteadOfGuessing) {
  const std::string pod =
      "printf '%s\\n' 'kind: Pod' 'metadata: {name: a}' 'spec: {containers: [{name: c}], volumes: [{name: v, "
      "persistentVolumeClaim: {claimName: c}}]}' | touchstone ";
  for (const std::string command : {"decide", "explain"}) {
    const Ran text = shell(pod + command + " -f examples/training-job.json --release v1.9 --pod-file -");
    EXPECT_EQ(text.exit_code, 3) << text.output;
    EXPECT_TRUE(contains(text.output, "skipped: not modelled yet: volumes: ")) << text.output;
    const Ran json =
        shell(pod + command + " -f examples/training-job.json --release v1.9 --pod-file - -o json");
    EXPECT_EQ(json.exit_code, 3);
    EXPECT_TRUE(nlohmann::json::parse(json.output).contains("skipped"));
  }
}

TEST(Cli, TellsTimeAndMemoryWhenAsked) {
  EXPECT_NE(run(k_decide + "--stats").output.find("peak memory"), std::string::npos);
  EXPECT_EQ(run(k_decide).output.find("peak memory"), std::string::npos);
}

TEST(Cli, ReadsStandardInputAndGzip) {
  EXPECT_EQ(run("decide -f - --pod prod/web-0 < examples/training-job.json").exit_code, 0);
  EXPECT_EQ(
      shell("cat examples/training-job.json examples/training-job.json | touchstone decide -f -").exit_code,
      0);
  const Ran direct = run(k_decide + "--pod prod/web-0 -o json 2> /dev/null");
  const std::string zipped = "decide -f - --pod prod/web-0 -o json";
  const Ran piped = run("--version; gzip -c examples/training-job.json | touchstone " + zipped);
  EXPECT_EQ(piped.exit_code, 0);
  EXPECT_NE(piped.output.find(direct.output), std::string::npos);
}

TEST(Cli, NamesWhatIsWrongWithItsInput) {
  expect_error("decide -f no-such-file.json --pod a/b", "file-unreadable");
  expect_error("decide -f README.md --pod a/b", "yaml-malformed");
  expect_error("decide -f /dev/null --pod a/b", "empty");
  expect_error("decide -f /dev/zero --pod a/b", "empty");
  expect_error("decide -f kubernetes --pod a/b", "no-objects");
  expect_error("decide -f - -f - --pod a/b", "repeated-source");
  expect_error(k_decide + "--pod prod/nobody", "unknown-pod");
  expect_error(k_decide + "--pod web-0", "unknown-pod");
  expect_error(k_decide + "--pod batch/train-0", "pod-not-pending");
  expect_error(k_decide + "--pod prod/web-0 --release v1.7", "unknown-release");
  expect_error("rules PRE-NONE", "unknown-clause");
  expect_error("vectors no-such-directory", "file-unreadable");
  expect_error("vectors spec/vectors/core/start.json --case none", "nothing-checked");
  expect_error("dance", "usage");
  expect_error("", "usage");
  expect_error(k_decide + "--pod prod/web-0 -o xml", "usage");
}

TEST(Cli, ListsReleasesAndRulesAsTextAndJson) {
  EXPECT_NE(run("releases").output.find("recorded from running v1.30.4, v1.30.14"), std::string::npos);
  EXPECT_GT(nlohmann::json::parse(run("releases -o json").output)["changes"].size(), 40u);
  EXPECT_NE(run("rules").output.find("PRE-PDB-3"), std::string::npos);
  EXPECT_NE(run("rules PRE-PDB-3").output.find("Evidence:"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run("rules PRE-PDB-3 -o json").output).size(), 1u);
}

TEST(Cli, PrintsAFamilyOfRules) {
  const nlohmann::json family = nlohmann::json::parse(run("rules PRE-VICTIM -o json").output);
  EXPECT_GT(family.size(), 3u);
  std::string each;
  for (const nlohmann::json& rule : family) {
    const std::string clause = rule["clause"];
    EXPECT_TRUE(clause.starts_with("PRE-VICTIM-")) << clause;
    each += (each.empty() ? "" : "\n") + run("rules " + clause).output;
  }
  EXPECT_EQ(run("rules PRE-VICTIM").output, each);
  expect_error("rules PRE-VICT", "unknown-clause");
  expect_error("rules PRE", "unknown-clause");
}

TEST(Cli, PrintsWhatTheDocumentsShow) {
  const auto shown_in = [](const char* path, const std::string& output) {
    if (output.size() < 200) return false;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str().find(output + "```\n") != std::string::npos;
  };
  std::string releases = run("releases").output;
  // The list of schedulers that are built here is not part of the document.
  releases.erase(std::min(releases.find("\nBuilt in "), releases.find("\nNo real kube-scheduler ")));
  EXPECT_TRUE(shown_in("spec/releases.md", "```\n" + releases));
}

TEST(Cli, ChecksAFileOfVectors) {
  const Ran result = run("vectors spec/vectors/core/start.json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find(" 0 disagreements"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find('\r'), std::string::npos) << result.output;
}

TEST(Cli, ServesTheProtocol) {
  const Ran result = run("subject < tests/cli/session.jsonl");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 4) << result.output;
  EXPECT_NE(result.output.find("\"seq\":1,\"outcome\":\"fits\",\"feasible\":[\"n1\"]"), std::string::npos);
  EXPECT_NE(result.output.find("unknown-release"), std::string::npos);
}

}  // namespace touchstone
