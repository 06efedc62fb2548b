#include <gtest/gtest.h>

#include <random>
#include <string>

#include "kubernetes/dump.hpp"
#include "tests/support/mutated.hpp"

namespace touchstone::kubernetes {
namespace {

const std::string k_dump = R"({"apiVersion":"v1","kind":"List","items":[
{"kind":"Node","metadata":{"name":"n1","labels":{"zone":"a"}},"spec":{"unschedulable":true,"taints":[{"key":"k"}]},
 "status":{"allocatable":{"cpu":"4","memory":"8Gi","nvidia.com/gpu":1},"conditions":[{"type":"Ready","status":"True"}]}},
{"kind":"Pod","metadata":{"name":"a","namespace":"x","uid":"u\u00e9","deletionTimestamp":"2026-11-21T10:00:00Z"},
 "spec":{"nodeName":"n1","priority":-5,"containers":[{"name":"c","resources":{"requests":{"cpu":0.5,"memory":"1.5Gi"}},
 "ports":[{"hostPort":80}]}],"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
 {"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]}},
 "podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone","labelSelector":{}}]}},
 "volumes":[{"name":"v","emptyDir":{}}]},"status":{"phase":"Running","startTime":"2026-11-21T10:00:00.25+01:00",
 "containerStatuses":[{"name":"c","resources":{"requests":{"cpu":"500m"}}}]}},
{"kind":"PodDisruptionBudget","metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"k":"v"}}},
 "status":{"disruptionsAllowed":1,"disruptedPods":{"p":"2026-11-21T10:00:00Z"}}}]})";

TEST(ReadDump, AnswersEveryMutationWithADumpOrAnError) {
  ASSERT_TRUE(parse_dump(k_dump, "cluster.json"));
  std::mt19937_64 random(1);
  for (int run = 0; run < 20000; ++run) {
    const std::string text = tests::mutated(k_dump, tests::k_json_bytes, random);
    const Result<Dump> dump = parse_dump(text, "cluster.json");
    if (dump) continue;
    ASSERT_FALSE(dump.error().code.empty()) << text;
    ASSERT_TRUE(dump.error().path.starts_with("cluster.json")) << text;
    ASSERT_FALSE(dump.error().message.empty()) << text;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes
