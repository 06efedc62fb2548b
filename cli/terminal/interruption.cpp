#include "cli/terminal/interruption.hpp"

#include <csignal>
#include <ctime>
#include <mutex>

namespace touchstone::cli {

namespace {

std::atomic<bool> seen = false;
std::atomic<std::time_t> seen_at = 0;

extern "C" void note_signal(int signal) {
  if (seen && std::time(nullptr) - seen_at > 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (!seen) seen_at = std::time(nullptr);
  seen = true;
}

}  // namespace

const std::atomic<bool>& interruption() {
  static std::once_flag k_once;
  std::call_once(k_once, [] {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_signal);
  });
  return seen;
}

}  // namespace touchstone::cli
