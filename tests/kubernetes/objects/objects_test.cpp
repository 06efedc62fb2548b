#include "kubernetes/objects/objects.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace touchstone::kubernetes::objects_test {
namespace {

/// Reads one object. Requires: it is valid.
template <typename T>
T read(T (*read_object)(const Value&), const std::string& json) {
  const Result<Document> document = Document::parse(json, "");
  return read_object(document.value().root());
}

/// The error of reading one object; empty if there is none.
template <typename T>
Error error_of(T (*read_object)(const Value&), const std::string& json) {
  const Result<Document> document = Document::parse(json, "");
  if (!document) return document.error();
  try {
    read_object(document.value().root());
    return {};
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

std::string with_metadata(const std::string& members) {
  return R"({"metadata":{"name":"a"},)" + members + "}";
}
std::string with_spec(const std::string& members) { return with_metadata(R"("spec":{)" + members + "}"); }
std::string with_status(const std::string& members) { return with_metadata(R"("status":{)" + members + "}"); }

TEST(ReadNode, TakesEveryField) {
  const Node node = read(read_node, R"({"metadata":{"name":"n1","labels":{"zone":"a"}},
    "spec":{"unschedulable":true,"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]},
    "status":{"allocatable":{"cpu":"1500m","memory":"1Gi","pods":110,"nvidia.com/gpu":"2"},
              "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}],
              "declaredFeatures":["F"],
              "images":[{"names":["r/a@sha256:1","r/a:2"],"sizeBytes":9223372036854775807},{"names":null}]}})");
  EXPECT_EQ(node.name, "n1");
  EXPECT_EQ(node.labels, (Labels{{"zone", "a"}}));
  EXPECT_TRUE(node.unschedulable);
  ASSERT_EQ(node.taints.size(), 1u);
  EXPECT_EQ(node.taints[0].key, "k");
  EXPECT_EQ(node.taints[0].value, "v");
  EXPECT_EQ(node.taints[0].effect, "NoSchedule");
  EXPECT_EQ(node.allocatable,
            (ResourceList{{"cpu", 1500}, {"memory", 1073741824}, {"nvidia.com/gpu", 2}, {"pods", 110}}));
  ASSERT_EQ(node.conditions.size(), 1u);
  EXPECT_EQ(node.conditions[0].reason, "KubeletReady");
  EXPECT_EQ(node.declared_features, (std::vector<std::string>{"F"}));
  ASSERT_EQ(node.images.size(), 2U);
  EXPECT_EQ(node.images[0].names, (std::vector<std::string>{"r/a@sha256:1", "r/a:2"}));
  EXPECT_EQ(node.images[0].size, 9223372036854775807);
  EXPECT_TRUE(node.images[1].names.empty());
  EXPECT_EQ(node.images[1].size, 0);
  EXPECT_TRUE(node.avoided.empty());
}

TEST(ReadNode, NeedsOnlyAName) {
  const Node node = read(read_node, R"({"metadata":{"name":"n1"},"spec":null,"other":[{}]})");
  EXPECT_EQ(node.name, "n1");
  EXPECT_FALSE(node.unschedulable);
  EXPECT_TRUE(node.allocatable.empty());
}

TEST(ReadPod, TakesMetadata) {
  const Pod pod = read(read_pod, R"({"metadata":{"name":"a","namespace":"x","uid":"u","labels":{"k":"v"},
    "deletionTimestamp":"2026-11-21T10:00:00Z"}})");
  EXPECT_EQ(pod.full_name(), "x/a");
  EXPECT_EQ(pod.uid, "u");
  EXPECT_EQ(pod.labels, (Labels{{"k", "v"}}));
  EXPECT_TRUE(pod.terminating);
}

// PRE-INPUT-4
TEST(ReadPod, DefaultsOnlyTheNamespace) {
  for (const char* json : {R"({"metadata":{"name":"a"}})", R"({"metadata":{"name":"a","namespace":""}})"}) {
    const Pod pod = read(read_pod, json);
    EXPECT_EQ(pod.full_name(), "default/a");
    EXPECT_EQ(pod.priority, 0);
    EXPECT_EQ(pod.phase, "");
    EXPECT_FALSE(pod.terminating);
    EXPECT_FALSE(pod.pod_level_requests);
    EXPECT_FALSE(pod.node_affinity);
    EXPECT_FALSE(pod.start_time_ns);
    EXPECT_EQ(pod.resource_status, ResourceStatus{});
  }
}

TEST(ReadPod, TakesContainers) {
  const Pod pod = read(read_pod, with_spec(R"(
    "containers":[{"name":"c","image":"r/a:2","restartPolicy":"Always","resources":{"requests":{"cpu":0.5,"memory":"1Ki"},"limits":{"cpu":9}},
                   "ports":[{"containerPort":80},{"hostPort":65535,"protocol":"UDP","hostIP":"10.0.0.1"}]},
                  {"name":"d","resources":{"limits":{"cpu":9}}}],
    "initContainers":[{"name":"i","image":"b","restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},{"name":"j"}],
    "overhead":{"cpu":"10m"},"resources":{"requests":{"cpu":"3"}})"));
  ASSERT_EQ(pod.containers.size(), 2u);
  EXPECT_EQ(pod.containers[0].requests, (ResourceList{{"cpu", 500}, {"memory", 1024}}));
  EXPECT_FALSE(pod.containers[0].restart_always);
  EXPECT_EQ(pod.containers[0].image, "r/a:2");
  ASSERT_EQ(pod.containers[0].ports.size(), 2u);
  EXPECT_EQ(pod.containers[0].ports[0].host_port, 0);
  EXPECT_EQ(pod.containers[0].ports[1].host_port, 65535);
  EXPECT_EQ(pod.containers[0].ports[1].protocol, "UDP");
  EXPECT_EQ(pod.containers[0].ports[1].host_ip, "10.0.0.1");
  EXPECT_TRUE(pod.containers[1].requests.empty());
  EXPECT_EQ(pod.containers[1].limits, (ResourceList{{"cpu", 9000}}));
  EXPECT_EQ(pod.containers[1].image, "");
  ASSERT_EQ(pod.init_containers.size(), 2u);
  EXPECT_TRUE(pod.init_containers[0].restart_always);
  EXPECT_EQ(pod.init_containers[0].image, "b");
  EXPECT_FALSE(pod.init_containers[1].restart_always);
  EXPECT_EQ(pod.overhead, (ResourceList{{"cpu", 10}}));
  EXPECT_EQ(pod.pod_level_requests, (ResourceList{{"cpu", 3000}}));
}

TEST(ReadPod, TakesEmptyPodLevelRequestsForNone) {
  EXPECT_FALSE(read(read_pod, with_spec(R"("resources":{})")).pod_level_requests);
  EXPECT_FALSE(read(read_pod, with_spec(R"("resources":{"requests":{}})")).pod_level_requests);
}

TEST(ReadPod, KnowsWhatOnlySomeNodesCanDo) {
  using Names = std::vector<std::string>;
  const auto needs = [](const char* spec) { return read(read_pod, with_spec(spec)).node_features; };
  EXPECT_EQ(
      needs(R"("hostNetwork":true,"containers":[{"name":"c","restartPolicyRules":[{"action":"Restart"}]}])"),
      Names{});
  EXPECT_EQ(needs(R"("hostNetwork":true,"hostUsers":true)"), Names{});
  EXPECT_EQ(needs(R"("hostNetwork":false,"hostUsers":false)"), Names{});
  EXPECT_EQ(needs(R"("hostNetwork":true,"hostUsers":false)"), Names{"UserNamespacesHostNetworkSupport"});
  EXPECT_EQ(
      needs(R"("initContainers":[{"name":"c","restartPolicyRules":[{"action":"RestartAllContainers"}]}])"),
      Names{"RestartAllContainersOnContainerExits"});
  for (const std::string list : {"containers", "initContainers", "ephemeralContainers"}) {
    const auto mounts = [&list](const std::string& options) {
      return "\"" + list +
             R"(":[{"name":"c"},{"name":"d","volumeMounts":[{"name":"v","mountPath":"/v"},{"name":"w",
        "mountPath":"/w","bindMountOptions":)" +
             options + "}]}]";
    };
    EXPECT_EQ(needs(mounts(R"(["noexec"])").c_str()), Names{"VolumeBindMountOptions"});
    EXPECT_EQ(needs(mounts("[]").c_str()), Names{});
  }
}

TEST(ReadPod, TakesWhatSchedulingReads) {
  const Pod pod =
      read(read_pod, with_spec(R"("nodeName":"n1","priority":-2147483648,"preemptionPolicy":"Never",
    "schedulerName":"mine","schedulingGates":[{"name":"g/a"},{"name":"g/b"}],
    "nodeSelector":{"k":"v"},"tolerations":[{"key":"k","operator":"Exists","value":"v","effect":"e"}],
    "topologySpreadConstraints":[{"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","maxSkew":1}],
    "volumes":[{"name":"v","emptyDir":{}},{"persistentVolumeClaim":{"claimName":"p"},"name":"w"},{"name":"x"},
               {"name":"y","secret":null},{"name":"z","image":{"reference":"r/a:2","pullPolicy":"Always"}}],
    "resourceClaims":[{"name":"gpu"}])"));
  EXPECT_EQ(pod.node_name, "n1");
  EXPECT_EQ(pod.priority, -2147483648);
  EXPECT_EQ(pod.preemption_policy, "Never");
  EXPECT_EQ(pod.scheduler_name, "mine");
  EXPECT_EQ(pod.scheduling_gates, (std::vector<std::string>{"g/a", "g/b"}));
  EXPECT_EQ(pod.node_selector, (Labels{{"k", "v"}}));
  ASSERT_EQ(pod.tolerations.size(), 1u);
  EXPECT_EQ(pod.tolerations[0].op, "Exists");
  ASSERT_EQ(pod.topology_spread.size(), 1u);
  EXPECT_EQ(pod.topology_spread[0].topology_key, "zone");
  EXPECT_EQ(pod.topology_spread[0].when_unsatisfiable, "DoNotSchedule");
  ASSERT_EQ(pod.volumes.size(), 5U);
  EXPECT_EQ(pod.volumes[0].source.kind, "emptyDir");
  EXPECT_EQ(pod.volumes[1].name, "w");
  EXPECT_EQ(pod.volumes[1].source.kind, "persistentVolumeClaim");
  EXPECT_EQ(pod.volumes[1].source.id, "p");
  EXPECT_EQ(pod.volumes[3].source.kind, "");
  EXPECT_EQ(pod.volumes[4].source, (VolumeSource{.kind = "image", .id = "r/a:2"}));
  EXPECT_EQ(pod.resource_claims, (std::vector<std::string>{"gpu"}));
}

TEST(ReadPod, TakesRequiredNodeAffinity) {
  const auto affinity = [](const std::string& required) {
    return read(read_pod, with_spec(R"("affinity":{"nodeAffinity":{)" + required + "}}")).node_affinity;
  };
  const auto terms = affinity(R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
    {"matchExpressions":[{"key":"k","operator":"In","values":["a","b"]}]},
    {"matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n"]}]}]})");
  ASSERT_TRUE(terms);
  ASSERT_EQ(terms->size(), 2u);
  ASSERT_EQ((*terms)[0].match_expressions.size(), 1u);
  EXPECT_EQ((*terms)[0].match_expressions[0].values, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ((*terms)[1].match_fields.size(), 1u);
  EXPECT_EQ((*terms)[1].match_fields[0].op, "NotIn");

  EXPECT_FALSE(affinity(R"("preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1}])"));
  const auto none = affinity(R"("requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[]})");
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
}

TEST(ReadPod, TakesRequiredPodAffinity) {
  const Pod pod = read(read_pod, with_spec(R"("affinity":{
    "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","namespaces":["x"],
       "labelSelector":{"matchLabels":{"k":"v"},"matchExpressions":[{"key":"l","operator":"Exists"}]}}]},
    "podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"host","namespaceSelector":{}}],
       "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1}]}})"));
  ASSERT_EQ(pod.pod_affinity.size(), 1u);
  EXPECT_EQ(pod.pod_affinity[0].topology_key, "zone");
  EXPECT_EQ(pod.pod_affinity[0].namespaces, (std::vector<std::string>{"x"}));
  ASSERT_TRUE(pod.pod_affinity[0].label_selector);
  EXPECT_EQ(pod.pod_affinity[0].label_selector->match_labels, (Labels{{"k", "v"}}));
  EXPECT_EQ(pod.pod_affinity[0].label_selector->match_expressions.at(0).op, "Exists");
  EXPECT_FALSE(pod.pod_affinity[0].namespace_selector);
  ASSERT_EQ(pod.pod_anti_affinity.size(), 1u);
  EXPECT_FALSE(pod.pod_anti_affinity[0].label_selector);
  EXPECT_TRUE(pod.pod_anti_affinity[0].namespace_selector);
}

