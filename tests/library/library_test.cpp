#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/library/small_cluster.hpp"

/// libtouchstone by its own headers alone: the shared library that a program would use. Runs from the root of
/// the project.
namespace touchstone {

namespace {

const std::vector<const char*> k_lists = {"nodes",
                                          "pods",
                                          "pdbs",
                                          "namespaces",
                                          "services",
                                          "replicationControllers",
                                          "replicaSets",
                                          "statefulSets",
                                          "pvcs",
                                          "pvs",
                                          "storageClasses",
                                          "csiNodes",
                                          "csiDrivers",
                                          "volumeAttachments",
                                          "csiStorageCapacities"};
const std::vector<const char*> k_kinds = {"Node",
                                          "Pod",
                                          "PodDisruptionBudget",
                                          "Namespace",
                                          "Service",
                                          "ReplicationController",
                                          "ReplicaSet",
                                          "StatefulSet",
                                          "PersistentVolumeClaim",
                                          "PersistentVolume",
                                          "StorageClass",
                                          "CSINode",
                                          "CSIDriver",
                                          "VolumeAttachment",
                                          "CSIStorageCapacity"};

/// A question of recorded decisions in two parts: the cluster, and the keys of its pod.
struct Halves {
  Json cluster;
  Json of_pod;
};
Halves halves_of(Json question, const std::string& command, const std::string& release) {
  Halves halves{{{"release", release}}, {{"cmd", command}, {"seq", 1}}};
  for (const char* key : {"pod", "offset", "quota", "start", "extenders"}) {
    if (question.contains(key)) halves.of_pod[key] = question[key];
    question.erase(key);
  }
  for (const auto& [key, value] : question.items()) halves.cluster[key] = value;
  return halves;
}

/// Calls act(halves) for cases of each directory of vectors, with one release of each file.
template <typename F>
void for_some_vectors(const F& act) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator("spec/vectors")) {
    if (file.path().extension() != ".json" || file.path().string().find("/time/") != std::string::npos)
      continue;
    std::ifstream stream(file.path());
    const Json vectors = Json::parse(stream);
    if (!vectors.contains("cases") || vectors["cases"].empty()) continue;
    for (const std::size_t number : {std::size_t{0}, vectors["cases"].size() / 2}) {
      const Json& example = vectors["cases"][number];
      const std::string release = vectors["releases"].back();
      act(file.path().string() + " " + example["name"].get<std::string>(),
          halves_of(example["question"], vectors.value("command", "run"), release));
      ++count;
    }
  }
  EXPECT_GT(count, 100U);
}

Json whole(const Halves& halves) {
  Json question = halves.of_pod;
  for (const auto& [key, value] : halves.cluster.items()) question[key] = value;
  return question;
}

/// Loads a cluster without objects, and puts every object by itself.
Cluster put_one_by_one(const Json& cluster) {
  Json empty = cluster;
  for (const char* list : k_lists) empty.erase(list);
  Cluster made = loaded(empty);
  for (std::size_t i = 0; i < k_lists.size(); ++i) {
    for (const Json& object : cluster.value(k_lists[i], Json::array()))
      made.put(k_kinds[i], object.dump()).value();
  }
  return made;
}

}  // namespace

TEST(Library, AnswersRecordedQuestionsAboutALoadedClusterAsAboutAWholeQuestion) {
  for_some_vectors([](const std::string& name, const Halves& halves) {
    for (const touchstone_engine engine : {TOUCHSTONE_REFERENCE, TOUCHSTONE_OPTIMIZED}) {
      const Json expected = parsed(ask(whole(halves).dump(), engine).value());
      auto cluster = Cluster::load(halves.cluster.dump());
      if (!cluster) {  // the same error, but without the answer around it
        EXPECT_EQ(Json(cluster.error().code), expected["error"]["code"]) << name;
        continue;
      }
      EXPECT_EQ(asked(cluster.value(), halves.of_pod, engine), expected) << name;
    }
  });
}

TEST(Library, AnswersAlikeIfObjectsArePutOneByOne) {
  for_some_vectors([](const std::string& name, const Halves& halves) {
    auto cluster = Cluster::load(halves.cluster.dump());
    if (!cluster) return;
    Cluster changed = put_one_by_one(halves.cluster);
    for (const touchstone_engine engine : {TOUCHSTONE_REFERENCE, TOUCHSTONE_OPTIMIZED})
      EXPECT_EQ(asked(changed, halves.of_pod, engine), asked(cluster.value(), halves.of_pod, engine)) << name;
  });
}

