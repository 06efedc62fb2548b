// new file: tests/reference/queue/store_test.cpp
#include "reference/queue/store.hpp"

#include <gtest/gtest.h>

#include "reference/queue/play.hpp"
#include "tests/support/commands.hpp"

/// What the API server of the model stores, and what its watch says.
namespace touchstone::tests::store_test {

using namespace commands;

namespace {

PodObject object(const std::string& name, const std::string& ns = "default") {
  PodObject made;
  made.pod = pod(name, 0, 100);
  made.pod.ns = ns;
  made.pod.uid = "u-" + ns + "-" + name;
  return made;
}

PodDisruptionBudget budget(const std::string& name, const std::string& ns = "default") {
  return {ns, name, {}, 1, {}};
}

WorkloadGroups workload(const std::string& name, const std::string& ns = "default", Quantity least = 1) {
  return {ns, name, {{"g", least}}};
}

PodGroupObject group(const std::string& name) { return {"default", name, 2}; }

std::string message_of(const StepAnswer& answer) { return answer.error ? answer.error->message : ""; }

/// The objects of three names in two namespaces, of which one is removed: those that are left.
template <typename Object>
std::vector<std::string> left_after_removal(Object (*make)(const std::string&, const std::string&),
                                            const std::vector<Object>& (*stored)(const World&)) {
  Play play("v1.36.3");
  for (const char* ns : {"default", "other"}) writes(play, make("a", ns));
  writes(play, make("b", "default"));
  EXPECT_EQ(message_of(writes(play, make("a", "default"), Verb::remove)), "");
  std::vector<std::string> left;
  for (const Object& each : stored(play.world)) {
    if constexpr (std::is_same_v<Object, PodObject>) {
      left.push_back(each.pod.full_name());
    } else {
      left.push_back(each.ns + "/" + each.name);
    }
  }
  return left;
}

}  // namespace

// EVT-STORE-1: an error names the kind and the object.
TEST(Store, NamesTheObjectOfAnError) {
  const std::vector<std::pair<WrittenObject, std::string>> objects = {
      {object("o"), "Pod default/o"},
      {node_with("o", 1), "Node o"},
      {budget("o"), "PodDisruptionBudget default/o"},
      {workload("o"), "Workload default/o"},
      {group("o"), "PodGroup default/o"}};
  Play play("v1.36.3");
  for (const auto& [made, name] : objects) {
    for (const Verb verb : {Verb::update, Verb::remove, Verb::remove_with_grace})
      EXPECT_EQ(message_of(writes(play, made, verb)), "unknown " + name);
    EXPECT_EQ(message_of(writes(play, made)), "");
    EXPECT_EQ(message_of(writes(play, made)), name + " exists");
  }
}

// EVT-STORE-1, EVT-STORE-2: the removal of an object leaves those of other names and namespaces.
TEST(Store, RemovesTheObjectOfANamespace) {
  const std::vector<std::string> left = {"other/a", "default/b"};
  EXPECT_EQ(left_after_removal<PodObject>(
                [](const std::string& name, const std::string& ns) { return object(name, ns); },
                [](const World& world) -> const std::vector<PodObject>& { return world.stored.pods; }),
            left);
  EXPECT_EQ(left_after_removal<PodDisruptionBudget>(
                [](const std::string& name, const std::string& ns) { return budget(name, ns); },
                [](const World& world) -> const auto& { return world.stored.pdbs; }),
            left);
  EXPECT_EQ(left_after_removal<WorkloadGroups>(
                [](const std::string& name, const std::string& ns) { return workload(name, ns); },
                [](const World& world) -> const auto& { return world.stored.workloads; }),
            left);
}

// EVT-STORE-1: an update without a status keeps the status of the stored object.
TEST(Store, KeepsTheStatusThatAnUpdateDoesNotHave) {
  Play play("v1.36.3");
  Node node = node_with("n", 1000);
  node.conditions = {{"Ready", "True", ""}};
  node.declared_features = {"Feature"};
  node.images = {{{"image"}, 5}};
  writes(play, node);
  Node bare = node_with("n", 7);
  bare.labels["new"] = "label";
  does(play, WriteCommand{Verb::update, bare, false});
  node.labels = bare.labels;
  EXPECT_EQ(play.world.stored.nodes, std::vector<Node>{node});

  PodDisruptionBudget allowing = budget("b");
  writes(play, budget("b"));
  allowing.disruptions_allowed = 3;
  allowing.disrupted_pods = {"p"};
  writes(play, allowing, Verb::update);
  PodDisruptionBudget selecting = budget("b");
  selecting.selector = LabelSelector{{{"app", "a"}}, {}};
  does(play, WriteCommand{Verb::update, selecting, false});
  allowing.selector = selecting.selector;
  EXPECT_EQ(play.world.stored.pdbs, std::vector<PodDisruptionBudget>{allowing});
  EXPECT_EQ(play.world.seen.pdbs, std::vector<PodDisruptionBudget>{allowing});
}

// EVT-STORE-1, QUE-ENTITY-8: an update changes neither the UID of an object nor whether it terminates.
TEST(Store, KeepsWhatAnUpdateCannotChange) {
  Play play("v1.36.3");
  PodObject running = object("v");
  running.pod.node_name = "n1";
  writes(play, running);
  writes(play, running, Verb::remove_with_grace);
  running.pod.labels["new"] = "label";
  writes(play, running, Verb::update);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.stored("v").labels.size(), 1U);