TEST(ReadPod, TakesAnImageVolumeWithoutAReference) {
  const Pod pod = read(read_pod, with_spec(R"("volumes":[{"name":"v","image":{}}])"));
  EXPECT_EQ(pod.volumes.at(0).source, VolumeSource{.kind = "image"});
}

TEST(ReadPod, TakesPreferredNodeAffinity) {
  const Pod pod = read(read_pod, with_spec(R"("affinity":{"nodeAffinity":{
    "preferredDuringSchedulingIgnoredDuringExecution":[
      {"weight":7,"preference":{"matchExpressions":[{"key":"k","operator":"In","values":["a"]}],
                                "matchFields":[{"key":"metadata.name","operator":"NotIn","values":["n"]}]}},
      {"weight":-2147483648},{"preference":{}}]}})"));
  EXPECT_FALSE(pod.node_affinity);
  const std::vector<PreferredNodeTerm>& terms = pod.preferred_node_affinity;
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[0].weight, 7);
  EXPECT_EQ(terms[0].preference.match_expressions, (std::vector<Requirement>{{"k", "In", {"a"}}}));
  EXPECT_EQ(terms[0].preference.match_fields, (std::vector<Requirement>{{"metadata.name", "NotIn", {"n"}}}));
  EXPECT_EQ(terms[1].weight, -2147483648);
  EXPECT_TRUE(terms[1].preference.match_expressions.empty());
  EXPECT_EQ(terms[2].weight, 0);
}

