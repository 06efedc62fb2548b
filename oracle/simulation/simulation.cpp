#include "oracle/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>

#include "oracle/simulation/controllers.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::oracle {

namespace {

using reference::World;

constexpr Quantity k_default_until_ns = 600 * k_ns_a_second;
constexpr Quantity k_never_ns = std::numeric_limits<Quantity>::max();
constexpr Quantity k_leftover_period_ns = 30 * k_ns_a_second;

/// An action that may happen now, of any actor.
using Action = std::function<std::optional<Error>()>;

class Simulator {
 public:
  Simulator(const SimulationPlan& plan, Quantity start_ns)
      : plan_(plan), start_ns_(start_ns), due_ns_(plan.events.size()), has_happened_(plan.events.size()) {
    if (plan.seed) {
      choices_ = std::make_unique<SeededChoices>(*plan.seed);
    } else {
      choices_ = std::make_unique<CanonicalChoices>();
    }
    for (std::size_t i = 0; i < plan.events.size(); ++i) {
      if (!plan.events[i].after) due_ns_[i] = start_ns + plan.events[i].wait_ns;
    }
  }

  Result<Simulation> run() {
    done_.script = {plan_.release, start_ns_, plan_.objects, {}};
    Result<World> world = reference::world_of(plan_.release, start_ns_, plan_.objects);
    if (!world) return world.error();
    world_ = std::move(world).value();
    StepAnswer first;
    first.state = reference::observe(world_);
    first.clauses = world_.cited;
    note(Actor::scheduler, "starts, release " + plan_.release.version.text(), std::move(first));
    for (;;) {
      const std::vector<Action> actions = possible_actions();
      if (actions.empty()) {
        if (!advance()) break;
        continue;
      }
      if (done_.steps.size() >= plan_.most_steps) {
        done_.end = SimulationEnd::too_many_steps;
        break;
      }
      if (const auto error = actions[choices_->pick(actions.size(), "actor")]()) return *error;
    }
    for (std::size_t i = 0; i < plan_.events.size(); ++i) {
      if (!has_happened_[i])
        done_.not_happened.push_back(plan_.events[i].place + ": " + plan_.events[i].text());
    }
    done_.pods = now_;
    done_.end_ns = world_.now_ns - start_ns_;
    return std::move(done_);
  }

 private:
  Quantity last_ns() const { return start_ns_ + plan_.until_ns.value_or(k_default_until_ns); }

  /// The actions that are due now, in the canonical order: users, kubelets, controllers, timers, the
  /// scheduler.
  std::vector<Action> possible_actions() {
    std::vector<Action> actions;
    for (std::size_t i = 0; i < plan_.events.size(); ++i) {
      if (has_happened_[i] || !due_ns_[i] || *due_ns_[i] > world_.now_ns) continue;
      actions.emplace_back([this, i] { return happen(i); });
      break;  // a user acts in the order of the file
    }
    for (const auto& [pod, end_ns] : kubelets_.removals_ns()) {
      if (end_ns > world_.now_ns) continue;
      actions.emplace_back([this, name = pod] { return end_pod(name); });
      break;
    }
    if (kubelets_.has_to_start()) actions.emplace_back([this] { return start_pod(); });
    if (controllers_.has_work()) actions.emplace_back([this] { return control(); });
    if (backoff_tick_ns() <= world_.now_ns)
      actions.emplace_back([this] { return flush(Timer::backoff, last_backoff_ns_); });
    if (leftover_tick_ns() <= world_.now_ns)
      actions.emplace_back([this] { return flush(Timer::leftover, last_leftover_ns_); });
    CanonicalChoices any;
    if (reference::next_to_pop(world_, any) != nullptr)
      actions.emplace_back([this] { return play(Actor::scheduler, "schedules", CycleCommand{}); });
    return actions;
  }

  /// The next run of the timer of the backoff part: at this whole second, unless it ran, or at the next.
  Quantity next_tick_ns() const {
    const bool is_tick = world_.now_ns % k_ns_a_second == 0 && last_backoff_ns_ < world_.now_ns;
    return is_tick ? world_.now_ns : (world_.now_ns / k_ns_a_second + 1) * k_ns_a_second;
  }

