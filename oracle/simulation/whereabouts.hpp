#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "oracle/protocol/answers.hpp"
#include "oracle/simulation/events.hpp"
#include "reference/queue/world.hpp"

/// Where a pod is in a scheduler over time, and why.
namespace touchstone::oracle {

enum class Place { active, backoff, unschedulable, in_flight, assumed, on_node, elsewhere, gone };

/// Times are in nanoseconds since the start of the simulation.
struct Whereabouts {
  Place place = Place::elsewhere;
  Quantity since_ns = 0;               ///< when it came to this place
  std::string node;                    ///< assumed, on_node
  std::string nominated_to;            ///< in the memory of the scheduler
  std::string nominated_in_api;        ///< status.nominatedNodeName
  Quantity attempts = 0;               ///< those that have begun
  std::set<std::string> rejectors;     ///< of the last attempt
  std::string gated_by;                ///< the plug-in that gates it
  std::optional<Quantity> backoff_ns;  ///< when the backoff ends
  std::optional<Quantity> timer_ns;    ///< when a timer of the queue makes it active, if nothing else does
  std::string woken_by;                ///< since its last attempt
  bool terminating = false;
  std::optional<Quantity> removed_ns;  ///< when its kubelet removes it
  std::string message;                 ///< of condition PodScheduled, while it is false

  bool operator==(const Whereabouts&) const = default;
};

/// The pods in a world: those in the API, and those that the scheduler still has. `tick_ns`: the next run of
/// the timer of the backoff part. The caller sets what a world does not know: `since_ns`, `woken_by`,
/// `removed_ns`, and `attempts` of pods that are not queued.
std::map<std::string, Whereabouts> whereabouts_of(const reference::World& world, Quantity start_ns,
                                                  Quantity tick_ns);

/// The time at which the timer for pods that waited too long releases an entry. The timer runs every 30 s.
/// QUE-FLUSH-2.
Quantity leftover_flush_ns(const reference::Entry& entry, Quantity start_ns);

/// Whether a pod is in a state that an event waits for.
bool is_in(const Whereabouts& pod, PodState state);

/// One sentence without the name of the pod: "in backoff until 12.4 s after attempt 3, rejected by
/// NodeResourcesFit, woken by the deletion of default/v".
std::string text_of(const Whereabouts& pod);

Json json_of(const Whereabouts& pod);

/// "12.4 s"
std::string seconds_text(Quantity ns);

}  // namespace touchstone::oracle
