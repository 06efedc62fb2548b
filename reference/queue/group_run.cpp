#include "reference/queue/group_run.hpp"

#include <algorithm>
#include <tuple>

#include "reference/cycle/schedule.hpp"
#include "reference/queue/attempt.hpp"
#include "reference/queue/binding_run.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/failure.hpp"
#include "reference/queue/gang.hpp"
#include "reference/queue/group_affinity.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/permit.hpp"
#include "reference/queue/preemption_run.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

using Members = std::vector<GroupMember>;

/// QUE-GROUP-2: pops a queued pod of the group, as if it had been activated. No value: it is not queued, or
/// gated.
std::optional<Entry> pop_member(World& world, const PodObject& pod, const PodObject& by) {
  const std::string& ns = pod.pod.ns;
  const std::string& name = pod.pod.name;
  if (find_entry(world.queue, ns, name) == nullptr) return std::nullopt;
  activate(world, pod, by);
  const std::vector<Entry>& active = world.queue.active;
  const auto found = std::find_if(active.begin(), active.end(),
                                  [&](const Entry& entry) { return has_name(entry.object.pod, ns, name); });
  if (found == active.end()) return std::nullopt;
  return pop(world, Entry(*found));
}

/// QUE-GROUP-2: the pods that this cycle tries, in their order: the popped one, and all others that can be
/// popped.
Members pop_group(World& world, const Entry& popped) {
  world.cite("QUE-GROUP-2");
  std::vector<PodObject> pods;
  for (const PodObject* each : gang_members(world, popped.object)) pods.push_back(*each);
  Members members;
  for (const PodObject& pod : pods) {
    if (has_name(pod.pod, popped.object.pod.ns, popped.object.pod.name)) {
      members.push_back({popped});
    } else if (const auto entry = pop_member(world, pod, popped.object)) {
      members.push_back({*entry});
    }
  }
  const auto key = [](const GroupMember& member) {
    return std::tuple(-member.entry.object.pod.priority, member.entry.first_active_ns);
  };
  std::stable_sort(members.begin(), members.end(),
                   [&key](const GroupMember& a, const GroupMember& b) { return key(a) < key(b); });
  return members;
}

/// QUE-POP-3
void drop_some(World& world, Members& members) {
  std::erase_if(members, [&world](const GroupMember& member) {
    const Pod& pod = member.entry.object.pod;
    if (!is_dropped(world, pod)) return false;
    world.cite("QUE-POP-3");
    end_flight(world, pod.uid);
    return true;
  });
}

PodObject placed(const GroupMember& member) {
  PodObject pod = member.entry.object;
  pod.pod.node_name = member.node;
  return pod;
}

Failure error_of(const World& world, const std::string& message) {
  return {{}, std::string(world.release.reason_of_error), message, ""};
}

/// QUE-GROUP-3: begins the preemption of one pod, before the verdict on its group.
void begin_preemption(World& world, const GroupMember& member, const Question& question,
                      const Decision& decision) {
  auto preemption =
      preemption_of(member.entry.object, member.node, victims_of(world, question, decision), world.release);
  if (preemption) world.preemptions.push_back(std::move(*preemption));
}

/// QUE-GROUP-3: looks for a node for one pod. Returns the reason if the reference cannot answer.
std::string find_node_for(World& world, const Cache& before, GroupMember& member, Choices& choices) {
  Question question = question_of(world, member.entry.object);
  if (overlook_affinity(before, question)) world.cite("QUE-GROUP-6");
  if (!world.nominations.empty()) world.cite("NOM-COUNT-1");
  Trace trace = Trace::none();
  const Placement placement = schedule(question, world.release, choices, trace);
  const Decision& decision = placement.decision;
  if (decision.outcome == Outcome::skipped) return decision.reason;
  if (placement.host) {
    member.node = question.cluster.nodes[*placement.host].name;
    return "";
  }
  world.cite("QUE-CYCLE-3");
  member.failure = failure_of(question, world.release, decision);
  if (decision.outcome != Outcome::nominated) return "";
  member.node = *member.failure->nominated_node;
  member.preempts = true;
  begin_preemption(world, member, question, decision);
  return "";
}

/// QUE-GROUP-3: the pods that follow see the pod on its node. Returns what GangScheduling says.
GangPermit place_on_trial(World& world, GroupMember& member) {
  assume_on_trial(world, placed(member));
  end_nomination(world, member.entry.object);
  const GangPermit said = gang_permit(world, placed(member));
  if (said == GangPermit::waits) member.wait = "waiting for minCount pods from a gang to be scheduled";
  if (said == GangPermit::errs) member.failure = error_of(world, gang_error(world, member.entry.object));
  return said;
}

struct Trial {
  GroupVerdict verdict = GroupVerdict::infeasible;
  std::string skipped;
  std::string error;
};

/// QUE-GROUP-3: preemptions of this trial, those from `first` on, may begin before it goes on.
void begin_preemptions(World& world, std::size_t first, Choices& choices) {
  for (std::size_t i = first; i < world.preemptions.size(); ++i) {
    Preemption& each = world.preemptions[i];
    if (each.phase == Preemption::Phase::begins && choices.pick(2, "QUE-GROUP-3") == 0)
      begin_early(world, each);
  }
}

