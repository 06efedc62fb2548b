#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kubernetes/admission/admitted.hpp"

/// Tests the values that a new pod gets from objects of the dump, from its labels and from the release.
namespace touchstone::kubernetes::cluster_admission_test {
namespace {

using Requirements = std::vector<Requirement>;

const std::string k_limited = R"(
{kind: LimitRange, metadata: {name: usual, namespace: default}, spec: {limits: [
  {type: Container, default: {cpu: 2, memory: 1Gi}, defaultRequest: {cpu: 500m}, min: {cpu: 100m}, max: {cpu: 4},
   maxLimitRequestRatio: {cpu: 4}},
  {type: Pod, max: {cpu: 6}}]}}
---
{kind: LimitRange, metadata: {name: strict, namespace: other}, spec: {limits: [{type: Container, max: {cpu: 1m}}]}}
)";

std::string container(const std::string& limits, const std::string& requests = "",
                      const std::string& name = "c") {
  return "{name: " + name + ", resources: {limits: {" + limits + "}, requests: {" + requests + "}}}";
}

TEST(LimitRanges, GiveRequestsAndLimits) {
  const Dump dump = dump_of(k_limited);
  const Manifest plain = admit(pod_with(""), dump);
  EXPECT_EQ(plain.pod.containers[0].requests, (ResourceList{{"cpu", 500}}));
  EXPECT_TRUE(has_note(plain, "requests cpu of container c from LimitRange usual"));
  EXPECT_TRUE(has_note(plain, "limits cpu, memory of container c from LimitRange usual"));
  // The request that comes from the container's own limit is set before the plugin runs.
  const Manifest own = admit(pod_with("containers: [" + container("cpu: 1") + "]"), dump);
  EXPECT_EQ(own.pod.containers[0].requests, (ResourceList{{"cpu", 1000}}));
  EXPECT_EQ(admit(pod_with(""), Dump{}).pod.containers[0].requests, ResourceList{});
}

TEST(LimitRanges, RefuseWhatTheyDoNotAllow) {
  const Dump dump = dump_of(k_limited);
  const auto failure = [&](const std::string& containers) {
    return refused(pod_with("containers: [" + containers + "]"), dump);
  };
  const std::string first = "limit-range-exceeded (Pod default/a).spec.containers[0]";
  EXPECT_EQ(failure(container("cpu: 1", "cpu: 250m")), "");
  EXPECT_EQ(failure(container("cpu: 1", "cpu: 50m")), first);
  EXPECT_EQ(failure(container("cpu: 5")), first);
  EXPECT_EQ(failure(container("cpu: 4", "cpu: 900m")), first);
  EXPECT_EQ(failure(container("cpu: 4", "", "c") + "," + container("cpu: 3", "", "d")),
            "limit-range-exceeded (Pod default/a).spec");
  // The default limit of the range is below the request.
  EXPECT_EQ(failure(container("", "cpu: 3")), "invalid-field (Pod default/a).spec.containers[0]");
}

const std::string k_runtime = R"(
{kind: RuntimeClass, apiVersion: node.k8s.io/v1, metadata: {name: kata}, handler: kata,
 overhead: {podFixed: {cpu: 250m, memory: 120Mi}},
 scheduling: {nodeSelector: {runtime: kata}, tolerations: [{key: kata, operator: Exists, effect: NoSchedule}]}}
)";

TEST(RuntimeClasses, GiveOverheadSelectorAndTolerations) {
  const Dump dump = dump_of(k_runtime);
  const Manifest manifest = admit(pod_with("runtimeClassName: kata, nodeSelector: {disk: ssd}"), dump);
  EXPECT_EQ(manifest.pod.overhead, (ResourceList{{"cpu", 250}, {"memory", 120 << 20}}));
  EXPECT_EQ(manifest.pod.node_selector, (Labels{{"disk", "ssd"}, {"runtime", "kata"}}));
  EXPECT_EQ(manifest.pod.tolerations.back().key, "kata");
  EXPECT_TRUE(has_note(manifest, "overhead, nodeSelector, tolerations from RuntimeClass kata"));
  EXPECT_EQ(refused(pod_with("runtimeClassName: kata, overhead: {cpu: 250m, memory: 120Mi}"), dump), "");
}

TEST(RuntimeClasses, RefuseContradictions) {
  const Dump dump = dump_of(k_runtime);
  const std::string at = " (Pod default/a).spec.";
  EXPECT_EQ(refused(pod_with("runtimeClassName: runc"), dump),
            "unknown-runtime-class" + at + "runtimeClassName");
  EXPECT_EQ(refused(pod_with("runtimeClassName: kata"), {}),
            "unknown-runtime-class" + at + "runtimeClassName");
  EXPECT_EQ(refused(pod_with("runtimeClassName: kata, overhead: {cpu: 1}"), dump),
            "forbidden-field" + at + "overhead");
  EXPECT_EQ(refused(pod_with("overhead: {cpu: 1}"), dump), "forbidden-field" + at + "overhead");
  EXPECT_EQ(refused(pod_with("runtimeClassName: kata, nodeSelector: {runtime: runc}"), dump),
            "forbidden-field" + at + "nodeSelector");
}

/// The label selectors of a pod's anti-affinity, preferred affinity and topology spread, after admission by a
/// release.
std::vector<Requirements> selectors(const std::string& selector, const Version& release) {
  const std::string keys = selector + "matchLabelKeys: [rev, absent]";
  const Pod pod =
      admit(pod_with("affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                     "[{topologyKey: zone, " +
                     keys +
                     ", mismatchLabelKeys: [app]}]}, "
                     "podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "
                     "[{weight: 1, podAffinityTerm: {topologyKey: zone, " +
                     keys +
                     "}}]}}, topologySpreadConstraints: [{maxSkew: 1, "
                     "topologyKey: zone, whenUnsatisfiable: DoNotSchedule, " +
                     keys + "}]"),
            {}, release)
          .pod;
  std::vector<Requirements> found;
  for (const auto& each :
       {pod.pod_anti_affinity[0].label_selector, pod.preferred_pod_affinity[0].term.label_selector,
        pod.topology_spread[0].label_selector})
    found.push_back(each ? each->match_expressions : Requirements{});
  return found;
}

TEST(LabelKeys, AreMergedWhereTheReleaseDoes) {
  const std::string all = "labelSelector: {}, ";
  const Requirement rev{.key = "rev", .op = "In", .values = {"r1"}};
  const Requirement app{.key = "app", .op = "NotIn", .values = {"web"}};
  EXPECT_EQ(selectors(all, minor(29)), (std::vector<Requirements>{{}, {}, {}}));
  EXPECT_EQ(selectors(all, minor(30)), (std::vector<Requirements>{{}, {}, {}}));
  EXPECT_EQ(selectors(all, minor(31)), (std::vector<Requirements>{{rev, app}, {rev}, {}}));
  EXPECT_EQ(selectors(all, minor(33)), (std::vector<Requirements>{{rev, app}, {rev}, {}}));
  EXPECT_EQ(selectors(all, minor(34)), (std::vector<Requirements>{{rev, app}, {rev}, {rev}}));
  EXPECT_EQ(selectors(all, newest_release()), (std::vector<Requirements>{{rev, app}, {rev}, {rev}}));
}

}  // namespace
}  // namespace touchstone::kubernetes::cluster_admission_test
