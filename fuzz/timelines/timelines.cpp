#include "fuzz/timelines/timelines.hpp"

#include <algorithm>

#include "fuzz/generate/scenario.hpp"
#include "fuzz/timelines/objects.hpp"
#include "reference/queue/drive.hpp"
#include "reference/queue/play.hpp"
#include "reference/queue/scheduling_queue.hpp"
#include "spec/releases/feature_gates.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_begin_ns = 1'767'225'600'000'000'000;  // 2026-01-01T00:00:00Z
constexpr Quantity k_millisecond_ns = 1'000'000;
constexpr Quantity k_whole_second_ns = 1'000 * k_millisecond_ns;

/// The release with the gates for gangs, if it has some that are modelled; else the release.
Release with_gangs(const Release& release) {
  const std::vector<FeatureGates> all = {{{"GenericWorkload", true}, {"GangScheduling", true}},
                                         {{"GenericWorkload", true}}};
  for (const FeatureGates& gates : all) {
    const Result<Release> changed = with_gates_over_time(release, gates, "");
    if (changed && changed.value().unmodelled_gate.empty()) return changed.value();
  }
  return release;
}

/// Generates the commands of one timeline, and plays each on the reference.
class Timeline {
 public:
  Timeline(Choices& choices, const TimelinePlan& plan) : plan_(plan), draw_{Draw{choices}} {
    for (std::size_t i = 0; i < k_timeline_family_names.size(); ++i) {
      if (draw().once_in(2)) draw_.families.insert(static_cast<TimelineFamily>(i));
    }
  }

  TimelineScript drawn() {
    begin();
    const std::size_t range = plan_.most_commands - plan_.least_commands + 1;
    const std::size_t count = plan_.least_commands + draw().below(range);
    // A kind of command that makes no sense now is passed over; so the tries are limited.
    for (std::size_t tries = 0; tries < 4 * count && script_.commands.size() < count; ++tries) {
      if (std::optional<TimelineCommand> command = next()) take(std::move(*command));
    }
    return std::move(script_);
  }

 private:
  Draw& draw() { return draw_.draw; }
  bool has(TimelineFamily family) const { return draw_.has(family); }
  /// QUE-STATUS-4: pods with affinity, beside pods on nodes that the scheduler does not know.
  bool strangers_are_not_modelled() const {
    return plan_.release.preempts_after_status && has(TimelineFamily::affinity);
  }

  void begin() {
    script_.release = has(TimelineFamily::gangs) ? with_gangs(plan_.release) : plan_.release;
    const bool tries_alone = script_.release.groups_are_scheduled && !queues_groups();
    if (tries_alone && draw().once_in(4)) script_.release.gangs_wait = false;
    // QUE-GROUP-3: when a waiting victim is rejected, in the trial or after it, is chance.
    if (tries_alone) draw_.families.erase(TimelineFamily::permit);
    if (queues_groups()) groups_ = draw_queued_groups(draw_);
    script_.now_ns = k_begin_ns;
    for (std::size_t nodes = plan_.first_nodes + draw().below(2); nodes > 0; --nodes)
      script_.objects.nodes.push_back(draw_timeline_node(draw_));
    for (std::size_t pods = draw().below(plan_.most_first_pods + 1); pods > 0; --pods) {
      PodObject object = drawn_pod(new_name());
      if (draw().below(3) > 0) {
        object.pod.node_name = one_node(script_.objects.nodes);
        object.pod.scheduling_gates.clear();
        if (!object.pod_group.empty() && queues_groups()) fit_into_group(groups_, object);
        object.pod.start_time_ns = k_begin_ns - static_cast<Quantity>(pods) * k_whole_second_ns;
      } else if (draw().once_in(4)) {
        object.pod.nominated_node_name = one_node(script_.objects.nodes);
      }
      script_.objects.pods.push_back(object);
    }
    if (has(TimelineFamily::pdb)) script_.objects.pdbs.push_back(draw_timeline_pdb(draw_));
    for (const char* name : {"g1", "g2"}) {
      if (queues_groups() && draw().below(4) > 0) script_.objects.pod_groups.push_back(drawn_pod_group(name));
    }
    if (has_gangs() && !queues_groups() && draw().once_in(2)) {
      if (script_.release.groups_are_scheduled) {
        script_.objects.pod_groups.push_back(drawn_pod_group());
      } else {
        script_.objects.workloads.push_back(drawn_workload());
      }
    }
    world_ = reference::world_of(script_.release, script_.now_ns, script_.objects).value();
  }

