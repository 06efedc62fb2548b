#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/shell.hpp"

/// Input that is no cluster, as people and programs give it to a command. The command soon prints one line
/// that names the file, the object and the field, and ends with the exit code of bad input.
namespace touchstone {

namespace {

struct BadInput {
  std::string name;
  std::string makes;               ///< a script that writes the input to $f
  std::string code;                ///< the error code
  std::vector<std::string> named;  ///< what the line must name, besides $f
  std::string options = "-f $f";
};

const std::string k_node =
    R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"9"}}})";

/// Writes a list with the node, and with a pod that has this spec.
std::string with_pod(const std::string& spec) {
  return "cat > $f << 'EOF'\n{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + k_node +
         R"(,{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop"},"spec":)" + spec +
         "}]}\nEOF\n";
}

std::string requests(const std::string& amount) {
  return with_pod(R"({"containers":[{"name":"c","resources":{"requests":{"cpu":)" + amount + "}}}]}");
}

/// Writes the manifest of a pod with this spec, and a cluster with only the node.
std::string manifest(const std::string& spec) {
  return "echo '" + k_node +
         "' > $d/node.json; cat > $f << 'EOF'\napiVersion: v1\nkind: Pod\n"
         "metadata: {name: p, namespace: shop}\nspec: " +
         spec + "\nEOF\n";
}

const std::string k_manifest = "-f $d/node.json --pod-file $f";

