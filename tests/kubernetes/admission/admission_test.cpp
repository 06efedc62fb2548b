#include "kubernetes/admission/admission.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spec/releases/release.hpp"
#include "tests/support/files.hpp"

namespace touchstone::kubernetes::admission_test {
namespace {

using Notes = std::vector<std::string>;

const std::string k_container = R"({"name":"web"})";

/// A manifest of Pod default/a. Its spec has these members, and one container if they contain no containers.
std::string with_spec(std::string members) {
  if (members.find("\"containers\"") == std::string::npos) {
    members = "\"containers\":[" + k_container + "]" + (members.empty() ? "" : ",") + members;
  }
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},"spec":{)" +
         members + "}}";
}

std::string with_metadata(const std::string& members) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{)" + members + R"(},"spec":{"containers":[)" +
         k_container + "]}}";
}

PriorityClass priority_class(const std::string& name, Quantity value, const std::string& policy = "") {
  return {.name = name, .value = value, .global_default = false, .preemption_policy = policy};
}

PriorityClass global_default(PriorityClass of) {
  of.global_default = true;
  return of;
}

Dump dump_with(std::vector<PriorityClass> classes) {
  Dump dump;
  dump.priority_classes = std::move(classes);
  return dump;
}

Manifest admitted(const std::string& json, const Dump& dump = {}, const Version& release = newest_release()) {
  Result<Manifest> manifest = parse_manifest(json, "pod.json", dump, release);
  if (!manifest) {
    ADD_FAILURE() << manifest.error().code << " " << manifest.error().path << " " << manifest.error().message;
    return {};
  }
  return std::move(manifest).value();
}

/// "code path" of the error, without the name of the file; empty if the pod is admitted.
std::string failure(const std::string& json, const Dump& dump = {}) {
  const Result<Manifest> manifest = parse_manifest(json, "pod.json", dump, newest_release());
  if (manifest) return "";
  const std::string& path = manifest.error().path;
  EXPECT_TRUE(path.starts_with("pod.json")) << path;
  return manifest.error().code + " " + path.substr(std::min(path.size(), std::string("pod.json: ").size()));
}

std::size_t count_of(const Notes& notes, const std::string& note) {
  return static_cast<std::size_t>(std::count(notes.begin(), notes.end(), note));
}

bool tolerates(const Pod& pod, const std::string& key) {
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(), [&](const Toleration& each) {
    return each.key == key && each.op == "Exists" && each.effect == "NoExecute" && each.value.empty();
  });
}

TEST(ReadManifest, FillsInWhatAPlainPodLacks) {
  const Manifest manifest = admitted(with_metadata(R"("name":"a")"));
  EXPECT_EQ(manifest.pod.full_name(), "default/a");
  EXPECT_EQ(manifest.pod.priority, 0);
  EXPECT_EQ(manifest.pod.preemption_policy, "PreemptLowerPriority");
  EXPECT_EQ(manifest.pod.scheduler_name, "default-scheduler");
  EXPECT_EQ(manifest.notes, (Notes{"namespace default",
                                   "priority 0: no PriorityClass is named, and none is the global default",
                                   "toleration of node.kubernetes.io/not-ready:NoExecute for 300 s",
                                   "toleration of node.kubernetes.io/unreachable:NoExecute for 300 s"}));
}

TEST(ReadManifest, LeavesObjectsOfADumpAsServed) {
  const std::string limits = R"("containers":[{"name":"web","resources":{"limits":{"cpu":"1"}}}])";
  const Result<Dump> dump = parse_dump(with_spec(limits), "");
  ASSERT_TRUE(dump);
  const Pod& pod = dump.value().cluster.pods[0];
  EXPECT_TRUE(pod.containers[0].requests.empty());
  EXPECT_TRUE(pod.tolerations.empty());
  EXPECT_EQ(pod.scheduler_name, "");
}

