#include "reference/queue/group_trial.hpp"

#include <algorithm>

#include "reference/cycle/schedule.hpp"
#include "reference/queue/attempt.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduler_cache.hpp"

namespace touchstone::reference {

namespace {

/// How far a trial is. QUE-ENTITY-5
struct Progress {
  Quantity least = 1;      ///< so many pods have to be placed
  Quantity scheduled = 0;  ///< pods that are assumed or on a node, or placed by the trial
  Quantity remaining = 0;  ///< pods that are still to try

  bool is_out_of_reach() const { return remaining + scheduled < least; }
  std::string text() const {
    return "minCount (" + decimal(least) + ") cannot be satisfied: " + decimal(scheduled) + " scheduled, " +
           decimal(remaining) + " remaining";
  }
};

/// The number of pods of the group of the loop that are assumed or on a node.
Quantity scheduled_pods(const World& world) {
  Quantity count = 0;
  for (const auto& [node, pods] : world.cache.pods) {
    for (const PodObject& each : pods) {
      if (each.pod.ns == world.loop.pod_group.ns && each.pod_group == world.loop.pod_group.name) ++count;
    }
  }
  return count;
}

/// Looks for a node for one pod, without preemption.
void place_member(World& world, GroupMember& member, GroupTrial& trial, Choices& choices) {
  Release release = world.release;
  release.preempts = false;
  const Question question = question_of(world, member.entry.object);
  if (!world.nominations.empty()) world.cite("NOM-COUNT-1");
  Trace trace = Trace::none();
  const Placement placement = schedule(question, release, choices, trace);
  const Decision& decision = placement.decision;
  if (decision.outcome == Outcome::skipped) {
    trial.skipped = decision.reason;
  } else if (placement.host) {
    member.node = question.cluster.nodes[*placement.host].name;
    assume(world, with_node(member));
    end_nomination(world, member.entry.object);
  } else {
    world.cite("QUE-CYCLE-3");
    member.failure = failure_of(question, release, decision);
  }
}

/// The nominations of the pods that were placed are now those that their objects name.
void end_queued_trial(World& world, const Cache& before, const std::vector<GroupMember>& tried) {
  world.cache = before;
  for (auto member = tried.rbegin(); member != tried.rend(); ++member) {
    if (!member->node.empty()) nominate(world, member->entry.object, std::nullopt);
  }
}

/// QUE-ENTITY-5
void run_trial(World& world, const std::vector<GroupMember>& members, GroupTrial& trial, Choices& choices) {
  Progress progress;
  progress.least = world.loop.pod_group.least_pods.value_or(1);
  progress.scheduled = scheduled_pods(world);
  progress.remaining = static_cast<Quantity>(members.size());
  if (progress.is_out_of_reach()) return;  // the attempt is an error: QUE-ENTITY-7
  bool any_is_placed = false;
  for (const GroupMember& each : members) {
    GroupMember& member = trial.tried.emplace_back(each);
    place_member(world, member, trial, choices);
    if (!trial.skipped.empty()) return;
    if (member.failure.value_or(Failure{}).reason == world.release.reason_of_error) {
      trial.verdict = GroupVerdict::error;
      trial.error = "failed to schedule other pod from a pod group: " + member.failure->message;
      return;
    }
    progress.remaining -= 1;
    if (!member.node.empty()) progress.scheduled += 1;
    if (progress.is_out_of_reach()) {
      trial.reason = progress.text();
      return;
    }
    if (!member.node.empty()) any_is_placed = true;
  }
  if (any_is_placed) trial.verdict = GroupVerdict::feasible;
}

}  // namespace

PodObject with_node(const GroupMember& member) {
  PodObject pod = member.entry.object;
  pod.pod.node_name = member.node;
  return pod;
}

std::string decimal(Quantity number) {
  if (number < 0) return "-" + decimal(-number);
  const Quantity tenth = number / 10;
  char digit = '0';
  for (Quantity rest = number - tenth * 10; rest > 0; rest -= 1) ++digit;
  return (tenth > 0 ? decimal(tenth) : "") + digit;
}

GroupTrial try_queued_group(World& world, const std::vector<GroupMember>& members, Choices& choices) {
  world.cite("QUE-ENTITY-5");
  const Cache before = world.cache;
  GroupTrial trial;
  run_trial(world, members, trial, choices);
  end_queued_trial(world, before, trial.tried);
  return trial;
}

}  // namespace touchstone::reference
