#include "oracle/subject/supervisor.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>

namespace touchstone::oracle {

namespace {

sigset_t awaited_signals() {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  return awaited;
}

/// Kills the children in the system's list. The list is text: process numbers, each followed by a blank.
void kill_listed_children() {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  std::array<char, 4096> text;
  const ssize_t got = ::read(list, text.data(), text.size());
  ::close(list);
  pid_t number = 0;
  for (ssize_t i = 0; i < got; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    if (c >= '0' && c <= '9') {
      number = 10 * number + (c - '0');
    } else {
      if (number > 0) ::kill(number, SIGKILL);
      number = 0;
    }
  }
}

/// Kills all descendants. When a child is killed, its children become children of this process. Ends when
/// there is no child left.
void kill_descendants() {
  const sigset_t awaited = awaited_signals();
  while (true) {
    kill_listed_children();
    pid_t reaped = 0;
    do reaped = ::waitpid(-1, nullptr, WNOHANG);
    while (reaped > 0);
    if (reaped < 0) return;
    // The next list contains children that were forked after this list was read.
    const timespec a_moment{.tv_sec = 0, .tv_nsec = 20'000'000};
    ::sigtimedwait(&awaited, nullptr, &a_moment);
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::kill(::getpid(), WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

}  // namespace

void supervise(pid_t subject) {
  const sigset_t awaited = awaited_signals();
  int status = 0;
  for (bool waiting = true; waiting;) {
    waiting = ::sigwaitinfo(&awaited, nullptr) != SIGTERM;
    int of_child = 0;
    for (pid_t reaped = 0; waiting && (reaped = ::waitpid(-1, &of_child, WNOHANG)) > 0;) {
      if (reaped != subject) continue;
      status = of_child;
      waiting = false;
    }
  }
  kill_descendants();
  end_as(status);
}

}  // namespace touchstone::oracle
