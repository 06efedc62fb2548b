#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "faults/judge.hpp"

/// The bench of seeded faults: what each judge makes of each fault.
namespace touchstone::fuzz {

/// How soon a judge detects a fault, over its trials.
struct Median {
  std::uint64_t cases = 0;
  double seconds = 0;
};

/// What one judge made of one fault, over seeds where it draws its cases.
struct Judged {
  std::string_view judge;
  std::string not_there;  ///< not empty: it was not asked
  std::vector<Trial> trials;

  std::size_t detected() const;  ///< in how many trials
  /// The middle (the lower one of two) of the cases to detection and, apart from that, of the seconds;
  /// nothing where the middle trial detected nothing.
  std::optional<Median> median() const;
  std::string failed() const;  ///< why a trial did not run to its end; empty: all did
  bool reached() const;        ///< in some trial
  bool triggered() const;      ///< in some trial
};

struct FaultResult {
  const Fault* fault;
  std::vector<Judged> judged;  ///< by judge, in their order

  bool reached() const;
  bool triggered() const;
  bool detected() const;  ///< by some judge
  bool asked() const;     ///< some judge was there to be asked
};

struct BenchSetup {
  std::vector<const Fault*> faults;
  std::vector<Judge> judges;
  std::size_t seeds = 10;
  std::size_t jobs = 1;     ///< processes at the same time
  double seconds_most = 2;  ///< of one trial
  /// Of processor time, of all trials of a judge on a fault: far beyond what any takes that ends.
  std::chrono::seconds judge_most{1200};
};

/// Runs the bench. Each judge works on each fault in a process of its own; where that crashes, its one trial
/// has failed. A judge is not asked for more seeds once its median is known to detect nothing. `show` is
/// called ten times a second, with the results of the faults that all judges are done with. Requires: the
/// process has no other thread. Ensures: where `stop` was set, what is done until then, in the order of the
/// setup.
std::vector<FaultResult> run_bench(const BenchSetup& setup, const std::atomic<bool>& stop,
                                   const std::function<void(const std::vector<FaultResult>& done)>& show);

/// What of the results must not be: a fault that somebody was asked about and nobody detects, unless nobody
/// but the campaign was asked and the table tells why that does not find it; a judge that did not run to its
/// end; a canary that some judge misses; an identity that is detected. One sentence each.
std::vector<std::string> failures_of(const std::vector<FaultResult>& results);

/// Whether it is of a fault: neither the canary nor the identity.
bool is_fault(const FaultResult& result);

/// How soon the campaign found what there is: how many faults in less than a second of median time, how many
/// not, and the explanations of these. The canary and the identity do not count.
struct Soon {
  std::size_t in_a_second = 0;
  std::vector<const FaultResult*> explained;
  std::vector<const FaultResult*> unexplained;
};
Soon soon_by_campaign(const std::vector<FaultResult>& results);

}  // namespace touchstone::fuzz