TEST(ReadManifest, DropsWhatTheServerSets) {
  const Manifest manifest = admitted(R"({"kind":"Pod","metadata":{"name":"a","namespace":"default","uid":"u",
    "creationTimestamp":null,"resourceVersion":"7","deletionTimestamp":"2026-11-21T10:00:00Z"},
    "spec":{"containers":[{"name":"web"}]},"status":{"phase":"Failed","nominatedNodeName":"n"}})");
  EXPECT_EQ(manifest.pod.uid, "");
  EXPECT_FALSE(manifest.pod.terminating);
  EXPECT_EQ(manifest.pod.phase, "");
  EXPECT_EQ(manifest.pod.nominated_node_name, "");
  EXPECT_EQ(
      count_of(manifest.notes,
               "without metadata.uid, metadata.deletionTimestamp, status, which the API server sets itself"),
      1u);
  const Manifest plain = admitted(
      R"({"kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"web"}]},"status":{}})");
  for (const std::string& note : plain.notes) EXPECT_FALSE(note.starts_with("without")) << note;
}

TEST(ReadManifest, MakesANameOfGenerateName) {
  const Manifest manifest = admitted(with_metadata(R"("generateName":"web-","namespace":"default")"));
  EXPECT_EQ(manifest.pod.name, "web-xxxxx");
  EXPECT_EQ(count_of(manifest.notes, "name web-xxxxx from generateName"), 1u);
  EXPECT_EQ(admitted(with_metadata(R"("name":"a","generateName":"web-")")).pod.name, "a");
}

TEST(ReadManifest, TakesPriorityAndPolicyOfTheClass) {
  const Dump dump = dump_with({priority_class("high", 1000), priority_class("calm", -5, "Never")});
  const Manifest high = admitted(with_spec(R"("priorityClassName":"high")"), dump);
  EXPECT_EQ(high.pod.priority, 1000);
  EXPECT_EQ(high.pod.preemption_policy, "PreemptLowerPriority");
  EXPECT_EQ(high.notes.at(0), "priority 1000 from PriorityClass high");
  const Manifest calm = admitted(with_spec(R"("priorityClassName":"calm")"), dump);
  EXPECT_EQ(calm.pod.priority, -5);
  EXPECT_EQ(calm.pod.preemption_policy, "Never");
  EXPECT_EQ(count_of(calm.notes, "preemptionPolicy Never from PriorityClass calm"), 1u);
  EXPECT_EQ(admitted(with_spec(""), dump).pod.priority, 0);
}

TEST(ReadManifest, KnowsTheClassesOfEveryCluster) {
  EXPECT_EQ(admitted(with_spec(R"("priorityClassName":"system-cluster-critical")")).pod.priority, 2000000000);
  EXPECT_EQ(admitted(with_spec(R"("priorityClassName":"system-node-critical")")).pod.priority, 2000001000);
}

TEST(ReadManifest, TakesTheLowestGlobalDefault) {
  const PriorityClass plain = priority_class("plain", 1);
  const PriorityClass high = global_default(priority_class("high", 1000));
  const PriorityClass low = global_default(priority_class("low", 10, "Never"));
  for (const Dump& dump : {dump_with({plain, high, low}), dump_with({low, plain, high})}) {
    const Manifest manifest = admitted(with_spec(""), dump);
    EXPECT_EQ(manifest.pod.priority, 10);
    EXPECT_EQ(manifest.pod.preemption_policy, "Never");
    EXPECT_EQ(manifest.notes.at(0), "priority 10 from PriorityClass low, the global default");
    EXPECT_EQ(admitted(with_spec(R"("priorityClassName":"high")"), dump).pod.priority, 1000);
  }
}

TEST(ReadManifest, RefusesAPriorityThatTheClassContradicts) {
  const Dump dump = dump_with({priority_class("high", 1000), priority_class("calm", 5, "Never")});
  const std::string high = R"("priorityClassName":"high",)";
  const std::string calm = R"("priorityClassName":"calm",)";
  EXPECT_EQ(admitted(with_spec(high + R"("priority":1000)"), dump).pod.priority, 1000);
  EXPECT_EQ(failure(with_spec(high + R"("priority":0)"), dump),
            "forbidden-field (Pod default/a).spec.priority");
  EXPECT_EQ(failure(with_spec(R"("priority":5)"), dump), "forbidden-field (Pod default/a).spec.priority");
  EXPECT_EQ(failure(with_spec(R"("priority":0)"), dump), "");
  EXPECT_EQ(failure(with_spec(calm + R"("preemptionPolicy":"Never")"), dump), "");
  EXPECT_EQ(failure(with_spec(calm + R"("preemptionPolicy":"PreemptLowerPriority")"), dump),
            "forbidden-field (Pod default/a).spec.preemptionPolicy");
  EXPECT_EQ(failure(with_spec(R"("preemptionPolicy":"Never")"), dump),
            "forbidden-field (Pod default/a).spec.preemptionPolicy");
}

