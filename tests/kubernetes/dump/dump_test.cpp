#include "kubernetes/dump/dump.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/files.hpp"

namespace touchstone::kubernetes::dump_test {
namespace {

std::string object(const std::string& kind, const std::string& name, const std::string& more = "") {
  return R"({"kind":")" + kind + R"(","metadata":{"name":")" + name + "\"}" + more + "}";
}

/// Count and first object of the warning with this code; empty if the dump has no such warning.
std::string warning(const Dump& dump, const std::string& code) {
  for (const Warning& each : dump.warnings) {
    if (each.code == code) return std::to_string(each.count) + " " + each.first;
  }
  return "";
}

std::string list(const std::vector<std::string>& items, const std::string& kind = "List") {
  std::string json = R"({"apiVersion":"v1","kind":")" + kind + R"(","items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) json += (i == 0 ? "" : ",") + items[i];
  return json + "]}";
}

void expect_error(const std::string& json, const std::string& code, const std::string& path) {
  const Result<Dump> dump = parse_dump(json, "cluster.json");
  ASSERT_FALSE(dump) << json;
  EXPECT_EQ(dump.error().code, code) << json;
  EXPECT_EQ(dump.error().path, path) << json;
}

TEST(ReadDump, SortsObjectsByKindAndKeepsTheirOrder) {
  const Result<Dump> dump =
      parse_dump(list({object("Pod", "b"), object("Node", "n2"), object("Secret", "s"), object("Pod", "a"),
                       object("PodDisruptionBudget", "x"), object("Node", "n1"), object("Secret", "t")}),
                 "cluster.json");
  ASSERT_TRUE(dump);
  const Cluster& cluster = dump.value().cluster;
  ASSERT_EQ(cluster.pods.size(), 2u);
  EXPECT_EQ(cluster.pods[0].full_name(), "default/b");
  EXPECT_EQ(cluster.pods[1].full_name(), "default/a");
  ASSERT_EQ(cluster.nodes.size(), 2u);
  EXPECT_EQ(cluster.nodes[0].name, "n2");
  EXPECT_EQ(cluster.pdbs.size(), 1u);
  EXPECT_EQ(dump.value().ignored_kinds, (std::map<std::string, std::size_t>{{"Secret", 2}}));
  EXPECT_TRUE(dump.value().warnings.empty());
}

TEST(ReadDump, TakesObjectsThatFollowEachOther) {
  for (const std::string between : {"\n", "\n---\n"}) {
    const Result<Dump> dump = parse_dump(
        object("Node", "n1") + between + list({object("Pod", "a")}) + between + object("Pod", "b") + "\n",
        "cluster.json");
    ASSERT_TRUE(dump) << dump.error().message;
    EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
    EXPECT_EQ(dump.value().cluster.pods.size(), 2u);
  }
  expect_error(object("Node", "n1") + "\n{\"kind\":\"Pod\"}", "missing-field",
               "cluster.json: document 2: (Pod).metadata");
}

TEST(ReadDump, RefusesSelectorsThatNoServerStores) {
  const std::string selector = R"(,"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"Foo"}]}})";
  expect_error(
      list({object("PodDisruptionBudget", "b", selector)}), "invalid-selector",
      "cluster.json: items[0] (PodDisruptionBudget default/b).spec.selector.matchExpressions[0].operator");
}

TEST(ReadDump, TakesTheKindOfItemsFromTheirList) {
  const std::string item = R"({"metadata":{"name":"a"}})";
  EXPECT_EQ(parse_dump(list({item}, "PodList"), "").value().cluster.pods.size(), 1u);
  EXPECT_EQ(parse_dump(list({item}, "NodeList"), "").value().cluster.nodes.size(), 1u);
  const std::string pdbs =
      R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudgetList","items":[)" + item + "]}";
  EXPECT_EQ(parse_dump(pdbs, "").value().cluster.pdbs.size(), 1u);
  const std::string classes =
      R"({"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClassList","items":[)" + item + "]}";
  EXPECT_EQ(parse_dump(classes, "").value().priority_classes.size(), 1u);
  EXPECT_EQ(parse_dump(list({item}, "NamespaceList"), "").value().cluster.namespaces.size(), 1u);
}

