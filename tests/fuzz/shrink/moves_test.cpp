#include "fuzz/shrink/moves.hpp"

#include <nlohmann/json.hpp>

#include "tests/fuzz/shrink/judged_questions.hpp"
#include "tests/fuzz/shrink/smaller.hpp"

/// Each test has a question that only one move can shrink further.
namespace touchstone::tests {

namespace {

using Pointer = Json::json_pointer;

std::string text(const Json& question, const std::string& pointer) {
  const Pointer at(pointer);
  return question.contains(at) && question[at].is_string() ? question[at].get<std::string>() : "";
}

std::int64_t number(const Json& question, const std::string& pointer) {
  const Pointer at(pointer);
  return question.contains(at) && question[at].is_number_integer() ? question[at].get<std::int64_t>() : 0;
}

std::size_t size(const Json& question, const std::string& list) {
  return question.contains(list) ? question[list].size() : 0;
}

/// The number of pods on an existing node.
std::size_t bound(const Json& question) {
  std::size_t count = 0;
  for (std::size_t pod = 0; pod < size(question, "pods"); ++pod) {
    for (std::size_t node = 0; node < size(question, "nodes"); ++node) {
      const std::string name = text(question, "/nodes/" + std::to_string(node) + "/metadata/name");
      if (text(question, "/pods/" + std::to_string(pod) + "/spec/nodeName") == name) ++count;
    }
  }
  return count;
}

/// The cpu that the containers of all pods request, in cores; 0 if one of them requests none.
std::int64_t requested(const Json& question) {
  std::int64_t sum = 0;
  for (std::size_t pod = 0; pod < size(question, "pods"); ++pod) {
    const std::string cpu =
        text(question, "/pods/" + std::to_string(pod) + "/spec/containers/0/resources/requests/cpu");
    if (cpu.empty() || cpu == "0" || cpu.ends_with('m')) return 0;
    sum += std::stoll(cpu);
  }
  return sum;
}

void expect_shrunk(const std::string& from, const StillShows& still_shows, const std::string& to) {
  const Asked asked = shrink(Json::parse(from), still_shows);
  EXPECT_EQ(asked.result.question.dump(), to);
  EXPECT_TRUE(asked.result.minimal);
  for (const Json& smaller : smaller_by_one(asked.result.question))
    EXPECT_FALSE(still_shows(smaller)) << smaller.dump();
}

/// The texts of a document, in its order.
std::vector<std::string> texts(const Json& document) {
  const Json flat = document.flatten();
  std::vector<std::string> all;
  for (const Json& value : flat) {
    if (value.is_string()) all.push_back(value.dump());  // an empty container is null here
  }
  return all;
}

/// Accepts only changes of names: the number of texts stays, and equal texts stay equal.
StillShows same_texts(const Json& question) {
  return [before = texts(question)](const Json& candidate) {
    const std::vector<std::string> after = texts(candidate);
    if (after.size() != before.size()) return false;
    for (std::size_t i = 0; i < after.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if ((before[i] == before[j]) != (after[i] == after[j])) return false;
      }
    }
    return true;
  };
}

const char* const k_scored = R"({
  "nodes": [{"metadata": {"name": "web"},
             "status": {"allocatable": {"cpu": "1"}, "images": [{"names": ["r/x:1"], "sizeBytes": 5}]}}],
  "services": [{"metadata": {"name": "front"}, "spec": {"selector": {"app": "shop"}}}],
  "replicaSets": [{"metadata": {"name": "rs"}, "spec": {"selector": {"matchLabels": {"app": "shop"}}}}],
  "start": 3,
  "pod": {"metadata": {"name": "q"},
          "spec": {"containers": [{"name": "main", "image": "r/x:1"}],
                   "volumes": [{"image": {"reference": "r/x:1"}}],
                   "affinity": {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                     {"weight": 7, "podAffinityTerm": {"topologyKey": "app"}}]}}}}})";

const char* const k_two_nodes = R"({
  "nodes": [{"metadata": {"name": "x"}}, {"metadata": {"name": "y"}}],
  "pods": [{"metadata": {"name": "v"}, "spec": {"nodeName": "x"}},
           {"metadata": {"name": "w"}, "spec": {"nodeName": "y"}}]})";

}  // namespace

TEST(Moves, ANodeGoesWithItsPods) {
  expect_shrunk(
      k_two_nodes,
      [](const Json& question) {
        return bound(question) > 0 && bound(question) == size(question, "pods") &&
               bound(question) == size(question, "nodes");
      },
      R"({"nodes":[{"metadata":{"name":"n1"}}],"pods":[{"metadata":{"name":"a"},"spec":{"nodeName":"n1"}}]})");
}

