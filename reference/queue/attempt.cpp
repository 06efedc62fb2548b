#include "reference/queue/attempt.hpp"

#include "reference/filters/filters.hpp"
#include "reference/preemption/cycle.hpp"
#include "reference/queue/scheduler_cache.hpp"

namespace touchstone::reference {

namespace {

/// QUE-CYCLE-3: the plug-ins that rejected the pod: those that rejected some node, and, depending on the
/// release, those that limit the nodes before any is filtered.
std::set<std::string> rejectors_of(const Question& question, const Release& release,
                                   const Decision& decision) {
  std::set<std::string> rejectors;
  for (const auto& [node, status] : decision.filter) {
    if (!status.plugin.empty()) rejectors.insert(std::string(status.plugin));
  }
  if (!release.limits_are_rejections) return rejectors;
  Trace trace = Trace::none();
  const Cycle cycle(question, release, trace);
  if (!pinned_nodes(cycle).all_nodes) rejectors.insert("NodeAffinity");
  return rejectors;
}

/// NOM-FAIL-1: what the failure handler does about the nomination.
std::optional<std::string> nominated_by(const Question& question, const Decision& decision) {
  if (decision.nomination == Nomination::cleared) return "";
  if (decision.nomination != Nomination::set) return std::nullopt;
  return question.cluster.nodes[decision.candidates[decision.chosen].node].name;
}

}  // namespace

CycleOutcome outcome_of(const Question& question, const Decision& decision) {
  switch (decision.outcome) {
    case Outcome::nominated:
      return CycleOutcome::nominated;
    case Outcome::ineligible:
      return CycleOutcome::ineligible;
    case Outcome::error:  // QUE-CYCLE-3: no node is no error
      return question.cluster.nodes.empty() ? CycleOutcome::none : CycleOutcome::error;
    default:
      return CycleOutcome::none;
  }
}

Failure failure_of(const Question& question, const Release& release, const Decision& decision) {
  Failure failure;
  failure.reason = "Unschedulable";
  failure.message = decision.message;
  failure.nominated_node = nominated_by(question, decision);
  if (question.cluster.nodes.empty()) return failure;
  if (decision.outcome == Outcome::error) {
    failure.reason = release.reason_of_error;
    return failure;
  }
  failure.rejectors = rejectors_of(question, release, decision);
  return failure;
}

std::vector<PodObject> victims_of(const World& world, const Question& question, const Decision& decision) {
  std::vector<PodObject> victims;
  for (const PodIndex victim : decision.candidates[decision.chosen].victims)
    victims.push_back(*cached_pod(world.cache, question.cluster.pods[victim].uid));
  return victims;
}

}  // namespace touchstone::reference
