#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "fuzz/changes/two_subjects.hpp"

/// The output of `diff --subjects`.
namespace touchstone::cli {

/// How the result of two subjects is printed.
struct SubjectsView {
  std::vector<std::string> expected;  ///< announced clauses
  bool names_files = false;           ///< print the file of each cluster, not its objects
};

/// The clauses that differ and were not announced.
std::vector<std::string> unannounced(const fuzz::SubjectsCompared& compared,
                                     const std::vector<std::string>& expected);

/// Each clause by which two schedulers differ, with its smallest cluster.
std::string text_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view,
                    const Terminal& terminal);
/// The same as annotations of GitHub Actions: an error for each clause that was not announced, a notice for
/// the others.
std::string github_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view);

fuzz::Json json_of(const fuzz::SubjectsCompared& compared, const SubjectsView& view);

}  // namespace touchstone::cli
