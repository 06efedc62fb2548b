#include "reference/queue/permit.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

namespace {

constexpr const char* k_touchstone_permit = "TouchstonePermit";
constexpr const char* k_permit_seconds = "touchstone.dev/permit-seconds";
constexpr unsigned k_longest_wait_seconds = 900;
constexpr Quantity k_permit_second_ns = 1'000'000'000;

/// The waiting pod with this UID. Null: it does not wait.
BindingRun* find_waiting(World& world, const std::string& uid) {
  for (BindingRun& each : world.bindings) {
    if (waits_in_permit(each) && each.entry.object.pod.uid == uid) return &each;
  }
  return nullptr;
}

/// What the pod's annotation asks for. 0: nothing that the plug-in takes.
unsigned permit_seconds(const PodObject& pod) {
  const auto found = pod.annotations.find(k_permit_seconds);
  if (found == pod.annotations.end()) return 0;
  const std::string& text = found->second;
  unsigned seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  return seconds <= k_longest_wait_seconds ? seconds : 0;
}

/// The seconds as a Go program writes a duration: "5s", "1m0s".
std::string length_of_wait(unsigned seconds) {
  const unsigned minutes = seconds / 60;
  const std::string rest = std::to_string(seconds - 60 * minutes) + "s";
  return minutes == 0 ? rest : std::to_string(minutes) + "m" + rest;
}

}  // namespace

/// QUE-PERMIT-5
bool judge(World& world, BindingRun& binding, const PermitVerdict& verdict) {
  if (binding.verdict) {
    world.cite("QUE-PERMIT-5");
    return false;
  }
  binding.verdict = verdict;
  return true;
}

/// QUE-PERMIT-1
Quantity permit_wait_ns(const PodObject& pod) { return permit_seconds(pod) * k_permit_second_ns; }

bool waits_in_permit(const BindingRun& binding) {
  return binding.phase == BindingRun::Phase::nominates || binding.phase == BindingRun::Phase::waits;
}

/// QUE-PERMIT-2, QUE-PERMIT-3
std::optional<Error> answer_permit(World& world, const std::string& pod, bool is_allowed) {
  for (BindingRun& each : world.bindings) {
    if (!waits_in_permit(each) || each.waits_for_gang || each.entry.object.pod.full_name() != pod) continue;
    judge(world, each, {is_allowed, false, k_touchstone_permit, "rejected"});
    return std::nullopt;
  }
  return Error{"not-waiting", "pod", pod + " does not wait in Permit"};
}

/// QUE-PERMIT-3
bool reject_late_pod(World& world) {
  BindingRun* first = nullptr;
  const auto key = [](const BindingRun& each) {
    return std::tuple(each.wait_end_ns, each.entry.object.pod.full_name());
  };
  for (BindingRun& each : world.bindings) {
    const bool is_late =
        waits_in_permit(each) && !each.waits_for_gang && !each.verdict && each.wait_end_ns <= world.now_ns;
    if (is_late && (first == nullptr || key(each) < key(*first))) first = &each;
  }
  if (first == nullptr) return false;
  const std::string length = length_of_wait(permit_seconds(first->entry.object));
  const std::string why = "rejected due to timeout after waiting " + length + " at plugin TouchstonePermit";
  return judge(world, *first, {false, false, k_touchstone_permit, why});
}

/// QUE-PERMIT-4
bool preempt_waiting(World& world, const std::string& uid) {
  BindingRun* waiting = find_waiting(world, uid);
  if (waiting == nullptr) return false;
  world.cite("QUE-PERMIT-4");
  const bool is_error = world.release.preempted_wait_is_error;
  const bool is_first = judge(world, *waiting, {false, is_error, k_default_preemption, "preempted"});
  return is_first || !world.release.late_verdict_is_refused;
}

/// QUE-PERMIT-6
bool reject_deleted(World& world, const std::string& uid) {
  BindingRun* waiting = find_waiting(world, uid);
  if (waiting == nullptr) return false;
  world.cite("QUE-PERMIT-6");
  const bool is_first = judge(world, *waiting, {false, false, "", "removed"});
  return is_first || !world.release.late_verdict_is_refused;
}

}  // namespace touchstone::reference
