#include "oracle/explain/aftermath.hpp"

#include <algorithm>
#include <optional>

#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

using reference::Cycle;
using reference::NodeState;
using reference::PodOnNode;

bool has(const std::vector<PodIndex>& pods, PodIndex pod) {
  return std::find(pods.begin(), pods.end(), pod) != pods.end();
}

/// The state of the node in a cluster without the victims, except `staying`.
NodeState without_victims(const NodeState& before, const Candidate& candidate,
                          std::optional<PodIndex> staying, const Release& release) {
  NodeState after;
  after.index = before.index;
  after.node = before.node;
  for (const PodOnNode& pod : before.pods) {
    if (pod.pod == staying || !has(candidate.victims, pod.pod)) after.add(pod, release);
  }
  return after;
}

}  // namespace

Aftermath aftermath_of(const Question& question, const Release& release, const Candidate& candidate) {
  Trace full = Trace::full();  // so that findings name the nominated pods that are in the way
  Cycle cycle(question, release, full);
  const NodeState before = cycle.nodes[candidate.node];
  const std::vector<reference::PodWithTerms> with_terms_before = cycle.with_anti_affinity;
  const auto asked_afresh = [&](std::optional<PodIndex> staying) {
    cycle.nodes[candidate.node] = without_victims(before, candidate, staying, release);
    cycle.with_anti_affinity = with_terms_before;
    std::erase_if(cycle.with_anti_affinity, [&](const reference::PodWithTerms& other) {
      return other.pod.pod != staying && has(candidate.victims, other.pod.pod);
    });
    return reference::run_filters_with_nominated_pods(cycle, cycle.nodes[candidate.node]);
  };

  Aftermath aftermath;
  aftermath.still = asked_afresh(std::nullopt);
  for (const PodIndex victim : candidate.victims) {
    if (!question.cluster.pods[victim].terminating && asked_afresh(victim).ok())
      aftermath.needless.push_back({victim, {}});
  }
  if (aftermath.needless.empty()) return aftermath;

  Trace dry_run = Trace::full();
  reference::select_victims(Cycle(question, release, dry_run), candidate.node, {});
  for (const Step& step : dry_run.steps()) {
    if (step.stage != Stage::reprieve) continue;
    for (Needless& needless : aftermath.needless) {
      if (step.pod == needless.pod) needless.findings = step.findings;
    }
  }
  return aftermath;
}

}  // namespace touchstone::oracle
