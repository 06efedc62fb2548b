#include <algorithm>

#include "reference/queue/scheduling_queue.hpp"

/// The list of pods in flight and of events.
namespace touchstone::reference {

bool is_in_flight(const SchedulingQueue& queue, const std::string& uid) {
  return std::any_of(queue.in_flight.begin(), queue.in_flight.end(),
                     [&uid](const InFlight& each) { return each.uid == uid; });
}

void note_in_flight(SchedulingQueue& queue, const ClusterEvent& event) {
  queue.in_flight.push_back({"", "", event});
}

std::vector<ClusterEvent> events_in_flight(const SchedulingQueue& queue, const std::string& uid) {
  std::vector<ClusterEvent> events;
  bool is_after = false;
  for (const InFlight& each : queue.in_flight) {
    if (each.uid == uid) is_after = true;
    if (is_after && each.uid.empty()) events.push_back(each.event);
  }
  return events;
}

/// QUE-FLIGHT-1
void end_flight(World& world, const std::string& uid) {
  std::vector<InFlight>& in_flight = world.queue.in_flight;
  std::erase_if(in_flight, [&uid](const InFlight& each) { return each.uid == uid; });
  const auto first_pod = std::find_if(in_flight.begin(), in_flight.end(),
                                      [](const InFlight& each) { return !each.uid.empty(); });
  in_flight.erase(in_flight.begin(), first_pod);
}

}  // namespace touchstone::reference
