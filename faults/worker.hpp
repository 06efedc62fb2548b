#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "faults/judge.hpp"
#include "oracle/subject/child.hpp"

namespace touchstone::faults {

/// A child process in which a judge runs on one fault.
class Worker {
 public:
  /// Forks the child. A judge that uses more processor time than `seconds_most` has failed. Requires: this
  /// process has no other thread.
  Worker(const std::function<std::vector<Trial>()>& judge, std::chrono::seconds seconds_most);
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  /// Kills the child if it still runs.
  ~Worker();

  /// The descriptor to poll. It is readable when has_ended() has something to read.
  int output() const { return output_.number(); }

  /// Reads the available output. Returns whether the process has ended. Ensures: an ended process is reaped.
  bool has_ended();
  bool is_reaped() const { return pid_ < 0; }

  /// The trials of the judge, or one failed trial if the process crashed. Requires: the process has ended.
  std::vector<Trial> trials() const;

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  oracle::Descriptor output_;  ///< standard error; its last line contains the trials
  std::string text_;
};

}  // namespace touchstone::faults
