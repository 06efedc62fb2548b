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

/// A bar on one line of a terminal that shows how much of long work is done, how long it has taken, and how
/// long the rest will take at that pace. The bar is erased when the work ends or is interrupted. Work of less
/// than 300 ms shows none. A thread draws again what was told last, so that the line of work which tells
/// little is not still.
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

  /// Shows that `done` of `total` are done of what is named. Work with another total begins anew. Cheap:
  /// draws ten times a second at most.
  void update(std::string_view what, std::size_t done, std::size_t total);

  /// Shows a line of text in place of the bar, cut to the width; as seldom.
  void show(std::string_view line);

  /// Draws what was told last, if it is time. The thread calls this; by a clock of a test, the test does.
  void tick();

  /// Takes the bar away, so that other output can follow; the next update may bring it back.
  void erase();

 private:
  /// What was told last: how much is done, or a line of text.
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
  Time begin_;        ///< of the work
  Time begin_part_;   ///< of the part of it that has this total
  Time next_;         ///< before then nothing is drawn
  Told told_;
  bool is_told_ = false;  ///< since the bar was erased
  bool drawn_ = false;
  bool catches_signals_ = false;
  std::jthread ticker_;  ///< last, so that it ends first
};

/// A duration in whole seconds: "0:07", "12:34" or "3:05:00".
std::string clock_text(std::chrono::steady_clock::duration duration);

}  // namespace touchstone::cli