  void take(TimelineCommand command) {
    CanonicalChoices choices;
    const bool may_be_skipped = has_gangs() && std::holds_alternative<CycleCommand>(command);
    const std::optional<reference::World> before = may_be_skipped ? std::optional(world_) : std::nullopt;
    const StepAnswer answer = reference::play(world_, command, choices);
    if (answer.error) return;
    if (may_be_skipped && answer.cycle->outcome == CycleOutcome::skipped) {
      world_ = *before;
      return;
    }
    script_.commands.push_back(std::move(command));
  }

  bool queues_groups() const { return script_.release.groups_are_queued; }
  bool has_gangs() const { return script_.release.gangs_wait || script_.release.groups_are_scheduled; }

  /// A pod, which may be in a gang.
  PodObject drawn_pod(const std::string& name) {
    PodObject object = draw_timeline_pod(draw_, name);
    if (!has_gangs() || !draw().once_in(2)) return object;
    if (queues_groups()) {
      // QUE-ENTITY-2: which plug-in gates a pod is chance, if two do.
      const bool may_be_gated = world_.preemptions.empty() && world_.held_kinds.empty();
      join_queued_group(draw_, groups_, may_be_gated, object);
      return object;
    }
    if (script_.release.groups_are_scheduled) {
      object.pod_group = draw().below(8) == 0 ? "other" : draw().one_of({"g1", "g2"});
      object.annotations.clear();
      if (script_.release.gangs_wait)
        object.pod.scheduling_gates.clear();  // which plug-in gates it is chance
      return object;
    }
    object.workload_ref = WorkloadRef{draw().one_of({"w1", "w2"}), draw().below(8) == 0 ? "other" : "g", ""};
    object.annotations.clear();
    object.pod.scheduling_gates.clear();
    return object;
  }

  WorkloadGroups drawn_workload() {
    PodGroup group{"g", {}};
    if (draw().below(6) > 0) group.least_pods = draw().one_of({2, 3, 1});
    return {"default", draw().one_of({"w1", "w2"}), {group}};
  }

  PodGroupObject drawn_pod_group() { return drawn_pod_group(draw().one_of({"g1", "g2"})); }

  PodGroupObject drawn_pod_group(const std::string& name) {
    PodGroupObject group{"default", name, {}};
    group.priority = groups_.priorities[group.name];
    if (!groups_.has_gated_pods && draw().below(4) > 0) group.least_pods = draw().one_of({2, 3, 1});
    return group;
  }

  std::optional<TimelineCommand> workload_written() {
    const Verb verb = draw().one_of({Verb::create, Verb::create, Verb::update, Verb::remove_with_grace});
    if (script_.release.groups_are_scheduled) return WriteCommand{verb, drawn_pod_group()};
    return WriteCommand{verb, drawn_workload()};
  }

  std::optional<TimelineCommand> next() {
    const reference::SchedulingQueue& queue = world_.queue;
    const bool can_pop = !queue.active.empty() || !queue.backoff.empty() || !queue.groups.empty();
    if (plan_.aims_holds && a_call_waits() && draw().once_in(4)) return answered_call();
    if (plan_.aims_holds && draw().once_in(8)) return held_call();
    if (!waiting_in_permit().empty() && draw().once_in(6)) return permitted();
    if (can_pop ? draw().below(5) > 2 : draw().once_in(20)) return CycleCommand{};
    switch (draw().below(12)) {
      case 0:
      case 1:
        return created();
      case 2:
      case 3:
        return removed();
      case 4:
        return changed();
      case 5:
        return node_written();
      case 6:
        return AdvanceCommand{draw().one_of({1000, 500, 1100, 2500, 4000, 31'000, 301'000}) *
                              k_millisecond_ns};
      case 7:
        return flushed();
      case 8:
        return held_call();
      case 9:
        return answered_call();
      case 10:
        return watch();
      default:
        return pdb_written();
    }
  }

  /// A run of a timer. For the one of pods that waited too long, they have waited.
  std::optional<TimelineCommand> flushed() {
    const Observation seen = reference::observe(world_);
    if (!seen.backoff.empty() && !draw().once_in(3)) return FlushCommand{Timer::backoff};
    if (seen.unschedulable.empty()) return std::nullopt;
    if (!draw().once_in(3)) take(AdvanceCommand{301'000 * k_millisecond_ns});
    return FlushCommand{Timer::leftover};
  }

  std::string new_name() { return "p" + std::to_string(++pods_made_); }

  /// Names of pods that were deleted.
  std::vector<std::string> gone_names() const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= pods_made_; ++i) {
      const std::string name = "p" + std::to_string(i);
      const bool is_there = std::any_of(world_.stored.pods.begin(), world_.stored.pods.end(),
                                        [&name](const PodObject& each) { return each.pod.name == name; });
      if (!is_there) names.push_back(name);
    }
    return names;
  }

