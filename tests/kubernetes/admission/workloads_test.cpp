#include "kubernetes/admission/workloads.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/kubernetes/admission/admitted.hpp"

namespace touchstone::kubernetes::workloads_test {
namespace {

const std::string k_template =
    "template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, resources: {limits: {cpu: "
    "1}}}]}}";
const std::string k_selected = "selector: {matchLabels: {app: web}}, " + k_template;

std::string workload(const std::string& kind, const std::string& spec) {
  return "{kind: " + kind + ", metadata: {name: web, namespace: prod}, spec: {" + spec + "}}";
}

TEST(Workloads, AreThePodsThatTheirControllersMake) {
  struct Case {
    std::string yaml;
    std::string name;
    std::string label;       ///< one that the controller adds
    std::string controller;  ///< apiVersion, kind and name
  };
  const std::vector<Case> cases = {
      {workload("Deployment", "replicas: 3, " + k_selected), "prod/web-xxxxxxxxxx-xxxxx", "pod-template-hash",
       "apps/v1 ReplicaSet web-xxxxxxxxxx"},
      {workload("ReplicaSet", k_selected), "prod/web-xxxxx", "app", "apps/v1 ReplicaSet web"},
      {workload("StatefulSet", "serviceName: web, " + k_selected), "prod/web-0",
       "apps.kubernetes.io/pod-index", "apps/v1 StatefulSet web"},
      {workload("StatefulSet", "ordinals: {start: 5}, " + k_selected), "prod/web-5",
       "statefulset.kubernetes.io/pod-name", "apps/v1 StatefulSet web"},
      {workload("DaemonSet", k_selected), "prod/web-xxxxx", "pod-template-generation",
       "apps/v1 DaemonSet web"},
      {workload("Job", "completions: 2, " + k_template), "prod/web-xxxxx", "batch.kubernetes.io/job-name",
       "batch/v1 Job web"},
      {workload("Job", "completionMode: Indexed, " + k_template), "prod/web-0-xxxxx",
       "batch.kubernetes.io/job-completion-index", "batch/v1 Job web"},
      {workload("CronJob", "schedule: '* * * * *', jobTemplate: {spec: {" + k_template + "}}"),
       "prod/web-xxxxxxxx-xxxxx", "job-name", "batch/v1 Job web-xxxxxxxx"},
  };
  for (const Case& each : cases) {
    const Manifest manifest = admit(each.yaml);
    EXPECT_EQ(manifest.pod.full_name(), each.name) << each.yaml;
    EXPECT_EQ(manifest.pod.labels.count(each.label), 1u) << each.yaml;
    EXPECT_EQ(manifest.pod.labels.at("app"), "web") << each.yaml;
    ASSERT_TRUE(manifest.pod.controller) << each.yaml;
    const Controller& controller = *manifest.pod.controller;
    EXPECT_EQ(controller.api_version + " " + controller.kind + " " + controller.name, each.controller);
    ASSERT_EQ(manifest.pod.containers.size(), 1u) << each.yaml;
    EXPECT_EQ(manifest.pod.containers[0].requests, (ResourceList{{"cpu", 1000}})) << each.yaml;
  }
}

TEST(Workloads, OfAPodKeepTheControllerThatItNames) {
  EXPECT_FALSE(admit(pod_with("")).pod.controller);
  const Manifest manifest = admit(
      "{kind: Pod, metadata: {name: a, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: rs, "
      "uid: u, controller: true}]}, spec: {containers: [{name: c}]}}");
  EXPECT_EQ(manifest.pod.controller,
            (Controller{.api_version = "apps/v1", .kind = "ReplicaSet", .name = "rs", .uid = "u"}));
}

TEST(Workloads, OfADaemonSetTolerateWhatDaemonsDo) {
  const Manifest manifest = admit(workload("DaemonSet", k_selected));
  const auto tolerates = [&](const std::string& key, const std::string& effect) {
    return std::any_of(manifest.pod.tolerations.begin(), manifest.pod.tolerations.end(),
                       [&](const Toleration& each) { return each.key == key && each.effect == effect; });
  };
  EXPECT_TRUE(tolerates("node.kubernetes.io/unschedulable", "NoSchedule"));
  EXPECT_TRUE(tolerates("node.kubernetes.io/memory-pressure", "NoSchedule"));
  EXPECT_FALSE(tolerates("node.kubernetes.io/network-unavailable", "NoSchedule"));
  EXPECT_FALSE(manifest.pod.node_affinity);
}

TEST(Workloads, OfAStatefulSetHaveTheNextNameAndItsClaims) {
  const Dump dump = dump_of(R"(
{kind: Pod, metadata: {name: web-0, namespace: prod}}
---
{kind: PersistentVolumeClaim, metadata: {name: logs-web-1, namespace: prod}}
---
{kind: StorageClass, provisioner: p,
 metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}}
)");
  const std::string claims =
      "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], "
      "resources: {requests: {storage: 1Gi}}}}, {metadata: {name: logs}, spec: {}}], ";
  const Manifest manifest = admit(workload("StatefulSet", claims + k_selected), dump);
  EXPECT_EQ(manifest.pod.name, "web-1");
  ASSERT_EQ(manifest.pod.volumes.size(), 2u);
  EXPECT_EQ(manifest.pod.volumes[0].source.id, "data-web-1");
  EXPECT_EQ(manifest.pod.volumes[1].source.id, "logs-web-1");
  ASSERT_EQ(manifest.claims.size(), 1u);
  EXPECT_EQ(manifest.claims[0].full_name(), "prod/data-web-1");
  EXPECT_EQ(manifest.claims[0].storage_class(), "fast");
  EXPECT_EQ(manifest.claims[0].storage, Quantity{1} << 30);
}

TEST(Workloads, AreRefusedAsByAnApiServer) {
  const std::string web = "(Deployment prod/web).spec";
  EXPECT_EQ(refused(workload("Deployment", k_template)), "missing-field " + web + ".selector");
  EXPECT_EQ(refused(workload("Deployment", "selector: {matchLabels: {app: x}}, " + k_template)),
            "invalid-field " + web + ".selector");
  EXPECT_EQ(refused(workload("Deployment", "replica: 3, " + k_selected)),
            "unknown-field " + web + ".replica");
  EXPECT_EQ(refused(workload("Deployment", "selector: {}, template: {spec: {container: []}}")),
            "unknown-field " + web + ".template.spec.container");
  EXPECT_EQ(refused(workload("Deployment",
                             "selector: {}, template: {spec: {containers: [{name: c, ports: "
                             "[{containerPort: 1, protocol: X}]}]}}")),
            "invalid-field " + web + ".template.spec.containers[0].ports[0].protocol");
}

TEST(Workloads, AreInTheNamespaceOfTheCommandLine) {
  EXPECT_EQ(admit(pod_with(""), {}, newest_release(), "shop").pod.ns, "shop");
  EXPECT_EQ(admit(pod_with("")).pod.ns, "default");
  EXPECT_EQ(refused(workload("ReplicaSet", k_selected), {}, newest_release(), "shop"),
            "forbidden-field (ReplicaSet prod/web).metadata.namespace");
}

}  // namespace
}  // namespace touchstone::kubernetes::workloads_test
