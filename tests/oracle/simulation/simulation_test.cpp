#include "oracle/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reference/queue/play.hpp"
#include "tests/support/builder.hpp"

/// Clusters that are played forward.
namespace touchstone::oracle {

namespace {

constexpr Quantity k_second_ns = 1'000'000'000;

/// Pod NAME of 4 CPUs and of this priority, as a value of `create`.
std::string pod_text(const std::string& name, int priority, const std::string& more = "") {
  return "{kind: Pod, metadata: {name: " + name + "}, spec: {priorityClassName: p" +
         std::to_string(priority) + ", containers: [{name: c, image: i, resources: {requests: {cpu: 4}}}]" +
         more + "}}";
}

/// A cluster with node n1 of 4 CPUs, and what a test adds.
class Simulated {
 public:
  explicit Simulated(const std::string& release = "v1.36.3") {
    plan_.release = tests::release(release);
    for (const int priority : {0, 5, 9}) {
      dump_.priority_classes.push_back({.name = "p" + std::to_string(priority),
                                        .value = priority,
                                        .global_default = false,
                                        .preemption_policy = ""});
    }
    node("n1");
  }

  Simulated& node(const std::string& name) {
    Node& node = plan_.objects.nodes.emplace_back();
    node.name = name;
    node.allocatable = {{"cpu", 4000}, {"memory", 1 << 30}, {"pods", 110}};
    return *this;
  }
  Simulated& no_nodes() { return plan_.objects.nodes.clear(), *this; }
  /// A pod of 4 CPUs on n1.
  Simulated& running(const std::string& name, Quantity grace_seconds, const std::string& controller = "") {
    PodObject& pod = plan_.objects.pods.emplace_back();
    pod.pod = tests::pod(name, 0, 4000);
    pod.pod.ns = "default";
    pod.pod.uid = "u-" + name;
    pod.pod.node_name = "n1";
    pod.pod.phase = "Running";
    pod.grace_seconds = grace_seconds;
    if (!controller.empty()) pod.pod.controller = Controller{"v1", controller, "owner", "u-owner"};
    return *this;
  }
  Simulated& events(const std::string& text) {
    const auto events = parse_events(text, "e.yaml", dump_, plan_.release.version);
    EXPECT_TRUE(events) << events.error().path << ": " << events.error().message;
    if (events) plan_.events = events.value();
    return *this;
  }
  Simulated& until(Quantity seconds) { return plan_.until_ns = seconds * k_second_ns, *this; }
  Simulated& seed(std::uint64_t seed) { return plan_.seed = seed, *this; }
  Simulated& most_steps(std::size_t steps) { return plan_.most_steps = steps, *this; }

  Result<Simulation> result() const { return simulate(plan_, start_of({})); }
  Simulation run() const {
    Result<Simulation> done = result();
    EXPECT_TRUE(done) << done.error().path << ": " << done.error().message;
    return done ? std::move(done).value() : Simulation{};
  }

