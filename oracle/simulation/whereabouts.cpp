#include "oracle/simulation/whereabouts.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::oracle {

namespace {

using reference::Entry;
using reference::World;

std::string joined(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// When the timer of the backoff part releases an entry: it runs at each whole second. QUE-FLUSH-1.
Quantity flush_ns(const Entry& entry, const World& world, Quantity tick_ns) {
  const Quantity end_ns = reference::backoff_end_ns(entry, world.release);
  Quantity tick = std::max(tick_ns, end_ns / k_ns_a_second * k_ns_a_second);
  while (reference::is_backing_off(entry, tick, world.release)) tick += k_ns_a_second;
  return tick;
}

void add_queued(const World& world, const std::vector<Entry>& entries, Place place, Quantity start_ns,
                Quantity tick_ns, std::map<std::string, Whereabouts>& pods) {
  for (const Entry& entry : entries) {
    Whereabouts& pod = pods[entry.object.pod.full_name()];
    pod.place = place;
    pod.attempts = entry.attempts;
    pod.rejectors = entry.rejectors;
    pod.gated_by = entry.gated_by;
    if (!entry.gated_by.empty()) pod.rejectors.erase(entry.gated_by);
    if (place == Place::backoff) {
      pod.backoff_ns = reference::backoff_end_ns(entry, world.release) - start_ns;
      pod.timer_ns = flush_ns(entry, world, tick_ns) - start_ns;
    }
    if (place == Place::unschedulable && entry.gated_by.empty())
      pod.timer_ns = leftover_flush_ns(entry, start_ns) - start_ns;
  }
}

}  // namespace

Quantity leftover_flush_ns(const Entry& entry, Quantity start_ns) {
  constexpr Quantity k_longest_wait_ns = 300 * k_ns_a_second;
  constexpr Quantity k_period_ns = 30 * k_ns_a_second;
  const Quantity waited_ns = std::max(entry.since_ns, entry.flushed_ns) + k_longest_wait_ns - start_ns;
  return start_ns + (waited_ns / k_period_ns + 1) * k_period_ns;
}

std::map<std::string, Whereabouts> whereabouts_of(const World& world, Quantity start_ns, Quantity tick_ns) {
  std::map<std::string, Whereabouts> pods;
  for (const PodObject& stored : world.stored.pods) {
    Whereabouts& pod = pods[stored.pod.full_name()];
    pod.terminating = stored.pod.terminating;
    pod.nominated_in_api = stored.pod.nominated_node_name;
    if (!stored.pod.node_name.empty()) {
      pod.place = Place::on_node;
      pod.node = stored.pod.node_name;
    }
    const bool is_unscheduled = std::any_of(
        stored.pod.conditions.begin(), stored.pod.conditions.end(),
        [](const Condition& each) { return each.type == "PodScheduled" && each.status == "False"; });
    if (!is_unscheduled) continue;
    const auto message = stored.messages.find("PodScheduled");
    if (message != stored.messages.end()) pod.message = message->second;
  }
  for (const auto& [node, assumed] : world.cache.pods) {
    for (const PodObject& each : assumed) {
      Whereabouts& pod = pods[each.pod.full_name()];
      if (!world.cache.assumed.contains(each.pod.uid) || pod.place == Place::on_node) continue;
      pod.place = Place::assumed;
      pod.node = node;
    }
  }
  for (const reference::InFlight& each : world.queue.in_flight) {
    if (!each.uid.empty()) pods[each.full_name].place = Place::in_flight;
  }
  add_queued(world, world.queue.active, Place::active, start_ns, tick_ns, pods);
  add_queued(world, world.queue.backoff, Place::backoff, start_ns, tick_ns, pods);
  add_queued(world, world.queue.unschedulable, Place::unschedulable, start_ns, tick_ns, pods);
  for (const auto& [node, nominated] : world.nominations) {
    for (const reference::NominatedPod& each : nominated) pods[each.ns + "/" + each.name].nominated_to = node;
  }
  return pods;
}

bool is_in(const Whereabouts& pod, PodState state) {
  switch (state) {
    case PodState::active:
      return pod.place == Place::active;
    case PodState::backoff:
      return pod.place == Place::backoff;
    case PodState::unschedulable:
      return pod.place == Place::unschedulable && pod.gated_by.empty();
    case PodState::gated:
      return !pod.gated_by.empty();
    case PodState::nominated:
      return !pod.nominated_to.empty();
    case PodState::scheduled:
      return pod.place == Place::on_node;
    case PodState::terminating:
      return pod.terminating && pod.place != Place::gone;
    default:
      return pod.place == Place::gone;
  }
}

std::string seconds_text(Quantity ns) {
  std::string text = std::to_string(ns / k_ns_a_second);
  std::string fraction = std::to_string(ns % k_ns_a_second);
  fraction.insert(0, 9 - fraction.size(), '0');
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + (fraction.empty() ? "" : "." + fraction) + " s";
}

std::string text_of(const Whereabouts& pod) {
  std::vector<std::string> parts;
  const std::string since = " since " + seconds_text(pod.since_ns);
  const std::string after = pod.attempts > 0 ? " after attempt " + std::to_string(pod.attempts) : "";
  switch (pod.place) {
    case Place::active:
      parts.push_back("active" + since + after);
      break;
    case Place::backoff:
      parts.push_back("in backoff until " + seconds_text(*pod.backoff_ns) + after);
      break;
    case Place::unschedulable:
      parts.push_back((pod.gated_by.empty() ? "unschedulable" : "gated by " + pod.gated_by) + since + after);
      break;
    case Place::in_flight:
      parts.push_back("in flight in attempt " + std::to_string(pod.attempts));
      break;
    case Place::assumed:
      parts.push_back("assumed on node " + pod.node + since);
      break;
    case Place::on_node:
      parts.push_back("on node " + pod.node + since + after);
      break;
    case Place::elsewhere:
      parts.push_back("in no part of the queue" + since);
      break;
    case Place::gone:
      parts.push_back("gone" + since);
      break;
  }
  if (!pod.rejectors.empty()) parts.push_back("rejected by " + joined(pod.rejectors));
  if (!pod.woken_by.empty()) parts.push_back("woken by " + pod.woken_by);
  const bool is_left = pod.place == Place::unschedulable && pod.gated_by.empty();
  if (is_left && pod.woken_by.empty()) parts.push_back("woken by nothing since");
  if (!pod.nominated_to.empty()) parts.push_back("nominated to node " + pod.nominated_to);
  if (pod.nominated_in_api != pod.nominated_to && !pod.nominated_in_api.empty())
    parts.push_back("nominatedNodeName " + pod.nominated_in_api);
  if (pod.terminating) parts.emplace_back("terminating");
  if (pod.removed_ns) parts.push_back("removed by its kubelet at " + seconds_text(*pod.removed_ns));
  if (pod.timer_ns) parts.push_back("the timer makes it active at " + seconds_text(*pod.timer_ns));
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

Json json_of(const Whereabouts& pod) {
  static constexpr std::array<std::string_view, 8> k_names = {
      "active", "backoff", "unschedulable", "inFlight", "assumed", "onNode", "elsewhere", "gone"};
  const auto seconds = [](Quantity ns) {
    return static_cast<double>(ns) / static_cast<double>(k_ns_a_second);
  };
  Json json{{"place", k_names[static_cast<std::size_t>(pod.place)]}, {"since", seconds(pod.since_ns)}};
  if (!pod.node.empty()) json["node"] = pod.node;
  if (!pod.nominated_to.empty()) json["nominatedTo"] = pod.nominated_to;
  if (!pod.nominated_in_api.empty()) json["nominatedNodeName"] = pod.nominated_in_api;
  json["attempts"] = pod.attempts;
  if (!pod.rejectors.empty()) json["rejectors"] = pod.rejectors;
  if (!pod.gated_by.empty()) json["gatedBy"] = pod.gated_by;
  if (pod.backoff_ns) json["backoffUntil"] = seconds(*pod.backoff_ns);
  if (pod.timer_ns) json["timerAt"] = seconds(*pod.timer_ns);
  if (!pod.woken_by.empty()) json["wokenBy"] = pod.woken_by;
  if (pod.terminating) json["terminating"] = true;
  if (pod.removed_ns) json["removedAt"] = seconds(*pod.removed_ns);
  if (!pod.message.empty()) json["message"] = pod.message;
  json["text"] = text_of(pod);
  return json;
}

}  // namespace touchstone::oracle
