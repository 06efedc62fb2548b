#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "spec/vocabulary/quantity.hpp"

/// Times of runs, and what they come to.
namespace touchstone::oracle {

/// In nanoseconds: the median of so many runs, and their spread.
struct Times {
  std::size_t runs = 0;
  Quantity least = 0;
  Quantity lower_quartile = 0;
  Quantity median = 0;
  Quantity upper_quartile = 0;
  Quantity most = 0;
};

/// Of times in any order; without any, all 0.
Times times_of(std::vector<Quantity> times_ns);

/// How often something is run: at least so often, then until the time is over or it ran often enough.
struct Runs {
  std::size_t least = 3;
  std::size_t most = 101;
  std::chrono::nanoseconds time{};
};

/// Times of `run` by a monotonic clock, and the median of the cpu time of the whole process; one run before
/// them, which is not counted, where `warms_up`.
struct Measured {
  Times wall;
  Quantity cpu_ns = 0;
};
Measured measured(const Runs& runs, bool warms_up, const std::function<void()>& run);

/// Adds up the time between begin() and end(), and what the process computed in it.
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

/// Lets the peak of the process's memory begin anew, at what it holds now. Returns whether the system can.
bool reset_peak_bytes();
/// The peak since then; none where the system does not tell.
std::optional<std::size_t> peak_bytes();

}  // namespace touchstone::oracle
