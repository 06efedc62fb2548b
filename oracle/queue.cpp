#include "oracle/queue.hpp"

#include <algorithm>

#include "optimized/search/schedule.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/cycle/schedule.hpp"

namespace touchstone::oracle {

namespace {

/// The phase set for an evicted pod. A bound pod in this phase counts nowhere and keeps its place in the
/// list.
constexpr const char* k_gone = "Succeeded";

const std::string k_default_scheduler = "default-scheduler";

bool is_pending(const Pod& pod) {
  return pod.node_name.empty() && pod.phase != "Succeeded" && pod.phase != "Failed";
}

bool is_asked_about(const Pod& pod, const PendingPods& asked) {
  return is_pending(pod) && pod.priority >= asked.priority_least && (asked.ns.empty() || pod.ns == asked.ns);
}

std::optional<LeftOut> left_out(const Pod& pod, const Profiles& profiles) {
  if (!pod.scheduling_gates.empty()) return LeftOut::gated;
  if (pod.terminating) return LeftOut::terminating;
  return profiles.contains(scheduler_of(pod)) ? std::nullopt : std::optional(LeftOut::of_other_scheduler);
}

QueueStep step_of(optimized::Placed placed) {
  QueueStep step;
  step.outcome = placed.answer.outcome;
  step.reason = std::move(placed.answer.reason);
  step.victims = std::move(placed.answer.victims);
  step.pdb_violations = placed.answer.pdb_violations;
  step.node = step.outcome == Outcome::nominated ? std::optional(placed.answer.node) : placed.host;
  step.total = placed.highest;
  step.best = std::move(placed.best);
  return step;
}

QueueStep step_of(const Placement& placement) {
  const Decision& decision = placement.decision;
  QueueStep step;
  step.outcome = decision.outcome;
  step.reason = decision.reason;
  step.node = placement.host;
  step.best = placement.best;
  if (!placement.totals.empty())
    step.total = *std::max_element(placement.totals.begin(), placement.totals.end());
  if (decision.outcome != Outcome::nominated) return step;
  const Candidate& chosen = decision.candidates[decision.chosen];
  step.node = chosen.node;
  step.victims = chosen.victims;
  step.pdb_violations = chosen.pdb_violations;
  return step;
}

/// What the optimized engine keeps for a profile.
struct Kept {
  Kept(const Cluster& cluster, const Release& release) : snapshot(cluster, release) {}

  optimized::Snapshot snapshot;
  optimized::Memo memo;
};

/// A cluster and the start index of the scheduler, and a snapshot for each profile if the optimized engine
/// runs.
class Queue {
 public:
  Queue(Cluster cluster, const Profiles& profiles, Engine engine, const AskExtender& ask)
      : profiles_(profiles), engine_(engine), ask_(ask) {
    if (engine != Engine::reference) {
      for (const auto& [name, release] : profiles) kept_.try_emplace(name, cluster, release);
    }
    question_.cluster = std::move(cluster);
  }

  QueueStep schedule(PodIndex pod) {
    question_.pod = question_.cluster.pods[pod];
    question_.extenders = profiles_.at(profile()).extenders;
    QueueStep step = !question_.extenders.empty()   ? placed_with_extenders()
                     : engine_ == Engine::optimized ? placed_by_optimized()
                                                    : placed_by_reference();
    step.pod = pod;
    return step;
  }

  void follow(const QueueStep& step) {
    for (const PodIndex victim : step.victims) {
      question_.cluster.pods[victim].phase = k_gone;
      for (auto& [name, kept] : kept_) kept.snapshot.remove_pod(victim);
    }
    if (!step.node) return;
    Pod& bound = question_.cluster.pods[step.pod];
    bound.node_name = question_.cluster.nodes[*step.node].name;
    bound.nominated_node_name.clear();
    for (auto& [name, kept] : kept_) kept.snapshot.change_pod(step.pod, bound);
  }

 private:
  const std::string& profile() const { return scheduler_of(question_.pod); }

  optimized::Placed placed_with_memo(bool wants_scores) {
    optimized::Options options;
    options.start = start_;
    options.wants_scores = wants_scores;
    CanonicalChoices choices;
    Kept& kept = kept_.at(profile());
    return optimized::schedule(kept.snapshot, question_.pod, options, workers_, choices, kept.memo);
  }

  /// The reference takes over where a configuration is beyond the optimized engine.
  QueueStep placed_by_optimized() {
    optimized::Placed placed = placed_with_memo(false);
    if (is_left_to_reference(placed.answer)) return placed_by_reference();
    start_ = placed.next_start.value_or(start_);
    return step_of(std::move(placed));
  }

  QueueStep placed_with_extenders() {
    question_.start = start_;
    const Release& release = profiles_.at(profile());
    std::vector<std::string> notes = ask_until_known(question_, ask_, [&release](const Question& asked) {
      return reference::schedule(asked, release).decision.unanswered;
    });
    QueueStep step = placed_by_reference();
    step.notes = std::move(notes);
    if (!step.node || *step.node < question_.cluster.nodes.size()) return step;
    // EXT-UNKNOWN-2
    QueueStep unknown;
    unknown.outcome = Outcome::skipped;
    unknown.reason = "extenders: the pod would be bound to a node that is not in the cluster";
    return unknown;
  }

  QueueStep placed_by_reference() {
    question_.start = start_;
    const Placement placement = reference::schedule(question_, profiles_.at(profile()));
    QueueStep step = step_of(placement);
    if (engine_ == Engine::both && question_.extenders.empty())
      step.differences = differences_of(placed_with_memo(true), placement, question_.cluster);
    start_ = placement.next_start.value_or(start_);
    return step;
  }

  const Profiles& profiles_;
  Engine engine_;
  const AskExtender& ask_;
  Question question_;
  Quantity start_ = 0;
  std::map<std::string, Kept> kept_;
  optimized::Workers workers_;
};

}  // namespace

Profiles default_profile(const Release& release) { return {{k_default_scheduler, release}}; }

const std::string& scheduler_of(const Pod& pod) {
  return pod.scheduler_name.empty() ? k_default_scheduler : pod.scheduler_name;
}

std::vector<PodIndex> queue_of(const Cluster& cluster, const PendingPods& asked, const Profiles& profiles) {
  std::vector<PodIndex> queue;
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    if (is_asked_about(pod, asked) && !left_out(pod, profiles)) queue.push_back(i);
  }
  std::stable_sort(queue.begin(), queue.end(), [&cluster](PodIndex a, PodIndex b) {
    return cluster.pods[a].priority > cluster.pods[b].priority;
  });
  return queue;
}

std::map<LeftOut, std::vector<PodIndex>> left_out_of_queue(const Cluster& cluster, const PendingPods& asked,
                                                           const Profiles& profiles) {
  std::map<LeftOut, std::vector<PodIndex>> pods;
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& pod = cluster.pods[i];
    const std::optional<LeftOut> why = left_out(pod, profiles);
    if (is_asked_about(pod, asked) && why) pods[*why].push_back(i);
  }
  return pods;
}

void schedule_queue(Cluster cluster, const Profiles& profiles, Engine engine,
                    const std::vector<PodIndex>& pods, const AskExtender& ask,
                    const std::function<bool(const QueueStep&)>& step) {
  Queue queue(std::move(cluster), profiles, engine, ask);
  for (const PodIndex pod : pods) {
    const QueueStep scheduled = queue.schedule(pod);
    if (!step(scheduled)) return;
    queue.follow(scheduled);
  }
}

}  // namespace touchstone::oracle
