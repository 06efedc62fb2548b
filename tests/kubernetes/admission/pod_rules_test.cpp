#include "kubernetes/admission/pod_rules.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kubernetes/admission/admitted.hpp"

namespace touchstone::kubernetes::pod_rules_test {
namespace {

const std::string k_pod = "(Pod default/a).spec";

struct Case {
  std::string spec;
  std::string refused;  ///< code, and path below spec, of the error; empty: admitted
};

void expect_each(const std::vector<Case>& cases, const Version& release = newest_release()) {
  for (const Case& each : cases) {
    const std::string whole = refused(pod_with(each.spec), {}, release);
    const std::size_t space = each.refused.find(' ');
    const std::string expected =
        each.refused.empty() ? ""
                             : each.refused.substr(0, space) + " " + k_pod + each.refused.substr(space + 1);
    EXPECT_EQ(whole, expected) << each.spec;
  }
}

std::string affinity(const std::string& kind, const std::string& term) {
  return "affinity: {" + kind + ": {requiredDuringSchedulingIgnoredDuringExecution: [{" + term + "}]}}";
}

std::string spread(const std::string& members) { return "topologySpreadConstraints: [{" + members + "}]"; }

TEST(PodRules, RefuseUnknownFields) {
  expect_each({{"tolerationz: []", "unknown-field .tolerationz"},
               {"containers: [{name: c, resources: {request: {cpu: 1}}}]",
                "unknown-field .containers[0].resources.request"},
               {"volumes: [{name: v, emptyDir: {size: 1}}]", "unknown-field .volumes[0].emptyDir.size"},
               {"volumes: [{name: v, emptyDir: {sizeLimit: 1}}]", ""},
               {affinity("podAffinity", "topologyKey: z, labelselector: {}"),
                "unknown-field "
                ".affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelselector"},
               {"hostname: h, hostname: h", "duplicate-key .hostname"}});
  EXPECT_EQ(refused("{kind: Pod, metadata: {name: a, label: {}}, spec: {containers: [{name: c}]}}"),
            "unknown-field (Pod default/a).metadata.label");
  EXPECT_EQ(refused("{kind: Pod, metadata: {name: a}, specs: {}, spec: {containers: [{name: c}]}}"),
            "unknown-field (Pod default/a).specs");
}

TEST(PodRules, KnowSinceWhenFieldsAre) {
  const std::string gates = "schedulingGates: [{name: g}]";
  expect_each({{gates, "unknown-field .schedulingGates"}}, minor(25));
  expect_each({{gates, ""}}, minor(26));
  const std::string keys =
      affinity("podAffinity", "topologyKey: z, labelSelector: {}, matchLabelKeys: [app]");
  expect_each({{keys,
                "unknown-field .affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]"
                ".matchLabelKeys"}},
              minor(28));
  expect_each({{keys, ""}}, minor(29));
}

TEST(PodRules, HoldRequestsAgainstLimits) {
  const auto container = [](const std::string& limits, const std::string& requests) {
    return "containers: [{name: c, resources: {limits: {" + limits + "}, requests: {" + requests + "}}}]";
  };
  const std::string at = " .containers[0]";
  expect_each({
      {container("cpu: 1", "cpu: 1"), ""},
      {container("cpu: 1", "cpu: 2"), "invalid-field" + at},
      {container("memory: 1Gi", "memory: 1025Mi"), "invalid-field" + at},
      {container("example.com/gpu: 2", "example.com/gpu: 2"), ""},
      {container("example.com/gpu: 2", "example.com/gpu: 1"), "invalid-field" + at},
      {container("", "example.com/gpu: 1"), "missing-field" + at},
      {container("example.com/gpu: 500m", ""),
       "invalid-field .containers[0].resources.limits[example.com/gpu]"},
      {container("gpu: 1", ""), "invalid-field .containers[0].resources.limits.gpu"},
      {container("hugepages-2Mi: 2Mi", ""), "forbidden-field" + at},
      {container("hugepages-2Mi: 2Mi, cpu: 1", ""), ""},
      {container("hugepages-2Mi: 4Mi, cpu: 1", "hugepages-2Mi: 2Mi"), "invalid-field" + at},
      {"resources: {limits: {cpu: 1}}", ""},
      {"resources: {limits: {cpu: 1}, requests: {cpu: 2}}", "invalid-field "},
      {"resources: {limits: {example.com/gpu: 1}}", "invalid-field .resources.limits[example.com/gpu]"},
      {"resources: {requests: {cpu: 1}}, containers: [{name: c, resources: {requests: {cpu: 2}}}]",
       "invalid-field "},
      {"resources: {limits: {cpu: 1}}, containers: [{name: c, resources: {limits: {cpu: 2}}}]",
       "invalid-field "},
  });
  // Before v1.34 the resources of the pod as a whole are dropped.
  expect_each({{"resources: {limits: {cpu: 1}, requests: {cpu: 2}}", ""}}, minor(33));
}

TEST(PodRules, CheckSpread) {
  const std::string plain = "maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule";
  const std::string at = ".topologySpreadConstraints[0]";
  expect_each({
      {spread(plain), ""},
      {spread("maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule"),
       "out-of-range " + at + ".maxSkew"},
      {spread("topologyKey: zone, whenUnsatisfiable: DoNotSchedule"), "missing-field " + at + ".maxSkew"},
      {spread("maxSkew: 1, whenUnsatisfiable: DoNotSchedule"), "missing-field " + at + ".topologyKey"},
      {spread("maxSkew: 1, topologyKey: zone"), "missing-field " + at + ".whenUnsatisfiable"},
      {spread("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Never"),
       "invalid-field " + at + ".whenUnsatisfiable"},
      {spread(plain + "},{" + plain), "duplicate-object .topologySpreadConstraints[1]"},
      {spread(plain + ", minDomains: 0"), "out-of-range " + at + ".minDomains"},
      {spread("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, minDomains: 2"),
       "invalid-field " + at + ".minDomains"},
      {spread(plain + ", nodeTaintsPolicy: Maybe"), "invalid-field " + at + ".nodeTaintsPolicy"},
      {spread(plain + ", matchLabelKeys: [rev]"), "forbidden-field " + at + ".matchLabelKeys"},
      {spread(plain + ", labelSelector: {matchLabels: {rev: r1}}, matchLabelKeys: [rev]"),
       "invalid-field " + at + ".matchLabelKeys"},
      {spread(plain + ", labelSelector: {matchLabels: {a b: c}}"),
       "invalid-field " + at + ".labelSelector.matchLabels[a b]"},
      {spread(plain + ", labelSelector: {matchExpressions: [{key: a, operator: Is}]}"),
       "invalid-selector " + at + ".labelSelector.matchExpressions[0].operator"},
  });
}

TEST(PodRules, CheckAffinity) {
  const std::string at = ".affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]";
  const std::string nodes = ".affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const auto anti = [](const std::string& term) { return affinity("podAntiAffinity", term); };
  const auto node = [](const std::string& terms) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" +
           terms + "]}}}";
  };
  expect_each({
      {anti("topologyKey: zone, labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [rev]"), ""},
      {anti("labelSelector: {}"), "missing-field " + at + ".topologyKey"},
      {anti("topologyKey: ''"), "missing-field " + at + ".topologyKey"},
      {anti("topologyKey: a b"), "invalid-field " + at + ".topologyKey"},
      {anti("topologyKey: zone, namespaces: [A]"), "invalid-field " + at + ".namespaces[0]"},
      {anti("topologyKey: zone, matchLabelKeys: [rev]"), "forbidden-field " + at + ".matchLabelKeys"},
      {anti("topologyKey: zone, labelSelector: {matchLabels: {rev: x}}, matchLabelKeys: [rev]"),
       "invalid-field " + at + ".matchLabelKeys"},
      {anti("topologyKey: zone, labelSelector: {}, matchLabelKeys: [rev], mismatchLabelKeys: [rev]"),
       "invalid-field " + at + ".matchLabelKeys"},
      {node(""), "missing-field " + nodes + ".nodeSelectorTerms"},
      {node("{matchFields: [{key: metadata.uid, operator: In, values: [u]}]}"),
       "invalid-field " + nodes + ".nodeSelectorTerms[0].matchFields[0].key"},
      {node("{matchExpressions: [{key: k, operator: In, values: ['-']}]}"),
       "invalid-field " + nodes + ".nodeSelectorTerms[0].matchExpressions[0].values[0]"},
      {"affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 0, preference: "
       "{}}]}}",
       "out-of-range .affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"},
  });
}

TEST(PodRules, CheckTolerationsAndNames) {
  const auto toleration = [](const std::string& members) { return "tolerations: [{" + members + "}]"; };
  const std::string at = ".tolerations[0]";
  expect_each({
      {toleration("operator: Exists"), ""},
      {toleration("key: a, operator: Is"), "invalid-field " + at + ".operator"},
      {toleration("key: a, effect: Never"), "invalid-field " + at + ".effect"},
      {toleration("value: x"), "invalid-field " + at},
      {toleration("key: a, operator: Exists, value: x"), "invalid-field " + at + ".value"},
      {toleration("key: a, tolerationSeconds: 5, effect: NoSchedule"), "invalid-field " + at},
      {"nodeSelector: {a: b c}", "invalid-field .nodeSelector.a"},
      {"schedulingGates: [{name: g}, {name: g}]", "duplicate-object .schedulingGates[1].name"},
      {"volumes: [{name: V}]", "invalid-field .volumes[0].name"},
      {"containers: [{}]", "missing-field .containers[0].name"},
      {"containers: [{name: C}]", "invalid-field .containers[0].name"},
      {"containers: [{name: c}, {name: c}]", "duplicate-object .containers[1].name"},
      {"initContainers: [{name: c}]", "duplicate-object .initContainers[0].name"},
      {"ephemeralContainers: [{name: e}]", "forbidden-field .ephemeralContainers"},
  });
  EXPECT_EQ(refused("{kind: Pod, metadata: {name: A}, spec: {containers: [{name: c}]}}"),
            "invalid-field (Pod default/A).metadata.name");
}

TEST(PodRules, CheckPorts) {
  const auto ports = [](const std::string& list) { return "containers: [{name: c, ports: [" + list + "]}]"; };
  const std::string at = ".containers[0].ports[";
  expect_each({
      {ports("{containerPort: 80, hostPort: 80}, {containerPort: 80, hostPort: 80, protocol: UDP}"), ""},
      {ports("{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}"),
       "duplicate-object " + at + "1]"},
      {ports("{containerPort: 80, hostPort: 70000}"), "out-of-range " + at + "0].hostPort"},
      {ports("{containerPort: 80, protocol: HTTP}"), "invalid-field " + at + "0].protocol"},
      {"hostNetwork: true, " + ports("{containerPort: 80, hostPort: 81}"),
       "invalid-field " + at + "0].hostPort"},
  });
}

}  // namespace
}  // namespace touchstone::kubernetes::pod_rules_test