TEST(ReadPod, TakesPreferredPodAffinity) {
  const Pod pod = read(read_pod, with_spec(R"("affinity":{
    "podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
      {"weight":100,"podAffinityTerm":{"topologyKey":"zone","namespaces":["x"],"namespaceSelector":{},
         "labelSelector":{"matchLabels":{"k":"v"}},"matchLabelKeys":["m"],"mismatchLabelKeys":["n"]}},
      {"weight":1}]},
    "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[
      {"weight":3,"podAffinityTerm":{"topologyKey":"host"}}]}})"));
  EXPECT_TRUE(pod.pod_affinity.empty());
  EXPECT_TRUE(pod.pod_anti_affinity.empty());
  const PodAffinityTerm whole{.label_selector = LabelSelector{{{"k", "v"}}, {}},
                              .namespaces = {"x"},
                              .namespace_selector = LabelSelector{},
                              .topology_key = "zone",
                              .match_label_keys = {"m"},
                              .mismatch_label_keys = {"n"}};
  EXPECT_EQ(pod.preferred_pod_affinity,
            (std::vector<WeightedPodAffinityTerm>{{100, whole}, {1, PodAffinityTerm{}}}));
  ASSERT_EQ(pod.preferred_pod_anti_affinity.size(), 1U);
  EXPECT_EQ(pod.preferred_pod_anti_affinity[0].weight, 3);
  EXPECT_EQ(pod.preferred_pod_anti_affinity[0].term.topology_key, "host");
}

