#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/simulation/events.hpp"
#include "oracle/simulation/whereabouts.hpp"

/// Plays a cluster forward: the model of the scheduler over time (reference/queue), the timers of its queue,
/// kubelets that start and remove pods, controllers that replace them, and the events of a user.
namespace touchstone::oracle {

struct SimulationPlan {
  Release release;
  Objects objects;
  std::vector<Event> events;
  /// End at this time, counted from the start. No value: end when all has come to rest, but after 10 minutes
  /// at the latest.
  std::optional<Quantity> until_ns = {};
  /// Seed for the order of concurrent steps and for choices among equals. No value: the canonical order.
  std::optional<std::uint64_t> seed = {};
  std::size_t most_steps = 100'000;
};

/// The component, or the user, that takes a step.
enum class Actor { user, kubelet, controller, timer, scheduler };

struct SimulatedStep {
  Quantity time_ns = 0;  ///< since the start
  Actor actor = Actor::scheduler;
  std::string what;  ///< "create Pod default/p"
  StepAnswer answer;
  std::map<std::string, Whereabouts> changed;  ///< the pods that the step changed
};

enum class SimulationEnd { at_rest, at_time, too_many_steps };

struct Simulation {
  TimelineScript script;  ///< the simulation as commands of spec/protocol.md
  std::vector<SimulatedStep> steps;
  SimulationEnd end = SimulationEnd::at_rest;
  Quantity end_ns = 0;                      ///< since the start
  std::map<std::string, Whereabouts> pods;  ///< at the end
  std::vector<std::string> not_happened;    ///< events whose time or state did not come: place and text
};

/// The time at which a simulation of a dump starts: the latest start time of its pods, but not before 2026.
Quantity start_of(const Cluster& cluster);

/// The objects of a dump, in its order.
Objects objects_of(const kubernetes::Dump& dump);

/// Requires: the release is modelled over time. Errors: those of the store of the model (exists, not-found),
/// with the place of the event.
Result<Simulation> simulate(const SimulationPlan& plan, Quantity start_ns);

std::string_view name_of(Actor actor);
std::string_view name_of(SimulationEnd end);

}  // namespace touchstone::oracle
