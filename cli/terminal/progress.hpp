#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string_view>

#include "cli/terminal/terminal.hpp"

namespace touchstone::cli {

/// A bar on one line of a terminal that says how far long work has come, and is gone when the work ends or is
/// interrupted. Work shorter than a blink shows none. One thread may use it.
class ProgressBar {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// On standard error, where that is a terminal; else it stays silent.
  explicit ProgressBar(const Terminal& terminal);
  /// On a stream that takes escapes, by a clock.
  ProgressBar(std::ostream& stream, std::size_t width, std::function<Time()> clock);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Tells that `done` of `total` are done of what is named. Cheap: draws ten times a second at most.
  void update(std::string_view what, std::size_t done, std::size_t total);

  /// Shows a line of text in place of the bar, cut to the width; as seldom.
  void show(std::string_view line);

  /// Takes the bar away, so that other output can follow; the next update may bring it back.
  void erase();

 private:
  bool is_time();
  void draw(std::string_view line);

  std::ostream* stream_ = nullptr;  ///< none: silent
  std::size_t width_ = 0;
  std::function<Time()> clock_;
  Time next_;  ///< before then nothing is drawn
  bool drawn_ = false;
  bool catches_signals_ = false;
};

}  // namespace touchstone::cli
