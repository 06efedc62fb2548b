#include "oracle/queue.hpp"

#include <algorithm>

#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

/// The phase set for an evicted pod. A bound pod in this phase counts nowhere and keeps its place in the
/// list.
constexpr const char* k_gone = "Succeeded";

bool is_pending(const Pod& pod) {
  return pod.node_name.empty() && pod.phase != "Succeeded" && pod.phase != "Failed";
}

bool is_asked_about(const Pod& pod, const PendingPods& asked) {
  return is_pending(pod) && pod.priority >= asked.priority_least && (asked.ns.empty() || pod.ns == asked.ns);
}

std::optional<LeftOut> left_out(const Pod& pod) {
  if (!pod.scheduling_gates.empty()) return LeftOut::gated;
  if (pod.terminating) return LeftOut::terminating;
  const bool is_own = pod.scheduler_name.empty() || pod.scheduler_name == "default-scheduler";
  return is_own ? std::nullopt : std::optional(LeftOut::of_other_scheduler);
}

/// A cluster, and its snapshot if the optimized engine runs.
class Queue {
 public:
  Queue(Cluster cluster, const Release& release, Engine engine) : release_(release), engine_(engine) {
    if (engine != Engine::reference) snapshot_.emplace(cluster, release);
    question_.cluster = std::move(cluster);
  }

  QueueStep decide(PodIndex pod) {
    question_.pod = question_.cluster.pods[pod];
    QueueStep step;
    std::optional<optimized::Answer> answer;
    if (snapshot_) answer = optimized_answer(*snapshot_, question_, workers_);
    if (engine_ == Engine::optimized) {
      step = step_of(*answer);
    } else {
      const Decision decision = reference::preempt(question_, release_);
      step = step_of(decision);
      if (answer) step.differences = differences_of(*answer, decision, question_.cluster);
    }
    step.pod = pod;
    return step;
  }

  void follow(const QueueStep& step) {
    for (const PodIndex victim : step.victims) {
      question_.cluster.pods[victim].phase = k_gone;
      if (snapshot_) snapshot_->remove_pod(victim);
    }
    if (!step.node) return;
    Pod& bound = question_.cluster.pods[step.pod];
    bound.node_name = question_.cluster.nodes[*step.node].name;
    bound.nominated_node_name.clear();
    if (snapshot_) snapshot_->change_pod(step.pod, bound);
  }

 private:
  static QueueStep step_of(const optimized::Answer& answer) {
    QueueStep step{0, answer.outcome, answer.reason, std::nullopt, answer.victims, answer.pdb_violations, {}};
    if (answer.outcome == Outcome::nominated) step.node = answer.node;
    if (answer.outcome == Outcome::fits) step.node = answer.feasible.front();
    return step;
  }

  static QueueStep step_of(const Decision& decision) {
    QueueStep step{0, decision.outcome, decision.reason, std::nullopt, {}, 0, {}};
    if (decision.outcome == Outcome::fits) step.node = decision.feasible.front();
    if (decision.outcome != Outcome::nominated) return step;
    const Candidate& chosen = decision.candidates[decision.chosen];
    step.node = chosen.node;
    step.victims = chosen.victims;
    step.pdb_violations = chosen.pdb_violations;
    return step;
  }

  const Release& release_;
  Engine engine_;
  Question question_;
  std::optional<optimized::Snapshot> snapshot_;
  optimized::Workers workers_;
};

}  // namespace

std::vector<PodIndex> queue_of(const Cluster& cluster, const PendingPods& asked) {
  std::vector<PodIndex> queue;
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    if (is_asked_about(pod, asked) && !left_out(pod)) queue.push_back(i);
  }
  std::stable_sort(queue.begin(), queue.end(), [&cluster](PodIndex a, PodIndex b) {
    return cluster.pods[a].priority > cluster.pods[b].priority;
  });
  return queue;
}

std::map<LeftOut, std::vector<PodIndex>> left_out_of_queue(const Cluster& cluster, const PendingPods& asked) {
  std::map<LeftOut, std::vector<PodIndex>> pods;
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    const std::optional<LeftOut> why = left_out(pod);
    if (is_asked_about(pod, asked) && why) pods[*why].push_back(i);
  }
  return pods;
}

void decide_queue(Cluster cluster, const Release& release, Engine engine, const std::vector<PodIndex>& pods,
                  const std::function<bool(const QueueStep&)>& step) {
  Queue queue(std::move(cluster), release, engine);
  for (const PodIndex pod : pods) {
    const QueueStep decided = queue.decide(pod);
    if (!step(decided)) return;
    queue.follow(decided);
  }
}

}  // namespace touchstone::oracle