TEST(ReadDump, TakesASingleObject) {
  EXPECT_EQ(parse_dump(object("Pod", "a"), "").value().cluster.pods.size(), 1u);
}

TEST(ReadDump, TakesPriorityClassesOfEveryVersion) {
  for (const std::string version : {"v1", "v1beta1", "v1alpha1"}) {
    const Result<Dump> dump =
        parse_dump(object("PriorityClass", "high",
                          R"(,"apiVersion":"scheduling.k8s.io/)" + version +
                              R"(","value":1000,"globalDefault":true,"preemptionPolicy":"Never")"),
                   "");
    ASSERT_TRUE(dump) << version;
    ASSERT_EQ(dump.value().priority_classes.size(), 1u);
    const PriorityClass& high = dump.value().priority_classes[0];
    EXPECT_EQ(high.name, "high");
    EXPECT_EQ(high.value, 1000);
    EXPECT_TRUE(high.global_default);
    EXPECT_EQ(high.preemption_policy, "Never");
  }
}

TEST(ReadDump, TakesNamespacesAndTheirLabels) {
  const std::string labelled =
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b","labels":{"team":"x"}}})";
  const Result<Dump> dump = parse_dump(list({labelled, object("Namespace", "a")}), "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.namespaces,
            (std::map<std::string, Labels>{{"a", {}}, {"b", {{"team", "x"}}}}));
}

TEST(ReadDump, TakesObjectsThatSelectPodsByKind) {
  const auto labelled = [](const std::string& kind, const std::string& api, const std::string& name) {
    return object(kind, name,
                  R"(,"apiVersion":")" + api + R"(","spec":{"selector":{"matchLabels":{"a":"b"}}})");
  };
  const Result<Dump> dump = parse_dump(
      list({labelled("StatefulSet", "apps/v1", "d"), labelled("ReplicaSet", "apps/v1", "c"),
            object("ReplicationController", "b"), labelled("ReplicaSet", "extensions/v1beta1", "a"),
            object("Service", "z", R"(,"apiVersion":"v1","spec":{"selector":{"a":"b"}})"),
            object("Service", "y", R"(,"spec":{"type":"ExternalName"})"),
            object("Service", "k", R"(,"apiVersion":"serving.knative.dev/v1")"),
            object("StatefulSet", "k", R"(,"apiVersion":"apps.kruise.io/v1beta1")"),
            list({object("Deployment", "w")}, "DeploymentList")}),
      "");
  ASSERT_TRUE(dump) << dump.error().message;
  std::vector<std::string> names;
  for (const SelectingObject& each : dump.value().cluster.selecting) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"z", "y", "b", "c", "a", "d"}));
  const LabelSelector selector{{{"a", "b"}}, {}};
  EXPECT_EQ(dump.value().cluster.selecting.at(0).selector, selector);
  EXPECT_FALSE(dump.value().cluster.selecting.at(1).selector);
  EXPECT_EQ(dump.value().cluster.selecting.at(4).selector, selector);
  EXPECT_EQ(dump.value().ignored_kinds,
            (std::map<std::string, std::size_t>{{"Deployment", 1},
                                                {"apps.kruise.io/v1beta1/StatefulSet", 1},
                                                {"serving.knative.dev/v1/Service", 1}}));
}

TEST(ReadDump, RefusesInvalidSelectorsOfControllers) {
  const std::string spec =
      R"(,"spec":{"selector":{"matchExpressions":[{"key":"a","operator":"in","values":["b"]}]}})";
  for (const std::string kind : {"ReplicaSet", "StatefulSet"}) {
    expect_error(
        list({object(kind, "a", spec)}), "invalid-selector",
        "cluster.json: items[0] (" + kind + " default/a).spec.selector.matchExpressions[0].operator");
  }
  EXPECT_TRUE(parse_dump(object("Service", "a", R"(,"spec":{"selector":{"matchExpressions":"x"}})"), ""));
}

