#include <gtest/gtest.h>

#include <random>
#include <string>

#include "kubernetes/dump.hpp"

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

constexpr std::string_view k_bytes = "\"\\{}[]:,0123456789.eE+-tfn kKmGi\x01\x80\xff";

/// Cuts, repeats and overwrites one to four times.
std::string mutated(std::mt19937_64& random) {
  std::string text = k_dump;
  for (std::size_t n = random() % 4 + 1; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    const std::size_t size = random() % 40;
    switch (random() % 5) {
      case 0:
        text.erase(at, size);
        break;
      case 1:
        text.insert(random() % text.size(), text.substr(at, size));
        break;
      case 2:
        text.resize(at);
        break;
      default:
        text[at] = k_bytes[random() % k_bytes.size()];
    }
  }
  return text;
}

TEST(ReadDump, AnswersEveryMutationWithADumpOrAnError) {
  ASSERT_TRUE(parse_dump(k_dump, "cluster.json"));
  std::mt19937_64 random(1);
  for (int run = 0; run < 20000; ++run) {
    const std::string text = mutated(random);
    const Result<Dump> dump = parse_dump(text, "cluster.json");
    if (dump) continue;
    ASSERT_FALSE(dump.error().code.empty()) << text;
    ASSERT_TRUE(dump.error().path.starts_with("cluster.json")) << text;
    ASSERT_FALSE(dump.error().message.empty()) << text;
  }
}

}  // namespace
}  // namespace touchstone::kubernetes
