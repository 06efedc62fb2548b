#include "reference/queue/drive.hpp"

#include <algorithm>
#include <array>

#include "reference/queue/binding_run.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/early_cycle.hpp"
#include "reference/queue/handlers.hpp"
#include "reference/queue/preemption_run.hpp"
#include "reference/queue/store.hpp"

namespace touchstone::reference {

namespace {

void add_steps(const World& world, const Preemption& preemption, StepId step, std::vector<StepId>& steps) {
  step.kind = StepId::Kind::preemption;
  if (preemption.group_pods.empty() && has_step(world, preemption)) steps.push_back(step);
  step.kind = StepId::Kind::victim;
  for (step.victim = 0; step.victim < preemption.running.size(); ++step.victim) {
    if (has_step(world, preemption.running[step.victim])) steps.push_back(step);
  }
}

void forget_what_is_done(World& world) {
  std::erase_if(world.preemptions,
                [](const Preemption& each) { return each.phase == Preemption::Phase::done; });
  std::erase_if(world.bindings, [](const BindingRun& each) { return each.phase == BindingRun::Phase::done; });
}

/// Takes the scheduler's own steps until none is enabled.
void take_steps(World& world, Choices& choices) {
  for (;;) {
    const std::vector<StepId> steps = enabled_steps(world);
    if (steps.empty()) return;
    take_step(world, steps[choices.pick(steps.size(), "QUE-SETTLE-1")], choices);
  }
}

}  // namespace

std::vector<StepId> enabled_steps(const World& world) {
  std::vector<StepId> steps;
  for (std::size_t i = 0; i < world.bindings.size(); ++i) {
    if (is_judged(world.bindings[i])) steps.push_back({StepId::Kind::binding, i});
  }
  // QUE-ENTITY-8: victims that wait in Permit are rejected before the first call of the loop is answered.
  for (std::size_t i = 0; i < world.preemptions.size(); ++i) {
    const Preemption& each = world.preemptions[i];
    if (!each.group_pods.empty() && has_step(world, each)) steps.push_back({StepId::Kind::preemption, i});
  }
  if (loop_has_step(world)) steps.push_back({});
  if (world.loop.preemption) add_steps(world, *world.loop.preemption, {.is_synchronous = true}, steps);
  for (std::size_t i = 0; i < world.preemptions.size(); ++i)
    add_steps(world, world.preemptions[i], {.index = i}, steps);
  for (std::size_t i = 0; i < world.bindings.size(); ++i) {
    const BindingRun& binding = world.bindings[i];
    if (has_step(world, binding) && !is_judged(binding)) steps.push_back({StepId::Kind::binding, i});
  }
  for (std::size_t i = 0; i < world.put_backs.size(); ++i) steps.push_back({StepId::Kind::put_back, i});
  return steps;
}

void take_step(World& world, const StepId& step, Choices& choices) {
  if (step.kind == StepId::Kind::loop) {
    if (is_early_step(world.loop)) return take_early_step(world, choices);
    return take_loop_step(world);
  }
  if (step.kind == StepId::Kind::put_back) return take_put_back(world, step.index);
  if (step.kind == StepId::Kind::binding) {
    take_step(world, world.bindings[step.index]);
  } else {
    Preemption& preemption = step.is_synchronous ? *world.loop.preemption : world.preemptions[step.index];
    if (step.kind == StepId::Kind::preemption) {
      take_step(world, preemption);
    } else {
      take_step(world, preemption, preemption.running[step.victim]);
    }
  }
  forget_what_is_done(world);
}

/// QUE-START-1
Result<World> world_of(const Release& release, Quantity now_ns, const Objects& objects) {
  World world;
  world.release = release;
  world.now_ns = now_ns;
  const auto create_all = [&world](const auto& list) -> std::optional<Error> {
    for (const auto& object : list) {
      if (const std::optional<Error> error = create(world, object)) return error;
    }
    return std::nullopt;
  };
  if (const auto error = create_all(objects.nodes)) return *error;
  if (const auto error = create_all(objects.pdbs)) return *error;
  if (const auto error = create_all(objects.workloads)) return *error;
  if (const auto error = create_all(objects.pod_groups)) return *error;
  if (const auto error = create_all(objects.pods)) return *error;
  CanonicalChoices choices;
  settle(world, choices);
  world.cite("QUE-START-1");
  return world;
}

/// QUE-SETTLE-1
void settle(World& world, Choices& choices) {
  for (;;) {
    take_steps(world, choices);
    const std::optional<WatchEvent> event = next_event(world, std::nullopt);
    if (!event) return;
    world.cite("QUE-SETTLE-1");
    handle(world, *event, choices);
  }
}

namespace {

/// QUE-CYCLE-2: whether a cycle that was told a node came to something else.
bool is_elsewhere(const CycleResult& result, const std::string& take) {
  static constexpr std::array k_decided = {CycleOutcome::scheduled, CycleOutcome::nominated,
                                           CycleOutcome::none, CycleOutcome::ineligible};
  const bool is_decided = std::find(k_decided.begin(), k_decided.end(), result.outcome) != k_decided.end();
  return is_decided && result.node != take;
}

Result<CycleResult> run_cycle(World& world, const std::string& take, Choices& choices) {
  const Result<CycleResult> begun = begin_cycle(world, take, choices);
  if (!begun) return begun.error();
  settle(world, choices);
  const CycleOutcome outcome = begun.value().outcome;
  if (outcome == CycleOutcome::busy || outcome == CycleOutcome::idle) return begun;
  Loop& loop = world.loop;
  const bool is_known = loop.phase == Loop::Phase::idle || loop.phase == Loop::Phase::patches;
  if (is_known) return loop.result;
  loop.is_open = true;
  return CycleResult{CycleOutcome::open, loop.result.pod, "", {}, "", loop.result.pod_group};
}

}  // namespace

Result<CycleResult> cycle(World& world, const std::string& take, Choices& choices) {
  if (take.empty() || !world.release.preempts_after_status) return run_cycle(world, take, choices);
  const World before = world;
  const Result<CycleResult> result = run_cycle(world, take, choices);
  if (!is_elsewhere(result.value(), take)) return result;
  world = before;
  return not_admissible(take);
}

std::optional<Error> deliver(World& world, WatchedKind kind, std::optional<Quantity> count,
                             Choices& choices) {
  if (!world.held_kinds.contains(kind)) return Error{"not-held", "watch", "events of this kind are not held"};
  if (!count) {
    world.held_kinds.erase(kind);
    settle(world, choices);
    return std::nullopt;
  }
  for (Quantity i = 0; i < *count; ++i) {
    const std::optional<WatchEvent> event = next_event(world, kind);
    if (!event) break;
    handle(world, *event, choices);
    settle(world, choices);
  }
  return std::nullopt;
}

}  // namespace touchstone::reference