TEST(ReadDump, RefusesADumpWithoutObjectsThatCount) {
  for (const std::string& json :
       {list({}), list({object("Secret", "a")}), object("Secret", "a"),
        list({object("Event", "e")}, "EventList"), std::string(R"({"kind":"PodList","items":null})"),
        std::string(R"({"kind":"List"})"), object("Node", "n", R"(,"apiVersion":"longhorn.io/v1")")}) {
    expect_error(json, "no-objects", "cluster.json");
  }
}

TEST(ReadDump, IgnoresForeignKindsOfTheSameName) {
  const Result<Dump> dump =
      parse_dump(list({object("Node", "n", R"(,"apiVersion":"longhorn.io/v1")"),
                       object("Pod", "p", R"(,"apiVersion":"v1")"),
                       object("PodDisruptionBudget", "b", R"(,"apiVersion":"policy/v1beta1")"),
                       object("PriorityClass", "c", R"(,"apiVersion":"v1")"),
                       object("Node", "m", R"(,"apiVersion":"v1.example.com/v1")")}),
                 "");
  ASSERT_TRUE(dump);
  EXPECT_TRUE(dump.value().cluster.nodes.empty());
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().cluster.pdbs.size(), 1u);
  EXPECT_TRUE(dump.value().priority_classes.empty());
  EXPECT_EQ(dump.value().ignored_kinds,
            (std::map<std::string, std::size_t>{
                {"longhorn.io/v1/Node", 1}, {"v1.example.com/v1/Node", 1}, {"v1/PriorityClass", 1}}));
}

TEST(ReadDump, FindsTheServerVersion) {
  const std::string version = R"("serverVersion":{"gitVersion":"v1.34.4"})";
  const std::string node = object("Node", "n");
  EXPECT_EQ(
      parse_dump(R"({"kind":"List",)" + version + R"(,"items":[)" + node + "]}", "").value().server_version,
      "v1.34.4");
  EXPECT_EQ(parse_dump(list({node, "{" + version + "}"}), "").value().server_version, "v1.34.4");
  EXPECT_EQ(parse_dump(node, "").value().server_version, "");
}

TEST(ReadDump, KeepsTheSameObjectOnce) {
  const std::string pod = object("Pod", "a", R"(,"spec":{"priority":5,"x":1.5})");
  const Result<Dump> dump = parse_dump(list({pod, object("Node", "a"), pod, pod}), "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  EXPECT_EQ(warning(dump.value(), "duplicate-objects"), "2 items[2]");
}

TEST(ReadDump, TakesTheOrderOfMembersForNoDifference) {
  const std::string there = R"({"metadata":{"name":"a"},"spec":{"priority":5,"x":[1,2]}})";
  const std::string back = R"({"kind":"Pod","spec":{"x":[1,2],"priority":5},"metadata":{"name":"a"}})";
  const Result<Dump> dump = parse_dump(list({there, back}, "PodList"), "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
}

TEST(ReadDump, RefusesObjectsThatContradictEachOther) {
  expect_error(list({object("Pod", "a"), object("Pod", "a", R"(,"spec":{"priority":5})")}),
               "contradictory-object", "cluster.json: items[1] (Pod default/a)");
  expect_error(list({object("Namespace", "a"), object("Namespace", "a", R"(,"spec":{})")}),
               "contradictory-object", "cluster.json: items[1] (Namespace a)");
}

TEST(ReadDump, TakesTheNewerOfTwoCopies) {
  const auto pod = [](const std::string& version, const std::string& priority) {
    return R"({"kind":"Pod","metadata":{"name":"a","resourceVersion":")" + version +
           R"("},"spec":{"priority":)" + priority + "}}";
  };
  const std::string other = object("Pod", "b");
  for (const auto& pods : {std::vector{pod("9", "1"), other, pod("10", "2"), pod("8", "3")},
                           std::vector{pod("8", "3"), other, pod("10", "2")}}) {
    const Result<Dump> dump = parse_dump(list(pods), "");
    ASSERT_TRUE(dump) << dump.error().message;
    ASSERT_EQ(dump.value().cluster.pods.size(), 2u);
    EXPECT_EQ(dump.value().cluster.pods[0].name, "a");
    EXPECT_EQ(dump.value().cluster.pods[0].priority, 2);
    EXPECT_EQ(warning(dump.value(), "differing-objects"), std::to_string(pods.size() - 2) + " items[2]");
  }
  for (const std::string version : {"9", "x", ""})
    expect_error(list({pod("9", "1"), pod(version, "2")}), "contradictory-object",
                 "cluster.json: items[1] (Pod default/a)");
}

