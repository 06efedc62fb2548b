#include <algorithm>

#include "fuzz/timelines/part_lines.hpp"
#include "fuzz/timelines/parts.hpp"

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_part_second_ns = 1'000'000'000;

/// Generates the commands of one timeline of the disruption controller, and plays each on the model.
class DisruptionTimeline {
 public:
  DisruptionTimeline(Choices& choices, const Release& release) : draw_{choices} {
    Json init{{"cmd", "init"},
              {"part", "disruption"},
              {"release", release.version.text()},
              {"now", k_part_begin_ns},
              {"pods", Json::array()},
              {"pdbs", Json::array()},
              {"workloads", Json::array()}};
    for (const char* name : {"ReplicaSet/r1", "ReplicaSet/r2", "StatefulSet/s", "ReplicationController/c",
                             "Deployment/d", "Widget/w"}) {
      if (!draw_.once_in(3)) init["workloads"].push_back(workload(name));
    }
    for (std::size_t i = 0; i <= draw_.below(2); ++i) init["pdbs"].push_back(budget(i + 1));
    const std::size_t pods = 1 + draw_.below(6);
    for (std::size_t i = 0; i < pods; ++i) init["pods"].push_back(pod(i + 1));
    lines_.emplace(init);
  }

  std::vector<Json> drawn() {
    return std::move(*lines_).drawn(draw_, [this] { return next(); });
  }

 private:
  const reference::BudgetControl& control() const {
    return static_cast<const oracle::DisruptionPart&>(lines_->model()).control();
  }

  Json workload(const std::string& name) {
    Json made{{"name", name}, {"replicas", draw_.below(5)}};
    if (draw_.once_in(6)) made["uid"] = name + "-old";
    if (name == "ReplicaSet/r2" && !draw_.once_in(3)) made["owner"] = "Deployment/d";
    return made;
  }

  Json count() {
    if (draw_.once_in(2)) return draw_.below(4);
    return draw_.one_of<std::string>({"50%", "0%", "33%", "100%", "75%"});
  }

  Json budget(std::size_t number) {
    Json made{{"name", "b" + std::to_string(number)}};
    if (!draw_.once_in(8)) made["app"] = "a" + std::to_string(number);
    if (!draw_.once_in(12)) made[draw_.once_in(2) ? "minAvailable" : "maxUnavailable"] = count();
    if (draw_.once_in(3))
      made["disruptedPods"] = {{"p1", past()}, {"p" + std::to_string(1 + draw_.below(6)), past()}};
    return made;
  }

  /// A whole second up to 2 minutes and a bit ago.
  Quantity past() {
    const Quantity now = lines_ ? control().now_ns : k_part_begin_ns;
    return (now / k_part_second_ns - draw_.one_of<Quantity>({0, 1, 60, 110, 119, 120, 121, 300})) *
           k_part_second_ns;
  }

  /// No pod is controlled by a Deployment itself: whether its replicas are known from a ReplicaSet's pod
  /// depends on the order of the pods, which is chance.
  Json pod(std::size_t number) {
    Json made{{"name", "p" + std::to_string(number)}};
    if (!draw_.once_in(6)) made["app"] = "a" + std::to_string(1 + draw_.below(2));
    made["ready"] = !draw_.once_in(4);
    made["phase"] = draw_.once_in(8) ? draw_.one_of<std::string>({"Succeeded", "Failed"}) : "Running";
    if (draw_.once_in(8)) made["terminating"] = true;
    if (!draw_.once_in(4))
      made["owner"] = draw_.one_of<std::string>({"ReplicaSet/r1", "ReplicaSet/r1", "ReplicaSet/r2",
                                                 "StatefulSet/s", "ReplicationController/c", "Widget/w"});
    if (draw_.once_in(3))
      made["disruptionTarget"] = {
          {"status", draw_.once_in(5) ? "False" : "True"},
          {"reason", draw_.one_of<std::string>({"PreemptionByScheduler", "EvictionByEvictionAPI",
                                                "TerminationByKubelet", "PreemptionByScheduler"})},
          {"lastTransitionTime", past()}};
    return made;
  }

