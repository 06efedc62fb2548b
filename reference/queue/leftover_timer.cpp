#include <algorithm>

#include "reference/queue/group_queue.hpp"
#include "reference/queue/scheduling_queue.hpp"

/// The timer for pods that waited too long.
namespace touchstone::reference {

/// QUE-FLUSH-2
void flush_leftover(World& world) {
  const Quantity longest_ns = world.release.leftover_after_ns;
  if (longest_ns == 0) return world.cite("QUE-SIMPLE-3");
  std::set<std::string> left_over;
  for (Entry& entry : world.queue.unschedulable) {
    const Quantity since_ns = std::max(entry.since_ns, entry.flushed_ns);
    if (world.now_ns - since_ns <= longest_ns) continue;
    if (world.release.leftover_time_restarts) entry.flushed_ns = world.now_ns;
    left_over.insert(entry.object.pod.full_name());
  }
  for (const std::string& each : leftover_groups(world)) left_over.insert(each);
  if (left_over.empty()) return;
  world.cite("QUE-FLUSH-2");
  ClusterEvent event;
  event.type = EventType::leftover_flush;
  move_all(world, event,
           [&left_over](const Entry& entry) { return left_over.contains(entry.object.pod.full_name()); });
}

}  // namespace touchstone::reference
