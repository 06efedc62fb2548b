#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "faults/judge.hpp"

/// The bench of seeded faults: runs each judge on each fault.
namespace touchstone::faults {

/// The median effort of a judge to detect a fault, over its trials.
struct Median {
  std::uint64_t cases = 0;
  double seconds = 0;
};

/// The results of one judge on one fault. There is a trial for each seed if the judge generates its cases.
struct Judged {
  std::string_view judge;
  std::string not_there;  ///< why the judge did not run; empty: it ran
  std::vector<Trial> trials;

  std::size_t detected() const;  ///< number of trials that detected the fault
  /// The median (the lower of two middle values) of the cases to detection and, separately, of the seconds.
  /// Nothing if the middle trial did not detect the fault.
  std::optional<Median> median() const;
  std::string failed() const;  ///< why a trial did not finish; empty: all finished
  bool reached() const;        ///< in some trial
  bool triggered() const;      ///< in some trial
};

/// The results of all judges on one fault.
struct FaultResult {
  const Fault* fault;
  std::vector<Judged> judged;  ///< one for each judge, in their order

  bool reached() const;
  bool triggered() const;
  bool detected() const;  ///< by some judge
  bool asked() const;     ///< some judge could run
};

/// The settings of the bench.
struct BenchSetup {
  std::vector<const Fault*> faults;
  std::vector<Judge> judges;
  std::size_t seeds = 10;
  std::size_t jobs = 1;     ///< processes at the same time
  double seconds_most = 2;  ///< for one trial
  /// Processor time for all trials of a judge on one fault. Every judge that terminates takes far less.
  std::chrono::seconds judge_most{1200};
};

/// Runs the bench. Each judge runs on each fault in a child process. If that process crashes, the result is
/// one failed trial. A judge gets no more seeds once its median is known to detect nothing. `show` is called
/// ten times a second, with the results of the faults that all judges have finished. Requires: the process
/// has no other thread. Ensures: results in the order of the setup; if `stop` was set, those finished until
/// then.
std::vector<FaultResult> run_bench(const BenchSetup& setup, const std::atomic<bool>& stop,
                                   const std::function<void(const std::vector<FaultResult>& done)>& show);

/// Reasons to fail, one sentence each: a fault that no judge detected; a judge that did not finish; a canary
/// that some judge missed; an identity that was detected. An undetected fault is excused if only the
/// campaign ran and the table says why the campaign does not find it.
std::vector<std::string> failures_of(const std::vector<FaultResult>& results);

/// Whether the entry is a fault, not the canary or the identity.
bool is_fault(const FaultResult& result);

/// How soon the campaign found the faults: how many in a median time below one second, and which others,
/// with or without an explanation in the table. The canary and the identity do not count.
struct Soon {
  std::size_t in_a_second = 0;
  std::vector<const FaultResult*> explained;
  std::vector<const FaultResult*> unexplained;
};
Soon soon_by_campaign(const std::vector<FaultResult>& results);

}  // namespace touchstone::faults
