#include "reference/queue/group_cycle.hpp"

#include <algorithm>

#include "reference/queue/binding_run.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/failure.hpp"
#include "reference/queue/group_preemption.hpp"
#include "reference/queue/group_queue.hpp"
#include "reference/queue/group_trial.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

std::string named(const std::string& name, const char* otherwise) { return name.empty() ? otherwise : name; }

std::string scheduler_of(const Pod& pod) { return named(pod.scheduler_name, "default-scheduler"); }
std::string policy_of(const Pod& pod) { return named(pod.preemption_policy, "PreemptLowerPriority"); }

/// QUE-ENTITY-3: the pods of the group of the loop that have to be alike: those that were popped, and those
/// that are assumed or on a node.
std::vector<Pod> pods_of_group(const World& world) {
  std::vector<Pod> pods;
  for (const Entry& each : world.loop.popped_group->members) pods.push_back(each.object.pod);
  for (const auto& [node, there] : world.cache.pods) {
    for (const PodObject& each : there) {
      if (each.pod.ns == world.loop.pod_group.ns && each.pod_group == world.loop.pod_group.name)
        pods.push_back(each.pod);
    }
  }
  return pods;
}

/// QUE-ENTITY-3: what is wrong with the pods of the group. Empty: nothing.
std::string why_not_alike(const World& world) {
  const std::vector<Pod> pods = pods_of_group(world);
  const std::string scheduler = scheduler_of(pods.front());
  const std::string policy = policy_of(pods.front());
  const Quantity priority = world.loop.pod_group.priority;
  for (const Pod& pod : pods) {
    if (scheduler_of(pod) != scheduler)
      return "all pods in a single pod group should have the same .spec.schedulerName set, got: \"" +
             scheduler_of(pod) + "\" and \"" + scheduler + "\"";
    if (pod.priority != priority)
      return "all pods in a single pod group should have the same priority as the pod group's priority, "
             "got " +
             decimal(pod.priority) + " and " + decimal(priority);
    if (policy_of(pod) != policy)
      return "all pods in a single pod group should have the same preemption policy, got " + policy_of(pod) +
             " and " + policy;
  }
  return "";
}

Failure group_error(const World& world, const std::string& message) {
  return {{}, std::string(world.release.reason_of_error), message, ""};
}

/// QUE-POP-3: the pods that are tried.
std::vector<GroupMember> members_to_try(World& world) {
  std::vector<Entry>& popped = world.loop.popped_group->members;
  std::vector<GroupMember> members;
  for (const Entry& each : popped) {
    if (!is_dropped(world, each.object.pod)) {
      members.push_back({each});
      continue;
    }
    world.cite("QUE-POP-3");
    end_flight(world, each.object.pod.uid);
  }
  std::erase_if(popped, [&world](const Entry& each) { return is_dropped(world, each.object.pod); });
  return members;
}

void end_group_cycle(World& world) {
  Loop& loop = world.loop;
  put_back_group(world, *loop.popped_group, loop.verdict);
  loop.keeps_flight = false;
  end_loop(world);
}

/// QUE-ENTITY-5: handles the pods in their order, up to the next one that needs a call.
void submit_queued_group(World& world) {
  Loop& loop = world.loop;
  while (!loop.group.empty()) {
    const GroupMember member = loop.group.front();
    loop.group.erase(loop.group.begin());
    if (!member.failure) {
      begin_binding(world, member.entry, member.node);
      continue;
    }
    const Handled handled = handle_failure(world, member.entry, *member.failure);
    loop.entry = member.entry;
    loop.keeps_flight = handled.is_in_flight;
    world.cite(handled.patch ? "QUE-FAIL-1" : "QUE-CALL-3");
    if (handled.patch) {
      loop.call = make_call(world, *handled.patch);
      return;
    }
    if (handled.is_in_flight) end_flight(world, member.entry.object.pod.uid);
  }
  end_group_cycle(world);
}

CycleResult submit(World& world, std::vector<GroupMember> members, CycleOutcome outcome) {
  Loop& loop = world.loop;
  loop.result.outcome = outcome;
  loop.group = std::move(members);
  loop.phase = Loop::Phase::submits;
  submit_queued_group(world);
  return loop.result;
}

CycleResult skip(World& world, const std::string& why) {
  world.loop.result.outcome = CycleOutcome::skipped;
  world.loop.result.skipped = why;
  return world.loop.result;
}