TEST(Library, GivesTypedDecisionsThatAreThoseOfTheAnswers) {
  std::size_t nominated = 0;
  std::size_t scheduled = 0;
  for_some_vectors([&](const std::string& name, const Halves& halves) {
    auto cluster = Cluster::load(halves.cluster.dump());
    if (!cluster || halves.of_pod.contains("extenders")) return;
    const Json answer = asked(cluster.value(), halves.of_pod, TOUCHSTONE_REFERENCE);
    const auto asked_about = Pod::read(halves.of_pod["pod"].dump());
    Decision decision = Decision::make().value();
    const touchstone_options options = {sizeof(touchstone_options), halves.of_pod.value("start", -1),
                                        halves.of_pod.value("offset", -1), halves.of_pod.value("quota", -1)};
    const bool is_schedule = halves.of_pod["cmd"] == "schedule";
    const auto done = is_schedule ? cluster->schedule(asked_about.value(), decision, &options)
                                  : cluster->preempt(asked_about.value(), decision, &options);
    if (answer.contains("error")) {
      EXPECT_EQ(Json(done.error().code), answer["error"]["code"]) << name;
      return;
    }
    const std::string outcome = answer.value("outcome", "skipped");
    EXPECT_EQ(decision.outcome() == TOUCHSTONE_SKIPPED, outcome == "skipped") << name;
    EXPECT_EQ(decision.node(), answer.value("node", "")) << name;
    EXPECT_EQ(Json(decision.victims()), answer.value("victims", Json::array())) << name;
    EXPECT_EQ(decision.violations(), answer.value("numPDBViolations", 0)) << name;
    EXPECT_EQ(decision.outcome() == TOUCHSTONE_NOMINATED, outcome == "nominated") << name;
    EXPECT_EQ(decision.outcome() == TOUCHSTONE_SCHEDULED, outcome == "scheduled") << name;
    if (outcome == "scheduled") {
      EXPECT_EQ(Json(decision.choices()), answer["best"]) << name;
      if (answer.contains("totals")) EXPECT_EQ(decision.total(), answer["totals"][decision.node()]) << name;
      EXPECT_EQ(decision.next_start().value_or(-1), answer.value("nextStart", -1)) << name;
    }
    nominated += outcome == "nominated";
    scheduled += outcome == "scheduled";
  });
  EXPECT_GT(nominated, 20U);
  EXPECT_GT(scheduled, 5U);
}

TEST(Library, FollowsChanges) {
  Cluster cluster = loaded(small_cluster());
  Decision decision = Decision::make().value();
  const Pod small = read(pod("new", "1", 0));
  cluster.schedule(small, decision).value();
  EXPECT_EQ(decision.node(), "n0");
  cluster.bind(small, "n0").value();
  EXPECT_EQ(cluster.pods(), 3U);
  const Pod next = read(pod("next", "1", 10));
  cluster.schedule(next, decision).value();
  EXPECT_EQ(decision.outcome(), TOUCHSTONE_NOMINATED);
  cluster.remove("Pod", "a", "p1").value();
  cluster.schedule(next, decision).value();
  EXPECT_EQ(decision.outcome(), TOUCHSTONE_SCHEDULED);
  EXPECT_EQ(decision.node(), "n1");
  cluster.remove("Node", "", "n1").value();
  EXPECT_EQ(cluster.nodes(), 1U);
  cluster.schedule(next, decision).value();
  EXPECT_EQ(decision.outcome(), TOUCHSTONE_NOMINATED);
  cluster.put("Node", node("n2", "1").dump()).value();
  cluster.schedule(next, decision).value();
  EXPECT_EQ(decision.node(), "n2");
  cluster.put("Node", node("n2", "500m").dump()).value();
  cluster.schedule(next, decision).value();
  EXPECT_EQ(decision.outcome(), TOUCHSTONE_NOMINATED);
}

TEST(Library, CountsAPodOnceThatIsPutAgain) {
  Cluster cluster = loaded(small_cluster());
  for (int i = 0; i < 3; ++i) cluster.put("Pod", pod("p0", "1", 0, "n0").dump()).value();
  EXPECT_EQ(cluster.pods(), 2U);
  Decision decision = Decision::make().value();
  cluster.schedule(read(pod("new", "3", 0)), decision).value();
  EXPECT_EQ(decision.node(), "n0");
  Json another = pod("p0", "1", 0, "n1");
  another["metadata"]["uid"] = "of another pod";
  cluster.put("Pod", another.dump()).value();
  EXPECT_EQ(cluster.pods(), 2U);
  cluster.schedule(read(pod("new", "4", 0)), decision).value();
  EXPECT_EQ(decision.node(), "n0");
}

