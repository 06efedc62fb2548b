#include "reference/queue/store.hpp"

#include <gtest/gtest.h>

#include "tests/support/commands.hpp"

/// What the API server of the model stores, and what its watch says.
namespace touchstone::tests::store_test {

using namespace commands;

using Names = std::vector<std::string>;

constexpr const char* k_36 = "v1.36.3";

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

/// Creates default/a, other/a and default/b, removes default/a, and returns the full names of the others.
template <typename Object>
std::vector<std::string> left_after_removal(Object (*make)(const std::string&, const std::string&),
                                            const std::vector<Object>& (*stored)(const World&)) {
  Play play(k_36);
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

// EVT-STORE-1: what an update keeps, and which writes are errors.
TEST(Store, KeepsUidNodeAndStatus) {
  Play play(k_36);
  play.node("n1", 1000);
  Pod bound = placed(pod("v", 0, 100), "n1");
  bound.phase = "Running";
  play.creates(bound);
  Pod changed = pod("v", 3, 100);
  changed.uid = "other";
  play.updates(changed);
  EXPECT_EQ(play.stored("v").uid, "u-v");
  EXPECT_EQ(play.stored("v").node_name, "n1");
  EXPECT_EQ(play.stored("v").phase, "Running");
  EXPECT_EQ(play.stored("v").priority, 3);
  play.updates(changed, true);
  EXPECT_EQ(play.stored("v").phase, "");
  EXPECT_TRUE(play.creates(bound).error);
  EXPECT_TRUE(play.updates(pod("x", 0, 1)).error);
  EXPECT_TRUE(play.deletes("x").error);
  EXPECT_TRUE(play.removes("x").error);
  EXPECT_TRUE(play.creates(node_with("n1", 1)).error);
  EXPECT_TRUE(play.updates(node_with("x", 1)).error);
  EXPECT_TRUE(play.removes_node("x").error);
  Pod without_uid = pod("w", 0, 1);
  ASSERT_FALSE(reference::create(play.world, PodObject{without_uid, 30, {}}));
  EXPECT_FALSE(play.stored("w").uid.empty());
  Node bare = node_with("n1", 5);
  bare.allocatable.clear();
  ASSERT_FALSE(reference::update(play.world, bare, false));
  EXPECT_EQ(play.world.stored.nodes[0].allocatable.at("cpu"), 1000);
}

// EVT-STORE-1: an update without a status keeps the status of the stored object.
TEST(Store, KeepsTheStatusThatAnUpdateDoesNotHave) {
  Play play(k_36);
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

// EVT-STORE-1: an update without status keeps the whole status, also what the kubelet wrote about
// resources.
TEST(Store, KeepsTheResourcesInTheStatus) {
  Play play(k_36);
  Pod running = pod("p", 0, 100);
  running.container_statuses.emplace_back().name = "c";
  running.resource_status.allocated = {{"cpu", 200}};
  play.creates(running).updates(pod("p", 0, 300));
  EXPECT_EQ(play.stored("p").container_statuses, running.container_statuses);
  EXPECT_EQ(play.stored("p").resource_status, running.resource_status);
}

// EVT-STORE-1: an update changes neither the UID of an object nor whether it terminates.
TEST(Store, KeepsWhatAnUpdateCannotChange) {
  Play play(k_36);
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

// EVT-STORE-1: an error names the kind and the object.
TEST(Store, NamesTheObjectOfAnError) {
  const std::vector<std::pair<WrittenObject, std::string>> objects = {
      {object("o"), "Pod default/o"},
      {node_with("o", 1), "Node o"},
      {budget("o"), "PodDisruptionBudget default/o"},
      {workload("o"), "Workload default/o"},
      {group("o"), "PodGroup default/o"}};
  Play play(k_36);
  for (const auto& [made, name] : objects) {
    for (const Verb verb : {Verb::update, Verb::remove, Verb::remove_with_grace})
      EXPECT_EQ(message_of(writes(play, made, verb)), "unknown " + name);
    EXPECT_EQ(message_of(writes(play, made)), "");
    EXPECT_EQ(message_of(writes(play, made)), name + " exists");
  }
}

// EVT-STORE-1, EVT-STORE-2, EVT-PDB-1: budgets; they are no event, and the next cycle sees them.
TEST(Store, HasBudgets) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(with_app(pod("v", 0, 1000), "a"), "n1")).creates(pod("p", 10, 1000));
  const PodDisruptionBudget pdb{"default", "b", LabelSelector{{{"app", "a"}}, {}}, 0, {}};
  play.creates(pdb).holds(CallKind::remove, "v");
  EXPECT_TRUE(play.creates(pdb).error);
  play.cycle();
  PodDisruptionBudget raised = pdb;
  raised.disruptions_allowed = 3;
  ASSERT_FALSE(reference::update(play.world, raised, false));
  EXPECT_EQ(play.world.stored.pdbs[0].disruptions_allowed, 0);
  ASSERT_FALSE(reference::update(play.world, raised, true));
  CanonicalChoices choices;
  reference::settle(play.world, choices);
  EXPECT_EQ(play.world.seen.pdbs[0].disruptions_allowed, 3);
  EXPECT_EQ(play.place("p"), "unschedulable");
  raised.name = "x";
  EXPECT_TRUE(reference::update(play.world, raised, true));
  EXPECT_TRUE(reference::remove_pdb(play.world, "default", "x"));
  EXPECT_FALSE(reference::remove_pdb(play.world, "default", "b"));
  reference::settle(play.world, choices);
  EXPECT_TRUE(play.world.seen.pdbs.empty());
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

// EVT-STORE-2, EVT-STORE-3: which deletions are graceful, and which calls meet a conflict.
TEST(Store, DeletesWithGrace) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 0, 1), "n1")).creates(placed(pod("w", 0, 1), "n1"), 0);
  play.creates(pod("p", 0, 1));
  Pod ended = placed(pod("e", 0, 1), "n1");
  ended.phase = "Succeeded";
  play.creates(ended);
  play.deletes("v").deletes("v").deletes("w").deletes("p").deletes("e");
  ASSERT_EQ(play.world.stored.pods.size(), 1U);
  EXPECT_TRUE(play.stored("v").terminating);
  reference::Call bind{CallKind::bind, "default", "q", "u-q", "n1"};
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::not_found);
  play.creates(pod("q", 0, 1));
  bind.uid = "other";
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  bind.uid = "u-q";
  Pod gated = pod("q", 0, 1);
  gated.scheduling_gates = {"g"};
  play.updates(gated);
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  play.updates(pod("q", 0, 1));
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::ok);
  EXPECT_EQ(play.stored("q").conditions[0].status, "True");
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
  bind = {CallKind::bind, "default", "v", "u-v", "n1"};
  EXPECT_EQ(reference::perform(play.world, bind), CallResult::conflict);
}

