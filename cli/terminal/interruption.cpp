#include "cli/terminal/interruption.hpp"

#include <csignal>

namespace touchstone::cli {

namespace {

std::atomic<bool> seen = false;

extern "C" void note_signal(int signal) {
  seen = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& interruption() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now{};
    const bool is_ignored = sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (!is_ignored && !seen) std::signal(signal, note_signal);
  }
  return seen;
}

}  // namespace touchstone::cli