// Many removed objects are forgotten, and the numbers of the others change.
TEST(Library, AnswersAlikeAfterManyPodsHaveComeAndGone) {
  Cluster cluster = loaded(small_cluster());
  for (int i = 0; i < 1100; ++i) {
    const std::string name = "q" + std::to_string(i);
    cluster.put("Pod", pod(name, "1", 0, "n0").dump()).value();
    cluster.remove("Pod", "a", name).value();
  }
  EXPECT_EQ(cluster.pods(), 2U);
  Cluster fresh = loaded(small_cluster());
  for (const touchstone_engine engine : {TOUCHSTONE_REFERENCE, TOUCHSTONE_OPTIMIZED, TOUCHSTONE_BOTH}) {
    for (const char* command : {"run", "schedule"}) {
      const Json question{{"cmd", command}, {"seq", 1}, {"pod", pod("new", "2", 3)}};
      EXPECT_EQ(asked(cluster, question, engine), asked(fresh, question, engine));
    }
  }
}

TEST(Library, ReadsTheProfileOfThePod) {
  Json json = small_cluster();
  json["config"] = {{"apiVersion", "kubescheduler.config.k8s.io/v1"},
                    {"kind", "KubeSchedulerConfiguration"},
                    {"profiles", {{{"schedulerName", "default-scheduler"}}, {{"schedulerName", "mine"}}}}};
  Cluster cluster = loaded(json);
  Decision decision = Decision::make().value();
  Json mine = pod("new", "1", 0);
  for (const char* name : {"mine", "default-scheduler"}) {
    mine["spec"]["schedulerName"] = name;
    EXPECT_TRUE(cluster.schedule(read(mine), decision)) << name;
  }
  mine["spec"]["schedulerName"] = "other";
  EXPECT_EQ(cluster.schedule(read(mine), decision).error().code, "unknown-profile");
  const Json question{{"cmd", "schedule"}, {"pod", mine}};
  EXPECT_EQ(asked(cluster, question, TOUCHSTONE_OPTIMIZED)["error"]["code"], "unknown-profile");
}

TEST(Library, AnswersASchedulerOverTimeWithASubject) {
  Subject subject = Subject::make().value();
  const Json init{{"cmd", "init"},
                  {"release", "v1.36.3"},
                  {"now", "2026-01-01T00:00:00Z"},
                  {"nodes", {node("n0", "4")}},
                  {"pods", {pod("p", "1", 0)}}};
  EXPECT_TRUE(parsed(subject.ask(init.dump()).value()).contains("state"));
  const Json cycle = parsed(subject.ask(R"({"cmd":"cycle"})").value());
  EXPECT_EQ(cycle.value("outcome", ""), "scheduled") << cycle;
  EXPECT_EQ(subject.ask(R"({"cmd":"bye"})").value(), "");
}

// Run under ThreadSanitizer by tests/threads.
TEST(LibraryThreads, AskAndChangeOneClusterAtTheSameTime) {
  Cluster cluster = loaded(small_cluster());
  const Pod asks = read(pod("new", "1", 0));
  const Json question{{"cmd", "schedule"}, {"seq", 1}, {"pod", pod("new", "1", 0)}};
  std::atomic<int> wrong = 0;
  const auto expect = [&wrong](bool is_right) { wrong += is_right ? 0 : 1; };
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      Decision decision = Decision::make().value();
      for (int i = 0; i < 100; ++i) {
        // n0 always has space; n1 has space while p1 is away.
        expect(bool(cluster.schedule(asks, decision)) && decision.outcome() == TOUCHSTONE_SCHEDULED);
        expect(decision.node() == "n0" || decision.node() == "n1");
        if (i % 10 == 0) {
          for (const touchstone_engine engine : {TOUCHSTONE_REFERENCE, TOUCHSTONE_OPTIMIZED, TOUCHSTONE_BOTH})
            expect(asked(cluster, question, engine)["outcome"] == "scheduled");
        }
        expect(Pod::read("{").error().code == "json-malformed");
      }
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 100; ++i) {
      expect(bool(cluster.remove("Pod", "a", "p1")));
      expect(bool(cluster.put("Pod", pod("p1", "2", 5, "n1").dump())));
      expect(bool(cluster.put("Node", node("n" + std::to_string(2 + i % 3), "100m").dump())));
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cluster.pods(), 2U);
  EXPECT_EQ(cluster.nodes(), 5U);
}

}  // namespace touchstone
