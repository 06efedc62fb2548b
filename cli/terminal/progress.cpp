#include "cli/terminal/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

constexpr std::chrono::milliseconds k_patience{300};  ///< shorter work needs no bar
constexpr std::chrono::milliseconds k_period{100};
constexpr std::size_t k_bar_width = 20;
constexpr std::string_view k_erase_line = "\r\x1b[K";

/// Erases the line, and lets the signal do what it does. Only calls what a signal handler may.
extern "C" void erase_line_and_die(int signal) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, k_erase_line.data(), k_erase_line.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Exchanges what a signal does; one that the process ignores (nohup) stays ignored.
void exchange(int signal, void (*from)(int), void (*to)(int)) {
  struct sigaction now{};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == from) std::signal(signal, to);
}

/// "vectors  [#####---------------]  25 %  650 of 2600", cut to the width.
std::string line_of(std::string_view what, std::size_t done, std::size_t total, std::size_t width) {
  const std::size_t all = std::max<std::size_t>(total, 1);
  const std::size_t part = std::min(done, all);
  const std::size_t full = part * k_bar_width / all;
  const std::string figures =
      std::to_string(part * 100 / all) + " %  " + std::to_string(done) + " of " + std::to_string(total);
  const std::string bar = "[" + std::string(full, '#') + std::string(k_bar_width - full, '-') + "]  ";
  std::string line = printable(what) + "  " + bar + figures;
  if (displayed_width(line) >= width) line = figures;
  if (displayed_width(line) >= width) line.clear();
  return line;
}

}  // namespace

ProgressBar::ProgressBar(const Terminal& terminal)
    : ProgressBar(std::cerr, terminal.error_width, [] { return std::chrono::steady_clock::now(); }) {
  if (!terminal.redraws_errors) {
    stream_ = nullptr;
    return;
  }
  catches_signals_ = true;
  for (const int signal : {SIGINT, SIGTERM}) exchange(signal, SIG_DFL, erase_line_and_die);
}

ProgressBar::ProgressBar(std::ostream& stream, std::size_t width, std::function<Time()> clock)
    : stream_(&stream), width_(width), clock_(std::move(clock)), next_(clock_() + k_patience) {}

ProgressBar::~ProgressBar() {
  erase();
  if (!catches_signals_) return;
  for (const int signal : {SIGINT, SIGTERM}) exchange(signal, erase_line_and_die, SIG_DFL);
}

bool ProgressBar::is_time() {
  if (stream_ == nullptr) return false;
  const Time now = clock_();
  if (now < next_) return false;
  next_ = now + k_period;
  return true;
}

void ProgressBar::draw(std::string_view line) {
  drawn_ = true;
  *stream_ << "\r" << line << "\x1b[K" << std::flush;
}

void ProgressBar::update(std::string_view what, std::size_t done, std::size_t total) {
  if (is_time()) draw(line_of(what, done, total, width_));
}

void ProgressBar::show(std::string_view line) {
  if (!is_time()) return;
  std::string text = printable(line);
  while (!text.empty() && displayed_width(text) >= width_) text.pop_back();
  draw(text);
}

void ProgressBar::erase() {
  if (drawn_) *stream_ << k_erase_line << std::flush;
  drawn_ = false;
}

}  // namespace touchstone::cli