 private:
  kubernetes::Dump dump_;
  SimulationPlan plan_;
};

/// The time in seconds at which an actor does something for the first time; -1: never.
double time_of(const Simulation& simulation, const std::string& what) {
  for (const SimulatedStep& step : simulation.steps) {
    if (step.what == what) return static_cast<double>(step.time_ns) / 1e9;
  }
  return -1;
}

std::string text(const Simulation& simulation, const std::string& pod) {
  const auto found = simulation.pods.find(pod);
  return found == simulation.pods.end() ? "" : text_of(found->second);
}

const std::string k_preemption = "- at: 1s\n  create: " + pod_text("p", 5) + "\n";

}  // namespace

TEST(Simulation, EndsVictimsAfterTheirGracePeriod) {
  const Simulation done = Simulated().running("v", 20).events(k_preemption).run();
  EXPECT_EQ(time_of(done, "removes default/v"), 21);
  EXPECT_EQ(time_of(done, "starts default/p"), 21);
  EXPECT_EQ(done.end, SimulationEnd::at_rest);
  EXPECT_EQ(text(done, "default/p"), "on node n1 since 21 s after attempt 2");
  EXPECT_EQ(text(done, "default/v"), "gone since 21 s");
}

TEST(Simulation, SaysWhyAPodIsWhereItIs) {
  Simulated simulated;
  simulated.running("v", 20).events(k_preemption);
  EXPECT_EQ(text(simulated.until(3).run(), "default/p"),
            "unschedulable since 1 s after attempt 1, rejected by NodeResourcesFit, woken by nothing since, "
            "nominated to node n1, the timer makes it active at 330 s");
  EXPECT_EQ(text(simulated.until(3).run(), "default/v"),
            "on node n1 since 0 s, terminating, removed by its kubelet at 21 s");
  EXPECT_EQ(text(Simulated("v1.32.2")
                     .running("v", 20)
                     .running("w", 1)
                     .events("- at: 1500ms\n  create: " + pod_text("p", 0) +
                             "\n- at: 2s\n  delete: {kind: Pod, name: w}\n  gracePeriodSeconds: 0\n")
                     .until(2)
                     .run(),
                 "default/p"),
            "in backoff until 2.5 s after attempt 1, rejected by NodeResourcesFit, woken by the deletion of "
            "default/w, the timer makes it active at 3 s");
}

TEST(Simulation, TakesTheGracePeriodOfADeletion) {
  const std::string remove = "- at: 1s\n  delete: {kind: Pod, name: v}\n  gracePeriodSeconds: ";
  EXPECT_EQ(time_of(Simulated().running("v", 20).events(remove + "5").run(), "removes default/v"), 6);
  const Simulation at_once = Simulated().running("v", 20).events(remove + "0").run();
  EXPECT_EQ(text(at_once, "default/v"), "gone since 1 s");
  EXPECT_EQ(time_of(at_once, "removes default/v"), -1);
  const Simulation shortened =
      Simulated()
          .running("v", 20)
          .events(remove + "10\n- at: 2s\n  delete: {kind: Pod, name: v}\n  gracePeriodSeconds: 3\n")
          .run();
  EXPECT_EQ(time_of(shortened, "removes default/v"), 5);
  const Simulation no_kubelet =
      Simulated().running("v", 2).events(remove + "9\n- at: 2s\n  delete: {kind: Node, name: n1}\n").run();
  EXPECT_EQ(time_of(no_kubelet, "removes default/v"), -1);
}

TEST(Simulation, ReplacesPodsOfControllers) {
  const std::string remove = "- at: 1s\n  delete: {kind: Pod, name: v}\n  gracePeriodSeconds: 5\n";
  const auto replaced = [&](const std::string& kind) {
    return Simulated().running("v", 20, kind).events(remove).run();
  };
  for (const char* kind : {"ReplicaSet", "ReplicationController", "Job"}) {
    const Simulation done = replaced(kind);
    EXPECT_EQ(time_of(done, std::string(kind) + " owner creates default/owner-1"), 1) << kind;
    EXPECT_EQ(done.pods.at("default/owner-1").node, "n1") << kind;
  }
  EXPECT_EQ(time_of(replaced("DaemonSet"), "DaemonSet owner creates default/owner-1"), 6);
  EXPECT_EQ(time_of(replaced("StatefulSet"), "StatefulSet owner creates default/v"), 6);
  EXPECT_EQ(replaced("Operator").pods.size(), 1u);
}

TEST(Simulation, CreatesAndDeletesWorkloads) {
  const std::string create =
      "- at: 1s\n  create: {kind: ReplicaSet, metadata: {name: web}, spec: {replicas: 2, selector: "
      "{matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {terminationGracePeriodSeconds: "
      "1, "
      "containers: [{name: c, image: i}]}}}}\n";
  const Simulation created = Simulated().events(create).run();
  EXPECT_EQ(created.pods.at("default/web-1").place, Place::on_node);
  EXPECT_EQ(created.pods.at("default/web-2").place, Place::on_node);
  const Simulation deleted =
      Simulated()
          .events(create + "- after: {pod: web-2, is: Scheduled}\n  delete: {kind: ReplicaSet, name: web}\n" +
                  "- after: {pod: web-1, is: Gone}\n  create: " + pod_text("q", 0) + "\n")
          .run();
  EXPECT_EQ(deleted.pods.size(), 3u);
  EXPECT_EQ(deleted.pods.at("default/web-1").place, Place::gone);
  EXPECT_EQ(deleted.pods.at("default/web-2").place, Place::gone);
  EXPECT_EQ(text(deleted, "default/q"), "on node n1 since 2 s after attempt 1");
}

TEST(Simulation, RunsTheTimersOfTheQueue) {
  const Simulation lonely = Simulated().no_nodes().events(k_preemption).until(9).run();
  EXPECT_EQ(lonely.end, SimulationEnd::at_time);
  EXPECT_EQ(lonely.end_ns, 9 * k_second_ns);
  EXPECT_EQ(time_of(lonely, "of the backoff part runs"), 3);
  const std::string blocked = "- at: 1s\n  create: " + pod_text("p", 0) + "\n";
  EXPECT_EQ(Simulated().running("v", 20).events(blocked).run().end_ns, k_second_ns);
  const Simulation long_run = Simulated().running("v", 20).events(blocked).until(400).run();
  EXPECT_EQ(time_of(long_run, "for pods that waited too long runs"), 330);
  EXPECT_EQ(long_run.pods.at("default/p").attempts, 2);
  EXPECT_EQ(Simulated().no_nodes().events(k_preemption).run().end_ns, 600 * k_second_ns);
  const Simulation cut = Simulated().no_nodes().events(k_preemption).most_steps(4).run();
  EXPECT_EQ(cut.end, SimulationEnd::too_many_steps);
  EXPECT_EQ(cut.steps.size(), 4u);
}

TEST(Simulation, ReplacesObjectsAsTheApiAllows) {
  const Simulation done =
      Simulated()
          .running("v", 20)
          .events(k_preemption + "- at: 2s\n  replace: " + pod_text("p", 9) +
                  "\n- at: 3s\n  replace: {kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}\n"
                  "- at: 4s\n  create: {kind: PodDisruptionBudget, metadata: {name: b}}\n"
                  "- at: 5s\n  delete: {kind: PodDisruptionBudget, name: b}\n")
          .until(6)
          .run();
  EXPECT_EQ(time_of(done, "replace Pod default/p"), 2);
  const auto& write = std::get<WriteCommand>(done.script.commands[4]);
  EXPECT_EQ(std::get<PodObject>(write.object).pod.priority, 5) << "the API keeps the priority";
}

TEST(Simulation, NamesTheEventThatFails) {
  const auto failed = [](const std::string& events) { return Simulated().events(events).result().error(); };
  EXPECT_EQ(failed(k_preemption + k_preemption), (Error{"exists", "e.yaml: [1]", "Pod default/p exists"}));
  EXPECT_EQ(failed("- at: 1s\n  delete: {kind: Node, name: n7}\n"),
            (Error{"not-found", "e.yaml: [0]", "unknown Node n7"}));
  EXPECT_EQ(failed("- at: 1s\n  replace: " + pod_text("p", 0) + "\n").code, "not-found");
  EXPECT_EQ(Simulated().node("n1").result().error().code, "exists");
}

TEST(Simulation, NamesEventsThatDidNotHappen) {
  const Simulation done =
      Simulated()
          .events(
              "- after: {pod: p, is: Gated}\n  delete: {kind: Pod, name: p}\n- at: 1h\n  delete: {kind: "
              "Pod, name: p}\n")
          .run();
  EXPECT_EQ(done.not_happened, (std::vector<std::string>{"e.yaml: [0]: delete Pod default/p",
                                                         "e.yaml: [1]: delete Pod default/p"}));
}

TEST(Simulation, IsReproducibleBySeed) {
  Simulated simulated;
  simulated.node("n2").running("v", 3, "ReplicaSet").running("w", 3, "ReplicaSet");
  simulated.events(k_preemption + "- at: 1s\n  create: " + pod_text("q", 9) +
                   "\n- at: 1s\n  create: " + pod_text("r", 5) + "\n");
  const auto order = [](const Simulation& done) {
    std::string all;
    for (const SimulatedStep& step : done.steps) all += step.what + "\n";
    return all;
  };
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string first = order(simulated.seed(seed).run());
    EXPECT_EQ(first, order(simulated.seed(seed).run()));
    orders.insert(first);
  }
  EXPECT_GT(orders.size(), 1u);
}