/// The pods that a trial tried, and then the others, without a result.
std::vector<GroupMember> completed(const GroupTrial& trial, const std::vector<GroupMember>& members) {
  std::vector<GroupMember> all = trial.tried;
  all.insert(all.end(), members.begin() + static_cast<std::ptrdiff_t>(all.size()), members.end());
  return all;
}

/// QUE-ENTITY-5: the error of one pod is that of the group.
CycleResult submit_errors(World& world, const std::string& error, std::vector<GroupMember> all) {
  for (GroupMember& member : all) {
    const bool is_own = member.failure.value_or(Failure{}).reason == world.release.reason_of_error;
    member.failure = group_error(world, is_own ? member.failure->message : error);
  }
  return submit(world, std::move(all), CycleOutcome::error);
}

/// QUE-ENTITY-5, QUE-ENTITY-7
CycleResult submit_rejections(World& world, const GroupTrial& trial, const std::vector<GroupMember>& members,
                              Choices& choices) {
  const bool any_was_tried = !trial.tried.empty() && !world.cache.nodes.empty();
  const GroupPreemption preemption = preempt_for_group(world, members, any_was_tried, choices);
  if (!preemption.skipped.empty()) return skip(world, preemption.skipped);
  if (preemption.is_error) return submit_errors(world, preemption.message, members);
  const std::string all_reasons = trial.reason + ", " + preemption.message;
  std::vector<GroupMember> all = completed(trial, members);
  for (std::size_t i = 0; i < all.size(); ++i) {
    GroupMember& member = all[i];
    if (!member.node.empty()) {
      const std::string message =
          (preemption.is_success ? "" : std::string(k_group_is_unschedulable) + ", ") + all_reasons;
      member.failure = {{}, "Unschedulable", message, std::nullopt};
      if (!preemption.is_success) member.failure->nominated_node = "";
    } else if (i >= trial.tried.size()) {
      member.failure = {{}, "Unschedulable", trial.reason, std::nullopt};
    }
    const auto found = preemption.nominated.find(member.entry.object.pod.uid);
    if (found != preemption.nominated.end()) member.failure->nominated_node = found->second;
  }
  return submit(world, all, preemption.is_success ? CycleOutcome::nominated : CycleOutcome::none);
}

bool waits_for_two(const World& world, const GroupMember& member) {
  return !member.node.empty() && world.loop.pod_group.least_pods.value_or(1) > 1 &&
         permit_wait_ns(member.entry.object) > 0;
}

}  // namespace

CycleResult begin_queued_group_cycle(World& world, const GroupEntry& popped, Choices& choices) {
  Loop& loop = world.loop;
  loop = Loop{};
  loop.popped_group = popped;
  loop.pod_group = *find_pod_group(world.seen.pod_groups, popped.ns, popped.name);
  loop.result.pod_group = popped.full_name();
  const std::string error = why_not_alike(world);
  if (!error.empty()) {
    loop.verdict = GroupVerdict::error;
    std::vector<GroupMember> all;
    for (const Entry& each : popped.members) all.push_back({each});
    return submit_errors(world, error, all);
  }
  const std::vector<GroupMember> members = members_to_try(world);
  if (members.empty()) {
    loop.verdict = GroupVerdict::feasible;
    loop.result.outcome = CycleOutcome::dropped;
    end_group_cycle(world);
    return loop.result;
  }
  const GroupTrial trial = try_queued_group(world, members, choices);
  if (!trial.skipped.empty()) return skip(world, trial.skipped);
  loop.verdict = trial.verdict;
  if (trial.verdict == GroupVerdict::error)
    return submit_errors(world, trial.error, completed(trial, members));
  if (trial.verdict == GroupVerdict::infeasible) return submit_rejections(world, trial, members, choices);
  const auto waits = [&world](const GroupMember& member) { return waits_for_two(world, member); };
  if (std::any_of(trial.tried.begin(), trial.tried.end(), waits))
    return skip(world, "two plug-ins that have one pod wait in Permit");
  return submit(world, trial.tried, CycleOutcome::scheduled);
}

void go_on_with_queued_group(World& world) {
  Loop& loop = world.loop;
  if (loop.keeps_flight) end_flight(world, loop.entry.object.pod.uid);
  submit_queued_group(world);
}

}  // namespace touchstone::reference
