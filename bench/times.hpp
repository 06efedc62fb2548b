#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

/// Measurements of runs, and their statistics.
namespace touchstone::bench {

/// The number of runs, and statistics of their times in nanoseconds.
struct Times {
  std::size_t runs = 0;
  Quantity least = 0;
  Quantity lower_quartile = 0;
  Quantity median = 0;
  Quantity upper_quartile = 0;
  Quantity most = 0;
};

/// Computes the statistics of times, which may be in any order. Without times, all members are 0.
Times times_of(std::vector<Quantity> times_ns);

/// How often something is run: at least `least` times, then until `time` is over or `most` runs are made.
struct Runs {
  std::size_t least = 3;
  std::size_t most = 101;
  std::chrono::nanoseconds time{};
};

/// The result of measured(): wall times by a monotonic clock, and the median CPU time of the whole process.
struct Measured {
  Times wall;
  Quantity cpu_ns = 0;
};
/// Measures `run`. If `warms_up`, makes one run before, which is not counted.
Measured measured(const Runs& runs, bool warms_up, const std::function<void()>& run);

/// Adds up the wall time between begin() and end(), and the CPU time of the process between them.
class StopWatch {
 public:
  void begin();
  void end();
  Quantity total_ns() const { return total_.count(); }
  Quantity cpu_ns() const { return cpu_; }

 private:
  std::chrono::steady_clock::time_point begun_;
  std::chrono::nanoseconds total_{};
  Quantity cpu_begun_ = 0;
  Quantity cpu_ = 0;
};

/// Resets the peak memory of the process to the memory that it holds now. Returns whether the system can do
/// this.
bool reset_peak_bytes();
/// The peak memory of the process since the last reset, in bytes. None if the system does not report it.
std::optional<std::size_t> peak_bytes();

}  // namespace touchstone::bench
