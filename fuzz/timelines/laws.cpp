#include "fuzz/timelines/laws.hpp"

#include <algorithm>

namespace touchstone::fuzz {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::binary_search(names.begin(), names.end(), name);
}

/// The pods that wait to be tried, each as often as it is somewhere. QUE-ENTITY-1, QUE-ENTITY-4: incomplete
/// and pending pods of a group are in no part of the queue.
std::vector<std::string> queued_pods(const Observation& seen) {
  std::vector<std::string> pods;
  const auto add = [&pods](const std::vector<std::string>& place) {
    pods.insert(pods.end(), place.begin(), place.end());
  };
  for (const auto* part : {&seen.active, &seen.backoff, &seen.unschedulable}) add(*part);
  for (const auto* part : {&seen.incomplete, &seen.pending})
    if (*part) add(**part);
  return pods;
}

bool all_delivered(const Observation& seen) {
  return std::all_of(seen.held_events.begin(), seen.held_events.end(),
                     [](const auto& held) { return held.second == 0; });
}

std::string broken_place(const Observation& now) {
  const std::vector<std::string> queued = queued_pods(now);
  for (const std::string& pod : queued) {
    if (std::count(queued.begin(), queued.end(), pod) > 1) return pod + " is in two parts of the queue";
    const auto found = now.pods.find(pod);
    if (all_delivered(now) && (found == now.pods.end() || !found->second.pending))
      return pod + " is queued, but is no pending pod of the API";
  }
  if (!all_delivered(now)) return "";
  for (const auto& [name, pod] : now.pods) {
    const bool is_somewhere = std::count(queued.begin(), queued.end(), name) > 0 ||
                              has(now.in_flight, name) || now.assumed.contains(name);
    if (pod.pending && !pod.terminating && !is_somewhere) return name + " is lost";
  }
  return "";
}

/// NOM-OBJECT-1: a nomination that only objects say may be left behind.
std::string broken_nomination(const Release& release, const Observation& now) {
  if (release.nominations_follow_objects) return "";
  std::set<std::string> nominated;
  for (const auto& [node, pods] : now.nominated) {
    for (const std::string& pod : pods) {
      if (!nominated.insert(pod).second) return pod + " is nominated twice";
    }
  }
  return "";
}

std::string broken_gate(const Observation& now) {
  for (const auto& [pod, plugin] : now.gated) {
    // The PodGroup of a gated pod may be deleted: the pod stays gated, and is in no part.
    const bool is_incomplete = now.incomplete && has(*now.incomplete, pod);
    if (!has(now.unschedulable, pod) && !is_incomplete)
      return pod + " is gated, but not in the unschedulable part";
    if (!now.rejectors.at(pod).contains(plugin)) return pod + " is not rejected by the plug-in that gates it";
  }
  return "";
}

std::string broken_time(const Release& release, const Observation& before, const Observation& now) {
  constexpr Quantity k_second_ns = 1'000'000'000;
  if (now.now_ns < before.now_ns) return "time runs back";
  for (const auto& [pod, end_ns] : now.backoff_ends_ns) {
    if (end_ns - now.now_ns > release.longest_backoff_ns + k_second_ns)
      return pod + " backs off for too long";
  }
  return "";
}

/// Whether a pod can have been made again under its name by a command.
bool may_make_again(const TimelineCommand& command) {
  const auto* write = std::get_if<WriteCommand>(&command);
  return std::holds_alternative<DeliverCommand>(command) || (write != nullptr && write->verb == Verb::create);
}

std::string broken_attempts(const Observation& before, const TimelineCommand& command,
                            const Observation& now) {
  if (may_make_again(command)) return "";
  for (const auto& [pod, attempts] : before.attempts) {
    const auto found = now.attempts.find(pod);
    if (found != now.attempts.end() && found->second < attempts)
      return pod + " has fewer attempts than before";
  }
  return "";
}

}  // namespace

std::string broken_law(const Release& release, const Observation& before, const TimelineCommand& command,
                       const Observation& now) {
  for (std::string broken :
       {broken_time(release, before, now), broken_place(now), broken_nomination(release, now),
        broken_gate(now), broken_attempts(before, command, now)}) {
    if (!broken.empty()) return broken;
  }
  return "";
}

std::string broken_law(const TimelineScript& script, MakeModel make, Choices& choices) {
  const std::unique_ptr<TimelineModel> model = make();
  if (model->begin(script.release, script.now_ns, script.objects)) return "";
  Observation before = model->first().state;
  for (std::size_t i = 0; i < script.commands.size(); ++i) {
    const StepAnswer answer = model->run(script.commands[i], choices);
    const std::string broken = broken_law(script.release, before, script.commands[i], answer.state);
    if (!broken.empty()) return "command " + std::to_string(i + 1) + ": " + broken;
    before = answer.state;
  }
  return "";
}

}  // namespace touchstone::fuzz
