#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/result.hpp"

/// Runs a program as a child process, with pipes as its three standard streams. Needs Linux 5.9 or later.
namespace touchstone::oracle {

/// Owns a file descriptor and closes it; -1 if there is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

/// How a process ended: by exit code or by signal. Both are empty if other code in this program took the
/// status.
struct Exit {
  std::optional<int> code;
  std::optional<int> signal;
};

/// A child process in a session of its own. It inherits no signal mask, no signal handlers, and no
/// descriptors except its three streams. It leaves no core file, and the kernel kills it first when memory
/// runs out. A supervisor process runs between this program and the child (oracle/subject/supervisor.hpp).
/// The supervisor kills every descendant, even one that left the session, when the child ends, when this
/// object is destroyed, or when the thread that called start() ends.
class Child {
 public:
  /// Starts a program without a shell. command[0] is a path, or a name that is searched in PATH. Requires:
  /// command is not empty. Errors: cannot-start, with the system's error message, for every failure up to and
  /// including exec.
  static Result<Child> start(const std::vector<std::string>& command);

  Child(Child&&) = default;
  Child& operator=(Child&&) = delete;
  /// Kills the process and its descendants, if it still runs.
  ~Child();

  /// This program's ends of the pipes. They do not block. Closing input() signals the end of input to the
  /// child.
  Descriptor& input() { return input_; }
  Descriptor& output() { return output_; }
  Descriptor& errors() { return errors_; }
  /// Becomes readable when the process and all its descendants have ended.
  const Descriptor& process() const { return process_; }

  /// Waits for the end of the process, at most for `limit`. Returns whether the process has ended.
  bool ended_within(std::chrono::milliseconds limit) const;

  /// Kills the process and its descendants. Ensures: no descendant is left, and no zombie. Exception: the
  /// system may forbid killing a descendant (a setuid program); kill() gives up after 2 s. output() and
  /// errors() stay open for reading. Returns how the process ended, if it ended before this call.
  std::optional<Exit> kill();

 private:
  Child() = default;

  // The supervisor's process number; negative after it is reaped. A moved-from child must not kill the
  // process of the new owner.
  struct Pid {
    Pid() = default;
    Pid(Pid&& other) noexcept : number(std::exchange(other.number, -1)) {}
    pid_t number = -1;
  } pid_;
  Descriptor input_, output_, errors_, process_;
};

/// Calls write(2) without raising SIGPIPE. An existing SIGPIPE of the caller stays pending.
ssize_t write_quietly(const Descriptor& to, std::string_view bytes);

}  // namespace touchstone::oracle
