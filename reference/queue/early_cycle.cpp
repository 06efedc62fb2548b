#include "reference/queue/early_cycle.hpp"

#include <algorithm>

#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/queue/calls.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/nominations.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/scheduler_cache.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

/// QUE-STATUS-2: a call that sends the status of a pod as the scheduler knows it.
Call status_call(const PodObject& known) {
  Call call = call_for(CallKind::patch, known.pod);
  call.version = known.version;
  return call;
}

/// The call that sets the nomination of a pod. It is made even if it changes nothing.
Call nomination_call(const PodObject& known, const std::string& node) {
  Call call = status_call(known);
  if (known.pod.nominated_node_name != node) call.nominated_node = node;
  return call;
}

/// The call that sets condition PodScheduled to false. No value: it is so already.
std::optional<Call> condition_call(const PodObject& known, const std::string& reason,
                                   const std::string& message) {
  Call call = status_call(known);
  const auto change = condition_patch(known, "PodScheduled", "False", reason, message);
  if (!change) return std::nullopt;
  call.conditions.push_back(*change);
  return call;
}

void begin_put_back(World& world, const Pod& pod) { world.put_backs.push_back({pod.ns, pod.name}); }

void end(World& world, CycleOutcome outcome) {
  world.loop.result = {outcome, world.loop.result.pod, "", {}, ""};
  end_loop(world);
}

/// QUE-STATUS-3: makes the next call of a preemption.
void make_next_call(World& world) {
  Loop& loop = world.loop;
  if (loop.left.empty()) return end_loop(world);
  const Call next = loop.left.front();
  loop.left.erase(loop.left.begin());
  loop.phase = Loop::Phase::makes_calls;
  loop.call = make_call(world, next);
}

/// QUE-STATUS-1: whether the pod waits for one that terminates, also on a node that is gone.
bool waits_on_nominated_node(const World& world, const Pod& pod) {
  if (!world.cache.pods.contains(pod.nominated_node_name)) return false;
  const std::vector<PodObject>& there = world.cache.pods.at(pod.nominated_node_name);
  return std::any_of(there.begin(), there.end(), [&pod](const PodObject& each) {
    return each.pod.terminating && each.pod.priority < pod.priority;
  });
}

/// QUE-STATUS-1: the preemption for a pod, by the statuses of its attempt.
Decision decide_again(const World& world, const Question& question, Choices& choices) {
  Trace trace = Trace::none();
  const Cycle cycle(question, world.release, trace);
  FirstPass first_pass;
  for (const NodeState& state : cycle.nodes) {
    const auto found = world.loop.statuses.find(state.node->name);
    if (found != world.loop.statuses.end()) first_pass.status[state.index] = found->second;
  }
  return decide(cycle, question, first_pass, choices);
}

/// QUE-CYCLE-2: chooses the candidate on a node, if it is one of those that the release may choose.
void choose(const Question& question, const std::string& node, Decision& decision) {
  for (const std::size_t index : decision.admissible) {
    if (question.cluster.nodes[decision.candidates[index].node].name == node) decision.chosen = index;
  }
}

/// QUE-STATUS-3: the calls of a preemption that found a node.
void plan_calls(World& world, const Question& question, const PodObject& preemptor,
                const Decision& decision) {
  Loop& loop = world.loop;
  const Candidate& chosen = decision.candidates[decision.chosen];
  const std::string& node = question.cluster.nodes[chosen.node].name;
  loop.result.outcome = CycleOutcome::nominated;
  loop.result.node = node;
  loop.left = {nomination_call(preemptor, node)};
  for (const PodIndex victim : chosen.victims) {
    const Pod& pod = question.cluster.pods[victim];
    loop.result.victims.push_back(pod.full_name());
    loop.left.push_back(call_for(CallKind::remove, pod));
  }
  loop.needed = loop.left.size();
  for (const PodObject& other : nominated_pods(world, node)) {
    if (other.pod.priority < preemptor.pod.priority) loop.left.push_back(nomination_call(other, ""));
  }
}

/// QUE-STATUS-1: preempts for the pod as the API has it now.
void begin_preemption(World& world, Choices& choices) {
  Loop& loop = world.loop;
  world.cite("QUE-STATUS-1");
  const Pod& popped = loop.entry.object.pod;
  const PodObject* stored = find_pod(world.stored.pods, popped.ns, popped.name);
  if (stored == nullptr) return end(world, CycleOutcome::error);
  const PodObject preemptor = *stored;
  if (waits_on_nominated_node(world, preemptor.pod)) return end(world, CycleOutcome::ineligible);
  const Question question = question_of(world, preemptor);
  if (question.cluster.nodes.empty()) return end(world, CycleOutcome::error);
  Decision decision = decide_again(world, question, choices);
  loop.result.outcome = CycleOutcome::none;
  if (decision.outcome == Outcome::nominated) {
    choose(question, loop.take, decision);
    plan_calls(world, question, preemptor, decision);
  } else if (decision.nomination == Nomination::cleared && !preemptor.pod.nominated_node_name.empty()) {
    loop.left = {nomination_call(preemptor, "")};
  }
  world.cite("QUE-STATUS-3");
  make_next_call(world);
}

