#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/vocabulary/result.hpp"

/// A program run as a child of ours, its three streams being pipes. Linux 5.9 or later.
namespace touchstone::oracle {

/// A file descriptor that is closed with its owner; -1 when there is none.
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

/// How a process ended: one of both; neither where someone else took its status.
struct Exit {
  std::optional<int> code;
  std::optional<int> signal;
};

/// The process is the first of a session of its own. It gets no signal mask, no handlers, no descriptors of
/// ours but its three streams, leaves no core file, and is the first to go when memory runs out. A supervisor
/// stands between it and us (oracle/subject/supervisor.hpp): when the process ends, when this object is destroyed, or
/// when the thread that started it ends, the supervisor kills every descendant, also one that left the
/// session.
class Child {
 public:
  /// Starts a program: command[0] is a path, or a name that is looked for in PATH; no shell comes between.
  /// Requires: command is not empty. Errors: cannot-start, with the system's words, whatever fails up to and
  /// with exec.
  static Result<Child> start(const std::vector<std::string>& command);

  Child(Child&&) = default;
  Child& operator=(Child&&) = delete;
  /// Kills what still runs.
  ~Child();

  /// Our ends; they do not block. Closing input() tells the child that nothing more comes.
  Descriptor& input() { return input_; }
  Descriptor& output() { return output_; }
  Descriptor& errors() { return errors_; }
  /// Readable from when the process and all its descendants have ended.
  const Descriptor& process() const { return process_; }

  /// Waits for its end, that long at most; whether it has ended.
  bool ended_within(std::chrono::milliseconds limit) const;

  /// Kills the process and its descendants. Ensures: none of them is left, no zombie either, but where the
  /// system forbids us to kill one (a setuid program), which is given up after 2 s; our ends stay open to be
  /// read.
  /// Returns how it ended, if that was of its own accord.
  std::optional<Exit> kill();

 private:
  Child() = default;

  // The supervisor; negative once it is reaped. A moved-from child must not kill what the new owner has.
  struct Pid {
    Pid() = default;
    Pid(Pid&& other) noexcept : number(std::exchange(other.number, -1)) {}
    pid_t number = -1;
  } pid_;
  Descriptor input_, output_, errors_, process_;
};

/// write(2) without SIGPIPE, which is nobody's business but the caller's.
ssize_t write_quietly(const Descriptor& to, std::string_view bytes);

}  // namespace touchstone::oracle