TEST(ReadPod, TakesStatus) {
  const Pod pod = read(read_pod, with_status(R"("phase":"Running","nominatedNodeName":"n2",
    "startTime":"1970-01-01T00:00:01Z","conditions":[{"type":"PodResizePending","status":"True","reason":"Infeasible"}],
    "containerStatuses":[{"name":"c","resources":{"requests":{"cpu":"1"}},"allocatedResources":{"cpu":"2"}},
                         {"name":"d","resources":{}},{"name":"e"}],
    "initContainerStatuses":[{"name":"i"}],
    "resources":{"requests":{"cpu":"3"}},"allocatedResources":{"cpu":"4"})"));
  EXPECT_EQ(pod.phase, "Running");
  EXPECT_EQ(pod.nominated_node_name, "n2");
  EXPECT_EQ(pod.start_time_ns, 1000000000);
  EXPECT_EQ(pod.conditions.at(0).reason, "Infeasible");
  ASSERT_EQ(pod.container_statuses.size(), 4u);
  EXPECT_EQ(pod.container_statuses[0].resources,
            (ResourceStatus{true, ResourceList{{"cpu", 1000}}, ResourceList{{"cpu", 2000}}}));
  EXPECT_EQ(pod.container_statuses[1].resources, (ResourceStatus{true, std::nullopt, std::nullopt}));
  EXPECT_EQ(pod.container_statuses[2].resources, ResourceStatus{});
  EXPECT_EQ(pod.container_statuses[3].name, "i");
  EXPECT_EQ(pod.resource_status,
            (ResourceStatus{true, ResourceList{{"cpu", 3000}}, ResourceList{{"cpu", 4000}}}));
}

// PRE-REQUESTS-8
TEST(ReadPod, TellsAnEmptyMapOfAStatusFromNoMap) {
  const auto status_of = [](const char* status) {
    return read(read_pod, with_status(status)).resource_status;
  };
  EXPECT_EQ(status_of(R"("resources":{"limits":{}})"), (ResourceStatus{true, std::nullopt, std::nullopt}));
  EXPECT_EQ(status_of(R"("resources":{"requests":{}})"),
            (ResourceStatus{true, ResourceList{}, std::nullopt}));
  EXPECT_EQ(status_of(R"("allocatedResources":{})"), (ResourceStatus{false, std::nullopt, ResourceList{}}));
  EXPECT_EQ(status_of(R"("resources":null,"allocatedResources":null)"), ResourceStatus{});
}

TEST(ReadPdb, TakesEveryField) {
  const PodDisruptionBudget pdb =
      read(read_pdb, R"({"apiVersion":"policy/v1beta1","metadata":{"name":"b","namespace":"x"},
    "spec":{"selector":{"matchLabels":{"k":"v"}},"minAvailable":"50%"},
    "status":{"disruptionsAllowed":-1,"disruptedPods":{"p":"2026-11-21T10:00:00Z","q":null}}})");
  EXPECT_EQ(pdb.ns, "x");
  EXPECT_EQ(pdb.name, "b");
  ASSERT_TRUE(pdb.selector);
  EXPECT_EQ(pdb.selector->match_labels, (Labels{{"k", "v"}}));
  EXPECT_EQ(pdb.disruptions_allowed, -1);
  EXPECT_EQ(pdb.disrupted_pods, (std::vector<std::string>{"p", "q"}));
}