/// QUE-STATUS-4: the attempt failed, but not because the pod fits nowhere: the outcome is known.
void fail_with_error(World& world, const std::string& reason, const std::string& message) {
  Loop& loop = world.loop;
  world.cite("QUE-STATUS-4");
  begin_put_back(world, loop.entry.object.pod);
  loop.result.outcome = CycleOutcome::error;
  loop.phase = Loop::Phase::patches;
  if (const auto call = condition_call(loop.entry.object, reason, message)) {
    loop.call = make_call(world, *call);
  } else {
    end_loop(world);
  }
}

/// QUE-STATUS-1: the pod fits nowhere.
void fail_to_fit(World& world, const Question& question, const Decision& decision, Choices& choices) {
  Loop& loop = world.loop;
  begin_put_back(world, loop.entry.object.pod);
  loop.result.outcome = CycleOutcome::open;  // until preemption is over
  for (const auto& [node, status] : decision.filter)
    loop.statuses[question.cluster.nodes[node].name] = status;
  if (const auto call = condition_call(loop.entry.object, "Unschedulable", decision.message)) {
    loop.phase = Loop::Phase::sets_condition;
    loop.call = make_call(world, *call);
  } else {
    begin_preemption(world, choices);
  }
}

/// QUE-ASSUME-1, QUE-BIND-1
void begin_early_binding(World& world, const std::string& node) {
  Loop& loop = world.loop;
  PodObject& pod = loop.entry.object;
  if (cached_pod(world.cache, pod.pod.uid) != nullptr) {
    world.cite("QUE-ASSUME-1");
    return fail_with_error(world, "SchedulerError",
                           "pod " + pod.pod.uid + " is in the cache, so can't be assumed");
  }
  loop.result.outcome = CycleOutcome::scheduled;
  loop.result.node = node;
  Entry bound = loop.entry;
  bound.object.pod.node_name = node;
  assume(world, bound.object);
  end_nomination(world, pod);
  world.cite("NOM-ASSUME-1");
  world.cite("QUE-BIND-1");
  world.bindings.emplace_back().entry = std::move(bound);
}

/// QUE-STATUS-4: whether affinity is not modelled here: a pod is on a node that the scheduler does not know.
bool affinity_is_unclear(const World& world, const Pod& pod) {
  if (pod.pod_affinity.empty() && pod.pod_anti_affinity.empty()) return false;
  const auto& pods = world.cache.pods;
  return std::any_of(pods.begin(), pods.end(), [&world](const auto& node) {
    return !node.second.empty() && find_node(world.cache.nodes, node.first) == nullptr;
  });
}

/// QUE-CYCLE-2: the placement on the node that `take` names, if the release may choose it.
Placement placed(const Question& question, const Release& release, const std::string& take,
                 Choices& choices) {
  Trace trace = Trace::none();
  if (take.empty()) return schedule(question, release, choices, trace);
  Placement placement = schedule(question, release);
  for (const NodeIndex node : placement.best) {
    if (question.cluster.nodes[node].name == take) placement.host = node;
  }
  return placement;
}

}  // namespace

CycleResult begin_early_cycle(World& world, const std::string& take, Choices& choices) {
  Loop& loop = world.loop;
  loop.take = take;
  if (affinity_is_unclear(world, loop.entry.object.pod)) {
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = "affinity, while a pod is on a node that the scheduler does not know";
    return loop.result;
  }
  const Question question = question_of(world, loop.entry.object);
  const Placement placement = placed(question, world.release, take, choices);
  const Decision& decision = placement.decision;
  if (placement.host) {
    begin_early_binding(world, question.cluster.nodes[*placement.host].name);
  } else if (decision.outcome == Outcome::skipped) {
    loop.result.outcome = CycleOutcome::skipped;
    loop.result.skipped = decision.reason;
  } else if (decision.filter.empty()) {  // no node was filtered
    fail_with_error(world, std::string(world.release.reason_of_error), decision.message);
  } else {
    fail_to_fit(world, question, decision, choices);
  }
  return loop.result;
}

bool is_early_step(const Loop& loop) {
  return loop.phase == Loop::Phase::sets_condition || loop.phase == Loop::Phase::makes_calls;
}

void take_early_step(World& world, Choices& choices) {
  Loop& loop = world.loop;
  const CallResult result = take_result(world, loop.call);
  if (loop.phase == Loop::Phase::sets_condition) return begin_preemption(world, choices);
  if (loop.needed > 0) {
    --loop.needed;
    if (result != CallResult::ok) return end(world, CycleOutcome::error);
  }
  make_next_call(world);
}

void fail_early_binding(World& world, BindingRun& binding) {
  world.cite("QUE-STATUS-4");
  const PodObject& pod = binding.entry.object;
  begin_put_back(world, pod.pod);
  const auto call = condition_call(pod, std::string(world.release.reason_of_failed_binding), "");
  binding.phase = call ? BindingRun::Phase::patches : BindingRun::Phase::done;
  if (call) binding.call = make_call(world, *call);
}

void take_put_back(World& world, std::size_t index) {
  const PutBack put_back = world.put_backs[index];
  world.put_backs.erase(world.put_backs.begin() + static_cast<std::ptrdiff_t>(index));
  const PodObject* read = find_pod(world.stored.pods, put_back.ns, put_back.name);
  if (read != nullptr && read->pod.node_name.empty()) put_back_as_read(world, PodObject(*read));
}

}  // namespace touchstone::reference
