#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "cli/terminal/terminal.hpp"

namespace touchstone::cli {

/// A bar on one line of a terminal that says how far long work has come, and is gone when the work ends or is
/// interrupted. Work shorter than a blink shows none. A thread of its own draws what was told last, so that
/// work which tells little is not silent.
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

  /// Draws what was told last, if it is time. The thread calls this; by a clock of a test, the test does.
  void tick();

  /// Takes the bar away, so that other output can follow; the next update may bring it back.
  void erase();

 private:
  /// What was told last: how far something has come, or a line of text.
  struct Told {
    std::string text;
    std::size_t done = 0;
    std::size_t total = 0;
    bool is_line = false;
  };

  void tell(std::string_view text, std::size_t done, std::size_t total, bool is_line);
  void draw_if_time();

  std::ostream* stream_ = nullptr;  ///< none: silent
  std::size_t width_ = 0;
  std::function<Time()> clock_;
  std::mutex mutex_;  ///< of all below
  Time next_;         ///< before then nothing is drawn
  Told told_;
  bool is_told_ = false;  ///< since the bar was taken away
  bool drawn_ = false;
  bool catches_signals_ = false;
  std::jthread ticker_;  ///< last, so that it ends first
};

}  // namespace touchstone::cli
