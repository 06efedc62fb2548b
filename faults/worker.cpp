#include "faults/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "faults/trial_json.hpp"
#include "oracle/subject/subject_process.hpp"

namespace touchstone::faults {

namespace {

/// The child. Its standard error goes to the pipe, so that the parent gets the messages of a crash.
[[noreturn]] void work(const std::function<std::vector<Trial>()>& judge, int pipe, pid_t parent,
                       std::chrono::seconds seconds_most) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent died before prctl
  ::signal(SIGINT, SIG_IGN);                // from a terminal: the parent decides
  ::signal(SIGTERM, SIG_DFL);
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Limits processor time, so that a slow machine ends no judge. SIGXCPU ends a judge that takes more.
  const auto seconds = static_cast<rlim_t>(seconds_most.count());
  const rlimit processor{seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &processor);
  ::dup2(pipe, STDERR_FILENO);
  oracle::Json trials = oracle::Json::array();
  for (const Trial& trial : judge()) trials.push_back(json_of(trial));
  std::string text = "\n" + trials.dump(-1, ' ', false, oracle::Json::error_handler_t::replace);
  while (!text.empty()) {
    const ssize_t written = ::write(pipe, text.data(), text.size());
    if (written < 0 && errno != EINTR) ::_exit(127);
    if (written > 0) text.erase(0, static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

Trial failed(std::string why) {
  Trial trial;
  trial.failed = std::move(why);
  return trial;
}

}  // namespace

Worker::Worker(const std::function<std::vector<Trial>()>& judge, std::chrono::seconds seconds_most) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    text_ = std::string("pipe: ") + std::strerror(errno);
    return;
  }
  output_ = oracle::Descriptor(ends[0]);
  const oracle::Descriptor input(ends[1]);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) work(judge, input.number(), parent, seconds_most);
  if (pid_ < 0) text_ = std::string("fork: ") + std::strerror(errno);
}

Worker::Worker(Worker&& other) noexcept { *this = std::move(other); }

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  std::swap(output_, other.output_);
  std::swap(text_, other.text_);
  return *this;
}

Worker::~Worker() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Worker::has_ended() {
  if (pid_ < 0) return true;
  std::array<char, 1 << 14> piece{};
  pollfd readable{output_.number(), POLLIN, 0};
  if (::poll(&readable, 1, 0) <= 0) return false;
  const ssize_t got = ::read(output_.number(), piece.data(), piece.size());
  if (got > 0) text_.append(piece.data(), static_cast<std::size_t>(got));
  if (got > 0 || (got < 0 && errno == EINTR)) return false;
  if (::waitpid(pid_, &status_, 0) < 0) status_ = SIGKILL;  // another waitpid reaped it
  pid_ = -1;
  return true;
}

std::vector<Trial> Worker::trials() const {
  const std::vector<std::string> lines = oracle::last_lines(text_, 1);
  const std::string last = lines.empty() ? "" : ": " + lines.front();
  if (WIFSIGNALED(status_)) {
    const int number = WTERMSIG(status_);
    return {failed("killed by signal " + std::to_string(number) + ", " + ::strsignal(number) + last)};
  }
  const oracle::Json json = oracle::Json::parse(text_.substr(text_.rfind('\n') + 1), nullptr, false);
  if (WEXITSTATUS(status_) != 0 || !json.is_array())
    return {failed("ended with exit code " + std::to_string(WEXITSTATUS(status_)) + last)};
  std::vector<Trial> trials;
  for (const oracle::Json& trial : json) trials.push_back(trial_of(trial));
  return trials;
}

}  // namespace touchstone::faults