  /// The next run that may release a pod.
  Quantity backoff_tick_ns() const {
    Quantity tick = k_never_ns;
    for (const auto& [name, pod] : now_) {
      if (pod.place == Place::backoff) tick = std::min(tick, start_ns_ + *pod.timer_ns);
    }
    return tick;
  }

  /// The next run of the timer for pods that waited too long that may release a pod.
  Quantity leftover_tick_ns() const {
    Quantity tick = k_never_ns;
    for (const reference::Entry& entry : world_.queue.unschedulable)
      tick = std::min(tick, leftover_flush_ns(entry, start_ns_));
    return tick == k_never_ns ? tick : std::max(tick, last_leftover_ns_ + k_leftover_period_ns);
  }

  std::optional<Error> flush(Timer timer, Quantity& last_ns) {
    last_ns = world_.now_ns;
    return play(Actor::timer,
                timer == Timer::backoff ? "of the backoff part runs" : "for pods that waited too long runs",
                FlushCommand{timer});
  }

  /// Moves the clock to the next moment at which something is due. Returns whether there is one.
  bool advance() {
    Quantity next_ns = k_never_ns;
    for (std::size_t i = 0; i < plan_.events.size(); ++i) {
      if (!has_happened_[i] && due_ns_[i]) next_ns = std::min(next_ns, *due_ns_[i]);
    }
    for (const auto& [pod, end_ns] : kubelets_.removals_ns()) next_ns = std::min(next_ns, end_ns);
    next_ns = std::min(next_ns, backoff_tick_ns());
    const bool is_at_rest = next_ns == k_never_ns;
    if (plan_.until_ns || !is_at_rest) next_ns = std::min(next_ns, leftover_tick_ns());
    if (is_at_rest && !plan_.until_ns) {
      done_.end = SimulationEnd::at_rest;
      return false;
    }
    const bool is_over = next_ns > last_ns();
    move_clock(std::min(next_ns, last_ns()));
    if (is_over) done_.end = SimulationEnd::at_time;
    return !is_over;
  }

  void move_clock(Quantity to_ns) {
    if (to_ns == world_.now_ns) return;
    const AdvanceCommand command{to_ns - world_.now_ns};
    done_.script.commands.emplace_back(command);
    reference::play(world_, command, *choices_);
  }

  /// A command to the model, as a step of an actor.
  std::optional<Error> play(Actor actor, const std::string& what, const TimelineCommand& command) {
    StepAnswer answer = reference::play(world_, command, *choices_);
    if (answer.error) return answer.error;
    done_.script.commands.push_back(command);
    note(actor, what, std::move(answer));
    return std::nullopt;
  }

  std::optional<Error> happen(std::size_t number) {
    const Event& event = plan_.events[number];
    has_happened_[number] = true;
    std::optional<Error> error;
    if (event.name.kind == "ReplicaSet" || event.name.kind == "Job") {
      error = change_workload(event);
    } else {
      const Result<WriteCommand> command = write_of(event);
      error = command ? play(Actor::user, event.text(), command.value()) : std::optional(command.error());
    }
    if (error) error->path = event.place;
    return error;
  }

  std::optional<Error> change_workload(const Event& event) {
    if (const auto* create = std::get_if<CreateObject>(&event.change)) {
      controllers_.create(std::get<Workload>(create->object));
    } else {
      controllers_.remove(event.name);
    }
    return play(Actor::user, event.text(), StateCommand{});
  }