TEST(ReadDump, TakesListsInAList) {
  const std::string item = R"({"metadata":{"name":"c"}})";
  const Result<Dump> dump = parse_dump(
      list({object("Pod", "a"), list({object("Pod", "b"), list({item}, "PodList"), list({}, "EventList")}),
            object("Pod", "d"), object("AllowList", "x")}),
      "");
  ASSERT_TRUE(dump) << dump.error().message;
  std::string names;
  for (const Pod& pod : dump.value().cluster.pods) names += pod.name;
  EXPECT_EQ(names, "abcd");
  EXPECT_EQ(dump.value().ignored_kinds, (std::map<std::string, std::size_t>{{"AllowList", 1}}));
}

TEST(ReadDump, TakesYamlInFlowStyle) {
  const Result<Dump> dump = parse_dump(
      "{kind: List, items: [{kind: Pod, metadata: {name: a}}, {kind: Node, metadata: {name: n1}}]}\n", "");
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump.value().cluster.pods.size(), 1u);
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  expect_error("{kind: Pod, metadata: {name: a}", "json-malformed", "cluster.json");
}

TEST(ReadDump, KeepsWhatAdmissionNeeds) {
  const auto storage_class = [](const std::string& name, const std::string& created,
                                const std::string& annotation) {
    return R"({"kind":"StorageClass","provisioner":"p","metadata":{"name":")" + name +
           R"(","creationTimestamp":")" + created + R"(","annotations":{")" + annotation + R"(":"true"}}})";
  };
  const std::string is_default = "storageclass.kubernetes.io/is-default-class";
  const Result<Dump> dump = parse_dump(
      list({object("LimitRange", "l"), object("RuntimeClass", "r"),
            storage_class("b", "2026-01-02T00:00:00Z", is_default),
            storage_class("a", "2026-01-02T00:00:00Z", "storageclass.beta.kubernetes.io/is-default-class"),
            storage_class("old", "2026-01-01T00:00:00Z", is_default),
            storage_class("new", "2026-01-03T00:00:00Z", "other")}),
      "");
  ASSERT_TRUE(dump) << dump.error().message;
  EXPECT_EQ(dump.value().limit_ranges.size(), 1u);
  EXPECT_EQ(dump.value().runtime_classes.size(), 1u);
  EXPECT_EQ(dump.value().default_storage_class, "a");
  EXPECT_TRUE(dump.value().ignored_kinds.empty());
}

TEST(ReadDump, NamesFileObjectAndField) {
  expect_error(list({object("Node", "n"), object("Pod", "a", R"(,"spec":{"containers":[{"name":1}]})")}),
               "wrong-type", "cluster.json: items[1] (Pod default/a).spec.containers[0].name");
  expect_error(object("Node", "n", R"(,"spec":7)"), "wrong-type", "cluster.json: (Node n).spec");
  expect_error(list({R"({"kind":"Pod"})"}), "missing-field", "cluster.json: items[0] (Pod).metadata");
  expect_error(list({R"({"metadata":{"name":"a"}})"}), "missing-field", "cluster.json: items[0].kind");
  expect_error(list({list({R"({"kind":"Pod"})"})}), "missing-field",
               "cluster.json: items[0].items[0] (Pod).metadata");
  expect_error(list({"7"}), "wrong-type", "cluster.json: items[0]");
  expect_error("{}", "missing-field", "cluster.json: kind");
  expect_error("[]", "wrong-type", "cluster.json");
  expect_error("", "empty", "cluster.json");
  expect_error(list({}) + "x", "json-malformed", "cluster.json");
}