// The commands of a simulation set off the same on a scheduler that only plays commands.
TEST(Simulation, IsAListOfCommands) {
  const Simulation done = Simulated().running("v", 20, "ReplicaSet").events(k_preemption).run();
  const auto model = reference::timeline_model();
  ASSERT_FALSE(model->begin(done.script.release, done.script.now_ns, done.script.objects));
  CanonicalChoices choices;
  StepAnswer last;
  for (const TimelineCommand& command : done.script.commands) last = model->run(command, choices);
  EXPECT_EQ(last.state, done.steps.back().answer.state);
}

TEST(Whereabouts, AreASentenceAndJson) {
  Whereabouts pod;
  pod.place = Place::unschedulable;
  pod.gated_by = "SchedulingGates";
  pod.since_ns = 1'250'000'000;
  EXPECT_EQ(text_of(pod), "gated by SchedulingGates since 1.25 s");
  EXPECT_TRUE(is_in(pod, PodState::gated));
  EXPECT_FALSE(is_in(pod, PodState::unschedulable));
  pod = {};
  EXPECT_EQ(text_of(pod), "in no part of the queue since 0 s");
  pod.place = Place::in_flight;
  pod.attempts = 2;
  EXPECT_EQ(text_of(pod), "in flight in attempt 2");
  pod.place = Place::assumed;
  pod.node = "n1";
  pod.nominated_in_api = "n2";
  pod.message = "why";
  EXPECT_EQ(text_of(pod), "assumed on node n1 since 0 s, nominatedNodeName n2");
  const Json json = json_of(pod);
  EXPECT_EQ(json["place"], "assumed");
  EXPECT_EQ(json["message"], "why");
  EXPECT_EQ(json["nominatedNodeName"], "n2");
  pod.place = Place::active;
  EXPECT_TRUE(is_in(pod, PodState::active));
  EXPECT_FALSE(is_in(pod, PodState::backoff));
  EXPECT_FALSE(is_in(pod, PodState::terminating));
}

}  // namespace touchstone::oracle