TEST(Moves, PodsMoveToAnotherNodeSoThatTheirsGoes) {
  expect_shrunk(
      k_two_nodes, [](const Json& question) { return bound(question) == 2; },
      R"({"nodes":[{"metadata":{"name":"n1"}}],"pods":[{"metadata":{"name":"a"},"spec":{"nodeName":"n1"}},)"
      R"({"metadata":{"name":"b"},"spec":{"nodeName":"n1"}}]})");
}

TEST(Moves, APodGoesWithTheRoomItTakes) {
  expect_shrunk(
      R"({"nodes": [{"metadata": {"name": "x"}, "status": {"allocatable": {"cpu": "9"}}}], "pods": [
        {"metadata": {"name": "v"}, "spec": {"nodeName": "x", "containers": [{"resources": {"requests": {"cpu": "2"}}}]}},
        {"metadata": {"name": "w"}, "spec": {"nodeName": "x", "containers": [{"resources": {"requests": {"cpu": "7"}}}]}}]})",
      [](const Json& question) {
        return requested(question) > 0 && bound(question) == size(question, "pods") &&
               text(question, "/nodes/0/status/allocatable/cpu") == std::to_string(requested(question));
      },
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a"},)"
      R"("spec":{"nodeName":"n1","containers":[{"resources":{"requests":{"cpu":"1"}}}]}}]})");
}

TEST(Moves, AnObjectBecomesLikeASimplerOne) {
  const auto is_right = [](const Json& pod) {
    return pod.contains("z") || (pod.contains("x") && pod.contains("y"));
  };
  expect_shrunk(
      R"({"pods": [{"metadata": {"name": "v"}, "x": null, "y": null}, {"metadata": {"name": "w"}, "z": null}]})",
      [&](const Json& question) {
        return size(question, "pods") == 2 && is_right(question["pods"][0]) && is_right(question["pods"][1]);
      },
      R"({"pods":[{"metadata":{"name":"a"},"z":null},{"metadata":{"name":"b"},"z":null}]})");
}

TEST(Moves, AllAmountsOfAResourceAreDividedAtOnce) {
  expect_shrunk(
      R"({"requests": {"x": {"cpu": "700m"}, "y": {"cpu": "1400m"}}, "limits": {"cpu": "700m"}, "capacity": {"cpu": "2100m"}})",
      [](const Json& question) {
        const std::string least = text(question, "/limits/cpu");
        const std::string most = text(question, "/capacity/cpu");
        const auto milli = [](const std::string& cpu) {
          return cpu.empty() ? 0 : cpu.ends_with('m') ? std::stoll(cpu) : std::stoll(cpu) * 1000;
        };
        return milli(least) > 0 && milli(least) * 3 == milli(most);
      },
      R"({"limits":{"cpu":"1"},"capacity":{"cpu":"3"}})");
}

TEST(Moves, NumbersBecomeTheirRanks) {
  expect_shrunk(
      R"({"pods": [{"priority": -2147483648}, {"priority": 17}, {"priority": 2147483647}]})",
      [](const Json& question) {
        return size(question, "pods") == 3 && question["pods"][0].contains("priority") &&
               question["pods"][1].contains("priority") &&
               number(question, "/pods/0/priority") < number(question, "/pods/1/priority") &&
               number(question, "/pods/1/priority") < number(question, "/pods/2/priority");
      },
      R"({"pods":[{"priority":0},{"priority":1},{"priority":2}]})");
}

TEST(Moves, TimesBecomeTheFirstSeconds) {
  expect_shrunk(
      R"({"pods": [{"startTime": "2026-01-01T00:05:00Z"}, {"startTime": "2026-11-21T12:00:00.25+01:00"}]})",
      [](const Json& question) {
        const std::string first = text(question, "/pods/0/startTime");
        return !first.empty() && first < text(question, "/pods/1/startTime");
      },
      R"({"pods":[{"startTime":"1970-01-01T00:00:00Z"},{"startTime":"1970-01-01T00:00:01Z"}]})");
}

TEST(Moves, ANumberIsLoweredAsFarAsItGoes) {
  expect_shrunk(
      R"({"offset": 2147483647})", [](const Json& question) { return number(question, "/offset") >= 37; },
      R"({"offset":37})");
  expect_shrunk(
      R"({"offset": -2147483648})", [](const Json& question) { return number(question, "/offset") <= -37; },
      R"({"offset":-37})");
  expect_shrunk(
      R"({"requests": {"memory": "3Gi"}})",
      [](const Json& question) {
        const std::string memory = text(question, "/requests/memory");
        return memory.ends_with("Gi") || (memory.ends_with("Mi") && std::stoll(memory) >= 300);
      },
      R"({"requests":{"memory":"300Mi"}})");
}

TEST(Moves, TwoNumbersAreLoweredByAsMuch) {
  expect_shrunk(
      R"({"x": {"n": 1003}, "y": {"n": 998}})",
      [](const Json& question) {
        return number(question, "/y/n") >= 2 && number(question, "/x/n") == number(question, "/y/n") + 5;
      },
      R"({"x":{"n":7},"y":{"n":2}})");
}