TEST(ReadDump, RefusesSumsBeyondInt64) {
  const std::string spec =
      R"(,"spec":{"nodeName":"n","initContainers":[{"resources":{"requests":{"memory":"4Ei"}}}]})";
  expect_error(list({object("Pod", "a", spec), object("Pod", "b", spec)}), "quantity-overflow",
               "cluster.json: items[1] (Pod default/b).spec.initContainers[0].resources.requests.memory");
}

TEST(ReadDump, WarnsOfNodesThatAreMissing) {
  const Result<Dump> dump = parse_dump(
      list({object("Pod", "a", R"(,"spec":{"nodeName":"gone"})"), object("Node", "n"),
            object("Pod", "b", R"(,"spec":{"nodeName":"gone"})"),
            object("Pod", "c", R"(,"spec":{"nodeName":"gone"},"status":{"phase":"Succeeded"})"),
            object("Pod", "d", R"(,"spec":{"nodeName":"gone"},"status":{"phase":"Failed"})"),
            object("Pod", "e", R"(,"spec":{"nodeName":"n"},"status":{"nominatedNodeName":"gone"})"),
            object("Pod", "f", R"(,"status":{"nominatedNodeName":"gone"})")}),
      "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(warning(dump.value(), "bound-to-missing-node"), "2 Pod default/a, node gone");
  EXPECT_EQ(warning(dump.value(), "nominated-to-missing-node"), "1 Pod default/f, node gone");
  EXPECT_EQ(warning(dump.value(), "no-nodes"), "");
}

TEST(ReadDump, WarnsOfPrioritiesThatItCannotCheck) {
  const std::string high = R"(,"spec":{"priorityClassName":"high","priority":5})";
  const std::string low = R"(,"spec":{"priorityClassName":"low","priority":1})";
  const std::string none = R"(,"spec":{"priorityClassName":"high"})";
  const std::string system = R"(,"spec":{"priorityClassName":"system-node-critical","priority":2000001000})";
  const Result<Dump> dump =
      parse_dump(list({object("Pod", "a", low), object("Pod", "b", high), object("Pod", "c", high),
                       object("Pod", "d", none), object("Pod", "e", system), object("PriorityClass", "low")}),
                 "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(warning(dump.value(), "priority-class-missing"), "2 Pod default/b, class high");
  EXPECT_EQ(warning(dump.value(), "priority-missing"), "1 Pod default/d");
}

TEST(ReadDump, WarnsOfWhatItLacks) {
  const Dump pods = parse_dump(object("Pod", "a"), "").value();
  EXPECT_EQ(warning(pods, "no-nodes"), "1 ");
  EXPECT_EQ(warning(pods, "no-pdbs"), "1 ");
  const Dump both = parse_dump(list({object("Node", "n"), object("PodDisruptionBudget", "b")}), "").value();
  EXPECT_TRUE(both.warnings.empty());
}

// PRE-CLAIM-2, PRE-ATTACH-3
TEST(ReadDump, WarnsOfClaimsAndLimitsThatItLacks) {
  const std::string pod = object("Pod", "a", R"(,"spec":{"volumes":[{"name":"v","emptyDir":{}},
                                         {"name":"w","persistentVolumeClaim":{"claimName":"c"}}]})");
  const Result<Dump> without = parse_dump(list({pod}), "cluster.json");
  EXPECT_EQ(warning(without.value(), "claim-missing"), "1 Pod default/a, claim c");
  EXPECT_EQ(warning(without.value(), "no-csinodes"), "");
  const std::string claim = object("PersistentVolumeClaim", "c");
  const Result<Dump> with = parse_dump(list({pod, claim}), "cluster.json");
  EXPECT_EQ(warning(with.value(), "claim-missing"), "");
  EXPECT_EQ(warning(with.value(), "no-csinodes"), "1 ");
  const Result<Dump> all = parse_dump(list({pod, claim, object("CSINode", "n")}), "cluster.json");
  EXPECT_EQ(warning(all.value(), "no-csinodes"), "");
}