TEST(ReadManifest, NamesAnUnknownClassAndWhatTheDumpLacks) {
  const std::string json = with_spec(R"("priorityClassName":"high")");
  const std::string expected = "unknown-priority-class (Pod default/a).spec.priorityClassName";
  EXPECT_EQ(failure(json), expected);
  EXPECT_EQ(failure(json, dump_with({priority_class("low", 1)})), expected);
  const Error none = parse_manifest(json, "", {}, newest_release()).error();
  EXPECT_NE(none.message.find("add priorityclasses"), std::string::npos) << none.message;
}

TEST(ReadManifest, TakesMissingRequestsFromLimits) {
  const Manifest manifest = admitted(with_spec(R"(
    "containers":[{"name":"web","resources":{"limits":{"cpu":"2","memory":"1Gi","nvidia.com/gpu":1},
                                             "requests":{"memory":"1Mi","ephemeral-storage":"7"}}},
                  {"name":"log","resources":{"requests":{"cpu":"5m"}}},
                  {"name":"zero","resources":{"limits":{"cpu":"1"},"requests":{"cpu":"0"}}}],
    "initContainers":[{"name":"init","resources":{"limits":{"cpu":"3"}}}])"));
  const Pod& pod = manifest.pod;
  EXPECT_EQ(
      pod.containers[0].requests,
      (ResourceList{{"cpu", 2000}, {"memory", 1048576}, {"nvidia.com/gpu", 1}, {"ephemeral-storage", 7}}));
  EXPECT_EQ(pod.containers[1].requests, (ResourceList{{"cpu", 5}}));
  EXPECT_EQ(pod.containers[2].requests, (ResourceList{{"cpu", 0}}));
  EXPECT_EQ(pod.init_containers[0].requests, (ResourceList{{"cpu", 3000}}));
  EXPECT_FALSE(pod.pod_level_requests);
  EXPECT_EQ(manifest.notes.at(0), "requests cpu of container init from its limits");
  EXPECT_EQ(manifest.notes.at(1), "requests cpu, nvidia.com/gpu of container web from its limits");
}

struct PodLevel {
  std::string spec;
  std::optional<ResourceList> requests;
};

// The cases of defaultHugePagePodLimits and defaultPodRequests.
TEST(ReadManifest, DefaultsRequestsOfThePodAsAWhole) {
  const auto container = [](const std::string& resources) {
    return R"("containers":[{"name":"web","resources":{)" + resources + "}}]";
  };
  const std::string cpu1 = container(R"("requests":{"cpu":"1"})");
  const std::vector<PodLevel> cases = {
      {cpu1, std::nullopt},
      {cpu1 + R"(,"resources":{})", std::nullopt},
      // Without limits nothing is filled in.
      {cpu1 + R"(,"resources":{"requests":{"memory":"2"}})", ResourceList{{"memory", 2}}},
      // Requests come from containers, else from limits. Existing requests stay.
      {cpu1 + R"(,"resources":{"limits":{"cpu":"4"}})", ResourceList{{"cpu", 1000}}},
      {cpu1 + R"(,"resources":{"limits":{"memory":"9"}})", ResourceList{{"cpu", 1000}, {"memory", 9}}},
      {cpu1 + R"(,"resources":{"limits":{"cpu":"4"},"requests":{"cpu":"2"}})", ResourceList{{"cpu", 2000}}},
      // Requests that containers get from their limits count, too.
      {container(R"("limits":{"cpu":"3"})") + R"(,"resources":{"limits":{"cpu":"4"}})",
       ResourceList{{"cpu", 3000}}},
      // Only cpu, memory and huge pages can be requested for the pod as a whole.
      {container(R"("limits":{"nvidia.com/gpu":"1"},"requests":{"ephemeral-storage":"5"})") +
           R"(,"resources":{"limits":{"cpu":"4"}})",
       ResourceList{{"cpu", 4000}}},
      // Huge pages: the limits of the containers become the pod's limit, which becomes its request.
      {container(R"("limits":{"hugepages-2Mi":"8","cpu":"1"})") + R"(,"resources":{"limits":{"cpu":"4"}})",
       ResourceList{{"cpu", 1000}, {"hugepages-2Mi", 8}}},
      {container(R"("limits":{"hugepages-2Mi":"8","cpu":"1"})") +
           R"(,"resources":{"requests":{"memory":"2"}})",
       ResourceList{{"cpu", 1000}, {"hugepages-2Mi", 8}, {"memory", 2}}},
      {container(R"("limits":{"hugepages-2Mi":"8","cpu":"1"})") +
           R"(,"resources":{"limits":{"hugepages-2Mi":"9"}})",
       ResourceList{{"cpu", 1000}, {"hugepages-2Mi", 9}}},
      {container(R"("limits":{"hugepages-2Mi":"8","cpu":"1"})") + R"(,"resources":{})", std::nullopt},
  };
  for (const PodLevel& c : cases) {
    const Version release{.minor = 36, .patch = 3};
    EXPECT_EQ(admitted(with_spec(c.spec), {}, release).pod.pod_level_requests, c.requests) << c.spec;
  }
}

TEST(ReadManifest, DefaultsThePodAsAWholeAfterLimitRangesFromV137) {
  const Dump dump = parse_dump(R"({"kind":"LimitRange","metadata":{"name":"l","namespace":"default"},
                     "spec":{"limits":[{"type":"Container","defaultRequest":{"cpu":"500m"}}]}})",
                               "")
                        .value();
  const auto requests = [&](int minor) {
    const std::string json = with_spec(R"("resources":{"requests":{"memory":"2"}})");
    return admitted(json, dump, {.minor = minor, .patch = 0}).pod.pod_level_requests;
  };
  EXPECT_EQ(requests(33), std::nullopt);
  EXPECT_EQ(requests(34), (ResourceList{{"memory", 2}}));
  EXPECT_EQ(requests(36), (ResourceList{{"memory", 2}}));
  EXPECT_EQ(requests(37), (ResourceList{{"cpu", 500}, {"memory", 2}}));
}

