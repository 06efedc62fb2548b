#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "faults/judge.hpp"
#include "oracle/subject/child.hpp"

namespace touchstone::fuzz {

/// A process, forked from this one, in which a judge works on one fault.
class Worker {
 public:
  /// A judge that computes for longer than `seconds_most` has failed. Requires: this process has no other
  /// thread.
  Worker(const std::function<std::vector<Trial>()>& judge, std::chrono::seconds seconds_most);
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  /// Kills what still runs.
  ~Worker();

  /// Readable where has_ended() has something to do.
  int output() const { return output_.number(); }

  /// Reads what there is; whether the process has ended. Ensures: then it is reaped.
  bool has_ended();
  bool is_reaped() const { return pid_ < 0; }

  /// The trials of the judge; one that failed, where the process crashed. Requires: it has ended.
  std::vector<Trial> trials() const;

 private:
  pid_t pid_ = -1;
  int status_ = 0;
  oracle::Descriptor output_;  ///< standard error, and on its last line the trials
  std::string text_;
};

}  // namespace touchstone::fuzz