TEST(ReadPdb, TellsAMissingSelectorFromAnEmptyOne) {
  EXPECT_FALSE(read(read_pdb, with_spec("")).selector);
  EXPECT_TRUE(read(read_pdb, with_spec(R"("selector":{})")).selector);
}

struct Bad {
  std::string json;
  std::string code;
  std::string path;
};

TEST(ReadPod, NamesTheFieldThatIsWrong) {
  const std::vector<Bad> cases = {
      {"[]", "wrong-type", ""},
      {"{}", "missing-field", "metadata"},
      {R"({"metadata":{}})", "missing-field", "metadata.name"},
      {R"({"metadata":{"name":""}})", "missing-field", "metadata.name"},
      {R"({"metadata":{"name":7}})", "wrong-type", "metadata.name"},
      {R"({"metadata":{"name":"a","labels":{"k":1}}})", "wrong-type", "metadata.labels.k"},
      {R"({"metadata":{"name":"a","labels":{"k":"1","k":"1"}}})", "duplicate-key", "metadata.labels.k"},
      {R"({"metadata":{"name":"a","deletionTimestamp":"soon"}})", "time-malformed",
       "metadata.deletionTimestamp"},
      {with_metadata(R"("spec":[])"), "wrong-type", "spec"},
      {with_metadata(R"("spec":{},"spec":{})"), "duplicate-key", "spec"},
      {with_spec(R"("priority":2147483648)"), "out-of-range", "spec.priority"},
      {with_spec(R"("priority":-2147483649)"), "out-of-range", "spec.priority"},
      {with_spec(R"("priority":1.5)"), "wrong-type", "spec.priority"},
      {with_spec(R"("priority":"5")"), "wrong-type", "spec.priority"},
      {with_spec(R"("nodeName":true)"), "wrong-type", "spec.nodeName"},
      {with_spec(R"("containers":{})"), "wrong-type", "spec.containers"},
      {with_spec(R"("containers":[{},null])"), "wrong-type", "spec.containers[1]"},
      {with_spec(R"("containers":[{"ports":[{"hostPort":65536}]}])"), "out-of-range",
       "spec.containers[0].ports[0].hostPort"},
      {with_spec(R"("containers":[{"ports":[{"hostPort":-1}]}])"), "out-of-range",
       "spec.containers[0].ports[0].hostPort"},
      {with_spec(R"("containers":[{"resources":{"requests":{"cpu":"1x"}}}])"), "quantity-malformed",
       "spec.containers[0].resources.requests.cpu"},
      {with_spec(R"("containers":[{"resources":{"requests":{"cpu":"-1n"}}}])"), "quantity-negative",
       "spec.containers[0].resources.requests.cpu"},
      {with_spec(R"("containers":[{"resources":{"requests":{"memory":9223372036854775808}}}])"),
       "quantity-overflow", "spec.containers[0].resources.requests.memory"},
      {with_spec(R"("initContainers":[{"resources":{"requests":{"nvidia.com/gpu":null}}}])"), "wrong-type",
       "spec.initContainers[0].resources.requests[nvidia.com/gpu]"},
      {with_spec(R"("overhead":{"cpu":1,"cpu":1})"), "duplicate-key", "spec.overhead.cpu"},
      {with_spec(R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[]}})"),
       "wrong-type", "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"},
      {with_spec(
           R"("affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":2147483648}]}})"),
       "out-of-range",
       "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"},
      {with_spec(
           R"("affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":"1"}]}})"),
       "wrong-type",
       "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"},
      {with_spec(R"("containers":[{"image":1}])"), "wrong-type", "spec.containers[0].image"},
      {with_spec(R"("volumes":[{"image":{"reference":1}}])"), "wrong-type",
       "spec.volumes[0].image.reference"},
      {R"({"metadata":{"name":"a","ownerReferences":[{"controller":true,"uid":1}]}})", "wrong-type",
       "metadata.ownerReferences[0].uid"},
      {with_status(R"("startTime":"2026-11-21")"), "time-malformed", "status.startTime"},
      {with_status(R"("startTime":"2562-11-21T00:00:00Z")"), "time-overflow", "status.startTime"},
      {with_status(R"("startTime":5)"), "wrong-type", "status.startTime"},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read_pod, bad.json);
    EXPECT_EQ(error.code, bad.code) << bad.json;
    EXPECT_EQ(error.path, bad.path) << bad.json;
  }
}