// AggregateContainerRequests: a sidecar runs at the same time as the containers that start after it.
TEST(ReadManifest, AddsUpContainersAsTheyRun) {
  const auto total = [](const std::string& inits) {
    const std::string spec = R"("containers":[{"name":"a","resources":{"requests":{"cpu":2}}},
      {"name":"b","resources":{"requests":{"cpu":1}}}],"resources":{"limits":{"cpu":99}},"initContainers":[)" +
                             inits + "]";
    return admitted(with_spec(spec)).pod.pod_level_requests.value().at("cpu");
  };
  const std::string init = R"({"name":"i","resources":{"requests":{"cpu":5}}})";
  const std::string small = R"({"name":"s","resources":{"requests":{"cpu":1}}})";
  const std::string sidecar = R"({"name":"c","restartPolicy":"Always","resources":{"requests":{"cpu":4}}})";
  EXPECT_EQ(total(""), 3000);
  EXPECT_EQ(total(small), 3000);
  EXPECT_EQ(total(init), 5000);
  EXPECT_EQ(total(sidecar), 7000);
  EXPECT_EQ(total(sidecar + "," + init), 9000);
  EXPECT_EQ(total(init + "," + sidecar), 7000);
  std::string other = sidecar;
  other.replace(other.find("\"c\""), 3, "\"d\"");
  EXPECT_EQ(total(sidecar + "," + other), 11000);
}

TEST(ReadManifest, OpensHostPortsInTheNetworkOfTheHost) {
  const std::string containers = R"("containers":[{"name":"web","ports":[{"containerPort":8080},
      {"containerPort":53,"protocol":"UDP","hostPort":53}]}],
    "initContainers":[{"name":"init","ports":[{"containerPort":81}]}])";
  const Manifest inside = admitted(with_spec(containers));
  EXPECT_EQ(inside.pod.containers[0].ports[0].host_port, 0);
  EXPECT_EQ(inside.pod.containers[0].ports[0].protocol, "TCP");
  EXPECT_EQ(inside.pod.containers[0].ports[1].protocol, "UDP");
  const Manifest host = admitted(with_spec(R"("hostNetwork":true,)" + containers));
  EXPECT_EQ(host.pod.containers[0].ports[0].host_port, 8080);
  EXPECT_EQ(host.pod.containers[0].ports[1].host_port, 53);
  EXPECT_EQ(host.pod.init_containers[0].ports[0].host_port, 81);
  EXPECT_EQ(count_of(host.notes, "hostPort 8080 of container web: hostNetwork"), 1u);
  EXPECT_EQ(count_of(host.notes, "hostPort 81 of container init: hostNetwork"), 1u);
}