  /// The event as a write to the API, as the cluster is now.
  Result<WriteCommand> write_of(const Event& event) {
    WriteCommand command;
    const auto set_object = [&command](const auto& object) {
      if constexpr (!std::is_same_v<std::decay_t<decltype(object)>, Workload>) command.object = object;
    };
    if (const auto* create = std::get_if<CreateObject>(&event.change)) {
      std::visit(set_object, create->object);
      return command;
    }
    if (const auto* replace = std::get_if<ReplaceObject>(&event.change)) {
      std::visit(set_object, replace->object);
      command.verb = Verb::update;
      command.with_status = replace->with_status;
      if (auto* pod = std::get_if<PodObject>(&command.object)) keep_what_cannot_change(*pod);
      return command;
    }
    const auto& removal = std::get<DeleteObject>(event.change);
    command.verb = Verb::remove_with_grace;
    if (event.name.kind == "Node") {
      Node node;
      node.name = event.name.name;
      command.object = node;
    }
    if (event.name.kind == "PodDisruptionBudget") {
      PodDisruptionBudget pdb;
      pdb.ns = event.name.ns;
      pdb.name = event.name.name;
      command.object = pdb;
    }
    if (event.name.kind != "Pod") return command;
    PodObject pod;
    pod.pod.ns = event.name.ns;
    pod.pod.name = event.name.name;
    command.object = pod;
    if (removal.grace_seconds) kubelets_.set_grace(pod.pod.full_name(), *removal.grace_seconds);
    if (removal.grace_seconds == 0) command.verb = Verb::remove;
    return command;
  }

  /// The API refuses a change of these fields.
  void keep_what_cannot_change(PodObject& pod) const {
    const PodObject* stored = reference::find_pod(world_.stored.pods, pod.pod.ns, pod.pod.name);
    if (stored == nullptr) return;
    pod.pod.priority = stored->pod.priority;
    pod.pod.preemption_policy = stored->pod.preemption_policy;
    pod.pod.scheduler_name = stored->pod.scheduler_name;
    if (!pod.pod.controller) pod.pod.controller = stored->pod.controller;
  }

  std::optional<Error> start_pod() {
    const std::string uid = kubelets_.next_to_start();
    const auto pod = std::find_if(world_.stored.pods.begin(), world_.stored.pods.end(),
                                  [&uid](const PodObject& each) { return each.pod.uid == uid; });
    const WriteCommand command{Verb::update, started(*pod, world_.now_ns), true};
    return play(Actor::kubelet, "starts " + pod->pod.full_name(), command);
  }

  std::optional<Error> end_pod(const std::string& name) {
    PodObject pod;
    pod.pod.ns = name.substr(0, name.find('/'));
    pod.pod.name = name.substr(name.find('/') + 1);
    return play(Actor::kubelet, "removes " + name, WriteCommand{Verb::remove, pod, true});
  }

  /// A controller creates or deletes a pod. A pod that is gone meanwhile is no error.
  std::optional<Error> control() {
    if (const auto pod = controllers_.next_to_delete()) {
      if (reference::find_pod(world_.stored.pods, pod->pod.ns, pod->pod.name) == nullptr) return std::nullopt;
      return play(Actor::controller, "deletes " + pod->pod.full_name(),
                  WriteCommand{Verb::remove_with_grace, *pod, true});
    }
    const PodObject pod = *controllers_.next_to_create();
    return play(Actor::controller,
                pod.pod.controller->kind + " " + pod.pod.controller->name + " creates " + pod.pod.full_name(),
                WriteCommand{Verb::create, pod, true});
  }

  /// Appends a step with the pods that it changed. Users, kubelets and controllers see its result.
  void note(Actor actor, const std::string& what, StepAnswer answer) {
    SimulatedStep step;
    step.time_ns = world_.now_ns - start_ns_;
    step.actor = actor;
    step.what = what;
    step.answer = std::move(answer);
    kubelets_.see(world_.stored, world_.now_ns);
    controllers_.see(world_.stored.pods);
    step.changed = changes(step);
    for (const auto& [name, pod] : step.changed) now_[name] = pod;
    for (std::size_t i = 0; i < plan_.events.size(); ++i) {
      const std::optional<AfterPod>& after = plan_.events[i].after;
      if (!after || due_ns_[i]) continue;
      const auto pod = now_.find(after->pod);
      if (pod != now_.end() && is_in(pod->second, after->is))
        due_ns_[i] = world_.now_ns + plan_.events[i].wait_ns;
    }
    done_.steps.push_back(std::move(step));
  }