  Json next() {
    const bool has_work = std::any_of(control().queues.begin(), control().queues.end(),
                                      [](const auto& queue) { return !queue.second.ready.empty(); });
    if (has_work && draw_.below(5) > 1) return work();
    if (!control().waiting.empty() && draw_.once_in(3)) return answer();
    switch (draw_.below(12)) {
      case 0:
        return work();
      case 1:
        return hold();
      case 2:
        return answer();
      case 3:
      case 4:
        return advance();
      case 5:
        return watch();
      case 6:
        return {{"cmd", "evict"}, {"pod", "p" + std::to_string(1 + draw_.below(6))}, {"pdb", one_budget()}};
      case 7:
        return written("PodDisruptionBudget", budget(1 + draw_.below(2)));
      case 8:
        return written(
            "Workload",
            workload(draw_.one_of<std::string>({"ReplicaSet/r1", "ReplicaSet/r2", "StatefulSet/s",
                                                "Deployment/d", "Widget/w", "ReplicationController/c"})));
      default:
        return written("Pod", pod(1 + draw_.below(6)));
    }
  }

  std::string one_budget() { return "b" + std::to_string(1 + draw_.below(2)); }

  Json work() {
    std::vector<std::string> queues;
    for (const auto& [kind, queue] : control().queues) {
      if (!queue.ready.empty()) queues.emplace_back(reference::k_work_names[static_cast<std::size_t>(kind)]);
    }
    if (queues.empty() || draw_.once_in(10)) queues = {"budgets", "rechecks", "stalePods"};
    return {{"cmd", "work"}, {"queue", queues[draw_.below(queues.size())]}};
  }

  Json hold() {
    return {{"cmd", "hold"},
            {"call", draw_.one_of<std::string>({"updateBudget", "updateBudget", "updatePod"})}};
  }

  Json answer() {
    return {{"cmd", "answer"},
            {"result", draw_.one_of<std::string>({"ok", "ok", "error", "conflict", "notFound", "lost"})}};
  }

  Json advance() {
    const Quantity ns =
        draw_.one_of<Quantity>({5'000'000, 4'999'999, 10'000'000, 1'000'000, 40'000'000, k_part_second_ns,
                                10 * k_part_second_ns, 60 * k_part_second_ns, 120 * k_part_second_ns,
                                119 * k_part_second_ns, 121 * k_part_second_ns, 1'500'000'000});
    return {{"cmd", "advance"}, {"nanoseconds", ns}};
  }

  Json watch() {
    if (control().held_events.empty() || draw_.once_in(3))
      return {{"cmd", "hold"},
              {"watch",
               draw_.one_of<std::string>({"Pod", "PodDisruptionBudget", "PodDisruptionBudget", "Workload"})}};
    const auto kind = static_cast<std::size_t>(control().held_events.begin()->first);
    Json line{{"cmd", "deliver"}, {"watch", reference::k_controlled_kind_names[kind]}};
    if (draw_.once_in(2)) line["count"] = 1 + draw_.below(2);
    return line;
  }

  /// A write that makes sense now.
  Json written(const std::string& kind, const Json& object) {
    const std::string name = object["name"];
    const auto& stored = control().stored;
    const bool exists =
        stored.pods.contains(name) || stored.budgets.contains(name) || stored.workloads.contains(name);
    const std::string verb =
        exists ? draw_.one_of<std::string>({"update", "update", "update", "delete", "remove"}) : "create";
    return {{"cmd", "write"}, {"verb", verb}, {"kind", kind}, {"object", object}};
  }

  Draw draw_;
  std::optional<PartLines> lines_;
};

}  // namespace

std::vector<Json> disruption_timeline(Choices& choices, const Release& release) {
  return DisruptionTimeline(choices, release).drawn();
}

}  // namespace touchstone::fuzz