TEST(Moves, EqualNumbersAreLoweredTogether) {
  expect_shrunk(
      R"({"x": {"n": 1000}, "y": {"n": 1000}, "z": {"n": 3}})",
      [](const Json& question) {
        return number(question, "/x/n") >= 12 && number(question, "/x/n") == number(question, "/y/n") &&
               number(question, "/z/n") == 3;
      },
      R"({"x":{"n":12},"y":{"n":12},"z":{"n":3}})");
}

TEST(Moves, PrioritiesAreRaisedToNone) {
  expect_shrunk(
      R"({"pods": [{"metadata": {"name": "v"}, "spec": {"priority": -50}}], "pod": {"metadata": {"name": "w"}}})",
      [](const Json& question) {
        return size(question, "pods") == 1 && question.contains("pod") &&
               number(question, "/pod/spec/priority") > number(question, "/pods/0/spec/priority");
      },
      R"({"pods":[{"metadata":{"name":"a"}}],"pod":{"metadata":{"name":"p"},"spec":{"priority":1}}})");
}

TEST(Moves, TwoNamesBecomeOne) {
  expect_shrunk(
      R"({"pods": [{"metadata": {"name": "v", "namespace": "x"}}], "pdbs": [{"metadata": {"name": "w", "namespace": "y"}}]})",
      [](const Json& question) {
        return !text(question, "/pods/0/metadata/namespace").empty() &&
               !text(question, "/pdbs/0/metadata/namespace").empty();
      },
      R"({"pods":[{"metadata":{"name":"a","namespace":"default"}}],)"
      R"("pdbs":[{"metadata":{"name":"b1","namespace":"default"}}]})");
}

TEST(Moves, NamesOfEveryKindBecomePlainWhereverTheyStand) {
  const Json question = Json::parse(
      R"({"nodes":[{"metadata":{"name":"web","labels":{"kubernetes.io/hostname":"web","disk":"web"}},)"
      R"("spec":{"taints":[{"key":"gpu","value":"ssd"}]},"status":{"allocatable":{"nvidia.com/gpu":"1","cpu":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"v","namespace":"x","uid":"17"},)"
      R"("spec":{"nodeName":"web","nodeSelector":{"disk":"ssd"},"containers":[{"name":"main"}],)"
      R"("volumes":[{"persistentVolumeClaim":{"claimName":"data"}}]}}],)"
      R"("pdbs":[{"metadata":{"name":"w","namespace":"z"},)"
      R"("spec":{"selector":{"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]}]}},)"
      R"("status":{"disruptedPods":{"v":"once"}}}],)"
      R"("pvcs":[{"metadata":{"name":"data","namespace":"x"}}],"pod":{"metadata":{"name":"q"}}})");
  const Asked asked = shrink(question, same_texts(question));
  EXPECT_EQ(
      asked.result.question.dump(),
      R"({"nodes":[{"metadata":{"name":"n1","labels":{"k1":"n1","k2":"n1"}},)"
      R"("spec":{"taints":[{"key":"t1","value":"v1"}]},"status":{"allocatable":{"example.com/r1":"1","cpu":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default","uid":"u1"},)"
      R"("spec":{"nodeName":"n1","nodeSelector":{"k2":"v1"},"containers":[{"name":"c"}],)"
      R"("volumes":[{"persistentVolumeClaim":{"claimName":"pvc1"}}]}}],)"
      R"("pdbs":[{"metadata":{"name":"b1","namespace":"ns1"},)"
      R"("spec":{"selector":{"matchExpressions":[{"key":"k2","operator":"In","values":["v1"]}]}},)"
      R"("status":{"disruptedPods":{"a":"once"}}}],)"
      R"("pvcs":[{"metadata":{"name":"pvc1","namespace":"default"}}],"pod":{"metadata":{"name":"p"}}})");
}

TEST(Moves, ImagesAndSelectorsBecomePlainToo) {
  const Json question = Json::parse(k_scored);
  EXPECT_EQ(
      shrink(question, same_texts(question)).result.question.dump(),
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"0"},"images":[{"names":["image1"]}]}}],)"
      R"("services":[{"metadata":{"name":"service1"},"spec":{"selector":{"k1":"v1"}}}],)"
      R"("replicaSets":[{"metadata":{"name":"replicaSet1"},"spec":{"selector":{"matchLabels":{"k1":"v1"}}}}],)"
      R"("pod":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"image1"}],)"
      R"("volumes":[{"image":{"reference":"image1"}}],)"
      R"("affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)"
      R"({"podAffinityTerm":{"topologyKey":"k1"}}]}}}}})");
}

TEST(Moves, WhatOnlyScorersReadGoes) {
  expect_shrunk(
      k_scored, [](const Json& question) { return size(question, "nodes") == 1 && question.contains("pod"); },
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{}}}],)"
      R"("pod":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]}}})");
}

}  // namespace touchstone::tests
