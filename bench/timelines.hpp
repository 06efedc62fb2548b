#pragma once

#include <vector>

#include "spec/vocabulary/timeline.hpp"

/// The speed of the model of a scheduler over time.
namespace touchstone::bench {

struct TimelineSpeed {
  std::size_t timelines = 0;
  std::size_t commands = 0;
  std::size_t cycles = 0;  ///< commands that ran a cycle of a pod
  std::size_t steps = 0;   ///< commands, and the steps that the scheduler took by itself after them
  Quantity cpu_ns = 0;     ///< median of all runs, in processor time

  /// Commands, and steps, per second of processor time.
  Quantity commands_per_second() const;
  Quantity steps_per_second() const;
};

/// Plays timelines on the reference, three times. Each command includes all that follows by itself, and the
/// state after it.
TimelineSpeed measure_timelines(const std::vector<TimelineScript>& scripts);

}  // namespace touchstone::bench
