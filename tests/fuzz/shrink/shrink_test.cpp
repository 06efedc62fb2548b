#include "fuzz/shrink/shrink.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

#include "fuzz/shrink/question_size.hpp"
#include "fuzz/shrink/served.hpp"
#include "tests/faults/noisy.hpp"
#include "tests/fuzz/shrink/judged_questions.hpp"
#include "tests/fuzz/shrink/smaller.hpp"

/// The shrinker, checked by results written by hand, and by every question that is smaller by one step.
namespace touchstone::tests {

namespace {

/// Whether some candidate of the reference's answer satisfies a predicate.
StillShows some_candidate(const std::function<bool(const Json& candidate)>& is_right) {
  return [=](const Json& question) {
    const Json found = answer(question, "v1.34.4");
    if (!found.contains("candidates")) return false;
    return std::any_of(found["candidates"].begin(), found["candidates"].end(), is_right);
  };
}

StillShows victims(std::size_t count) {
  return some_candidate([=](const Json& candidate) { return candidate["victims"].size() >= count; });
}

StillShows violations(std::int64_t count) {
  return some_candidate([=](const Json& candidate) { return candidate["numPDBViolations"] >= count; });
}

StillShows outcome(const std::string& text) {
  return [=](const Json& question) { return answer(question, "v1.34.4").value("outcome", "") == text; };
}

/// Whether the preemptor fits without the nominated pods, but not with them.
bool nominated_pod_counts(const Json& question) {
  Json without = question;
  if (!question.contains("pods")) return false;
  without["pods"] = Json::array();
  for (const Json& pod : question["pods"]) {
    if (!pod.contains("status") || !pod["status"].contains("nominatedNodeName"))
      without["pods"].push_back(pod);
  }
  return outcome("none")(question) && outcome("fits")(without);
}

/// The number of bound pods that request cpu.
std::size_t asking_for_cpu(const Json& question) {
  std::size_t count = 0;
  const Json pods = question.value("pods", Json::array());
  for (const Json& pod : pods) {
    const Json cpu = pod.value("/spec/containers/0/resources/requests/cpu"_json_pointer, Json("0"));
    if (pod.contains("/spec/nodeName"_json_pointer) && cpu != "0") ++count;
  }
  return count;
}

/// Whether the preemptor fits beside at least `least` pods, but not if the nodes' cpu is 1 millicore lower.
StillShows exact_fit(std::size_t least) {
  return [=](const Json& question) {
    if (!outcome("fits")(question) || asking_for_cpu(question) < least) return false;
    Json tighter = question;
    for (Json& node : tighter["nodes"]) {
      const std::string text = node.value("/status/allocatable/cpu"_json_pointer, "0");
      const std::int64_t milli = text.ends_with('m') ? std::stoll(text) : std::stoll(text) * 1000;
      if (milli == 0) return false;
      node["status"]["allocatable"]["cpu"] = std::to_string(milli - 1) + "m";
    }
    return !outcome("fits")(tighter);
  };
}

void expect_minimal(const Asked& asked, const StillShows& still_shows) {
  EXPECT_TRUE(asked.result.minimal);
  EXPECT_TRUE(still_shows(asked.result.question)) << asked.result.question.dump();
  EXPECT_EQ(asked.told, asked.result.asked);
  EXPECT_EQ(asked.twice, 0u);
  for (const Json& smaller : smaller_by_one(asked.result.question))
    EXPECT_FALSE(still_shows(smaller)) << asked.result.question.dump() << "\n" << smaller.dump();
}

/// Shrinks a question, and expects this text and nothing smaller.
void expect_shrunk(const Json& question, const StillShows& still_shows, const std::string& text) {
  const Asked asked = shrink(question, still_shows);
  EXPECT_EQ(asked.result.question.dump(), text);
  expect_minimal(asked, still_shows);
}

Json noisy(std::size_t nodes = 4, std::size_t pods = 4, std::size_t pdbs = 3) {
  return NoisyMaker(7).question(nodes, pods, pdbs);
}

}  // namespace

TEST(Shrink, LeavesNothingWhereEverythingShows) {
  expect_shrunk(noisy(), [](const Json&) { return true; }, "{}");
}

TEST(Shrink, AsksNothingOnceItGivesUp) {
  const Json question = Json::parse(R"({"nodes":[{"metadata":{"name":"n1"}},{"metadata":{"name":"n2"}}],
    "pods":[{"metadata":{"name":"a"},"spec":{"containers":[{}]}}],
    "pod":{"metadata":{"name":"p"},"spec":{"containers":[{}]}}})");
  std::size_t asked = 0;
  const StillShows refuses = [&asked](const Json&) { return ++asked == 0; };
  EXPECT_GT(fuzz::shrink(question, refuses, 1000).asked, 3U);
  asked = 0;
  const Shrunk shrunk = fuzz::shrink(question, refuses, 1000, [&asked] { return asked >= 3; });
  EXPECT_EQ(asked, 3U);
  EXPECT_FALSE(shrunk.minimal);
  EXPECT_EQ(shrunk.question, question);
}

