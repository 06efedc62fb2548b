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

/// "  0:12, 0:36 left"; a rest that cannot be known is left out.
std::string times_text(ProgressBar::Time::duration elapsed, ProgressBar::Time::duration of_part,
                       std::size_t done, std::size_t total) {
  std::string text = "  " + clock_text(elapsed);
  if (done == 0 || done > total) return text;
  const double rest = static_cast<double>(total - done) / static_cast<double>(done);
  const std::chrono::duration<double> left = std::chrono::duration<double>(of_part) * rest;
  return text + ", " + clock_text(std::chrono::duration_cast<std::chrono::seconds>(left)) + " left";
}

/// "vectors  [#####---------------]  25 %  650 of 2600  0:12, 0:36 left"; what the width has no room for is
/// left out, the bar first, then the times.
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
}

ProgressBar::ProgressBar(std::ostream& stream, std::size_t width, std::function<Time()> clock)
    : stream_(&stream),
      width_(width),
      clock_(std::move(clock)),
      begin_(clock_()),
      begin_part_(begin_),
      next_(begin_ + k_patience) {}

ProgressBar::~ProgressBar() {
  erase();
  if (!catches_signals_) return;
  for (const int signal : {SIGINT, SIGTERM}) exchange(signal, erase_line_and_die, SIG_DFL);
}

std::optional<ProgressBar::Time> ProgressBar::due() {
  if (stream_ == nullptr) return std::nullopt;
  const Time now = clock_();
  if (now < next_) return std::nullopt;
  next_ = now + k_period;
  return now;
}

void ProgressBar::draw(std::string_view line) {
  drawn_ = true;
  *stream_ << "\r" << line << "\x1b[K" << std::flush;
}

void ProgressBar::update(std::string_view what, std::size_t done, std::size_t total) {
  if (stream_ == nullptr) return;
  if (total != total_) {
    if (total_ != 0) begin_part_ = clock_();
    total_ = total;
  }
  const std::optional<Time> now = due();
  if (now)
    draw(line_of(what, done, total, times_text(*now - begin_, *now - begin_part_, done, total), width_));
}

void ProgressBar::show(std::string_view line) {
  if (!due()) return;
  std::string text = printable(line);
  while (!text.empty() && displayed_width(text) >= width_) text.pop_back();
  draw(text);
}

void ProgressBar::erase() {
  if (drawn_) *stream_ << k_erase_line << std::flush;
  drawn_ = false;
}

}  // namespace touchstone::cli
