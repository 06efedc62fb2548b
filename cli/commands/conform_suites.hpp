#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/terminal/progress.hpp"
#include "conformance/suite.hpp"

/// The suites of touchstone conform.
namespace touchstone::cli {

/// The levels with these names; all levels if there is no name. Errors: unknown-level.
Result<std::set<conformance::LevelId>> levels_wanted(const std::vector<std::string>& names);

/// Which cases are wanted.
struct SuiteChoice {
  std::string vectors = {};  ///< of this file or directory, instead of those of the project
  std::string name = {};     ///< only this case; other cases may be there too
};

/// Builds the suites of a release. If the user interrupts, they are incomplete. Errors: those of the readers of
/// vectors, timelines and clusters of faults, and of conformance::suites_of().
Result<std::vector<conformance::Suite>> build_suites(const NamedRelease& release,
                                                     const std::set<conformance::LevelId>& wanted,
                                                     ProgressBar& bar, const SuiteChoice& choice);

/// Writes the sizes and hashes of the suites of k_published_releases. Returns the exit code. Errors:
/// suite-changed if a suite changed, but its version did not.
int update_published_suites(const Terminal& terminal);

}  // namespace touchstone::cli