TEST(Shrink, LeavesAQuestionThatAloneShows) {
  const Json question = noisy(1, 1, 1);
  const Asked asked = shrink(question, [&](const Json& candidate) { return candidate == question; });
  EXPECT_EQ(asked.result.question, question);
  EXPECT_TRUE(asked.result.minimal);
}

TEST(Shrink, LeavesTheVictimsThatAreCounted) {
  expect_shrunk(
      noisy(5, 8), victims(5),
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"b","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"c","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"d","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"e","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"priority":1,"containers":[{"name":"c"}]}}})");
}

TEST(Shrink, LeavesTheBudgetsThatAreViolated) {
  expect_shrunk(
      noisy(6, 4), violations(2),
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default","labels":{"k1":"v1"}},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"b","namespace":"default","labels":{"k1":"v1"}},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}}],)"
      R"("pdbs":[{"metadata":{"name":"b1","namespace":"default"},)"
      R"("spec":{"selector":{"matchLabels":{"k1":"v1"}}},"status":{"disruptionsAllowed":0}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"priority":1,"containers":[{"name":"c"}]}}})");
}

TEST(Shrink, LeavesANominatedPodThatCounts) {
  Json question = noisy(3, 3);
  for (Json& node : question["nodes"]) node["status"]["allocatable"]["pods"] = "4";
  for (Json& node : question["nodes"]) node["status"]["allocatable"]["cpu"] = "20";
  for (Json& node : question["nodes"]) node["status"]["allocatable"]["memory"] = "20Gi";
  for (std::size_t i = 0; i < 9; i += 3) {
    Json nominated = question["pods"][i];
    nominated["metadata"]["name"] = "nominated-" + std::to_string(i);
    nominated["metadata"]["uid"] = "n-" + std::to_string(i);
    nominated["status"]["nominatedNodeName"] = nominated["spec"]["nodeName"];
    nominated["spec"].erase("nodeName");
    nominated["spec"]["priority"] = 2'000'000'000;
    question["pods"].push_back(nominated);
  }
  for (Json& pod : question["pods"]) pod["spec"]["priority"] = 2'000'000'000;
  expect_shrunk(
      question, nominated_pod_counts,
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}]},"status":{"nominatedNodeName":"n1"}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"priority":0,"containers":[{"name":"c"}]}}})");
}

TEST(Shrink, KeepsAnExactFit) {
  Json question = noisy(1, 3, 1);
  question["nodes"][0]["status"]["allocatable"]["pods"] = "110";
  std::int64_t milli = 0;
  const auto sum = [&](Json& pod) {
    pod["spec"]["containers"].erase(1);
    milli += std::stoll(pod["spec"]["containers"][0]["resources"]["requests"]["cpu"].get<std::string>());
  };
  for (Json& pod : question["pods"]) sum(pod);
  sum(question["pod"]);
  question["nodes"][0]["status"]["allocatable"]["cpu"] = std::to_string(milli) + "m";
  expect_shrunk(
      question, exact_fit(0),
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"1"}}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}})");
  expect_shrunk(
      question, exact_fit(2),
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"3","pods":"3"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"b","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}],"nodeName":"n1"}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}})");
}

TEST(Shrink, LeavesWhatReleasesDifferIn) {
  const StillShows differs = differ("candidates", "v1.30.4", "v1.30.14");
  expect_shrunk(
      recorded("rich/mixed-1457"), differs,
      R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"1"}}}],)"
      R"("pods":[{"metadata":{"name":"a","namespace":"default","labels":{"k1":"v1"}},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}},)"
      R"({"metadata":{"name":"b","namespace":"default"},)"
      R"("spec":{"priority":0,"containers":[{"name":"c"}],"nodeName":"n1"}}],)"
      R"("pdbs":[{"metadata":{"name":"b1","namespace":"default"},"spec":{"selector":{"matchExpressions":)"
      R"([{"key":"k2","operator":"DoesNotExist"}]}},"status":{"disruptionsAllowed":0}}],)"
      R"("pod":{"metadata":{"name":"p","namespace":"default"},"spec":{"priority":1,"containers":[{"name":"c"}]}}})");
}