TEST(ReadNode, NamesTheFieldThatIsWrong) {
  const std::vector<Bad> cases = {
      {R"({"metadata":{"labels":{}}})", "missing-field", "metadata.name"},
      {with_spec(R"("unschedulable":"true")"), "wrong-type", "spec.unschedulable"},
      {with_spec(R"("taints":[{"key":1}])"), "wrong-type", "spec.taints[0].key"},
      {with_status(R"("allocatable":{"cpu":"-1"})"), "quantity-negative", "status.allocatable.cpu"},
      {with_status(R"("allocatable":{"memory":"9Ei"})"), "quantity-overflow", "status.allocatable.memory"},
      {with_status(R"("allocatable":[])"), "wrong-type", "status.allocatable"},
      {with_status(R"("images":[{"names":[1]}])"), "wrong-type", "status.images[0].names[0]"},
      {with_status(R"("images":[{"sizeBytes":-1}])"), "out-of-range", "status.images[0].sizeBytes"},
      {with_status(R"("images":[{},{"sizeBytes":"1"}])"), "wrong-type", "status.images[1].sizeBytes"},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read_node, bad.json);
    EXPECT_EQ(error.code, bad.code) << bad.json;
    EXPECT_EQ(error.path, bad.path) << bad.json;
  }
}

TEST(ReadPdb, NamesTheFieldThatIsWrong) {
  const std::vector<Bad> cases = {
      {with_status(R"("disruptionsAllowed":2147483648)"), "out-of-range", "status.disruptionsAllowed"},
      {with_status(R"("disruptedPods":["p"])"), "wrong-type", "status.disruptedPods"},
      {with_status(R"("disruptedPods":{"p":"x"})"), "time-malformed", "status.disruptedPods.p"},
      {with_spec(R"("selector":{"matchExpressions":[{"values":"x"}]})"), "wrong-type",
       "spec.selector.matchExpressions[0].values"},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read_pdb, bad.json);
    EXPECT_EQ(error.code, bad.code) << bad.json;
    EXPECT_EQ(error.path, bad.path) << bad.json;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes::objects_test
