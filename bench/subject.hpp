#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "oracle/subject/subject_process.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// The real kube-scheduler as touchstone bench asks it.
namespace touchstone::oracle {

/// What it decided, and how long it says that took.
struct SchedulerAnswer {
  std::string outcome;
  std::string node;
  std::vector<std::string> victims;  ///< NAMESPACE/NAME
  Quantity pdb_violations = 0;
  std::vector<std::string> candidates;  ///< names of nodes
  std::size_t dry_runs = 0;             ///< nodes that were candidates or not
  Quantity filter_ns = 0;               ///< of the first pass over all nodes
  Quantity dry_run_ns = 0;
};

class BenchSubject {
 public:
  /// Of a program that upstream/build made; `parallelism` is how many nodes it dry-runs at the same time.
  BenchSubject(std::vector<std::string> command, std::size_t parallelism, const Release& release,
               const std::atomic<bool>& stop);

  /// The question as text, written once for many askings: of 5,000 nodes it has 100 MB.
  static std::string written(const Question& question);

  /// Asks a written question. Errors: subject-failed, subject-errs; stopped.
  Result<SchedulerAnswer> ask(const std::string& question, std::optional<Quantity> offset);

 private:
  SubjectProcess process_;
  std::string release_;
  Quantity seq_ = 0;
};

}  // namespace touchstone::oracle
