#include "cli/terminal/interruption.hpp"

#include <csignal>
#include <mutex>

namespace touchstone::cli {

namespace {

std::atomic<bool> seen = false;

extern "C" void note_signal(int signal) {
  seen = true;
  std::signal(signal, SIG_DFL);
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