  writes(play, group("g"));
  const std::string uid = play.world.stored.pod_groups.at(0).uid;
  EXPECT_FALSE(uid.empty());
  writes(play, PodGroupObject{"default", "g", 3}, Verb::update);
  EXPECT_EQ(play.world.stored.pod_groups.at(0), (PodGroupObject{"default", "g", 3, 0, uid}));
  writes(play, workload("w"));
  writes(play, workload("w", "default", 5), Verb::update);
  EXPECT_EQ(play.world.stored.workloads, std::vector<WorkloadGroups>{workload("w", "default", 5)});
}

// EVT-STORE-3: the API server refuses to bind a pod that terminates.
TEST(Store, BindsNoPodThatTerminates) {
  Play play("v1.36.3");
  for (const bool is_terminating : {false, true}) {
    PodObject made = object(is_terminating ? "t" : "p");
    made.pod.terminating = is_terminating;
    writes(play, made);
    Call bind;
    bind.kind = CallKind::bind;
    bind.ns = made.pod.ns;
    bind.name = made.pod.name;
    bind.uid = made.pod.uid;
    bind.node = "n1";
    EXPECT_EQ(reference::perform(play.world, bind), is_terminating ? CallResult::conflict : CallResult::ok);
  }
}

// EVT-WATCH-2: the end of a pod is its deletion for the watch. Its removal later is no event, and neither is
// the creation of a pod that has ended.
TEST(Store, AnnouncesTheEndOfAPodOnce) {
  Play play("v1.36.3");
  play.node("n1", 1000);
  Pod ended = placed(pod("e", 0, 1000), "n1");
  play.creates(ended).creates(pod("p", 0, 1000));
  play.cycle();
  ended.phase = "Succeeded";
  play.updates(ended, true);
  EXPECT_EQ(play.place("p"), "backoff");
  play.advances(20'000).creates(placed(pod("v", 0, 1000), "n1"));
  play.cycle();
  ASSERT_EQ(play.place("p"), "unschedulable");
  play.removes("e");
  EXPECT_EQ(play.place("p"), "unschedulable");

  does(play, HoldWatchCommand{WatchedKind::pod});
  PodObject over = object("o");
  over.pod.phase = "Failed";
  EXPECT_FALSE(writes(play, over).clauses.contains("EVT-WATCH-2"));
  over.pod.phase = "Succeeded";
  EXPECT_TRUE(writes(play, over, Verb::update).clauses.contains("EVT-WATCH-2"));
}

}  // namespace touchstone::tests::store_test
