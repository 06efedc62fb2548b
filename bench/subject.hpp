#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "oracle/subject/subject_process.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

/// The real kube-scheduler, which touchstone bench runs as a subject.
namespace touchstone::bench {

/// A decision of kube-scheduler, and the times that it reports.
struct SchedulerAnswer {
  std::string outcome;
  std::string node;
  std::vector<std::string> victims;  ///< NAMESPACE/NAME
  Quantity pdb_violations = 0;
  std::vector<std::string> candidates;  ///< names of nodes
  std::size_t dry_runs = 0;             ///< number of dry-run nodes, candidates or not
  Quantity filter_ns = 0;               ///< time of the first pass over all nodes
  Quantity dry_run_ns = 0;
  Quantity schedule_ns = 0;  ///< with ask_cycle(): time of SchedulePod
};

class BenchSubject {
 public:
  /// `command`: a program that upstream/build made. `parallelism`: how many nodes it dry-runs in parallel.
  BenchSubject(std::vector<std::string> command, std::size_t parallelism, const Release& release,
               const std::atomic<bool>& stop);

  /// The question as text. It is written once and used for many calls of ask(): with 5,000 nodes it has 100
  /// MB.
  static std::string written(const Question& question);

  /// Sends a question that written() made, and waits for the answer. `offset`: where a sampling search
  /// starts; none: a complete search. Errors: subject-failed, subject-errs; stopped.
  Result<SchedulerAnswer> ask(const std::string& question, std::optional<Quantity> offset);

  /// The same for a whole scheduling cycle, which begins the search where the question says. `percentage`:
  /// percentageOfNodesToScore; 0: the default of the release.
  Result<SchedulerAnswer> ask_cycle(const std::string& question, Quantity percentage);

 private:
  Result<SchedulerAnswer> ask_with(const std::string& head, const std::string& question);

  oracle::SubjectProcess process_;
  std::string release_;
  Quantity seq_ = 0;
};

}  // namespace touchstone::bench
