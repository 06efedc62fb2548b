#pragma once

#include <string>
#include <vector>

#include "fuzz/changes/minor_release.hpp"

/// The pages of docs/releases.
namespace touchstone::cli {

/// A minor release, and its steps with their witnesses.
struct MinorRelease {
  int minor = 0;
  std::vector<fuzz::ReleaseStep> steps;
};

/// The first patch of each minor release that has a change: "1.29.6 (not in 1.29.4), 1.31.0".
std::string first_patches(const Change& change);

/// The page of a minor release, as Markdown: each change with its clause, its evidence, its pull requests,
/// and the cluster that shows it, or the statement that none is known.
std::string page_of(const MinorRelease& release);

/// The page that lists all minor releases.
std::string page_of_releases(const std::vector<MinorRelease>& releases);

}  // namespace touchstone::cli