/// QUE-GROUP-3: tries the pods one after the other.
Trial try_members(World& world, Members& members, Choices& choices) {
  const Cache before = world.cache;
  const std::size_t first_preemption = world.preemptions.size();
  Trial trial;
  bool any_preempts = false;
  for (GroupMember& member : members) {
    trial.skipped = find_node_for(world, before, member, choices);
    if (!trial.skipped.empty()) return trial;
    const bool has_error = member.failure && member.failure->reason == world.release.reason_of_error;
    if (has_error || (!member.node.empty() && place_on_trial(world, member) == GangPermit::errs)) {
      trial.verdict = GroupVerdict::error;
      trial.error = member.failure->message;
      return trial;
    }
    begin_preemptions(world, first_preemption, choices);
    if (member.node.empty()) continue;
    any_preempts = any_preempts || member.preempts;
    if (member.wait.empty()) trial.verdict = any_preempts ? GroupVerdict::waits : GroupVerdict::feasible;
  }
  return trial;
}

/// QUE-GROUP-3: the trial leaves no trace in the cache. The nominations of the pods that were placed are now
/// those that their objects name.
void revert(World& world, const Cache& before, const Members& members) {
  std::vector<PodObject> all_placed;
  for (const GroupMember& member : members) {
    if (!member.node.empty()) all_placed.push_back(placed(member));
  }
  end_trial(world, before, all_placed);
  for (auto pod = all_placed.rbegin(); pod != all_placed.rend(); ++pod) nominate(world, *pod, std::nullopt);
}

/// QUE-GROUP-4: what happens to a pod by the verdict on its group.
void apply_verdict(const World& world, const Trial& trial, GroupMember& member) {
  const bool fits = !member.node.empty();
  switch (trial.verdict) {
    case GroupVerdict::error:
      if (member.failure.value_or(Failure{}).reason != world.release.reason_of_error)
        member.failure = error_of(world, "failed to schedule other pod from a pod group: " + trial.error);
      return;
    case GroupVerdict::waits:
      if (!member.failure)
        member.failure = {
            {}, "Unschedulable", "pod group is waiting for preemption to complete", member.node};
      return;
    case GroupVerdict::infeasible:
      if (fits) member.failure = {{}, "Unschedulable", "pod group is unschedulable, " + member.wait, ""};
      return;
    default:
      return;
  }
}

CycleOutcome outcome_of(GroupVerdict verdict) {
  switch (verdict) {
    case GroupVerdict::feasible:
      return CycleOutcome::scheduled;
    case GroupVerdict::waits:
      return CycleOutcome::nominated;
    case GroupVerdict::error:
      return CycleOutcome::error;
    default:
      return CycleOutcome::none;
  }
}

/// QUE-GROUP-4: binds a pod, unless its group is gone meanwhile.
std::optional<Failure> bind(World& world, const GroupMember& member) {
  const PodObject pod = placed(member);
  if (gang_permit(world, pod) != GangPermit::errs) {
    begin_binding(world, member.entry, member.node);
    return std::nullopt;
  }
  world.cite("QUE-GANG-4");
  assume(world, pod);
  remove_from_cache(world, pod.pod.uid);  // QUE-CACHE-2
  return error_of(world, gang_error(world, pod));
}

/// QUE-GROUP-4: handles the pods in their order, up to the next one that needs a call.
void submit_group(World& world) {
  Loop& loop = world.loop;
  while (!loop.group.empty()) {
    const GroupMember member = loop.group.front();
    loop.group.erase(loop.group.begin());
    const std::optional<Failure> failure = member.failure ? member.failure : bind(world, member);
    if (!failure) continue;
    const Handled handled = handle_failure(world, member.entry, *failure);
    loop.entry = member.entry;
    loop.keeps_flight = handled.is_in_flight;
    world.cite(handled.patch ? "QUE-FAIL-1" : "QUE-CALL-3");
    if (handled.patch) {
      loop.call = make_call(world, *handled.patch);
      return;
    }
    if (handled.is_in_flight) end_flight(world, member.entry.object.pod.uid);
  }
  loop.keeps_flight = false;
  end_loop(world);
}

bool has_own_wait(const GroupMember& member) { return permit_wait_ns(member.entry.object) > 0; }

}  // namespace

CycleResult begin_group_cycle(World& world, Choices& choices) {
  Loop& loop = world.loop;
  Members members = pop_group(world, loop.entry);
  drop_some(world, members);
  if (members.empty()) {
    loop.result.outcome = CycleOutcome::dropped;
    return loop.result;
  }
  world.cite("QUE-GROUP-3");
  const Cache before = world.cache;
  Trial trial;
  if (std::any_of(members.begin(), members.end(), has_own_wait)) {
    trial.skipped = "a pod of a group that another plug-in has wait in Permit";
  } else {
    trial = try_members(world, members, choices);
  }
  revert(world, before, members);
  if (!trial.skipped.empty()) {
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = trial.skipped;
    return loop.result;
  }
  world.cite("QUE-GROUP-4");
  for (GroupMember& member : members) apply_verdict(world, trial, member);
  loop.result.outcome = outcome_of(trial.verdict);
  loop.group = std::move(members);
  loop.phase = Loop::Phase::submits;
  submit_group(world);
  return loop.result;
}

void go_on_with_group(World& world) {
  Loop& loop = world.loop;
  if (loop.keeps_flight) end_flight(world, loop.entry.object.pod.uid);
  submit_group(world);
}

}  // namespace touchstone::reference
