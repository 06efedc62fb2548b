#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "conformance/suite.hpp"
#include "faults/fault.hpp"

/// The level of conformance at which a subject with a seeded fault violates the clause of the fault.
namespace touchstone::faults {

/// What a subject with a fault violates.
struct FaultLevel {
  const Fault* fault = nullptr;
  std::string level;                 ///< the first level at which it violates the clause; empty: at none
  std::string case_name = {};        ///< the smallest such case of this level
  std::vector<std::string> instead = {};  ///< clauses that it violates, if it does not violate its own
};

/// The clauses that a subject with this fault violates in one case: the clause of the verdict, and those of
/// which the case is a worked example. Requires: the release of the suite is that of the fault.
std::set<std::string> clauses_violated(const Fault& fault, const conformance::Case& one,
                                       conformance::LevelId level, const NamedRelease& release);

/// Judges a subject with a fault on suites of the fault's release, level by level. Stops after the first
/// level at which the subject violates the clause of the fault.
FaultLevel level_of(const Fault& fault, const std::vector<conformance::Suite>& suites,
                    const std::atomic<bool>& stop);

/// The results as JSON, and reading them again. Errors: those of read_bytes; faults-malformed, with the name
/// of the file, also for a fault that this program does not have.
oracle::Json json_of(const std::vector<FaultLevel>& levels);
Result<std::vector<FaultLevel>> read_fault_levels(const std::string& file);

}  // namespace touchstone::faults