TEST(ReadDump, WarnsOfSeveralGlobalDefaultsAndServers) {
  const std::string is_default = R"(,"globalDefault":true)";
  const auto server = [](const std::string& version) {
    return R"({"serverVersion":{"gitVersion":")" + version + "\"}}";
  };
  const Result<Dump> dump =
      parse_dump(list({object("PriorityClass", "a", is_default), object("PriorityClass", "b", is_default),
                       server("v1.34.4"), server("v1.34.4"), server("v1.33.1")}),
                 "");
  ASSERT_TRUE(dump);
  EXPECT_EQ(warning(dump.value(), "several-global-defaults"), "2 PriorityClass a");
  EXPECT_EQ(warning(dump.value(), "several-server-versions"), "1 v1.33.1");
  EXPECT_EQ(dump.value().server_version, "v1.34.4");
}

TEST(ReadDump, ReadsSourcesAsOneDump) {
  const tests::TemporaryDirectory directory;
  const std::string pod = object("Pod", "a", R"(,"spec":{"x":[7.5,0.25]})");
  const std::string first =
      directory.write("b.json", list({object("Pod", "z", R"(,"spec":{"x":0.25})"), pod}));
  const std::string second = directory.write("a.json", list({object("Node", "n"), pod}));
  const Result<Dump> dump = read_dump({first, second}, {});
  ASSERT_TRUE(dump);
  ASSERT_EQ(dump.value().cluster.pods.size(), 2u);
  EXPECT_EQ(dump.value().cluster.pods[0].name, "z");
  EXPECT_EQ(dump.value().cluster.nodes.size(), 1u);
  EXPECT_EQ(warning(dump.value(), "duplicate-objects"), "1 " + second + ": items[1] (Pod default/a)");
  EXPECT_EQ(dump.value().bytes, std::filesystem::file_size(first) + std::filesystem::file_size(second));
}

TEST(ReadDump, NamesBothPlacesOfAContradiction) {
  const tests::TemporaryDirectory directory;
  const std::string first = directory.write("a.json", object("Pod", "a", R"(,"spec":{"x":1.5})"));
  const std::string second = directory.write("b.json", object("Pod", "a", R"(,"spec":{"x":1.50})"));
  const Result<Dump> dump = read_dump({first, second}, {});
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code, "contradictory-object");
  EXPECT_EQ(dump.error().path, second + ": (Pod default/a)");
  EXPECT_NE(dump.error().message.find(first + ": (Pod default/a)"), std::string::npos);
}

TEST(ReadDump, TellsHowFarItIs) {
  const tests::TemporaryDirectory directory;
  std::vector<std::string> pods;
  for (int i = 0; i < 1500; ++i) pods.push_back(object("Pod", std::to_string(i)));
  const std::string path = directory.write("a.json", list(pods));
  std::vector<std::size_t> bytes;
  std::vector<std::size_t> objects;
  const Progress progress = [&](std::string_view what, std::size_t done, std::size_t total) {
    EXPECT_LE(done, total);
    (what.starts_with("reading ") ? bytes : objects).push_back(done);
  };
  ASSERT_TRUE(read_dump({path}, progress));
  EXPECT_EQ(objects, (std::vector<std::size_t>{512, 1024}));
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(bytes.back(), std::filesystem::file_size(path));
}

TEST(ReadDump, NamesASourceWithoutObjects) {
  const tests::TemporaryDirectory directory;
  const std::string path = directory.write("a.json", object("Secret", "s"));
  EXPECT_EQ(read_dump({path, path}, {}).error().path, path + " and 1 more");
  const Result<Dump> dump = read_dump({path}, {});
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code, "no-objects");
  EXPECT_EQ(dump.error().path, path);
  EXPECT_NE(dump.error().message.find("1 of kind Secret"), std::string::npos);
}

}  // namespace
}  // namespace touchstone::kubernetes::dump_test
