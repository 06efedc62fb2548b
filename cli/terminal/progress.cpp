#include "cli/terminal/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <iostream>
#include <utility>

#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

constexpr std::chrono::milliseconds k_patience{300};  ///< shorter work needs no bar
constexpr std::chrono::milliseconds k_period{100};
constexpr std::size_t k_bar_width = 20;
constexpr std::string_view k_erase_line = "\r\x1b[K";

/// Erases the line, then lets the signal have its default effect. Only calls functions that a signal handler
/// may call.
extern "C" void erase_line_and_die(int signal) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, k_erase_line.data(), k_erase_line.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Replaces the handler of a signal if the handler is `from`. A signal that the process ignores (nohup) stays
/// ignored.
void exchange(int signal, void (*from)(int), void (*to)(int)) {
  struct sigaction now{};
  if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == from) std::signal(signal, to);
}

/// "  0:12, 0:36 left". The remaining time is left out if it cannot be estimated.
std::string times_text(ProgressBar::Time::duration elapsed, ProgressBar::Time::duration of_part,
                       std::size_t done, std::size_t total) {
  std::string text = "  " + clock_text(elapsed);
  if (done == 0 || done > total) return text;
  const double rest = static_cast<double>(total - done) / static_cast<double>(done);
  const std::chrono::duration<double> left = std::chrono::duration<double>(of_part) * rest;
  return text + ", " + clock_text(std::chrono::duration_cast<std::chrono::seconds>(left)) + " left";
}

/// "vectors  [#####---------------]  25 %  650 of 2600  0:12, 0:36 left". If the width is too small, the name
/// and the bar are left out first, and then the times.
std::string line_of(std::string_view what, std::size_t done, std::size_t total, const std::string& times,
                    std::size_t width) {
  const std::size_t all = std::max<std::size_t>(total, 1);
  const std::size_t part = std::min(done, all);
  const std::size_t full = part * k_bar_width / all;
  const std::string figures =
      std::to_string(part * 100 / all) + " %  " + std::to_string(done) + " of " + std::to_string(total);
  const std::string bar = "[" + std::string(full, '#') + std::string(k_bar_width - full, '-') + "]  ";
  for (const std::string& line : {printable(what) + "  " + bar + figures + times, figures + times, figures})
    if (displayed_width(line) < width) return line;
  return "";
}

/// `text`, cut to the width.
std::string cut_to(std::string_view text, std::size_t width) {
  std::string line = printable(text);
  while (!line.empty() && displayed_width(line) >= width) line.pop_back();
  return line;
}

/// A thread that calls `tick` ten times a second until it is stopped. It blocks all signals, so that the
/// working threads receive them.
std::jthread ticking(std::function<void()> tick) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::jthread thread([tick = std::move(tick)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    while (!never.wait_for(lock, stop, k_period, [&stop] { return stop.stop_requested(); })) tick();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

std::string clock_text(std::chrono::steady_clock::duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  const auto two = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const auto minutes = seconds / 60;
  const std::string text =
      minutes < 60 ? std::to_string(minutes) : std::to_string(minutes / 60) + ":" + two(minutes % 60);
  return text + ":" + two(seconds % 60);
}

ProgressBar::ProgressBar(const Terminal& terminal)
    : ProgressBar(std::cerr, terminal.error_width, [] { return std::chrono::steady_clock::now(); }) {
  if (!terminal.redraws_errors) {
    stream_ = nullptr;
    return;
  }
  catches_signals_ = true;
  for (const int signal : {SIGINT, SIGTERM}) exchange(signal, SIG_DFL, erase_line_and_die);
  ticker_ = ticking([this] { tick(); });
}

ProgressBar::ProgressBar(std::ostream& stream, std::size_t width, std::function<Time()> clock)
    : stream_(&stream),
      width_(width),
      clock_(std::move(clock)),
      begin_(clock_()),
      begin_part_(begin_),
      next_(begin_ + k_patience) {}

ProgressBar::~ProgressBar() {
  ticker_ = {};
  erase();
  if (!catches_signals_) return;
  for (const int signal : {SIGINT, SIGTERM}) exchange(signal, erase_line_and_die, SIG_DFL);
}

void ProgressBar::tell(std::string_view text, std::size_t done, std::size_t total, bool is_line) {
  if (stream_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (total != told_.total && told_.total != 0) begin_part_ = clock_();
  told_.text = text;
  told_.done = done;
  told_.total = total;
  told_.is_line = is_line;
  is_told_ = true;
  draw_if_time();
}

/// Requires: mutex_ is held.
void ProgressBar::draw_if_time() {
  const Time now = clock_();
  if (!is_told_ || now < next_) return;
  next_ = now + k_period;
  drawn_ = true;
  *stream_ << "\r"
           << (told_.is_line
                   ? cut_to(told_.text, width_)
                   : line_of(told_.text, told_.done, told_.total,
                             times_text(now - begin_, now - begin_part_, told_.done, told_.total), width_))
           << "\x1b[K" << std::flush;
}

void ProgressBar::update(std::string_view what, std::size_t done, std::size_t total) {
  tell(what, done, total, false);
}

void ProgressBar::show(std::string_view line) { tell(line, 0, 0, true); }

void ProgressBar::tick() {
  const std::lock_guard lock(mutex_);
  draw_if_time();
}

void ProgressBar::erase() {
  const std::lock_guard lock(mutex_);
  if (drawn_) *stream_ << k_erase_line << std::flush;
  drawn_ = false;
  is_told_ = false;
}

}  // namespace touchstone::cli
