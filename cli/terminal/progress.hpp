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

/// A progress bar on one line of a terminal. It shows how much of a long work is done, how long it has taken,
/// and how long the rest will take at this pace. The bar is erased when the work ends or is interrupted. Work
/// of less than 300 ms shows no bar. A thread redraws the last state, so that the times advance between
/// updates.
class ProgressBar {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Draws on standard error if that is a terminal that can erase a line; otherwise draws nothing.
  explicit ProgressBar(const Terminal& terminal);
  /// Draws on a stream that accepts terminal escapes, with the given clock. No thread redraws.
  ProgressBar(std::ostream& stream, std::size_t width, std::function<Time()> clock);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Shows that `done` of `total` are done; `what` names the work. A new total begins a new part, for which
  /// the remaining time is estimated afresh. Cheap: draws at most ten times a second.
  void update(std::string_view what, std::size_t done, std::size_t total);

  /// Shows a line of text in place of the bar, cut to the width. Draws at most ten times a second.
  void show(std::string_view line);

  /// Redraws the last state, if it is time. The thread calls this; a test with its own clock calls it itself.
  void tick();

  /// Removes the bar, so that other output can follow. The next update may draw it again.
  void erase();

 private:
  /// The last state: how much is done, or a line of text.
  struct Told {
    std::string text;
    std::size_t done = 0;
    std::size_t total = 0;
    bool is_line = false;
  };

  void tell(std::string_view text, std::size_t done, std::size_t total, bool is_line);
  void draw_if_time();

  std::ostream* stream_ = nullptr;  ///< null: draws nothing
  std::size_t width_ = 0;
  std::function<Time()> clock_;
  std::mutex mutex_;  ///< guards everything below
  Time begin_;        ///< when the work began
  Time begin_part_;   ///< when its part with this total began
  Time next_;         ///< nothing is drawn earlier
  Told told_;
  bool is_told_ = false;  ///< there was an update since the bar was erased
  bool drawn_ = false;
  bool catches_signals_ = false;
  std::jthread ticker_;  ///< the last member, so that it ends first
};

/// A duration in whole seconds: "0:07", "12:34" or "3:05:00".
std::string clock_text(std::chrono::steady_clock::duration duration);

}  // namespace touchstone::cli
