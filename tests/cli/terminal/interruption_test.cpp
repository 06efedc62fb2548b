#include "cli/terminal/interruption.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace touchstone::cli {

/// Sends signals one after the other until one of them ends this process.
[[noreturn]] void interrupt_until_the_end() {
  interruption();
  while (true) {
    std::raise(SIGINT);
    ::usleep(10'000);
  }
}

TEST(Interruption, IsSeenAndEndsNothing) {
  EXPECT_EXIT(
      {
        const std::atomic<bool>& seen = interruption();
        if (seen) ::_exit(1);
        std::raise(SIGINT);
        std::raise(SIGTERM);
        ::_exit(seen ? 0 : 1);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(Interruption, SaysThatAnotherSignalEndsWhatTakesLong) {
  EXPECT_EXIT(interrupt_until_the_end(), testing::KilledBySignal(SIGINT),
              "press Ctrl-C again to stop at once");
}

}  // namespace touchstone::cli