TEST(ReadManifest, ToleratesSickNodesForAWhile) {
  const std::string not_ready = "node.kubernetes.io/not-ready";
  const std::string unreachable = "node.kubernetes.io/unreachable";
  const auto pod = [](const std::string& tolerations) {
    return admitted(with_spec(R"("tolerations":[)" + tolerations + "]")).pod;
  };
  EXPECT_TRUE(tolerates(pod(""), not_ready));
  EXPECT_TRUE(tolerates(pod(""), unreachable));
  // A pod's own toleration of one taint, or of all taints, with NoExecute or any effect, is kept; none is
  // added.
  const Pod one = pod(R"({"key":"node.kubernetes.io/not-ready","effect":"NoExecute","operator":"Exists"})");
  EXPECT_EQ(one.tolerations.size(), 2u);
  EXPECT_TRUE(tolerates(one, unreachable));
  EXPECT_EQ(pod(R"({"key":"node.kubernetes.io/unreachable"})").tolerations.size(), 2u);
  EXPECT_EQ(pod(R"({"operator":"Exists"})").tolerations.size(), 1u);
  EXPECT_EQ(pod(R"({"operator":"Exists","effect":"NoExecute"})").tolerations.size(), 1u);
  EXPECT_EQ(pod(R"({"operator":"Exists","effect":"NoSchedule"})").tolerations.size(), 3u);
  EXPECT_EQ(pod(R"({"key":"other","effect":"NoExecute"})").tolerations.size(), 3u);
}

TEST(ReadManifest, KnowsNamespacesAndPodsOfTheDump) {
  Dump dump;
  EXPECT_EQ(failure(with_metadata(R"("name":"a","namespace":"x")"), dump), "");
  dump.cluster.namespaces = {{"default", {}}};
  EXPECT_EQ(failure(with_metadata(R"("name":"a")"), dump), "");
  EXPECT_EQ(failure(with_metadata(R"("name":"a","namespace":"x")"), dump),
            "unknown-namespace (Pod x/a).metadata.namespace");
  dump.cluster.namespaces = {{"x", {}}};
  EXPECT_EQ(failure(with_metadata(R"("name":"a")"), dump), "unknown-namespace (Pod default/a).metadata");
  Pod& there = dump.cluster.pods.emplace_back();
  there.ns = "x";
  there.name = "a";
  EXPECT_EQ(failure(with_metadata(R"("name":"a","namespace":"x")"), dump), "already-exists (Pod x/a)");
  EXPECT_EQ(failure(with_metadata(R"("name":"b","namespace":"x")"), dump), "");
  dump.cluster.namespaces = {{"x", {}}, {"default", {}}};
  EXPECT_EQ(failure(with_metadata(R"("name":"a")"), dump), "");
}

struct Bad {
  std::string json;
  std::string failure;
};