// EVT-STORE-3: the API server refuses to bind a pod that terminates.
TEST(Store, BindsNoPodThatTerminates) {
  Play play(k_36);
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

// EVT-WATCH-1: held kinds wait, others overtake them.
TEST(Watch, DeliversEachKindInOrder) {
  Play play(k_36);
  play.holds(WatchedKind::pod).creates(pod("a", 0, 1)).creates(pod("b", 0, 1)).node("n1", 1000);
  EXPECT_EQ(play.world.cache.nodes.size(), 1U);
  EXPECT_EQ(play.place("a"), "");
  play.delivers(WatchedKind::pod, 1);
  EXPECT_EQ(play.place("a"), "active");
  EXPECT_EQ(play.place("b"), "");
  play.delivers(WatchedKind::pod, 7);
  EXPECT_EQ(play.place("b"), "active");
  play.delivers(WatchedKind::pod);
  EXPECT_TRUE(play.delivers(WatchedKind::pod).error);
}

// EVT-WATCH-1: the scheduler handles all events that were held, when the hold ends.
TEST(Watch, DeliversAllEventsInTheEnd) {
  Play play(k_36);
  play.holds(WatchedKind::pod).creates(pod("p", 0, 100)).creates(pod("q", 0, 100));
  EXPECT_EQ(play.world.queue.active.size(), 0U);
  CanonicalChoices choices;
  EXPECT_FALSE(reference::deliver(play.world, WatchedKind::pod, {}, choices));
  EXPECT_EQ(play.world.queue.active.size(), 2U);
}

// QUE-SETTLE-1, QUE-FAIL-2: what follows from an event happens before the next event. The deletion of a pod
// that waits in Permit ends its attempt, before the scheduler sees that the pod was made again.
TEST(Watch, DeliversOneEventAfterTheOther) {
  Play play(k_36);
  PodObject waiting = patient(PodObject{pod("p", 0, 100), 30, {}});
  waiting.pod.uid = "u-p";
  play.node("n1", 1000);
  writes(play, waiting);
  cycles(play);
  does(play, HoldWatchCommand{WatchedKind::pod});
  play.removes("p");
  waiting.pod.uid = "again";
  writes(play, waiting);
  const StepAnswer answer = does(play, DeliverCommand{WatchedKind::pod, 2});
  EXPECT_EQ(answer.state.active, Names{"default/p"});
  EXPECT_TRUE(answer.clauses.contains("QUE-PERMIT-6"));
  EXPECT_FALSE(answer.clauses.contains("QUE-FAIL-2"));
}

// EVT-WATCH-2: a pod that ends is deleted for the scheduler.
TEST(Watch, LeavesOutPodsThatHaveEnded) {
  Play play(k_36);
  play.node("n1", 1000).creates(placed(pod("v", 20, 1000), "n1")).creates(pod("p", 10, 1000));
  play.cycle();
  Pod ended = pod("v", 20, 1000);
  ended.phase = "Failed";
  play.updates(ended, true);
  EXPECT_EQ(play.place("p"), "backoff");
  EXPECT_EQ(play.world.seen.pods.size(), 1U);
  play.removes("v");
  EXPECT_TRUE(play.world.events.empty());
  ended.name = "w";
  play.creates(ended).updates(pod("w", 20, 1000), true);
  EXPECT_EQ(play.world.seen.pods.size(), 2U);
}

// EVT-WATCH-2: the end of a pod is its deletion for the watch. Its removal later is no event, and neither
// is the creation of a pod that has ended.
TEST(Watch, AnnouncesTheEndOfAPodOnce) {
  Play play(k_36);
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
