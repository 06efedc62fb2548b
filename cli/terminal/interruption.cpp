#include "cli/terminal/interruption.hpp"

#include <unistd.h>

#include <csignal>
#include <mutex>
#include <string_view>

namespace touchstone::cli {

namespace {

constexpr unsigned k_patience_s = 1;

std::atomic<bool> seen = false;
std::atomic<bool> told = false;

extern "C" void tell(int) {
  constexpr std::string_view k_text = "\nfinishing the current work; press Ctrl-C again to stop at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, k_text.data(), k_text.size());
  told = true;
}

extern "C" void note_signal(int signal) {
  if (told) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (!seen) ::alarm(k_patience_s);
  seen = true;
}

}  // namespace

const std::atomic<bool>& interruption() {
  static std::once_flag k_once;
  std::call_once(k_once, [] {
    std::signal(SIGALRM, tell);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_signal);
  });
  return seen;
}

}  // namespace touchstone::cli
