#include "oracle/simulation/events.hpp"

#include <gtest/gtest.h>

#include "tests/support/builder.hpp"

/// Reading a file of events.
namespace touchstone::oracle {

namespace {

kubernetes::Dump dump() {
  kubernetes::Dump dump;
  dump.priority_classes = {{.name = "high", .value = 1000, .global_default = false, .preemption_policy = ""}};
  return dump;
}

Result<std::vector<Event>> parsed(const std::string& text) {
  return parse_events(text, "e.yaml", dump(), tests::release("v1.36.3").version);
}

const std::string k_pod = R"(
  create:
    kind: Pod
    metadata: {name: p}
    spec:
      priorityClassName: high
      terminationGracePeriodSeconds: 7
      containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
)";

}  // namespace

TEST(Events, HaveATimeOrWaitForAPod) {
  const auto events = parsed("- at: 1m30s" + k_pod +
                             "- after: {pod: p, is: Nominated}\n  delay: 500ms\n"
                             "  delete: {kind: Pod, name: v, namespace: batch}\n  gracePeriodSeconds: 5\n"
                             "- at: 2s\n  delete: {kind: Node, name: n1}\n");
  ASSERT_TRUE(events) << events.error().path << " " << events.error().message;
  ASSERT_EQ(events.value().size(), 3u);
  const Event& created = events.value()[0];
  EXPECT_EQ(created.wait_ns, 90'000'000'000);
  EXPECT_EQ(created.text(), "create Pod default/p");
  const auto& pod = std::get<PodObject>(std::get<CreateObject>(created.change).object);
  EXPECT_EQ(pod.pod.priority, 1000);
  EXPECT_EQ(pod.grace_seconds, 7);
  const Event& deleted = events.value()[1];
  EXPECT_EQ(deleted.after->pod, "default/p");
  EXPECT_EQ(deleted.after->is, PodState::nominated);
  EXPECT_EQ(deleted.wait_ns, 500'000'000);
  EXPECT_EQ(deleted.text(), "delete Pod batch/v");
  EXPECT_EQ(std::get<DeleteObject>(deleted.change).grace_seconds, 5);
  EXPECT_EQ(events.value()[2].text(), "delete Node n1");
  EXPECT_EQ(name_of(PodState::gone), "Gone");
}

TEST(Events, ReplaceObjectsAndCreateWorkloads) {
  const auto events = parsed(R"(
- at: 1s
  replace:
    kind: Pod
    metadata: {name: p, labels: {a: b}}
    spec: {containers: [{name: c, image: i}]}
    status: {phase: Succeeded}
- at: 1s
  replace: {kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 1}}}
- at: 1s
  create: {kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: {matchLabels: {a: b}}}}
- at: 1s
  create:
    kind: ReplicaSet
    metadata: {name: web, namespace: shop}
    spec:
      replicas: 3
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {terminationGracePeriodSeconds: 3, containers: [{name: c, image: i}]}
- at: 1s
  create:
    kind: Job
    metadata: {name: job}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
)");
  ASSERT_TRUE(events) << events.error().path << " " << events.error().message;
  const auto& replaced = std::get<ReplaceObject>(events.value()[0].change);
  EXPECT_TRUE(replaced.with_status);
  EXPECT_EQ(std::get<PodObject>(replaced.object).pod.phase, "Succeeded");
  EXPECT_EQ(std::get<Node>(std::get<ReplaceObject>(events.value()[1].change).object).name, "n1");
  const auto& web = std::get<Workload>(std::get<CreateObject>(events.value()[3].change).object);
  EXPECT_EQ(web.count, 3);
  EXPECT_EQ(web.name.text(), "ReplicaSet shop/web");
  EXPECT_EQ(web.pod_template.grace_seconds, 3);
  EXPECT_EQ(web.pod_template.pod.controller->name, "web");
  EXPECT_EQ(std::get<Workload>(std::get<CreateObject>(events.value()[4].change).object).count, 1);
}

TEST(Events, NameWhatIsWrong) {
  struct Case {
    std::string text;
    std::string code;
    std::string path;
  };
  const std::string pod = "{kind: Pod, name: p}";
  const std::vector<Case> cases = {
      {"a: b", "wrong-type", "e.yaml"},
      {"- 5", "wrong-type", "e.yaml: [0]"},
      {"- delete: " + pod, "missing-field", "e.yaml: [0]"},
      {"- at: 1s\n  after: {pod: p, is: Gone}\n  delete: " + pod, "missing-field", "e.yaml: [0]"},
      {"- at: 1s", "missing-field", "e.yaml: [0]"},
      {"- at: 1s\n  delete: " + pod + k_pod, "missing-field", "e.yaml: [0]"},
      {"- at: soon\n  delete: " + pod, "duration-malformed", "e.yaml: [0].at"},
      {"- at: 5\n  delete: " + pod, "duration-malformed", "e.yaml: [0].at"},
      {"- at: -1s\n  delete: " + pod, "duration-malformed", "e.yaml: [0].at"},
      {"- {at: 1s, when: 2s, delete: " + pod + "}", "unknown-field", "e.yaml: [0].when"},
      {"- after: {pod: p, is: Happy}\n  delete: " + pod, "unknown-value", "e.yaml: [0].after.is"},
      {"- at: 1s\n  delete: {kind: Service, name: s}", "unknown-value", "e.yaml: [0].delete.kind"},
      {"- at: 1s\n  delete: {kind: Node, name: n1}\n  gracePeriodSeconds: 5", "forbidden-field",
       "e.yaml: [0].gracePeriodSeconds"},
      {"- at: 1s\n  create: {kind: Pod, metadata: {name: p}, spec: {containers: []}}", "missing-field",
       "e.yaml: [0].create (Pod default/p).spec.containers"},
      {"- at: 1s\n  replace: {kind: Job, metadata: {name: j}, spec: {template: {spec: {restartPolicy: "
       "Never, containers: [{name: c, image: i}]}}}}",
       "unknown-value", "e.yaml: [0].replace"},
      {"- [", "yaml-malformed", "e.yaml"},
  };
  for (const Case& each : cases) {
    const auto events = parsed(each.text);
    ASSERT_FALSE(events) << each.text;
    EXPECT_EQ(events.error().code, each.code) << each.text << events.error().message;
    EXPECT_EQ(events.error().path.substr(0, each.path.size()), each.path) << events.error().message;
  }
  EXPECT_EQ(read_events("no-such-file", dump(), tests::release("v1.36.3").version).error().code,
            "file-unreadable");
}

}  // namespace touchstone::oracle