  /// The pods whose place, or the reason for it, a step changed.
  std::map<std::string, Whereabouts> changes(const SimulatedStep& step) const {
    std::map<std::string, Whereabouts> changed;
    std::map<std::string, Whereabouts> pods = whereabouts_of(world_, start_ns_, next_tick_ns());
    for (const auto& [name, pod] : now_) {
      if (pods.contains(name)) continue;
      pods[name].place = Place::gone;
    }
    for (auto& [name, pod] : pods) {
      const auto before = now_.find(name);
      const Whereabouts old = before == now_.end() ? Whereabouts{} : before->second;
      complete(name, old, step, pod);
      const bool is_same_place = before != now_.end() && old.place == pod.place && old.node == pod.node;
      pod.since_ns = is_same_place ? old.since_ns : step.time_ns;
      if (before == now_.end() || pod != old) changed[name] = pod;
    }
    return changed;
  }

  /// Sets the fields that the world does not have: attempts, removal and wake.
  void complete(const std::string& name, const Whereabouts& old, const SimulatedStep& step,
                Whereabouts& pod) const {
    const bool was_tried = step.answer.cycle && step.answer.cycle->pod == name;
    const bool is_queued =
        pod.place == Place::active || pod.place == Place::backoff || pod.place == Place::unschedulable;
    if (!is_queued && pod.place != Place::gone) pod.attempts = old.attempts + (was_tried ? 1 : 0);
    if (const auto end_ns = kubelets_.removal_ns(name)) pod.removed_ns = *end_ns - start_ns_;
    if (is_queued && !was_tried) pod.woken_by = old.woken_by;
    for (const Wake& wake : step.answer.wakes) {
      if (is_queued && wake.pod == name) pod.woken_by = wake.by;
    }
  }

  const SimulationPlan& plan_;
  Quantity start_ns_;
  World world_;
  std::unique_ptr<Choices> choices_;
  Controllers controllers_;
  Kubelets kubelets_;
  std::vector<std::optional<Quantity>> due_ns_;  ///< by event; no value: the pod was not yet in the state
  std::vector<bool> has_happened_;
  Quantity last_backoff_ns_ = 0;
  Quantity last_leftover_ns_ = 0;
  std::map<std::string, Whereabouts> now_;
  Simulation done_;
};

}  // namespace

Quantity start_of(const Cluster& cluster) {
  constexpr Quantity k_2026_ns = 1'767'225'600 * k_ns_a_second;
  Quantity start_ns = k_2026_ns;
  for (const Pod& pod : cluster.pods) {
    if (pod.start_time_ns)
      start_ns = std::max(start_ns, (*pod.start_time_ns / k_ns_a_second + 1) * k_ns_a_second);
  }
  return start_ns;
}

Objects objects_of(const kubernetes::Dump& dump) {
  Objects objects;
  objects.nodes = dump.cluster.nodes;
  objects.pdbs = dump.cluster.pdbs;
  for (const Pod& pod : dump.cluster.pods) {
    PodObject& object = objects.pods.emplace_back();
    object.pod = pod;
    const auto grace = dump.grace_seconds.find(pod.full_name());
    if (grace != dump.grace_seconds.end()) object.grace_seconds = grace->second;
  }
  return objects;
}

Result<Simulation> simulate(const SimulationPlan& plan, Quantity start_ns) {
  return Simulator(plan, start_ns).run();
}

std::string_view name_of(Actor actor) {
  static constexpr std::array<std::string_view, 5> k_names = {"user", "kubelet", "controller", "timer",
                                                              "scheduler"};
  return k_names[static_cast<std::size_t>(actor)];
}

std::string_view name_of(SimulationEnd end) {
  static constexpr std::array<std::string_view, 3> k_names = {"at rest", "at its time", "too many steps"};
  return k_names[static_cast<std::size_t>(end)];
}

}  // namespace touchstone::oracle