  std::string one_node(const std::vector<Node>& nodes) { return nodes[draw().below(nodes.size())].name; }

  /// A pod of the API for which `is` holds.
  template <typename Is>
  const PodObject* one_pod(const Is& is) {
    std::vector<const PodObject*> pods;
    for (const PodObject& each : world_.stored.pods) {
      if (is(each.pod)) pods.push_back(&each);
    }
    return pods.empty() ? nullptr : pods[draw().below(pods.size())];
  }

  std::optional<TimelineCommand> created() {
    if (world_.stored.pods.size() >= plan_.most_pods) return std::nullopt;
    const std::vector<std::string> gone = gone_names();
    const bool again = !gone.empty() && draw().once_in(2);
    PodObject object = drawn_pod(again ? gone[draw().below(gone.size())] : new_name());
    if (draw().once_in(6) && !world_.stored.nodes.empty()) {
      object.pod.node_name = one_node(world_.stored.nodes);
      object.pod.scheduling_gates.clear();
      if (!object.pod_group.empty() && queues_groups()) fit_into_group(groups_, object);
      object.pod.start_time_ns =
          world_.now_ns / k_whole_second_ns * k_second_ns;  // the API keeps no parts of it
    }
    return WriteCommand{Verb::create, object};
  }

  std::optional<TimelineCommand> removed() {
    if (const PodObject* ending = one_pod([](const Pod& pod) { return pod.terminating; }))
      return WriteCommand{Verb::remove, *ending};
    const PodObject* pod = one_pod([](const Pod&) { return true; });
    if (pod == nullptr) return std::nullopt;
    return WriteCommand{draw().once_in(4) ? Verb::remove : Verb::remove_with_grace, *pod};
  }

  std::optional<TimelineCommand> changed() {
    const bool wants_pending = draw().below(3) > 0;
    const PodObject* pod = one_pod([&](const Pod& each) { return !wants_pending || each.node_name.empty(); });
    if (pod == nullptr) return std::nullopt;
    WriteCommand command{Verb::update, *pod};
    PodObject& object = std::get<PodObject>(command.object);
    if (draw().once_in(8)) {
      object.annotations["note"] = draw().one_of({"x", "y"});
      return command;
    }
    Pod& now = object.pod;
    now.node_name.empty() ? change_pending_pod(draw_, now) : change_running_pod(draw_, now);
    return command;
  }

  std::optional<TimelineCommand> node_written() {
    if (!has(TimelineFamily::nodes) && draw().below(3) > 0) return std::nullopt;
    std::vector<Node>& nodes = world_.stored.nodes;
    if (nodes.empty() || (nodes.size() < plan_.most_nodes && draw().once_in(3)))
      return WriteCommand{Verb::create, draw_timeline_node(draw_)};
    Node node = nodes[draw().below(nodes.size())];
    if (draw().once_in(5)) {
      if (strangers_are_not_modelled()) return std::nullopt;
      return WriteCommand{Verb::remove_with_grace, node};
    }
    change_node(draw_, node);
    return WriteCommand{Verb::update, node};
  }

  std::optional<TimelineCommand> pdb_written() {
    if (has_gangs() && draw().once_in(2)) return workload_written();
    if (!has(TimelineFamily::pdb)) return std::nullopt;
    const PodDisruptionBudget pdb = draw_timeline_pdb(draw_);
    return WriteCommand{draw().one_of({Verb::update, Verb::create, Verb::remove_with_grace}), pdb};
  }

  std::optional<TimelineCommand> held_call() {
    if (!has(TimelineFamily::holds)) return std::nullopt;
    if (plan_.aims_holds && draw().below(4) > 0) return aimed_hold();
    const PodObject* pod = one_pod([](const Pod&) { return true; });
    if (pod == nullptr) return std::nullopt;
    const bool is_bound = !pod->pod.node_name.empty();
    const CallKind other = draw().one_of({CallKind::patch, CallKind::bind, CallKind::patch});
    return HoldCallCommand{is_bound && !draw().once_in(4) ? CallKind::remove : other, pod->pod.full_name()};
  }