TEST(Shrink, LeavesNothingToTakeFromRecordedQuestions) {
  for (const char* file : {"core/pdb.json", "rich/pdb.json", "rich/mixed.json"}) {
    std::size_t shrunk = 0;
    for (const oracle::VectorCase& vector_case : cases(file)) {
      const StillShows differs = differ("candidates", "v1.10", "v1.34.4");
      if (shrunk == 2 || !differs(vector_case.question)) continue;
      SCOPED_TRACE(vector_case.name);
      expect_minimal(shrink(vector_case.question, differs), differs);
      ++shrunk;
    }
    EXPECT_EQ(shrunk, 2u) << file;
  }
}

TEST(Shrink, KeepsWhatAnApiServerServes) {
  const StillShows has_objects = [](const Json& question) {
    return question.contains("pod") && !question.value("pods", Json::array()).empty() &&
           !question.value("nodes", Json::array()).empty() && !question.value("pdbs", Json::array()).empty();
  };
  const std::string served = R"("namespace":"default"},"spec":{"priority":0,"containers":[{"name":"c"}]}})";
  expect_shrunk(noisy(), has_objects,
                R"({"nodes":[{"metadata":{"name":"n1"},"status":{"allocatable":{}}}],)"
                R"("pods":[{"metadata":{"name":"a",)" +
                    served +
                    R"(],"pdbs":[{"metadata":{"name":"b1","namespace":"default"},"spec":{},)"
                    R"("status":{"disruptionsAllowed":0}}],)"
                    R"("pod":{"metadata":{"name":"p",)" +
                    served + "}");
}

// A term or constraint may go, but what an API server asks of it stays.
TEST(Shrink, KeepsWhatAnApiServerAsksOfATerm) {
  const Json question = Json::parse(R"({"nodes": [], "pod": {"metadata": {"name": "p"}, "spec": {
      "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "zone", "labelSelector": {}}, {"topologyKey": "rack"}]}},
      "topologySpreadConstraints": [{"maxSkew": 3, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]}}})");
  const StillShows has_both = [](const Json& smaller) {
    return smaller.contains("/pod/spec/topologySpreadConstraints/0"_json_pointer) &&
           smaller.contains(
               "/pod/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/0"_json_pointer);
  };
  const Json spec = shrink(question, has_both).result.question.at("pod").at("spec");
  const Json constraint = spec.at("topologySpreadConstraints").at(0);
  EXPECT_EQ(constraint.size(), 3u) << spec;
  EXPECT_EQ(constraint.at("maxSkew"), 1) << spec;
  EXPECT_NE(constraint.at("topologyKey"), "") << spec;
  EXPECT_NE(constraint.at("whenUnsatisfiable"), "") << spec;
  const Json terms =
      spec.at("affinity").at("podAntiAffinity").at("requiredDuringSchedulingIgnoredDuringExecution");
  EXPECT_EQ(terms.size(), 1u) << spec;
  EXPECT_NE(terms.at(0).at("topologyKey"), "") << spec;
}

// What the question itself lacks, a smaller one may lack.
TEST(Shrink, KeepsLabelsIfItIsAskedTo) {
  const auto question = [](const std::string& labels, const std::string& selector) {
    const std::string term = R"({"topologyKey": "zone", "labelSelector": )" + selector + "}";
    return Json::parse(R"({"nodes": [{"metadata": {"name": "n1", "labels": {)" + labels +
                       R"(}}}], "pods": [{"spec": {
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [)" +
                       term + R"(]}}}}], "pod": {"spec": {"topologySpreadConstraints": [)" + term + "]}}}");
  };
  const std::string zone = R"("zone": "a")";
  const std::string app = R"({"matchLabels": {"app": "x"}})";
  EXPECT_TRUE(keeps_labels(question(zone, app), question(zone, app)));
  EXPECT_TRUE(keeps_labels(question(zone, app), Json::object()));
  EXPECT_FALSE(keeps_labels(question(zone, app), question("", app)));
  EXPECT_FALSE(keeps_labels(question(zone, app), question(zone, "{}")));
  EXPECT_TRUE(keeps_labels(question("", app), question("", app)));
  EXPECT_FALSE(keeps_labels(question("", app), question("", "{}")));
  EXPECT_TRUE(keeps_labels(question(zone, "{}"), question(zone, "{}")));
  EXPECT_FALSE(keeps_labels(question(zone, "{}"), question("", "{}")));
}

TEST(Shrink, IsDeterministic) {
  const Json question = noisy();
  const Asked first = shrink(question, victims(2));
  const Asked second = shrink(question, victims(2));
  EXPECT_EQ(first.result.question.dump(), second.result.question.dump());
  EXPECT_EQ(first.told, second.told);
}