const std::vector<BadInput> k_bad_inputs = {
    {"empty", ": > $f", "empty", {}},
    {"blanks", "printf '\\n \\t\\n' > $f", "empty", {}},
    {"only comments", "echo '# nothing' > $f", "no-objects", {}},
    {"not YAML", "printf 'a: [1, 2\\nb: }' > $f", "yaml-malformed", {"line 2"}},
    {"prose", "echo 'the cluster is down' > $f", "wrong-type", {"expected an object"}},
    {"truncated JSON", "head -c 900 examples/training-job.json > $f", "json-malformed", {"line "}},
    {"truncated YAML", "head -c 500 examples/situations/tie.yaml > $f", "yaml-malformed", {"line "}},
    {"truncated gzip", "gzip -c examples/training-job.json | head -c 400 > $f", "gzip-malformed", {}},
    {"damaged gzip",
     "gzip -c examples/training-job.json > $f; printf 'XXXX' | dd of=$f bs=1 seek=100 conv=notrunc 2>&-",
     "gzip-malformed",
     {}},
    {"bytes of no text", "head -c 100000 /bin/bash > $f", "not-text", {}},
    {"a string for a list",
     with_pod(R"({"containers":"many"})"),
     "wrong-type",
     {"items[1] (Pod shop/p).spec.containers", "expected a list"}},
    {"a number for a name", with_pod(R"({"nodeName":7})"), "wrong-type", {"(Pod shop/p).spec.nodeName"}},
    {"a priority too large",
     with_pod(R"({"priority":2147483648})"),
     "out-of-range",
     {"(Pod shop/p).spec.priority"}},
    {"a negative quantity",
     requests("\"-1\""),
     "quantity-negative",
     {"(Pod shop/p).spec.containers[0].resources.requests.cpu", "-1"}},
    {"an overflowing quantity",
     requests("\"9e99\""),
     "quantity-overflow",
     {"containers[0].resources.requests.cpu"}},
    {"a quantity that is none",
     requests("\"two\""),
     "quantity-malformed",
     {"containers[0].resources.requests.cpu", "two"}},
    {"a key twice",
     with_pod(R"({"priority":1,"priority":2})"),
     "duplicate-key",
     {"(Pod shop/p).spec.priority"}},
    {"one name, two contents",
     "printf '%s\n---\n%s' '" + k_node + "' '{kind: Node, metadata: {name: n1}}' > $f",
     "contradictory-object",
     {"document 2: (Node n1)", "document 1: (Node n1)"}},
    {"one name, two contents in two files",
     "echo '" + k_node + "' > $f; echo '{\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}' > $d/other.json",
     "contradictory-object",
     {"Node n1", "expected the same object as"},
     "-f $d/other.json -f $f"},
    {"an invalid selector",
     "echo "
     "'{\"kind\":\"PodDisruptionBudget\",\"metadata\":{\"name\":\"b\"},\"spec\":{\"selector\":{"
     "\"matchLabels\":[]}}}' > $f",
     "wrong-type",
     {"(PodDisruptionBudget default/b)", "selector.matchLabels", "expected an object"}},
    {"a selector with an operator that is none",
     "printf '%s\n' '---' '{kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: "
     "{matchExpressions: [{key: a, operator: Foo}]}}}' > $f",
     "invalid-selector",
     {"(PodDisruptionBudget default/b)", "matchExpressions[0].operator", "expected In, NotIn"}},
    {"a node selector without a value",
     with_pod(
         R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":)"
         R"([{"matchExpressions":[{"key":"a","operator":"In"}]}]}}}})"),
     "invalid-selector",
     {"(Pod shop/p)", "nodeSelectorTerms[0].matchExpressions[0].operator", "expected values for In"}},
    {"an unknown priority class",
     manifest("{priorityClassName: gold, containers: [{name: c}]}"),
     "unknown-priority-class",
     {"spec.priorityClassName", "gold"},
     k_manifest},
    {"a field that pods do not have",
     manifest("{tolerationz: [], containers: [{name: c}]}"),
     "unknown-field",
     {"(Pod shop/p).spec.tolerationz", "PodSpec"},
     k_manifest},
    {"a request above its limit",
     manifest("{containers: [{name: c, resources: {limits: {cpu: 1}, requests: {cpu: 2}}}]}"),
     "invalid-field",
     {"(Pod shop/p).spec.containers[0]", "a request of cpu within its limit"},
     k_manifest},
    {"a skew of zero",
     manifest("{topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule}], "
              "containers: [{name: c}]}"),
     "out-of-range",
     {"(Pod shop/p).spec.topologySpreadConstraints[0].maxSkew", "from 1"},
     k_manifest},
    {"an operator that is none",
     manifest("{tolerations: [{key: a, operator: Is}], containers: [{name: c}]}"),
     "invalid-field",
     {"(Pod shop/p).spec.tolerations[0].operator", "Equal or Exists"},
     k_manifest},
    {"a priority by hand",
     manifest("{priority: 7, containers: [{name: c}]}"),
     "forbidden-field",
     {"spec.priority"},
     k_manifest},
    {"a manifest without containers", manifest("{}"), "missing-field", {"spec.containers"}, k_manifest},
    {"a node inside itself", "echo 'a: &a [*a]' > $f", "yaml-unsupported", {"line 1"}},
    {"exploding anchors",
     "{ echo 'a: &a [x,x,x,x,x,x,x,x,x]'; p=a; for n in b c d e f g h i j; do "
     "echo \"$n: &$n [*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p,*$p]\"; p=$n; done; } > $f",
     "input-too-large",
     {"line "}},
    {"deep JSON", "head -c 100000 /dev/zero | tr '\\0' '[' > $f", "json-malformed", {}},
    {"deep YAML in flow",
     "{ echo 'a:'; head -c 100000 /dev/zero | tr '\\0' '['; } > $f",
     "yaml-malformed",
     {"line 2"}},
    {"deep YAML in blocks",
     "head -c 100000 /dev/zero | tr '\\0' '-' | sed 's/-/- /g' > $f",
     "yaml-malformed",
     {"line 1"}},
    {"a gigabyte of spaces, compressed",
     "head -c 1000000000 /dev/zero | tr '\\0' ' ' | gzip -1 > $f",
     "empty",
     {}},
    {"a gigabyte of nothing", "truncate -s 1G $f", "empty", {}},
    {"endless nothing", "ln -s /dev/zero $f", "empty", {}},
    {"a directory without objects", "mkdir $f; echo text > $f/notes.txt", "no-objects", {}},
    {"other objects only",
     "echo '{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\"}}' > $f",
     "no-objects",
     {"ConfigMap"}},
    {"no such file", ":", "file-unreadable", {}},
    {"no such pod",
     "cp examples/training-job.json $f",
     "unknown-pod",
     {"shop/nobody"},
     "-f $f --pod shop/nobody"},
};

}  // namespace

TEST(BadInput, GetsOneLineThatNamesIt) {
  for (const BadInput& bad : k_bad_inputs) {
    for (const std::string command : {"decide", "explain"}) {
      const Ran ran = shell("d=$(mktemp -d); f=$d/input; " + bad.makes + "\ntimeout 600 touchstone " +
                            command + " " + bad.options + "; code=$?; rm -rf $d; exit $code");
      EXPECT_EQ(ran.exit_code, 2) << bad.name << "\n" << ran.output;
      EXPECT_EQ(lines_of(ran.output).size(), 1u) << bad.name << "\n" << ran.output;
      EXPECT_TRUE(contains(ran.output, "[" + bad.code + "]")) << bad.name << "\n" << ran.output;
      EXPECT_TRUE(contains(ran.output, "/input") || bad.code == "unknown-pod") << bad.name << "\n"
                                                                               << ran.output;
      for (const std::string& name : bad.named)
        EXPECT_TRUE(contains(ran.output, name)) << bad.name << "\n" << ran.output;
      if (bad.makes.find("1000000000") != std::string::npos)
        break;  // making it takes longer than refusing it
    }
  }
}

}  // namespace touchstone