  /// A hold of a call that the next cycle is likely to make: for the pod that is popped next, or for a pod
  /// that it can preempt.
  std::optional<TimelineCommand> aimed_hold() {
    CanonicalChoices choices;
    const reference::Entry* next = reference::next_to_pop(world_, choices);
    if (next == nullptr) return std::nullopt;
    const Pod& popped = next->object.pod;
    const PodObject* victim = one_pod([&popped](const Pod& each) {
      return !each.node_name.empty() && each.priority < popped.priority && !each.terminating;
    });
    if (victim != nullptr && draw().once_in(2))
      return HoldCallCommand{draw().one_of({CallKind::remove, CallKind::patch}), victim->pod.full_name()};
    return HoldCallCommand{draw().one_of({CallKind::patch, CallKind::bind}), popped.full_name()};
  }

  bool a_call_waits() const {
    return std::any_of(world_.calls.begin(), world_.calls.end(),
                       [](const auto& call) { return call.second.result == CallResult::waits; });
  }

  std::optional<TimelineCommand> answered_call() {
    std::vector<const Call*> waiting;
    for (const auto& [id, call] : world_.calls) {
      if (call.result == CallResult::waits) waiting.push_back(&call);
    }
    if (waiting.empty()) return std::nullopt;
    const Call& call = *waiting[draw().below(waiting.size())];
    const CallResult result =
        draw().one_of({CallResult::ok, CallResult::error, CallResult::not_found, CallResult::conflict});
    return AnswerCommand{call.kind, call.full_name(), result};
  }

  /// The pods that wait in Permit.
  std::vector<std::string> waiting_in_permit() const { return reference::observe(world_).waiting; }

  std::optional<TimelineCommand> permitted() {
    const std::vector<std::string> waiting = waiting_in_permit();
    return PermitCommand{waiting[draw().below(waiting.size())], draw().once_in(2)};
  }

  std::optional<TimelineCommand> watch() {
    if (!has(TimelineFamily::watch)) return std::nullopt;
    if (world_.held_kinds.empty()) {
      WatchedKind kind = draw().one_of({WatchedKind::pod, WatchedKind::node});
      if (queues_groups() && draw().once_in(3)) kind = WatchedKind::pod_group;
      return HoldWatchCommand{strangers_are_not_modelled() ? WatchedKind::pod : kind};
    }
    const WatchedKind kind = *world_.held_kinds.begin();
    if (draw().once_in(2)) return DeliverCommand{kind};
    return DeliverCommand{kind, draw().one_of({1, 2})};
  }

  const TimelinePlan& plan_;
  TimelineDraw draw_;
  std::size_t pods_made_ = 0;
  TimelineScript script_;
  reference::World world_;
  QueuedGroups groups_;
};

}  // namespace

TimelinePlan campaign_timelines(const Release& release) {
  return {.release = release,
          .first_nodes = 2,
          .most_nodes = 6,
          .most_first_pods = 8,
          .most_pods = 12,
          .aims_holds = true};
}

TimelineScript timeline(Choices& choices, const TimelinePlan& plan) {
  return Timeline(choices, plan).drawn();
}

TimelineScript numbered_timeline(const TimelinePlan& plan, std::uint64_t seed, std::uint64_t number) {
  SeededChoices choices(mixed(mixed(seed) + number));
  return timeline(choices, plan);
}

std::optional<TimelineDifference> first_difference(const TimelineScript& script, MakeModel left,
                                                   MakeModel right) {
  const std::unique_ptr<TimelineModel> a = left();
  const std::unique_ptr<TimelineModel> b = right();
  const bool errs = a->begin(script.release, script.now_ns, script.objects).has_value();
  if (b->begin(script.release, script.now_ns, script.objects).has_value() != errs)
    return TimelineDifference{0, "error"};
  if (errs) return std::nullopt;
  if (a->first().state != b->first().state) return TimelineDifference{0, "state"};
  for (std::size_t i = 0; i < script.commands.size(); ++i) {
    CanonicalChoices choices;
    const StepAnswer mine = a->run(script.commands[i], choices);
    const StepAnswer other = b->run(script.commands[i], choices);
    const std::size_t number = i + 1;
    if (mine.error.has_value() != other.error.has_value()) return TimelineDifference{number, "error"};
    if (mine.cycle != other.cycle) return TimelineDifference{number, "cycle"};
    if (mine.calls != other.calls) return TimelineDifference{number, "calls"};
    if (mine.ended != other.ended) return TimelineDifference{number, "ended"};
    if (mine.state != other.state) return TimelineDifference{number, "state"};
  }
  return std::nullopt;
}

}  // namespace touchstone::fuzz