TEST(ReadManifest, NamesWhatIsWrong) {
  const std::string pod = with_spec("");
  const std::string huge = R"({"name":"x","resources":{"limits":{"hugepages-2Mi":"7Ei","memory":"7Ei"},)"
                           R"("requests":{"hugepages-2Mi":"1","memory":"1"}}})";
  const std::vector<Bad> cases = {
      {"", "empty "},
      {" \n", "empty "},
      {"{", "json-malformed "},
      {"\x01", "not-text "},
      {"\x1f\x8b", "gzip-malformed "},
      {"[" + pod + "]", "wrong-type "},
      {pod + pod, "json-malformed "},
      {"{}", "missing-field kind"},
      {R"({"kind":"Service","metadata":{"name":"a"}})", "not-one-pod "},
      {R"({"kind":"Deployment","apiVersion":"v1","metadata":{"name":"a"}})", "not-one-pod "},
      {R"({"kind":"Deployment","metadata":{"name":"a"}})", "missing-field (Deployment default/a).spec"},
      {R"({"kind":"List","items":[]})", "not-one-pod "},
      {R"({"kind":"PodList","items":[]})", "not-one-pod "},
      {R"({"kind":"Pod","apiVersion":"v2","metadata":{"name":"a"}})", "not-one-pod "},
      {R"({"kind":"Pod"})", "missing-field (Pod).metadata"},
      {R"({"kind":"Pod","metadata":{}})", "missing-field (Pod).metadata.name"},
      {R"({"kind":"Pod","metadata":{"name":"a"}})", "missing-field (Pod default/a).spec"},
      {R"({"kind":"Pod","metadata":{"name":"a"},"spec":{}})",
       "missing-field (Pod default/a).spec.containers"},
      {with_spec(R"("containers":[])"), "missing-field (Pod default/a).spec.containers"},
      {with_spec(R"("nodeName":"n")"), "pod-not-pending (Pod default/a).spec.nodeName"},
      {with_spec(R"("overhead":{"cpu":"1"})"), "forbidden-field (Pod default/a).spec.overhead"},
      {with_spec(R"("containers":[{"name":"x","resources":{"limits":{"cpu":"x"}}}])"),
       "quantity-malformed (Pod default/a).spec.containers[0].resources.limits.cpu"},
      {with_spec(R"("containers":[{"name":"x","resources":{"limits":{"memory":"7Ei"}}},)"
                 R"({"name":"y","resources":{"limits":{"memory":"7Ei"}}}])"),
       "quantity-overflow (Pod default/a).spec.containers[1].resources.requests.memory"},
      {with_spec(R"("resources":{"limits":{"cpu":"1"}},"containers":[)" + huge + "," + huge + "]"),
       "quantity-overflow (Pod default/a).spec"},
      {with_spec(R"("containers":[{"name":"x","ports":[{}]}])"),
       "missing-field (Pod default/a).spec.containers[0].ports[0].containerPort"},
      {with_spec(R"("containers":[{"name":"x","ports":[{"containerPort":0}]}])"),
       "out-of-range (Pod default/a).spec.containers[0].ports[0].containerPort"},
      {with_spec(R"("priority":"high")"), "wrong-type (Pod default/a).spec.priority"},
      {with_spec(R"("hostNetwork":"yes")"), "wrong-type (Pod default/a).spec.hostNetwork"},
  };
  for (const Bad& bad : cases) EXPECT_EQ(failure(bad.json), bad.failure) << bad.json;
}

TEST(ReadManifest, ReadsAFileOfAnyForm) {
  const tests::TemporaryDirectory directory;
  const std::string plain = directory.write("pod.json", with_spec(""));
  const std::string zipped = directory.write("pod.json.gz", tests::gzipped(with_spec("")));
  for (const std::string& path : {plain, zipped}) {
    const Result<Manifest> manifest = read_manifest(path, {}, newest_release());
    ASSERT_TRUE(manifest) << path;
    EXPECT_EQ(manifest.value().pod.full_name(), "default/a");
  }
  EXPECT_EQ(read_manifest(directory.path(), {}, newest_release()).error().code, "file-unreadable");
  EXPECT_EQ(read_manifest("/nonexistent", {}, newest_release()).error().path, "/nonexistent");
}

TEST(ReadManifest, ReadsYaml) {
  const std::string yaml =
      "---\n# a pod\napiVersion: v1\nkind: Pod\nmetadata:\n  generateName: web-\nspec:\n"
      "  containers:\n  - name: web\n    resources:\n      limits: {cpu: 250m}\n";
  EXPECT_EQ(admitted(yaml).pod.containers.at(0).requests, (ResourceList{{"cpu", 250}}));
  EXPECT_EQ(failure(yaml + yaml), "not-one-pod ");
  EXPECT_EQ(failure("# nothing\n"), "not-one-pod ");
  EXPECT_EQ(failure("kind: Pod\nmetadata: {name: a}\nspec:\n  nodeName: n1\n  containers: [{name: web}]\n"),
            "pod-not-pending (Pod default/a).spec.nodeName");
}

}  // namespace
}  // namespace touchstone::kubernetes::admission_test