TEST(Shrink, LeavesWhatIsMinimal) {
  const Json small = shrink(noisy(), violations(2)).result.question;
  EXPECT_EQ(shrink(small, violations(2)).result.question.dump(), small.dump());
}

TEST(Shrink, AsksNoMoreThanItMay) {
  for (const std::size_t limit : {0u, 1u, 2u, 5u, 20u, 60u}) {
    const Asked asked = shrink(noisy(), victims(3), limit);
    EXPECT_LE(asked.told, limit);
    EXPECT_FALSE(asked.result.minimal);
    EXPECT_TRUE(victims(3)(asked.result.question));
  }
}

TEST(Shrink, AsksOnlyForSmallerQuestions) {
  const Json question = noisy();
  fuzz::QuestionSize size = fuzz::size_of(question);
  shrink(question, [&](const Json& candidate) {
    const bool shows = victims(2)(candidate);
    if (candidate == question) return shows;
    EXPECT_LT(fuzz::size_of(candidate), size);
    if (shows) size = fuzz::size_of(candidate);
    return shows;
  });
}

/// Documents with odd values in odd places. What still shows depends only on a sum of the bytes of the text.
TEST(Shrink, TakesAnyDocument) {
  const Json odd = Json::parse(
      R"([null, [], {}, "", "-1", "1e99", "0x", "9223372036854775807", "2262-04-11T23:47:16Z", 18446744073709551615,
          -9223372036854775808, 9223372036854775807, 0.5, true, [[[{}]]], {"metadata": {"name": 7}}, {"": {"/": "~"}}])");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    Json question = NoisyMaker(seed).question(2, 2, 1);
    for (int i = 0; i < 8; ++i) {
      const std::set<std::string> all = pointers(question);
      const auto at = std::next(all.begin(), static_cast<std::ptrdiff_t>(random() % all.size()));
      question[Json::json_pointer(*at)] = odd[random() % odd.size()];
    }
    const std::string text = question.dump();
    const StillShows shows = [&](const Json& candidate) {
      const std::string other = candidate.dump();
      return other == text || std::accumulate(other.begin(), other.end(), seed) % 3 == 0;
    };
    const Asked asked = shrink(question, shows, 1000);
    EXPECT_TRUE(shows(asked.result.question)) << text;
    EXPECT_EQ(asked.twice, 0u) << text;
  }
}

TEST(Shrink, LeavesADocumentTooDeepAsItIs) {
  Json deep = Json::object();
  for (std::size_t i = 0; i <= fuzz::k_depth_max; ++i) deep = Json{{"a", std::move(deep)}};
  const Json question = deep;
  const Shrunk shrunk = fuzz::shrink(std::move(deep), [](const Json&) { return true; }, 1000);
  EXPECT_EQ(shrunk.question, question);
  EXPECT_FALSE(shrunk.minimal);
  EXPECT_EQ(shrunk.asked, 0u);
}

TEST(Shrink, DropsExtendersAndEntriesOfTheirTables) {
  const Json question = Json::parse(R"({"nodes": [
      {"metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "4", "pods": "110"}}},
      {"metadata": {"name": "n2"}, "status": {"allocatable": {"cpu": "4", "pods": "110"}}}],
    "extenders": [
      {"prioritizeVerb": "p", "weight": 1, "prioritize": {"n1": 3}},
      {"filterVerb": "f", "nodeCacheCapable": true, "filter": {"n1": "unresolvable: no", "n2": "ok"}}],
    "pod": {"metadata": {"name": "p", "namespace": "default"},
            "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}})");
  const Shrunk shrunk = fuzz::shrink(
      question,
      [](const Json& candidate) {
        const Json filter = answer(candidate, "v1.34.4").value("filter", Json::object());
        return filter.contains("n1") && filter["n1"].value("reasons", Json::array()) == Json::array({"no"});
      },
      1000);
  EXPECT_EQ(shrunk.question["extenders"],
            Json::parse(R"([{"filterVerb": "f", "filter": {"n1": "unresolvable: no"}}])"));
}

TEST(Shrink, TakesAFewHundredAsksForATypicalQuestion) {
  EXPECT_LT(shrink(noisy(), victims(4)).told, 500u);
  EXPECT_LT(shrink(noisy(), violations(2)).told, 500u);
}

TEST(Shrink, TakesAFewHundredAsksForALargeQuestion) {
  EXPECT_LT(shrink(noisy(150, 2), violations(2)).told, 1000u);
}

}  // namespace touchstone::tests
