#include "oracle/subject/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>

#include "oracle/subject/supervisor.hpp"

namespace touchstone::oracle {

namespace {

Error cannot_start(const std::string& what, int number) {
  return {"cannot-start", "", what + ": " + std::generic_category().message(number)};
}

struct Pipe {
  Descriptor read, write;
};

/// Moves a descriptor above the three standard streams; the caller may run with one of these closed.
/// Otherwise dup2 could get the same number twice, and would then keep close-on-exec.
bool above_streams(Descriptor& descriptor) {
  if (descriptor.number() > STDERR_FILENO) return true;
  descriptor = Descriptor(::fcntl(descriptor.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return descriptor.number() >= 0;
}

bool open_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return above_streams(pipe.read) && above_streams(pipe.write);
}

bool stop_blocking(const Descriptor& descriptor) {
  return ::fcntl(descriptor.number(), F_SETFL, O_NONBLOCK) == 0;
}

/// Finds a program as execvp does, but before the fork. Between fork and exec, no memory may be allocated.
std::string found_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  if (name.empty() || name.find('/') != std::string::npos || path == nullptr) return name;
  const std::string directories = path;
  for (std::size_t begin = 0; begin <= directories.size();) {
    const std::size_t end = std::min(directories.find(':', begin), directories.size());
    const std::string directory = directories.substr(begin, end - begin);
    const std::string file = (directory.empty() ? "." : directory) + "/" + name;
    struct stat info{};
    if (::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(file.c_str(), X_OK) == 0)
      return file;
    begin = end + 1;
  }
  return "";
}

struct Plan {
  const char* file;
  char* const* arguments;
  int input, output, errors, report;
  pid_t parent;
};

/// Sends errno to the parent, because the subject cannot start, and exits.
[[noreturn]] void report_and_end(const Plan& plan) {
  const int number = errno;
  const ssize_t ignored = ::write(plan.report, &number, sizeof number);
  static_cast<void>(ignored);
  ::_exit(127);
}

/// The subject between fork and exec. Makes system calls only, as another thread of the parent may hold any
/// lock.
[[noreturn]] void become_subject(const Plan& plan, pid_t supervisor) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);  // the supervisor ended before prctl
  const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    const ssize_t ignored = ::write(score, "1000", 4);
    static_cast<void>(ignored);
    ::close(score);
  }
  const bool connected = ::dup2(plan.input, STDIN_FILENO) >= 0 && ::dup2(plan.output, STDOUT_FILENO) >= 0 &&
                         ::dup2(plan.errors, STDERR_FILENO) >= 0;
  if (connected) {
    // Needs Linux 5.11. Before it, the subject inherits what the caller opened without O_CLOEXEC.
    ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(plan.file, plan.arguments);
  }
  report_and_end(plan);
}

/// The supervisor: forks the subject and waits for its end. Every signal is blocked.
[[noreturn]] void become_supervisor(const Plan& plan) {
  ::setsid();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent ended before prctl
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  // A limit of 1 instead of 0: with 1 the kernel does not run a core_pattern program either. Otherwise each
  // crash in a campaign would start that program.
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const pid_t supervisor = ::getpid();
  const pid_t subject = ::_Fork();
  if (subject == 0) become_subject(plan, supervisor);
  if (subject < 0) report_and_end(plan);
  // Close all pipe ends of this process. While one is open, the parent cannot see that the subject closed its
  // own.
  ::syscall(SYS_close_range, 0, ~0U, 0);
  supervise(subject);
}

/// Calls fork() with every signal blocked, so that the child runs no signal handler of this program.
pid_t fork_into(const Plan& plan) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become_supervisor(plan);
  const int number = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = number;
  return pid;
}

/// The errno that exec reported, or 0 if exec succeeded: then the pipe closes and nothing is written to it.
int reported_by(const Descriptor& report) {
  int number = 0;
  ssize_t got = 0;
  do got = ::read(report.number(), &number, sizeof number);
  while (got < 0 && errno == EINTR);
  return got == sizeof number ? number : 0;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Result<Child> Child::start(const std::vector<std::string>& command) {
  assert(!command.empty());
  const std::string file = found_in_path(command.front());
  if (file.empty()) return cannot_start(command.front(), ENOENT);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);

  Pipe input, output, errors, report;
  if (!open_pipe(input) || !open_pipe(output) || !open_pipe(errors) || !open_pipe(report))
    return cannot_start("pipe", errno);
  if (!stop_blocking(input.write) || !stop_blocking(output.read) || !stop_blocking(errors.read))
    return cannot_start("fcntl", errno);

  Child child;
  child.pid_.number = fork_into({.file = file.c_str(),
                                 .arguments = arguments.data(),
                                 .input = input.read.number(),
                                 .output = output.write.number(),
                                 .errors = errors.write.number(),
                                 .report = report.write.number(),
                                 .parent = ::getpid()});
  if (child.pid_.number < 0) return cannot_start("fork", errno);
  child.process_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.pid_.number, 0)));
  if (child.process_.number() < 0) return cannot_start("pidfd_open", errno);
  report.write.close();
  if (const int number = reported_by(report.read); number != 0) return cannot_start(command.front(), number);
  child.input_ = std::move(input.write);
  child.output_ = std::move(output.read);
  child.errors_ = std::move(errors.read);
  return child;
}

Child::~Child() {
  if (pid_.number > 0) kill();
}

bool Child::ended_within(std::chrono::milliseconds limit) const {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd process{process_.number(), POLLIN, 0};
    const int ready = ::poll(&process, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) return true;
    if (left.count() <= 0) return false;
  }
}

std::optional<Exit> Child::kill() {
  assert(pid_.number > 0);
  const bool by_itself = process_.number() >= 0 && ended_within(std::chrono::milliseconds(0));
  // The number cannot belong to another process before the supervisor is reaped.
  ::kill(pid_.number, SIGTERM);
  const bool gone = process_.number() >= 0 && ended_within(std::chrono::seconds(2));
  if (!gone) ::kill(pid_.number, SIGKILL);
  int status = 0;
  pid_t reaped = 0;
  do reaped = ::waitpid(pid_.number, &status, 0);
  while (reaped < 0 && errno == EINTR);
  pid_.number = -1;
  if (!by_itself) return std::nullopt;
  if (reaped < 0) return Exit{};  // other code in this program reaped it
  if (WIFSIGNALED(status)) return Exit{.code = {}, .signal = WTERMSIG(status)};
  return Exit{.code = WEXITSTATUS(status), .signal = {}};
}

ssize_t write_quietly(const Descriptor& to, std::string_view bytes) {
  sigset_t pipe, pending, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::sigemptyset(&pending);
  ::sigpending(&pending);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t written = ::write(to.number(), bytes.data(), bytes.size());
  const int number = errno;
  if (written < 0 && number == EPIPE && ::sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once{};
    ::sigtimedwait(&pipe, nullptr, &at_once);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = number;
  return written;
}

}  // namespace touchstone::oracle
